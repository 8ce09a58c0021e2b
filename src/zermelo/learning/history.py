"""What a run has been, read from its directory, while it goes on or afterwards; nothing is written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.errors import BadParameter, RunError
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game
from zermelo.learning.config import TrainConfig, build, read_toml

_AMONG = 32
_BYTES_PER_GAME = 4096
"""Of a line of games.jsonl, at most, as far as games are looked for."""


@dataclass(frozen=True)
class History:
    """A run as its manifest tells it; lines beyond that are not read."""

    path: Path
    config: TrainConfig
    toml: str
    """The configuration as it was written."""
    manifest: dict[str, Any]
    rounds: list[dict[str, Any]]
    """Of metrics.jsonl, a line for each round."""
    measures: list[dict[str, Any]]
    """Of measures.jsonl."""

    @classmethod
    def read(cls, path: Path) -> History:
        try:
            manifest = json.loads((path / "manifest.json").read_bytes())
            toml = (path / "config.toml").read_text()
            config: TrainConfig = build(TrainConfig, read_toml(toml))
            sizes = manifest["bytes"]
            rounds, measures = (
                _lines(path / name, sizes[name]) for name in ("metrics.jsonl", "measures.jsonl")
            )
        except FileNotFoundError as error:
            raise RunError(f"{path} is not the directory of a run: {error.filename} is missing") from error
        except (OSError, ValueError, KeyError, TypeError, BadParameter) as error:
            raise RunError(f"the run in {path} cannot be read: {error}") from error
        return cls(path, config, toml, manifest, rounds, measures)

    @property
    def game(self) -> Game:
        return named_game(self.config.game)

    def latest_games(self, count: int) -> list[Position]:
        """Where some of the latest games of self-play ended: not the very last ones, which are those that
        ended soonest, but every so many-th."""
        file, end = self.path / "games.jsonl", self.manifest["bytes"]["games.jsonl"]
        if not end:
            return []
        begin = max(0, end - _AMONG * count * _BYTES_PER_GAME)
        with file.open("rb") as data:
            data.seek(begin)
            lines = data.read(end - begin).decode().splitlines()[bool(begin) :][-_AMONG * count :]
        try:
            return [self._replayed(json.loads(line)["moves"]) for line in lines[:: -(-len(lines) // count)]]
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{file} cannot be read: {error}") from error

    def _replayed(self, moves: list[str]) -> Position:
        position = self.game.position()
        for move in moves:
            position = position.play(move)
        return position


def _lines(path: Path, size: int) -> list[dict[str, Any]]:
    """The first bytes of a file, as JSON, line by line; nothing if there are none."""
    if not size:
        return []
    with path.open("rb") as file:
        return [json.loads(line) for line in file.read(size).splitlines()]

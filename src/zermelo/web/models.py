"""The networks that are served: those that ship, and those of the runs named on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zermelo.errors import UnknownName, listed
from zermelo.games.base import Game
from zermelo.network.shipped import shipped_models
from zermelo.players.az import AzPlayer, model_path
from zermelo.players.tree import TreePlayer
from zermelo.search.evaluator import Evaluator, Inside

_MOST = 16


@dataclass(frozen=True)
class Loaded:
    """A network in memory."""

    evaluator: Evaluator
    encoding: str | None


def version_path(run: Path, number: int) -> Path:
    """The network of a run as it was after so many rounds."""
    return run / "versions" / f"{number:06d}.safetensors"


class Models:
    """One evaluator for each network, whoever plays with it. `runs` are directories by their labels."""

    def __init__(self, runs: dict[str, Path] | None = None) -> None:
        self.runs = runs or {}
        self._loaded: dict[tuple[Path, int, Game], Loaded] = {}

    def ships(self, game: Game) -> bool:
        return game.name in shipped_models()

    def path(self, label: str) -> Path:
        """The file of a run's network, `label` or, as it was after round N, `label@N`."""
        run, _, number = label.partition("@")
        if run not in self.runs or (number and not number.isdecimal()):
            known = listed(self.runs) or "none"
            raise UnknownName(f"no network is called `{label[:40]}`; there are: {known}")
        if not number:
            return model_path(str(self.runs[run]))
        path = version_path(self.runs[run], int(number))
        if not path.exists():
            raise UnknownName(f"the run {run} has kept no network after round {number}")
        return path

    def evaluator(self, player: TreePlayer, game: Game) -> tuple[Evaluator | Inside, str | None]:
        """What a player asks, and how that sees positions. A file that has changed is read again."""
        if not isinstance(player, AzPlayer):
            return player.evaluator(game), player.encoding(game)
        path = self.path(player.model) if player.model else player.path(game)
        key = path, path.stat().st_mtime_ns if path.exists() else 0, game
        found = self._loaded.pop(key, None)
        if found is None:
            fresh = AzPlayer(model=str(path))
            found = Loaded(fresh.evaluator(game), fresh.encoding(game))
        self._loaded[key] = found
        while len(self._loaded) > _MOST:
            del self._loaded[next(iter(self._loaded))]
        return found.evaluator, found.encoding

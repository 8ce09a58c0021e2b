"""What is asked of a training run: its directory, its configuration, and when it ends."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zermelo.errors import BadParameter
from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.learning.config import TrainConfig, completed, read_toml
from zermelo.learning.limits import Limits

MINUTES = 10.0
"""The length of a run that nothing else ends."""
_GRADED, _GAMES = "200", "20"
"""Positions and games by which a run is measured that its mistakes or its score shall end."""


@dataclass(frozen=True)
class Plan:
    """A run to begin, or to continue if its directory holds one."""

    directory: Path
    config: TrainConfig
    limits: Limits


def plan(
    game: Game | str,
    run: str | Path | None = None,
    *,
    minutes: float | None = None,
    cpu_minutes: float | None = None,
    games: int | None = None,
    steps: int | None = None,
    rounds: int | None = None,
    loss: float | None = None,
    mistakes: float | None = None,
    score: float | None = None,
    from_: str | Path | None = None,
    pretrain: Sequence[str] | None = None,
    config: str | Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> Plan:
    """The plan for these wishes. `settings` are written as in TOML: `{"learner.rate": "0.001"}`."""
    positive = {
        "minutes": minutes, "cpu_minutes": cpu_minutes, "games": games, "steps": steps, "rounds": rounds,
        "loss": loss,
    }  # fmt: skip
    for name, value in positive.items():
        if value is not None and not value > 0:
            raise BadParameter(f"`{name}` (={value}) must be above 0")
    for name, value in (("mistakes", mistakes), ("score", score)):
        if value is not None and not 0 <= value <= 1:
            raise BadParameter(f"`{name}` (={value}) must be from 0 to 1")
    name = registry.game(game).name
    directory = Path(run) if run is not None else _default_directory(name)
    needed = {"watch.graded": _GRADED} if mistakes is not None else {}
    needed |= {"watch.games": _GAMES} if score is not None else {}
    start: dict[str, object] = {"model": str(from_)} if from_ is not None else {}
    start |= {"records": list(pretrain)} if pretrain is not None else {}
    chosen = _config(name, Path(config) if config else None, settings or {}, directory, needed, start)
    endless = all(value is None for value in (*positive.values(), mistakes, score))
    if endless and not chosen.rounds.count:
        minutes = MINUTES
    limits = Limits(
        60 * minutes if minutes else math.inf,
        60 * cpu_minutes if cpu_minutes else math.inf,
        games or math.inf,
        steps or math.inf,
        rounds or math.inf,
        -math.inf if loss is None else loss,
        -math.inf if mistakes is None else mistakes,
        math.inf if score is None else score,
    )
    return Plan(directory, chosen, limits)


def _default_directory(game: str) -> Path:
    """runs/mygame for mygame.py, runs/connect-rows=5 for connect:rows=5."""
    name = Path(game).name.replace(".py", "")
    return Path("runs") / (re.sub(r"[^\w.=-]+", "-", name).strip("-") or "game")


def _config(
    game: str, path: Path | None, settings: Mapping[str, str], run: Path, needed: Mapping[str, str],
    start: Mapping[str, object],
) -> TrainConfig:  # fmt: skip
    """The configuration; of a run that is continued its own, unless a file is given. What is `needed` is
    set where it is 0."""
    values: dict[str, Any] = {}
    continued = path is None and (run / "manifest.json").exists()
    if continued:
        path = run / "config.toml"
    if path is not None:
        values = _read(path, game)
    if start:
        values["start"] = {**values.get("start", {}), **start}
    if values.setdefault("game", game) != game:
        raise BadParameter(f"{path} is for {values['game']}, not for {game}")
    chosen = completed(values, settings, presets=not continued)
    watch = asdict(chosen.watch)
    if needed and not (chosen.watch.share and (chosen.watch.against or "watch.games" not in needed)):
        raise BadParameter(
            "without `watch.share` and `watch.against` nothing is measured that could end the run"
        )
    missing = {key: value for key, value in needed.items() if not watch[key.removeprefix("watch.")]}
    return completed(values, {**settings, **missing}, presets=not continued) if missing else chosen


def _read(path: Path, game: str) -> dict[str, Any]:
    try:
        values = read_toml(path.read_text())
        completed({"game": game, **values}, {})
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadParameter(f"{path} cannot be read: {reason}") from error
    except BadParameter as error:
        raise BadParameter(f"{path}: {error}") from error
    return values

"""The networks that a run has kept along its way."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from zermelo.errors import BadParameter, RunError
from zermelo.games.base import Game
from zermelo.learning.config import TrainConfig, build, read_toml
from zermelo.network.model import Model, read_model, untrained, write_model


def versions(run: Path, game: Game, count: int) -> dict[int, Path]:
    """Version 0, which has learnt nothing, and `count` of those that were kept, evenly from the first to
    the last; the model file of each by the number of rounds it learnt.

    A version that is equal to the one before, because a gate refused what was between them, is left out.
    """
    if count < 1:
        raise BadParameter(f"`checkpoints` (={count}) must be at least 1")
    kept = _different(sorted((run / "versions").glob("[0-9]*.safetensors")), game)
    if not kept:
        raise RunError(
            f"{run} has kept no versions of its network; a run does so every `watch.versions` rounds: "
            f"zermelo train {game.name} --run {run} --set watch.versions=1"
        )
    numbers = sorted(kept)
    some = sorted({round(place) for place in np.linspace(len(kept) - 1, 0, count)})
    return {0: _first(run, game, kept[numbers[0]])} | {numbers[i]: kept[numbers[i]] for i in some}


def _different(paths: list[Path], game: Game) -> dict[int, Path]:
    found: dict[int, Path] = {}
    last: Model | None = None
    for path in paths:
        if int(path.stem) == 0:
            continue
        model = read_model(path)
        model.check(game, path)
        if last is None or any((model.weights[name] != last.weights[name]).any() for name in last.weights):
            found[int(path.stem)] = path
        last = model
    return found


def _first(run: Path, game: Game, like: Path) -> Path:
    """An untrained network as that of the run, put beside the others unless it is there."""
    path = run / "versions" / f"{0:06d}.safetensors"
    if not path.exists():
        try:
            config: TrainConfig = build(TrainConfig, read_toml((run / "config.toml").read_text()))
        except (OSError, ValueError, BadParameter) as error:
            raise RunError(f"{run / 'config.toml'} cannot be used: {error}") from error
        known = read_model(like)
        write_model(untrained(game, known.architecture, known.encoding, config.seed), path)
    return path

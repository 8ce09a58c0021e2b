"""Training from Python: `zermelo.train`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadParameter, MissingExtra, UnknownName
from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.learning.plan import plan
from zermelo.learning.trained import TrainedModel, TrainedRun

if TYPE_CHECKING:
    from zermelo.learning.callbacks import Callback


def train(
    game: Game | str,
    *,
    minutes: float | None = None,
    run: str | Path | None = None,
    cpu_minutes: float | None = None,
    games: int | None = None,
    steps: int | None = None,
    rounds: int | None = None,
    loss: float | None = None,
    mistakes: float | None = None,
    score: float | None = None,
    from_: str | Path | TrainedModel | None = None,
    pretrain: Sequence[str] | None = None,
    config: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    ray: str | None = None,
    workers: int | None = None,
    callbacks: Sequence[Callback] = (),
    progress: bool = True,
) -> TrainedRun:
    """Train a player for a game by self-play; the same call continues where the last one stopped.

    Interrupt it at any time: everything up to the last moments is on disk, and `zermelo.load(run)` plays.

    Parameters
    ----------
    game
        A game, or its name: `"connect4"`, `"mygame.py"`.
    minutes
        Stop after this time, counted over all calls. 10 if nothing else stops the run.
    run
        The directory of the run; by default `runs/GAME`.
    cpu_minutes
        Stop after this processor time, of all cores together.
    games, steps, rounds
        Stop after this number of games, gradient steps or iterations.
    loss
        Stop when policy and value loss together are below this.
    mistakes
        Stop when at most this fraction of moves changes the result, by an exact solver.
    score
        Stop at this fraction of the points against the players it is measured against.
    from_
        Begin with the weights of another network: anything that `zermelo.load` takes or returns.
    pretrain
        Files of people's games to learn from before self-play.
    config
        A TOML file of settings.
    settings
        Single settings, such as `{"learner.rate": 0.001}`.
    ray
        Let Ray workers play: `"local"`, `"auto"` or `"HOST:PORT"`.
    workers
        The number of Ray workers; by default the number of cores.
    callbacks
        Objects that are told what happens; see `zermelo.Callback`.
    progress
        Whether to show progress, in a terminal or a notebook.

    Returns
    -------
    TrainedRun
        `path`, `best` (the model file), `history` (metrics of each iteration), `player(sims=...)` and
        `analyse(moves)`. It is a player for `zermelo.match` and the rest.

    Examples
    --------
    >>> import zermelo as zm
    >>> small = {"network.blocks": 1, "network.filters": 8, "rounds.games": 32, "watch.graded": 0}
    >>> run = zm.train("tictactoe", rounds=2, settings=small, progress=False)
    >>> run
    zermelo.load('runs/tictactoe')
    >>> [row["round"] for row in run.history]
    [1, 2]
    >>> zm.match("tictactoe", run, "random", games=10).games
    10
    """
    if find_spec("torch") is None:
        raise MissingExtra("Training", "train")
    if workers is not None and ray is None:
        raise BadParameter(f"`workers` (={workers}) are workers of Ray; give `ray` too")
    _make_known(game)
    asked = plan(
        game, run, minutes=minutes, cpu_minutes=cpu_minutes, games=games, steps=steps, rounds=rounds,
        loss=loss, mistakes=mistakes, score=score,
        from_=from_.best if isinstance(from_, TrainedModel) else from_, pretrain=pretrain, config=config,
        settings={key: json.dumps(value) for key, value in (settings or {}).items()},
    )  # fmt: skip

    from zermelo.cli.notebook import display_for
    from zermelo.cli.output import compiling, err
    from zermelo.cli.training import describe
    from zermelo.cluster.fleet import fleet_for
    from zermelo.learning.forecast import check_feasible, forecast
    from zermelo.learning.run import Run

    with ExitStack() as stack:
        if progress:
            stack.enter_context(compiling())
        say = partial(err.print, markup=False) if progress else lambda _text: None
        limits = asked.limits
        training = Run(asked.directory, asked.config, fleet_for(asked.config, limits, ray, workers, say))
        result = TrainedRun(asked.directory)
        if training.has_reached(limits):
            if progress:
                err.print(f"{asked.directory} has reached this limit already; give a higher one")
            return result
        expected = forecast(training, limits)
        check_feasible(training, limits)
        display = display_for(training)
        if progress:
            for line in describe(training, expected):
                err.print(line)
            told = [*training.callbacks(display.say), *callbacks, stack.enter_context(display)]
        else:
            told = [*training.callbacks(), *callbacks]
        for done in training.train(limits, told):
            training.directory.log(display.line(done))
    return result


def _make_known(game: Game | str) -> None:
    """Register the class of a game that was defined in a script or a notebook: a run knows its game by
    name."""
    if isinstance(game, Game):
        try:
            known = registry.game(game.name) == game
        except UnknownName:
            known = False
        if not known:
            registry.register(type(game))

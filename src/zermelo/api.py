"""Functions of the Python API that build on every package: `zermelo.train`, `zermelo.gymnasium_env`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.cli.output import Start, compiling
from zermelo.errors import BadParameter, MissingExtra, UnknownName
from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.learning.plan import plan
from zermelo.learning.trained import TrainedModel, TrainedRun
from zermelo.players.registry import player as named_player

if TYPE_CHECKING:
    import numpy as np

    from zermelo.games.adapters.gymnasium import GameEnv, Opponent
    from zermelo.games.position import Position
    from zermelo.learning.callbacks import Callback
    from zermelo.players.base import HasPlayer, Player


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
        Let Ray workers play: `"local"`, `"auto"`, `"HOST:PORT"`, or `"off"`. By default local for rules in
        plain Python, if Ray is installed and the run takes a minute or more.
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
    start = Start()
    if workers is not None and ray is None:
        raise BadParameter(f"`workers` (={workers}) are workers of Ray; give `ray` too")
    _make_known(game)
    asked = plan(
        game, run, minutes=minutes, cpu_minutes=cpu_minutes, games=games, steps=steps, rounds=rounds,
        loss=loss, mistakes=mistakes, score=score,
        from_=from_.best if isinstance(from_, TrainedModel) else from_, pretrain=pretrain, config=config,
        settings={key: json.dumps(value) for key, value in (settings or {}).items()},
    )  # fmt: skip

    with compiling() if progress else nullcontext():
        from zermelo.cli.notebook import display_for
        from zermelo.cli.training import carry_out

        carry_out(asked, ray, workers, start, display_for if progress else None, callbacks)
    return TrainedRun(asked.directory)


def gymnasium_env(
    game: Game | str,
    opponent: Opponent | Player | HasPlayer | str | None = None,
    side: int | None = 0,
    encoding: str | None = None,
) -> GameEnv:
    """Wrap a game as a Gymnasium environment in which an agent plays one side.

    Parameters
    ----------
    game
        A game, or its name.
    opponent
        A player, its name, or a training run; or a function that gets the position and a generator which
        `reset(seed)` seeds, and returns a legal action. By default its moves are random.
    side
        The player whose moves the agent makes; None: either, at random.
    encoding
        The name of the encoding that it observes; by default the first of the game.

    Examples
    --------
    >>> import zermelo as zm
    >>> env = zm.gymnasium_env("connect4")
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"].shape, info["action_mask"].tolist()
    ((2, 6, 7), [1, 1, 1, 1, 1, 1, 1])
    >>> observation, reward, terminated, truncated, info = env.step(3)
    >>> reward, terminated
    (0.0, False)
    >>> env = zm.gymnasium_env("connect4", opponent="uct:sims=50")
    """
    from zermelo.games.adapters.gymnasium import GameEnv, random_opponent

    if side not in (0, 1, None):
        raise BadParameter(f"`side` (={side}) must be 0, 1 or None")
    if opponent is None:
        opponent = random_opponent
    if callable(opponent):
        return GameEnv(registry.game(game), opponent, side, encoding)
    player = named_player(opponent)

    def choose(position: Position, random: np.random.Generator) -> int:
        return player.choose([position], [int(random.integers(2**62))])[0]

    return GameEnv(registry.game(game), choose, side, encoding)


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

"""`zermelo train`: from rules to a player."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

from zermelo.cli.arguments import GameName, Positive, check_workers
from zermelo.cli.output import Start, compiling, err

Minutes = Annotated[float, Parameter(validator=validators.Number(gt=0))]
Loss = Annotated[float, Parameter(validator=validators.Number(gt=0))]
Share = Annotated[float, Parameter(validator=validators.Number(gte=0, lte=1))]


def train(
    game: GameName,
    /,
    *,
    run: Path | None = None,
    minutes: Minutes | None = None,
    cpu_minutes: Minutes | None = None,
    games: Positive | None = None,
    steps: Positive | None = None,
    rounds: Positive | None = None,
    loss: Loss | None = None,
    mistakes: Share | None = None,
    score: Share | None = None,
    pretrain: Annotated[list[str] | None, Parameter(consume_multiple=1, negative="")] = None,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    config: Path | None = None,
    set: Annotated[list[str] | None, Parameter(negative="")] = None,
    ray: str | None = None,
    workers: Positive | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Train a network for a game by self-play; the same command resumes where it stopped.

    The first network is ready after about 20 seconds, a better one every few seconds. Ctrl-C stops at any
    time; exit code 1 means that there is no network yet. Play against the result with:
    zermelo play GAME --against az:model=DIR

    Parameters
    ----------
    game
        The game.
    run
        The directory of the run; runs/GAME unless given.
    minutes
        Time limit, counted over all calls; starting up and compiling do not count. 10 if no other limit is
        given.
    cpu_minutes
        The same in processor time, of all cores together.
    games
        End after so many games.
    steps
        End after so many steps of learning.
    rounds
        End after so many rounds.
    loss
        End when the losses of policy and value together are below this.
    mistakes
        End when this share of moves or fewer change the result, where exact solvers can tell.
    score
        End when it has this share of the points against the players it is measured against.
    pretrain
        Files of people's games to learn from before self-play, in any format that zermelo records reads.
    from_
        Begin with the weights of another network: a model file, the directory of a run, or a name such as
        gomoku8 of one that ships.
    config
        A TOML file with values that are not the defaults.
    set
        One value, such as --set learner.rate=0.001; may be given several times.
    ray
        Play with Ray workers: local (all cores of this machine), auto (the cluster this machine belongs
        to), the HOST:PORT of another, or off. By default local for rules in plain Python if Ray is
        installed, off for compiled ones, which use all cores in one process.
    workers
        How many processes of Ray there are; as many as cores unless given.
    json
        Print every round as a line of JSON.
    """
    from zermelo.errors import BadParameter
    from zermelo.learning.plan import plan

    start = Start()
    check_workers(ray, workers)
    settings = {}
    for change in set or []:
        key, equals, text = change.partition("=")
        if not equals:
            raise BadParameter(f"`{change}` is not of the form key=value, such as learner.rate=0.001")
        settings[key.strip()] = text.strip()
    asked = plan(
        game, run, minutes=minutes, cpu_minutes=cpu_minutes, games=games, steps=steps, rounds=rounds,
        loss=loss, mistakes=mistakes, score=score, from_=from_, pretrain=pretrain, config=config,
        settings=settings,
    )  # fmt: skip
    with compiling():
        from zermelo.cli.training import Display, carry_out

        try:
            one = carry_out(asked, ray, workers, start, partial(Display, json=json))
        except KeyboardInterrupt:
            err.print("stopped; the same command goes on")
            raise SystemExit(130) from None
    if not one.directory.best.exists():
        raise SystemExit(1)
    play_it = shlex.join(["zermelo", "play", game, "--against", f"az:model={asked.directory}"])
    err.print(f"play it: {play_it}", markup=False)

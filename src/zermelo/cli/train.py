"""`zermelo train`: from rules to a player."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators

from zermelo.cli.arguments import Positive
from zermelo.cli.output import compiling, out, progress

if TYPE_CHECKING:
    from zermelo.learning.config import TrainConfig
    from zermelo.learning.run import Round

Minutes = Annotated[float, Parameter(validator=validators.Number(gt=0))]


def train(
    game: str,
    /,
    *,
    run: Path | None = None,
    minutes: Minutes | None = None,
    games: Positive | None = None,
    steps: Positive | None = None,
    config: Path | None = None,
    set: Annotated[list[str] | None, Parameter(negative="")] = None,
) -> None:
    """Learn a game by self-play; the same command goes on where it stopped.

    Ctrl-C stops at any time. Play the result with: zermelo play GAME --against az:model=DIR

    Parameters
    ----------
    game
        The game.
    run
        The directory of the run; runs/GAME unless given.
    minutes
        End after so many minutes, counted over all calls; 10 if no other limit is given.
    games
        End after so many games.
    steps
        End after so many steps of learning.
    config
        A TOML file with values that are not the defaults.
    set
        One value, such as --set learner.rate=0.001; may be given several times.
    """
    import math
    import re

    from zermelo.learning.run import Limits, Run

    chosen = _config(game, config, set or [])
    directory = run or Path("runs") / re.sub(r"[^\w.=-]+", "-", Path(game).name)
    if minutes is None and games is None and steps is None:
        minutes = 10.0
    limits = Limits(60 * minutes if minutes else math.inf, games or math.inf, steps or math.inf)
    with compiling():
        one = Run(directory, chosen)
        done = one.manifest["round"]
        out.print(
            f"{'going on with' if done else 'beginning'} {directory}: {chosen.network.blocks} blocks of "
            f"{chosen.network.filters} filters, {chosen.selfplay.search.simulations} simulations a move",
            highlight=False,
        )
        try:
            rounds = one.train(limits, lambda over: display(over))
            while True:
                with progress("playing", chosen.games_per_round, "games", said=False) as display:
                    last = next(rounds, None)
                if last is None:
                    break
                _show(last)
        except KeyboardInterrupt:
            out.print("stopped; the same command goes on")
            raise
    out.print(f"play it: zermelo play {game} --against az:model={directory}", highlight=False)


def _config(game: str, path: Path | None, changes: list[str]) -> TrainConfig:
    from zermelo.errors import BadParameter
    from zermelo.games import registry
    from zermelo.learning.config import completed, read_toml

    values = {}
    if path is not None:
        try:
            values = read_toml(path.read_text())
        except OSError as error:
            raise BadParameter(f"{path} cannot be read: {error.strerror}") from error
    wanted = {}
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise BadParameter(f"`{change}` is not of the form key=value, such as learner.rate=0.001")
        wanted[key.strip()] = text.strip()
    name = registry.game(game).name
    if values.setdefault("game", name) != name:
        raise BadParameter(f"{path} is for {values['game']}, not for {name}")
    return completed(values, wanted)


def _show(done: Round) -> None:
    out.print(
        f"round {done.round}: {done.games:,} games, {done.positions:,} positions, losses "
        f"{done.policy_loss:.3f} policy {done.value_loss:.3f} value, {done.seconds / 60:.1f} min "
        f"(playing {done.play_seconds:.1f} s, learning {done.learn_seconds:.1f} s)",
        highlight=False,
    )

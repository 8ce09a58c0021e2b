"""What a training run shows of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from zermelo.cli.output import Start, err, out, print_json, thinking, unicode
from zermelo.learning.callbacks import Callback

if TYPE_CHECKING:
    from zermelo.learning.forecast import Forecast
    from zermelo.learning.plan import Plan
    from zermelo.learning.pretraining import Epoch
    from zermelo.learning.round import Round
    from zermelo.learning.run import Run
    from zermelo.learning.selfplay import PlayedGame

_BARS = " ▁▂▃▄▅▆▇█"
_PLAIN_BARS = " .:-=+*#@"
_WIDTH = 40


def describe(run: Run, expected: Forecast) -> Iterator[str]:
    """What the run will be, in a few lines."""
    config, done = run.config, run.manifest["rounds"]
    yield (
        f"{'going on with' if done else 'beginning'} {run.directory.path}: {run.game.name}, a network of "
        f"{config.network.blocks} blocks of {config.network.filters} filters ({expected.parameters:,} "
        f"parameters), {config.selfplay.search.simulations} simulations a move, {config.selfplay.parallel} "
        "games at once"
    )
    start = run.manifest["start"]
    if "model" in start:
        yield f"its network began as that of {start['model']}, for {start['game']}"
    if people := start.get("people"):
        again = f", {people['repeated']:,} more are repetitions" if people["repeated"] else ""
        yield (
            f"it {'learnt' if people.get('done') else 'learns'} from people at first: {people['games']:,} "
            f"games, {people['positions']:,} positions{again}"
        )
    end = ""
    if expected.seconds_left is not None:
        end = f"; ends about {datetime.now() + timedelta(seconds=expected.seconds_left):%H:%M}"
    yield (
        f"this machine: {expected.evaluations_per_second:,.0f} evaluations/s, about "
        f"{expected.simulations_per_second:,.0f} simulations/s, "
        f"{expected.step_seconds * 1000:.0f} ms a step; "
        f"about {expected.positions_per_hour:,.0f} positions an hour, {expected.megabytes:,.0f} MB of them "
        f"kept{end}"
    )
    if expected.gpu:
        yield f"there is a GPU that this run leaves idle: {expected.gpu}"


def carry_out(
    plan: Plan, ray: str | None, workers: int | None, start: Start,
    display_of: Callable[[Run], Display] | None, callbacks: Sequence[Callback] = (),
) -> Run:  # fmt: skip
    """Train as planned, and show it unless `display_of` is None."""
    from zermelo.cli.records import complain
    from zermelo.cluster.fleet import fleet_for
    from zermelo.learning.forecast import check_feasible, forecast
    from zermelo.learning.run import Run

    config, limits, shown = plan.config, plan.limits, display_of is not None

    def say(text: str) -> None:
        if shown:
            err.print(text, markup=False)

    with thinking("reading people's games") if config.start.records and shown else nullcontext():
        run = Run(plan.directory, config, fleet_for(config, limits, ray, workers, say))
    if run.archive and shown:
        complain(run.archive.left_out)
    if run.has_reached(limits):
        say(_reached(run))
        return run
    for line in [*describe(run, forecast(run, limits)), str(start)]:
        say(line)
    check_feasible(run, limits)
    with ExitStack() as stack:
        display = (display_of or Display)(run)
        told = [*run.callbacks(display.say if shown else say), *callbacks]
        if shown:
            told = stack.enter_context(display).among(told)
        for done in run.train(limits, [_Log(), *told]):
            run.directory.log(display.line(done))
    if not run.directory.best.exists():
        say("there was no time for a first network; run it again with a higher limit to resume")
    return run


def _reached(run: Run) -> str:
    """That a run has reached its limits before this call."""
    manifest, path = run.manifest, run.directory.path
    if not run.directory.best.exists():
        spent = f"{run.spent['seconds']:.0f} s"
        return f"{path} has used up its time ({spent}) without a first network; give a higher limit"
    return (
        f"{path} has reached this already: {manifest['rounds']} rounds, {manifest['games']:,} games, "
        f"{manifest['positions']:,} positions; give a higher limit"
    )


class _Log(Callback):
    """Writes each epoch of pretraining into the log of the run."""

    def epoch_ends(self, run: Run, epoch: Epoch) -> None:
        run.directory.log(epoch_line(run, epoch))


class Display(Callback):
    """A panel that moves, on a terminal; elsewhere a line for each round."""

    def __init__(self, run: Run, json: bool = False) -> None:
        self.run, self.json = run, json
        self.over, self.losses = 0, list[float]()
        self.last: Round | None = None
        self._live = (
            Live(get_renderable=self._panel, console=err, transient=True) if err.is_terminal else None
        )

    def __enter__(self) -> Display:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()
        if self._live and self.last:
            err.print(self._panel())
        elif measured := self._measured():
            err.print(measured)

    def among(self, others: Sequence[Callback]) -> list[Callback]:
        """All callbacks, in the order in which they are called: it shows what the others have measured."""
        return [*others, self]

    def game_ends(self, run: Run, game: PlayedGame) -> None:
        self.over += 1

    def round_ends(self, run: Run, done: Round) -> None:
        self.over, self.last = 0, done
        self.losses.append(done.policy_loss + done.value_loss)
        if self.json:
            print_json(vars(done) | {"measured": run.manifest["measured"]})
        elif not self._live:
            out.print(self.line(done))

    def epoch_ends(self, run: Run, epoch: Epoch) -> None:
        line = epoch_line(run, epoch)
        if self.json:
            print_json({**epoch.told(), "seconds": run.manifest["seconds"]})
        elif self._live:
            self._live.console.print(line)
        else:
            out.print(line)

    def line(self, done: Round) -> str:
        """A round in one line."""
        measured = self._measured()
        return (
            f"round {done.round}: {done.games:,} games, {done.positions:,} positions, losses "
            f"{done.policy_loss:.3f} policy {done.value_loss:.3f} value, {_time(done.seconds)} "
            f"(playing {done.play_seconds:.1f} s, learning {done.learn_seconds:.1f} s)"
            + (f"; {_cluster(done.cluster)}" if done.cluster else "")
            + (f"; {measured}" if measured else "")
        )

    def _measured(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self._strength())

    def _panel(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", justify="right")
        grid.add_column()
        if progress := self._progress():
            grid.add_row("", ProgressBar(100, 100 * progress, width=_WIDTH))
        for name, value in self._rows():
            grid.add_row(name, value)
        return Panel(grid, title=self.run.game.name, expand=False)

    def say(self, text: str) -> None:
        """Print a line beside the panel."""
        self.run.directory.log(text)
        (self._live.console if self._live else err).print(text, markup=False)

    def _progress(self) -> float:
        return self.run.limits.progress({**self.run.manifest, **self.run.spent})

    def _rows(self) -> Iterator[tuple[str, RenderableType]]:
        manifest, done = self.run.manifest, self.last
        yield "time", f"{_time(self.run.spent['seconds'])}{self._left()}"
        if one := self.run.pretraining:
            number = one.last.epoch + 1 if one.last else 0
            yield "people's games", f"epoch {number}: {one.learnt:,} positions"
            return
        number, doing = manifest["rounds"] + 1, self.run.doing
        if doing == "measuring":
            yield "round", f"{number - 1}: measuring its strength"
        elif doing == "over":
            yield "rounds", f"{number - 1}"
        else:
            yield "round", f"{number}: {doing}" + (f", {self.over} games" if doing == "playing" else "")
        yield "so far", f"{manifest['games']:,} games, {manifest['positions']:,} positions"
        if done is None:
            return
        yield "losses", f"{done.policy_loss:.3f} policy, {done.value_loss:.3f} value, {done.steps:,} steps"
        yield "", Text(_sparkline(self.losses), "cyan")
        spent = done.play_seconds + done.learn_seconds
        count = manifest["round_positions"][-1]
        yield "speed", f"{count / spent:,.0f} positions/s, {done.learn_seconds / spent:.0%} of it learning"
        if done.cluster:
            yield "cluster", _cluster(done.cluster)
        yield "network", f"{done.network_share:.0%} of playing, {done.cache_hits:.0%} remembered"
        yield (
            "games",
            f"{done.mean_length:.1f} moves; {done.first_wins:.0%} won by the first player, "
            f"{done.draws:.0%} drawn",
        )
        yield from self._strength()

    def _strength(self) -> Iterator[tuple[str, str]]:
        measured: dict[str, Any] = self.run.manifest["measured"]
        for name, score in measured.get("against", {}).items():
            yield f"against {name}", f"{score:.0%}"
        if "mistakes" in measured:
            yield "mistakes", f"{measured['mistakes']:.2%}, network alone {measured['mistakes_alone']:.2%}"

    def _left(self) -> str:
        share, now = self._progress(), self.run.spent["seconds"]
        return f", about {_time(now * (1 - share) / share)} left" if share > 0.01 else ""


def epoch_line(run: Run, epoch: Epoch) -> str:
    """An epoch over people's games in one line."""
    found = epoch.held_out
    return (
        f"epoch {epoch.epoch}: {epoch.positions:,} positions; of {found.games:,} held-out games "
        f"{found.accuracy:.1%} of moves and {found.winners:.1%} of winners foretold, squared error "
        f"{found.squared_error:.3f}, loss {found.loss:.3f}{'' if epoch.best else ' (no better)'}, "
        f"{_time(run.manifest['seconds'])}"
    )


def _cluster(facts: dict[str, Any]) -> str:
    """What workers have done in a round."""
    speed = f"{facts['positions_per_second']:,.0f} positions/s, {facts['stale']:.0%} by older weights"
    told = f"{facts['alive']} of {facts['workers']} workers, {speed}"
    if facts["deaths"]:
        told += f", {facts['deaths']} died and {facts['lost']} games with them"
    return told


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _sparkline(values: list[float]) -> str:
    """The latest values as bars."""
    some, bars = values[-_WIDTH:], _BARS if unicode(err) else _PLAIN_BARS
    low, high = min(some), max(some)
    steps = [round((value - low) / ((high - low) or 1) * (len(bars) - 2)) + 1 for value in some]
    return "".join(bars[step] for step in steps)

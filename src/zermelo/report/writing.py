"""The report of a run: what it learnt, how it plays, and how to make it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from zermelo.errors import RunError
from zermelo.files import replace_file
from zermelo.games.base import Game
from zermelo.games.diagrams import game_diagram
from zermelo.games.position import Position
from zermelo.learning.history import History
from zermelo.machine import machine
from zermelo.network.architecture import Shape
from zermelo.network.drawing import network_svg
from zermelo.network.model import read_model
from zermelo.report.charts import Chart, Drawing
from zermelo.report.curves import curves
from zermelo.report.improvement import improvement
from zermelo.report.opinions import Opinion, move_seconds, opinions, turn_seconds
from zermelo.report.page import Code, Picture, Section, Table, page
from zermelo.report.raster import png

TIMED = [1, 10, 25, 50, 100, 200, 400, 800]
"""Simulations for which a move is timed."""
TURN_SIMULATIONS = 100
"""With which each move of a game is timed."""
_WIDEST_SMALL = 10
"""Columns of a board."""
GAMES = 4
"""Of self-play, that are shown."""
Told = Callable[[str], None]


def write_report(
    run: Path, out: Path | None = None, simulations: int = 400, checkpoints: int = 5,
    positions: Sequence[str] = (), progress: Told = lambda _what: None,
) -> Path:  # fmt: skip
    """Write `report.html` and its pictures (PNG and SVG) into this directory, or that of the run; where the
    page is. Positions, those after these moves or some of the latest game, are searched with so many
    simulations, and so many versions of the network meet."""
    history = History.read(run)
    if not history.rounds:
        raise RunError(f"{run} has no round yet; train it first: zermelo train {history.config.game}")
    chosen = [history.game.position(moves) for moves in positions]
    sections = list(_sections(history, simulations, checkpoints, chosen, progress))
    out = out or run
    for section in sections:
        for picture in section.pictures:
            replace_file(out / "pictures" / f"{picture.name}.svg", picture.svg.encode())
            replace_file(out / "pictures" / f"{picture.name}.png", picture.png)
    last = history.rounds[-1]
    lead = (
        f"{last['games']:,} games and {last['positions']:,} positions in {_duration(last['seconds'])} "
        f"({_duration(last['cpu_seconds'])} of processor time), {last['steps']:,} steps of learning."
    )
    replace_file(out / "report.html", page(f"What {run.name} has learnt", lead, sections).encode())
    return out / "report.html"


def _sections(
    history: History, simulations: int, checkpoints: int, chosen: list[Position], progress: Told
) -> Iterator[Section]:
    progress("drawing how it learnt")
    drawn = [_chart(*one) for one in curves(history)]
    yield Section("Learning", "Over the positions that it has learnt from.", pictures=drawn)
    if checkpoints and (better := [_chart(*one) for one in improvement(history, checkpoints, progress)]):
        yield Section("Versions", "Networks that were kept along the way.", pictures=better)
    model = str(history.path / "best.safetensors")
    games = history.latest_games(GAMES)
    progress("asking what it thinks")
    thoughts = opinions(model, chosen or _some(games, history.game.position()), simulations)
    yield Section(
        "What it thinks",
        f"Some positions as the network sees them, and after {simulations} simulations. Policy and visits "
        "are in percent; values are told for the player to move, from -1 (lost) to 1 (won).",
        [_lines(thoughts)],
        [picture for number, one in enumerate(thoughts, 1) for picture in _maps(number, one)],
        boards=_is_small(history.game),
    )
    yield _games(games, history.game)
    progress("timing moves")
    yield _timed(model, history.game.position(), games[-1:])
    yield _network(history)
    yield _again(history)


def _is_small(game: Game) -> bool:
    """Whether words on the board of a game can be read where three of them are side by side."""
    return game.board is not None and game.board.cols <= _WIDEST_SMALL


def _chart(name: str, chart: Drawing, caption: str) -> Picture:
    svg, data = chart.pictures()
    return Picture(name, chart.title, caption, svg, data, themed=True)


def _some(games: list[Position], start: Position) -> list[Position]:
    """The first position, and two from the middle of the latest game."""
    found = [start]
    if games:
        moves = games[-1].moves
        found += [start.play_all(moves[: len(moves) * part // 3]) for part in (1, 2) if len(moves) > 2]
    return found


def _maps(number: int, one: Opinion) -> Iterator[Picture]:
    moves = " ".join(one.position.move_names)
    where = f"After {moves}" if moves else "At the start"
    if one.position.game.board is None:
        drawn = one.position.game.svg(one.position)
        yield Picture(f"position-{number}", "Position", where, drawn, png(drawn))
        yield _chart(f"position-{number}-moves", one.bars, f"{where}, those with most visits")
        return
    for name, title, svg in (
        ("policy", "Network alone", one.policy_map),
        ("visits", "After the search", one.visits_map),
        ("values", "Values", one.value_map),
    ):
        if svg is not None:
            yield Picture(f"position-{number}-{name}", title, where, svg, png(svg))


def _lines(thoughts: list[Opinion]) -> Table:
    rows = []
    for one in thoughts:
        where = " ".join(one.position.move_names) or "start"
        for move, visits, value, prior in one.lines(3):
            told = f"{value:+.2f}" if value == value else ""
            line = one.principal if one.principal.split(" ")[0] == move else ""
            rows.append([where, move, f"{visits:,}", told, f"{prior:.0%}", line])
            where = ""
    return Table(["position", "move", "visits", "value", "prior", "expected line"], rows)


def _games(games: list[Position], game: Game) -> Section:
    """As numbered diagrams; as lines of moves, where there is no board."""
    if game.board is None:
        rows = [[" ".join(one.move_names), str(len(one.moves)), _result(one)] for one in games]
        words = "The latest games of self-play."
        return Section("Games", words, [Table(["game", "moves", "result"], rows)])
    return Section(
        "Games", "The latest games of self-play, with their moves numbered.",
        pictures=[_diagram(number, one) for number, one in enumerate(games, 1)], boards=_is_small(game),
    )  # fmt: skip


def _result(position: Position) -> str:
    returns = position.returns
    if returns is None:
        return "not over"
    if not any(returns):
        return "draw"
    return "the first player wins" if returns[0] > 0 else "the second player wins"


def _diagram(number: int, position: Position) -> Picture:
    svg = game_diagram(position)
    return Picture(f"game-{number}", f"{len(position.moves)} moves, {_result(position)}",
                   " ".join(position.move_names), svg, png(svg))  # fmt: skip


def _timed(model: str, position: Position, games: list[Position]) -> Section:
    seconds = move_seconds(model, position, TIMED)
    milliseconds = [1000 * one for one in seconds]
    chart = Chart("Time for a move", "simulations", "milliseconds", {"one game": (TIMED, milliseconds)},
                  logarithmic=True)  # fmt: skip
    rows = [[f"{n:,}", f"{1000 * one:,.1f} ms"] for n, one in zip(TIMED, seconds, strict=True)]
    pictures = [_chart("seconds", chart, "The first move of a game. Both axes are logarithmic.")]
    for game in games:
        turns = [1000 * one for one in turn_seconds(model, game, TURN_SIMULATIONS)]
        over = Chart(
            "Time by turn", "move", "milliseconds", {"one game": (list(range(1, len(turns) + 1)), turns)}
        )
        told = f"Each move of the latest game, {TURN_SIMULATIONS} simulations; what is proven takes fewer."
        pictures.append(_chart("turns", over, told))
    return Section(
        "Time for a move", "Nothing remembered, on this machine.",
        [Table(["simulations", "time"], rows)], pictures,
    )  # fmt: skip


def _network(history: History) -> Section:
    model = read_model(history.path / "best.safetensors")
    svg = network_svg(model.architecture, Shape.of(history.game, model.encoding))
    count = sum(weights.size for weights in model.weights.values())
    caption = f"{count:,} numbers, inputs {model.encoding}"
    return Section(
        "Network", pictures=[Picture("network", "The network", caption, svg, png(svg), wide=True)]
    )


def _again(history: History) -> Section:
    name, games, path = history.config.game, history.rounds[-1]["games"], history.path
    commands = [
        f"zermelo train {name} --config {path}/config.toml --games {games} --run runs/again",
        f"zermelo play {name} --against az:model={path},sims=400",
        f"zermelo report {path}",
    ]
    rows = [[what, value] for what, value in machine().items()]
    table, config = Table(["this machine", ""], rows), Code(history.toml, "The configuration")
    return Section("Make it again", parts=(Code("\n".join(commands)), table, config))


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"

"""`zermelo records`: games in files, of ours and of each game's community."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from zermelo.cli.arguments import Count, GameName, Positive
from zermelo.cli.output import compiling, err, out, print_json, thinking
from zermelo.errors import BadParameter, RecordError

if TYPE_CHECKING:
    from zermelo.games.position import Position
    from zermelo.records.reading import LeftOut
    from zermelo.records.replay import Replay

records = App(
    name="records",
    help="Convert, show and draw game records.",
    help_format="plaintext",
    group_commands="Commands",
)

From = Annotated[str | None, Parameter(name="--from")]
_MOST_TOLD = 20


@records.command
def convert(
    *paths: Path, from_: From = None, to: str | None = None, game: GameName | None = None,
    replace: bool = False, json: bool = False,
) -> None:  # fmt: skip
    """Read games, check every move against the rules, and write the legal games to another format.

    Parameters
    ----------
    paths
        Files to read, then the file to write.
    from_
        Format to read: jsonl, sgf, psq, wthor, ggf or moves; detected unless given.
    to
        Format to write; taken from the file name unless given.
    game
        Game, if the files do not name it; games of other kinds are skipped.
    replace
        Overwrite an existing file.
    json
        Print JSON.
    """
    from zermelo.cli.record import writable
    from zermelo.records.formats import FORMATS, format_named, format_of
    from zermelo.records.writing import write

    if len(paths) < 2:
        raise BadParameter("give two files or more: those to read, then the one to write")
    *sources, target = paths
    written_as = format_named(to) if to is not None else format_of(str(target))
    if written_as is None:
        known = " ".join(ending for one in FORMATS.values() for ending in one.endings)
        raise BadParameter(f"the ending of {target} is none of {known}; --to says which format to write")
    reading = _Reading(sources, from_, game)
    with compiling(), thinking("reading games"):
        files, games = write(writable(target), reading, written_as, reading.left_out, replace)
    if json:
        print_json(
            {
                "games": games,
                **reading.told(),
                "format": written_as.name,
                "files": [str(file) for file in files],
            }
        )
        return
    complain(reading.left_out)
    where = files[0] if len(files) == 1 else f"{files[0]} to {files[-1]}"
    out.print(f"{_counted(games, 'game')} written to {where}", markup=False)


@records.command
def show(
    path: Path, /, *, number: Positive | None = None, moves: Count | None = None, from_: From = None,
    game: GameName | None = None, most: Positive = 20, json: bool = False,
) -> None:  # fmt: skip
    """List the games of a file, or show one of them.

    Parameters
    ----------
    path
        File to read.
    number
        Game to show, counted from 1; lists all games unless given.
    moves
        Show the position after this many moves; the last unless given.
    from_
        Format to read: jsonl, sgf, psq, wthor, ggf or moves; detected unless given.
    game
        Game, if the file does not name it; games of other kinds are skipped.
    most
        Games to list at most.
    json
        Print JSON.
    """
    from zermelo.cli.board import board
    from zermelo.records.replay import Replay

    if number is not None:
        with compiling():
            chosen = _chosen(path, from_, game, number)
            position = _at(chosen, moves)
        if json:
            print_json(chosen.record())
            return
        board(position)
        out.print(f"{chosen.game.name}: {_players(chosen)}, {chosen.result}", markup=False)
        out.print(" ".join(position.move_names), markup=False)
        return
    reading = _Reading([path], from_, game)
    with compiling(), thinking("reading games"):
        listed, count = list[Replay](), 0
        for one in reading:
            count += 1
            if len(listed) < most:
                listed.append(one)
    if json:
        print_json({"games": count, **reading.told(), "records": [one.record() for one in listed]})
        return
    complain(reading.left_out)
    _print_list(listed, count)


@records.command
def draw(
    path: Path, picture: Path, /, *, number: Positive = 1, moves: Count | None = None,
    from_: From = None, game: GameName | None = None, json: bool = False,
) -> None:  # fmt: skip
    """Draw a game as books print it: each stone with the number of its move.

    Parameters
    ----------
    path
        File to read.
    picture
        File to draw into: .svg or .png.
    number
        Game to draw, counted from 1.
    moves
        Draw this many moves; all unless given.
    from_
        Format to read: jsonl, sgf, psq, wthor, ggf or moves; detected unless given.
    game
        Game, if the file does not name it; games of other kinds are skipped.
    json
        Print JSON.
    """
    from zermelo.cli.record import writable
    from zermelo.files import replace_file
    from zermelo.games.diagrams import game_diagram
    from zermelo.pictures import check_drawing
    from zermelo.report.raster import png

    if picture.suffix not in (".svg", ".png"):
        raise BadParameter(f"{picture} must end in .svg or .png")
    if picture.suffix == ".png":
        check_drawing()
    writable(picture)
    with compiling():
        chosen = _chosen(path, from_, game, number)
        svg = game_diagram(_at(chosen, moves))
        replace_file(picture, svg.encode() if picture.suffix == ".svg" else png(svg))
    if json:
        drawn = len(chosen.moves) if moves is None else moves
        print_json({"game": chosen.game.name, "moves": drawn, "picture": str(picture)})
        return
    out.print(f"drew {picture}: {_players(chosen)}, {chosen.result}", markup=False)


class _Reading:
    """The games of files, and what was left out of them."""

    def __init__(self, paths: list[Path], format: str | None, game: str | None) -> None:
        from zermelo.games import registry
        from zermelo.records.reading import LeftOut

        self._paths, self._format = paths, format
        self._game = registry.game(game) if game is not None else None
        self.left_out = LeftOut()

    def __iter__(self) -> Iterator[Replay]:
        from zermelo.records.reading import read

        return read(self._paths, self.left_out, format=self._format, game=self._game)

    def told(self) -> dict[str, Any]:
        """What was left out, for JSON."""
        problems = [problem._asdict() for problem in self.left_out.problems]
        return {"left_out": self.left_out.count, "problems": problems}


def complain(left_out: LeftOut) -> None:
    """What was left out, on the terminal."""
    for problem in left_out.problems[:_MOST_TOLD]:
        err.print(f"left out: {problem}", markup=False)
    if (more := left_out.count - _MOST_TOLD) > 0:
        err.print(f"and {more:,} more", markup=False)


def _chosen(path: Path, format: str | None, game: str | None, number: int) -> Replay:
    """One game of a file."""
    reading = _Reading([path], format, game)
    last = 0
    for one in reading:
        if one.number == number:
            return one
        last = one.number
    why = next((problem for problem in reading.left_out.problems if problem.game == number), None)
    if why is not None:
        raise RecordError(str(why))
    raise RecordError(f"{path} has no game {number}; the last that can be read is game {last}")


def _at(game: Replay, moves: int | None) -> Position:
    """The position after so many moves."""
    count = len(game.moves)
    if moves is not None and moves > count:
        raise BadParameter(f"game {game.number} has {count} moves, not {moves}")
    position = game.position
    for _ in range(0 if moves is None else count - moves):
        assert position.before is not None
        position = position.before
    return position


def _players(game: Replay) -> str:
    first, second = (name or f"player {seat}" for seat, name in enumerate(game.players, 1))
    return f"{first} - {second}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _print_list(listed: list[Replay], count: int) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("number", "game", "players", "moves", "result", "date"):
        table.add_column(name, justify="right" if name in ("number", "moves") else "left")
    for one in listed:
        cells = (str(one.number), one.game.name, _players(one), str(len(one.moves)), one.result, one.date)
        table.add_row(*(Text(cell) for cell in cells))
    out.print(table)
    rest = f"; --most shows more than {len(listed)}" if len(listed) < count else ""
    out.print(f"{_counted(count, 'game')}{rest}", markup=False)

"""Gomoku games of Piskvork, the program of the Gomocup tournaments: one game in a file.

    Piskvorky 15x15, 11:11, 0      columns x rows, levels of the players, who began (0 or 1)
    8,8,0                          a move: column from the left, row from the top, milliseconds
    9,8,1250
    engine-a.zip                   the players
    engine-b.zip
    -1                             why the game ended, as a number of the program's own

The file says neither who won nor which rule was played; both follow from the moves, by free-style rules
unless a game is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zermelo.games.base import Game
from zermelo.games.gomoku import Gomoku
from zermelo.records.draft import Draft, Impossible, Move, usual_game
from zermelo.records.replay import Replay

_BEGIN = re.compile(r"Piskvorky (\d{1,4})x(\d{1,4}), *-?\d+: *-?\d+, *([01])\b")
_MOVE = re.compile(r" *(\d{1,4}) *, *(\d{1,4}) *(?:, *(-?\d{1,12}))? *")
_IN_A_ROW = 5
_NUMBER = re.compile(r" *-?\d+ *(,.*)?")


def drafts(data: bytes, chosen: Game | None) -> Iterator[Draft | Impossible]:
    lines = data.decode("utf-8-sig", "replace").splitlines()
    try:
        yield _draft([line for line in lines if line.strip()], chosen)
    except Impossible as trouble:
        yield trouble


def _draft(lines: Sequence[str], chosen: Game | None) -> Draft:
    begin = _BEGIN.match(lines[0]) if lines else None
    if begin is None:
        raise Impossible("its first line must be like `Piskvorky 15x15, 11:11, 0`")
    cols, rows, beginner = (int(word) for word in begin.groups())
    game = _game(rows, cols, chosen)
    moves: list[Move] = []
    for line in lines[1:]:
        found = _MOVE.fullmatch(line)
        if found is None:
            break
        moves.append(_move(found, game, len(moves) + 1))
    names = [line.strip() for line in lines[1 + len(moves) : 3 + len(moves)] if not _NUMBER.fullmatch(line)]
    first, second = names if len(names) == 2 else ("", "")
    return Draft(game, moves, (second, first) if beginner else (first, second))


def _game(rows: int, cols: int, chosen: Game | None) -> Game:
    if chosen is not None:
        if not isinstance(chosen, Gomoku) or (chosen.size, chosen.size) != (rows, cols):
            raise Impossible(f"it is played on {cols}x{rows} points, which is not {chosen.name}")
        return chosen
    if rows != cols:
        raise Impossible(f"its board, {cols}x{rows}, is not a square")
    return usual_game(f"gomoku:size={rows}")


def _move(found: re.Match[str], game: Game, number: int) -> Move:
    assert isinstance(game, Gomoku)
    col, row = int(found[1]), int(found[2])
    if not (1 <= col <= game.size and 1 <= row <= game.size):
        raise Impossible(f"{col},{row} is not on the board", number)
    spent = int(found[3] or 0)
    return Move(f"{col},{row}", (row - 1) * game.size + col - 1,
                figures={"seconds": spent / 1000} if spent > 0 else None)  # fmt: skip


def write(game: Replay) -> bytes:
    rules = game.game
    assert isinstance(rules, Gomoku)
    lines = [f"Piskvorky {rules.size}x{rules.size}, 0:0, 0"]
    search = game.search or (None,) * len(game.moves)
    for action, figures in zip(game.moves, search, strict=True):
        row, col = divmod(action, rules.size)
        milliseconds = min(round(1000 * max((figures or {}).get("seconds", 0), 0)), 10**12 - 1)
        lines.append(f"{col + 1},{row + 1},{milliseconds}")
    lines += [_name(player, seat) for seat, player in enumerate(game.players, 1)]
    return "\n".join([*lines, "-1", ""]).encode("utf-8", "replace")


def _name(player: str, seat: int) -> str:
    """The player as one line that is not a number."""
    line = " ".join(player.split())
    return f"player {seat}" if not line or _NUMBER.fullmatch(line) or _MOVE.fullmatch(line) else line


def hindrance(game: Replay) -> str:
    rules = game.game
    fits = isinstance(rules, Gomoku) and rules.n == _IN_A_ROW
    return "" if fits else f"psq is for five in a row, not for {rules.name}"


def looks(data: bytes) -> bool:
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"Piskvorky ")

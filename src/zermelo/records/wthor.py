"""Othello games of WTHOR, the database of the Federation Francaise d'Othello (`.wtb`).

Numbers are little-endian. A file begins with 16 bytes:

    0   century, year, month, day on which it was written, a byte each
    4   how many games there are, 4 bytes
    8   0, 2 bytes (in files of names: how many)
    10  the year of the games, 2 bytes
    12  squares of a side: 8, which may be written 0, or 10
    13  1 for endgames of one player ("solitaires"), which are another kind of file
    14  empty squares at which the theoretical score was computed
    15  0

Each game of the 8x8 board is 68 bytes, of the 10x10 board 104:

    0   tournament, black player, white player, 2 bytes each: numbers of lists that are other files
    6   discs of Black at the end, empty squares given to the winner
    7   the same with best play from the position with so many empty squares
    8   60 moves (96), a byte each: 10 * row + column (12 * row + column), from 1; 0 after the last

Passes are left out. A game that was not played to its end has the score that was agreed on.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache

from zermelo.games.base import Game
from zermelo.games.othello import Othello
from zermelo.games.position import Position
from zermelo.records.discs import counted
from zermelo.records.draft import Draft, Impossible, Move, led, sign, usual_game
from zermelo.records.replay import Replay

_HEADER = struct.Struct("<4B I H H 4B")
_GAME = struct.Struct("<3H 2B")
_SIZES = {0: 8, 8: 8, 10: 10}
_EMPTIES = 24
"""At which theoretical scores are usual."""
_PLAYER = re.compile(r"WTHOR player (\d{1,5})")
_MOST_NUMBER = 2**16 - 1


def drafts(data: bytes, chosen: Game | None) -> Iterator[Draft | Impossible]:
    try:
        game, year, games = _header(data, chosen)
    except Impossible as trouble:
        yield trouble
        return
    length = _length(game.size)
    there = (len(data) - _HEADER.size) // length
    for number in range(min(games, there)):
        begin = _HEADER.size + number * length
        try:
            yield _draft(data[begin : begin + length], game, year)
        except Impossible as trouble:
            yield trouble
    if there < games:
        yield Impossible(f"the file was cut: it should have {games:,} games, and has {there:,}")


def _length(size: int) -> int:
    """Bytes of a game."""
    return _GAME.size + size * size - 4


def _header(data: bytes, chosen: Game | None) -> tuple[Othello, int, int]:
    """The game, the year, and how many games there are."""
    if len(data) < _HEADER.size:
        raise Impossible(f"a WTHOR file begins with {_HEADER.size} bytes; this one has {len(data)}")
    _, _, _, _, games, _, year, side, kind, _, _ = _HEADER.unpack_from(data)
    if side not in _SIZES:
        raise Impossible(f"byte 12 (={side}) must be 8 (or 0) or 10, the size of the board")
    if kind == 1:
        raise Impossible("it has endgames of one player, not games")
    game = usual_game(f"othello:size={_SIZES[side]}")
    assert isinstance(game, Othello)
    if chosen is not None and chosen != game:
        raise Impossible(f"it has games of {game.name}, not of {chosen.name}")
    return game, year, games


def _draft(data: bytes, game: Othello, year: int) -> Draft:
    _, black, white, score, _ = _GAME.unpack_from(data)
    codes, most = data[_GAME.size :].rstrip(b"\0"), game.board.num_cells
    moves = list(_moves(codes, game.size))
    if score > most:
        raise Impossible(f"Black cannot have {score} discs of {most}")
    return Draft(
        game,
        moves,
        (_name(black), _name(white)),
        led(2 * score - most),
        str(year) if year else "",
        _check(score),
    )


@cache
def _squares(size: int) -> dict[int, Move]:
    """Moves by the byte that stands for them."""
    board = Othello(size=size).board
    return {_code(cell, size): Move(board.cell_name(cell), cell) for cell in range(board.num_cells)}


def _code(cell: int, size: int) -> int:
    row, col = divmod(cell, size)
    return (size + 2) * (row + 1) + col + 1


def _moves(codes: bytes, size: int) -> Iterator[Move]:
    squares = _squares(size)
    for number, code in enumerate(codes, 1):
        if code not in squares:
            raise Impossible(f"byte {code} is not a square", number)
        yield squares[code]


def _name(number: int) -> str:
    return f"WTHOR player {number}" if number else ""


def _check(score: int) -> Callable[[Position], str]:
    def trouble(position: Position) -> str:
        if not position.is_over:
            return ""
        shown = counted(position)[0]
        return "" if shown == score else f"Black ends with {shown} discs, but the file says {score}"

    return trouble


def head(count: int, last: Replay) -> bytes:
    """The beginning of a file of so many games, of which this is the last."""
    year = int(last.date[:4]) if re.match(r"\d{4}\b", last.date) else 0
    side, now = last.game.parameters["size"], date.today()
    return _HEADER.pack(
        now.year // 100, now.year % 100, now.month, now.day, count, 0, year, side, 0, _EMPTIES, 0
    )


def write(game: Replay) -> bytes:
    """A game; players that are not of WTHOR become number 0, who is nobody."""
    size = game.game.parameters["size"]
    black, white = (_number(player) for player in game.players)
    score = _score(game)
    codes = bytes(_code(cell, size) for cell in game.moves if cell < size * size)
    return _GAME.pack(0, black, white, score, score) + codes.ljust(size * size - 4, b"\0")


def _score(game: Replay) -> int:
    """Black's discs; of a game that ended away from the board, as if the loser got no more."""
    rules = game.game
    assert game.returns is not None
    assert isinstance(rules, Othello)
    if game.position.is_over:
        return counted(game.position)[0]
    squares, lead = rules.board.num_cells, sign(game.returns)
    if lead == 0:
        return squares // 2
    kept = min(rules.discs(game.position)[1 if lead > 0 else 0], squares // 2 - 1)
    return squares - kept if lead > 0 else kept


def _number(player: str) -> int:
    found = _PLAYER.fullmatch(player)
    return int(found[1]) if found and int(found[1]) <= _MOST_NUMBER else 0


def hindrance(game: Replay) -> str:
    rules = game.game
    if not isinstance(rules, Othello) or rules.size not in _SIZES.values():
        return f"WTHOR is for othello and othello:size=10, not for {rules.name}"
    if game.returns is None:
        return "WTHOR has no way to say that nobody knows the result"
    if game.position.is_over and game.position.returns != game.returns:
        return "WTHOR has no way to say that a game was decided away from the board after its end"
    return ""


def looks(data: bytes) -> bool:
    if len(data) < _HEADER.size:
        return False
    _, _, month, day, games, _, _, side, kind, _, _ = _HEADER.unpack_from(data)
    plausible = side in _SIZES and kind in (0, 1) and month <= 12 and day <= 31
    return plausible and len(data) == _HEADER.size + games * _length(_SIZES[side])

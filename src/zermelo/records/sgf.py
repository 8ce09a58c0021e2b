"""SGF, the Smart Game Format (FF[4]), for every game whose moves show on a board.

`GM[2]` is Othello and `GM[4]` Gomoku; other games have no number and say their name in `RU`. A point is two
letters, column from the left and row from the top, as in Go. Programs for Othello also write `d3`, and a
pass as `[]`, `[tt]` or `[PA]`, or not at all. Of a tree the first line of play is the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from string import ascii_letters

from sgfmill import sgf_grammar

from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.games.board import Board
from zermelo.games.gomoku import Gomoku
from zermelo.games.grid import GridGame
from zermelo.games.othello import Othello
from zermelo.games.position import Position
from zermelo.records.discs import counted
from zermelo.records.draft import (
    PASS,
    Claim,
    Draft,
    Impossible,
    Move,
    iso_date,
    led,
    lost,
    told_game,
    usual_game,
)
from zermelo.records.replay import Replay

Node = Mapping[str, Sequence[bytes]]

_LONGEST = 2**18
"""Bytes of a game, comments and variations among them."""
_POINTS = ascii_letters
_NUMBERS = {"2": "othello", "4": "gomoku"}
_USUAL_SIZES = {"2": "8", "4": "15"}
_PASSES = ("tt", "pa", "pass")
_HOW = {"r": "resigned", "t": "lost on time", "f": "forfeited"}
_ENCODINGS = ("utf-8", "gb18030", "gbk", "gb2312", "big5", "shift_jis", "euc-jp", "euc-kr")
_RESULT = re.compile(r"([BW])\+([^\s]*)", re.IGNORECASE)
_SIZE = re.compile(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?")


def drafts(data: bytes, chosen: Game | None) -> Iterator[Draft | Impossible]:
    place, view = 0, memoryview(data)
    tokens, length = sgf_grammar.tokenise(view[:_LONGEST])
    if not tokens:
        yield Impossible("there is no game: each begins with (; and ends with )")
    while tokens:
        try:
            yield _draft(bytes(view[place : place + length]), chosen)
        except Impossible as trouble:
            yield trouble
        place += length
        if data[place : place + 1] == b"[" and data.find(b"]", place, place + _LONGEST) < 0:
            place += _LONGEST  # a text without an end: nothing in it is a game
        tokens, length = sgf_grammar.tokenise(view[place : place + _LONGEST])


def _draft(data: bytes, chosen: Game | None) -> Draft:
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise Impossible(f"it is not SGF: {error}") from None
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    told = _Texts(nodes[0])
    game = _game(told, chosen)
    moves = list(_moves(nodes, game))
    beginner = next((colour for colour, _ in moves), "B")
    seats = {"B": 0, "W": 1} if beginner == "B" else {"B": 1, "W": 0}
    names = told["PB"], told["PW"]
    return Draft(
        game,
        [move._replace(player=seats[colour]) for colour, move in moves],
        (names[0], names[1]) if beginner == "B" else (names[1], names[0]),
        _claim(told["RE"], seats),
        iso_date(told["DT"]) or told["DT"][:32],
    )


class _Texts:
    """The texts of a node, by property."""

    def __init__(self, node: Node) -> None:
        self._node = node
        said = node.get("CA", [b""])[0].decode("ascii", "replace").strip().lower()
        self._encodings = ("utf-8", said) if said in _ENCODINGS else ("utf-8",)

    def __getitem__(self, name: str) -> str:
        raw = sgf_grammar.simpletext_value(self._node.get(name, [b""])[0])
        for encoding in self._encodings:
            try:
                return str(raw, encoding).strip()
            except UnicodeDecodeError:
                continue
        return str(raw, "latin-1").strip()


def _game(told: _Texts, chosen: Game | None) -> Game:
    rules, number = told["RU"], told["GM"]
    if rules.partition(":")[0] in registry.names() or (chosen is not None and rules == chosen.name):
        chosen = told_game(rules, chosen)
    size = _SIZE.fullmatch(told["SZ"] or ("" if chosen else _USUAL_SIZES.get(number, "")))
    cols, rows = (int(size[1]), int(size[2] or size[1])) if size else (0, 0)
    if chosen is not None:
        board = chosen.board
        if board is None or (size and (cols, rows) != (board.cols, board.rows)):
            raise Impossible(f"its board, {cols}x{rows}, is not that of {chosen.name}")
        return chosen
    if number not in _NUMBERS:
        raise Impossible(f"its game, GM[{number[:10] or 1}], is neither Othello (2) nor Gomoku (4), "
                         "and RU names none")  # fmt: skip
    if not size or cols != rows:
        raise Impossible(f"its board, SZ[{told['SZ'][:10]}], must be a square")
    return usual_game(f"{_NUMBERS[number]}:size={cols}")


def _moves(nodes: Sequence[Node], game: Game) -> Iterator[tuple[str, Move]]:
    """Moves, with the colour of who made them."""
    number = 0
    for node in nodes:
        if any(name in node for name in ("AB", "AW", "AE")):
            _check_start(node, game, number)
        for colour in ("B", "W"):
            for value in node.get(colour, ()):
                number += 1
                text = value[:40].decode("utf-8", "replace").strip()
                yield colour, _move(text, game, number)


def _check_start(node: Node, game: Game, number: int) -> None:
    """Stones may be set up as the rules do it; elsewhere than at the start, it is another game."""
    board = game.board
    start = game.cells(game.position()) if board else ()
    for name, content in (("AB", 1), ("AW", 2), ("AE", 0)):
        for value in node.get(name, ()):
            text = value[:40].decode("utf-8", "replace").strip()
            cell = _cell(text, board) if board else None
            if cell is None and board:
                names = {board.cell_name(cell): cell for cell in range(board.num_cells)}
                cell = names.get(text.lower())
            if number or cell is None or start[cell] != content:
                raise Impossible("stones are set up that the rules do not put there", number or None)


def _cell(text: str, board: Board) -> int | None:
    """The cell of a point in letters, if it is on the board."""
    if len(text) != 2 or not (text.isascii() and text.isalpha()):
        return None
    col, row = (_POINTS.index(letter) for letter in text)
    return row * board.cols + col if col < board.cols and row < board.rows else None


def _move(text: str, game: Game, number: int) -> Move:
    board = game.board
    if not text:
        return Move("pass", PASS)
    if board is None or not _is_usual(game):
        return Move(text)
    cell = _cell(text, board)
    if cell is not None:
        return Move(text, cell % board.cols if board.look == "columns" else cell)
    return Move(text, PASS) if text.lower() in _PASSES else Move(text.lower())


def _is_usual(game: Game) -> bool:
    """Whether an action is a cell, or a column, or a pass after these."""
    board = game.board
    if isinstance(game, GridGame) or board is None:
        return board is not None
    return board.look != "columns" and game.num_actions in (board.num_cells, board.num_cells + 1)


def _claim(text: str, seats: Mapping[str, int]) -> Claim | None:
    if text.lower() in ("0", "draw"):
        return led(0)
    found = _RESULT.fullmatch(text)
    if found is None:
        return None
    winner = seats[found[1].upper()]
    if (how := found[2][:1].lower()) in _HOW:
        return lost(1 - winner, _HOW[how])
    return led(1 if winner == 0 else -1)


def write(game: Replay) -> bytes:
    rules, board = game.game, game.game.board
    assert board is not None
    root = {"FF": "4", "CA": "UTF-8", "SZ": _told_size(board)}
    if isinstance(rules, Othello | Gomoku):
        root["GM"] = "2" if isinstance(rules, Othello) else "4"
    if not isinstance(rules, Othello) and rules != _usual_gomoku(board):
        root["RU"] = rules.name
    root |= {"PB": game.players[0], "PW": game.players[1], "DT": game.date, "RE": _told_result(game)}
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [{name: [_escaped(text)] for name, text in root.items() if text}]
    line = [game.position]
    while line[-1].before is not None:
        line.append(line[-1].before)
    line.reverse()
    for before, after in pairwise(line):
        tree.sequence.append({"BW"[before.mover]: [_escaped(_point(after, before, board))]})
    return bytes(sgf_grammar.serialise_game_tree(tree))


def _usual_gomoku(board: Board) -> Game | None:
    """What is read of Gomoku on this board, unless its name is told."""
    return usual_game(f"gomoku:size={board.rows}") if 5 <= board.rows <= 20 else None


def _told_size(board: Board) -> str:
    return str(board.rows) if board.rows == board.cols else f"{board.cols}:{board.rows}"


def _point(after: Position, before: Position, board: Board) -> str:
    """A move as letters; empty for a pass, and in the players' words if it is not a cell."""
    assert after.last_action is not None
    name = before.name(after.last_action)
    if not _is_usual(after.game):
        return name
    cell = after.game.last_cell(after) if board.look == "columns" else after.last_action
    if name == "pass" or cell is None:
        return ""
    row, col = divmod(cell, board.cols)
    return _POINTS[col] + _POINTS[row]


def _told_result(game: Replay) -> str:
    if game.returns is None:
        return "?"
    first, second = game.returns
    if first == second:
        return "0"
    how = next((letter.upper() for letter, words in _HOW.items() if game.result.endswith(words)), "")
    if not how and isinstance(game.game, Othello) and game.position.is_over:
        how = str(abs(counted(game.position)[0] - counted(game.position)[1]))
    return f"{'B' if first > second else 'W'}+{how}"


def _escaped(text: str) -> bytes:
    return bytes(sgf_grammar.escape_text(" ".join(text.split()).encode("utf-8", "replace")))


def hindrance(game: Replay) -> str:
    board = game.game.board
    if board is None:
        return f"SGF is for games on a board, which {game.game.name} has not"
    if max(board.rows, board.cols) > len(_POINTS):
        return f"SGF has letters for {len(_POINTS)} rows and columns, and {game.game.name} has more"
    return ""


def looks(data: bytes) -> bool:
    return re.search(rb"\(\s*;", data[:4096]) is not None

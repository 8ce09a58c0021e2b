"""Othello games of the Generic Game Format, that of the Generic Game Server (`.ggf`).

    (;GM[Othello]PC[GGS/os]DT[2010.10.17_05:23:05.MDT]PB[ann]PW[bob]RE[+6.000]TY[8]
    BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
    B[D3//3.95]W[c5/-18.40/0.10] ... B[PA] ... ;)

A move is a square, what the player thought the lead would be, and seconds; both may be missing. `RE` is
the lead of Black, with `:r` if the game was resigned, `:t` if a clock ran out. Text has no escapes:
names lose brackets and semicolons when they are written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from zermelo.games.base import Game
from zermelo.games.othello import Othello
from zermelo.records.discs import counted
from zermelo.records.draft import (
    PASS,
    Claim,
    Draft,
    Figures,
    Impossible,
    Move,
    iso_date,
    led,
    lost,
    quoted,
    sign,
    usual_game,
)
from zermelo.records.replay import Replay

_LONGEST = 2**17
"""Characters of a game."""
_BEGIN = re.compile(r"\(;")
_PROPERTY = re.compile(r"\s*([A-Za-z]{1,8})\[([^\]]{0,20000})\]")
_RESULT = re.compile(r"\s*([+-]?\d{1,4}(?:\.\d{0,6})?)\s*(?::\s*([a-z]))?\s*")
_TYPE = re.compile(r"s?(\d{1,2})([a-z0-9]*)")
_SQUARE = re.compile(r"([a-zA-Z])(\d{1,2})")
_HOW = {"r": "resigned", "t": "lost on time", "l": "left"}
_SIGNS = "-*O"


def drafts(data: bytes, chosen: Game | None) -> Iterator[Draft | Impossible]:
    text = data.decode("utf-8-sig", "replace")
    begin = _BEGIN.search(text)
    if begin is None:
        yield Impossible("there is no game: each begins with (; and ends with ;)")
    while begin is not None:
        end = text.find(";)", begin.end(), begin.end() + _LONGEST)
        following = _BEGIN.search(text, begin.end())
        try:
            if end < 0 or (following is not None and following.start() < end):
                raise Impossible("it does not end with ;)")
            yield _draft(text[begin.end() : end], chosen)
        except Impossible as trouble:
            yield trouble
        begin = following


def _draft(text: str, chosen: Game | None) -> Draft:
    told: dict[str, str] = {}
    moves: list[Move] = []
    size, place = 8, 0
    while (found := _PROPERTY.match(text, place)) is not None:
        place, key, value = found.end(), found[1].upper(), found[2]
        if key in ("B", "W"):
            size = size if moves else _size(told)
            moves.append(_move(value, 0 if key == "B" else 1, size, len(moves) + 1))
        else:
            told.setdefault(key, value)
    if text[place:].strip():
        raise Impossible(f"{quoted(text[place : place + 30])} is not like KEY[value]")
    if told.get("GM", "").strip().lower() != "othello":
        raise Impossible(f"its game, {quoted(told.get('GM', ''))}, is not Othello")
    game = usual_game(f"othello:size={_size(told)}")
    assert isinstance(game, Othello)
    if chosen is not None and chosen != game:
        raise Impossible(f"it is a game of {game.name}, not of {chosen.name}")
    _check_start(told.get("BO"), game)
    players = told.get("PB", "").strip(), told.get("PW", "").strip()
    return Draft(game, moves, players, _claim(told), _date(told.get("DT", "")))


def _size(told: dict[str, str]) -> int:
    kind = _TYPE.fullmatch(told.get("TY", "8").strip().lower())
    if kind is None:
        raise Impossible(f"its type, {quoted(told['TY'])}, is not like 8 or s8r18")
    if "a" in kind[2]:
        raise Impossible("it is a game of anti-Othello, which the player with fewer discs wins")
    size = int(kind[1])
    if size not in (4, 6, 8, 10):
        raise Impossible(f"its board has {size} squares to a side, which must be 4, 6, 8 or 10")
    return size


def _check_start(board: str | None, game: Othello) -> None:
    """Games that begin elsewhere than at the start are other games."""
    if board is not None and "".join(board.split()).upper() != "".join(_board(game).split()):
        raise Impossible("it does not begin with the usual four discs")


def _board(game: Othello) -> str:
    cells = "".join(_SIGNS[content] for content in game.cells(game.position()))
    rows = (cells[row * game.size : (row + 1) * game.size] for row in range(game.size))
    return " ".join([str(game.size), *rows, "*"])


def _move(value: str, player: int, size: int, number: int) -> Move:
    text, *rest = value.split("/")
    text = text.strip()
    names = ("score", "seconds")
    figures: Figures = {
        name: n for name, word in zip(names, rest, strict=False) if (n := _number(word)) is not None
    }
    if text.lower() in ("pa", "pass"):
        return Move(text, PASS, player, figures or None)
    square = _SQUARE.fullmatch(text)
    col, row = (ord(square[1].lower()) - ord("a"), int(square[2]) - 1) if square else (-1, -1)
    if not (0 <= col < size and 0 <= row < size):
        raise Impossible(f"{quoted(text)} is not a square", number)
    return Move(text, row * size + col, player, figures or None)


def _number(word: str) -> float | None:
    try:
        value = float(word[:32])
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _claim(told: dict[str, str]) -> Claim | None:
    found = _RESULT.fullmatch(told.get("RE", ""))
    if found is None or told.get("KM", "0").strip(" +-.0"):  # with komi, the lead is not that of discs
        return None
    lead = float(found[1])
    if found[2] in _HOW and lead:
        return lost(0 if lead < 0 else 1, _HOW[found[2]])
    return led(lead)


def _date(text: str) -> str:
    if re.fullmatch(r"\d{9,10}", text.strip()):
        return datetime.fromtimestamp(int(text), UTC).date().isoformat()
    return iso_date(text)


def write(game: Replay) -> bytes:
    rules = game.game
    assert isinstance(rules, Othello)
    black, white = (re.sub(r"[\[\];\s]+", " ", player).strip() for player in game.players)
    told = {
        "GM": "Othello", "PC": "Zermelo", "DT": iso_date(game.date).replace("-", "."), "PB": black,
        "PW": white, "RE": _told_result(game), "TY": str(rules.size), "BO": _board(rules),
    }  # fmt: skip
    search = game.search or (None,) * len(game.moves)
    moves, position = list[str](), rules.position()
    for action, figures in zip(game.moves, search, strict=True):
        text = "PA" if action == rules.board.num_cells else rules.board.cell_name(action)
        moves.append(f"{'BW'[position.mover]}[{text}{_told_figures(figures)}]")
        position = position.play(action)
    said = [f"{key}[{value}]" for key, value in told.items() if value]
    return f"(;{''.join(said + moves)};)\n".encode("utf-8", "replace")


def _told_figures(figures: Figures | None) -> str:
    words = [f"{(figures or {}).get(name, ''):}" for name in ("score", "seconds")]
    return "".join(f"/{word}" for word in words).rstrip("/")


def _told_result(game: Replay) -> str:
    if game.returns is None:
        return "?"
    first, second = counted(game.position)
    lead = first - second
    for letter, how in _HOW.items():
        if game.result.endswith(how):
            return f"{64 * sign(game.returns):+}.000:{letter}"
    if sign(game.returns) != (lead > 0) - (lead < 0):
        lead = 64 * sign(game.returns)
    return f"{lead:+}.000"


def hindrance(game: Replay) -> str:
    return "" if isinstance(game.game, Othello) else f"GGF is for othello, not for {game.game.name}"


def looks(data: bytes) -> bool:
    return re.search(rb"\(;\s*GM\[othello\]", data[:4096], re.IGNORECASE) is not None

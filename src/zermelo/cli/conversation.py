"""How a person at the terminal is asked for a move, and what else they may type."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from zermelo.cli.board import board, sign
from zermelo.cli.output import complain, out
from zermelo.errors import IllegalMove, InputEnded, ZermeloError
from zermelo.naming import did_you_mean

if TYPE_CHECKING:
    from zermelo.games.position import Position


class Word(NamedTuple):
    """Something else than a move that may be typed."""

    usage: str
    help: str
    obey: Callable[[Position, str], None]
    """Takes the position and what follows the word."""


class Conversation:
    """Reads what people type until it is a move, and does what other words say."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
            sys.stdin.reconfigure(errors="replace")
        self.words = {
            "board": Word("board", "show the board again", lambda position, _: board(position)),
            "moves": Word("moves", "list the legal moves", _list_moves),
            "help": Word("help or ?", "show this", self._help),
        }

    def ask(self, position: Position, called: str, trouble: str) -> str:
        """What a person typed that may be a move."""
        if trouble:
            complain(f"{trouble}; ? shows what else can be typed")
        while True:
            typed = read_line(self.prompt(position, called))
            if not self.obeyed(position, typed):
                return typed

    def prompt(self, position: Position, called: str) -> Text:
        return Text.assemble(called or f"player {1 + position.mover}", *_in_brackets(position), "> ")

    def obeyed(self, position: Position, typed: str) -> bool:
        """Do what was typed, unless it is a move."""
        word, _, rest = typed.partition(" ")
        word = "help" if word == "?" else word.lower()
        if not typed:
            return True
        if word not in self.words:
            if _is_move(position, typed) or not (meant := did_you_mean(word, self.words)):
                return False
            complain(f"`{typed}` is neither a move nor a command.{meant} ? shows what can be typed.")
            return True
        if _is_move(position, typed):
            return False
        try:
            self.words[word].obey(position, rest.strip())
        except InputEnded:
            raise
        except (ZermeloError, OSError) as error:
            complain(str(error))
        return True

    def _help(self, position: Position, _: str) -> None:
        table = Table.grid(padding=(0, 2))
        some = " ".join(position.name(action) for action in position.legal_actions[:3])
        table.add_row("a move", f"such as {escape(some)}")
        for word in self.words.values():
            table.add_row(escape(word.usage), word.help)
        out.print(table)


def read_line(prompt: Text) -> str:
    """A line from standard input, which is shown if nobody saw it being typed."""
    out.print(prompt, end="")
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        out.print()
        raise
    if not line:
        out.print()
        raise InputEnded("the input ended before the game did")
    if not sys.stdin.isatty():
        out.print(line.strip(), markup=False)
    return line.strip()


def _in_brackets(position: Position) -> tuple[str | Text, ...]:
    shown = sign(position, position.mover)
    return (" (", shown, ")") if shown else ()


def _is_move(position: Position, typed: str) -> bool:
    try:
        position.parse(typed)
    except IllegalMove:
        return False
    return True


def _list_moves(position: Position, _: str) -> None:
    out.print(" ".join(position.name(action) for action in position.legal_actions), markup=False)

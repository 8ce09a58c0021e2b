"""How the command line speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console

if TYPE_CHECKING:
    from zermelo.games.position import Position

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


def fail(message: str) -> int:
    """Print an error in one line; the exit code for what the user has to mend."""
    err.print(f"[bold red]error[/]: {_escaped(' '.join(message.split()))}")
    return 2


def _escaped(text: str) -> str:
    return text.replace("[", "\\[")


def board(position: Position) -> None:
    """Print a position, the first player's stones and the second's each in a colour of their own."""
    from rich.text import Text

    text = Text(str(position))
    if position.game.board is not None:
        text.highlight_regex(r"\bX\b", "bold red")
        text.highlight_regex(r"\bO\b", "bold yellow")
        text.highlight_regex(r"[.]", "dim")
    out.print(text)


@contextmanager
def compiling() -> Iterator[None]:
    """Say once if kernels have to be compiled, which takes a while on the first run."""
    from zermelo.compilation import on_compile

    def tell() -> None:
        err.print("[dim]compiling for this machine (once; less than half a minute) ...[/]")

    with on_compile(tell):
        yield


@contextmanager
def progress(what: str, total: int, unit: str) -> Iterator[Any]:
    """A bar on a terminal; a line at the beginning elsewhere. Yields what takes the number done."""
    if not err.is_terminal:
        err.print(f"{what} ...")
        yield lambda done: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)

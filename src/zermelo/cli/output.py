"""How the command line speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.console import RenderableType
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn

    from zermelo.exact.progress import Progress

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


def complain(message: str) -> None:
    """Print an error in one line."""
    err.print(f"[bold red]error[/]: {escape(' '.join(message.split()))}")


def fail(message: str) -> int:
    """Print an error; the exit code for what the user has to mend."""
    complain(message)
    return 2


def unicode(console: Console) -> bool:
    """Whether more than ASCII can be shown."""
    return console.encoding.startswith("utf")


@contextmanager
def compiling() -> Iterator[None]:
    """Say once if kernels have to be compiled, which takes a while on the first run."""
    from zermelo.compilation import on_compile

    def tell() -> None:
        err.print("[dim]compiling for this machine (once; less than half a minute) ...[/]")

    with on_compile(tell):
        yield


class Start:
    """When a command began; tells how long it took to start up, and how much of that was compiling."""

    def __init__(self) -> None:
        from zermelo.compilation import compile_seconds

        self._begin, self._compiled = time.monotonic(), compile_seconds()[0]

    def __str__(self) -> str:
        from zermelo.compilation import compile_seconds

        compiled = compile_seconds()[0] - self._compiled
        took = f"starting up took {time.monotonic() - self._begin - compiled:.1f} s"
        return took + (f", compiling {compiled:.1f} s" if compiled >= 0.1 else "")


class Display:
    """A line on the terminal that moves while there is work; elsewhere it is not there."""

    def __init__(self, bar: Bar | None = None) -> None:
        self._bar = bar

    def __call__(self, done: int) -> None:
        """So much is done."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, note="")

    def note(self, text: str) -> None:
        """Say more about what is being done now."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], note=text)

    def stage(self, what: str, done: int, total: int) -> None:
        """So much of this part of the work is done; `total` 0: nobody knows how much there is."""
        if self._bar is not None:
            task = self._bar.task_ids[0]
            self._bar.update(task, description=escape(what), completed=done, total=total or None, note="")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave the terminal to somebody else."""
        if self._bar is None:
            yield
            return
        self._bar.stop()
        yield
        self._bar.start()


def progress(what: str, total: int, unit: str, said: bool = True) -> AbstractContextManager[Display]:
    """A bar on a terminal; elsewhere a line at the beginning, if it is to be `said`."""
    if not err.is_terminal:
        if said:
            err.print(f"{escape(what)} ...")
        return nullcontext(Display())
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

    return _moving(what, total, BarColumn(), MofNCompleteColumn(), TextColumn(unit))


def thinking(what: str) -> AbstractContextManager[Display]:
    """A line that says so on a terminal; nothing elsewhere."""
    if not err.is_terminal:
        return nullcontext(Display())
    from rich.progress import SpinnerColumn

    return _moving(what, None, SpinnerColumn("dots" if unicode(err) else "line"))


@contextmanager
def _moving(what: str, total: int | None, *columns: ProgressColumn) -> Iterator[Display]:
    from rich.progress import Progress as Bar
    from rich.progress import TextColumn, TimeElapsedColumn
    from rich.text import Text

    from zermelo.exact.progress import watching

    class WithNote(Bar):
        """A bar with a second line."""

        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            yield from (Text(task.fields["note"], "dim") for task in self.tasks if task.fields["note"])

    shown = TextColumn("{task.description}"), *columns, TimeElapsedColumn()
    with WithNote(*shown, console=err, transient=True, redirect_stdout=False) as bar:
        bar.add_task(escape(what), total=total, note="")
        display = Display(bar)
        with watching(lambda progress: display.note(_told(progress))):
            yield display


def _told(progress: Progress) -> str:
    """How far a solver has come, in words."""
    words = [f"{progress.positions:,} positions"]
    if progress.moves:
        words.insert(0, f"move {progress.move} of {progress.moves}")
    if progress.window is not None:
        worst, best = progress.window
        words.append(f"{worst} to {best}")
    return ", ".join(words)

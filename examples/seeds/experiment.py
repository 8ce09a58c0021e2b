"""What the experiments of this directory share: their arguments, their tables and their pictures."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from matplotlib.figure import Figure

from zermelo.cli.output import compiling, fail
from zermelo.errors import ZermeloError
from zermelo.pictures import styled, write_pictures

INTERRUPTED = 130


class Arguments(argparse.ArgumentParser):
    """The command line of an experiment; sizes are those of the text unless it is to be quick."""

    def __init__(self, description: str | None) -> None:
        super().__init__(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        self._sizes: dict[str, tuple[Any, Any]] = {}
        self.add_argument("--out", type=Path, default=Path("figures"), help="where pictures go (figures)")
        self.add_argument("--seed", type=whole, default=0, help="of everything that is drawn (0)")
        self.add_argument("--quick", action="store_true", help="small sizes, of seconds, for tests")

    def size(
        self, name: str, full: Any, quick: Any, help: str, kind: Callable[[str], Any] | None = None
    ) -> None:
        """An option with two defaults: as in the text, and with `--quick`; several values if they are
        tuples. `kind` reads a value; by itself that is a number from 1 up."""
        self._sizes[name.replace("-", "_")] = full, quick
        several = "+" if isinstance(full, tuple) else None
        shown = " ".join(map(str, full)) if isinstance(full, tuple) else full
        self.add_argument(f"--{name}", type=kind or count, nargs=several, help=f"{help} ({shown})")

    def read(self, words: Sequence[str] | None) -> argparse.Namespace:
        """What was given, with the sizes that were not."""
        chosen = self.parse_args(words)
        for name, (full, quick) in self._sizes.items():
            if getattr(chosen, name) is None:
                setattr(chosen, name, quick if chosen.quick else full)
        return chosen


def whole(text: str) -> int:
    """A whole number from 0 up."""
    return _checked(int(text), 0)


def count(text: str) -> int:
    """A whole number from 1 up."""
    return _checked(int(text), 1)


def number(text: str) -> float:
    """Any number from 0 up."""
    return _checked(float(text), 0)


N = TypeVar("N", int, float)


def _checked(value: N, least: int) -> N:
    if not least <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{value} is not a number from {least} up")
    return value


def run(
    experiment: Callable[[argparse.Namespace], None], parser: Arguments, words: Sequence[str] | None
) -> None:
    """Do an experiment and say how long it took; a mistake of the user is one line and exit code 2."""
    chosen = parser.read(words)
    begin, begin_cpu = time.perf_counter(), time.process_time()
    try:
        with compiling(), styled():
            experiment(chosen)
    except (ZermeloError, OSError) as error:
        raise SystemExit(fail(str(error))) from error
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    seconds, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    print(f"\nIt took {seconds:.1f} seconds, and {cpu:.1f} of processor time.")


@dataclass(frozen=True)
class Table:
    """A table, printed as Markdown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    def print(self) -> None:
        cells = [list(self.columns), *([_text(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        left = [any(isinstance(row[i], str) for row in self.rows) for i in range(len(self.columns))]
        rule = [
            "-" * width if is_left else "-" * (width - 1) + ":"
            for width, is_left in zip(widths, left, strict=True)
        ]
        print(f"\n{self.title}\n")
        for row in (cells[0], rule, *cells[1:]):
            padded = (
                cell.ljust(width) if is_left else cell.rjust(width)
                for cell, width, is_left in zip(row, widths, left, strict=True)
            )
            print("| " + " | ".join(padded) + " |")


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:,.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def save(figure: Figure, out: Path, name: str) -> None:
    """Write a picture as PNG and as SVG, and say where."""
    write_pictures(figure, out / f"{name}.png")
    print(f"\nwrote {out / name}.png and .svg")

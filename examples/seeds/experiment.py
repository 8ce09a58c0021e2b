"""What the experiments of this directory share: their arguments, their tables and their pictures.

An experiment yields what it finds, tables and facts; they are printed, or with `--json` told as JSON lines,
as `results.jsonl` and `zermelo reproduce` take them.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from matplotlib.figure import Figure

from zermelo.cli.output import compiling, err, fail
from zermelo.errors import ZermeloError
from zermelo.figures import Table
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
        self.add_argument("--json", action="store_true", help="print JSON lines instead")

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


@dataclass(frozen=True)
class Facts:
    """A sentence, and the figures in it."""

    text: str
    """With a place for each figure, as Python formats them."""
    figures: Mapping[str, object]


Found = Iterator[tuple[str, Table | Facts]]
"""What an experiment finds, each under a name."""


def run(
    experiment: Callable[[argparse.Namespace], Found], parser: Arguments, words: Sequence[str] | None
) -> None:
    """Do an experiment and say how long it took; a mistake of the user is one line and exit code 2."""
    chosen = parser.read(words)
    begin, begin_cpu = time.perf_counter(), time.process_time()
    try:
        with compiling(), styled():
            for name, found in experiment(chosen):
                print(_line(name, found) if chosen.json else f"\n{_text(found)}", flush=True)
    except (ZermeloError, OSError) as error:
        raise SystemExit(fail(str(error))) from error
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    seconds, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    err.print(f"\nIt took {seconds:.1f} seconds, and {cpu:.1f} of processor time.")


def _line(name: str, found: Table | Facts) -> str:
    told = {"table": asdict(found)} if isinstance(found, Table) else found.figures
    return json.dumps({"what": name, **told})


def _text(found: Table | Facts) -> str:
    return found.markdown if isinstance(found, Table) else found.text.format(**found.figures)


def save(figure: Figure, out: Path, name: str) -> None:
    """Write a picture as PNG and as SVG, and say where."""
    write_pictures(figure, out / f"{name}.png")
    err.print(f"\nwrote {out / name}.png and .svg")

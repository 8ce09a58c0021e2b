"""Measured figures: what was run, where, when, and what came out; and the documents that quote them.

A line of `results.jsonl` is a figure. Its command prints JSON lines; the last of them that has all of
`where` has the figure in `field`, a path such as `total.share`. With `rows` in place of `field`, every such
line is a row with these fields.

A document quotes a figure as `98.0<!-- connect4.uct -->`, a table as the rows between
`<!-- rows of ID: name | on.alone .1% | positions , -->` and `<!-- end of rows -->`: what each cell shows
and its format. A figure that is a table itself, with title, columns and rows, stands between
`<!-- table of ID -->` and `<!-- end of table -->`. `filled` puts the figures there, so that no number is
copied by hand.
"""

from __future__ import annotations

import datetime
import json
import re
import resource
import shlex
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.errors import FigureError, UnknownName
from zermelo.files import replace_file
from zermelo.machine import machine
from zermelo.naming import did_you_mean

PROGRAMS = {
    "zermelo": [sys.executable, "-m", "zermelo"],
    "python": [sys.executable],
}
"""What a command may begin with."""
_ALWAYS = ("about", "where", "value")
"""Written even if there is nothing in it; the other fields have defaults, or are never empty."""
_UNKNOWN = "not measured"
_QUOTED = re.compile(rf"(?P<shown>{_UNKNOWN}|[^\s|(`]+(?: %)?)<!-- (?P<id>[\w.-]+) -->")
_ROWS = re.compile(
    r"(?P<begin><!-- rows of (?P<id>[\w.-]+): (?P<cells>[^>]*) -->\n(?:\|.*\n){2})(?:\|.*\n)*"
    r"(?P<end><!-- end of rows -->)"
)
_TABLE = re.compile(r"<!-- table of (?P<id>[\w.-]+) -->\n(?:(?!<!--).*\n)*<!-- end of table -->")
_MARKER = re.compile(r"<!-- (?:rows|table) of (?P<id>[\w.-]+)")


@dataclass(frozen=True)
class Table:
    """A table that is one figure."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    @property
    def markdown(self) -> str:
        cells = [list(self.columns), *([_cell(cell) for cell in row] for row in self.rows)]
        widths = [max(2, *(len(row[i]) for row in cells)) for i in range(len(self.columns))]
        left = [any(isinstance(row[i], str) for row in self.rows) for i in range(len(self.columns))]
        rule = [
            "-" * width if is_left else "-" * (width - 1) + ":"
            for width, is_left in zip(widths, left, strict=True)
        ]
        lines = [
            " | ".join(
                cell.ljust(width) if is_left else cell.rjust(width)
                for cell, width, is_left in zip(row, widths, left, strict=True)
            )
            for row in (cells[0], rule, *cells[1:])
        ]
        return "\n".join([f"{self.title}:", "", *(f"| {line} |" for line in lines)])


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:,.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell).replace("|", "\\|")


@dataclass(frozen=True)
class Figure:
    """A figure, and how it was measured."""

    id: str
    about: str
    command: str
    where: dict[str, Any]
    field: str = ""
    rows: tuple[str, ...] = ()
    form: str = ","
    """How it is written, as Python formats numbers."""
    value: Any = None
    """None: not measured yet."""
    commit: str = ""
    machine: str = ""
    date: str = ""
    cpu_seconds: float = 0.0

    @property
    def shown(self) -> str:
        return shown(self.value, self.form)

    def found_in(self, lines: Sequence[Mapping[str, Any]]) -> Any:
        """Its value in what its command printed."""
        some = [
            line for line in lines if all(line.get(name) == wanted for name, wanted in self.where.items())
        ]
        if not some:
            raise FigureError(
                f"`{self.command}` printed no line with {json.dumps(self.where)} for {self.id}"
            )
        if self.rows:
            return [{name: _at(line, name) for name in self.rows} for line in some]
        return _at(some[-1], self.field)


def _at(line: Mapping[str, Any], path: str) -> Any:
    """What a line has at a path, such as total.share."""
    found: Any = line
    for name in path.split("."):
        if not isinstance(found, Mapping) or name not in found:
            raise FigureError(f"there is no `{path}` in {json.dumps(line)[:200]}")
        found = found[name]
    return found


def read_figures(path: Path) -> list[Figure]:
    """All figures of a file; a line that is none is named."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        raise FigureError(
            f"there is no {path}: figures are measured in a checkout of the project, or give --results FILE"
        ) from None
    found: list[Figure] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
            one = Figure(**{**values, "rows": tuple(values.get("rows", ()))})
        except (ValueError, TypeError) as error:
            raise FigureError(f"{path}, line {number} is no figure: {error}") from None
        if any(one.id == other.id for other in found):
            raise FigureError(f"{path}, line {number}: `{one.id}` is there twice")
        found.append(one)
    return found


def write_figures(path: Path, figures: Iterable[Figure]) -> None:
    lines = []
    for one in figures:
        values = {name: value for name, value in asdict(one).items() if value or name in _ALWAYS}
        lines.append(json.dumps(values) + "\n")
    replace_file(path, "".join(lines).encode())


def find_figure(figures: Sequence[Figure], id: str) -> Figure:
    for one in figures:
        if one.id == id:
            return one
    hint = did_you_mean(id, [one.id for one in figures])
    raise UnknownName(f"there is no figure `{id}`.{hint} All are listed by: zermelo reproduce")


def measured_again(figures: Sequence[Figure], command: str, root: Path) -> list[Figure]:
    """Run a command in the checkout; all figures that it yields, as they are here and now."""
    here, commit, date = machine(), _commit(root), datetime.date.today().isoformat()
    lines, seconds = _run(command, root)
    return [
        replace(
            one, value=one.found_in(lines), commit=commit, machine=here["processor"], date=date,
            cpu_seconds=round(seconds, 2),
        )
        for one in figures
        if one.command == command
    ]  # fmt: skip


def _run(command: str, root: Path) -> tuple[list[dict[str, Any]], float]:
    """The JSON lines that a command prints, and its processor time; what else it says is shown."""
    program, *words = shlex.split(command)
    if program not in PROGRAMS:
        raise FigureError(f"`{command}` does not begin with one of: {', '.join(PROGRAMS)}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*PROGRAMS[program], *words], cwd=root, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise FigureError(f"`{command}` ended with {done.returncode}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return lines, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _commit(root: Path) -> str:
    """The commit of a checkout, with a plus if something else than figures and documents was changed."""
    changes = _git(
        root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!results.jsonl", ":!docs"
    )
    return _git(root, "rev-parse", "--short", "HEAD") + ("+" if changes else "")


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)  # noqa: S607
    return done.stdout.strip() if done.returncode == 0 else ""


# In documents.


def shown(value: Any, form: str) -> str:
    """As a document shows it; of several runs, the mean."""
    if isinstance(value, list):
        value = statistics.mean(value) if value else None
    if isinstance(value, str) or value is None:
        return value or _UNKNOWN
    if isinstance(value, Mapping):
        return f"{len(value['rows'])} rows"
    return f"{value:{form}}".replace("%", " %")


def quoted_ids(text: str) -> set[str]:
    """The figures that a document quotes, filled in or not."""
    return {found["id"] for pattern in (_QUOTED, _MARKER) for found in pattern.finditer(text)}


def filled(text: str, figures: Sequence[Figure]) -> str:
    """A document with every figure that it quotes as it was last measured."""

    def quoted(found: re.Match[str]) -> str:
        one = find_figure(figures, found["id"])
        return f"{one.shown}<!-- {one.id} -->"

    def rows(found: re.Match[str]) -> str:
        one = find_figure(figures, found["id"])
        cells = [cell.split() for cell in found["cells"].split("|")]
        lines = (
            " | ".join(shown(row[name], form[0] if form else ",") for name, *form in cells)
            for row in one.value or ()
        )
        return found["begin"] + "".join(f"| {line} |\n" for line in lines) + found["end"]

    if unclosed := len(_MARKER.findall(text)) - len(_ROWS.findall(text)) - len(_TABLE.findall(text)):
        raise FigureError(f"{unclosed} of its tables of figures lack their heading or their end")

    def table(found: re.Match[str]) -> str:
        one = find_figure(figures, found["id"])
        text = Table(**one.value).markdown if one.value else one.shown
        return f"<!-- table of {one.id} -->\n{text}\n<!-- end of table -->"

    return _TABLE.sub(table, _ROWS.sub(rows, _QUOTED.sub(quoted, text)))

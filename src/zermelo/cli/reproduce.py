"""`zermelo reproduce`: is a figure of the documentation true here?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from zermelo.cli.output import err, out, print_json

if TYPE_CHECKING:
    from zermelo.figures import Figure


def reproduce(
    id: str | None = None,
    /,
    *,
    results: Path = Path("results.jsonl"),
    keep: bool = False,
    json: bool = False,
) -> None:
    """Measure a figure of the documentation again, in a checkout of the project, and show both values.

    Parameters
    ----------
    id
        Figure, such as perft.tictactoe.9; lists all figures unless given.
    results
        File of figures; commands run in its directory.
    keep
        Write the new values into that file, for every figure that the command yields.
    json
        Print JSON.
    """
    from zermelo.figures import find_figure, measured_again, read_figures, write_figures

    figures = read_figures(results)
    if id is None:
        _list(figures, json)
        return
    before = find_figure(figures, id)
    err.print(f"[bold]{before.command}[/] (took {before.cpu_seconds:,.0f} CPU-seconds) ...")
    again = {one.id: one for one in measured_again(figures, before.command, results.absolute().parent)}
    if keep:
        write_figures(results, [again.get(one.id, one) for one in read_figures(results)])
    _compare(before, again[id], json)


def _list(figures: list[Figure], json: bool) -> None:
    if json:
        print_json(
            {"figures": [{"id": one.id, "value": one.value, "command": one.command} for one in figures]}
        )
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("id", "what", "value", "command"):
        table.add_column(
            heading, justify="right" if heading == "value" else "left", no_wrap=heading == "id"
        )
    for one in figures:
        table.add_row(one.id, one.about, _told(one), one.command)
    out.print(table)


def _compare(before: Figure, now: Figure, json: bool) -> None:
    if json:
        print_json({"id": now.id, "command": now.command, "before": _known(before), "now": _known(now)})
        return
    out.print(f"{now.id}: {now.about}", markup=False, style="bold")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "value", "CPU-seconds", "commit", "date", "machine"):
        table.add_column(heading, justify="right" if heading in ("value", "CPU-seconds") else "left")
    for name, one in (("then", before), ("now", now)):
        table.add_row(name, _told(one), f"{one.cpu_seconds:,.0f}", one.commit, one.date, one.machine)
    out.print(table)


def _told(one: Figure) -> str:
    return f"{len(one.value)} rows" if one.rows and one.value else one.shown


def _known(one: Figure) -> dict[str, Any]:
    names = ("value", "cpu_seconds", "commit", "date", "machine")
    return {name: getattr(one, name) for name in names}

"""`zermelo report`: a run as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from zermelo.cli.output import compiling, out, print_json, thinking


def report(
    run: Path, /, *, to: Path | None = None, sims: int = 400, checkpoints: int = 5,
    positions: Annotated[list[str] | None, Parameter(negative="")] = None, json: bool = False,
) -> None:  # fmt: skip
    """Write a run as one HTML page, with its charts as PNG and SVG beside it.

    Parameters
    ----------
    run
        Run directory.
    to
        Directory to write into; the run directory unless given.
    sims
        Simulations per position shown.
    checkpoints
        Checkpoints to rate and grade; 0: none.
    positions
        Moves to a position to show, such as --positions "4 4 3"; repeatable. Unless given, the start and
        two positions of the latest game.
    json
        Print the paths as JSON.
    """
    from zermelo.report.writing import write_report

    with compiling(), thinking("writing the report") as display:
        path = write_report(run, to, sims, checkpoints, positions or (), display.note)
    pictures = sorted((path.parent / "pictures").glob("*.png"))
    if json:
        print_json({"page": str(path), "pictures": [str(one) for one in pictures]})
        return
    out.print(f"wrote {path}", markup=False)
    out.print(
        f"and {len(pictures)} pictures, each as PNG and SVG, in {path.parent / 'pictures'}", markup=False
    )

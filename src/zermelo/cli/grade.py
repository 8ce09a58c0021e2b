"""`zermelo grade`: how often does a player err?"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from zermelo.cli.arguments import GameName, PlayerName, Positive, Seed
from zermelo.cli.output import compiling, err, out, print_json, progress
from zermelo.cli.workers import hall_of

if TYPE_CHECKING:
    from zermelo.arena.grading import Grade, SetGrade
    from zermelo.arena.intervals import Interval
    from zermelo.arena.mistakes import Mistakes

_MOST_SHOWN = 10


def grade(
    game: GameName,
    player: PlayerName,
    /,
    *,
    positions: Path | None = None,
    sets: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    seed: Seed = 0,
    ray: str | None = None,
    workers: Positive | None = None,
    json: bool = False,
) -> None:
    """Count a player's mistakes in positions that an exact solver has solved.

    Parameters
    ----------
    game
        Game, such as connect4, othello:size=6 or mygame.py.
    player
        Player, such as az:model=runs/connect4,sims=600. Its network is graded without search too.
    positions
        Grade the positions in this file: a line of moves each, with or without a score, or a JSON line
        with a board.
    sets
        Sets of positions, such as begin-hard; all sets of the game unless given.
    seed
        Random seed.
    ray
        Choose moves on Ray workers: local, auto (the cluster of this machine) or the HOST:PORT of a
        cluster.
    workers
        Number of Ray workers; one per core unless given.
    json
        Print JSON.
    """
    from zermelo.arena.grading import Grade, SetGrade
    from zermelo.arena.grading import grade as count
    from zermelo.arena.mistakes import in_turn
    from zermelo.games import registry
    from zermelo.players.registry import player as named

    begin, finished = perf_counter(), list[SetGrade]()
    with compiling():
        subject, who = registry.game(game), named(player)
        try:
            with (
                hall_of(ray, workers, [who]) as hall,
                progress(f"grading {who.name}", 0, "positions") as display,
            ):
                found = count(
                    subject, who, sets or (), positions, seed, display.stage, finished.append,
                    hall.ask if hall else in_turn,
                )  # fmt: skip
        except KeyboardInterrupt:
            if finished:
                done = Grade(subject.name, who.name, tuple(finished), (), perf_counter() - begin)
                if json:
                    print_json(as_json(done) | {"interrupted": True})
                else:
                    _show(done)
            raise
    if positions is not None:
        _complain(found, positions)
    if json:
        print_json(as_json(found))
    else:
        _show(found)


def as_json(found: Grade) -> dict[str, Any]:
    total = _figures(found.total)
    return {
        "game": found.game,
        "player": found.player,
        "sets": [{"name": one.name, **_figures(one)} for one in found.sets],
        "total": {"positions": total.pop("positions"), "left_out": len(found.left_out), **total},
        "seconds": found.seconds,
    }


def _figures(one: SetGrade) -> dict[str, Any]:
    figures = {"positions": one.mistakes.positions, **_shares(one.mistakes)}
    if one.network_alone is not None:
        figures["network_alone"] = _shares(one.network_alone)
    return figures


def _shares(found: Mistakes) -> dict[str, Any]:
    return {
        "result_mistakes": found.share,
        "best_mistakes": found.not_best_share,
        "result_interval": list(found.interval),
        "best_interval": list(found.not_best_interval),
        "result_count": found.results,
        "best_count": found.not_best,
    }


def _show(found: Grade) -> None:
    out.print(f"{found.player} at {found.game}", markup=False, style="bold")
    rows = [*found.sets, *([found.total] if len(found.sets) > 1 else [])]
    out.print(_table([(one.name, one.mistakes) for one in rows]))
    alone = [(one.name, one.network_alone) for one in rows if one.network_alone is not None]
    if found.total.network_alone not in (None, found.total.mistakes):
        out.print("its network alone", style="bold")
        out.print(_table(alone))
    if found.left_out:
        out.print(f"left out: {len(found.left_out):,} lines")
    out.print(f"in brackets 95 %; {found.seconds:.1f} s", style="dim")


def _table(rows: list[tuple[str, Mistakes]]) -> Table:
    """Narrow enough for 80 columns."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("set")
    for heading in ("positions", "result mistakes", "best mistakes"):
        table.add_column(heading, justify="right")
    for name, one in rows:
        table.add_row(
            name, f"{one.positions:,}", _share(one.share, one.interval),
            _share(one.not_best_share, one.not_best_interval), style="bold" if name == "total" else None,
        )  # fmt: skip
    return table


def _share(share: float, interval: Interval) -> str:
    low, high = (100 * bound for bound in interval)
    return f"{share:.1%} ({low:.1f} to {high:.1f})"


def _complain(found: Grade, path: Path) -> None:
    """Say which lines of the file were left out, and why; the first of them."""
    for one in found.left_out[:_MOST_SHOWN]:
        err.print(f"{path}, line {one.number}: {one.reason}", markup=False)
    if (more := len(found.left_out) - _MOST_SHOWN) > 0:
        err.print(f"and {more:,} more lines")

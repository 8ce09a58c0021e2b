"""`zermelo check`: are the rules right?"""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from zermelo.cli.arguments import GameName, Positive, Seconds, Seed
from zermelo.cli.output import compiling, out, print_json, progress

if TYPE_CHECKING:
    from zermelo.games.findings import Report


def check(
    game: GameName,
    /,
    *,
    games: Positive = 2000,
    seconds: Seconds = 20.0,
    seed: Seed = 0,
    json: bool = False,
) -> int:
    """Play random games and report what is wrong with the rules, with the moves that lead there.

    Parameters
    ----------
    game
        Game to check, such as mygame.py.
    games
        Random games to play.
    seconds
        Stop after this time, even if games are left.
    seed
        Random seed.
    json
        Print JSON.
    """
    from zermelo.games import contract, registry
    from zermelo.search import rollouts
    from zermelo.search.interruption import until_interrupted

    with compiling():
        subject = registry.game(game)
        with (
            progress(f"checking {subject.name}", games, "games") as tell,
            until_interrupted() as interrupted,
        ):
            report = contract.check(subject, games, seed, seconds, tell, interrupted)
        left = interrupted()
        speed = rollouts.measure(subject).games_per_second if report.passed and not left else None
    if json:
        print_json(_as_json(report, speed) | ({"interrupted": True} if left else {}))
    else:
        _show(report, speed, games, left)
    if left:
        raise KeyboardInterrupt
    return 0 if report.passed else 1


def _show(report: Report, speed: float | None, games: int, left: bool) -> None:
    for problem in report.problems:
        out.print("[bold red]wrong[/]", end=" ")
        out.print(f"({problem.kind}) {problem}", markup=False)
        if problem.drawing:
            out.print(Text(indent(problem.drawing, "  ")))
    short = report.games < games and not left
    early = " (out of time; --seconds gives it more)" if short else ""
    if not report.games and not report.problems and not left:
        out.print(f"no game of {report.game} ended in time; --seconds gives it more")
    if report.passed:
        out.print(f"[bold green]{report.game} is right[/] in {report.games:,} random games" + early)
    if not report.games:
        return
    table = Table.grid(padding=(0, 2))
    widest = max(report.branching, default=0)
    table.add_row("legal moves", f"{report.mean_branching:.1f} on average, {widest} at most")
    shortest, longest = min(report.lengths), max(report.lengths)
    table.add_row("length", f"{report.mean_length:.1f} moves on average, {shortest} to {longest}")
    shares = ", ".join(f"{report.share(r):.1%} {r}" for r in ("first", "draw", "second"))
    table.add_row("results", f"{shares} player" if report.results else "")
    if speed is not None:
        table.add_row("speed", f"{speed:,.0f} random games per second on one core")
    out.print(table)


def _as_json(report: Report, speed: float | None) -> dict[str, object]:
    problems = [
        {"kind": p.kind, "moves": list(p.moves or ()), "message": p.message, "drawing": p.drawing}
        for p in report.problems
    ]
    return {
        "game": report.game,
        "passed": report.passed,
        "games": report.games,
        "problems": problems,
        "branching": report.mean_branching,
        "length": report.mean_length,
        "results": {result: report.share(result) for result in ("first", "draw", "second")},
        "random_games_per_second": speed,
    }

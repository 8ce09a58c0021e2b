"""UCT against players that cannot be beaten, on Tic-Tac-Toe (text 000, section 5.1.1, figure 5.1).

python examples/seeds/uct_iterations.py

Draws by C, at 500 iterations, with both colours; then draws as the second player by the number of
iterations, at C = 1.5. The text's opponent is minimax with alpha-beta, which always plays the same of
equally good moves; `perfect` plays any of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from experiment import Arguments, Facts, Found, number, run, save
from matplotlib.figure import Figure

import zermelo
from zermelo.arena.match import MatchResult
from zermelo.cli.output import progress
from zermelo.figures import Table
from zermelo.players.tree import UctPlayer

OPPONENTS = ("minimax:depth=9,random=false", "perfect")
BEST_C = 1.5
C_VALUES = tuple(k / 4 for k in range(13))
ITERATIONS = tuple(range(100, 1300, 100))

Results = dict[tuple[str, float], MatchResult]
"""By opponent, and what is varied."""


def meet(sims: int, c: float, opponent: str, games: int, seed: int, proofs: bool = False) -> MatchResult:
    """`games` games with each colour, all from the empty board."""
    uct = UctPlayer(sims=sims, c=c, proofs=proofs)
    return zermelo.match(
        zermelo.game("tictactoe"), uct, zermelo.player(opponent), 2 * games, seed, openings=0
    )


def by_c(values: Sequence[float], sims: int, games: int, seed: int) -> Results:
    """Matches with each C."""
    with progress("matches by C", len(OPPONENTS) * len(values), "matches") as display:
        found: Results = {}
        for opponent in OPPONENTS:
            for c in values:
                found[opponent, c] = meet(sims, c, opponent, games, seed)
                display(len(found))
        return found


def by_iterations(values: Sequence[int], games: int, seed: int, proofs: bool) -> Results:
    """Matches with each number of iterations."""
    with progress(
        "matches by iterations", len(OPPONENTS) * len(values), "matches", said=not proofs
    ) as display:
        found: Results = {}
        for opponent in OPPONENTS:
            for sims in values:
                found[opponent, sims] = meet(sims, BEST_C, opponent, games, seed, proofs)
                display(len(found))
        return found


def drawn(result: MatchResult, seat: int) -> int:
    """Draws of UCT, moving first (0) or second (1)."""
    return result.seated(seat)[1]


def _tables(constants: Results, plain: Results, proven: Results, sims: int, games: int) -> list[Table]:
    values = sorted({c for _, c in constants})
    by_constant = [
        [f"{c:g}", *(drawn(constants[name, c], seat) for name in OPPONENTS for seat in (0, 1))]
        for c in values
    ]
    text = {100: "53 of 100 (C = sqrt 2)", 200: "fewer than 70 of 100", 1200: "all but one"}
    by_number = [
        [
            int(n),
            text.get(int(n), ""),
            *(drawn(found[name, n], 1) for found in (plain, proven) for name in OPPONENTS),
        ]
        for n in sorted({n for _, n in plain})
    ]
    short = "minimax", "perfect"
    return [
        Table(
            f"Draws of UCT in {games} games by C, {sims} iterations. The text (a picture): 0 is useless, "
            "about 1.5 is best, moving first is easy",
            ["C", *(f"{who}, {seat}" for who in short for seat in ("first", "second"))],
            by_constant,
        ),
        Table(
            f"Draws of UCT in {games} games as the second player by iterations, C = {BEST_C}",
            ["iterations", "text", *short, *(f"{who}, with proofs" for who in short)],
            by_number,
        ),
    ]


def _picture(constants: Results, plain: Results, proven: Results) -> Figure:
    figure = Figure(figsize=(11, 4))
    left, right = figure.subplots(1, 2)
    values = sorted({c for _, c in constants})
    for name, colour in zip(OPPONENTS, ("tab:blue", "tab:orange"), strict=True):
        word = name.partition(":")[0]
        for seat, style, how in ((0, "--", "first"), (1, "-", "second")):
            draws = [drawn(constants[name, c], seat) for c in values]
            left.plot(values, draws, style, color=colour, marker=".", label=f"{how}, against {word}")
        for found, style, how in ((plain, "-", ""), (proven, ":", ", with proofs")):
            numbers = sorted({n for _, n in found})
            draws = [drawn(found[name, n], 1) for n in numbers]
            right.plot(
                numbers, draws, style, color=colour, marker=".", label=f"second, against {word}{how}"
            )
    left.set(title="a) Draws by C", xlabel="C", ylabel="draws")
    right.set(title=f"b) Draws by iterations, C = {BEST_C}", xlabel="iterations", ylabel="draws")
    for axes in (left, right):
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure


def _experiment(chosen: argparse.Namespace) -> Found:
    constants = by_c(chosen.c, chosen.sims, chosen.games, chosen.seed)
    plain, proven = (by_iterations(chosen.iterations, chosen.games, chosen.seed, p) for p in (False, True))
    of_c, of_iterations = _tables(constants, plain, proven, chosen.sims, chosen.games)
    yield "C", of_c
    yield "iterations", of_iterations
    wins = sum(result.wins for found in (constants, plain, proven) for result in found.values())
    games = sum(result.games for found in (constants, plain, proven) for result in found.values())
    yield "wins", Facts("UCT won {wins} of all {games:,} games.", {"wins": wins, "games": games})
    save(_picture(constants, plain, proven), chosen.out, "uct_iterations")


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.size("c", C_VALUES, (0.0, BEST_C), "values of C", number)
    parser.size("sims", 500, 500, "iterations where C is varied")
    parser.size("iterations", ITERATIONS, (20, 1200), f"iterations that are tried with C = {BEST_C}")
    parser.size("games", 50, 10, "games with each colour")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()

"""How many positions Connect 4 has: by formula and by counting (text 002, section 3).

python examples/seeds/positions.py

The text bounds the number by placements of stones on any cells (equation 65). That stones fall gives a
much lower bound. Which positions can arise in play has to be counted; here the first plies are.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import comb, factorial

from experiment import Arguments, Found, run, save
from matplotlib.figure import Figure

import zermelo
from zermelo.figures import Table
from zermelo.search.perft import positions

ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
TEXT_PLACEMENTS = 16_282_402_094_173_127_445
TEXT_POSITIONS = 4_531_985_219_092
PUBLISHED = (
    1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101, 30929111, 75437595,
    176541259, 394591391, 858218743, 1763883894, 3568259802, 6746155945, 12673345045, 22010823988,
    38263228189, 60830813459, 97266114959, 140728569039, 205289508055, 268057611944, 352626845666,
    410378505447, 479206477733, 488906447183, 496636890702, 433471730336, 370947887723, 266313901222,
    183615682381, 104004465349, 55156010773, 22695896495, 7811825938, 1459332899,
)  # fmt: skip
"""Positions after each number of plies, OEIS A212693; their sum is what the text quotes."""


def placements(plies: int) -> int:
    """Equation 65: ways to put so many stones on any cells, the first player's half rounded up."""
    first = (plies + 1) // 2
    return comb(CELLS, first) * comb(CELLS - first, plies - first)


def heights(plies: int) -> int:
    """In how many ways so many stones fill seven columns of six cells from below."""
    ways = [1] + [0] * plies
    for _ in range(COLUMNS):
        ways = [sum(ways[max(0, n - ROWS) : n + 1]) for n in range(plies + 1)]
    return ways[plies]


def fallen(plies: int) -> int:
    """A bound where stones fall: ways to fill the columns, times ways to colour that many stones."""
    return heights(plies) * comb(plies, plies // 2)


def _picture(counted: Sequence[int]) -> Figure:
    figure = Figure(figsize=(8, 4.5))
    axes = figure.subplots()
    plies = range(CELLS + 1)
    axes.semilogy(plies, [placements(n) for n in plies], label="stones anywhere (equation 65)")
    axes.semilogy(plies, [fallen(n) for n in plies], label="stones that fall")
    axes.semilogy(plies, PUBLISHED, label="published counts")
    axes.semilogy(range(len(counted)), counted, "k.", label="counted here")
    axes.set(title="Positions of Connect 4", xlabel="plies", ylabel="positions")
    axes.legend()
    return figure


def _experiment(chosen: argparse.Namespace) -> Found:
    counted = positions(zermelo.game("connect4"), chosen.plies)
    rows = [
        [n, placements(n), fallen(n), count, PUBLISHED[n], "yes" if count == PUBLISHED[n] else "NO"]
        for n, count in enumerate(counted)
    ]
    columns = ["plies", "equation 65", "stones that fall", "counted", "published", "equal"]
    yield "plies", Table("Positions after the first plies", columns, rows)
    anywhere = sum(placements(n) for n in range(CELLS + 1))
    bounds: list[list[object]] = [
        ["3^42", None, 3**CELLS],
        ["42!", None, factorial(CELLS)],
        ["sum of equation 65", TEXT_PLACEMENTS, anywhere],
        ["the same where stones fall", None, sum(fallen(n) for n in range(CELLS + 1))],
        ["positions that can arise", TEXT_POSITIONS, sum(PUBLISHED)],
    ]
    about = "All plies; the last line is the sum of the published counts"
    yield "bounds", Table(about, ["bound or count", "text", "here"], bounds)
    save(_picture(counted), chosen.out, "positions")


def plies(text: str) -> int:
    """A number of plies that a game can have."""
    number = int(text)
    if not 0 <= number <= CELLS:
        raise argparse.ArgumentTypeError(f"{number} is not from 0 to {CELLS}")
    return number


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.size("plies", 10, 6, "how many plies are counted; each takes about three times as long", plies)
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()

"""The Connect 4 match table (text 000, table 5.5).

    python examples/seeds/connect4_matches.py                        # the network that ships
    python examples/seeds/connect4_matches.py --model runs/connect4  # one's own

A network with 800 simulations against minimax of depth 5 and 6 and UCT with 400, 800 and 1,200 iterations,
50 games moving first and 50 moving second. Games begin with two random moves: from the empty board a
network that draws no lots and minimax play one line again and again, and the table would count it fifty
times. The text's prose names MCTS with 200, 400 and 600 iterations; its table has 400, 800 and 1,200, which
is taken here. The heuristic of minimax is Zermelo's, not the text's count of pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from experiment import Arguments, Facts, Found, run, save, whole
from opponents import SEATS, bars, different, matches, wins_and_losses

from zermelo.arena.match import MatchResult
from zermelo.figures import Table
from zermelo.players.az import AzPlayer

TEXT = {
    "minimax:depth=5": ("45-5", "35-14"),
    "minimax:depth=6": ("46-2", "38-10"),
    "uct:sims=400": ("30-19", "22-23"),
    "uct:sims=800": ("31-19", "29-17"),
    "uct:sims=1200": ("25-25", "19-29"),
}
"""Won and lost by the network of the text, moving first and second; 50 games each."""


def _table(found: dict[str, MatchResult], player: str, games: int) -> Table:
    rows = []
    for name, result in found.items():
        for seat, word in enumerate(SEATS):
            wins, draws, _ = result.seated(seat)
            rows.append([name, word, TEXT[name][seat], wins_and_losses(result, seat), draws,
                         f"{(wins + draws / 2) / games:.0%}", different(result, seat)])  # fmt: skip
    columns = [
        "opponent",
        "moving",
        "text: won-lost of 50",
        "won-lost",
        "drawn",
        "points",
        "different beginnings",
    ]
    return Table(f"{player}, {games} games each", columns, rows)


def _experiment(chosen: argparse.Namespace) -> Found:
    player = AzPlayer(model=chosen.model, sims=chosen.sims)
    found = matches(
        "the network plays",
        "connect4",
        player,
        chosen.opponents,
        chosen.games,
        chosen.openings,
        chosen.seed,
    )
    yield "matches", _table(found, player.name, chosen.games)
    for name, result in found.items():
        low, high = result.interval
        text = f"{name}: {{points:.1%}} of the points, {{low:.1%}} to {{high:.1%}} with 95 % confidence"
        yield name, Facts(text, {"points": result.score, "low": low, "high": high})
    save(bars(found, player.name), chosen.out, "connect4_matches")


def opponent(text: str) -> str:
    """One of those of the table."""
    if text not in TEXT:
        raise argparse.ArgumentTypeError(f"{text} is not in table 5.5: {' '.join(TEXT)}")
    return text


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.add_argument(
        "--model", default="", help="a run or a model file (the model that ships, if one does)"
    )
    parser.add_argument("--openings", type=whole, default=2, help="random moves before each game (2)")
    parser.size("opponents", tuple(TEXT), ("minimax:depth=5", "uct:sims=400"), "against whom", opponent)
    parser.size("sims", 800, 10, "simulations for a move of the network")
    parser.size("games", 50, 2, "games moving first, and as many moving second")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()

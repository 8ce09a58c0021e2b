"""`zermelo perft`: how many lines of play there are."""

from __future__ import annotations

import time

from zermelo.cli.arguments import Count, GameName
from zermelo.cli.output import compiling, out, print_json


def perft(game: GameName, depth: Count, /, *, positions: bool = False, json: bool = False) -> None:
    """Count the lines of play of exactly DEPTH moves, to compare rules with another program.

    Parameters
    ----------
    game
        Game, such as connect4, othello:size=6 or mygame.py.
    depth
        Number of moves.
    positions
        Also count distinct positions after 0, 1, ... DEPTH moves.
    json
        Print JSON.
    """
    from zermelo.games import registry
    from zermelo.search import perft as counting

    with compiling():
        subject = registry.game(game)
        counting.perft(subject, min(depth, 1))
        begin = time.perf_counter()
        found = counting.perft(subject, depth)
        seconds = time.perf_counter() - begin
        different = counting.positions(subject, depth) if positions else None
    if json:
        answer = {"game": subject.name, "depth": depth, "nodes": found.nodes, "ended": found.ended}
        print_json({**answer, "seconds": seconds, **({"positions": different} if different else {})})
        return
    out.print(
        f"{found.nodes:,} lines of {depth} moves in {seconds:.2f} s; {found.ended:,} games over by then"
    )
    for ply, count in enumerate(different or []):
        out.print(f"{ply:4} moves: {count:,} positions")

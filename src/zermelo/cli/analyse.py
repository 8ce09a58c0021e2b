"""`zermelo analyse`: what does a player think of a position?"""

from __future__ import annotations

from pathlib import Path

from zermelo.cli.arguments import Seed
from zermelo.cli.opinion import show
from zermelo.cli.output import compiling, err, print_json, thinking


def analyse(
    game: str,
    /,
    *,
    moves: str = "",
    player: str | None = None,
    seed: Seed = 0,
    tree: Path | None = None,
    json: bool = False,
) -> None:
    """Show what a player that searches, or solves, thinks of every move in a position.

    Parameters
    ----------
    game
        The game.
    moves
        The moves that lead to the position, such as "4 4 3".
    player
        A player that searches, or perfect; unless given, the trained player that ships for the game
        (az:sims=2000), or uct:sims=20000 where there is none.
    seed
        Which chance.
    tree
        A file to draw the search tree into, as SVG.
    json
        Print JSON instead.
    """
    from zermelo.cli.board import board
    from zermelo.errors import BadParameter
    from zermelo.files import replace_file
    from zermelo.games import registry
    from zermelo.players.analysis import ADVISER, adviser_for, way_to_think
    from zermelo.players.registry import player as named
    from zermelo.players.tree import TreePlayer
    from zermelo.search.tree_drawing import tree_svg

    subject = registry.game(game)
    thinker = named(player or adviser_for(subject))
    think = way_to_think(thinker)
    if think is None:
        raise BadParameter(f"`{player}` cannot tell what it thinks; try {ADVISER} or perfect")
    if tree is not None and not isinstance(thinker, TreePlayer):
        raise BadParameter(f"`{player}` searches no tree that could be drawn; try {ADVISER}")
    with compiling():
        position = subject.position(moves)
        if position.is_over:
            raise BadParameter(f"nothing can be analysed after {moves}: the game is over")
        thinker.check(position)
        with thinking(f"{thinker.name} is thinking"):
            _, analysis = think(position, seed)
    if tree is not None and isinstance(thinker, TreePlayer):
        replace_file(tree, tree_svg(thinker.tree(position)).encode())
        err.print(f"wrote {tree}", markup=False)
    if json:
        print_json(analysis.json())
        return
    board(position)
    show(analysis)

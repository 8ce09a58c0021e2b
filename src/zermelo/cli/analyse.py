"""`zermelo analyse`: what does a player think of a position?"""

from __future__ import annotations

from pathlib import Path

from zermelo.cli.arguments import GameName, PlayerName, Seed
from zermelo.cli.opinion import show
from zermelo.cli.output import compiling, err, print_json, thinking


def analyse(
    game: GameName,
    /,
    *,
    moves: str = "",
    player: PlayerName | None = None,
    seed: Seed = 0,
    tree: Path | None = None,
    json: bool = False,
) -> None:
    """Rate every move of a position.

    Parameters
    ----------
    game
        Game, such as connect4, othello:size=6 or mygame.py.
    moves
        Moves that lead to the position, such as "4 4 3"; the start unless given.
    player
        Player that searches, or perfect for exact results. Unless given, the network that ships with the
        game (az:sims=2000), or uct:sims=20000.
    seed
        Random seed.
    tree
        Draw the search tree into this SVG file.
    json
        Print JSON.
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

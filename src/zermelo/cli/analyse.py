"""`zermelo analyse`: what does a player think of a position?"""

from __future__ import annotations

from zermelo.cli.arguments import Seed
from zermelo.cli.opinion import ADVISER, way_to_think
from zermelo.cli.output import compiling, print_json, thinking


def analyse(
    game: str, /, *, moves: str = "", player: str = ADVISER, seed: Seed = 0, json: bool = False
) -> None:
    """Show what a player that searches, or solves, thinks of every move in a position.

    Parameters
    ----------
    game
        The game.
    moves
        The moves that lead to the position, such as "4 4 3".
    player
        A player that searches, or perfect.
    seed
        Which chance.
    json
        Print JSON instead.
    """
    from zermelo.cli.board import board
    from zermelo.errors import BadParameter
    from zermelo.games import registry
    from zermelo.players.registry import player as named

    thinker = named(player)
    think = way_to_think(thinker)
    if think is None:
        raise BadParameter(f"`{player}` cannot tell what it thinks; try {ADVISER} or perfect")
    with compiling():
        position = registry.game(game).position(moves)
        if position.is_over:
            raise BadParameter(f"nothing can be analysed after {moves}: the game is over")
        thinker.check(position)
        with thinking(f"{thinker.name} is thinking"):
            _, opinion = think(position, seed)
    if json:
        print_json(opinion.json())
        return
    board(position)
    opinion.show()

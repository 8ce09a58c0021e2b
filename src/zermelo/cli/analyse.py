"""`zermelo analyse`: what does a player think of a position?"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter, validators

from zermelo.cli.output import compiling, print_json, thinking

Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]


def analyse(
    game: str, /, *, moves: str = "", player: str = "uct:sims=20000", seed: Count = 0, json: bool = False
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
    from zermelo.cli.opinion import think, thinks
    from zermelo.errors import BadParameter
    from zermelo.games import registry
    from zermelo.players.registry import player as named

    thinker = named(player)
    if not thinks(thinker):
        raise BadParameter(f"`{player}` cannot tell what it thinks; try uct:sims=20000 or perfect")
    with compiling():
        position = registry.game(game).position(moves)
        if position.is_over:
            raise BadParameter(f"nothing can be analysed after {moves}: the game is over")
        thinker.check(position)
        with thinking(f"{thinker.name} is thinking"):
            _, opinion = think(thinker, position, seed)
    assert opinion is not None
    if json:
        print_json(opinion.json())
        return
    board(position)
    opinion.show()

"""`zermelo gomocup`: our players in Piskvork and other managers of Gomoku."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from zermelo.cli.arguments import Seed
from zermelo.cli.gtp import write
from zermelo.cli.output import compiling

if TYPE_CHECKING:
    from zermelo.games.base import Game
    from zermelo.players.base import Player


def gomocup(*, player: str | None = None, seed: Seed | None = None) -> None:
    """Play Gomoku for a manager, which writes commands of the Gomocup protocol to standard input.

    Parameters
    ----------
    player
        Who plays, such as az:sims=400; unless given, the trained player that ships for the board, or
        minimax:time=inf where there is none. Both use all the time that they are given.
    seed
        Which chance the player has; another one each time unless given.
    """
    import secrets

    from zermelo.engines.gomocup import GomocupServer
    from zermelo.engines.lines import StreamLines
    from zermelo.network.shipped import shipped_models
    from zermelo.players.registry import player as named

    if player is not None:
        named(player)  # what is wrong with it is told before a game begins

    def player_for(game: Game) -> Player:
        trained = "az:time=inf" if game.name in shipped_models() else "minimax:time=inf"
        return named(player or trained)

    chance = secrets.randbits(32) if seed is None else seed
    with compiling():
        GomocupServer(player_for, chance, StreamLines(sys.stdin.buffer), write).run()

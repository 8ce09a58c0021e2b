"""`zermelo gomocup`: our players in Piskvork and other managers of Gomoku."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from zermelo.cli.arguments import PlayerName, Seed
from zermelo.cli.gtp import write
from zermelo.cli.output import compiling

if TYPE_CHECKING:
    from zermelo.games.base import Game
    from zermelo.players.base import Player


def gomocup(*, player: PlayerName | None = None, seed: Seed | None = None) -> None:
    """Be a Gomoku engine for Piskvork, or another manager of Gomocup, over standard input and output.

    Parameters
    ----------
    player
        Player, such as az:sims=400. Unless given, the network that ships for the board size, or
        minimax:time=inf; both use the time that the manager allows.
    seed
        Random seed of the player; a new one each time unless given.
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

"""`zermelo gtp`: our players in programs that speak the Go Text Protocol."""

from __future__ import annotations

import sys

from zermelo.cli.arguments import GameName, PlayerName, Seed
from zermelo.cli.output import compiling


def gtp(game: GameName, /, *, player: PlayerName | None = None, seed: Seed | None = None) -> None:
    """Be an engine for a GTP program such as Sabaki, over standard input and output.

    Parameters
    ----------
    game
        Game with a board.
    player
        Player, such as az:sims=400. Unless given, the network that ships with the game, or uct:sims=5000.
    seed
        Random seed of the player; a new one each time unless given.
    """
    import secrets

    from zermelo.cli.play import opponent_for
    from zermelo.engines.gtp import GtpServer
    from zermelo.engines.lines import StreamLines
    from zermelo.games import registry
    from zermelo.players.registry import player as named

    subject = registry.game(game)
    thinker = named(player or opponent_for(subject))
    chance = secrets.randbits(32) if seed is None else seed
    with compiling():
        server = GtpServer(subject, thinker, chance, StreamLines(sys.stdin.buffer), write)
    try:
        server.run()
    finally:
        thinker.close()


def write(text: str) -> None:
    """To the other program, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()

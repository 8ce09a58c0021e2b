"""`zermelo gtp`: our players in programs that speak the Go Text Protocol."""

from __future__ import annotations

import sys

from zermelo.cli.arguments import Seed
from zermelo.cli.output import compiling


def gtp(game: str, /, *, player: str | None = None, seed: Seed | None = None) -> None:
    """Play for another program, which writes commands of GTP 2 to standard input and reads the answers.

    Parameters
    ----------
    game
        The game.
    player
        Who plays, such as az:sims=400; unless given, the trained player that ships for the game, or
        uct:sims=5000 where there is none.
    seed
        Which chance the player has; another one each time unless given.
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

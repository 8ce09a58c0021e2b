"""`zermelo match`: who is stronger?"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter, validators

from zermelo.cli.output import compiling, out, print_json, progress

Positive = Annotated[int, Parameter(validator=validators.Number(gte=1))]
Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]


def match(
    game: str,
    a: str,
    b: str,
    /,
    *,
    games: Positive = 100,
    seed: Count = 0,
    openings: Count = 2,
    json: bool = False,
) -> None:
    """Play games between two players, with both colours and from varied openings.

    Parameters
    ----------
    game
        The game.
    a
        A player, such as uct:sims=800.
    b
        The other player.
    games
        How many games to play; each opening is played twice, colours changed.
    seed
        Which openings and which chance.
    openings
        How many random moves each opening has.
    json
        Print JSON instead.
    """
    from zermelo.arena.match import match as play
    from zermelo.games import registry
    from zermelo.players.registry import player

    with compiling():
        subject, first, second = registry.game(game), player(a), player(b)
        with progress(f"{first.name} against {second.name}", games, "games") as tell:
            result = play(subject, first, second, games, seed, openings, tell)
    low, high = result.interval
    if json:
        print_json(
            {
                "game": result.game,
                "a": result.a,
                "b": result.b,
                "games": result.games,
                "wins": result.wins,
                "draws": result.draws,
                "losses": result.losses,
                "score": result.score,
                "interval": [low, high],
                "seconds": result.seconds,
            }
        )
        return
    out.print(f"[bold]{result.a}[/] against [bold]{result.b}[/] at {result.game}, {result.games} games")
    out.print(
        f"[green]{result.wins} won[/], {result.draws} drawn, [red]{result.losses} lost[/]: "
        f"score {result.score:.1%} (95 %: {low:.1%} to {high:.1%}), "
        f"{result.games / result.seconds:.1f} games per second"
    )

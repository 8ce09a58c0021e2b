"""`zermelo bench`: how fast is a game here?"""

from __future__ import annotations

from zermelo.cli.arguments import Seconds
from zermelo.cli.output import compiling, out, print_json, progress


def bench(game: str, /, *, seconds: Seconds = 3.0, json: bool = False) -> None:
    """Measure how fast a game is on one core of this machine: best of three.

    Parameters
    ----------
    game
        The game to measure.
    seconds
        How long each figure is measured, about.
    json
        Print JSON instead.
    """
    from zermelo.games import registry
    from zermelo.search import rollouts, speed
    from zermelo.search.tree import VARIANTS

    with compiling():
        subject = registry.game(game)
        subject.position()
        with progress(f"measuring {subject.name}", 2 + len(VARIANTS), "figures") as tell:
            played = rollouts.measure(subject, seconds)
            tell(1)
            variants = {}
            for number, variant in enumerate(VARIANTS):
                variants[variant] = speed.simulations_per_second(subject, variant)
                tell(2 + number)
            uct = speed.uct_simulations_per_second(subject)
    if json:
        print_json(
            {
                "game": subject.name,
                "random_games_per_second": played.games_per_second,
                "random_moves_per_second": played.moves_per_second,
                "simulations_per_second": variants["puct"],
                "variants": variants,
                "uct_simulations_per_second": uct,
            }
        )
        return
    out.print(f"{played.games_per_second:>14,.0f} random games per second")
    out.print(f"{played.moves_per_second:>14,.0f} random moves per second")
    for variant, figure in variants.items():
        out.print(f"{figure:>14,.0f} simulations per second, {variant}, without an evaluator")
    out.print(f"{uct:>14,.0f} simulations per second, uct with random games")

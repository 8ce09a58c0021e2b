"""`zermelo bench`: how fast is a game here?"""

from __future__ import annotations

import dataclasses
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from zermelo.cli.arguments import GameName, Seconds
from zermelo.cli.output import compiling, out, print_json, progress

if TYPE_CHECKING:
    from zermelo.games.base import Game


def bench(game: GameName, /, *, seconds: Seconds = 3.0, json: bool = False) -> None:
    """Measure how fast a game is on one core of this machine, and its self-play on all.

    Parameters
    ----------
    game
        Game to measure.
    seconds
        Time for each figure, roughly; there are about 15.
    json
        Print JSON.
    """
    from zermelo.games import registry
    from zermelo.network import selfplay_speed
    from zermelo.search import rollouts, speed
    from zermelo.search.tree import VARIANTS

    with compiling():
        subject = registry.game(game)
        subject.position()
        with progress(f"measuring {subject.name}", 4 + len(VARIANTS), "figures") as tell:
            played = rollouts.measure(subject, seconds)
            tell(1)
            variants = {}
            for number, variant in enumerate(VARIANTS):
                variants[variant] = speed.simulations_per_second(subject, variant, seconds)
                tell(2 + number)
            uct = speed.uct_simulations_per_second(subject, seconds=seconds)
            tell(2 + len(VARIANTS))
            selfplay = selfplay_speed.measure(subject, seconds)
            tell(3 + len(VARIANTS))
            facts = {
                "game": subject.name,
                "random_games_per_second": played.games_per_second,
                "random_moves_per_second": played.moves_per_second,
                "simulations_per_second": variants["puct"],
                "variants": variants,
                "uct_simulations_per_second": uct,
                "selfplay": dataclasses.asdict(selfplay),
                **_evaluators(subject, seconds),
            }
    if json:
        print_json(facts)
    else:
        _show(facts)


def _evaluators(game: Game, seconds: float) -> dict[str, Any]:
    """The network of self-play by ONNX Runtime and by PyTorch, if that is installed."""
    if find_spec("torch") is None:
        return {}
    from zermelo.network.architecture import Shape
    from zermelo.network.model import untrained
    from zermelo.network.selfplay_speed import NETWORK
    from zermelo.network.speed import compare

    found = compare(untrained(game, NETWORK), Shape.of(game), seconds)
    return {"evaluators": dataclasses.asdict(found)}


def _show(facts: dict[str, Any]) -> None:
    def line(figure: float, what: str) -> None:
        out.print(f"{figure:>14,.0f} {what}")

    line(facts["random_games_per_second"], "random games per second")
    line(facts["random_moves_per_second"], "random moves per second")
    for variant, figure in facts["variants"].items():
        line(figure, f"simulations per second, {variant}, without an evaluator")
    line(facts["uct_simulations_per_second"], "simulations per second, uct with random games")
    selfplay = facts["selfplay"]
    line(selfplay["simulations_per_second"], "simulations per second in self-play, 256 games, network 3x32")
    line(selfplay["evaluations_per_second"], "evaluations per second in self-play")
    line(100 * selfplay["network_share"], "% of self-play is inside the network")
    line(100 * selfplay["evaluator_efficiency"], "% of the speed of ONNX Runtime alone is reached there")
    if evaluators := facts.get("evaluators"):
        for name, key in (("ONNX Runtime", "onnxruntime"), ("PyTorch", "pytorch")):
            for batch, figure in evaluators[key].items():
                line(figure, f"evaluations per second, {name}, batches of {batch}")
        out.print(f"{evaluators['maximum_difference']:>14.1e} is the most by which their answers differ")

"""How the players that ship are best trained: recipes for equal CPU-seconds, graded by solvers and matches.

    python benchmarks/recipes.py connect4 --seeds 2
    python benchmarks/recipes.py othello6 --names "the preset" "4x32" --cpu-seconds 900

Runs lie in runs/recipes and go on where they stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import zermelo
from learning import network_alone, told
from zermelo.arena.match import match
from zermelo.arena.mistakes import mistakes
from zermelo.exact.sets import SETS, shipped
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run

RUNS = Path("runs/recipes")
SIMS = 100
GAMES = {
    "connect4": "connect4",
    "othello6": "othello:size=6",
    "othello8": "othello",
    "gomoku8": "gomoku:size=8",
    "gomoku15": "gomoku",
}
SET = {"connect4": "plies-10-16", "othello6": "endgames"}
OPPONENTS = {
    "connect4": (),
    "othello6": ("minimax:depth=4", "uct:sims=1000"),
    "othello8": ("minimax:depth=4", "uct:sims=1000"),
    "gomoku8": ("minimax:depth=2", "uct:sims=2000"),
    "gomoku15": ("minimax:depth=2", "uct:sims=2000"),
}
CONNECT4 = {
    "value_scale 0.5": {"selfplay.search.value_scale": "0.5"},
    "value_scale 1": {"selfplay.search.value_scale": "1.0"},
    "half the simulations": {"selfplay.search.simulations": "16", "selfplay.final_simulations": "32"},
    "30,000 endgame positions": {"selfplay.endgame_positions": "30000"},
    "1,000,000 endgame positions": {"selfplay.endgame_positions": "1000000"},
    "no endgame positions": {"selfplay.endgame_positions": "0"},
    "surprise": {"replay.surprise": "0.5"},
    "each position twice": {"rounds.uses": "2"},
    "each position eight times": {"rounds.uses": "8"},
    "a window three times as large": {"replay.growing_from": "60000"},
    "a scalar value": {"network.value": "scalar"},
    "4x48": {"network.blocks": "4", "network.filters": "48"},
    "twice the simulations": {"selfplay.search.simulations": "64", "selfplay.final_simulations": "128"},
    "a quarter of searches full": {
        "selfplay.full_share": "0.25", "selfplay.search.simulations": "96",
        "selfplay.final_simulations": "192", "selfplay.quick_simulations": "16",
    },
    "puct": {"selfplay.search.variant": "puct", "selfplay.search.noise": "0.25"},
}  # fmt: skip
SMALLER = {
    "4x48": {"network.blocks": "4", "network.filters": "48"},
    "4x32": {"network.blocks": "4", "network.filters": "32"},
    "6x48": {"network.blocks": "6", "network.filters": "48"},
}
MUON = {
    "learner.optimiser": "muon", "learner.momentum": "0.95", "learner.batch": "128",
    "learner.rate": "0.003",
}  # fmt: skip
RECIPES: dict[str, dict[str, dict[str, str]]] = {
    "connect4": CONNECT4,
    "othello6": SMALLER,
    "othello8": SMALLER,
    "gomoku8": SMALLER,
    "gomoku15": {**SMALLER, "4x32, muon": {**SMALLER["4x32"], **MUON}},
}
"""By game and name: what differs from the preset."""


def measured(game: zermelo.Game, short: str, run: Path, games: int) -> dict[str, Any]:
    """Mistakes in the set of the game, if it has one, and points against its opponents."""
    player = zermelo.player(f"az:model={run},sims={SIMS}")
    found: dict[str, Any] = {}
    if game.name in SETS:
        positions = shipped(game, SET[short])
        found = {**network_alone(run, positions), f"with_{SIMS}": mistakes(player, positions).share}
    for other in OPPONENTS[short]:
        found[other] = 100 * match(game, player, zermelo.player(other), games, openings=4).score
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--names", nargs="+", help="of recipes; all")
    parser.add_argument("--cpu-seconds", type=float, default=400)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--games", type=int, default=40, help="of each match")
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="in all of them")
    chosen = parser.parse_args()
    recipes = {"the preset": {}, **RECIPES[chosen.game]}
    if unknown := set(chosen.names or ()) - set(recipes):
        parser.error(f"{', '.join(unknown)}: there are {', '.join(recipes)}")
    common = dict(one.split("=", 1) for one in chosen.set)
    game = zermelo.game(GAMES[chosen.game])
    for seed in range(chosen.seeds):
        for name in chosen.names or recipes:
            words = "".join(c if c.isalnum() else "-" for c in name)
            path = RUNS / f"{chosen.game}-{words}-{chosen.cpu_seconds:.0f}-{seed}"
            config = completed(
                {"game": game.name},
                {"seed": str(seed), "watch.share": "0", **common, **recipes[name]},
            )
            run = Run(path, config)
            for _ in run.train(Limits(cpu_seconds=chosen.cpu_seconds)):
                pass
            told(what="recipe", game=chosen.game, name=name, seed=seed, cpu_seconds=chosen.cpu_seconds,
                 positions=run.manifest["positions"], steps=run.manifest["steps"],
                 **measured(game, chosen.game, path, chosen.games))  # fmt: skip


if __name__ == "__main__":
    main()

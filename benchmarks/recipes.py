"""How the players that ship are best trained: recipes for equal CPU-seconds, graded by solvers and matches.

    python benchmarks/recipes.py connect4 --seeds 2
    python benchmarks/recipes.py othello6 --names "the preset" "plain planes" --cpu-seconds 900

A network of 4x32 unless a recipe says otherwise (Gomoku: one of 4x48 that has learnt already), one thread.
In the first run compiling counts too: let one of a few seconds go before.
Runs lie in runs/recipes and go on where they stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

import zermelo
from learning import network_alone, told
from zermelo.arena.match import match
from zermelo.arena.mistakes import mistakes
from zermelo.exact.sets import SETS, shipped
from zermelo.learning.config import completed, read_toml
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run

RUNS = Path("runs/recipes")
SIMS, PRESET = 100, "the preset"
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
    "gomoku8": ("minimax:depth=4", "uct:sims=2000"),
    "gomoku15": ("minimax:depth=4", "uct:sims=2000"),
}
SMALL = {"network.blocks": "4", "network.filters": "32"}
TAUGHT = {"start.model": "configs/shipped/gomoku15-start.safetensors"}
BASE = {"gomoku8": ("gomoku15-start", TAUGHT), "gomoku15": ("gomoku15", TAUGHT)}
"""Where recipes of a game do not have a small network in common: the configuration in configs/shipped that
they differ from, and changes. Gomoku is learnt slowly, so its runs begin with a network that knows it on
8x8 and draws most games against itself."""
SOFTER = {"selfplay.search.value_scale": "0.1"}
CANONICAL = {"selfplay.search.symmetry": "canonical"}
SURPRISE, SCALAR = {"replay.surprise": "0.5"}, {"network.value": "scalar"}
PUCT = {"selfplay.search.variant": "puct", "selfplay.search.noise": "0.25"}
TWICE = {"selfplay.search.simulations": "64", "selfplay.final_simulations": "128"}
COMMON = {
    "plain planes": {"encoding": ""},
    "softer policies (value_scale 0.1)": SOFTER,
    "puct, not gumbel": PUCT,
    "twice the simulations": TWICE,
    "only results as values": {"replay.search_weight": "0.0"},
    "a window three times as large": {"replay.growing_from": "60000"},
    "twice the rate": {"learner.rate": "0.006"},
    "4x48": {"network.filters": "48"},
}
CONNECT4 = {
    **COMMON,
    "no chains of threats": {"selfplay.search.chains": "0"},
    "plain planes, softer policies": {"encoding": "", **SOFTER},
    "canonical symmetry": CANONICAL,
    "canonical symmetry, surprise": {**CANONICAL, **SURPRISE},
    "canonical symmetry, surprise, a scalar value": {**CANONICAL, **SURPRISE, **SCALAR},
    "half the simulations": {"selfplay.search.simulations": "16", "selfplay.final_simulations": "32"},
    "no ends proven": {"selfplay.endgame_positions": "0"},
    "surprise": SURPRISE,
    "each position twice": {"rounds.uses": "2"},
    "a scalar value": SCALAR,
    "5x64": {"network.blocks": "5", "network.filters": "64"},
}
OTHELLO = {**COMMON, "6x48": {"network.blocks": "6", "network.filters": "48"}}
GOMOKU = {
    "puct, not gumbel": PUCT,
    "half of the games uneven": {"selfplay.uneven_share": "0.5"},
    "all games uneven": {"selfplay.uneven_share": "1.0"},
    "all games uneven, one simulation": {"selfplay.uneven_share": "1.0", "selfplay.quick_simulations": "1"},
    "twice the simulations": TWICE,
    "no chains of threats": {"selfplay.search.chains": "0"},
}
RECIPES = {
    "connect4": CONNECT4,
    "othello6": OTHELLO,
    "othello8": OTHELLO,
    "gomoku8": GOMOKU,
    "gomoku15": GOMOKU,
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


def trained(
    short: str, name: str, seed: int, cpu_seconds: float, changes: dict[str, str], games: int
) -> dict[str, Any]:
    """What a recipe reaches with this seed."""
    words = "".join(c if c.isalnum() else "-" for c in name)
    path, game = RUNS / f"{short}-{words}-{cpu_seconds:.0f}-{seed}", zermelo.game(GAMES[short])
    values, common = {"game": game.name}, SMALL
    if short in BASE:
        file, common = BASE[short]
        values = read_toml(Path(f"configs/shipped/{file}.toml").read_text())
    config = completed(values, {"seed": str(seed), "watch.share": "0", **common, **changes})
    run = Run(path, config)
    for _ in run.train(Limits(cpu_seconds=cpu_seconds)):
        pass
    return {
        "positions": run.manifest["positions"],
        "steps": run.manifest["steps"],
        **measured(game, short, path, games),
    }


def each(short: str, found: list[dict[str, Any]]) -> str:
    """What each seed reached in points against the first opponent, or else in mistakes."""
    if OPPONENTS[short]:
        return ", ".join(f"{one[OPPONENTS[short][0]]:.1f}" for one in found)
    return ", ".join(f"{100 * one[f'with_{SIMS}']:.1f}" for one in found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--names", nargs="+", help="of recipes; all")
    parser.add_argument("--cpu-seconds", type=float, default=240)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--games", type=int, default=40, help="of each match")
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="in all of them")
    chosen = parser.parse_args()
    recipes: dict[str, dict[str, str]] = {PRESET: {}, **RECIPES[chosen.game]}
    if unknown := set(chosen.names or ()) - set(recipes):
        parser.error(f"{', '.join(unknown)}: there are {', '.join(recipes)}")
    common = dict(one.split("=", 1) for one in chosen.set)
    torch.set_num_threads(1)
    for name in chosen.names or recipes:
        found = [
            trained(chosen.game, name, seed, chosen.cpu_seconds, {**common, **recipes[name]}, chosen.games)
            for seed in range(chosen.seeds)
        ]
        told(what="recipe", game=chosen.game, name=name, cpu_seconds=chosen.cpu_seconds,
             each=each(chosen.game, found),
             **{figure: [one[figure] for one in found] for figure in found[0]})  # fmt: skip


if __name__ == "__main__":
    main()

"""What a run of a game begins with, unless other values are given."""

from __future__ import annotations

import math
from typing import Any

from zermelo.games.base import CompiledGame, Game
from zermelo.learning.replay import bytes_per_position
from zermelo.search.settings import plies_ahead, tells_threats

TINY, SMALL = 16, 64
"""Cells of a board up to which a game is one of these; a tiny one has no more moves than that either."""
AHEAD, CHAINS = 50, 200
"""Moves of a look ahead in self-play (more would take longer than a small network does), and of chains of
threats, most of which are much shorter."""

SLOW_WARM_GAMES = 400
"""Random games that a network for rules in plain Python learns from at first: a search with random playouts
would take minutes for each game."""
BLOCKS, SLOW_BLOCKS = (5, 64), (3, 32)
"""Blocks and filters of a network for a board, and where rules in plain Python leave it few games to learn
from: draughts in plain Python had 83 of 100 points against uct:sims=200 after ten minutes, with a network
of 5 blocks of 64 filters 68."""
MOST_BYTES = 1e9
"""Memory of the replay window."""

TELLING = ("lines", "moves")
"""Encodings from which a network learns faster, where a game has one of them."""


def preset(game: Game) -> dict[str, Any]:
    """Values that differ from the defaults, by the size of the game; docs/training.md says why."""
    telling = next((name for name in TELLING if name in game.encodings), "")
    shape = game.encoding(telling or None).shape
    cells = math.prod(shape[1:])
    if cells <= TINY and game.max_length <= TINY:
        return {
            "network": {"blocks": 2, "filters": 32, "policy_filters": 8, "value_filters": 4},
            "selfplay": {"random_share": 0.8, "random_plies": 6},
            "watch": {"graded": 200, "games": 0, "share": 0.2},
        }
    compiled = isinstance(game, CompiledGame)
    blocks, filters = BLOCKS if compiled else SLOW_BLOCKS
    found: dict[str, Any] = {
        "encoding": telling,
        "network": {"blocks": blocks, "filters": filters},
        "selfplay": {
            "warm_games": 1024 if compiled else SLOW_WARM_GAMES,
            "warm_simulations": 400 if compiled else 0,
            "random_share": 0.6,
            "random_plies": 12,
            "search": {
                "lookahead": plies_ahead(game, AHEAD),
                "chains": CHAINS if tells_threats(game) else 0,
                "value_scale": 0.5,
            },
        },
        "replay": {"window": 500_000, "growing_from": 20_000, "merge": True},
        "rounds": {"uses": 4.0},
    }
    if len(shape) == 3 and cells <= game.num_actions <= cells + 1:
        found["network"] |= {"per_cell": True}
    if len(shape) == 1:
        found["network"] = {"blocks": 3, "filters": 256}
        found["selfplay"] |= {"parallel": 128}
        found["rounds"] = {"games": 128, "uses": 8.0}
    elif cells > SMALL:
        found["network"] |= {"pooling": True}
        found["selfplay"] |= {"parallel": 128, "random_plies": 6}
        found["replay"] |= {"window": 200_000, "merge": False}
    else:
        found["network"] |= {"policy_filters": 32, "value_filters": 32, "value_hidden": 128, "value": "wdl"}
        found["selfplay"] |= {"final_simulations": 64, "drawn_plies": 8}
        if compiled:
            found["selfplay"] |= {"endgame_positions": 30_000}
        found["learner"] = {"optimiser": "muon", "momentum": 0.95, "batch": 128, "rate": 0.003}
    window = found["replay"]["window"]
    found["replay"] |= {"window": min(window, int(MOST_BYTES / bytes_per_position(game)))}
    return found

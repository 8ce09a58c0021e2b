"""The settings of a search as kernels see them."""

from __future__ import annotations

import math
from typing import Any

from zermelo.games.base import CompiledGame, Game
from zermelo.search.config import DEEP, SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.evaluator import Evaluator, Inside
from zermelo.search.tree import MOST_AHEAD, OUTSIDE, OWN, SETTINGS, SYMMETRIES, VARIANTS

MOVES_AHEAD, SHARE_AHEAD, WIDE = 2_500, 5, 4
"""About as many moves of a look ahead take no longer than a network; more plies than one in so many of a
game would not be a look ahead but its solution; in a wide game it reaches so many plies at most."""


def plies_ahead(game: Game, moves: int) -> int:
    """How far a look ahead of about so many moves reaches: of two plies one is a single answer that
    refutes, as in alpha-beta. 0 where rules are not compiled."""
    if not isinstance(game, CompiledGame):
        return 0
    plies = 2 * max(1, int(math.log(moves, max(2, game.num_actions))))
    return max(1, min(plies, MOST_AHEAD, game.max_length // SHARE_AHEAD))


def tells_threats(game: Game) -> bool:
    """Whether chains of threats can be followed. Not in so short a game that they would solve it."""
    if not isinstance(game, CompiledGame) or game.max_length < 3 * SHARE_AHEAD:
        return False
    return game.kernels.threats is not None and game.num_players == 2


def _lookahead(game: Game, config: SearchConfig) -> int:
    if not config.proofs:
        return 0
    if config.lookahead == DEEP:
        return plies_ahead(game, MOVES_AHEAD)
    if config.lookahead is None:
        return int(isinstance(game, CompiledGame))
    return max(config.lookahead, int(_chains(game, config) > 0))


def _moves_to_the_end(game: Game, config: SearchConfig) -> int:
    """How many moves of a position near the end of a game may be tried to tell who wins. None where a look
    ahead or chains of threats reach as far, nor in a game so short that this would solve it."""
    wide = 1 < _lookahead(game, config) <= WIDE and not tells_threats(game)
    return MOVES_AHEAD if config.lookahead == DEEP and wide else 0


def _chains(game: Game, config: SearchConfig) -> int:
    return config.chains if config.proofs and tells_threats(game) else 0


def settings_of(
    game: Game, config: SearchConfig, evaluator: Evaluator | Inside, number: int
) -> tuple[Any, ...]:
    """A row of SETTINGS; the pool knows the evaluator by its number."""
    own = config.variant if isinstance(config.variant, Selection) else None
    select, update = own.addresses if own else (0, 0)
    values = {
        "variant": OWN if own else VARIANTS[str(config.variant)],
        "source": evaluator.source if isinstance(evaluator, Inside) else OUTSIDE,
        "evaluator": number,
        "symmetry": SYMMETRIES[config.symmetry],
        "budget": config.simulations,
        "leaves": config.leaves,
        "proofs": config.proofs,
        "lookahead": _lookahead(game, config),
        "ends": _moves_to_the_end(game, config),
        "chains": _chains(game, config),
        "graph": config.graph,
        "considered": config.considered,
        "exploration": config.exploration,
        "first_play": config.first_play,
        "reduction": config.reduction,
        "value_scale": config.value_scale,
        "noise": config.noise,
        "noise_alpha": config.noise_alpha,
        "gumbel_noise": config.gumbel_noise,
        "numbers": own.numbers if own else 0,
        "select": select,
        "update": update,
    }
    return tuple(map(values.__getitem__, SETTINGS.names))

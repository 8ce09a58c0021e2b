"""The settings of a search as kernels see them."""

from __future__ import annotations

from typing import Any

from zermelo.games.base import CompiledGame, Game
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.evaluator import Evaluator, Inside
from zermelo.search.tree import OUTSIDE, OWN, SETTINGS, SYMMETRIES, VARIANTS


def settings_of(
    game: Game, config: SearchConfig, evaluator: Evaluator | Inside, number: int
) -> tuple[Any, ...]:
    """A row of SETTINGS; the pool knows the evaluator by its number."""
    own = config.variant if isinstance(config.variant, Selection) else None
    quick = isinstance(game, CompiledGame) if config.lookahead is None else config.lookahead
    select, update = own.addresses if own else (0, 0)
    values = {
        "variant": OWN if own else VARIANTS[str(config.variant)],
        "source": evaluator.source if isinstance(evaluator, Inside) else OUTSIDE,
        "evaluator": number,
        "symmetry": SYMMETRIES[config.symmetry],
        "budget": config.simulations,
        "leaves": config.leaves,
        "proofs": config.proofs,
        "lookahead": config.proofs and quick,
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

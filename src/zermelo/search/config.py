"""How to search, in one place: every number with its symbol, its default, and what the paper used."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from zermelo.errors import BadParameter, listed
from zermelo.search.custom import Selection
from zermelo.search.tree import MOST_AHEAD, SYMMETRIES, VARIANTS

DEEP = -1
"""A look ahead of as many plies as cost little beside a network."""


@dataclass(frozen=True)
class SearchConfig:
    """One search. The defaults of PUCT are the textbook's; `first_play` NaN takes it from the parent."""

    variant: str | Selection = "puct"
    """How a move is chosen inside the tree: puct, gumbel, uct, omc, pbbm, or by a function of one's own."""
    simulations: int = 100
    """n; 0 asks the evaluator alone. AlphaZero: 800."""
    exploration: float = 1.25
    """c_puct, or C of UCT (sqrt 2 in theory). AlphaZero: 1.25 at the start."""
    first_play: float = 0.0
    """Q of a move not yet tried; NaN: the parent's value less `reduction`."""
    reduction: float = 0.2
    """How much lower, times the square root of the prior already tried. KataGo: 0.2."""
    proofs: bool = True
    """Whether exact values travel up the tree (MCTS-Solver)."""
    lookahead: int | None = None
    """How many plies each new position is searched for a forced win or loss, which then needs no
    evaluation; only with proofs. DEEP (-1): as many as cost little beside a network. None: 1, a move that
    wins at once. These two: where rules are compiled, else 0."""
    chains: int = 0
    """How many moves each new position is searched for a win or a loss by a chain of threats, each with one
    answer; only with proofs, in games that tell their threats. Then it looks one ply ahead at least."""
    graph: bool = False
    """Whether equal positions are one node; only in games in which none can occur twice."""
    symmetry: str = "none"
    """Under which symmetry an evaluator sees a position: none, canonical, random, or the mean of all."""
    leaves: int = 1
    """How many evaluations of one tree are awaited at once, each counted as a loss meanwhile."""
    considered: int = 16
    """m: how many moves Gumbel's sequential halving begins with."""
    value_scale: float = 0.1
    """c_scale of Gumbel."""
    noise: float = 0.0
    """Weight of Dirichlet noise at the root. AlphaZero: 0.25 in self-play."""
    noise_alpha: float = 0.0
    """alpha of the Dirichlet distribution; 0: 10 / number of legal moves."""
    gumbel_noise: bool = False
    """Whether Gumbel draws its noise; in evaluation it is 0."""

    def __post_init__(self) -> None:
        if self.symmetry not in SYMMETRIES:
            raise BadParameter(f"`symmetry` (={self.symmetry}) must be one of: {listed(SYMMETRIES)}")
        if not isinstance(self.variant, Selection) and self.variant not in VARIANTS:
            raise BadParameter(f"`variant` (={self.variant}) must be one of: {listed(VARIANTS)}")
        bounds = {
            "simulations": (0, 10**9),
            "exploration": (0.0, 1e6),
            "reduction": (0.0, 1e6),
            "leaves": (1, 1024),
            "lookahead": (DEEP, MOST_AHEAD),
            "chains": (0, 10**6),
            "considered": (1, 10**6),
            "value_scale": (0.0, 1e6),
            "noise": (0.0, 1.0),
            "noise_alpha": (0.0, 1e6),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise BadParameter(f"`{name}` (={value}) must be from {low} to {high}")
        if math.isnan(self.first_play):
            object.__setattr__(self, "first_play", math.nan)  # one NaN, so that equal ones are equal
        elif not -1 <= self.first_play <= 1:
            raise BadParameter(f"`first_play` (={self.first_play}) must be from -1 to 1, or nan")

    def but(self, **changes: object) -> SearchConfig:
        """The same with some fields changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

"""A search to be made."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import Evaluator, Inside


@dataclass
class Job:
    """One search to be made: from where, how, with what, and until when."""

    position: Position
    config: SearchConfig
    evaluator: Evaluator | Inside
    seed: int = 0
    number: int = 0
    """The random stream is that of (seed, number) alone."""
    deadline: float = math.inf
    """By `time.monotonic()`; the search ends then even if simulations are left."""
    reuse: bool = False
    """Whether to go on with the tree of an earlier search of this pool, made a few moves before."""
    owner: int = 0
    """Whose tree may be gone on with: that of another is not."""
    until_interrupted: bool = False
    """Whether Ctrl-C ends the search and gives what it has found; heard by `Pool.search` alone."""
    tag: Any = None
    """Whatever its owner wants to find again."""
    made: float = field(default_factory=time.monotonic)
    """When the job was made; one that has to wait, or to be compiled for, is searched a little late."""

    def check(self, game: Game) -> None:
        """Raise an error unless a pool for this game can make the search."""
        if self.position.game != game:
            raise UnsuitableGame(f"this pool is for {game.name}, not for {self.position.game.name}")
        if self.position.is_over:
            raise BadParameter(f"nothing can be searched in {self.position!r}: the game is over")
        if self.deadline <= self.made:
            raise BadParameter("the time limit of the search has passed before it began")
        if self.config.graph and not game.acyclic:
            raise UnsuitableGame(f"positions of {game.name} may repeat: leave out `graph`")
        if self.reuse and self.config.variant == "gumbel":
            raise BadParameter("`reuse` is not for gumbel: its halving counts the visits of one search")

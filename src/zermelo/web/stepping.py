"""A search looked at after each of its simulations."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.errors import BadParameter
from zermelo.games.position import Position
from zermelo.players.tree import TreePlayer
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.unfolding import SearchTree
from zermelo.web.models import Models

MOST = 200
"""Simulations that can be stepped through."""
LEVELS, NODES = 10, 120
_MOST_STEPPERS = 16


class _Stepper:
    """A search that waits between its simulations."""

    def __init__(self, position: Position, player: TreePlayer, seed: int, models: Models) -> None:
        self.key = position.moves, position.game, player, seed
        evaluator, encoding = models.evaluator(player, position.game)
        job = Job(position, player.config().but(simulations=MOST), evaluator, seed)
        self._steps: Iterator[SearchTree] = Pool(position.game, 1, encoding).steps(job, LEVELS, NODES)
        self.tree = next(self._steps)

    def go_to(self, simulations: int) -> SearchTree:
        while self.tree.simulations < simulations:
            after = next(self._steps, None)
            if after is None:
                break
            self.tree = after
        return self.tree


class Stepping:
    """The searches that visitors step through; the oldest make room for new ones. For one thread."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._steppers: dict[str, _Stepper] = {}

    def drop(self, owner: str) -> None:
        self._steppers.pop(owner, None)

    def tree(
        self, owner: str, position: Position, player: TreePlayer, seed: int, simulations: int
    ) -> SearchTree:
        """The tree after so many simulations; going back begins anew, which gives the same."""
        if not 0 <= simulations <= MOST:
            raise BadParameter(f"`simulations` (={simulations}) must be from 0 to {MOST}")
        stepper = self._steppers.pop(owner, None)
        wanted = position.moves, position.game, player, seed
        if stepper is None or stepper.key != wanted or stepper.tree.simulations > simulations:
            stepper = _Stepper(position, player, seed, self._models)
        self._steppers[owner] = stepper
        while len(self._steppers) > _MOST_STEPPERS:
            del self._steppers[next(iter(self._steppers))]
        return stepper.go_to(simulations)

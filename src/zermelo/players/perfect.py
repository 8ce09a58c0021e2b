"""The player that cannot be beaten, where the game can be solved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import Book, Connect4Solver, GenericSolver, Outcome
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player, going_on


class PerfectPlayer(Player):
    """Exact solver: plays the fastest win or the longest defence."""

    kind = "perfect"
    limit: int = 10_000_000
    """Most positions to solve; for games other than Connect 4."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise BadParameter(f"`limit` (={self.limit}) of perfect must be at least 1")

    @cached_property
    def _solvers(self) -> dict[Game, Connect4Solver | GenericSolver]:
        return {}

    def solver(self, game: Game) -> Connect4Solver | GenericSolver:
        """The best solver there is for a game."""
        if game not in self._solvers:
            self._solvers[game] = (
                Connect4Solver(game, book=Book())
                if Connect4Solver.takes(game)
                else GenericSolver(game, self.limit)
            )
        return self._solvers[game]

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return [
            self.decide(self.outcomes(position), seed)
            for position, seed in zip(positions, seeds, strict=True)
        ]

    def outcomes(self, position: Position) -> dict[int, Outcome]:
        """The exact outcome of every legal move, for the player who makes it."""
        self.check(position)
        return self.solver(position.game).outcomes(going_on(position))

    @staticmethod
    def decide(outcomes: dict[int, Outcome], seed: int) -> int:
        """One of the best moves."""
        best = max(outcomes.values())
        moves = [action for action, outcome in outcomes.items() if outcome == best]
        return moves[int(np.random.default_rng(seed).integers(len(moves)))]

    def check(self, position: Position) -> None:
        if position.game.num_players != 2:
            raise UnsuitableGame(f"{position.game.name} cannot be solved: it has more than two players")

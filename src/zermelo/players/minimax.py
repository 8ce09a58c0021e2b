"""Players that look a fixed number of moves ahead."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.search.alphabeta import AlphaBeta, AlphaBetaResult
from zermelo.search.heuristic import Heuristic

_SHORTEST = 0.001


class LookaheadPlayer(Player):
    """A player that plays the best move as far as it looks; positions are searched one by one."""

    keeps_time = True

    @abstractmethod
    def heuristic(self, game: Game) -> Heuristic | None:
        """What tells it how good a position looks."""

    @abstractmethod
    def searcher(self, game: Game) -> AlphaBeta: ...

    @abstractmethod
    def limits(self, game: Game) -> tuple[int, float]:
        """Depth and seconds for a move."""

    @abstractmethod
    def draws_lots(self) -> bool:
        """Whether any of equally good moves may be played, or always the lowest action."""

    @cached_property
    def _searchers(self) -> dict[Game, AlphaBeta]:
        return {}

    def search(self, positions: Sequence[Position], seconds: float = math.inf) -> list[AlphaBetaResult]:
        """The whole results, for those who want to see what the player thinks; at most so many seconds for
        each position."""
        found = []
        for position in positions:
            game = position.game
            if game not in self._searchers:
                self._searchers[game] = self.searcher(game)
            depth, own = self.limits(game)
            found.append(self._searchers[game].search(position, depth, min(own, seconds)))
        return found

    def choose_within(self, position: Position, seed: int, seconds: float) -> int:
        (result,) = self.search([position], max(seconds, _SHORTEST))
        return self.decide(result, seed)

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        results = self.search(positions)
        return [self.decide(result, seed) for result, seed in zip(results, seeds, strict=True)]

    def decide(self, result: AlphaBetaResult, seed: int) -> int:
        """The action to play after this search."""
        if not self.draws_lots():
            return result.action
        return result.actions[int(np.random.default_rng(seed).integers(len(result.actions)))]

    def check(self, position: Position) -> None:
        if position.game.num_players != 2:
            raise UnsuitableGame(
                f"{self.name} cannot play {position.game.name}: it has {position.game.num_players} players"
            )


class MinimaxPlayer(LookaheadPlayer):
    """Alpha-beta search to a fixed depth or time, with the heuristic of the game."""

    kind = "minimax"
    depth: int = 4
    """Plies to look ahead."""
    time: float = 0.0
    """Seconds per move instead of `depth`; 0: no time limit."""
    table: int = 32
    """Megabytes for the transposition table."""
    pruning: bool = True
    """0: plain minimax, which finds the same moves much more slowly."""
    random: bool = True
    """1: choose among equally good moves at random; 0: play the lowest action."""

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise BadParameter(f"`depth` (={self.depth}) of {self.kind} must be at least 1")
        if not self.time >= 0:
            raise BadParameter(f"`time` (={self.time}) of {self.kind} must not be negative")
        if self.table < 1:
            raise BadParameter(f"`table` (={self.table}) of {self.kind} must be at least 1 megabyte")

    def heuristic(self, game: Game) -> Heuristic | None:
        return game.kernels.heuristic

    def searcher(self, game: Game) -> AlphaBeta:
        return AlphaBeta(game, self.heuristic(game), megabytes=self.table, pruning=self.pruning)

    def limits(self, game: Game) -> tuple[int, float]:
        return (game.max_length, self.time) if self.time > 0 else (self.depth, math.inf)

    def draws_lots(self) -> bool:
        return self.random


class GreedyPlayer(LookaheadPlayer):
    """Plays the move that looks best at once (in Othello: most discs)."""

    kind = "greedy"

    def heuristic(self, game: Game) -> Heuristic | None:
        return game.greedy_heuristic

    def searcher(self, game: Game) -> AlphaBeta:
        return AlphaBeta(game, self.heuristic(game), pruning=False)

    def limits(self, game: Game) -> tuple[int, float]:
        return 1, math.inf

    def draws_lots(self) -> bool:
        return True

"""A player who thinks for another program: in time, and ready before the clock runs."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from zermelo.arena.openings import seed_of
from zermelo.engines.clock import UNLIMITED, Clock, Lateness
from zermelo.engines.watched import WatchedSearch
from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.az import AzPlayer
from zermelo.players.base import Player
from zermelo.players.human import HumanPlayer
from zermelo.players.minimax import MinimaxPlayer
from zermelo.players.tree import TreePlayer

_WARM, _TRIAL, _TRIALS = 0.05, 0.2, 2


class Brain:
    """A player with its chance, and what it has learnt of how late it is."""

    def __init__(self, player: Player, seed: int) -> None:
        if isinstance(player, HumanPlayer):
            raise BadParameter(f"`{player.name}` cannot think for another program; try az or uct")
        if isinstance(player, AzPlayer) and player.threads == 0:
            player = replace(player, threads=1)  # two would wait for each other on a busy machine
        self._player, self.seed = player, seed
        self._search: WatchedSearch | None = None
        self._lateness = Lateness()
        self._due: float | None = None

    @property
    def player(self) -> Player:
        """The player, when its last search has ended."""
        if self._search is not None:
            self._search.join()
            self._search = None
        return self._player

    def prepare(self, game: Game) -> None:
        """Load and compile what a move needs; then see how late moves are on this machine just now."""
        position = game.position()
        self.player.check(position)
        if self.player.keeps_time:
            self.player.choose_within(position, 0, _WARM)
            for _ in range(_TRIALS):
                self.choose(position, Clock(turn=_TRIAL), time.monotonic())
                self.answered()

    def seconds(self, position: Position, clock: Clock, arrived: float) -> float:
        """How long the player may think of its move, asked for at that time."""
        limit = self._limit(position, clock)
        if limit == math.inf:
            endless = isinstance(self._player, TreePlayer | MinimaxPlayer) and self._player.time == math.inf
            return UNLIMITED if endless else limit
        return max(0.0, self._lateness.within(limit) - (time.monotonic() - arrived))

    @staticmethod
    def _limit(position: Position, clock: Clock) -> float:
        return clock.limit((position.game.max_length - len(position.moves) + 1) // 2)

    def choose(self, position: Position, clock: Clock, arrived: float) -> int:
        """Its move, in time."""
        player, seed = self.player, self.seed_of(position)
        seconds = self.seconds(position, clock, arrived)
        now = time.monotonic()
        self._due = now + seconds
        if seconds == math.inf or not isinstance(player, TreePlayer) or player.reuse:
            return player.choose_within(position, seed, seconds)
        self._search = WatchedSearch(player, position, seed, seconds)
        left = self._limit(position, clock) - (now - arrived) - seconds  # what is kept back
        return self._search.action(seconds + max(0.0, left / 2))

    def answered(self) -> None:
        """The last move is on its way."""
        if self._due is not None:
            self._lateness.add(time.monotonic() - self._due)
        self._due = None

    def seed_of(self, position: Position) -> int:
        return seed_of(self.seed, 0, len(position.moves))

"""Positions to learn from: a window over the latest, shown under random symmetries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled
from zermelo.errors import BadParameter
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, Planes, Rules, Words
from zermelo.games.base import Game
from zermelo.learning.selfplay import PlayedGame
from zermelo.learning.targets import value_target


class Sample(NamedTuple):
    """A batch to learn from."""

    planes: Planes  # [batch, inputs]
    policy: NDArray[np.float32]  # [batch, actions]
    value: NDArray[np.float32]  # [batch]


@compiled
def _show(rules: Rules, states: Words, picks: Words, turns: Words, image: Words, planes: Planes) -> int:
    """Write the planes of each pick under its symmetry; a status."""
    for i in range(picks.size):
        status = abi.transform(rules, states[picks[i]], turns[i], image)
        if status >= 0:
            status = abi.encode(rules, image, planes[i])
        if status < 0:
            return min(status, FAILED)
    return GOING


class Replay:
    """The latest positions, `room` at most; older ones make way."""

    def __init__(self, game: Game, room: int, encoding: str | None = None) -> None:
        if room < 1:
            raise BadParameter(f"`room` (={room}) must be at least 1")
        self.game, self.room = game, room
        self._rules, self._inputs = game.rules(encoding), game.encoding(encoding)
        self._images = np.array([symmetry.actions for symmetry in game.symmetries], np.int64)
        self._states = np.zeros((room, game.state_words), np.int64)
        self._policies = np.zeros((room, game.num_actions), np.float16)
        self._values = np.zeros(room, np.float32)
        self.added = 0
        """Positions that ever came in."""

    def __len__(self) -> int:
        return min(self.added, self.room)

    @property
    def bytes_per_position(self) -> float:
        return (self._states.nbytes + self._policies.nbytes + self._values.nbytes) / self.room

    def add(self, game: PlayedGame, search_weight: float = 0.5) -> None:
        """Take in every position of a game."""
        for one in game.lessons:
            place = self.added % self.room
            self._states[place] = one.state
            self._policies[place] = 0
            self._policies[place, one.actions] = one.policy
            self._values[place] = value_target(one, game.returns, search_weight)
            self.added += 1

    def latest(self, count: int) -> dict[str, NDArray[Any]]:
        """The positions that came in last, the oldest first; of more than there is room for, none twice."""
        places = np.arange(max(0, self.added - min(count, self.room)), self.added) % self.room
        return {
            "states": self._states[places],
            "policies": self._policies[places],
            "values": self._values[places],
        }

    def take_in(self, positions: dict[str, NDArray[Any]]) -> None:
        """Take in positions as `latest` gave them."""
        places = (self.added + np.arange(len(positions["values"]))) % self.room
        self._states[places] = positions["states"]
        self._policies[places] = positions["policies"]
        self._values[places] = positions["values"]
        self.added += len(places)

    def sample(self, batch: int, random: np.random.Generator, augment: bool = True) -> Sample:
        """Positions drawn with replacement, each under a random symmetry."""
        if len(self) == 0:
            raise BadParameter("there is nothing to learn from yet")
        picks = random.integers(len(self), size=batch)
        turns = random.integers(len(self._images), size=batch) if augment else np.zeros(batch, np.int64)
        planes = np.empty((batch, self._inputs.size), np.float32)
        image = np.empty(self.game.state_words, np.int64)
        status = _show(self._rules, self._states, picks, turns, image, planes)
        if status < 0:
            raise self.game.failure(status, image)
        policy = np.empty((batch, self.game.num_actions), np.float32)
        np.put_along_axis(policy, self._images[turns], self._policies[picks], axis=1)
        return Sample(planes, policy, self._values[picks])

"""Positions to learn from: a window over the latest, shown under random symmetries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, copy_words
from zermelo.errors import BadParameter
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, Floats, Planes, Rules, Words
from zermelo.games.base import Game
from zermelo.learning.selfplay import PlayedGame
from zermelo.learning.targets import value_targets
from zermelo.search.keys import key_hash, least_image
from zermelo.search.tree import Scratch, new_scratch

Columns = dict[str, NDArray[Any]]

_LONGEST = 65_535
"""Moves left that can be told."""


@dataclass(frozen=True)
class ReplayConfig:
    """Which positions are learnt from, and what they say."""

    window: int = 200_000
    """The latest positions, at most."""
    rounds: int = 0
    """The positions of so many rounds, at most; 0: however many."""
    growing_from: int = 0
    """With so many positions the window begins to grow more slowly than they do; 0: it does not."""
    merge: bool = False
    """Whether equal positions are one, with the mean of what they teach."""
    search_weight: float = 0.5
    """How much of the value target is the search's value rather than the result of the game."""
    surprise: float = 0.0
    """The share of the chance to be learnt from that goes by how much a search surprised the network."""
    augment: bool = True
    """Whether positions are shown under random symmetries."""

    def __post_init__(self) -> None:
        if self.window < 1:
            raise BadParameter(f"`window` (={self.window}) must be at least 1")
        for name in ("growing_from", "rounds"):
            if getattr(self, name) < 0:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must not be negative")
        for name in ("search_weight", "surprise"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be from 0 to 1")

    def size(self, positions: int) -> int:
        """The window after N positions: all of the first c, then c (1 + 0.4 ((N / c)^0.75 - 1) / 0.75), as
        KataGo's."""
        if not self.growing_from or positions <= self.growing_from:
            return min(positions, self.window)
        factor = 1 + 0.4 * ((positions / self.growing_from) ** 0.75 - 1) / 0.75
        return min(self.window, int(self.growing_from * factor))


class Sample(NamedTuple):
    """A batch to learn from."""

    planes: Planes  # [batch, inputs]
    policy: NDArray[np.float32]  # [batch, actions]
    value: NDArray[np.float32]  # [batch]
    full: NDArray[np.float32]  # [batch], 1 where the policy is worth learning
    reply: NDArray[
        np.float32
    ]  # [batch, actions], the policy of the next position; nothing where there is none
    moves_left: NDArray[np.float32]  # [batch]


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


@compiled
def _turn(rules: Rules, states: Words, words: int, scratch: Scratch, turns: Words, hashes: Words) -> int:
    """Replace each state by the least of its images; tell by which symmetry, and a hash; a status."""
    for i in range(states.shape[0]):
        turn = least_image(rules, states[i], words, scratch)
        if turn < 0:
            return int(turn)
        turns[i] = turn
        copy_words(scratch.least, states[i])
        hashes[i] = key_hash(states[i], words)
    return GOING


def remaining(moves: int) -> Words:
    """The moves left before each of so many."""
    return np.minimum(np.arange(moves, 0, -1), _LONGEST)


def _columns(game: Game, room: int) -> Columns:
    return {
        "states": np.zeros((room, game.state_words), np.int64),
        "policies": np.zeros((room, game.num_actions), np.float16),
        "replies": np.zeros((room, game.num_actions), np.float16),
        "values": np.zeros(room, np.float32),
        "surprises": np.zeros(room, np.float16),
        "moves_left": np.zeros(room, np.uint16),
        "full": np.zeros(room, bool),
    }


def bytes_per_position(game: Game) -> int:
    """Memory of one position in a replay window."""
    return sum(column.nbytes for column in _columns(game, 1).values())


class Replay:
    """The latest positions, as many as there is room for; older ones make way."""

    def __init__(self, game: Game, config: ReplayConfig, encoding: str | None = None) -> None:
        self.game, self.config, self.room = game, config, config.window
        self._rules, self._inputs = game.rules(encoding), game.encoding(encoding)
        self._images = np.array([symmetry.actions for symmetry in game.symmetries], np.int64)
        try:
            self._columns = _columns(game, self.room)
        except MemoryError:
            size = self.room * bytes_per_position(game)
            raise BadParameter(
                f"`replay.window` (={self.room}) needs {size / 1e9:,.0f} GB, more than there is"
            ) from None
        self.added = 0
        """Positions that ever came in."""

    def __len__(self) -> int:
        return min(self.added, self.room)

    @property
    def bytes_per_position(self) -> int:
        return bytes_per_position(self.game)

    def add(self, game: PlayedGame) -> None:
        """Take in every position of a game."""
        lessons = game.lessons
        policies = np.stack([one.policy for one in lessons])
        replies = np.zeros_like(policies)
        full = np.array([one.full for one in lessons])
        replies[:-1] = policies[1:] * full[1:, None]
        self.take_in({
            "states": np.stack([one.state for one in lessons]),
            "policies": policies,
            "replies": replies,
            "values": value_targets(lessons, game.returns, self.config.search_weight),
            "surprises": np.array([one.surprise for one in lessons]),
            "moves_left": remaining(len(lessons)),
            "full": full,
        })  # fmt: skip

    def latest(self, count: int) -> Columns:
        """The positions that came in last, the oldest first; of more than there is room for, none twice."""
        places = np.arange(max(0, self.added - min(count, self.room)), self.added) % self.room
        return {name: column[places] for name, column in self._columns.items()}

    def take_in(self, positions: Columns) -> None:
        """Take in positions as `latest` gave them."""
        count = len(positions["values"])
        kept = slice(max(0, count - self.room), count)
        places = (self.added + np.arange(count)[kept]) % self.room
        for name, column in self._columns.items():
            column[places] = positions[name][kept]
        self.added += count

    def window(self, since: int = 0) -> Window:
        """What is learnt from now; without the positions that came in before number `since`."""
        if len(self) == 0:
            raise BadParameter("there is nothing to learn from yet")
        columns = self.latest(min(self.config.size(self.added), self.added - since))
        weights = np.ones(len(columns["values"]))
        surprises = columns["surprises"].astype(float)
        if self.config.surprise and surprises.any():
            weights = 1 - self.config.surprise + self.config.surprise * surprises / surprises.mean()
        if self.config.merge:
            columns, weights = self._merged(columns, weights)
        return Window(self.game, self._rules, self._inputs.size, self._images, columns, weights)

    def _merged(self, columns: Columns, weights: Floats) -> tuple[Columns, Floats]:
        """Equal positions as one, with the means of what they teach, and 1 + log2 of their number as the
        chance to be learnt from. Positions are equal if they look alike under some symmetry, and 62 bits
        of their hash agree."""
        words = self.game.state_words if self._inputs.context else self.game.key_words
        states = columns["states"].copy()
        turns, hashes = np.empty((2, len(states)), np.int64)
        scratch = new_scratch(self.game)
        status = _turn(self._rules, states, words, scratch, turns, hashes)
        if status < 0:
            raise self.game.failure(status, scratch.image)
        order = np.argsort(hashes, kind="stable")
        begins = np.flatnonzero(np.diff(hashes[order], prepend=hashes[order[0]] - 1))
        counts = np.diff(begins, append=len(order))
        firsts = order[begins]
        merged = {name: column[firsts] for name, column in columns.items()}
        merged["moves_left"] = merged["moves_left"].astype(np.float32)
        several = counts > 1
        if several.any():
            alike = order[np.repeat(several, counts)]
            means = self._means({name: column[alike] for name, column in columns.items()},
                                turns[alike], counts[several])  # fmt: skip
            for name, column in means.items():
                merged[name][several] = column
            merged["states"][several] = states[firsts[several]]
        chances = np.add.reduceat(weights[order], begins) / counts
        return merged, chances * (1 + np.log2(counts))

    def _means(self, columns: Columns, turns: Words, counts: Words) -> Columns:
        """Mean targets of each group of equal positions; `counts` are the sizes of the groups, `turns` the
        symmetries that map each position to the one that stands for its group."""
        begins = np.cumsum(counts) - counts
        full = columns["full"].astype(np.float32)
        fulls = np.maximum(np.add.reduceat(full, begins), 1)

        def mean(rows: NDArray[Any], by: NDArray[Any]) -> NDArray[Any]:
            total: NDArray[Any] = np.add.reduceat(rows, begins, axis=0)
            found: NDArray[Any] = total / (by[:, None] if total.ndim == 2 else by)
            return found

        def turned(name: str) -> NDArray[np.float32]:
            found = np.empty(columns[name].shape, np.float32)
            np.put_along_axis(found, self._images[turns], columns[name], axis=1)
            return found

        return {
            "policies": mean(turned("policies") * full[:, None], fulls),
            "replies": mean(turned("replies"), counts),
            "values": mean(columns["values"], counts),
            "moves_left": mean(columns["moves_left"].astype(np.float32), counts),
            "full": np.logical_or.reduceat(columns["full"], begins),
        }


class Window:
    """Positions of a replay, each with a chance to be learnt from."""

    def __init__(
        self, game: Game, rules: Rules, inputs: int, images: Words, columns: Columns,
        weights: Floats,
    ) -> None:  # fmt: skip
        self._game, self._rules, self._inputs, self._images = game, rules, inputs, images
        self._columns, self._even = columns, bool((weights == weights[0]).all())
        self._bounds = np.cumsum(weights) / weights.sum()

    def __len__(self) -> int:
        return len(self._columns["values"])

    def sample(self, batch: int, random: np.random.Generator, augment: bool = True) -> Sample:
        """Positions drawn with replacement, each under a random symmetry."""
        if self._even:
            picks = random.integers(len(self), size=batch)
        else:
            picks = np.minimum(np.searchsorted(self._bounds, random.random(batch), "right"), len(self) - 1)
        return self._shown(picks, random, augment)

    def epochs(
        self, samples: int, epochs: int, batch: int, random: np.random.Generator, augment: bool = True
    ) -> Iterator[Sample]:
        """So many positions (0: all), each once in an epoch whatever its chance, in another order each
        time. A batch of one at the end of an epoch is left out: it cannot be normalised."""
        some = np.arange(len(self))
        if 0 < samples < len(self):
            some = random.choice(len(self), samples, replace=False)
        for _ in range(epochs):
            random.shuffle(some)
            for begin in range(0, len(some), batch):
                if len(some) - begin >= 2:
                    yield self._shown(some[begin : begin + batch], random, augment)

    def in_order(self, batch: int) -> Iterator[Sample]:
        """All positions as they are, each once."""
        for begin in range(0, len(self), batch):
            picks = np.arange(begin, min(begin + batch, len(self)))
            yield self._shown(picks, np.random.default_rng(), augment=False)

    def _shown(self, picks: Words, random: np.random.Generator, augment: bool) -> Sample:
        columns, count = self._columns, len(picks)
        turns = random.integers(len(self._images), size=count) if augment else np.zeros(count, np.int64)
        planes = np.empty((count, self._inputs), np.float32)
        image = np.empty(self._game.state_words, np.int64)
        status = _show(self._rules, columns["states"], picks, turns, image, planes)
        if status < 0:
            raise self._game.failure(status, image)
        policy, reply = np.empty((2, count, self._game.num_actions), np.float32)
        np.put_along_axis(policy, self._images[turns], columns["policies"][picks], axis=1)
        np.put_along_axis(reply, self._images[turns], columns["replies"][picks], axis=1)
        return Sample(
            planes=planes,
            policy=policy,
            value=columns["values"][picks],
            full=columns["full"][picks].astype(np.float32),
            reply=reply,
            moves_left=columns["moves_left"][picks].astype(np.float32),
        )

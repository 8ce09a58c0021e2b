"""People's games to learn from: read once, kept as moves and results alone."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from glob import glob
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import RecordError
from zermelo.games.abi import Words
from zermelo.games.base import Game
from zermelo.learning.replay import Columns, Replay, ReplayConfig, remaining
from zermelo.records.reading import LeftOut, Problem, read

_LEAST = 2
"""Games: one to learn from, and one that is held out."""


class Archive:
    """Games of files, each once: equal ones, under some symmetry of the game too, are one.

    A million games of sixty moves take about 0.4 GB; their positions are made when they are learnt from.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.files, self.repeated, self.left_out = 0, 0, LeftOut()
        self._images = np.array([symmetry.actions for symmetry in game.symmetries], np.int64)
        self._moves, self._ends, self._results = array("i"), array("q", [0]), array("d")
        self._seen: set[bytes] = set()

    @classmethod
    def read(cls, names: Sequence[str], game: Game) -> Archive:
        """The games of these files, which patterns such as `games/*.sgf` may stand for."""
        found, files = cls(game), _files(names)
        found.files = len(files)
        for file in files:
            try:
                for one in read([file], found.left_out, game=game):
                    found.add(one.moves, one.returns)
            except RecordError as error:
                found.left_out(Problem(file, None, None, str(error)))
        found._seen.clear()
        if len(found) < _LEAST:
            why = f"; {found.left_out.problems[0]}" if found.left_out.problems else ""
            where = files[0] if len(files) == 1 else f"{len(files):,} files"
            raise RecordError(
                f"{_LEAST} games of {game.name} are needed to learn from, and in {where} there are "
                f"{len(found)}{why}"
            )
        return found

    def add(self, moves: Sequence[int], returns: Sequence[float] | None) -> None:
        """Take in a game, unless it is there already, or has no moves."""
        if not moves:
            return
        least = min(image.tobytes() for image in self._images[:, moves])
        digest = hashlib.blake2b(least, digest_size=16).digest()
        if digest in self._seen:
            self.repeated += 1
            return
        self._seen.add(digest)
        self._moves.extend(moves)
        self._ends.append(len(self._moves))
        self._results.append(np.nan if returns is None else returns[0])

    def __len__(self) -> int:
        return len(self._results)

    @property
    def positions(self) -> int:
        return len(self._moves)

    @property
    def digest(self) -> str:
        """The same for the same games in the same order."""
        parts = (self._moves, self._ends, self._results)
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()

    def told(self) -> dict[str, Any]:
        """What there is, in a few figures."""
        return {
            "files": self.files,
            "games": len(self),
            "positions": self.positions,
            "repeated": self.repeated,
            "left_out": self.left_out.count,
            "digest": self.digest,
        }

    def split(self, share: float, most: int, seed: int) -> tuple[Words, Words]:
        """The numbers of games to learn from, and of some that are held out: this share of them, and no
        more than have about so many positions."""
        order = np.random.default_rng([seed, len(self)]).permutation(len(self))
        held = min(round(share * len(self)), self._games_with(order, most))
        held = min(max(1, held), len(self) - 1)
        return order[held:], order[:held]

    def _games_with(self, games: Words, positions: int) -> int:
        """How many of these games, from the first, have so many positions."""
        return int(np.searchsorted(np.cumsum(self._lengths[games]), positions)) + 1

    @property
    def _lengths(self) -> Words:
        ends = np.frombuffer(self._ends, np.int64)
        return ends[1:] - ends[:-1]

    def drawn(self, games: Words, positions: int, seed: int) -> Words:
        """Some of these games, that have so many positions if there are as many."""
        order = np.random.default_rng([seed, len(games)]).permutation(games)
        return order[: self._games_with(order, positions)]

    def parts(self, games: Words, positions: int, seed: int) -> Iterator[Words]:
        """These games again and again, in another order each time, in parts of about so many positions."""
        number = max(1, round(int(self._lengths[games].sum()) / positions))
        for turn in count():
            order = np.random.default_rng([seed, turn]).permutation(games)
            yield from np.array_split(order, min(number, len(games)))

    def replay(self, games: Words, encoding: str) -> Replay:
        """The positions of these games, in their order."""
        room = max(1, int(self._lengths[games].sum()))
        found = Replay(self.game, ReplayConfig(window=room), encoding)
        for one in games:
            found.take_in(self._lessons(int(one)))
        return found

    def _lessons(self, number: int) -> Columns:
        """What the positions of a game teach: the move that was made, and the result for whoever made it,
        which is not a number where nobody knows it."""
        moves = self._moves[self._ends[number] : self._ends[number + 1]]
        position, states, movers = self.game.position(), [], []
        for move in moves:
            states.append(position.state)
            movers.append(position.mover)
            position = position.play(move)
        policies = np.zeros((len(moves), self.game.num_actions), np.float16)
        policies[np.arange(len(moves)), moves] = 1
        replies = np.zeros_like(policies)
        replies[:-1] = policies[1:]
        result = self._results[number]
        return {
            "states": np.stack(states),
            "policies": policies,
            "replies": replies,
            "values": np.where(np.array(movers) == 0, result, -result),
            "surprises": np.zeros(len(moves)),
            "moves_left": remaining(len(moves)),
            "full": np.ones(len(moves), bool),
        }


def _files(names: Sequence[str]) -> list[str]:
    """These files, and those that patterns stand for."""
    found: list[str] = []
    for name in names:
        some = [name] if Path(name).exists() else sorted(glob(name, recursive=True))  # noqa: PTH207
        if not some:
            raise RecordError(f"there is no file {name} with games to learn from")
        if Path(name).is_dir():
            raise RecordError(f"{name} is a directory; name the files in it: {Path(name) / '*'}")
        found += some
    return found

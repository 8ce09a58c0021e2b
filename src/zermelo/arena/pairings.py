"""Two players of a tournament and how they fared, and the file in which that is kept."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.errors import BadParameter
from zermelo.files import replace_file
from zermelo.games.base import Game
from zermelo.players.az import AzPlayer
from zermelo.players.base import Player

_LARGEST = 10**8


@dataclass(frozen=True)
class Pairing:
    """The games of two players, from the side of A."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int
    seconds: float

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def turned(self) -> Pairing:
        """The same from the side of B."""
        return Pairing(self.b, self.a, self.losses, self.draws, self.wins, self.seconds)


@dataclass(frozen=True)
class Terms:
    """What decides which games are played: equal terms are equal games."""

    game: str
    players: tuple[str, str]
    """By their fingerprints."""
    games: int
    seed: int
    openings: int

    @property
    def own_seed(self) -> int:
        """A seed for this pairing, so that no two pairings of a tournament have the same openings."""
        digest = hashlib.sha256("\n".join([str(self.seed), *self.players]).encode()).digest()
        return int.from_bytes(digest[:8]) >> 1


def fingerprint(player: Player, game: Game) -> str:
    """The name of a player; for a network its weights, which may change, not the file that they are in."""
    if isinstance(player, AzPlayer):
        path = player.path(game)
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise BadParameter(f"{path} cannot be read: {error.strerror}") from error
        return replace(player, model=digest[:32]).name
    return player.name


class Record:
    """A file with a JSON line for each pairing that has been played; without a path, nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._data, self._new = b"", dict[int, bytes]()
        self._known: dict[Terms, tuple[int, int, int, float]] = {}
        if path is not None and path.exists():
            if path.stat().st_size > _LARGEST:
                raise BadParameter(f"{path} is too large to be the record of a tournament")
            self._data = path.read_bytes()
        for number, line in enumerate(self._data.splitlines(), 1):
            try:
                terms, outcome = _parsed(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise BadParameter(
                    f"line {number} of {path} is not a pairing of a tournament: {error}; choose another "
                    "file, or take the line out"
                ) from error
            self._known[terms] = outcome

    def find(self, terms: Terms, a: str, b: str) -> Pairing | None:
        """What was played on these terms, if it was."""
        outcome = self._known.get(terms)
        return Pairing(a, b, *outcome) if outcome else None

    def add(self, terms: Terms, played: Pairing, place: int) -> None:
        """Keep a pairing; new ones stand in the order of their places, whichever is over first."""
        if self._path is not None:
            self._new[place] = json.dumps(asdict(terms) | asdict(played)).encode() + b"\n"
            lines = (line for _, line in sorted(self._new.items()))
            replace_file(self._path, b"".join([self._data, *lines]))


def _parsed(line: Any) -> tuple[Terms, tuple[int, int, int, float]]:
    if not isinstance(line, dict):
        raise ValueError("it is not a JSON object")
    outcome = tuple(line[name] for name in ("wins", "draws", "losses"))
    if any(type(value) is not int or value < 0 for value in outcome) or sum(outcome) != line["games"]:
        raise ValueError("wins, draws and losses do not add up to games")
    a, b = map(str, line["players"])
    terms = Terms(str(line["game"]), (a, b), line["games"], int(line["seed"]), int(line["openings"]))
    return terms, (*outcome, float(line["seconds"]))

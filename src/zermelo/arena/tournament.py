"""Tournaments: many players, matches between them, and ratings from all of these together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from zermelo.arena import seed002
from zermelo.arena.match import match, opening
from zermelo.arena.pairings import Pairing, Record, Terms, fingerprint
from zermelo.arena.ratings import Ratings, rate
from zermelo.arena.trend import Trend, trend
from zermelo.errors import BadParameter, listed
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player


@dataclass(frozen=True)
class Entry:
    """A player who takes part, under a name; as version `version` of something, if that is given."""

    name: str
    player: Player
    version: int | None = None


@dataclass(frozen=True)
class Standing:
    """A player's line in the table of a tournament."""

    name: str
    rating: float
    interval: tuple[float, float]
    """95 % of the rating, if that of the anchor is right."""
    seed002: float
    """The rating on the scale of seed 002."""
    games: int
    wins: int
    draws: int
    losses: int
    superiority: float | None
    """How likely it is that this player is stronger than the one below; None for the last."""

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class TournamentResult:
    """Who played whom, and what they are worth."""

    game: str
    pairings: tuple[Pairing, ...]
    ratings: Ratings
    versions: Mapping[str, int]
    """The numbers of the players that are versions, by name."""

    @property
    def seconds(self) -> float:
        """Of all games, those of earlier calls too."""
        return sum(pairing.seconds for pairing in self.pairings)

    @property
    def on_seed_scale(self) -> Ratings:
        """The ratings on the scale of seed 002, with the same anchor."""
        return self.ratings.on(seed002.SCALE)

    def trend(self, ratings: Ratings | None = None) -> Trend | None:
        """The fitted increase per version, on the usual scale or that of other ratings; None if there are
        not two versions."""
        return trend(ratings or self.ratings, self.versions) if len(self.versions) > 1 else None

    def pairing(self, a: str, b: str) -> Pairing | None:
        """How A fared against B, if they met."""
        for one in self.pairings:
            if (one.a, one.b) == (a, b):
                return one
            if (one.b, one.a) == (a, b):
                return one.turned()
        return None

    def standings(self) -> list[Standing]:
        """The table, the highest rating first."""
        names = sorted(self.ratings.names, key=self.ratings.rating, reverse=True)
        return [self._standing(name, below) for name, below in zip(names, [*names[1:], None], strict=True)]

    def _standing(self, name: str, below: str | None) -> Standing:
        own = [one for other in self.ratings.names if (one := self.pairing(name, other))]
        wins, draws, losses = (
            sum(getattr(one, word) for one in own) for word in ("wins", "draws", "losses")
        )
        return Standing(
            name,
            self.ratings.rating(name),
            self.ratings.interval(name),
            self.on_seed_scale.rating(name),
            wins + draws + losses,
            wins,
            draws,
            losses,
            None if below is None else self.ratings.superiority(name, below),
        )


def tournament(
    game: Game,
    players: Sequence[Entry | Player],
    games: int = 20,
    seed: int = 0,
    openings: int = 2,
    gauntlet: Collection[str] = (),
    anchor: tuple[str, float] | None = None,
    record: Path | None = None,
    progress: Callable[[int, str], None] = lambda _done, _now: None,
) -> TournamentResult:
    """Every player meets every other in a match of `games` games, or those named in `gauntlet` meet all
    others, but not each other.

    `anchor` is a player with its rating, the first with 0 unless given. Pairings that `record` has from an
    earlier call, on the same terms, are not played again. `progress` is told how many games are over, and
    who plays.
    """
    entries = [one if isinstance(one, Entry) else Entry(one.name, one) for one in players]
    names = [entry.name for entry in entries]
    pairs = _pairs(entries, gauntlet)
    prints = _check(game, entries, games, seed, openings)
    if anchor is not None and anchor[0] not in names:
        raise BadParameter(f"the anchor `{anchor[0]}` does not take part; there are: {listed(names)}")
    kept = Record(record)
    found: list[Pairing] = []
    for number, (a, b) in enumerate(pairs):
        terms, turned = _terms(game, prints[a.name], prints[b.name], games, seed, openings)
        one, two = (b, a) if turned else (a, b)
        played = kept.find(terms, one.name, two.name)
        if played is None:
            played = _play(game, one, two, terms, _teller(progress, number * games, f"{a.name} - {b.name}"))
            kept.add(terms, played)
        found.append(played.turned() if turned else played)
        progress((number + 1) * games, "")
    ratings = rate(names, *_tables(names, found)).anchored(*(anchor or (names[0], 0.0)))
    versions = {entry.name: entry.version for entry in entries if entry.version is not None}
    return TournamentResult(game.name, tuple(found), ratings, versions)


def _pairs(entries: Sequence[Entry], gauntlet: Collection[str]) -> list[tuple[Entry, Entry]]:
    names = [entry.name for entry in entries]
    if len(entries) < 2:
        raise BadParameter(f"a tournament has at least two players, not {len(entries)}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadParameter(f"`{twice}` takes part twice; give each player a name of its own")
    if unknown := [name for name in gauntlet if name not in names]:
        raise BadParameter(f"`{unknown[0]}` of the gauntlet does not take part; there are: {listed(names)}")
    pairs = list(combinations(entries, 2))
    if gauntlet:
        pairs = [(a, b) for a, b in pairs if (a.name in gauntlet) != (b.name in gauntlet)]
        if not pairs:
            raise BadParameter("a gauntlet needs somebody to meet: all players are challengers")
    return pairs


def _check(game: Game, entries: Sequence[Entry], games: int, seed: int, openings: int) -> dict[str, str]:
    """See that all can play before anybody does; the fingerprints of the players by name."""
    if games < 2 or games % 2:
        raise BadParameter(
            f"`games` (={games}) must be even, and at least 2: both colours for each opening"
        )
    position = opening(game, openings, seed, 0)
    found: dict[str, str] = {}
    for entry in entries:
        entry.player.check(position)
        own = fingerprint(entry.player, game)
        for name, other in found.items():
            if own == other:
                raise BadParameter(f"`{entry.name}` and `{name}` are the same player")
        found[entry.name] = own
    return found


def _terms(game: Game, a: str, b: str, games: int, seed: int, openings: int) -> tuple[Terms, bool]:
    """Terms that do not depend on who is named first, and whether their players are turned round."""
    return Terms(game.name, (min(a, b), max(a, b)), games, seed, openings), b < a


def _teller(
    progress: Callable[[int, str], None], before: int, who: str
) -> Callable[[Sequence[Position]], None]:
    return lambda positions: progress(before + sum(one.is_over for one in positions), who)


def _play(
    game: Game, a: Entry, b: Entry, terms: Terms, tell: Callable[[Sequence[Position]], None]
) -> Pairing:
    result = match(game, a.player, b.player, terms.games, terms.own_seed, terms.openings, tell)
    return Pairing(a.name, b.name, result.wins, result.draws, result.losses, result.seconds)


def _tables(names: Sequence[str], pairings: Sequence[Pairing]) -> tuple[np.ndarray, np.ndarray]:
    """Wins and draws of each against each."""
    wins, draws = np.zeros((2, len(names), len(names)))  # [players, players]
    for one in pairings:
        i, j = names.index(one.a), names.index(one.b)
        wins[i, j], wins[j, i] = one.wins, one.losses
        draws[i, j] = draws[j, i] = one.draws
    return wins, draws

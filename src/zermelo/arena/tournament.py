"""Tournaments: many players, matches between them, and ratings from all of these together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from zermelo.arena import seed002
from zermelo.arena.contest import Contest, Played, Playing, in_turn, opening
from zermelo.arena.match import MatchResult
from zermelo.arena.pairings import Pairing, Record, Terms, fingerprint
from zermelo.arena.ratings import Ratings, rate
from zermelo.arena.trend import Trend, trend
from zermelo.errors import BadParameter, listed
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game
from zermelo.players.base import HasPlayer, Player
from zermelo.players.registry import player as named_player


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
    game: Game | str,
    players: Sequence[Entry | Player | HasPlayer | str],
    games: int = 20,
    seed: int = 0,
    openings: int = 2,
    gauntlet: Collection[str] = (),
    anchor: tuple[str, float] | None = None,
    record: Path | None = None,
    progress: Callable[[int, str], None] = lambda _done, _now: None,
    playing: Playing = in_turn,
) -> TournamentResult:
    """Let every player meet every other in a match, and rate them.

    Parameters
    ----------
    game
        A game, or its name.
    players
        Players, names or training runs; an `Entry` gives a player another name.
    games
        The number of games in each match.
    seed
        The random seed.
    openings
        The number of random moves with which each game begins.
    gauntlet
        Names of players who meet all others, but not each other.
    anchor
        A player with its rating; by default the first, with 0.
    record
        A file that keeps pairings, so that a later call on the same terms does not play them again.
    progress
        Called with the number of games that are over, and who plays.
    playing
        How and where games are played; by default in this process.

    Returns
    -------
    TournamentResult
        `standings()`, `ratings` with intervals, and `pairings`.

    Examples
    --------
    >>> import zermelo as zm
    >>> result = zm.tournament("tictactoe", ["random", "uct:sims=100", "perfect"], games=10)
    >>> [standing.name for standing in result.standings()][-1]
    'random'
    """
    game = named_game(game)
    entries = [one if isinstance(one, Entry) else _entry(named_player(one)) for one in players]
    names = [entry.name for entry in entries]
    pairs = _pairs(entries, gauntlet)
    prints = _check(game, entries, games, seed, openings)
    if anchor is not None and anchor[0] not in names:
        raise BadParameter(f"the anchor `{anchor[0]}` does not take part; there are: {listed(names)}")
    meetings = [_Meeting.of(game, a, b, prints, games, seed, openings) for a, b in pairs]
    found = _hold(meetings, Record(record), progress, playing)
    ratings = rate(names, *_tables(names, found)).anchored(*(anchor or (names[0], 0.0)))
    versions = {entry.name: entry.version for entry in entries if entry.version is not None}
    return TournamentResult(game.name, tuple(found), ratings, versions)


def _entry(player: Player) -> Entry:
    return Entry(player.name, player)


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


@dataclass(frozen=True)
class _Meeting:
    """Two players who are to meet, on terms that do not depend on who is named first."""

    a: Entry
    b: Entry
    terms: Terms
    contest: Contest
    turned: bool
    """Whether B is A in the contest."""

    @classmethod
    def of(
        cls, game: Game, a: Entry, b: Entry, prints: Mapping[str, str], games: int, seed: int, openings: int
    ) -> _Meeting:
        own, other = prints[a.name], prints[b.name]
        terms = Terms(game.name, (min(own, other), max(own, other)), games, seed, openings)
        one, two = (b, a) if other < own else (a, b)
        contest = Contest(game, one.player, two.player, games, terms.own_seed, openings)
        return cls(a, b, terms, contest, other < own)

    def names(self) -> tuple[str, str]:
        """Those of the contest's players."""
        return (self.b.name, self.a.name) if self.turned else (self.a.name, self.b.name)

    def pairing(self, played: Played) -> Pairing:
        """From the side of the contest's A."""
        result = MatchResult.of(self.contest, played.positions, played.seconds)
        return Pairing(*self.names(), result.wins, result.draws, result.losses, result.seconds)


def _hold(
    meetings: Sequence[_Meeting], kept: Record, progress: Callable[[int, str], None], playing: Playing
) -> list[Pairing]:
    """The pairings of these meetings in their order: those that were kept, and the others, now played."""
    known = [kept.find(one.terms, *one.names()) for one in meetings]
    left = [number for number, old in enumerate(known) if old is None]
    over = [0 if old is None else old.games for old in known]

    def tell(place: int, positions: Sequence[Position]) -> None:
        number = left[place]
        over[number] = sum(position.is_over for position in positions)
        progress(sum(over), f"{meetings[number].a.name} - {meetings[number].b.name}")

    progress(sum(over), "")
    for place, played in playing([meetings[number].contest for number in left], tell):
        number = left[place]
        known[number] = pairing = meetings[number].pairing(played)
        kept.add(meetings[number].terms, pairing, number)
        over[number] = pairing.games
        progress(sum(over), "")
    return [
        old.turned() if one.turned else old
        for one, old in zip(meetings, known, strict=True)
        if old is not None
    ]


def _tables(names: Sequence[str], pairings: Sequence[Pairing]) -> tuple[np.ndarray, np.ndarray]:
    """Wins and draws of each against each."""
    wins, draws = np.zeros((2, len(names), len(names)))  # [players, players]
    for one in pairings:
        i, j = names.index(one.a), names.index(one.b)
        wins[i, j], wins[j, i] = one.wins, one.losses
        draws[i, j] = draws[j, i] = one.draws
    return wins, draws

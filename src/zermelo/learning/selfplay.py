"""Self-play: many games in lock-step, each against itself, every position searched."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.openings import random_opening, seed_of
from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.learning.endgames import Endgames
from zermelo.learning.targets import Lesson, lesson
from zermelo.search.config import SearchConfig
from zermelo.search.decision import check_temperature, decide, improved_child
from zermelo.search.evaluator import Evaluator, Inside
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.result import SearchResult

_OPENING, _MOVE, _QUICK, _PLAYED_ON, _WEAK = range(5)
"""What chance decides, each with its own random numbers."""


_NOBODY = -1
WARM_EXPLORATION = 1.0
"""C of UCT with random playouts."""


@dataclass(frozen=True)
class SelfplayConfig:
    """How games are played."""

    parallel: int = 256
    """How many games are played at once."""
    cached: int = 200_000
    """Answers of the network that are remembered."""
    search: SearchConfig = field(
        default_factory=lambda: SearchConfig("gumbel", 32, first_play=float("nan"), gumbel_noise=True)
    )
    final_simulations: int = 0
    """Simulations at the end of the run, to which they grow step by step; 0: no growth."""
    full_share: float = 1.0
    """The share of moves with a full search, from which the policy is learnt; the others are quick."""
    quick_simulations: int = 8
    uneven_share: float = 0.0
    """The share of games in which one side, drawn by lot, is the weaker one: its searches are quick, do not
    follow chains of threats, and draw their moves to the end of the game. Where good play only draws,
    values then still tell who has the better chances."""
    drawn_plies: int = 12
    """How many moves of a game are drawn, by their share of visits or by Gumbel's noise; after that the
    best is played, so that the result tells what a position is worth."""
    temperature: float = 1.0
    tempered: bool = False
    """Whether the policy target is what the move was drawn from, one-hot where it was not drawn, rather
    than the share of visits."""
    reuse: bool = False
    """Whether the search of a move goes on with the tree of the move before; not for gumbel."""
    random_share: float = 0.5
    """The share of games that begin with random moves, so that positions differ."""
    random_plies: int = 8
    """How many such moves at most."""
    resign_below: float = -1.0
    """A player resigns whose search says less than this; -1: never."""
    played_on: float = 0.1
    """The share of games that are played to the end all the same, to see how often resigning is wrong."""
    endgame_positions: int = 0
    """How many positions a solver may look at after each game to prove what its last ones were worth;
    0: none. It does nothing in games that solvers do not take."""
    warm_games: int = 0
    """So many games at first are played with random playouts in place of the network, which knows nothing
    yet."""
    warm_simulations: int = 400
    """Simulations per move in these games; 0: random moves without a search, which teach values and an even
    policy. For rules so slow that a search with random playouts would hardly finish a game."""

    def __post_init__(self) -> None:
        for name in ("random_share", "full_share", "uneven_share", "played_on"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be from 0 to 1")
        for name in (
            "random_plies", "drawn_plies", "final_simulations", "cached", "warm_games", "warm_simulations",
            "endgame_positions",
        ):  # fmt: skip
            if getattr(self, name) < 0:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must not be negative")
        for name in ("parallel", "quick_simulations"):
            if getattr(self, name) < 1:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be at least 1")
        if self.reuse and self.search.variant == "gumbel":
            raise BadParameter("`reuse` is not for gumbel: its halving counts the visits of one search")
        check_temperature(self.temperature)
        if not -1 <= self.resign_below < 0:
            raise BadParameter(f"`resign_below` (={self.resign_below}) must be from -1 to below 0")

    def search_at(self, progress: float) -> SearchConfig:
        """A full search when this share of the run is over: simulations grow by the same factor all the
        time."""
        begin = self.search.simulations
        if not self.final_simulations or begin < 1:
            return self.search
        return self.search.but(simulations=round(begin * (self.final_simulations / begin) ** progress))

    @property
    def warm_search(self) -> SearchConfig:
        """The search of the first games, by random playouts."""
        return SearchConfig("uct", self.warm_simulations, exploration=WARM_EXPLORATION)


@dataclass
class PlayedGame:
    """A game, and what its positions teach."""

    number: int
    position: Position
    lessons: list[Lesson] = field(default_factory=list)
    resigner: int | None = None
    """Who resigned, or would have in a game that is played on."""
    is_resigned: bool = False

    @property
    def is_over(self) -> bool:
        return self.is_resigned or self.position.is_over

    @property
    def returns(self) -> tuple[float, ...]:
        if self.is_resigned:
            return (-1.0, 1.0) if self.resigner == 0 else (1.0, -1.0)
        assert self.position.returns is not None
        return self.position.returns


def chance(seed: int, game: int, ply: int, purpose: int) -> np.random.Generator:
    """Random numbers for one purpose at one move that depend on these four alone."""
    return np.random.default_rng([seed_of(seed, game, ply), purpose])


def opening(game: Game, config: SelfplayConfig, seed: int, number: int) -> Position:
    """Where a game begins: at the start, or after some random moves that do not end it."""
    random = chance(seed, number, 0, _OPENING)
    if config.random_plies == 0 or random.random() >= config.random_share:
        return game.position()
    plies = int(random.integers(1, config.random_plies + 1))
    return random_opening(game, plies, seed_of(seed, number, 0), number) or game.position()


def random_game(game: Game, seed: int, number: int) -> PlayedGame:
    """A game of random moves without any search: its targets are the result and a uniform policy over
    the legal moves. With value targets alone the policy head drifts into noise."""
    random = chance(seed, number, 0, _MOVE)
    position, path = game.position(), list[Position]()
    while not position.is_over:
        path.append(position)
        legal = position.legal_actions
        position = position.play(legal[int(random.integers(len(legal)))])
    returns = position.returns or ()
    lessons = [Lesson(one.state, one.mover, _even(one), returns[one.mover], exact=False) for one in path]
    return PlayedGame(number, position, lessons)


def _even(position: Position) -> NDArray[np.float32]:
    """All legal moves alike."""
    policy = np.zeros(position.game.num_actions, np.float32)
    policy[list(position.legal_actions)] = 1 / len(position.legal_actions)
    return policy


class Selfplay:
    """Games of a seed, one after the other, as many at once as the pool has slots.

    Game g is the same whoever plays beside it, as long as the evaluator is. Numbers are counted up, unless
    somebody says which games are played here.
    """

    def __init__(
        self, pool: Pool, config: SelfplayConfig, seed: int, numbers: Iterator[int] | None = None
    ) -> None:
        self.pool, self.config, self.seed = pool, config, seed
        self._numbers = numbers
        self.begun = 0
        """How many games have been begun."""
        self.under_way: dict[int, PlayedGame] = {}
        """By number."""
        self._quiet = config.search, config.search.but(gumbel_noise=False)
        """A search, and the same without Gumbel's noise."""
        self._endgames = Endgames(pool.game, config.endgame_positions)

    def play(
        self, evaluator: Evaluator | Inside, search: SearchConfig | None = None, games: int = 0,
        parallel: int = 0,
    ) -> Generator[PlayedGame]:  # fmt: skip
        """Yield games as they end, for ever. When it is closed, the others stay under way: they go on with
        the next call, the searches of their present moves from the beginning. With
        `games`, this number of games is played, all of them to the end. A new game begins only while fewer
        than `parallel` are in progress; 0: the number of slots of the pool."""
        for game in self.play_with_heartbeat(evaluator, search, games, parallel):
            if game is not None:
                yield game

    def play_with_heartbeat(
        self, evaluator: Evaluator | Inside, search: SearchConfig | None = None, games: int = 0,
        parallel: int = 0,
    ) -> Generator[PlayedGame | None]:  # fmt: skip
        """The same, with a None after each batch, so that the caller can look at the clock."""
        search = search or self.config.search
        left, slots = games or math.inf, min(self.pool.slots, parallel or self.pool.slots)
        for one in self.under_way.values():
            self._ask(one, evaluator, search)
        try:
            while len(self.under_way) < min(slots, left):
                self._begin(evaluator, search)
            for ended in self.pool.run_with_heartbeat():
                if ended is None:
                    yield None
                    continue
                job, result = ended
                one = job.tag
                self._move(one, result, job)
                if not one.is_over:
                    self._ask(one, evaluator, search)
                    continue
                del self.under_way[one.number]
                left -= 1
                self._endgames.prove(one.lessons)
                yield one
                while len(self.under_way) < min(slots, left):
                    self._begin(evaluator, search)
        finally:
            self.pool.clear()

    def _begin(self, evaluator: Evaluator | Inside, search: SearchConfig) -> None:
        number = self.begun if self._numbers is None else next(self._numbers)
        one = PlayedGame(number, opening(self.pool.game, self.config, self.seed, number))
        self.begun += 1
        self.under_way[one.number] = one
        self._ask(one, evaluator, search)

    def _ask(self, one: PlayedGame, evaluator: Evaluator | Inside, search: SearchConfig) -> None:
        ply, weak = len(one.position.moves), self._is_weak(one, evaluator)
        if ply >= self.config.drawn_plies and not weak:
            search = self._without_noise(search)
        if weak or self._is_quick(one.number, ply, evaluator):
            search = search.but(
                simulations=min(self.config.quick_simulations, search.simulations),
                noise=0.0,
                chains=0 if weak else search.chains,
            )
        stream = seed_of(self.seed, one.number, ply)
        reuse = self.config.reuse and search.variant != "uct"
        self.pool.add(
            Job(one.position, search, evaluator, seed=stream, reuse=reuse, owner=one.number, tag=one)
        )

    def _without_noise(self, search: SearchConfig) -> SearchConfig:
        if self._quiet[0] is not search:
            self._quiet = search, search.but(gumbel_noise=False)
        return self._quiet[1]

    def _is_quick(self, number: int, ply: int, evaluator: Evaluator | Inside) -> bool:
        """Whether this move's search is a quick one; those with random playouts never are."""
        share = self.config.full_share
        return (
            share < 1
            and not isinstance(evaluator, Inside)
            and bool(chance(self.seed, number, ply, _QUICK).random() >= share)
        )

    def _is_weak(self, one: PlayedGame, evaluator: Evaluator | Inside) -> bool:
        """Whether the weaker side of an uneven game is to move; games with random playouts are even."""
        share = self.config.uneven_share
        if share == 0 or isinstance(evaluator, Inside):
            return False
        random = chance(self.seed, one.number, 0, _WEAK)
        return bool(random.random() < share) and one.position.mover == random.integers(
            self.pool.game.num_players
        )

    def _move(self, one: PlayedGame, result: SearchResult, job: Job) -> None:
        """Learn from a search, and play its move or resign."""
        config, ply = self.config, len(one.position.moves)
        gumbel, weak = job.config.variant == "gumbel", self._is_weak(one, job.evaluator)
        drawn = config.temperature if weak or ply < config.drawn_plies else 0.0
        full, temperature = (
            not (weak or self._is_quick(one.number, ply, job.evaluator)),
            drawn if config.tempered else 1.0,
        )
        one.lessons.append(lesson(result, gumbel, full, temperature))
        if one.resigner is None and result.value < config.resign_below:
            one.resigner = result.position.mover
            one.is_resigned = bool(
                chance(self.seed, one.number, 0, _PLAYED_ON).random() >= config.played_on
            )
        if gumbel:
            action = decide(result, improved_child)
        else:
            action = decide(result, "robust", drawn, chance(self.seed, one.number, ply, _MOVE))
        if not one.is_resigned:
            one.position = one.position.play(action)

    def state(self) -> dict[str, NDArray[Any]]:
        """All that the next call depends on."""
        return {"begun": np.array(self.begun), **written(self.pool.game, self.under_way.values())}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from such a state."""
        self.begun = int(state["begun"])
        self.under_way = {one.number: one for one in read(self.pool.game, state)}


def written(game: Game, games: Iterable[PlayedGame]) -> dict[str, NDArray[Any]]:
    """Games as arrays, without a lesson whose move was not played because somebody interrupted."""
    games = list(games)
    taught = [one.lessons[: -1 if _is_cut(one) else None] for one in games]
    lessons = [one for some in taught for one in some]
    return {
        "numbers": np.array([one.number for one in games], np.int64),
        "resigners": np.array(
            [_NOBODY if one.resigner is None else one.resigner for one in games], np.int64
        ),
        "resigned": np.array([one.is_resigned for one in games], bool),
        "lengths": np.array([len(one.position.moves) for one in games], np.int64),
        "moves": np.array([move for one in games for move in one.position.moves], np.int64),
        "taught": np.array([len(some) for some in taught], np.int64),
        "states": np.array([one.state for one in lessons], np.int64).reshape(-1, game.state_words),
        "movers": np.array([one.mover for one in lessons], np.int64),
        "policies": np.array([one.policy for one in lessons], np.float32).reshape(-1, game.num_actions),
        "values": np.array([one.value for one in lessons], np.float64),
        "exact": np.array([one.exact for one in lessons], bool),
        "full": np.array([one.full for one in lessons], bool),
        "surprises": np.array([one.surprise for one in lessons], np.float64),
    }


def _is_cut(one: PlayedGame) -> bool:
    """Whether its last lesson is of the position in which it still stands."""
    if one.is_resigned or not one.lessons:
        return False
    return bool((one.lessons[-1].state == one.position.state).all())


def read(game: Game, arrays: Mapping[str, NDArray[Any]]) -> list[PlayedGame]:
    """Games from such arrays."""
    names = ("states", "movers", "policies", "values", "exact", "full", "surprises")
    rows = zip(*(arrays[name] for name in names), strict=True)
    lessons = (
        Lesson(state, int(mover), policy, float(value), bool(exact), bool(full), float(surprise))
        for state, mover, policy, value, exact, full, surprise in rows
    )
    moves, found = iter(arrays["moves"].tolist()), []
    columns = ("numbers", "resigners", "resigned", "lengths", "taught")
    for number, resigner, resigned, length, taught in zip(
        *(arrays[name].tolist() for name in columns), strict=True
    ):
        position = game.position()
        for move in islice(moves, length):
            position = position.play(move)
        who = None if resigner == _NOBODY else resigner
        found.append(PlayedGame(number, position, list(islice(lessons, taught)), who, resigned))
    return found

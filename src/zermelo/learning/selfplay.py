"""Self-play: many games in lock-step, each against itself, every position searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.learning.targets import Lesson, lesson
from zermelo.search import rng
from zermelo.search.config import SearchConfig
from zermelo.search.decision import decide, improved_child
from zermelo.search.evaluator import Evaluator, Inside
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.result import SearchResult


@dataclass(frozen=True)
class SelfplayConfig:
    """How games are played."""

    search: SearchConfig = field(default_factory=lambda: SearchConfig("gumbel", 32, gumbel_noise=True))
    drawn_plies: int = 12
    """How many moves of a game are drawn by their share of visits; after that the best is played. Gumbel
    draws by its noise instead."""
    temperature: float = 1.0
    random_share: float = 0.5
    """The share of games that begin with random moves, so that positions differ."""
    random_plies: int = 8
    """How many such moves at most."""

    def __post_init__(self) -> None:
        if not 0 <= self.random_share <= 1:
            raise BadParameter(f"`random_share` (={self.random_share}) must be from 0 to 1")
        if self.random_plies < 0 or self.drawn_plies < 0:
            raise BadParameter("`random_plies` and `drawn_plies` must not be negative")


@dataclass
class PlayedGame:
    """A game, and what its positions teach."""

    number: int
    position: Position
    lessons: list[Lesson] = field(default_factory=list)

    @property
    def returns(self) -> tuple[float, ...]:
        assert self.position.returns is not None
        return self.position.returns


def chance(seed: int, game: int, ply: int) -> np.random.Generator:
    """Random numbers for one move that depend on these three alone."""
    return np.random.default_rng([seed & rng.WORD, game, ply])


def opening(game: Game, config: SelfplayConfig, seed: int, number: int) -> Position:
    """Where a game begins: at the start, or after some random moves that do not end it."""
    random = chance(seed, number, 0)
    start = game.position()
    if config.random_plies == 0 or random.random() >= config.random_share:
        return start
    for _ in range(100):
        position = start
        for _ in range(int(random.integers(1, config.random_plies + 1))):
            position = position.play(int(random.choice(position.legal_actions)))
            if position.is_over:
                break
        else:
            return position
    return start


def play(
    pool: Pool, evaluator: Evaluator | Inside, config: SelfplayConfig, seed: int, first: int, games: int
) -> Iterator[PlayedGame]:
    """Play games `first` to `first + games - 1` of a seed, as many at once as the pool has slots; yield
    each as it ends. Game g of a seed is the same whoever plays beside it."""

    def ask(one: PlayedGame) -> None:
        moves = len(one.position.moves)
        stream = int(rng.new_stream(seed, one.number)[0])
        pool.add(Job(one.position, config.search, evaluator, seed=stream, number=moves, tag=one))

    def begin(number: int) -> None:
        ask(PlayedGame(number, opening(pool.game, config, seed, number)))

    waiting = iter(range(first, first + games))
    for number in islice(waiting, pool.slots):
        begin(number)
    improved = config.search.variant == "gumbel"
    for job, result in pool.run():
        one: PlayedGame = job.tag
        one.lessons.append(lesson(result, improved))
        one.position = one.position.play(_move(result, config, seed, one.number))
        if not one.position.is_over:
            ask(one)
            continue
        yield one
        for number in islice(waiting, 1):
            begin(number)


def _move(result: SearchResult, config: SelfplayConfig, seed: int, number: int) -> int:
    if config.search.variant == "gumbel":
        return decide(result, improved_child)
    ply = len(result.position.moves)
    if ply >= config.drawn_plies:
        return decide(result)
    return decide(result, "stochastic", config.temperature, chance(seed, number, 1 + ply))

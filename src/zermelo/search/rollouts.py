"""Games of random moves, at the speed of the rules."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from zermelo.compilation import compiled, copy_words
from zermelo.errors import BadParameter
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Floats, Rules, Words
from zermelo.games.base import Game
from zermelo.search import rng
from zermelo.search.rng import Stream


@compiled
def rollout(rules: Rules, state: Words, actions: Words, result: Floats, stream: Stream) -> int:
    """Play random moves in `state` until the game is over; the number of moves, or a status.

    `actions` is scratch for num_actions words; `result` gets each player's return.
    """
    plies = 0
    status = abi.returns(rules, state, result)
    if status != GOING:
        return 0 if status == OVER else status
    while True:
        word = rng.next_word(stream)
        count = abi.legal(rules, state, actions)
        if count <= 0:
            return FAILED if count == 0 else count
        status = abi.play(rules, state, actions[rng.scaled(word, count)])
        plies += 1
        if status == OVER:
            status = abi.returns(rules, state, result)
            return plies if status == OVER else min(status, FAILED)
        if status < 0:
            return status


@compiled
def _random_games(
    rules: Rules, games: int, seed: int, first: int,
    start: Words, state: Words, actions: Words, result: Floats, stream: Stream, totals: Floats,
) -> int:  # fmt: skip
    """Play `games` random games from `start`; add up each player's returns; the number of moves."""
    moves = 0
    for game in range(games):
        rng.set_stream(stream, seed, first + game)
        copy_words(start, state)
        plies = rollout(rules, state, actions, result, stream)
        if plies < 0:
            return plies
        moves += plies
        for player in range(rules.num_players):
            totals[player] += result[player]
    return moves


@dataclass(frozen=True)
class RandomGames:
    """What a number of random games amounted to."""

    games: int
    moves: int
    mean_returns: tuple[float, ...]
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds


def random_games(game: Game, games: int, seed: int = 0, first: int = 0) -> RandomGames:
    """Play games of random moves from the start; game g of a seed is always the same game."""
    if games < 1:
        raise BadParameter(f"`games` (={games}) must be at least 1")
    start = game.position().state
    state, actions = start.copy(), np.empty(game.num_actions, np.int64)
    result, totals = np.zeros(game.num_players), np.zeros(game.num_players)
    stream = rng.new_stream(seed)
    begin = time.perf_counter()
    moves = _random_games(game.rules(), games, seed, first, start, state, actions, result, stream, totals)
    seconds = time.perf_counter() - begin
    if moves < 0:
        raise game.failure(moves, state)
    return RandomGames(games, moves, tuple((totals / games).tolist()), seconds)


def measure(game: Game, seconds: float = 1.0, rounds: int = 3) -> RandomGames:
    """The fastest of a few rounds of random games on one core, after everything is compiled."""
    random_games(game, 1)
    games = 1
    while _unremembered(game, games, 0).seconds < seconds / rounds / 4 and games < 10**9:
        games *= 2
    return max(
        (_unremembered(game, games, seed) for seed in range(rounds)), key=lambda r: r.games_per_second
    )


def _unremembered(game: Game, games: int, seed: int) -> RandomGames:
    """Random games whose moves a game in plain Python does not remember from before."""
    game.forget()
    return random_games(game, games, seed)

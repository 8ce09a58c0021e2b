"""A place for contests with many workers, in which players are asked for moves in positions too.

Both are cut into pieces, and a piece depends on nothing but itself. So the results are those of one
process, whoever does which piece, and one whose worker died is simply done again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from zermelo.arena import mistakes
from zermelo.arena.contest import Contest, Played, Told, play
from zermelo.arena.mistakes import Paper
from zermelo.cluster.connection import Cluster
from zermelo.cluster.luggage import NamedGame, NamedPlayer, Packer, built_game, built_player
from zermelo.games.abi import Words
from zermelo.games.base import Game
from zermelo.games.position import Position, rebuilt

_PIECES = 2
"""For each worker, at least: who is done first helps the others."""
_GAMES, _QUESTIONS = (8, 64), (32, 256)
"""The fewest and the most in a piece: enough for lock-step, few enough to see that it goes on."""

Ended = tuple[tuple[int, ...], str]
"""The moves of a game, and why it was forfeited, if it was."""


@dataclass(frozen=True)
class _Games:
    """Some games of a contest."""

    game: NamedGame
    a: NamedPlayer
    b: NamedPlayer
    games: int
    seed: int
    openings: int
    first: int


@dataclass(frozen=True)
class _Questions:
    """Some positions of a paper: the states, and the moves that led to them."""

    game: NamedGame
    player: NamedPlayer
    positions: list[tuple[Words, tuple[int, ...]]]
    seed: int


class Hall:
    """The workers of a cluster as the arena sees them: `match(..., playing=Hall(cluster).play)`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._packer = cluster, Packer(cluster.ray.put)

    def play(self, contests: Sequence[Contest], told: Told) -> Generator[tuple[int, Played]]:
        """See `zermelo.arena.contest.Playing`; games are told of piece by piece."""
        most = self._share(sum(contest.games for contest in contests), _GAMES)
        most += most % 2
        places = [
            (number, begin)
            for number, contest in enumerate(contests)
            for begin in range(0, contest.games, most)
        ]
        pieces = [self._games(contests[number], begin, most) for number, begin in places]
        standing, seconds = dict[int, list[Position]](), [0.0] * len(contests)
        left = [contest.games for contest in contests]
        for place, (games, taken) in self._cluster.each(_play, pieces):
            number, begin = places[place]
            contest = contests[number]
            if number not in standing:
                standing[number] = contest.begin()
            positions = standing[number]
            positions[begin : begin + len(games)] = [_ended(contest.game, *one) for one in games]
            seconds[number] += taken
            left[number] -= len(games)
            told(number, positions)
            if left[number] == 0:
                yield number, Played(tuple(standing.pop(number)), seconds[number])

    def ask(self, papers: Sequence[Paper]) -> Iterator[tuple[int, int, list[int]]]:
        """See `zermelo.arena.mistakes.Asking`."""
        most = self._share(sum(len(paper.positions) for paper in papers), _QUESTIONS)
        places = [
            (number, first)
            for number, paper in enumerate(papers)
            for first in range(0, len(paper.positions), most)
        ]
        pieces = [self._questions(papers[number].part(first, most)) for number, first in places]
        for place, actions in self._cluster.each(_choose, pieces):
            yield *places[place], actions

    def _share(self, total: int, bounds: tuple[int, int]) -> int:
        """How much of so much work is in a piece."""
        fewest, most = bounds
        return max(fewest, min(most, -(-total // (_PIECES * self._cluster.workers))))

    def _games(self, contest: Contest, begin: int, most: int) -> _Games:
        return _Games(
            self._packer.game(contest.game),
            self._packer.player(contest.a),
            self._packer.player(contest.b),
            min(most, contest.games - begin),
            contest.seed,
            contest.openings,
            contest.first + begin,
        )

    def _questions(self, paper: Paper) -> _Questions:
        return _Questions(
            self._packer.game(paper.positions[0].game),
            self._packer.player(paper.player),
            [(position.state, position.moves) for position in paper.positions],
            paper.seed,
        )


def _ended(game: Game, moves: tuple[int, ...], forfeit: str) -> Position:
    position = game.position(moves)
    return position.forfeited(position.mover, forfeit) if forfeit else position


# What workers do.


def _play(piece: _Games) -> tuple[list[Ended], float]:
    contest = Contest(
        built_game(piece.game), built_player(piece.a), built_player(piece.b), piece.games, piece.seed,
        piece.openings, piece.first,
    )  # fmt: skip
    played = play(contest, lambda _: None)
    return [(position.moves, position.forfeit) for position in played.positions], played.seconds


def _choose(piece: _Questions) -> list[int]:
    game = built_game(piece.game)
    positions = [rebuilt(game, *one) for one in piece.positions]
    paper = Paper(built_player(piece.player), positions, piece.seed)
    return [action for _, _, actions in mistakes.in_turn([paper]) for action in actions]

"""Positions of the graded sets to solve: those that a network, by itself, gets wrong come first."""

from __future__ import annotations

import random

from zermelo.exact.graded import Graded
from zermelo.exact.sets import SETS, lines_of, read_line, set_file
from zermelo.games.base import Game
from zermelo.players.az import AzPlayer
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.web.models import Models

_ASKED = 300
"""Positions of a set that the network is asked about."""
TITLES = {"network": "The network errs", "any": "Any position"}


class Puzzles:
    """Puzzles of each game that has graded sets. For the thread in which networks are asked."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._kept: dict[tuple[str, str], list[str]] = {}

    @staticmethod
    def games() -> list[str]:
        return list(SETS)

    def draw(self, game: Game, kind: str) -> Graded:
        """One of them, by chance."""
        lines = self._lines(game, kind)
        return read_line(game, random.choice(lines))  # noqa: S311 (no secret)

    def _lines(self, game: Game, kind: str) -> list[str]:
        key = game.name, kind
        if key not in self._kept:
            lines = [line for name in SETS[game.name][-1:] for line in _read(game, name)]
            if kind == "network" and self._models.ships(game):
                lines = self._wrong(game, lines[:_ASKED]) or lines
            self._kept[key] = lines
        return self._kept[key]

    def _wrong(self, game: Game, lines: list[str]) -> list[str]:
        """Those in which the network alone gives a result away."""
        player = AzPlayer(sims=0)
        evaluator, encoding = self._models.evaluator(player, game)
        graded = [read_line(game, line) for line in lines]
        pool = Pool(game, 64, encoding)
        results = pool.search([Job(one.position, player.config(), evaluator) for one in graded])
        chosen = [player.decide(result, 0) for result in results]
        return [
            line
            for line, one, action in zip(lines, graded, chosen, strict=True)
            if one.is_telling and not one.keeps_the_result(action)
        ]


def _read(game: Game, name: str) -> list[str]:
    lines = lines_of(set_file(game.name, name).read_text())
    return [line for line in lines if len({sign(score) for score in line.split()[2:] if score != "."}) > 1]


def sign(score: str) -> int:
    number = int(score)
    return (number > 0) - (number < 0)

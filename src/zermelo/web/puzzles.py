"""Positions of the graded sets to solve: those that a network, by itself, gets wrong come first."""

from __future__ import annotations

import random
from pathlib import Path

from zermelo.errors import BadParameter
from zermelo.exact.graded import Graded
from zermelo.exact.sets import SETS, lines_of, read_line, set_file
from zermelo.games.base import Game
from zermelo.games.registry import game as named_game
from zermelo.players.az import AzPlayer
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.web.models import Models

_ASKED = 300
"""Positions of a set that a network is asked about."""
_FAR = 8
"""Moves to the end, from which on people find a position hard."""
ONE, ANY = "one", "any"


class Puzzles:
    """Puzzles of each game that has graded sets. For the thread in which networks are asked."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._read: dict[Game, list[Graded]] = {}
        self._wrong: dict[tuple[Game, Path, int], list[Graded]] = {}

    @staticmethod
    def games() -> list[str]:
        return list(SETS)

    @staticmethod
    def kinds(advisers: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Kinds of puzzles with their titles, for a game about which these can be asked."""
        networks = [(name, f"The {title} errs here") for name, title in advisers if name.startswith("az")]
        return [*networks, (ONE, "Only one move, and the end is far"), (ANY, "Any position")]

    def draw(self, game: Game, kind: str) -> Graded:
        """One of them, by chance."""
        found = self._positions(game)
        if kind == ONE:
            found = [one for one in found if _is_hard(one)]
        elif kind != ANY:
            found = self._errors(game, AzPlayer(model=kind.partition("model=")[2], sims=0))
        if not found:
            raise BadParameter("it makes no mistake in any of these positions; choose another kind")
        return random.choice(found)  # noqa: S311 (no secret)

    def mistakes(self, game: str, path: Path) -> float:
        """The share of these positions in which a network, without search, gives the result away."""
        asked = self._positions(named_game(game))[:_ASKED]
        return len(self._given_away(named_game(game), path, asked)) / len(asked)

    def _positions(self, game: Game) -> list[Graded]:
        if game not in self._read:
            name = SETS[game.name][-1]
            found = [read_line(game, line) for line in lines_of(set_file(game.name, name).read_text())]
            self._read[game] = [one for one in found if one.is_telling]
        return self._read[game]

    def _errors(self, game: Game, player: AzPlayer) -> list[Graded]:
        path = self._models.path(player.model) if player.model else player.path(game)
        key = game, path, path.stat().st_mtime_ns
        if key not in self._wrong:
            self._wrong = {old: found for old, found in self._wrong.items() if old[:2] != key[:2]}
            self._wrong[key] = self._given_away(game, path, self._positions(game)[:_ASKED])
        return self._wrong[key]

    @staticmethod
    def _given_away(game: Game, path: Path, asked: list[Graded]) -> list[Graded]:
        """Those in which the network alone gives the result away."""
        player = AzPlayer(model=str(path), sims=0)
        evaluator, pool = player.evaluator(game), Pool(game, 64, player.encoding(game))
        results = pool.search([Job(one.position, player.config(), evaluator) for one in asked])
        chosen = [player.decide(result, 0) for result in results]
        return [one for one, action in zip(asked, chosen, strict=True) if not one.keeps_the_result(action)]


def _is_hard(one: Graded) -> bool:
    """Whether a single move keeps the result, and the end is far."""
    keeping = [outcome for outcome in one.outcomes.values() if outcome.value == one.best.value]
    return len(keeping) == 1 and (one.best.value == 0 or one.best.plies >= _FAR)

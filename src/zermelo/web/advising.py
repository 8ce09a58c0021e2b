"""What visitors ask of a position: a search that streams, exact outcomes, the whole game, the tree."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadParameter
from zermelo.exact import Outcome
from zermelo.games.position import Position
from zermelo.players.tree import TreePlayer
from zermelo.search.result import SearchResult
from zermelo.web import review
from zermelo.web.analysis import exact_message, message, tree_message
from zermelo.web.catalogue import MOST_SIMULATIONS
from zermelo.web.fields import Fields
from zermelo.web.stepping import MOST as MOST_STEPS
from zermelo.web.table import Table
from zermelo.web.thinker import Lines, Search

if TYPE_CHECKING:
    from zermelo.web.visitor import Visitor

EVERY = 0.15
"""Seconds between two looks at an analysis."""
SECONDS_TO_SOLVE = 4.0
SECONDS_TO_REVIEW = 25.0
_SECONDS_PER_PLY = 3.0
_USUAL = {"az": 2000, "uct": 30_000}
"""Simulations of an analysis, unless said otherwise."""


class Advising:
    """The questions of a visitor; a new one of a kind ends the one before."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor, self._hub = visitor, visitor.hub
        self._search: Search | None = None
        self._review: _Review | None = None
        self.words: dict[str, Callable[[Fields], None]] = {
            "analyse": self._analyse,
            "stop": lambda _: self.end_search(),
            "exact": self._exact,
            "review": self._begin_review,
            "tree": self._tree,
        }

    def end(self) -> None:
        """Somebody else is asked now, or nobody."""
        self.end_search()
        if self._review is not None:
            self._review.end()
            self._review = None

    def end_search(self) -> None:
        if self._search is not None:
            self._hub.thinker.stop(self._search)
            self._search = None

    def _fail_soon(self, error: Exception) -> None:
        self._hub.soon(lambda: self._visitor.fail(error))

    def _adviser(self, fields: Fields, simulations: int | None = None) -> TreePlayer:
        table = self._visitor.here
        name = fields.text("by", "") or table.advisers[0][0]
        word, _, rest = name.partition(":")
        if simulations is None:
            most = MOST_SIMULATIONS.get(word, 1)
            simulations = fields.number("simulations", 1, most, min(_USUAL.get(word, 1), most))
        parameters = [part for part in rest.split(",") if part.startswith("model=")]
        wanted = f"{word}:{','.join([*parameters, f'sims={simulations}'])}"
        player = self._hub.catalogue.player(wanted, table.game)
        if not isinstance(player, TreePlayer):
            raise BadParameter(f"`{word}` searches no tree")
        return player

    def _analyse(self, fields: Fields) -> None:
        """Search what the visitor looks at, and tell it while the search goes on."""
        self.end_search()
        position, player = self._visitor.position, self._adviser(fields)
        if position.is_over:
            raise BadParameter("nothing can be analysed: the game is over")
        search: Search

        def seen(result: SearchResult, lines: Lines, during: bool) -> None:
            told = {**message(result, lines, during), "id": "analysis", "by": player.name}
            self._hub.soon(lambda: self._visitor.send(told) if self._search is search else None)

        search = Search(position, player, self._visitor.here.seed, seen, self._fail_soon, EVERY)
        self._search = self._hub.thinker.search(search)

    def _exact(self, _: Fields) -> None:
        """The exact outcomes of what the visitor looks at; nothing is told where they are not found."""
        position = self._visitor.position
        if position.is_over:
            return

        def tell(outcomes: dict[int, Outcome]) -> None:
            self._visitor.send(exact_message(position, outcomes))

        def none(_: Exception) -> None:
            told = {"type": "exact", "turnNumber": len(position.moves), "best": None, "moves": []}
            self._visitor.send(told)

        self._hub.when_done(self._hub.solving.outcomes(position, SECONDS_TO_SOLVE), tell, none)

    def _begin_review(self, fields: Fields) -> None:
        """Look at the whole game: all its positions are searched at once, in one batch with everybody's."""
        table = self._visitor.here
        word = (fields.text("by", "") or table.advisers[0][0]).partition(":")[0]
        player = self._adviser(fields, review.simulations(word, len(table.positions)))
        if self._review is not None:
            self._review.end()
        self._review = _Review(self._visitor, table, player, self._fail_soon)

    def _tree(self, fields: Fields) -> None:
        """The search tree of what the visitor looks at, after so many simulations."""
        visitor, position = self._visitor, self._visitor.position
        simulations = fields.number("simulations", 0, MOST_STEPS)
        seed = fields.number("seed", 0, 2**31, 0)
        player = self._adviser(fields, MOST_STEPS)
        if position.is_over:
            raise BadParameter("there is no tree: the game is over")
        future = self._hub.thinker.call(
            lambda: tree_message(
                self._hub.stepping.tree(visitor.name, position, player, seed, simulations),
                seed,
                player.config(),
            )
        )
        self._hub.when_done(future, visitor.send, visitor.fail)


class _Review:
    """A look at the whole game, position by position; what is found is written to its table."""

    def __init__(
        self, visitor: Visitor, table: Table, player: TreePlayer, failed: Callable[[Exception], None]
    ) -> None:
        self._visitor, self._hub, self._table = visitor, visitor.hub, table
        self._positions = list(table.positions)
        self._left = set(range(len(self._positions)))
        self._until = time.monotonic() + SECONDS_TO_REVIEW
        self._searches: list[Search] = []
        for ply, position in enumerate(self._positions):
            if position.is_over:
                self._found(ply, review.at_the_end(position))
            else:
                self._look(ply, player, failed)
        self._solve(len(self._positions) - (2 if self._positions[-1].is_over else 1))

    def end(self) -> None:
        for search in self._searches:
            self._hub.thinker.stop(search)

    @property
    def _is_outdated(self) -> bool:
        return self._table.positions[: len(self._positions)] != self._positions

    def _found(self, ply: int, verdict: dict[str, Any]) -> None:
        if self._is_outdated:
            return
        verdicts = self._table.verdicts
        verdicts[ply] = {**verdicts.get(ply, {}), **verdict}
        self._left.discard(ply)
        of = len(self._positions)
        self._visitor.send({"type": "review", "done": of - len(self._left), "of": of})
        if not self._left:
            review.costs(self._table.positions, verdicts)
            self._hub.show(self._table)

    def _look(self, ply: int, player: TreePlayer, failed: Callable[[Exception], None]) -> None:
        def seen(result: SearchResult, _lines: Lines, _during: bool) -> None:
            if not search.stopped:
                self._hub.soon(
                    lambda: self._found(ply, review.searched(result)) if ply in self._left else None
                )

        search = Search(self._positions[ply], player, self._table.seed, seen, failed)
        self._searches.append(self._hub.thinker.search(search))

    def _solve(self, ply: int) -> None:
        """From the end on, as long as the solver is fast enough."""
        if ply < 0 or time.monotonic() > self._until or self._is_outdated:
            return
        position: Position = self._positions[ply]

        def solved(outcomes: dict[int, Outcome]) -> None:
            known = self._table.verdicts.get(ply, {})
            self._found(ply, review.with_outcomes(known, position, outcomes))
            self._solve(ply - 1)

        future = self._hub.solving.outcomes(position, _SECONDS_PER_PLY)
        self._hub.when_done(future, solved, lambda _: None)

"""What all visitors share: the tables, and the players who answer at them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from zermelo.arena.openings import seed_of
from zermelo.errors import UnknownName, ZermeloError
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.perfect import PerfectPlayer
from zermelo.players.tree import TreePlayer
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.result import SearchResult
from zermelo.web.catalogue import HUMAN, Catalogue
from zermelo.web.grades import Grades
from zermelo.web.models import Models
from zermelo.web.puzzles import Puzzles
from zermelo.web.runs import Runs
from zermelo.web.solving import Solving
from zermelo.web.stepping import Stepping
from zermelo.web.table import Table
from zermelo.web.thinker import Lines, Search, Thinker

if TYPE_CHECKING:
    from zermelo.web.visitor import Visitor

log = logging.getLogger("zermelo.web")

MOST_TABLES = 2000
MOST_OF_ONE = 50
"""Games that a visitor has begun, in one connection."""
MOST_VISITORS = 1000
PAUSE = 0.4
"""Seconds between the moves of two players who are no people."""
SECONDS_TO_SOLVE = 20.0
"""For a move of a perfect player."""


class Hub:
    """Everything between the network and the games."""

    def __init__(self, files: list[str] | None = None, runs: dict[str, Path] | None = None) -> None:
        self.models = Models(runs)
        self.runs = Runs(runs or {})
        self.catalogue = Catalogue(self.models, [*(files or []), *self.runs.game_files()])
        self.thinker = Thinker(self.models)
        self.solving = Solving()
        self.stepping = Stepping(self.models)
        self.puzzles = Puzzles(self.models)
        self.grades = Grades(self.runs, self.puzzles, self.thinker)
        self.elsewhere = ""
        """Where other devices find the page, with its token; nothing on loopback."""
        self.tables: dict[str, Table] = {}
        self.visitors: set[Visitor] = set()
        self._begun: WeakKeyDictionary[Visitor, list[str]] = WeakKeyDictionary()
        """The games that each visitor has begun."""
        self.ready: Future[None] = Future()
        """Done once everything is loaded, or compiled, so that no move blocks the others."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._complaints: set[str] = set()

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.thinker.start()
        self.ready = self.thinker.call(self._warm_up)

    def _warm_up(self) -> None:
        """Load, or compile, what games need, before anybody waits for it."""
        for family in self.catalogue.families():
            position = family().position()
            position.play(position.legal_actions[0]).is_over  # noqa: B018 (asking is what loads it)
        first = self.catalogue.first()
        game = self.catalogue.game(first["game"])
        player = self.catalogue.player(first["seats"][1], game)
        if isinstance(player, TreePlayer):
            evaluator, encoding = self.models.evaluator(player, game)
            Pool(game, 1, encoding).search(
                [Job(game.position(), player.config().but(simulations=2), evaluator)]
            )

    def end(self) -> None:
        self.thinker.end()
        self.solving.end()

    # Tables.

    def seat(self, position: Position, seats: list[str], host: Visitor, apart: bool = False) -> Table:
        """Begin a game. A visitor who has begun too many loses the oldest of them; if all together have,
        the one that nobody has touched for longest makes room, games without watchers first."""
        game, catalogue = position.game, self.catalogue
        title, advisers = catalogue.title(game), self.advisers(game)
        table = Table(catalogue.name(game), title, position, seats, advisers, apart)
        self.tables[table.id] = table
        begun = self._begun.setdefault(host, [])
        begun.append(table.id)
        if len(begun) > MOST_OF_ONE:
            self.tables.pop(begun.pop(0), None)
        if len(self.tables) > MOST_TABLES:
            others = [one for one in self.tables.values() if one is not table]
            del self.tables[min(others, key=lambda one: (bool(one.watchers), one.touched)).id]
        return table

    def advisers(self, game: Game) -> list[tuple[str, str]]:
        """Who can be asked what it thinks, with a title, the best first."""
        found = [("az", "trained network")] if self.models.ships(game) else []
        for label in self.runs.labels():
            if self.runs.told(label).get("game") == self.catalogue.name(game):
                found.append((f"az:model={label}", f"run {label}"))
        return [*found, ("uct", "search without a network")]

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise UnknownName("this game is not here any more; begin a new one")
        table = self.tables[name]
        table.touched = time.monotonic()
        return table

    def show(self, table: Table) -> None:
        """Tell everybody who looks on."""
        views: dict[int | None, dict[str, Any]] = {}
        for visitor in list(table.watchers):
            if visitor.line is None and visitor.ply not in views:
                views[visitor.ply] = table.view(visitor.ply)
            visitor.see(views[visitor.ply] if visitor.line is None else None)

    def go_on(self, table: Table) -> None:
        """Let the next player think, if it is no person; then show the game."""
        self._end_thought(table)
        if table.awaits_a_player and table.watchers:
            table.thoughts += 1
            table.thinking = table.thoughts
            try:
                self._think(table, table.thinking)
            except ZermeloError as error:
                table.thinking, table.trouble = 0, self.short(error)
        self.show(table)

    def left(self, table: Table) -> None:
        """Somebody looks on no more; without anybody, nobody thinks either."""
        if not table.watchers:
            self._end_thought(table)
        elif table.keys is not None:
            self.show(table)

    def _end_thought(self, table: Table) -> None:
        table.thinking = 0
        if table.search is not None:
            self.thinker.stop(table.search)
            table.search = None

    def _think(self, table: Table, thought: int) -> None:
        position = table.position
        player = self.catalogue.player(table.seats[position.mover], table.game)
        seed = seed_of(table.seed, 0, len(position.moves))

        def answer(action: int) -> None:
            if table.thinking == thought and table.position is position:
                table.play(action)
                table.search = None
                if HUMAN in table.seats:
                    self.go_on(table)
                else:  # slowly enough for those who watch
                    self.show(table)
                    asyncio.get_running_loop().call_later(PAUSE, go_on_if_here)

        def go_on_if_here() -> None:
            if table.thinking == thought:
                self.go_on(table)

        def fail(error: Exception) -> None:
            if table.thinking == thought:
                self.complain("player", f"{player.name} failed in {table.name}: {error}")
                table.thinking, table.trouble = 0, f"{player.name} cannot go on: {self.short(error)}"
                self.show(table)

        if isinstance(player, TreePlayer):
            tree_player = player

            def seen(result: SearchResult, _lines: Lines, _during: bool) -> None:
                self.soon(lambda: answer(tree_player.decide(result, seed)))

            failed = lambda error: self.soon(lambda: fail(error))  # noqa: E731
            table.search = self.thinker.search(Search(position, player, seed, seen, failed))
        elif isinstance(player, PerfectPlayer):
            perfect = player
            found = self.solving.outcomes(position, SECONDS_TO_SOLVE)
            self.when_done(found, lambda outcomes: answer(perfect.decide(outcomes, seed)), fail)
        else:
            self.when_done(
                self.solving.choose(player, position, seed), lambda actions: answer(actions[0]), fail
            )

    # Threads.

    def soon(self, call: Callable[[], None]) -> None:
        """Have something done by the server's own thread."""
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def when_done(
        self, future: Future[Any], done: Callable[[Any], None], failed: Callable[[Exception], None]
    ) -> None:
        """In the server's thread, what came of something that was done in another."""

        def tell(finished: Future[Any]) -> None:
            if finished.cancelled():
                return
            error = finished.exception()
            if isinstance(error, Exception):
                self.soon(lambda: failed(error))
            else:
                self.soon(lambda: done(finished.result()))

        future.add_done_callback(tell)

    def short(self, error: Exception) -> str:
        """What a visitor is told of an error: nothing of what is inside the server, and no path."""
        if not isinstance(error, ZermeloError):
            return "an error inside the server"
        return self.catalogue.without_paths(str(error))

    def complain(self, kind: str, message: str) -> None:
        """Log what is wrong, once for each kind."""
        if kind not in self._complaints and len(self._complaints) < 1000:
            self._complaints.add(kind)
            log.warning("%s (said once)", message)

"""Somebody who has the page open: what the page asks, and what it is told."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from typing import Any

from zermelo.errors import BadParameter, UnknownName, ZermeloError, listed
from zermelo.exact import Outcome
from zermelo.games.position import Position
from zermelo.players.tree import TreePlayer
from zermelo.records.record import parsed, replayed
from zermelo.search.result import SearchResult
from zermelo.web import review
from zermelo.web.analysis import exact_message, message, tree_message
from zermelo.web.catalogue import HUMAN, MOST_SIMULATIONS
from zermelo.web.fields import Fields
from zermelo.web.hub import Hub
from zermelo.web.puzzles import TITLES
from zermelo.web.stepping import MOST as MOST_STEPS
from zermelo.web.table import Table
from zermelo.web.thinker import Lines, Search

RATE, BURST = 30.0, 60.0
"""Messages per second, and as many at once."""
MOST_DROPPED = 5000
"""Messages beyond that rate after which the connection ends."""
EVERY = 0.15
"""Seconds between two looks at an analysis."""
SECONDS_TO_SOLVE = 4.0
SECONDS_TO_REVIEW = 25.0
_SECONDS_PER_PLY = 3.0

_numbers = itertools.count(1)


class Visitor:
    """A connection to the page."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.name = f"visitor {next(_numbers)}"
        self.outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue(60)
        self.table: Table | None = None
        self.ply: int | None = None
        """Where the visitor looks; None: where the game stands."""
        self._search: Search | None = None
        self._reviewing: list[Search] = []
        self._tokens, self._then = BURST, time.monotonic()
        self._dropped = 0
        self._do: dict[str, Callable[[Fields], None]] = {
            "hello": self._hello,
            "info": self._info,
            "new": self._new,
            "open": self._open,
            "move": self._move,
            "undo": self._undo,
            "redo": self._redo,
            "resign": self._resign,
            "view": self._view,
            "seats": self._seats,
            "line": self._line,
            "analyse": self._analyse,
            "stop": self._stop,
            "exact": self._exact,
            "review": self._review,
            "tree": self._tree,
            "record": self._record,
            "import": self._import,
            "puzzle": self._puzzle,
            "run": self._run,
        }

    # The connection.

    def send(self, told: dict[str, Any]) -> None:
        """Put a message into the queue; a page that does not read loses the ones in between."""
        if self.outgoing.full():
            self.outgoing.get_nowait()
        self.outgoing.put_nowait(told)

    def hear(self, text: str | bytes) -> bool:
        """Answer a message; whether the connection may go on."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._then) * RATE)
        self._then = now
        if self._tokens < 1:
            self._dropped += 1
            if self._dropped == 1:
                self.refuse("rate", f"too many messages: at most {RATE:.0f} a second")
            return self._dropped < MOST_DROPPED
        self._tokens -= 1
        if self._tokens > BURST / 2:
            self._dropped = 0
        try:
            fields = Fields(text)
            word = fields.text("do", "")
            if word not in self._do:
                raise UnknownName(f"`do` (={word[:20]}) must be one of: {listed(self._do)}")
            if self.hub.ready.done() or word == "hello":
                self._answer(word, fields)
            else:
                self.hub.when_done(self.hub.ready, lambda _: self._answer(word, fields), self._fail_soon)
        except ZermeloError as error:
            self.refuse(type(error).__name__, str(error))
        return True

    def _answer(self, word: str, fields: Fields) -> None:
        try:
            self._do[word](fields)
        except ZermeloError as error:
            self.refuse(type(error).__name__, str(error))
        except Exception as error:
            self.hub.complain(f"bug {type(error).__name__}", f"{type(error).__name__}: {error}")
            self.refuse("bug", "an error inside the server")

    def refuse(self, kind: str, reason: str) -> None:
        self.send({"type": "error", "error": reason[:300]})
        self.hub.complain(kind, f"a message was refused: {reason[:300]}")

    def leave(self) -> None:
        self._end_search()
        self._end_review()
        if self.table is not None:
            self.table.watchers.discard(self)
            self.hub.left(self.table)

    # Games.

    def _sit(self, table: Table) -> None:
        if self.table is not table:
            self.leave()
        self._end_search()
        self.table, self.ply = table, None
        table.watchers.add(self)

    @property
    def _here(self) -> Table:
        if self.table is None:
            raise BadParameter("no game is open; begin one first")
        self.table.touched = time.monotonic()
        return self.table

    @property
    def _position(self) -> Position:
        """What the visitor looks at."""
        positions = self._here.positions
        return positions[-1 if self.ply is None else min(self.ply, len(positions) - 1)]

    def _hello(self, _: Fields) -> None:
        hub = self.hub
        puzzles = [{"name": name, "title": hub.catalogue.title(hub.catalogue.game(name))}
                   for name in hub.puzzles.games()]  # fmt: skip
        self.send(
            {
                "type": "hello",
                "games": hub.catalogue.listing(),
                "elsewhere": hub.elsewhere,
                "first": hub.catalogue.first(),
                "runs": hub.runs.labels(),
                "puzzles": puzzles,
                "kinds": TITLES,
            }
        )

    def _info(self, fields: Fields) -> None:
        """Whom one can play a game against."""
        game = self.hub.catalogue.game(fields.text("game"))

        def tell(solvable: bool) -> None:
            opponents = self.hub.catalogue.opponents(game, solvable)
            opponents[1:1] = self._opponents_of_runs(self.hub.catalogue.name(game))
            self.send({"type": "info", "game": self.hub.catalogue.name(game), "opponents": opponents})

        self.hub.when_done(
            self.hub.solving.solvable(game), tell, lambda error: self.refuse("info", str(error))
        )

    def _opponents_of_runs(self, game: str) -> list[dict[str, Any]]:
        found = []
        for label in self.hub.runs.labels():
            told = self.hub.runs.told(label)
            if told.get("game") != game:
                continue
            mistakes = _mistakes(told)
            versions = [one for one in self.hub.runs.versions(label) if one][-8:]
            names = [*(f"az:model={label}@{number},sims=100" for number in versions), f"az:model={label}"]
            labels = [
                *(f"after round {number}{mistakes.get(number, '')}" for number in versions),
                f"as it is now{mistakes.get(told['rounds'], '')}",
            ]
            found.append(
                {"title": f"Run {label}", "names": names, "labels": labels, "start": len(names) - 1}
            )
        return found

    def _new(self, fields: Fields) -> None:
        catalogue = self.hub.catalogue
        game = catalogue.game(fields.text("game"))
        seats = fields.texts("seats", 2)
        for name in seats:
            catalogue.player(name, game)
        position = replayed(game, fields.texts("moves"))
        table = self.hub.seat(position, seats)
        self._sit(table)
        self.hub.go_on(table)

    def _open(self, fields: Fields) -> None:
        name = fields.text("table")
        if name not in self.hub.tables:
            self.send({"type": "gone", "table": name})
            return
        table = self.hub.table(name)
        self._sit(table)
        self.send(table.view(None))
        if table.awaits_a_player and not table.thinking:
            self.hub.go_on(table)

    def _move(self, fields: Fields) -> None:
        table = self._here
        ply = fields.number("ply", 0, 100_000, len(table.positions) - 1)
        if fields.text("table", table.id) != table.id:
            raise BadParameter("this move belongs to another game")
        if table.thinking and ply == len(table.positions) - 1:
            raise BadParameter("it is not your turn: the opponent is thinking")
        if not 0 <= ply < len(table.positions):
            raise BadParameter(f"`ply` (={ply}) must be from 0 to {len(table.positions) - 1}")
        action = table.positions[ply].parse(fields.text("move"))
        table.play(action, ply)
        self._changed(table)

    def _undo(self, _: Fields) -> None:
        self._here.undo()
        self._changed(self._here)

    def _redo(self, _: Fields) -> None:
        self._here.redo()
        self._changed(self._here)

    def _resign(self, _: Fields) -> None:
        self._here.resign()
        self._changed(self._here)

    def _line(self, fields: Fields) -> None:
        self._here.recall(fields.number("number", 0, 100))
        self._changed(self._here)

    def _seats(self, fields: Fields) -> None:
        seats = fields.texts("seats", 2)
        for name in seats:
            self.hub.catalogue.player(name, self._here.game)
        self._here.seats = seats
        self._here.trouble = ""
        self._changed(self._here)

    def _changed(self, table: Table) -> None:
        self.ply = None
        self._end_search()
        self.hub.go_on(table)

    def _view(self, fields: Fields) -> None:
        table = self._here
        ply = fields.number("ply", 0, 100_000)
        self.ply = ply if ply < len(table.positions) - 1 else None
        self._end_search()
        self.send(table.view(self.ply))

    # Analysis.

    def _adviser(self, fields: Fields, simulations: int | None = None) -> TreePlayer:
        game = self._here.game
        name = fields.text("by", "") or self._here.advisers[0][0]
        word, _, rest = name.partition(":")
        if simulations is None:
            simulations = fields.number("simulations", 1, MOST_SIMULATIONS.get(word, 1), _usual(word))
        parameters = [part for part in rest.split(",") if part.startswith("model=")]
        wanted = f"{word}:{','.join([*parameters, f'sims={simulations}'])}"
        player = self.hub.catalogue.player(wanted, game)
        if not isinstance(player, TreePlayer):
            raise BadParameter(f"`{word}` searches no tree")
        return player

    def _analyse(self, fields: Fields) -> None:
        """Search what the visitor looks at, and tell it while the search goes on."""
        self._end_search()
        position, player = self._position, self._adviser(fields)
        if position.is_over:
            raise BadParameter("nothing can be analysed: the game is over")
        search: Search

        def seen(result: SearchResult, lines: Lines, during: bool) -> None:
            told = {**message(result, lines, during), "id": "analysis", "by": player.name}
            self.hub.soon(lambda: self.send(told) if self._search is search else None)

        search = Search(position, player, self._here.seed, seen, self._fail_soon, EVERY)
        self._search = self.hub.thinker.search(search)

    def _stop(self, _: Fields) -> None:
        self._end_search()

    def _end_search(self) -> None:
        if self._search is not None:
            self.hub.thinker.stop(self._search)
            self._search = None

    def _end_review(self) -> None:
        for search in self._reviewing:
            self.hub.thinker.stop(search)
        self._reviewing = []

    def _fail_soon(self, error: Exception) -> None:
        self.hub.soon(lambda: self.refuse("analysis", str(error)))

    def _exact(self, _: Fields) -> None:
        """The exact outcomes of what the visitor looks at; nothing is told where they are not found."""
        position = self._position
        if position.is_over:
            return

        def tell(outcomes: dict[int, Outcome]) -> None:
            self.send(exact_message(position, outcomes))

        def none(_: Exception) -> None:
            self.send({"type": "exact", "turnNumber": len(position.moves), "best": None, "moves": []})

        self.hub.when_done(self.hub.solving.outcomes(position, SECONDS_TO_SOLVE), tell, none)

    def _review(self, fields: Fields) -> None:
        """Look at the whole game: all its positions are searched at once, in one batch with everybody's."""
        table = self._here
        name = fields.text("by", "") or table.advisers[0][0]
        positions = list(table.positions)
        player = self._adviser(fields, review.simulations(name.partition(":")[0], len(positions)))
        self._end_review()
        end = time.monotonic() + SECONDS_TO_REVIEW
        left = set(range(len(positions)))

        def found(ply: int, verdict: dict[str, Any]) -> None:
            if table.positions[: len(positions)] != positions:
                return
            table.verdicts[ply] = {**table.verdicts.get(ply, {}), **verdict}
            left.discard(ply)
            if not left:
                review.costs(table.positions, table.verdicts)
                self.hub.show(table)

        def solve(ply: int) -> None:
            """From the end on, as long as the solver is fast enough."""
            if ply < 0 or time.monotonic() > end or table.positions[: len(positions)] != positions:
                return

            def solved(outcomes: dict[int, Outcome]) -> None:
                verdict = review.with_outcomes(table.verdicts.get(ply, {}), positions[ply], outcomes)
                found(ply, verdict)
                solve(ply - 1)

            future = self.hub.solving.outcomes(positions[ply], _SECONDS_PER_PLY)
            self.hub.when_done(future, solved, lambda _: None)

        def look(ply: int) -> None:
            def seen(result: SearchResult, _lines: Lines, _during: bool) -> None:
                if not search.stopped:
                    self.hub.soon(lambda: found(ply, review.searched(result)) if ply in left else None)

            search = Search(positions[ply], player, table.seed, seen, self._fail_soon)
            self._reviewing.append(self.hub.thinker.search(search))

        for ply, position in enumerate(positions):
            if position.is_over:
                found(ply, review.at_the_end(position))
            else:
                look(ply)
        solve(len(positions) - (2 if positions[-1].is_over else 1))

    def _tree(self, fields: Fields) -> None:
        """The search tree of what the visitor looks at, after so many simulations."""
        position = self._position
        simulations = fields.number("simulations", 0, MOST_STEPS)
        seed = fields.number("seed", 0, 2**31, 0)
        player = self._adviser(fields, MOST_STEPS)
        if position.is_over:
            raise BadParameter("there is no tree: the game is over")
        future = self.hub.thinker.call(
            lambda: tree_message(
                self.hub.stepping.tree(self.name, position, player, seed, simulations), seed
            )
        )
        self.hub.when_done(future, self.send, self._fail_soon)

    # Records, puzzles, runs.

    def _record(self, _: Fields) -> None:
        self.send({"type": "record", "record": self._here.record()})

    def _import(self, fields: Fields) -> None:
        """The last game of a text of JSON lines."""
        lines = [line for line in fields.long_text("text").splitlines() if line.strip()]
        if not lines:
            raise BadParameter("there is no game in this text")
        try:
            one = parsed(lines[-1])
        except ValueError as error:
            raise BadParameter(f"the last line is not a game: {error}") from None
        catalogue = self.hub.catalogue
        game = catalogue.game(one["game"])
        position = replayed(game, one["moves"][:2000])
        table = self.hub.seat(position, [HUMAN, HUMAN])
        self._sit(table)
        self.hub.go_on(table)

    def _puzzle(self, fields: Fields) -> None:
        catalogue = self.hub.catalogue
        name, kind = fields.text("game", "connect4"), fields.text("kind", "network")
        if name not in self.hub.puzzles.games() or kind not in TITLES:
            raise UnknownName(f"there are puzzles of: {listed(self.hub.puzzles.games())}")
        game = catalogue.game(name)

        def tell(graded: Any) -> None:
            table = self.hub.seat(graded.position, [HUMAN, HUMAN])
            table.puzzle = graded
            self._sit(table)
            self.hub.show(table)

        future = self.hub.thinker.call(lambda: self.hub.puzzles.draw(game, kind))
        self.hub.when_done(future, tell, self._fail_soon)

    def _run(self, fields: Fields) -> None:
        labels = fields.texts("labels", most=20)
        for label in labels:
            if label not in self.hub.runs.labels():
                known = listed(self.hub.runs.labels()) or "none"
                raise UnknownName(f"no run is called `{label[:40]}`; there are: {known}")

        async def tell() -> None:
            told = [await asyncio.to_thread(self.hub.runs.told, label) for label in labels]
            self.send({"type": "run", "runs": told})

        self._task = asyncio.ensure_future(tell())


def _usual(word: str) -> int:
    """Simulations of an analysis, unless said otherwise."""
    return min({"az": 2000, "uct": 30_000}.get(word, 1), MOST_SIMULATIONS.get(word, 1))


def _mistakes(told: dict[str, Any]) -> dict[int, str]:
    """What is known of a run's mistakes, in words, by rounds."""
    return {number: f", {share:.1%} mistakes" for number, share in told.get("mistakes", {}).items()}

"""What visitors find before and beside a game: games, opponents, puzzles, records, runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadParameter, RecordError, UnknownName, listed
from zermelo.games.position import Position
from zermelo.records.reading import Problem, read_bytes
from zermelo.records.record import parsed, replayed
from zermelo.web.catalogue import HUMAN
from zermelo.web.fields import Fields
from zermelo.web.opponents import of_runs

if TYPE_CHECKING:
    from zermelo.web.visitor import Visitor

_MOST_MOVES = 2000


class Lobby:
    """The questions of a visitor that belong to no game."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor, self._hub = visitor, visitor.hub
        self._tasks: set[asyncio.Task[None]] = set()
        self.words: dict[str, Callable[[Fields], None]] = {
            "hello": self._hello,
            "info": self._info,
            "record": self._record,
            "import": self._import,
            "puzzle": self._puzzle,
            "run": self._run,
        }

    def _hello(self, _: Fields) -> None:
        hub = self._hub
        self._visitor.send(
            {
                "type": "hello",
                "games": hub.catalogue.listing(),
                "elsewhere": hub.elsewhere,
                "first": hub.catalogue.first(),
                "runs": hub.runs.labels(),
                "puzzles": [self._puzzles(name) for name in hub.puzzles.games()],
            }
        )

    def _puzzles(self, name: str) -> dict[str, Any]:
        """A game that has puzzles, and what kinds of them."""
        game = self._hub.catalogue.game(name)
        return {
            "name": name,
            "title": self._hub.catalogue.title(game),
            "kinds": self._hub.puzzles.kinds(self._hub.advisers(game)),
        }

    def _info(self, fields: Fields) -> None:
        """Whom one can play a game against."""
        hub = self._hub
        game = hub.catalogue.game(fields.text("game"))
        name = hub.catalogue.name(game)

        async def tell(solvable: bool) -> None:
            opponents = hub.catalogue.opponents(game, solvable)
            opponents[1:1] = await asyncio.to_thread(of_runs, name, hub.runs, hub.grades)
            self._visitor.send({"type": "info", "game": name, "opponents": opponents})

        hub.when_done(
            hub.solving.solvable(game), lambda solvable: self._begin(tell(solvable)), self._visitor.fail
        )

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._visitor.fail(error)

    def _record(self, _: Fields) -> None:
        self._visitor.send({"type": "record", "files": self._visitor.here.files()})

    def _import(self, fields: Fields) -> None:
        """The last game of a text of JSON lines, or the first of one of another format."""
        text = fields.long_text("text").strip()
        position = self._of_json(text) if text.startswith("{") else self._of_records(text)
        table = self._hub.seat(position, [HUMAN, HUMAN], self._visitor)
        self._visitor.sit(table)
        self._hub.go_on(table)

    def _of_json(self, text: str) -> Position:
        try:
            one = parsed(text.splitlines()[-1])
        except ValueError as error:
            raise BadParameter(f"the last line is not a game: {error}") from None
        return replayed(self._hub.catalogue.game(one["game"]), one["moves"][:_MOST_MOVES])

    def _of_records(self, text: str) -> Position:
        problems: list[Problem] = []
        try:
            found = next(read_bytes(text.encode(), "this text", problems.append), None)
        except RecordError:
            raise BadParameter("this text is no game as JSON, SGF, psq or GGF") from None
        if found is None:
            raise BadParameter(str(problems[0]) if problems else "there is no game in this text")
        return replayed(self._hub.catalogue.game(found.game.name), found.position.move_names[:_MOST_MOVES])

    def _puzzle(self, fields: Fields) -> None:
        hub, visitor = self._hub, self._visitor
        name, kind = fields.text("game", "connect4"), fields.text("kind", "")
        if name not in hub.puzzles.games():
            raise UnknownName(f"there are puzzles of: {listed(hub.puzzles.games())}")
        game = hub.catalogue.game(name)
        kinds = dict(hub.puzzles.kinds(hub.advisers(game)))
        kind = kind or next(iter(kinds))
        if kind not in kinds:
            raise UnknownName(f"`kind` (={kind[:40]}) must be one of: {listed(kinds)}")

        def tell(graded: Any) -> None:
            table = hub.seat(graded.position, [HUMAN, HUMAN], visitor)
            table.puzzle = graded
            visitor.sit(table)
            hub.show(table)

        future = hub.thinker.call(lambda: hub.puzzles.draw(game, kind))
        hub.when_done(future, tell, visitor.fail)

    def _run(self, fields: Fields) -> None:
        runs, labels = self._hub.runs, fields.texts("labels", most=20)
        for label in labels:
            if label not in runs.labels():
                known = listed(runs.labels()) or "none"
                raise UnknownName(f"no run is called `{label[:40]}`; there are: {known}")

        def read(label: str) -> dict[str, Any]:
            return runs.told_with(label, self._hub.grades.versions(label))

        async def tell() -> None:
            told = [await asyncio.to_thread(read, label) for label in labels]
            self._visitor.send({"type": "run", "runs": told})

        self._begin(tell())

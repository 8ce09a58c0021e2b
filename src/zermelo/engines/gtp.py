"""Our players in every program that speaks GTP, the Go Text Protocol, version 2.

The commands are those of the draft of the standard (Farnebäck 2002), `rectangular_boardsize` of KataGo, and
`analyze` and `genmove_analyze` as Sabaki uses them, which go by the names of Leela Zero too.
"""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Callable, Sequence

import zermelo
from zermelo.engines.brain import Brain
from zermelo.engines.clock import Clock
from zermelo.engines.lines import Line, Lines
from zermelo.engines.opinions import info
from zermelo.engines.vertices import PASS, Vertices
from zermelo.errors import BadParameter, ZermeloError
from zermelo.games.base import Game
from zermelo.games.othello import Othello
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.players.tree import TreePlayer
from zermelo.records.reading import Problem, read
from zermelo.search.result import SearchResult

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_NAMES = ("black", "white")
_IGNORED = ("minmoves", "ownership", "movesownership", "pvvisits", "rootinfo")
"""What programs may ask an analysis for that these games do not have."""
_LONGEST_NUMBER = 9


class GtpServer:
    """Reads commands and writes answers until `quit` or the end of the lines."""

    def __init__(
        self, game: Game, player: Player, seed: int, lines: Lines, write: Callable[[str], None]
    ) -> None:
        self._lines, self._write = lines, write
        self._brain = Brain(player, seed)
        self._begin(game)
        self._commands: dict[str, Callable[[Sequence[str]], str | None]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Zermelo",
            "version": lambda _: zermelo.__version__,
            "known_command": lambda words: "true" if {*words[:1]} & {*self._commands} else "false",
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "rectangular_boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda _: "\n" + self._vertices.drawn(self._position),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "loadsgf": self._loadsgf,
            "final_score": self._final_score,
        }
        if isinstance(player, TreePlayer):
            self._commands |= dict.fromkeys(("analyze", "lz-analyze"), self._analyze)
            self._commands |= dict.fromkeys(
                ("genmove_analyze", "lz-genmove_analyze"), self._genmove_analyze
            )
        self._arrived, self._number, self._is_over = 0.0, "", False

    def run(self) -> None:
        """Answer everything."""
        for line in self._lines:
            self.obey(line)
            if self._is_over:
                return

    def obey(self, line: Line) -> None:
        """Answer one line."""
        text = "".join(
            " " if c == "\t" else c for c in line.text.partition("#")[0] if c == "\t" or c >= " "
        )
        found = re.match(r"\s*(\d{1,10}(?=\s|$))?\s*(\S+)?\s*(.*)", text.replace("\x7f", ""))
        assert found is not None
        number, name, rest = found[1] or "", found[2], found[3]
        if name is None:
            if number:
                self._write(f"?{number} no command\n\n")
            return
        self._arrived, self._number = line.arrived, number
        try:
            if name not in self._commands:
                raise BadParameter("unknown command")
            answer = self._commands[name](rest.split())
        except ZermeloError as error:
            self._write(f"?{number} {' '.join(str(error).split())}\n\n")
        else:
            self._write(f"={number} {answer}\n\n" if answer is not None else "\n")
        self._brain.answered()

    # The board.

    def _begin(self, game: Game) -> None:
        self._vertices = Vertices(game)
        self._brain.prepare(game)
        self._game, self._position = game, game.position()
        self._settings, self._clocks = Clock(), [Clock(), Clock()]

    def _quit(self, _: Sequence[str]) -> str:
        self._is_over = True
        return ""

    def _boardsize(self, words: Sequence[str]) -> str:
        cols = _whole(words, 0)
        rows = _whole(words, 1) if len(words) > 1 else cols
        if (cols, rows) != (self._vertices.cols, self._vertices.rows):
            self._change(cols, rows)
        return self._clear_board(())

    def _change(self, cols: int, rows: int) -> None:
        """Play the same game on a board of another size."""
        known = self._game.parameters
        sizes = {"size": cols} if "size" in known and cols == rows else {"cols": cols, "rows": rows}
        here = f"{self._vertices.cols} columns and {self._vertices.rows} rows"
        if not sizes.keys() <= known.keys():
            raise BadParameter(f"unacceptable size: the board of {self._game.name} has {here}")
        before = self._game, self._brain
        settings, clocks = self._settings, self._clocks
        try:
            player: Player = dataclasses.replace(self._brain.player)  # type: ignore[type-var]
            self._brain = Brain(player, self._brain.seed)
            self._begin(dataclasses.replace(self._game, **sizes))  # type: ignore[type-var]
        except ZermeloError as error:
            self._game, self._brain = before
            self._vertices = Vertices(self._game)
            raise BadParameter(f"unacceptable size: {error}") from None
        finally:
            self._settings, self._clocks = settings, clocks

    def _clear_board(self, _: Sequence[str]) -> str:
        self._position = self._game.position()
        self._clocks = [dataclasses.replace(self._settings) for _ in _NAMES]
        return ""

    @staticmethod
    def _komi(words: Sequence[str]) -> str:
        """Accepted, and without a meaning: these games have no points to give."""
        _number(words, 0)
        return ""

    def _play(self, words: Sequence[str]) -> str:
        if len(words) != 2:
            raise BadParameter("play takes a colour and a vertex")
        self._position = self._played(self._position, _colour(words), words[1])
        return ""

    def _played(self, position: Position, player: int, vertex: str) -> Position:
        position = self._turned(position, player)
        return position.play(self._vertices.action(position, vertex))

    def _turned(self, position: Position, player: int) -> Position:
        """The position in which the player is to move: after a pass of the other that is forced, and that
        many programs leave out."""
        if position.is_over or position.mover == player:
            return position
        if [self._vertices.vertex(position, action) for action in position.legal_actions] == [PASS]:
            return position.play(position.legal_actions[0])
        raise BadParameter(f"it is the turn of {_NAMES[position.mover]}")

    def _undo(self, _: Sequence[str]) -> str:
        if self._position.before is None:
            raise BadParameter("cannot undo")
        self._position = self._position.before
        return ""

    def _loadsgf(self, words: Sequence[str]) -> str:
        if not words:
            raise BadParameter("loadsgf takes the path of a file, and a move number")
        problems: list[Problem] = []
        try:
            found = next(read(words[:1], problems.append, format="sgf", game=self._game), None)
        except OSError as error:
            raise BadParameter(f"cannot load file: {words[0]}: {error.strerror}") from None
        if found is None:
            raise BadParameter(f"cannot load file: {problems[0] if problems else 'there is no game in it'}")
        actions = found.position.moves
        if len(words) > 1:
            actions = actions[: max(0, _whole(words, 1) - 1)]
        self._position = self._game.position()
        for action in actions:
            self._position = self._position.play(action)
        return ""

    def _final_score(self, _: Sequence[str]) -> str:
        if self._position.returns is None:
            raise BadParameter("cannot score: the game is not over")
        lead = self._position.returns[0] - self._position.returns[1]
        if isinstance(self._game, Othello):
            cells = self._game.cells(self._position)
            points = abs(cells.count(1) - cells.count(2))
        else:
            points = 1
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{points}"

    # Time.

    def _time_settings(self, words: Sequence[str]) -> str:
        main, period, stones = (_number(words, i) for i in range(3))
        self._check_time()
        limited = stones > 0 or period == 0
        self._settings = Clock(
            left=main if limited else math.inf, period=period if stones else 0.0, stones=int(stones)
        )
        self._clocks = [dataclasses.replace(self._settings) for _ in _NAMES]
        return ""

    def _time_left(self, words: Sequence[str]) -> str:
        player, left, stones = _colour(words), _number(words, 1), int(_number(words, 2))
        self._check_time()
        clock = self._clocks[player]
        if stones:
            clock.left, clock.period, clock.stones = 0.0, left, stones
        else:
            clock.left = left
        return ""

    def _check_time(self) -> None:
        if not self._brain.player.keeps_time:
            raise BadParameter(f"{self._brain.player.name} cannot keep time")

    # Moves of our own.

    def _genmove(self, words: Sequence[str]) -> str:
        player = _colour(words)
        position = self._turned(self._position, player)
        if (ended := self._ended(position, player)) is not None:
            return ended
        clock = self._clocks[player]
        action = self._brain.choose(position, clock, self._arrived)
        clock.spend(time.monotonic() - self._arrived)
        self._position = position.play(action)
        return self._vertices.vertex(position, action)

    def _reg_genmove(self, words: Sequence[str]) -> str:
        player = _colour(words)
        position = self._turned(self._position, player)
        if (ended := self._ended(position, player)) is not None:
            return ended
        return self._vertices.vertex(position, self._brain.choose(position, Clock(), self._arrived))

    @staticmethod
    def _ended(position: Position, player: int) -> str | None:
        """What to answer in a game that is over: programs that do not know the rules go on asking."""
        if position.returns is None:
            return None
        return "resign" if position.returns[player] < 0 else PASS

    def _analyze(self, words: Sequence[str]) -> str | None:
        """Search until something is to be read; the answer is a line every interval."""
        interval, most = _analysis(words, self._position.mover)
        if self._position.is_over:
            raise BadParameter("nothing can be analysed: the game is over")
        player = self._brain.player
        assert isinstance(player, TreePlayer)
        self._write(f"={self._number}\n")
        with player.gradually(self._position, self._brain.seed_of(self._position), endless=True) as search:
            self._stream(search.advance, search.look, interval, most)
            while not self._lines.waiting:  # all is known
                time.sleep(0.005)
        return None

    def _genmove_analyze(self, words: Sequence[str]) -> str | None:
        """A move of our own; until it is found, a line every interval."""
        player = _colour(words) if words and words[0].lower() in _COLOURS else self._position.mover
        position = self._turned(self._position, player)
        interval, most = _analysis(words, position.mover)
        ended = self._ended(position, player)
        self._write(f"={self._number}\n")
        if ended is not None:
            self._write(f"play {ended}\n")
            return None
        thinker, clock = self._brain.player, self._clocks[player]
        assert isinstance(thinker, TreePlayer)
        seconds, seed = self._brain.seconds(position, clock, self._arrived), self._brain.seed_of(position)
        with thinker.gradually(position, seed, seconds) as search:
            self._stream(search.advance, search.look, interval, most, stops=False)
            action = thinker.decide(search.look()[0], seed)
        clock.spend(time.monotonic() - self._arrived)
        self._position = position.play(action)
        self._write(f"play {self._vertices.vertex(position, action)}\n")
        return None

    def _stream(
        self,
        advance: Callable[[], bool],
        look: Callable[[], tuple[SearchResult, dict[int, tuple[int, ...]]]],
        interval: float,
        most: int,
        stops: bool = True,
    ) -> None:
        """Write what a search has found, every interval and at its end, or until the next line is there."""
        due = time.monotonic() + interval
        goes_on = True
        while goes_on and not (stops and self._lines.waiting):
            goes_on = advance()
            if not goes_on or time.monotonic() >= due:
                self._write(info(self._vertices, *look(), most) + "\n")
                due = time.monotonic() + interval


def _colour(words: Sequence[str]) -> int:
    if not words or words[0].lower() not in _COLOURS:
        raise BadParameter("invalid color: b, black, w or white is wanted")
    return _COLOURS[words[0].lower()]


def _number(words: Sequence[str], place: int) -> float:
    """A number that is not negative; NaN and infinity are none."""
    try:
        value = float(words[place])
    except (IndexError, ValueError):
        value = math.nan
    if not -1e9 < value < 1e9:
        raise BadParameter(f"argument {place + 1} must be a number")
    return value


def _whole(words: Sequence[str], place: int) -> int:
    if place >= len(words) or not re.fullmatch(rf"[0-9]{{1,{_LONGEST_NUMBER}}}", words[place]):
        raise BadParameter(f"argument {place + 1} must be a whole number")
    return int(words[place])


def _analysis(words: Sequence[str], mover: int) -> tuple[float, int]:
    """Seconds between lines, and the most moves to tell of, from `[color] [interval] [key value] ...`."""
    rest = [word.lower() for word in words]
    if rest and rest[0] in _COLOURS:
        if _COLOURS[rest.pop(0)] != mover:
            raise BadParameter(f"it is the turn of {_NAMES[mover]}")
    values = {"interval": 100, "maxmoves": 1000}
    if rest and rest[0].isdigit():
        rest.insert(0, "interval")
    if len(rest) % 2:
        raise BadParameter(f"`{rest[-1]}` has no value")
    for key, value in zip(rest[::2], rest[1::2], strict=True):
        if key in values:
            values[key] = _whole([value], 0)
        elif key not in _IGNORED:
            raise BadParameter(f"`{key}` is not known; there are: {' '.join(values)}")
    return max(values["interval"], 1) / 100, values["maxmoves"]

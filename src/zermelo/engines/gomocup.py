"""Our players in Piskvork and every other manager that speaks the protocol of Gomocup.

Commands and answers are those of https://plastovicka.github.io/protocl2en.htm; x counts columns from the
left and y rows from the top, both from 0.
"""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Callable, Iterator

import zermelo
from zermelo.engines.brain import Brain
from zermelo.engines.clock import Clock
from zermelo.engines.lines import Line, Lines
from zermelo.engines.opening import balanced_stones, wants_to_swap
from zermelo.errors import BadParameter, ZermeloError
from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.machine import resident_bytes
from zermelo.players.base import Player
from zermelo.players.tree import TreePlayer

EXACT = 1
"""Of the bits of `INFO rule`, the one that is played besides none: exactly five in a row win."""
_RULES = {2: "continuous games", 4: "renju", 8: "caro"}
_FOR_EVER = 2147483647
_MOST_LINES = 400
_LEAST_MEGABYTES = 16
_IGNORED = ("game_type", "evaluate", "folder")


class Unknown(ZermeloError):
    """A command that is not in the protocol."""


class GomocupServer:
    """Reads commands and writes answers until `END` or the end of the lines.

    `player_for` gives the player for a board; it is asked for again when the board, the rule or the
    memory changes.
    """

    def __init__(
        self,
        player_for: Callable[[Game], Player],
        seed: int,
        lines: Lines,
        write: Callable[[str], None],
    ) -> None:
        self._player_for, self._seed, self._lines, self._write = player_for, seed, lines, write
        self._position: Position | None = None
        self._brain: Brain | None = None
        self._clock, self._memory, self._rule = Clock(), 0, 0
        self._arrived, self._is_over = 0.0, False
        self._feed: Iterator[Line] = iter(())
        self._commands: dict[str, Callable[[str], str]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "BOARD": self._board,
            "YXBOARD": self._yxboard,
            "SWAP2BOARD": self._swap2board,
            "TAKEBACK": self._takeback,
            "INFO": self._info,
            "ABOUT": self._about,
            "END": self._end,
        }

    def run(self) -> None:
        """Answer everything."""
        self._feed = iter(self._lines)
        for line in self._feed:
            self.obey(line)
            if self._is_over:
                return

    def obey(self, line: Line) -> None:
        """Answer one command; the lines that belong to it are read too."""
        name, _, rest = line.text.strip().partition(" ")
        if not name:
            return
        self._arrived = line.arrived
        try:
            if name.upper() not in self._commands:
                raise Unknown(f"command {name[:40]}")
            answer = self._commands[name.upper()](rest.strip())
        except Unknown as error:
            answer = f"UNKNOWN {error}"
        except ZermeloError as error:
            answer = f"ERROR {' '.join(str(error).split())}"
        if answer:
            self._write(f"{answer}\n")
        if self._brain is not None:
            self._brain.answered()

    # The board.

    def _start(self, text: str) -> str:
        if not re.fullmatch("[0-9]{1,4}", text):
            raise BadParameter("START takes the size of the board")
        return self._prepare(int(text))

    def _rectstart(self, _: str) -> str:
        raise BadParameter("rectangular board is not supported: START takes the size of a square one")

    def _restart(self, _: str) -> str:
        return self._prepare(self._going.game.parameters["size"])

    def _prepare(self, size: int) -> str:
        """An empty board, and a player who is ready."""
        self._check_rule()
        game = self._game(size)
        self._brain = self._new_brain(game)
        self._position = game.position()
        return "OK"

    def _game(self, size: int) -> Game:
        return registry.game(f"gomoku:size={size},exact={self._rule & EXACT}")

    def _new_brain(self, game: Game) -> Brain:
        if self._brain is not None and self._position is not None and self._position.game == game:
            return self._brain
        self._brain = None
        brain = Brain(self._fitted(self._player_for(game)), self._seed)
        brain.prepare(game)
        return brain

    def _fitted(self, player: Player) -> Player:
        """The player with room for no larger trees than the manager allows."""
        if not self._memory or not isinstance(player, TreePlayer):
            return player
        free = (self._memory - resident_bytes()) >> 20
        return dataclasses.replace(player, memory=max(_LEAST_MEGABYTES, min(player.memory, free // 2)))

    def _check_rule(self) -> None:
        if self._rule & ~EXACT:
            names = [name for bit, name in _RULES.items() if self._rule & bit] or [str(self._rule)]
            raise BadParameter(f"rule not supported: {' and '.join(names)}; 0 and 1 are played")

    @property
    def _going(self) -> Position:
        """The position, if a game has begun."""
        if self._position is None:
            raise BadParameter("no game has begun: START comes first")
        return self._position

    def _cell(self, text: str) -> int:
        """The action of `x,y`."""
        found = re.fullmatch(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*", text)
        size = self._going.game.parameters["size"]
        if not found or max(x := int(found[1]), y := int(found[2])) >= size:
            raise BadParameter(f"coordinates must be x,y from 0 to {size - 1}, not {text[:40]}")
        return y * size + x

    def _written(self, action: int) -> str:
        y, x = divmod(action, self._going.game.parameters["size"])
        return f"{x},{y}"

    # Moves.

    def _begin(self, _: str) -> str:
        if self._going.moves:
            raise BadParameter("the board is not empty: RESTART comes first")
        return self._move()

    def _turn(self, text: str) -> str:
        self._position = self._going.play(self._cell(text))
        return self._move()

    def _play(self, text: str) -> str:
        action = self._cell(text)
        self._position = self._going.play(action)
        return self._written(action)

    def _move(self) -> str:
        """Our own move."""
        self._check_rule()
        position = self._going
        if position.is_over:
            raise BadParameter("the game is over")
        assert self._brain is not None
        if self._limited and not self._brain.player.keeps_time:
            raise BadParameter(f"{self._brain.player.name} cannot keep time: name another --player")
        action = self._brain.choose(position, self._clock, self._arrived)
        self._clock.spend(time.monotonic() - self._arrived)
        self._position = position.play(action)
        return self._written(action)

    @property
    def _limited(self) -> bool:
        return min(self._clock.turn, self._clock.left) < math.inf

    def _takeback(self, text: str) -> str:
        position = self._going
        if position.before is None or position.last_action != self._cell(text):
            raise BadParameter(f"{text[:40]} was not the last move")
        self._position = position.before
        return "OK"

    def _until_done(self) -> list[str]:
        """The lines up to `DONE`, which end what is told of a board."""
        lines: list[str] = []
        for line in self._feed:
            if line.text.strip().upper() == "DONE":
                self._arrived = line.arrived
                return lines
            lines.append(line.text)
            if len(lines) > _MOST_LINES:
                raise BadParameter(f"more than {_MOST_LINES} stones, and no DONE")
        raise BadParameter("the input ended before DONE")

    def _board(self, _: str) -> str:
        self._set_board(self._until_done())
        return self._move()

    def _yxboard(self, _: str) -> str:
        """As `BOARD`, but nothing is answered."""
        self._set_board(self._until_done())
        return ""

    def _set_board(self, lines: list[str]) -> None:
        """Stones in any order; those of each side are taken in theirs. We are to move."""
        stones: dict[str, list[int]] = {"1": [], "2": []}
        for line in lines:
            cell, _, field = line.rpartition(",")
            if field.strip() not in stones:
                raise BadParameter(f"a stone must be x,y,1 or x,y,2, not {line[:40]}")
            stones[field.strip()].append(self._cell(cell))
        own, other = stones["1"], stones["2"]
        if len(other) - len(own) not in (0, 1):
            raise BadParameter(f"{len(own)} own stones and {len(other)} others: it is not our turn")
        first, second = (own, other) if len(own) == len(other) else (other, own)
        moves = [cell for pair in zip(first, second, strict=False) for cell in pair]
        self._position = self._going.game.position([*moves, *first[len(second) :]])

    def _swap2board(self, _: str) -> str:
        lines = self._until_done()
        position, brain = self._going.game.position([self._cell(line) for line in lines]), self._brain
        if brain is None or not isinstance(brain.player, TreePlayer):
            raise Unknown("SWAP2BOARD, by a player without a search")
        if len(lines) not in (0, 3, 5):
            raise BadParameter(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(lines)}")
        seconds = min(brain.seconds(position, self._clock, self._arrived), 2.0)
        if not lines:
            stones = balanced_stones(brain.player, position, self._seed, seconds)
            return " ".join(map(self._written, stones))
        swaps, action = wants_to_swap(brain.player, position, self._seed, seconds)
        return "SWAP" if swaps else self._written(action)

    # What the manager tells.

    def _info(self, text: str) -> str:
        key, _, value = text.partition(" ")
        key = key.lower()
        if key in _IGNORED or not re.fullmatch(r"-?[0-9]{1,18}", value.strip()):
            return ""
        number = int(value)
        if key == "timeout_turn":
            self._clock.turn = max(number, 0) / 1000
        elif key == "timeout_match":
            self._clock.left = number / 1000 if number > 0 else math.inf
        elif key == "time_left":
            self._clock.left = math.inf if number >= _FOR_EVER else max(number, 0) / 1000
        elif key == "max_memory" and number >= 0:
            self._memory = number
            self._remake()
        elif key == "rule" and 0 <= number < 16:
            self._rule = number
            self._remake()
        return ""

    def _remake(self) -> None:
        """Go on with other rules, or less memory; what cannot be is told when a move is asked for."""
        if self._position is None or self._rule & ~EXACT:
            return
        game = self._game(self._position.game.parameters["size"])
        moves, self._position = self._position.moves, None
        self._brain = self._new_brain(game)
        self._position = game.position(moves)

    @staticmethod
    def _about(_: str) -> str:
        return f'name="Zermelo", version="{zermelo.__version__}", author="The Zermelo authors"'

    def _end(self, _: str) -> str:
        self._is_over = True
        return ""

"""What players that are other engines share: their names, their processes, and how they lose."""

from __future__ import annotations

import dataclasses
import math
import shlex
import time
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

from zermelo.engines.process import EngineProcess
from zermelo.errors import BadParameter, Forfeit, UnsuitableGame
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.naming import read_fields
from zermelo.players.base import Player, going_on

_NEVER = 1e9


class Conversation:
    """What is said to one engine, and which game it believes to play."""

    def __init__(self, command: str, patience: float) -> None:
        self.process, self._patience = EngineProcess(command), patience
        self.game: Game | None = None
        self.moves: tuple[int, ...] | None = None
        """Those that the engine knows of, or None before a game."""

    def send(self, text: str) -> None:
        self.process.send(text, self._deadline(0.0))

    def receive(self, awaited: str, seconds: float = 0.0) -> str:
        """A line, that may take so many seconds besides what patience there is."""
        return self.process.receive(self._deadline(seconds), awaited)

    def _deadline(self, seconds: float) -> float:
        return time.monotonic() + seconds + self._patience


class EnginePlayer(Player):
    """A player that is another program.

    It is started for its first move, plays one game after the other, and is ended by `close`. It is told
    each move as the arena knows it; an answer that is not a legal move, none in time, or an end of the
    program is a `Forfeit`, after which it is started anew.
    """

    one_game_at_a_time: ClassVar[bool] = True
    farewell: ClassVar[str] = "quit"
    command: str = ""
    """Command line of the engine. Options go before it: `gtp:time=2 gnugo --mode gtp`."""
    time: float = 0.0
    """Seconds per move that the engine is told; 0: nothing."""
    patience: float = 30.0
    """Seconds beyond `time` after which an engine that does not answer loses."""

    def __post_init__(self) -> None:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise BadParameter(f"`{self.command}` is not a command line: {error}") from None
        if not words:
            raise BadParameter(
                f"{self.kind}: needs the command line of an engine, such as {self.kind}:NAME"
            )
        for name, least in (("time", 0.0), ("patience", 0.01)):
            if not least <= getattr(self, name) < _NEVER:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be at least {least:g} seconds")

    @classmethod
    def named(cls, parameters: str, name: str) -> Self:
        """From `key=value key=value command line`, as a shell reads variables before a command."""
        known = {field.name for field in dataclasses.fields(cls)} - {"command"}
        rest, values = parameters.strip(), dict[str, Any]()
        while rest.partition("=")[0] in known and "=" in rest:
            word, _, rest = rest.partition(" ")
            values |= read_fields(cls, word, name, cls.kind)
            rest = rest.strip()
        return cls(command=rest, **values)

    @property
    def name(self) -> str:
        options = [
            f"{field.name}={value:g}" if isinstance(value, float) else f"{field.name}={value}"
            for field in dataclasses.fields(self)
            if field.name != "command" and (value := getattr(self, field.name)) != field.default
        ]
        return f"{self.kind}:{' '.join([*options, self.command])}"

    def until(self, deadline: float) -> Self:
        """Itself: another program has `time` and `patience` for a move."""
        return self

    # What a protocol brings.

    @abstractmethod
    def greet(self, talk: Conversation) -> None:
        """Say what is said once to a new engine."""

    @abstractmethod
    def begin(self, talk: Conversation, game: Game) -> None:
        """Have the engine begin a new game; `UnsuitableGame` if it does not play it."""

    @abstractmethod
    def answer(self, talk: Conversation, position: Position) -> int:
        """Tell the moves that the engine does not know, and have its own; what it may not is a
        `Forfeit`."""

    # What all do.

    @cached_property
    def _talks(self) -> list[Conversation]:
        """The one engine that runs, or none."""
        return []

    def _talk(self) -> Conversation:
        if self._talks and not self._talks[0].process.is_running:
            self.close()
        if not self._talks:
            talk = Conversation(self.command, self.patience)
            self._talks.append(talk)
            self.greet(talk)
        return self._talks[0]

    def check(self, position: Position) -> None:
        """Start the engine, and see whether it plays the game."""
        if position.game.num_players != 2:
            raise UnsuitableGame(f"{self.name} cannot play {position.game.name}: it is not for two players")
        try:
            self._ready(position)
        except (Forfeit, UnsuitableGame) as error:
            self.close()
            raise UnsuitableGame(f"{self.name} cannot play {position.game.name}: {error}") from None

    def _ready(self, position: Position) -> Conversation:
        """The engine, in a game of which it knows as many moves as can be kept."""
        talk, moves = self._talk(), position.moves
        if talk.game != position.game or talk.moves is None or moves[: len(talk.moves)] != talk.moves:
            self.begin(talk, position.game)
            talk.game, talk.moves = position.game, ()
        return talk

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return [self._choose(going_on(position)) for position in positions]

    def _choose(self, position: Position) -> int:
        if position.game.position(position.moves) != position:
            raise UnsuitableGame(f"{self.name} must be told the moves that led to a position")
        try:
            talk = self._ready(position)
            action = self.answer(talk, position)
        except (BadParameter, Forfeit, UnsuitableGame) as error:
            self.close()
            raise Forfeit(f"{self.name} lost: {error}") from None
        except BaseException:  # Ctrl-C in the middle of an answer
            self.close()
            raise
        return action

    def forfeit_unless_legal(self, position: Position, action: int | None, said: str) -> int:
        """The action, if the engine may play it."""
        if action is None or action not in position.legal_actions:
            raise Forfeit(f"the engine answered `{said[:60]}`, which is not a legal move")
        return action

    def close(self) -> None:
        for talk in self._talks:
            talk.process.close(self.farewell)
        self._talks.clear()


def told_moves(talk: Conversation, position: Position) -> list[Position]:
    """The positions, in their order, whose last move the engine has not been told."""
    new: list[Position] = []
    one: Position | None = position
    while one is not None and len(one.moves) > len(talk.moves or ()):
        new.append(one)
        one = one.before
    return new[::-1]


def milliseconds(seconds: float) -> int:
    return max(1, math.floor(1000 * seconds))

"""What a player is: it answers batches of positions, one position being a batch of one."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, dataclass_transform, runtime_checkable

from zermelo.errors import BadParameter, OutOfTime
from zermelo.exact.progress import watching
from zermelo.games.position import Position
from zermelo.naming import read_fields, write_fields


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Player(ABC):
    """Chooses moves. Its fields are its parameters, so that equal players are equal objects."""

    kind: ClassVar[str]
    """The word that names it."""
    one_game_at_a_time: ClassVar[bool] = False
    """Whether a match is to be played game after game, not in lock-step."""
    keeps_time: ClassVar[bool] = False
    """Whether `choose_within` ends in time."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(frozen=True, kw_only=True, repr=False)(cls)

    @abstractmethod
    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        """An action for each position, all of one game. Chance depends on the seed beside it alone."""

    def choose_within(self, position: Position, seed: int, seconds: float) -> int:
        """An action, found in at most so many seconds by a player that `keeps_time`."""
        return self.choose([position], [seed])[0]

    def until(self, deadline: float) -> Player:
        """The same player, none of whose moves takes longer than until then (by `time.monotonic()`): a
        search stops with what it has found, others raise `OutOfTime`."""
        return _Hurried(player=self, deadline=deadline)

    def close(self) -> None:  # noqa: B027 (most players hold nothing)
        """Let go of what it holds, such as a process; it comes back when it is needed."""

    @classmethod
    def named(cls, parameters: str, name: str) -> Self:
        """The player whose name, `name`, has this after its first word."""
        return cls(**read_fields(cls, parameters, name, cls.kind))

    def check(self, position: Position) -> None:  # noqa: B027 (most players play everything)
        """Raise `UnsuitableGame` if this player cannot play the game."""

    def network_alone(self) -> Player | None:
        """The same player without its search, if it has a network."""
        return None

    @property
    def name(self) -> str:
        return write_fields(self, self.kind)

    @classmethod
    def summary(cls) -> str:
        return (cls.__doc__ or "").strip().splitlines()[0]

    def __repr__(self) -> str:
        return f"zermelo.player({self.name!r})"


class _Hurried(Player):
    """A player that raises `OutOfTime` when its time is over: in the middle of a move too, if it keeps time
    or solves the game."""

    kind = "hurried"
    player: Player
    deadline: float

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        with watching(self._check_time):
            self._check_time()
            if not self.player.keeps_time:
                return self.player.choose(positions, seeds)
            found = []
            for position, seed in zip(positions, seeds, strict=True):
                found.append(self.player.choose_within(position, seed, self.deadline - time.monotonic()))
                self._check_time()
            return found

    def _check_time(self, _progress: object = None) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTime

    def check(self, position: Position) -> None:
        self.player.check(position)

    def close(self) -> None:
        self.player.close()

    @property
    def name(self) -> str:
        return self.player.name


@runtime_checkable
class HasPlayer(Protocol):
    """Something that plays, such as a training run."""

    def player(self) -> Player: ...


def going_on(position: Position) -> Position:
    """The position, if there is a move to choose in it."""
    if position.is_over:
        raise BadParameter(f"there is no move to choose in {position!r}: the game is over")
    return position

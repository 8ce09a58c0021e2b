"""Every error a user can meet. Each says what was given, what is allowed and what to do."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path

_PACKAGE = Path(__file__).parent


class Terminated(SystemExit):
    """The system wants the process to end; not an error, nor the doing of whatever is under way."""


class ZermeloError(Exception):
    """Base class of all errors that you can fix; the command line prints them in one line.

    Examples
    --------
    >>> import zermelo as zm
    >>> try:
    ...     zm.game("conect4")
    ... except zm.ZermeloError as error:
    ...     print(str(error).split(" There")[0])
    no game is called `conect4`. Did you mean `connect4`?
    """


class UnknownName(ZermeloError):
    """A game, encoding or other named thing that does not exist."""


class BadParameter(ZermeloError):
    """A parameter that does not exist, or a value outside what is allowed."""


class IllegalMove(ZermeloError):
    """A move that the rules do not allow in this position."""


class GameFileError(ZermeloError):
    """A game file that cannot be read, raises, or does not hold exactly one game."""


class UnsuitableGame(ZermeloError):
    """A game of another library that does not fit: hidden information, chance, three players ..."""


class RulesError(ZermeloError):
    """The rules of a game failed while they were being used."""


class EvaluatorError(ZermeloError):
    """An evaluator that gives the wrong shape, or something that is not a number."""


class ModelError(ZermeloError):
    """A model that is damaged, foreign, or for another game."""


class RunError(ZermeloError):
    """A run directory that cannot be used."""


class TrainingError(ZermeloError):
    """Training that cannot go on."""


class ClusterError(ZermeloError):
    """A cluster that cannot be used, or is lost."""


class RecordError(ZermeloError):
    """A file of game records that cannot be read or written."""


class TooManyPositions(ZermeloError):
    """A game, or a position of it, with more positions behind it than were allowed."""


class OutOfTime(ZermeloError):
    """Work that its time limit has cut short."""


class FigureError(ZermeloError):
    """A measured figure cannot be read or measured again."""


class Forfeit(ZermeloError):
    """A player that cannot go on, and has lost its game: an engine that hung, crashed or cheated."""


class InputEnded(ZermeloError):
    """A person was asked for a move, and there was nothing more to read."""


EXTRAS = {
    "gymnasium": "pettingzoo",
    "matplotlib": "plot",
    "pettingzoo": "pettingzoo",
    "pyspiel": "openspiel",
    "ray": "ray",
    "segno": "web",
    "starlette": "web",
    "tensorboard": "tensorboard",
    "torch": "train",
    "uvicorn": "web",
    "websockets": "web",
}
"""Optional packages, and the extras that install them."""


class MissingExtra(ZermeloError):
    """A feature whose optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(feature, extra)  # so that it can be sent to another process

    @classmethod
    def of(cls, feature: str, error: ModuleNotFoundError) -> MissingExtra | None:
        """What is missing for a feature that could not import something; None if that is no optional
        package."""
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        return cls(feature, extra) if extra else None

    def __str__(self) -> str:
        feature, extra = self.args
        return f"{feature} needs the extra `{extra}`: pip install 'zermelo[{extra}]'"


def listed(names: Iterable[object], most: int = 40) -> str:
    """The names, separated by spaces, cut after `most`."""
    words = [str(name) for name in names]
    return " ".join(words[:most]) + (f" ... ({len(words)} in all)" if len(words) > most else "")


def blamed_line(error: BaseException, file: str = "") -> str:
    """`FILE:LINE` where it was raised: the deepest line in this file, else the deepest outside of this
    package; or nothing."""
    frames = list(reversed(traceback.extract_tb(error.__traceback__)))
    own = [frame for frame in frames if frame.filename == file]
    others = [frame for frame in frames if _PACKAGE not in Path(frame.filename).parents]
    return next((f"{frame.filename}:{frame.lineno}" for frame in (*own, *others)), "")

"""What a game is to the rest of the package: data, compiled rules, and the words people use."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from zermelo.errors import BadParameter, RulesError, UnknownName, listed
from zermelo.games import abi, drawing
from zermelo.games.abi import Kernels, Planes, Rules, Words
from zermelo.games.board import Board, Symmetry, identity
from zermelo.naming import write_fields

if TYPE_CHECKING:
    from zermelo.games.position import Position


def parameter(default: int, low: int | None = None, high: int | None = None, help: str = "") -> Any:
    """A parameter of a game: a whole number from `low` to `high`, or a switch if `default` is a bool.

    Examples
    --------
    >>> import zermelo as zm
    >>> from zermelo.games.connect import Connect
    >>> class Wide(Connect):
    ...     family = "wide"
    ...     aliases = {}
    ...     cols: int = zm.parameter(9, low=4, high=12, help="columns")
    >>> Wide(cols=8).name
    'wide:cols=8'
    >>> Wide(cols=3)
    Traceback (most recent call last):
    ...
    zermelo.errors.BadParameter: `cols` (=3) of wide must be from 4 to 12
    """
    if isinstance(default, bool):
        low, high = 0, 1
    return dataclasses.field(default=default, metadata={"low": low, "high": high, "help": help})


@dataclass(frozen=True)
class Encoding:
    """A way to show a position to a network: planes of shape [planes, rows, cols], or a flat [n].

    `planes` names what each plane holds; every input lies between `low` and `high`.

    Examples
    --------
    >>> import zermelo as zm
    >>> connect4 = zm.game("connect4")
    >>> next(iter(connect4.encodings))
    'own-other'
    >>> encoding = connect4.encoding("own-other")
    >>> isinstance(encoding, zm.Encoding), encoding.shape
    (True, (2, 6, 7))
    >>> connect4.position("4").planes("own-other").sum(axis=(1, 2)).tolist()
    [0.0, 1.0]
    """

    shape: tuple[int, ...]
    kernel: Callable[[Words, Words, Planes], int]
    planes: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    context: bool = False
    """Whether it reads context words, so that equal positions may look different."""

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(parameter,))
class Game(ABC):
    """The rules of one game with its parameters fixed.

    Each subclass is a frozen dataclass whose fields are the parameters of the game, so that equal
    games are equal objects. Rules written as ordinary methods go into a `PythonGame`, compiled ones
    into a `CompiledGame`; everything else in the package works with this class alone.

    Examples
    --------
    >>> import zermelo as zm
    >>> othello = zm.game("othello:size=6")
    >>> isinstance(othello, zm.Game), othello == zm.game("othello:size=6")
    (True, True)
    >>> othello.num_actions, len(othello.symmetries)
    (37, 8)
    >>> print(othello.position("c2"))
      a b c d e f
    1 . . . . . .
    2 . . X . . .
    3 . . X X . .
    4 . . X O . .
    5 . . . . . .
    6 . . . . . .
    """

    family: ClassVar[str]
    """The name by which the game is asked for, without parameters."""
    aliases: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    """Other names, each with the parameters it stands for."""
    source: ClassVar[str | None] = None
    """The file the game was read from, for games that are named by their file."""
    num_players: ClassVar[int] = 2
    acyclic: ClassVar[bool] = False
    """Whether no position can occur twice in one game."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(frozen=True, kw_only=True, repr=False)(cls)

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            low, high = field.metadata.get("low"), field.metadata.get("high")
            if (low is not None and value < low) or (high is not None and value > high):
                raise BadParameter(
                    f"`{field.name}` (={value}) of {self.family} must be "
                    + (f"from {low} to {high}" if high is not None else f"at least {low}")
                )
        self.validate()

    def validate(self) -> None:  # noqa: B027 (most games have nothing to add)
        """Raise `BadParameter` where parameters do not go together."""

    # What a game tells about itself.

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """Actions are 0 to this number less one, in every position."""

    @property
    @abstractmethod
    def max_length(self) -> int:
        """No game has more moves than this."""

    @property
    def board(self) -> Board | None:
        """The board, for games that have one."""
        return None

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Symmetries of the rules, the identity first."""
        return self.symmetries_of_rules()

    @abstractmethod
    def symmetries_of_rules(self) -> tuple[Symmetry, ...]: ...

    @property
    def side_swap(self) -> Symmetry | str | None:
        """Said by games that are the same for both sides: how the board is turned when the players are
        exchanged. The name of a reflection of the board will do where an action is a cell or a column.

        Exchange the owners of all pieces, turn the board, and let the other player move: the same game,
        with the players exchanged. "identity" for Tic-Tac-Toe, "half turn" for draughts.
        """
        return None

    @cached_property
    def side_symmetry(self) -> Symmetry | None:
        """`side_swap` with the images of cells and actions."""
        if not isinstance(self.side_swap, str):
            return self.side_swap
        if self.board is not None:
            return self.board.symmetry(self.side_swap, self.num_actions)
        if self.side_swap != "identity":
            raise BadParameter(
                f"`side_swap` (={self.side_swap!r}) of {self.family} must be a Symmetry: there is no board"
            )
        return identity(0, self.num_actions)

    @property
    def shows_turn(self) -> bool:
        """Whether default planes must show who moves: if they did not, positions of the two players
        with different moves could look the same."""
        swap = self.side_symmetry
        if swap is None or self.board is None:
            return True
        return (swap.cells, swap.actions) != identity(self.board.num_cells, self.num_actions)[1:]

    def board_encodings(
        self, board: Board, kernel: Callable[..., int], context: bool = False
    ) -> dict[str, Encoding]:
        """The default planes of a game with a board, written by this kernel."""
        planes = board.plane_names(self.shows_turn)
        name = "own-other-turn" if self.shows_turn else "own-other"
        return {name: Encoding((len(planes), board.rows, board.cols), kernel, planes, context=context)}

    # What kernels need.

    @property
    @abstractmethod
    def kernels(self) -> Kernels: ...

    @cached_property
    @abstractmethod
    def params(self) -> Words:
        """The vector that every compiled function gets first."""

    @cached_property
    @abstractmethod
    def encodings(self) -> Mapping[str, Encoding]:
        """By name; the first is the default."""

    @property
    @abstractmethod
    def state_words(self) -> int: ...

    @property
    @abstractmethod
    def key_words(self) -> int: ...

    @property
    def reads_context(self) -> bool:
        """Whether drawings may show something that the key leaves out, such as the last move."""
        return self.state_words > self.key_words

    @property
    def greedy_heuristic(self) -> Callable[..., float] | None:
        """What the player `greedy` wants most after its move; the heuristic, unless said otherwise."""
        return self.kernels.heuristic

    def encoding(self, name: str | None = None) -> Encoding:
        """The encoding of this name, or the default one."""
        if name is None:
            return next(iter(self.encodings.values()))
        if name not in self.encodings:
            raise UnknownName(f"{self.name} has no encoding `{name}`; it has: {listed(self.encodings)}")
        return self.encodings[name]

    def rules(self, encoding: str | None = None) -> Rules:
        """The game as an argument for kernels, with this encoding."""
        if encoding not in self._rules:
            self._rules[encoding] = self._compile(self.encoding(encoding))
        return self._rules[encoding]

    @cached_property
    def _rules(self) -> dict[str | None, Rules]:
        return {}

    def _compile(self, encoding: Encoding) -> Rules:
        functions = {**self.kernels._asdict(), "encode": encoding.kernel}
        del functions["heuristic"]
        return Rules(
            params=self.params,
            state_words=self.state_words,
            key_words=self.key_words,
            num_actions=self.num_actions,
            num_players=self.num_players,
            num_inputs=encoding.size,
            **{role: abi.address(function, role) for role, function in functions.items()},
        )

    def failure(self, status: int, state: Words) -> Exception:
        """What to raise for a negative status that the rules gave in this state."""
        return RulesError(f"the rules of {self.name} failed with status {status}")

    def altered(self, state: Words) -> bool:
        """Whether something else than the vector belongs to this state, and was changed."""
        return False

    def forget(self, state: Words | None = None) -> None:  # noqa: B027 (most games remember nothing)
        """Drop whatever the game remembers of a state, or of all, so that vectors alone decide."""

    # Words and pictures.

    @abstractmethod
    def action_name(self, position: Position, action: int) -> str:
        """The move as players write it."""

    def default_action_name(self, action: int) -> str:
        """The place on the board, or the pass, that an action is; the number where it is neither."""
        if self.board is not None and self.board.fits(self.num_actions):
            return self.board.action_name(action)
        return str(action)

    @abstractmethod
    def cells(self, position: Position) -> Sequence[int]:
        """Of each cell of the board: 0 empty, or a value that the board's `pieces` give a meaning."""

    def last_cell(self, position: Position) -> int | None:
        """The cell in which the last move shows."""
        return None

    def draw(self, position: Position) -> str:
        """The position as lines of text."""
        if self.board is None:
            raise NotImplementedError(f"{self.family} has neither a board nor a drawing of its own")
        return drawing.board_text(self.board, self.cells(position))

    def svg(self, position: Position, framed: bool = True) -> str:
        """The position as a picture; unframed, without the names of rows and columns."""
        if self.board is None:
            return drawing.text_svg(self.draw(position))
        last = self.last_cell(position)
        return drawing.board_svg(self.board, self.cells(position), last, framed=framed)

    # Names and positions.

    @property
    def parameters(self) -> dict[str, int]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        """The shortest name that gives this game back: `connect4`, `othello:size=6`."""
        defaults = self.defaults()
        for alias, values in self.aliases.items():
            if self.parameters == {**defaults, **values}:
                return alias
        return write_fields(self, self.source or self.family)

    @classmethod
    def defaults(cls) -> dict[str, int]:
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]
        return {field.name: field.default for field in fields if isinstance(field.default, int)}

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring."""
        return (cls.__doc__ or "").strip().splitlines()[0] if cls.__doc__ else ""

    def __repr__(self) -> str:
        return f"zermelo.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """By name or parameters: compiled addresses mean nothing in another process."""
        if self.source is not None:
            from zermelo.games.registry import game

            return game, (self.name,)
        return _rebuilt, (type(self), self.parameters)

    def position(self, moves: str | Sequence[int] = "") -> Position:
        """The position after these moves, as players write them (`"4 4 3"`) or as actions."""
        from zermelo.games.position import Position

        return Position.start(self).play_all(moves)


def _rebuilt(family: type[Game], parameters: dict[str, int]) -> Game:
    return family(**parameters)


class CompiledGame(Game):
    """A game whose rules are compiled functions.

    It brings `kernels`, `encodings`, `params`, `state_words` and `key_words`; the functions are
    described in `zermelo.games.abi`. `ArrayGame` makes them from methods; `zermelo new NAME --compiled`
    writes one of these to start from.

    Examples
    --------
    >>> import zermelo as zm
    >>> connect4 = zm.game("connect4")
    >>> isinstance(connect4, zm.CompiledGame)
    True
    >>> len(connect4.position("4 4").state) == connect4.state_words
    True
    """

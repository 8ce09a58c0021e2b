"""PettingZoo both ways: its classic games as Zermelo's, and every game of Zermelo as its environment.

>>> import zermelo
>>> zermelo.game("pettingzoo:connect_four_v3").position("4 4 3").mover
1
>>> zermelo.pettingzoo_env("othello:size=6").possible_agents
['player_0', 'player_1']
"""

from __future__ import annotations

import copy
import dataclasses
import difflib
import importlib
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import BadParameter, MissingExtra, UnknownName, UnsuitableGame, listed
from zermelo.games.adapters.gymnasium import Observation, observation_space, observe
from zermelo.games.adapters.python import LONGEST_GAME, PythonGame
from zermelo.games.board import Board
from zermelo.games.registry import game as game_of_name

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame, which PettingZoo imports, greets
try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise MissingExtra("An environment or game of PettingZoo", "pettingzoo") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zermelo.games.abi import Planes
    from zermelo.games.base import Game
    from zermelo.games.position import Position


@dataclass(frozen=True)
class _Classic:
    """Where an environment is, how long its games are, and how its board is read."""

    module: str
    max_length: int
    board: Board | None = None
    cells: Callable[[Any], Sequence[int]] | None = None


_CLASSICS = {
    "chess_v6": _Classic("chess.chess", LONGEST_GAME),
    "connect_four_v3": _Classic(
        "connect_four.connect_four", 42, Board(6, 7, "columns"), lambda env: env.board
    ),
    "go_v5": _Classic(
        "go.go",
        LONGEST_GAME,
        Board(19, 19, "points", "up"),
        lambda env: (env._go.board % 3).ravel().tolist(),
    ),
    "tictactoe_v3": _Classic(
        "tictactoe.tictactoe", 9, Board(3, 3, "squares", "numbered"), lambda env: env.board.squares
    ),
}
_UNSUITABLE = {
    "hanabi_v5": "has hidden information",
    "leduc_holdem_v4": "has hidden information",
    "rps_v2": "has simultaneous moves",
    "texas_holdem_no_limit_v6": "has hidden information",
    "texas_holdem_v4": "has hidden information",
}


def pettingzoo_game(name: str) -> PettingZooGame:
    """A classic environment of PettingZoo as a game: `connect_four_v3`."""
    if name in _CLASSICS:
        return PettingZooGame(environment=name)
    if name in _UNSUITABLE:
        raise UnsuitableGame(
            f"pettingzoo:{name} {_UNSUITABLE[name]}; "
            "Zermelo plays two-player games of perfect information without chance"
        )
    if name.partition("(")[0] in _CLASSICS:
        raise BadParameter(
            f"pettingzoo:{name} has parameters; only pettingzoo:{name.partition('(')[0]} can be played"
        )
    close = difflib.get_close_matches(name, _CLASSICS, 1)
    hint = f"; did you mean `pettingzoo:{close[0]}`?" if close else "."
    raise UnknownName(f"PettingZoo has no classic game `{name}`{hint} There are: {listed(_CLASSICS)}")


class _State:
    """An environment that is never stepped again, and how many moves led to it."""

    def __init__(self, env: Any, length: int) -> None:
        self.env, self.length = env, length

    @cached_property
    def seen(self) -> Any:
        """What the player to move observes."""
        return self.env.observe(self.env.agent_selection)


class PettingZooGame(PythonGame):
    """A classic environment of PettingZoo. A move is made on a copy of the environment.

    Two positions are the same if the same moves led to them. A game that is not over after
    `max_length` moves is drawn. The planes come first in what a network sees, where PettingZoo has
    them last.
    """

    family = "pettingzoo"
    acyclic = True
    keyed_by_moves = True
    states_at_hand = 10_000  # up to 50 kB each
    environment: str = dataclasses.field(metadata={"low": None, "high": None, "help": "PettingZoo's name"})

    @property
    def name(self) -> str:
        return f"pettingzoo:{self.environment}"

    @property
    def _classic(self) -> _Classic:
        return _CLASSICS[self.environment]

    @cached_property
    def _first(self) -> _State:
        env = importlib.import_module(f"pettingzoo.classic.{self._classic.module}").raw_env()
        env.reset()
        return _State(env, 0)

    @cached_property
    def _spaces(self) -> tuple[Any, Any]:
        """Of observations and of actions."""
        env = self._first.env
        agent = env.possible_agents[0]
        return env.observation_space(agent)["observation"], env.action_space(agent)

    @cached_property
    def num_actions(self) -> int:
        return int(self._spaces[1].n)

    @property
    def max_length(self) -> int:
        """The cells to fill; in chess and go, which have no such bound, 1,024."""
        return self._classic.max_length

    @property
    def board(self) -> Board | None:
        return self._classic.board

    def start(self) -> _State:
        return self._first

    def mover(self, state: _State) -> int:
        return int(state.env.possible_agents.index(state.env.agent_selection))

    def legal(self, state: _State) -> list[int]:
        actions: list[int] = np.flatnonzero(state.seen["action_mask"]).tolist()
        return actions

    def play(self, state: _State, action: int) -> _State:
        state.seen  # noqa: B018 (chess knows an action only after it was seen to be legal)
        env = _copied(state.env)
        env.step(action)
        return _State(env, state.length + 1)

    def returns(self, state: _State) -> tuple[float, float] | None:
        env = state.env
        if any(env.terminations.values()):
            first, second = (float(env.rewards[agent]) for agent in env.possible_agents)
            return first, second
        return (0.0, 0.0) if state.length >= self.max_length else None

    @cached_property
    def input_shape(self) -> tuple[int, ...]:
        rows, cols, planes = self._spaces[0].shape
        return planes, rows, cols

    def encode(self, state: _State) -> Planes:
        """The observation of the player to move."""
        return state.seen["observation"].transpose(2, 0, 1).astype(np.float32)  # type: ignore[no-any-return]

    def cells_of(self, state: _State) -> Sequence[int]:
        return self._classic.cells(state.env) if self._classic.cells else ()

    def name_action(self, state: _State, action: int) -> str:
        """The column or cell; in chess, the move in the notation of UCI."""
        if self.board is not None:
            return self.board.action_name(action)
        from pettingzoo.classic.chess.chess_utils import action_to_move

        return str(action_to_move(state.env.board, action, self.mover(state)))

    def draw_state(self, state: _State) -> str:
        return str(state.env.board) if self.board is None else super().draw_state(state)


_ATOMS = frozenset((type(None), bool, int, float, str, tuple, np.bool_, np.int64, np.float64))
_SHARED = frozenset((
    "_cumulative_rewards", "action_spaces", "agent_order", "agents", "infos", "observation_spaces",
    "possible_agents", "truncations",
))  # fmt: skip
"""What no step changes, or nobody reads here: copies share it."""


def _copied(env: Any) -> Any:
    """An environment in the same position, or an object that belongs to one. `copy.deepcopy(env)` would be
    one at its start: these environments are copied by calling their constructor again."""
    copied = object.__new__(type(env))
    vars(copied).update(
        {
            name: value if type(value) in _ATOMS or name in _SHARED else _copied_value(value)
            for name, value in vars(env).items()
        }
    )
    return copied


def _copied_value(value: Any) -> Any:
    kind = type(value)
    if kind is list:
        return [item if type(item) in _ATOMS else _copied_value(item) for item in value]
    if kind is dict:
        return {key: item if type(item) in _ATOMS else _copied_value(item) for key, item in value.items()}
    if hasattr(value, "copy"):  # an array, or the board of chess
        return value.copy()
    if hasattr(value, "__deepcopy__"):  # the board of go
        return copy.deepcopy(value)
    return _copied(value)


def pettingzoo_env(
    game: Game | str, encoding: str | None = None, render_mode: str | None = None
) -> GameAECEnv:
    """Wrap a game as a PettingZoo environment with the agents `player_0` and `player_1`.

    Parameters
    ----------
    game
        A game, or its name.
    encoding
        The name of the encoding that agents observe; by default the first of the game.
    render_mode
        `ansi` returns the position as text, `human` prints it after every move.

    Examples
    --------
    >>> import zermelo as zm
    >>> env = zm.pettingzoo_env("tictactoe", render_mode="ansi")
    >>> env.reset(seed=1)
    >>> env.step(4)
    >>> env.agent_selection
    'player_1'
    >>> print(env.render())
    1 2 3
    4 X 6
    7 8 9
    """
    return GameAECEnv(game_of_name(game), encoding, render_mode)


class GameAECEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A game as PettingZoo sees it; an agent may have several turns in a row.

    Observations show the position from the side of the player to move, whoever asks. The rewards are
    the results, given when the game is over. An illegal move ends it as in PettingZoo's own classics:
    -1 for who made it, with `illegal` in the info, and 0 for the other.
    """

    def __init__(self, game: Game, encoding: str | None, render_mode: str | None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise BadParameter(f"`render_mode` (={render_mode}) must be ansi, human or None")
        self.metadata = {"name": game.name, "render_modes": ["ansi", "human"], "is_parallelizable": False}
        self.game = game
        self.position: Position
        """Where the game stands; set by `reset`."""
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(game.num_players)]
        self.agents = self.possible_agents[:]
        self.observation_spaces = {agent: observation_space(game, encoding) for agent in self.agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.agents}
        self._encoding = encoding

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[np.int64]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = self.game.position()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.mover]
        self._show()

    def observe(self, agent: str) -> Observation:
        """The position, and the legal actions of this agent: none if it is not to move."""
        observation = observe(self.position, self._encoding)
        if agent != self.agent_selection or self.terminations[agent]:
            observation["action_mask"][:] = 0
        return observation

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        if action is None or int(action) not in self.position.legal_actions:
            self.infos[agent]["illegal"] = True
            self.rewards[agent] = -1.0
            self._end()
        else:
            self.position = self.position.play(int(action))
            if self.position.returns is None:
                self.agent_selection = self.possible_agents[self.position.mover]
            else:
                self.rewards = dict(zip(self.agents, self.position.returns, strict=True))
                self._end()
        self._accumulate_rewards()
        self._show()

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode is None:
            raise BadParameter(
                "nothing is rendered with `render_mode` None; make the environment with ansi or human"
            )
        if self.render_mode == "ansi":
            return str(self.position)
        print(self.position)
        return None

    def close(self) -> None:
        """There is nothing to close; PettingZoo asks for the method where there is `render`."""

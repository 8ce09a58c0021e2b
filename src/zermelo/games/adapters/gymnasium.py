"""Every game as an environment of Gymnasium, in which an agent plays one side.

>>> import zermelo
>>> env = zermelo.gymnasium_env("connect4", side=None)
>>> observation, info = env.reset(seed=1)
>>> info["action_mask"]
array([1, 1, 1, 1, 1, 1, 1], dtype=int8)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from zermelo.errors import BadParameter, MissingExtra
from zermelo.games.position import Position
from zermelo.games.registry import game as game_of_name

if TYPE_CHECKING:
    from zermelo.games.base import Game

try:
    from gymnasium import Env, spaces
    from gymnasium.error import ResetNeeded
except ImportError:
    raise MissingExtra("An environment of Gymnasium or PettingZoo", "pettingzoo") from None

Observation: TypeAlias = dict[str, Any]
Opponent: TypeAlias = Callable[[Position, np.random.Generator], int]


def observation_space(game: Game, encoding: str | None = None) -> spaces.Dict:
    """What `observe` returns: the planes of an encoding, and which actions are legal."""
    chosen = game.encoding(encoding)
    return spaces.Dict(
        {
            "observation": spaces.Box(chosen.low, chosen.high, chosen.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def observe(position: Position, encoding: str | None = None) -> Observation:
    """The position from the side of the player to move; once the game is over, no action is legal."""
    mask = np.zeros(position.game.num_actions, np.int8)
    mask[list(position.legal_actions)] = 1
    return {"observation": position.planes(encoding), "action_mask": mask}


def random_opponent(position: Position, random: np.random.Generator) -> int:
    """Any legal move, all equally likely."""
    return int(random.choice(position.legal_actions))


def gymnasium_env(
    game: Game | str,
    opponent: Opponent | None = None,
    side: int | None = 0,
    encoding: str | None = None,
) -> GameEnv:
    """Wrap a game as a Gymnasium environment in which an agent plays one side.

    Parameters
    ----------
    game
        A game, or its name.
    opponent
        Gets the position and a generator that `reset(seed)` seeds, and returns a legal action. By
        default its moves are random.
    side
        The player whose moves the agent makes; None: either, at random.
    encoding
        The name of the encoding that it observes; by default the first of the game.

    Examples
    --------
    >>> import zermelo as zm
    >>> env = zm.gymnasium_env("connect4")
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"].shape, info["action_mask"].tolist()
    ((2, 6, 7), [1, 1, 1, 1, 1, 1, 1])
    >>> observation, reward, terminated, truncated, info = env.step(3)
    >>> reward, terminated
    (0.0, False)
    """
    if side not in (0, 1, None):
        raise BadParameter(f"`side` (={side}) must be 0, 1 or None")
    found = game_of_name(game)
    return GameEnv(found, opponent or random_opponent, side, encoding)


class GameEnv(Env[Observation, np.int64]):
    """A game against an opponent, whose moves are part of the environment.

    The reward is the agent's result, given when the game is over. An illegal move loses at once:
    reward -1, and `illegal` in the info. Should the opponent end the game before the agent has
    moved, no action is legal, and the first step, whatever its action, brings the result.
    """

    metadata = {"render_modes": []}

    def __init__(self, game: Game, opponent: Opponent, side: int | None, encoding: str | None) -> None:
        self.game = game
        self.observation_space = observation_space(game, encoding)
        self.action_space = spaces.Discrete(game.num_actions)
        self.position: Position
        """Where the game stands; set by `reset`."""
        self.side = side or 0
        """The player whose moves the agent makes."""
        self._opponent = opponent
        self._given_side = side
        self._encoding = encoding
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if self._given_side is None:
            self.side = int(self.np_random.integers(2))
        self.position = self._reply(self.game.position())
        self._running = True
        return self._seen()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self._running:
            raise ResetNeeded(f"no game of {self.game.name} is going on; call reset() first")
        position = self.position
        illegal = not position.is_over and int(action) not in position.legal_actions
        if not position.is_over and not illegal:
            self.position = self._reply(position.play(int(action)))
        returns = self.position.returns
        self._running = returns is None and not illegal
        reward = -1.0 if illegal else returns[self.side] if returns else 0.0
        observation, info = self._seen()
        return observation, reward, not self._running, False, info | ({"illegal": True} if illegal else {})

    def _reply(self, position: Position) -> Position:
        """The position after the opponent's moves: none, one, or several."""
        while not position.is_over and position.mover != self.side:
            position = position.play(int(self._opponent(position, self.np_random)))
        return position

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation = observe(self.position, self._encoding)
        return observation, {"action_mask": observation["action_mask"]}

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

from zermelo.errors import MissingExtra
from zermelo.games.position import Position

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

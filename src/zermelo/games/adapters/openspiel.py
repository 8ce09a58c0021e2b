"""Games of OpenSpiel: `openspiel:hex(board_size=5)` is `hex(board_size=5)` of `pyspiel`.

Any two-player, zero-sum game of perfect information without chance fits. The rules stay OpenSpiel's
own, called move by move; what is added here is names of moves that can be written in a list, results
in [-1, 1], and an end for games that would not end.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import subprocess
import sys
from collections import Counter
from functools import cached_property, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import BadParameter, MissingExtra, UnknownName, UnsuitableGame, listed
from zermelo.games.adapters.python import LONGEST_GAME, PythonGame

if TYPE_CHECKING:
    from zermelo.games.abi import Planes

State = Any  # pyspiel.State, which has no types


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel. Its states are `pyspiel.State` objects, of which only children are taken.

    Two positions are the same if the same moves led to them: OpenSpiel has no other test that is
    right for every game, so transpositions are not found, and no position occurs twice. A game that
    is not over after `max_length` moves is drawn.
    """

    family = "openspiel"
    acyclic = True
    keyed_by_moves = True
    states_at_hand = 20_000  # up to 30 kB each
    input_range = (-math.inf, math.inf)  # OpenSpiel does not tell what bounds its tensors
    spec: str = dataclasses.field(metadata={"low": None, "high": None, "help": "as pyspiel writes it"})

    @cached_property
    def _game(self) -> Any:
        return _pyspiel().load_game(self.spec)

    @property
    def name(self) -> str:
        return f"openspiel:{self.spec}"

    @cached_property
    def num_actions(self) -> int:
        return int(self._game.num_distinct_actions())

    @cached_property
    def max_length(self) -> int:
        """OpenSpiel's own bound, but at most 1,024, which chess, shogi and others could exceed."""
        return min(int(self._game.max_game_length()), LONGEST_GAME)

    def start(self) -> State:
        return self._game.new_initial_state()

    @cached_property
    def _beginner(self) -> int:
        """OpenSpiel's number of the player who moves first, who is player 0 here: 1 in chess."""
        return int(self.start().current_player())

    def mover(self, state: State) -> int:
        player: int = state.current_player()
        return player ^ self._beginner

    def legal(self, state: State) -> list[int]:
        return state.legal_actions()  # type: ignore[no-any-return]

    def play(self, state: State, action: int) -> State:
        return state.child(action)

    def returns(self, state: State) -> tuple[float, float] | None:
        """OpenSpiel's returns, shifted and scaled so that they add up to 0 and lie in [-1, 1]."""
        if state.is_terminal():
            middle, most = self._utility
            first, second = ((utility - middle) / most for utility in state.returns())
            return (second, first) if self._beginner else (first, second)
        return (0.0, 0.0) if state.move_number() >= self.max_length else None

    @cached_property
    def _utility(self) -> tuple[float, float]:
        """What a draw is worth in OpenSpiel's returns, and how far a win is above it."""
        middle = self._game.utility_sum() / 2
        return middle, max(self._game.max_utility() - middle, middle - self._game.min_utility())

    @cached_property
    def _has_observation(self) -> bool:
        return bool(self._game.get_type().provides_observation_tensor)

    @cached_property
    def input_shape(self) -> tuple[int, ...]:
        """The tensor's own shape if it is made of planes, else a flat vector."""
        kind = "observation" if self._has_observation else "information_state"
        shape = tuple(getattr(self._game, f"{kind}_tensor_shape")())
        return shape if len(shape) == 3 else (math.prod(shape),)

    def encode(self, state: State) -> Planes:
        """The observation tensor of the player to move, or of player 0 once the game is over; the
        information state tensor where there is none."""
        player = self._beginner if state.is_terminal() else state.current_player()
        if self._observer is None:
            return np.array(state.information_state_tensor(player), np.float32)
        observation, tensor, lock = self._observer
        with lock:
            observation.set_from(state, player)
            return tensor.copy()

    @cached_property
    def _observer(self) -> tuple[Any, Planes, Lock] | None:
        """OpenSpiel's own buffer for observations, the array that shows it, and who may use it; None for a
        game without observation tensor. Its lists of numbers take five times as long."""
        if not self._has_observation:
            return None
        pyspiel = _pyspiel()
        kind = pyspiel.IIGObservationType(perfect_recall=False)
        observation = pyspiel._Observation(self._game, self._game.make_observer(kind, {}))
        return observation, np.frombuffer(observation, np.float32), Lock()

    def name_action(self, state: State, action: int) -> str:
        """OpenSpiel's name without spaces and commas, `x(0,0)` as `x(0_0)`; the action is added where
        two legal moves share it: `pass#81`."""
        return _action_names(state)[action]

    def draw_state(self, state: State) -> str:
        return str(state)


@lru_cache(maxsize=256)  # a list of all moves asks for the names of one state again and again
def _action_names(state: State) -> dict[int, str]:
    player = state.current_player()
    names = {
        action: re.sub(r"[\s,]+", "_", state.action_to_string(player, action).strip())
        for action in state.legal_actions()
    }
    count = Counter(names.values())
    return {
        action: name if name and count[name] == 1 else f"{name}#{action}" for action, name in names.items()
    }


def openspiel_game(name: str) -> OpenSpielGame:
    """The game that `pyspiel.load_game(name)` gives."""
    pyspiel = _pyspiel()
    family = name.partition("(")[0].strip()
    if family not in pyspiel.registered_names():
        raise _unknown(family)
    if "(" in name and not _loads_elsewhere(name):
        raise BadParameter(f"openspiel:{name} cannot be loaded; give it other parameters")
    try:
        game = pyspiel.load_game(name)
        start = game.new_initial_state()
    except pyspiel.SpielError as error:
        told = str(error).splitlines()[0].removesuffix(" Available games are:")
        raise BadParameter(f"openspiel:{name} cannot be loaded; OpenSpiel says: {told}") from None
    reason = _unsuitable(game.get_type(), game.num_players())
    if reason:
        raise UnsuitableGame(
            f"openspiel:{name} {reason}; "
            "Zermelo plays two-player games of perfect information without chance"
        )
    if not start.legal_actions():
        raise BadParameter(f"openspiel:{name} has no move to begin with; give it other parameters")
    found = OpenSpielGame(spec=str(game).removesuffix("()"))
    if min(found.num_actions, found.max_length, *found.input_shape) < 1:
        raise BadParameter(f"openspiel:{name} has no board to speak of; give it other parameters")
    return found


def _loads_elsewhere(name: str) -> bool:
    """Whether another process survives loading and playing it: some parameters crash OpenSpiel."""
    code = """
import pyspiel, sys
game = pyspiel.load_game(sys.argv[1])
state = game.new_initial_state()
for _ in range(30):
    if state.is_terminal() or state.current_player() < 0 or not state.legal_actions():
        break
    if game.get_type().provides_observation_tensor:
        state.observation_tensor(state.current_player())
    state.apply_action(state.legal_actions()[0])
"""
    done = subprocess.run([sys.executable, "-c", code, name], capture_output=True)
    return done.returncode >= 0  # a negative one is a signal that killed it


def suitable_games() -> list[str]:
    """The names of OpenSpiel's games that can be played without giving parameters."""
    return sorted(
        kind.short_name
        for kind in _pyspiel().registered_games()
        if kind.default_loadable
        and not _unsuitable(kind, max(kind.min_num_players, min(2, kind.max_num_players)))
    )


def _unsuitable(kind: Any, num_players: int) -> str:
    """Why a game of this `pyspiel.GameType` does not fit; nothing if it does."""
    is_a = _pyspiel().GameType
    if kind.dynamics != is_a.Dynamics.SEQUENTIAL:
        mean_field = kind.dynamics == is_a.Dynamics.MEAN_FIELD
        return "is a mean-field game" if mean_field else "has simultaneous moves"
    if kind.information != is_a.Information.PERFECT_INFORMATION:
        return "has hidden information"
    if kind.chance_mode != is_a.ChanceMode.DETERMINISTIC:
        return "has chance"
    if num_players != 2:
        return f"has {num_players} player{'s' * (num_players != 1)}"
    if kind.utility not in (is_a.Utility.ZERO_SUM, is_a.Utility.CONSTANT_SUM):
        return "is not zero-sum"
    if not (kind.provides_observation_tensor or kind.provides_information_state_tensor):
        return "has no tensor to show to a network"
    return ""


def _unknown(name: str) -> UnknownName:
    games = suitable_games()
    close = difflib.get_close_matches(name, games, 1)
    hint = f"; did you mean `openspiel:{close[0]}`?" if close else "."
    return UnknownName(f"OpenSpiel has no game `{name}`{hint} There are: {listed(games)}")


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise MissingExtra("A game of OpenSpiel", "openspiel") from None
    return pyspiel

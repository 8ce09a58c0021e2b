from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadParameter, IllegalMove, MissingExtra, UnknownName

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

EXAMPLES = Path(__file__).parents[3] / "examples"
GAMES = [
    "tictactoe",
    "connect4",
    "gomoku:size=7",
    "othello:size=6",
    f"{EXAMPLES}/kalah.py",
    f"{EXAMPLES}/nim.py",
]


# The checker cannot make environments anew that are not registered with `gymnasium.make`.
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.parametrize("name", GAMES)
def test_gymnasiums_own_check_passes(name, side):
    check_env(zermelo.gymnasium_env(name, side=side).unwrapped)


def play_to_the_end(env, seed):
    """Rewards and infos of a game of the first legal moves."""
    observation, info = env.reset(seed=seed)
    steps, terminated = [], False
    while not terminated:
        assert env.observation_space.contains(observation)
        assert env.position.mover == env.side
        assert np.flatnonzero(info["action_mask"]).tolist() == list(env.position.legal_actions)
        action = int(np.flatnonzero(info["action_mask"])[0])
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        steps.append((reward, info))
    return steps


@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.parametrize("name", GAMES)
def test_the_reward_is_the_result_at_the_end(name, side):
    env = zermelo.gymnasium_env(name, side=side)
    for seed in range(5):
        *before, (reward, info) = play_to_the_end(env, seed)

        assert all(earlier == 0.0 for earlier, _ in before)
        assert reward == env.position.returns[env.side]
        assert not info["action_mask"].any()
        assert "illegal" not in info


def test_an_observation_is_the_planes_of_the_encoding_and_the_legal_moves():
    env = zermelo.gymnasium_env("tictactoe", side=1, opponent=lambda _position, _random: 4)

    observation, info = env.reset()

    assert env.position.moves == (4,)
    assert np.array_equal(observation["observation"], env.position.planes())
    assert (
        observation["action_mask"].tolist() == info["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    )


@pytest.mark.parametrize("opponent", ["perfect", zermelo.player("perfect")])
def test_any_player_may_be_the_opponent(opponent):
    env = zermelo.gymnasium_env("tictactoe", opponent=opponent)
    env.reset(seed=3)
    env.step(0)
    assert env.position.moves == (0, 4), "everything but the centre loses"


def test_the_encoding_can_be_chosen():
    name = list(zermelo.game("connect4").encodings)[-1]
    env = zermelo.gymnasium_env("connect4", encoding=name)

    assert env.observation_space["observation"].shape == zermelo.game("connect4").encoding(name).shape
    with pytest.raises(UnknownName, match="connect4 has no encoding `nonsense`"):
        zermelo.gymnasium_env("connect4", encoding="nonsense")


def test_an_illegal_move_loses_at_once():
    env = zermelo.gymnasium_env("tictactoe", opponent=lambda position, _random: position.legal_actions[0])
    env.reset()
    env.step(4)

    _, reward, terminated, truncated, info = env.step(4)

    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    with pytest.raises(gymnasium.error.ResetNeeded, match="no game of tictactoe is going on"):
        env.step(0)


def test_the_opponent_may_have_several_turns_in_a_row():
    script = iter([2, 5])  # the last seed of the third house ends in the store
    env = zermelo.gymnasium_env(
        f"{EXAMPLES}/kalah.py", side=1, opponent=lambda _position, _random: next(script)
    )

    env.reset()

    assert env.position.moves == (2, 5)
    assert env.position.mover == 1


def test_an_opponent_who_ends_the_game_before_the_agents_first_move():
    env = zermelo.gymnasium_env(f"{EXAMPLES}/nim.py:heap=2", side=1, opponent=lambda _position, _random: 1)

    _, info = env.reset()
    _, reward, terminated, _, after = env.step(0)

    assert not info["action_mask"].any()
    assert (reward, terminated) == (-1.0, True)
    assert "illegal" not in after


def test_an_opponents_illegal_move_is_an_error():
    env = zermelo.gymnasium_env("tictactoe", opponent=lambda _position, _random: 4)
    env.reset()
    with pytest.raises(IllegalMove, match="action 4 is not legal in tictactoe after 5"):
        env.step(4)


def test_the_same_seed_gives_the_same_game():
    def moves(seed):
        env = zermelo.gymnasium_env("connect4", side=None)
        play_to_the_end(env, seed)
        return env.side, env.position.moves

    assert moves(7) == moves(7)
    assert len({moves(seed) for seed in range(8)}) > 1
    assert {moves(seed)[0] for seed in range(8)} == {0, 1}


def test_there_are_two_sides():
    with pytest.raises(BadParameter, match=r"`side` \(=2\) must be 0, 1 or None"):
        zermelo.gymnasium_env("tictactoe", side=2)


def test_without_gymnasium_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "zermelo.games.adapters.gymnasium")
    with pytest.raises(MissingExtra, match=r"pip install 'zermelo\[pettingzoo\]'"):
        importlib.import_module("zermelo.games.adapters.gymnasium")

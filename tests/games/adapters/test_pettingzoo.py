from __future__ import annotations

import copy
import importlib
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadParameter, MissingExtra, UnknownName, UnsuitableGame
from zermelo.search.perft import perft
from zermelo.search.rollouts import random_games

pytest.importorskip("pettingzoo")

EXAMPLES = Path(__file__).parents[3] / "examples"
GAMES = [
    "tictactoe",
    "connect4",
    "gomoku:size=7",
    "othello:size=6",
    f"{EXAMPLES}/kalah.py",
    f"{EXAMPLES}/nim.py",
]
CLASSICS = ["chess_v6", "connect_four_v3", "go_v5", "tictactoe_v3"]


# PettingZoo's games.


@pytest.mark.parametrize("name", CLASSICS)
def test_a_game_gives_its_name_back(name):
    game = zermelo.game(f"pettingzoo:{name}")

    assert game.name == f"pettingzoo:{name}"
    assert zermelo.game(game.name) == game


@pytest.mark.parametrize("name", CLASSICS)
def test_a_random_game_goes_as_in_pettingzoo(name):
    game = zermelo.game(f"pettingzoo:{name}")
    position, dice = game.position(), random.Random(name)
    theirs = type(game.state_of(position).env)()
    theirs.reset()

    for _ in range(150):
        if any(theirs.terminations.values()):
            break
        seen = theirs.observe(theirs.agent_selection)
        assert position.returns is None
        assert position.mover == theirs.possible_agents.index(theirs.agent_selection)
        assert list(position.legal_actions) == np.flatnonzero(seen["action_mask"]).tolist()
        assert np.array_equal(position.planes().transpose(1, 2, 0), seen["observation"])
        action = dice.choice(position.legal_actions)
        assert position.parse(position.name(action)) == action
        position = position.play(action)
        theirs.step(action)

    if any(theirs.terminations.values()):
        assert position.returns == tuple(theirs.rewards[agent] for agent in theirs.possible_agents)


def same_games(theirs, ours, games, dice):
    for _ in range(games):
        position, other = theirs.position(), ours.position()
        while not other.is_over:
            assert position.returns is None
            assert position.mover == other.mover
            assert position.legal_actions == other.legal_actions
            assert str(position) == str(other)
            action = dice.choice(other.legal_actions)
            assert position.name(action) == other.name(action)
            position, other = position.play(action), other.play(action)
        assert position.returns == other.returns


def test_connect_four_is_our_connect4():
    same_games(zermelo.game("pettingzoo:connect_four_v3"), zermelo.game("connect4"), 50, random.Random(4))


def test_tictactoe_is_our_tictactoe():
    same_games(zermelo.game("pettingzoo:tictactoe_v3"), zermelo.game("tictactoe"), 50, random.Random(3))


def test_a_move_leaves_the_environment_before_it_as_it_was():
    game = zermelo.game("pettingzoo:connect_four_v3")
    before = game.position("4 4 3")
    drawn = str(before)

    left, right = before.play("1"), before.play("7")

    assert str(before) == drawn
    assert str(left).splitlines()[-1] == "O . X X . . ."
    assert str(right).splitlines()[-1] == ". . X X . . O"
    env = game.state_of(before).env
    assert sum(map(bool, env.board)) == 3
    assert sum(map(bool, copy.deepcopy(env).board)) == 0  # which is why the game does not use it


def test_chess_has_the_known_number_of_lines_of_two_moves():
    assert perft(zermelo.game("pettingzoo:chess_v6"), 2).nodes == 400


def test_chess_moves_are_written_as_in_uci():
    position = zermelo.game("pettingzoo:chess_v6").position("f2f3 e7e5 g2g4 d8h4")

    assert position.returns == (-1.0, 1.0)
    assert str(position).splitlines()[4] == ". . . . . . P q"


def test_go_is_drawn_and_named_by_its_board():
    position = zermelo.game("pettingzoo:go_v5").position("a19 b19 pass a18")

    assert str(position).splitlines()[1].startswith("19 . O")
    assert position.play_all("pass pass").returns == (-1.0, 1.0)


def test_a_position_of_chess_can_be_read_in_another_process():
    position = zermelo.game("pettingzoo:chess_v6").position("e2e4 e7e5 g1f3")
    program = (
        "import json, sys, numpy, zermelo\n"
        "state = numpy.array(json.loads(sys.argv[1]))\n"
        "print(zermelo.Position(zermelo.game('pettingzoo:chess_v6'), state))"
    )
    command = [sys.executable, "-c", program, json.dumps(position.state.tolist())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout == f"{position}\n"  # and no greeting of pygame before it
    assert done.stderr == ""


def test_no_window_is_opened():
    zermelo.game("pettingzoo:tictactoe_v3").position("5 1")
    assert not importlib.import_module("pygame").display.get_init()


def test_random_games_are_won_as_often_as_in_tic_tac_toe():
    played = random_games(zermelo.game("pettingzoo:tictactoe_v3"), 1000)

    # Of random games the first player wins 58.5% and loses 28.8%; 0.12 is four standard errors.
    assert played.mean_returns[0] == pytest.approx(0.297, abs=0.12)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hanabi_v5", "has hidden information"),
        ("leduc_holdem_v4", "has hidden information"),
        ("rps_v2", "has simultaneous moves"),
        ("texas_holdem_no_limit_v6", "has hidden information"),
        ("texas_holdem_v4", "has hidden information"),
    ],
)
def test_other_classics_are_refused_with_the_reason(name, reason):
    with pytest.raises(UnsuitableGame) as refusal:
        zermelo.game(f"pettingzoo:{name}")
    assert str(refusal.value) == (
        f"pettingzoo:{name} {reason}; Zermelo plays two-player games of perfect information without chance"
    )


def test_an_unknown_name_brings_the_closest_and_the_list():
    with pytest.raises(
        UnknownName, match=r"did you mean `pettingzoo:connect_four_v3`\? There are: chess_v6 "
    ):
        zermelo.game("pettingzoo:connect_four")


def test_parameters_are_refused():
    with pytest.raises(BadParameter, match="only pettingzoo:go_v5 can be played"):
        zermelo.game("pettingzoo:go_v5(board_size=9)")


# Our games in PettingZoo.


# PettingZoo tests its games in a module that warns of itself, and knows by name the environments,
# its own, that may have dicts as observations or show an empty board.
@pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_test_passes(name):
    from pettingzoo.test import api_test

    api_test(zermelo.pettingzoo_env(name), num_cycles=300)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_played_by_agents_goes_as_by_positions(name):
    env, dice = zermelo.pettingzoo_env(name), random.Random(name)
    env.reset()
    position, total = zermelo.game(name).position(), dict.fromkeys(env.possible_agents, 0.0)

    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        assert env.observation_space(agent).contains(observation)
        if terminated or truncated:
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        assert agent == f"player_{position.mover}"
        assert np.array_equal(observation["observation"], position.planes())
        assert np.flatnonzero(observation["action_mask"]).tolist() == list(position.legal_actions)
        action = dice.choice(position.legal_actions)
        position = position.play(action)
        env.step(action)

    assert env.agents == []
    assert tuple(total.values()) == position.returns


def test_an_agent_may_have_another_turn():
    env = zermelo.pettingzoo_env(f"{EXAMPLES}/kalah.py")
    env.reset()

    env.step(2)  # the last seed ends in the store

    assert env.agent_selection == "player_0"
    assert not env.observe("player_1")["action_mask"].any()


def test_an_illegal_move_ends_the_game_as_in_pettingzoos_classics():
    env = zermelo.pettingzoo_env("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)

    assert env.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos == {"player_0": {}, "player_1": {"illegal": True}}
    assert not env.observe("player_0")["action_mask"].any()
    env.step(None)
    env.step(None)
    assert env.agents == []


def test_the_position_is_rendered_as_text(capsys):
    env = zermelo.pettingzoo_env("tictactoe", render_mode="ansi")
    env.reset()
    env.step(4)
    assert env.render() == str(zermelo.game("tictactoe").position("5"))
    assert capsys.readouterr().out == ""

    env = zermelo.pettingzoo_env("tictactoe", render_mode="human")
    env.reset()
    capsys.readouterr()
    env.step(4)
    assert capsys.readouterr().out == f"{zermelo.game('tictactoe').position('5')}\n"


def test_a_render_mode_is_ansi_or_human():
    with pytest.raises(BadParameter, match=r"`render_mode` \(=rgb_array\) must be ansi, human or None"):
        zermelo.pettingzoo_env("tictactoe", render_mode="rgb_array")
    env = zermelo.pettingzoo_env("tictactoe")
    env.reset()
    with pytest.raises(BadParameter, match="make the environment with ansi or human"):
        env.render()


def test_without_pettingzoo_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "zermelo.games.adapters.pettingzoo", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'zermelo\[pettingzoo\]'"):
        importlib.import_module("zermelo.games.adapters.pettingzoo")

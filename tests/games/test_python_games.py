"""Games in plain Python, through the same kernels as compiled ones."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

import zermelo
from zermelo.cli.leaving import ended_by_the_system
from zermelo.errors import RulesError
from zermelo.games import PythonGame
from zermelo.games.adapters import bridge
from zermelo.games.contract import check
from zermelo.search.config import SearchConfig
from zermelo.search.job import Job
from zermelo.search.perft import perft, positions
from zermelo.search.pool import Pool
from zermelo.search.rollouts import random_games

KALAH = zermelo.game("examples/kalah.py")


def pits(position):
    return position.game.state_of(position).pits


def test_kalah_gives_another_turn_when_the_last_seed_falls_into_the_store():
    position = KALAH.position("3")
    assert pits(position) == (4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0)
    assert position.mover == 0


def test_kalah_captures_from_the_opposite_house():
    # first: house 6 to the second player's side; then an own empty house is reached with the last seed
    game = zermelo.game("examples/kalah.py:houses=3,seeds=1")
    position = game.position("1")  # from house 1 into house 2, which holds one already
    assert pits(position) == (0, 2, 1, 0, 1, 1, 1, 0)
    position = game.position("3 1")  # store, another turn; house 1 to house 2
    assert position.mover == 1
    position = game.position("3 2")  # house 2 into the empty house 3: takes the opposite seed
    assert pits(position) == (1, 0, 0, 3, 0, 1, 1, 0)


def test_kalah_ends_when_a_side_is_empty_and_the_rest_goes_home():
    position = zermelo.game("examples/kalah.py:houses=1,seeds=1").position("1")
    assert pits(position) == (0, 1, 0, 1)
    assert position.returns == (0.0, 0.0)


def test_kalah_keeps_all_seeds():
    rng = np.random.default_rng(0)
    for _ in range(20):
        position = KALAH.position()
        while not position.is_over:
            assert sum(pits(position)) == 48
            position = position.play(int(rng.choice(position.legal_actions)))
        assert sum(pits(position)) == 48


def test_results_follow_the_mover_not_the_ply():
    """Two moves of the first player in a row: the planes must still be the first player's."""
    after = KALAH.position("3")
    assert after.mover == 0
    assert after.planes()[:2].tolist() == pytest.approx([1 / 48, 0])  # the own store, then the other


def test_kernels_play_python_games_like_python_does():
    nim = zermelo.game("examples/nim.py:heap=4,most=2")
    # 1+1+1+1, 1+1+2, 1+2+1, 2+1+1, 2+2: five games
    assert perft(nim, 4).ended == 5
    assert positions(nim, 4) == [1, 2, 3, 2, 1]
    played = random_games(nim, 500)
    assert 2 <= played.moves / played.games <= 4


def test_a_plain_game_equals_the_compiled_one():
    plain = zermelo.game("src/zermelo/cli/templates/plain.py")
    compiled = zermelo.game("src/zermelo/cli/templates/compiled.py")
    for depth in (3, 5, 6):
        assert perft(plain, depth) == perft(compiled, depth) == perft(zermelo.game("tictactoe"), depth)
    for seed in range(3):
        one, two = (random_games(game, 20, seed) for game in (plain, compiled))
        assert (one.moves, one.mean_returns) == (two.moves, two.mean_returns)
    position, other = plain.position("b2 a1 c3"), compiled.position("b2 a1 c3")
    assert str(position) == str(other)
    assert np.array_equal(position.planes(), other.planes())


def test_a_vector_means_the_same_in_another_process():
    position = KALAH.position("3 1 2")
    code = (
        "import sys, zermelo, numpy as np\n"
        "game = zermelo.game('examples/kalah.py')\n"
        "state = np.array(eval(sys.argv[1]), np.int64)\n"
        "position = zermelo.Position(game, state)\n"
        "print(position.legal_actions, game.state_of(position).pits)"
    )
    words = str(position.state.tolist())
    done = subprocess.run([sys.executable, "-c", code, words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{position.legal_actions} {pits(position)}"


def test_states_that_are_no_longer_at_hand_are_made_again():
    class Small(type(KALAH)):
        family = "small_memory"
        states_at_hand = 8

    small = Small()
    assert random_games(small, 20).moves == random_games(KALAH, 20).moves
    assert len(small._bridge._known) <= 8
    early = small.position("3 1")
    small.position(["3", "1", "2", "3", "4", "5", "6", "1", "2", "3"][0])
    random_games(small, 5)
    assert early.play("2").move_names == ("3", "1", "2")


@pytest.mark.parametrize(
    "state",
    [
        (1, (2, "x"), None, 1.5, b"z", True),
        [1, [2, 3]],
        {"a": [1], "b": {2, 3}},
        np.arange(4).reshape(2, 2),
        np.int64(3),
    ],
)
def test_any_plain_state_has_a_key(state):
    import copy

    nim = zermelo.game("examples/nim.py")
    digest = nim._bridge.digest
    assert digest(state) == digest(copy.deepcopy(state))
    assert digest(state) != digest((state, 1))


def test_key_of_a_dataclass_and_of_something_unknown():
    @dataclass
    class State:
        cells: list

    digest = zermelo.game("examples/nim.py")._bridge.digest
    assert digest(State([1, 2])) == digest(State([1, 2])) != digest(State([2, 1]))
    with pytest.raises(TypeError, match="give the game a method `key"):
        digest(object())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((1, 0), (True, False), True),
        ((1, 0), (1.0, -0.0), True),
        ([1, 2], (1, 2), True),
        ({1, None, "a"}, {"a", 1, None}, True),
        ({1: 2, "x": 3}, {"x": 3, 1: 2}, True),
        ({1, 2}, (1, 2), False),
        ((0.5,), (0.25,), False),
    ],
)
def test_equal_states_have_equal_keys_and_others_do_not(one, other, same):
    digest = zermelo.game("examples/nim.py")._bridge.digest
    assert (digest(one) == digest(other)) is same


def test_moves_beyond_the_first_word_are_played_again():
    nim = zermelo.game("examples/nim.py:heap=200,most=5")  # 3 bits an action, 21 to a word
    moves = [i % 5 for i in range(63)]
    position = nim.position(moves)
    nim.forget()
    again = zermelo.Position(nim, position.state)
    assert nim.state_of(again) == (200 - sum(m + 1 for m in moves), 1)


def test_threads_may_share_a_game():
    class Crowded(type(KALAH)):
        family = "crowded"
        states_at_hand = 8

    game = Crowded(houses=3, seeds=2)
    game.position()
    with ThreadPoolExecutor(4) as threads:
        played = list(threads.map(lambda seed: random_games(game, 20, seed).moves, [1, 2, 3, 1]))
    assert played[0] == played[3]


class Faulty(PythonGame):
    """Raises in the middle of a game."""

    family = "faulty"
    num_actions = 2
    max_length = 5
    input_shape = (1,)

    def start(self):
        return 0

    def mover(self, state):
        return state % 2

    def legal(self, state):
        return [0, 1]

    def play(self, state, action):
        if state == 3:
            raise KeyError("lost")
        return state + 1

    def returns(self, state):
        return (0.0, 0.0) if state == 5 else None

    def encode(self, state):
        return [0.5, 0.5]


def test_what_python_rules_raise_is_told_with_the_moves():
    with pytest.raises(RulesError) as raised:
        random_games(Faulty(), 1)
    message = str(raised.value)
    assert message.startswith("`play` of faulty raised KeyError: 'lost' after the actions ")
    assert "test_python_games.py" in message
    assert isinstance(raised.value.__cause__, KeyError)


def test_an_encoding_of_the_wrong_size_is_told():
    with pytest.raises(RulesError, match=r"encode gave 2 numbers; the shape \(1,\) has 1"):
        Faulty().position().planes()


def test_ctrl_c_in_the_rules_stops_the_kernel():
    class Interrupted(Faulty):
        family = "interrupted"

        def play(self, state, action):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        random_games(Interrupted(), 1)


def test_sigterm_in_the_rules_is_no_error_of_the_game():
    class Terminated(Faulty):
        family = "terminated"

        def play(self, state, action):
            os.kill(os.getpid(), signal.SIGTERM)
            return state + 1

    with pytest.raises(SystemExit) as raised, ended_by_the_system():
        random_games(Terminated(), 1)
    assert raised.value.code == 128 + signal.SIGTERM


def test_a_result_that_is_one_number_is_told_with_the_line_of_the_method():
    class OneNumber(Faulty):
        family = "one_number"

        def returns(self, state):
            return 1.0 if state == 2 else None

    line = OneNumber.returns.__code__.co_firstlineno
    with pytest.raises(RulesError) as raised:
        random_games(OneNumber(), 1)
    message = str(raised.value)
    assert message.startswith("`returns` of one_number: the result is 1.0; it must be None while")
    assert message.endswith(f"test_python_games.py:{line})")


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"legal": [0, 2]}, "`legal` of answering: legal actions 0 to 2, not 0 to 1 after the actions 0 ("),
        ({"mover": 5}, "`mover` of answering: the mover is 5, not one of the players 0 and 1 after"),
        ({"returns": None}, "`play` of answering: a game of more than max_length (=5) moves after"),
    ],
)
def test_a_wrong_answer_is_told_with_its_method_and_the_moves(answers, told):
    class Answering(Faulty):
        family = "answering"

        def legal(self, state):
            return answers.get("legal", [0]) if state else [0]

        def mover(self, state):
            return answers.get("mover", 0) if state else 0

        def play(self, state, action):
            return state + 1

        def returns(self, state):
            return answers.get("returns", (0.0, 0.0)) if state == 5 else None

    with pytest.raises(RulesError) as raised:
        random_games(Answering(), 1)
    assert str(raised.value).startswith(told)


def test_legal_actions_of_many_are_listed_and_checked():
    class Wide(Faulty):
        family = "wide"
        num_actions = 5000

        def legal(self, state):
            return np.array([4999, 7, 513])

        def play(self, state, action):
            return state + 1

    position = Wide().position()
    assert position.legal_actions == (7, 513, 4999)
    assert position.play(4999).play(7).moves == (4999, 7)
    with pytest.raises(zermelo.errors.IllegalMove):
        position.play(8)
    assert random_games(Wide(), 3).moves == 15


class LastMove(PythonGame):
    """Take two of three tokens; the state remembers the last one, which decides nothing."""

    family = "last_move"
    acyclic = True
    num_actions = 3
    max_length = 3
    input_shape = (4,)

    def start(self):
        return (frozenset(), -1)

    def key(self, state):
        return state[0]

    def mover(self, state):
        return len(state[0]) % 2

    def legal(self, state):
        return sorted({0, 1, 2} - state[0])

    def play(self, state, action):
        return (state[0] | {action}, action)

    def returns(self, state):
        return (0.0, 0.0) if len(state[0]) == 3 else None

    def encode(self, state):
        return [*(float(token in state[0]) for token in range(3)), (1 + state[1]) / 3]

    def draw_state(self, state):
        return f"{sorted(state[0])} last {state[1]}"


def test_a_state_is_that_of_its_own_moves_though_the_key_leaves_them_out():
    game = LastMove()
    one, other = game.position([0, 1]), game.position([1, 0])

    assert one == other
    assert (str(one), str(other)) == ("[0, 1] last 1", "[0, 1] last 0")
    assert (one.planes()[3], other.planes()[3]) == pytest.approx((2 / 3, 1 / 3))
    game.forget()
    assert str(zermelo.Position(game, other.state)) == "[0, 1] last 0"


def test_check_finds_what_shows_more_than_the_key():
    (problem,) = check(LastMove(), games=50).problems
    assert problem.kind == "context"
    assert "`encode` shows and the drawing shows a difference" in problem.message

    class OnlyDrawn(LastMove):
        family = "only_drawn"

        def encode(self, state):
            return [*(float(token in state[0]) for token in range(3)), 0.0]

    (problem,) = check(OnlyDrawn(), games=50).problems
    assert "but the drawing shows a difference" in problem.message

    class Declared(LastMove):
        family = "declared"
        reads_context = True

    assert check(Declared(), games=50).problems == []
    assert Declared().encoding().context
    asked = []

    def evaluator(planes):
        asked.extend(planes.copy())
        return np.zeros((len(planes), 3)), np.zeros(len(planes))

    for game, most in ((Declared(), 2), (LastMove(), 1)):
        asked.clear()
        pool = Pool(game, cached=100)
        for moves in ([0, 1], [1, 0], [0, 1]):
            pool.search([Job(game.position(moves), SearchConfig(simulations=0), evaluator)])
        assert len(asked) == most, "who reads context is asked for each"


def test_a_move_that_was_made_before_calls_no_rule():
    made = []

    class Counting(type(KALAH)):
        family = "counting"

        def play(self, state, action):
            made.append(action)
            return super().play(state, action)

    game = Counting()
    first = game.position("3 1 2")
    again = game.position("3 1 2")
    assert np.array_equal(again.state, first.state)
    assert (again.mover, again.legal_actions, again.returns) == (0, first.legal_actions, None)
    assert len(made) == 3


def test_transposed_planes_arrive_whole():
    class Strided(Faulty):
        family = "strided"
        input_shape = (3, 2)

        def encode(self, state):
            return np.arange(6, dtype=np.float32).reshape(2, 3).T / 6

    planes = Strided().position().planes()
    assert np.array_equal(planes, np.arange(6, dtype=np.float32).reshape(2, 3).T / 6)


def test_a_state_of_a_long_game_is_packed():
    assert bridge.actions_per_word(KALAH) == 21
    assert KALAH.state_words == 4 + 1 + -(-KALAH.max_length // 21)

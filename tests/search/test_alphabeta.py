"""Alpha-beta finds what plain minimax finds: the same values, the same best moves."""

import signal
import time
import zlib

import pytest

import zermelo
from exact.positions import random_positions
from without_jit import agreed
from zermelo.compilation import compiled
from zermelo.errors import BadParameter, EvaluatorError, RulesError, UnsuitableGame
from zermelo.exact import Connect4Solver, GenericSolver
from zermelo.games import PythonGame, abi
from zermelo.search.alphabeta import AlphaBeta


class Grab(PythonGame):
    """Take 1 to 3 of twelve stones; who takes two moves again; a lead of three wins, a smaller one less."""

    family = "grab"
    acyclic = True
    num_actions = 3
    max_length = 12
    input_shape = (1,)

    def start(self):
        return 12, 0, 0  # stones left, the first player's lead, the player to move

    def mover(self, state):
        return state[2]

    def legal(self, state):
        return range(min(3, state[0]))

    def play(self, state, action):
        left, lead, mover = state
        taken = action + 1
        lead += taken if mover == 0 else -taken
        return left - taken, lead, mover if taken == 2 else 1 - mover

    def returns(self, state):
        result = max(-1.0, min(1.0, state[1] / 3))
        return (result, -result) if state[0] == 0 else None

    def heuristic(self, state):
        return (state[1] if state[2] == 0 else -state[1]) / 20

    def encode(self, state):
        return [0.0]


def seeds_ahead(position):
    """A heuristic for Kalah: the difference between the stores."""
    state = position.game.state_of(position)
    first, second = state.pits[position.game.houses], state.pits[-1]
    return (first - second if state.mover == 0 else second - first) / (sum(state.pits) + 1)


def scattered(position):
    """A heuristic without sense, so that moves are hard to order."""
    return (zlib.crc32(position.key) % 101 - 50) / 60


# A plain reference. A value is a pair for the player to move: (1, -p) for a win in p plies, (-1, p) for a
# loss, else (0, x), x in units of 2 ** -30.


def looks(position, heuristic):
    game = position.game
    if heuristic is not None:
        value = heuristic(position)
    elif game.kernels.heuristic is None:
        value = 0.0
    else:
        function = abi.address(game.kernels.heuristic, "heuristic")
        value = abi.heuristic(game.rules(), function, position.state)
    return round(value * 2**30) / 2**30


def naive(position, depth, heuristic, memory):
    """The value, whether no heuristic has a part in it, and the best moves."""
    if position.returns is not None:
        result = position.returns[position.mover]
        return (result, 0) if abs(result) == 1 else (0, round(result * 2**30) / 2**30), True, []
    if depth == 0:
        return (0, looks(position, heuristic)), False, []
    if (position.key, depth) not in memory:
        values, proven = {}, True
        for action in position.legal_actions:
            child = position.play(action)
            (won, rest), sure, _ = naive(child, depth - 1, heuristic, memory)
            sign = 1 if child.mover == position.mover else -1
            values[action] = (sign * won, sign * (rest - won))  # for a win or loss, one move more
            proven &= sure
        best = max(values.values())
        moves = [action for action, value in values.items() if value == best]
        memory[position.key, depth] = best, proven or best[0] != 0, moves
    return memory[position.key, depth]


def assert_right(searcher, position, depth, heuristic=None):
    (won, rest), proven, moves = naive(position, depth, heuristic, {})
    result = searcher.search(position, depth)
    assert result.value == (won or rest), repr(position)
    assert result.plies == (abs(rest) if won else 0), repr(position)
    assert list(result.actions) == moves, repr(position)
    assert result.action == min(moves)
    assert result.depth == depth or result.is_proven
    if searcher.pruning:
        assert result.is_proven or not proven  # a cut may prove what some lines leave open
    else:
        assert result.is_proven == proven


CASES = [
    ("tictactoe", 5, None),
    ("tictactoe", 9, None),
    ("connect4", 4, None),
    ("connect4", 4, scattered),
    ("connect:rows=4,cols=4,n=3", 6, None),
    ("gomoku:size=5,n=4", 2, None),
    ("gomoku:size=9", 2, None),
    ("othello:size=4", 6, scattered),
    ("othello", 3, None),
    ("othello:size=10", 3, None),
    ("examples/nim.py", 6, None),
    ("examples/nim.py", 5, scattered),
    ("examples/kalah.py:houses=3,seeds=3", 4, None),
    ("examples/kalah.py", 4, seeds_ahead),
    ("grab", 4, None),
    ("grab", 7, scattered),
]


def game_of(name):
    return Grab() if name == "grab" else zermelo.game(name)


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize(("name", "depth", "heuristic"), CASES)
def test_it_finds_what_plain_recursion_finds(name, depth, heuristic, pruning):
    game = game_of(name)
    searcher = AlphaBeta(game, heuristic, megabytes=1, pruning=pruning)
    high = 6 if name in ("grab", "tictactoe") else min(game.max_length - 1, 20)
    for position in random_positions(game, 12, 1, high=high):
        assert_right(searcher, position, depth, heuristic)


@compiled
def coarse(params, state):
    """A heuristic without sense and with few values: many moves are equally good."""
    return ((state[3] ^ (state[3] >> 7) ^ (state[4] >> 3)) % 7) / 10 - 0.3


@pytest.mark.parametrize(
    ("name", "depth", "heuristic"),
    [
        ("connect4", 6, None),
        ("connect4", 6, coarse),
        ("connect:rows=4,cols=5,n=3", 8, coarse),
        ("gomoku:size=5,n=4", 3, coarse),
        ("othello:size=6", 5, None),
        ("othello:size=6", 6, coarse),
    ],
)
def test_a_table_full_of_other_searches_changes_nothing(name, depth, heuristic):
    """After a position its children are searched: what the table knows of them had other windows."""
    game = zermelo.game(name)
    fast, slow = AlphaBeta(game, heuristic), AlphaBeta(game, heuristic, pruning=False)
    for position in random_positions(game, 5, 4, high=9):
        children = [position.play(action) for action in position.legal_actions]
        asked = [(position, depth)] + [(child, depth - 1) for child in children if not child.is_over]
        for where, deep in asked:
            one, two = fast.search(where, deep), slow.search(where, deep)
            assert (one.value, one.plies, one.actions) == (two.value, two.plies, two.actions)


def test_openspiel_games_are_searched_too():
    pytest.importorskip("pyspiel")
    game = zermelo.game("openspiel:tic_tac_toe")
    for position in random_positions(game, 5, 1, low=3, high=6):
        assert_right(AlphaBeta(game), position, 4)


# Exact values.


@pytest.mark.parametrize(
    ("name", "low"),
    [
        ("tictactoe", 0),
        ("connect:rows=4,cols=4,n=3", 0),
        ("connect:rows=3,cols=5,n=4", 3),
        ("othello:size=4", 2),
        ("examples/kalah.py:houses=2,seeds=2", 0),
    ],
)
def test_proven_values_are_those_of_the_exact_solver(name, low):
    game = zermelo.game(name)
    solver, searcher = GenericSolver(game), AlphaBeta(game)
    for position in random_positions(game, 10, 5, low, high=min(game.max_length, 9)):
        outcomes = solver.outcomes(position)
        best = max(outcomes.values())
        result = searcher.search(position, game.max_length)
        assert result.is_proven
        assert (result.value, result.plies) == (best.value, best.plies)
        assert list(result.actions) == [action for action in outcomes if outcomes[action] == best]


def test_late_connect4_positions_are_solved():
    game = zermelo.game("connect4")
    solver, searcher = Connect4Solver(game, megabytes=32), AlphaBeta(game)
    for position in random_positions(game, 20, 6, low=28, high=40):
        outcomes = solver.outcomes(position)
        best = max(outcomes.values())
        result = searcher.search(position, 42)
        assert (result.value, result.plies) == (best.value, best.plies)
        assert list(result.actions) == [action for action in outcomes if outcomes[action] == best]


def test_every_early_proof_holds():
    game = zermelo.game("connect:rows=4,cols=4,n=3")
    solver, searcher = GenericSolver(game), AlphaBeta(game)
    for position in random_positions(game, 30, 7, high=8):
        result = searcher.search(position, 4)
        if result.is_proven:
            best = solver.solve(position)
            assert (result.value, result.plies) == (best.value, best.plies)


def test_a_proven_win_beats_every_heuristic_and_a_proven_loss_none():
    position = zermelo.game("connect4").position("1 7 1 7 1 6")
    pessimist = AlphaBeta(position.game, lambda position: 1.0)  # all is well for the other
    assert pessimist.search(position, 1).actions == (0,)
    threatened = position.play("2")
    assert AlphaBeta(position.game, lambda position: -1.0).search(threatened, 2).actions == (0,)


def test_a_line_is_played_to_the_end_of_the_proof():
    position = zermelo.game("connect4").position("4 1 5 1")
    result = AlphaBeta(position.game).search(position, 8)
    assert (result.value, result.is_proven, result.plies) == (1.0, True, 3)
    assert result.line[0] == result.action
    end = position.play_all(result.line)
    assert len(result.line) == 3
    assert end.returns == (1.0, -1.0)


# Limits.


@pytest.mark.parametrize("pruning", [True, False])
def test_depth_is_respected(pruning):
    seen = set()

    def count(position):
        seen.add(int(position.state[2]))
        return 0.0

    game = zermelo.game("connect4")
    result = AlphaBeta(game, count, pruning=pruning).search(game.position("4 4"), 3)
    assert seen == {3, 4, 5}
    assert result.depth == 3
    assert len(result.line) <= 3


def test_answers_do_not_depend_on_what_the_table_holds():
    game = zermelo.game("othello:size=6")
    searcher = AlphaBeta(game, megabytes=1)
    positions = random_positions(game, 8, 8, high=20)
    alone = [AlphaBeta(game).search(position, 5) for position in positions]
    for _ in range(2):
        for position, wanted in zip(positions, alone, strict=True):
            searcher.search(position, 6)
            result = searcher.search(position, 5)
            assert (result.value, result.plies, result.actions) == (
                wanted.value,
                wanted.plies,
                wanted.actions,
            )


def test_a_time_limit_ends_a_search():
    game = zermelo.game("gomoku")
    searcher = AlphaBeta(game)
    searcher.search(game.position(), 1)
    begin = time.perf_counter()
    result = searcher.search(game.position(), 225, seconds=0.3)
    assert 0.2 < time.perf_counter() - begin < 1.0
    assert result.depth >= 2


def test_ctrl_c_is_heard_and_does_no_harm():
    game = zermelo.game("gomoku")
    searcher = AlphaBeta(game)
    wanted = searcher.search(game.position("h8"), 2)

    def interrupt(_signal, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    begin = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            searcher.search(game.position(), 225)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - begin < 1.0
    assert searcher.search(game.position("h8"), 2).actions == wanted.actions


# Heuristics of one's own.


@compiled
def first_column(params, state):
    """How many of the first player's stones are in the first column of a Connect 4 board."""
    stones = state[3] & 0b0000001_0000001_0000001_0000001_0000001_0000001
    value = 0.0
    while stones:
        value += 0.1
        stones &= stones - 1
    return value if state[0] == 0 else -value


def first_column_of_a_position(position):
    count = position.game.cells(position)[::7].count(1)
    value = sum(0.1 for _ in range(count))
    return value if position.mover == 0 else -value


def test_a_heuristic_may_be_compiled_or_a_function_of_a_position():
    game = zermelo.game("connect4")
    for position in random_positions(game, 5, 9, high=6):
        one = AlphaBeta(game, first_column).search(position, 4)
        two = AlphaBeta(game, first_column_of_a_position).search(position, 4)
        assert (one.value, one.actions, one.nodes) == (two.value, two.actions, two.nodes)


def test_a_value_at_the_edge_is_no_proof():
    game = zermelo.game("connect4")
    result = AlphaBeta(game, lambda position: -1.0).search(game.position(), 1)
    assert not result.is_proven
    assert 0.99 < result.value < 1


@compiled
def too_much(params, state):
    return 1.5


@pytest.mark.parametrize("heuristic", [too_much, lambda position: float("nan"), lambda position: -2.0])
def test_a_heuristic_out_of_range_is_refused(heuristic):
    game = zermelo.game("connect4")
    with pytest.raises(
        EvaluatorError, match=r"gave (1\.5|nan|-2) in connect4; it must give a number from -1"
    ):
        AlphaBeta(game, heuristic).search(game.position(), 2)


def test_what_a_heuristic_raises_is_raised():
    game = zermelo.game("connect4")

    def broken(position):
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        AlphaBeta(game, broken).search(game.position(), 2)


class Overconfident(Grab):
    family = "overconfident"

    def heuristic(self, state):
        return 7.0


def test_a_failing_heuristic_of_a_python_game_is_told_with_the_moves():
    game = Overconfident()
    with pytest.raises(
        RulesError, match=r"`heuristic` of overconfident: the heuristic is 7.0, not between -1 and 1 after"
    ):
        AlphaBeta(game).search(game.position(), 2)


# Errors.


class Three(Grab):
    family = "three"
    num_players = 3


class Generous(Grab):
    family = "generous"

    def returns(self, state):
        return (1.0, 1.0) if state[0] == 0 else None


def plain(params, state):
    return 0.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda ab, p: ab.search(p, 0), BadParameter, r"`depth` \(=0\) must be at least 1"),
        (lambda ab, p: ab.search(p, 2, seconds=0), BadParameter, r"`seconds` \(=0\) must be more than 0"),
        (lambda ab, p: ab.search(p.play_all("1 2 1 2 1 2 1"), 2), BadParameter, "the game is over"),
        (lambda ab, p: ab.search(Grab().position(), 2), UnsuitableGame, "for connect4, not for grab"),
        (lambda ab, p: AlphaBeta(p.game, megabytes=0), BadParameter, r"`megabytes` \(=0\)"),
        (lambda ab, p: AlphaBeta(p.game, 3), BadParameter, "a heuristic is a function, not 3"),
        (lambda ab, p: AlphaBeta(p.game, plain), BadParameter, "must be compiled"),
        (lambda ab, p: AlphaBeta(Three()), UnsuitableGame, "three has 3 players"),
        (lambda ab, p: AlphaBeta(Generous()).search(Generous().position(), 12), UnsuitableGame, "results"),
    ],
)
def test_wrong_questions_are_refused(call, error, message):
    game = zermelo.game("connect4")
    with pytest.raises(error, match=message):
        call(AlphaBeta(game, megabytes=1), game.position())


CODE = """
import zermelo
from zermelo.search.alphabeta import AlphaBeta

for name, moves, depth in [
    ("tictactoe", "1 5", 5),
    ("connect4", "4 4 3", 3),
    ("gomoku:size=9", "e5 d4 e6 d5", 1),
    ("othello:size=10", "", 2),
    ("examples/kalah.py:houses=3,seeds=2", "", 4),
]:
    game = zermelo.game(name)
    for heuristic in (None, lambda position: len(position.legal_actions) / 300):
        for pruning in (True, False):
            found = AlphaBeta(game, heuristic, pruning=pruning).search(game.position(moves), depth)
            print(name, found.value, found.plies, found.actions, found.is_proven, found.nodes, found.line)
"""


def test_interpreted_kernels_agree_with_compiled_ones():
    assert len(agreed(CODE)) == 20

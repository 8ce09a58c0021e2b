import pytest

import zermelo
from exact import naive
from exact.positions import random_positions
from zermelo.errors import BadParameter, TooManyPositions, UnsuitableGame
from zermelo.exact import GenericSolver, Outcome, generic, watching
from zermelo.games import PythonGame


def solved(name, moves=""):
    game = zermelo.game(name)
    return GenericSolver(game).solve(game.position(moves))


def test_tictactoe_has_5478_positions_and_is_a_draw():
    game = zermelo.game("tictactoe")
    outcomes = GenericSolver(game).solve_all()
    assert len(outcomes) == 5478
    assert outcomes[game.position().key] == Outcome(0)
    over = [outcome for outcome in outcomes.values() if outcome.value and not outcome.plies]
    assert len(over) == 626 + 316  # games that X and O have won; the other 16 ends are draws
    assert all(outcome.value == -1 for outcome in over)  # whoever would be next has lost


def test_every_position_of_tictactoe_agrees_with_the_naive_solver():
    game = zermelo.game("tictactoe")
    memory = {}
    naive.solve(game.position(), memory)
    assert len(memory) == 4520
    everything = GenericSolver(game).solve_all()
    assert {key: everything[key] for key in memory} == memory


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("connect:rows=3,cols=4,n=3", 0, 9),
        ("connect:rows=4,cols=4,n=4", 7, 14),
        ("examples/nim.py:heap=13,most=4", 0, 3),
        ("examples/kalah.py:houses=2,seeds=2", 0, 3),
        ("examples/kalah.py:houses=3,seeds=1", 0, 3),
    ],
)
def test_all_moves_of_random_positions_agree_with_the_naive_solver(name, low, high):
    game = zermelo.game(name)
    solver, memory = GenericSolver(game), {}
    for position in random_positions(game, 20, 1, low, high):
        assert solver.solve(position) == naive.solve(position, memory)
        assert solver.outcomes(position) == naive.outcomes(position, memory)


def test_endgames_of_small_othello_agree_with_the_naive_solver():
    game = zermelo.game("othello:size=4")
    solver, memory = GenericSolver(game), {}
    for position in random_positions(game, 20, seed=2, low=5, high=9):
        assert solver.outcomes(position) == naive.outcomes(position, memory)


def test_othello_on_4x4_is_won_by_the_second_player():
    assert solved("othello:size=4").value == -1


def test_endgames_of_othello_on_6x6_have_values_that_fit_together():
    game = zermelo.game("othello:size=6")
    for position in random_positions(game, 3, seed=3, low=22, high=24):
        solver = GenericSolver(game)
        assert solver.solve(position) == max(solver.outcomes(position).values())


@pytest.mark.parametrize("heap", range(1, 16))
def test_nim_is_lost_where_a_multiple_of_most_and_one_is_left(heap):
    assert solved(f"examples/nim.py:heap={heap},most=3").value == (-1 if heap % 4 == 0 else 1)


@pytest.mark.parametrize(("rows", "cols", "value"), [(4, 4, 0), (4, 5, 0), (5, 4, 0)])
def test_small_connect_4_boards_are_draws(rows, cols, value):
    """John Tromp's table of board sizes, https://tromp.github.io/c4/c4.html."""
    assert solved(f"connect:rows={rows},cols={cols},n=4").value == value


def test_three_in_a_row_is_won_by_the_first_player():
    assert solved("connect:rows=4,cols=4,n=3").value == 1


def test_an_extra_turn_keeps_the_sign():
    """The seed of the last house ends in the store, and the same player moves again."""
    game = zermelo.game("examples/kalah.py:houses=3,seeds=1")
    start = game.position()
    child = start.play(2)
    assert child.mover == start.mover
    solver = GenericSolver(game)
    assert solver.outcomes(start)[2] == solver.solve(child).before


def test_a_finished_game_is_told_for_the_player_whose_turn_it_would_be():
    assert solved("tictactoe", "1 4 2 5 3") == Outcome(-1, 0)


def test_a_search_that_is_interrupted_does_no_harm():
    game = zermelo.game("connect:rows=4,cols=5,n=4")
    calls = []

    def interrupt(progress):
        calls.append(progress.positions)
        if len(calls) == 3:
            raise KeyboardInterrupt

    solver = GenericSolver(game)
    with watching(interrupt), pytest.raises(KeyboardInterrupt):
        solver.solve(game.position())
    assert calls == sorted(calls)
    assert solver.solve(game.position()) == Outcome(0)


def test_an_interruption_while_the_table_grows_does_no_harm(monkeypatch):
    game = zermelo.game("connect:rows=4,cols=5,n=4")
    solver, move = GenericSolver(game), generic.kernel.move_entries
    monkeypatch.setattr(generic, "ENTRIES_PER_PIECE", 1000)

    def interrupt(piece, new):
        move(piece, new)
        if solver.positions > 10_000:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(generic.kernel, "move_entries", interrupt)
        with pytest.raises(KeyboardInterrupt):
            solver.solve(game.position())
    assert solver.solve(game.position()) == Outcome(0)


def test_a_limit_stops_it_and_says_how_far_it_came():
    game = zermelo.game("gomoku:size=8")
    with pytest.raises(TooManyPositions, match=r"gomoku:size=8 is not solved after [\d,]+ positions"):
        GenericSolver(game, limit=5_000).solve(game.position())
    with pytest.raises(BadParameter, match="limit"):
        GenericSolver(game, limit=0)


class Walk(PythonGame):
    """Walk left or right on five squares; who reaches the right end wins."""

    family = "walk"
    num_actions = 2
    max_length = 50
    input_shape = (1,)
    prize = 1.0

    def start(self):
        return 2, 0

    def mover(self, state):
        return state[1]

    def legal(self, state):
        return [0, 1] if state[0] else [1]

    def play(self, state, action):
        return state[0] + (1 if action else -1), 1 - state[1]

    def returns(self, state):
        return (self.prize, -self.prize) if state[0] == 4 else None

    def encode(self, state):
        return [0.0]

    def draw_state(self, state):
        return str(state)


class Sprint(Walk):
    """The same without a way back, for a prize that is no plain win."""

    family = "sprint"
    prize = 0.5

    def legal(self, state):
        return [1]


def test_who_wins_is_told_within_a_number_of_positions_or_not_at_all():
    game = zermelo.game("tictactoe")
    solver, known = GenericSolver(game), GenericSolver(game)
    for moves in ("", "1 5", "1 2", "1 2 5 4", "5 1 9 3 2"):
        position, told = game.position(moves), []
        for positions in (1, 3, 10, 100, 10_000):
            solver.forget()
            before = solver.searched
            told.append(solver.value_within(position, positions))
            assert solver.searched - before <= positions
        exact = known.solve(position).value
        assert told[-1] == exact
        assert told == sorted(told, key=lambda value: value is not None), "what few tell, more tell too"
        assert set(told) <= {None, exact}
    assert solver.value_within(position, 0) is None


def test_a_refused_game_leaves_nothing_open():
    game = Walk()
    solver = GenericSolver(game)
    for _ in range(2):
        with pytest.raises(UnsuitableGame, match="came again"):
            solver.value_within(game.position(), 100)


def test_games_that_repeat_positions_are_refused():
    game = Walk()
    with pytest.raises(UnsuitableGame, match="came again"):
        GenericSolver(game).solve(game.position())


def test_results_other_than_win_draw_and_loss_are_refused():
    game = Sprint()
    with pytest.raises(UnsuitableGame, match="not 1, 0 and -1"):
        GenericSolver(game).solve(game.position())


def test_a_position_of_another_game_is_refused():
    with pytest.raises(UnsuitableGame, match="for tictactoe, not for connect4"):
        GenericSolver(zermelo.game("tictactoe")).solve(zermelo.game("connect4").position())

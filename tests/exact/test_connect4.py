import pytest

import zermelo
from exact.positions import random_positions
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import Book, Connect4Solver, GenericSolver, Outcome, watching

CONNECT4 = zermelo.game("connect4")


@pytest.fixture(scope="module")
def solver():
    return Connect4Solver(CONNECT4)


def test_the_score_is_one_more_than_the_stones_the_winner_keeps(solver):
    assert solver.score(CONNECT4.position("4 1 4 1 4 1")) == 18
    assert solver.solve(CONNECT4.position("4 1 4 1 4 1")) == Outcome(1, 1)
    assert solver.score(CONNECT4.position("4 1 4 1 4 1 4")) == -18
    assert solver.solve(CONNECT4.position("4 1 4 1 4 1 4")) == Outcome(-1, 0)


@pytest.mark.parametrize(
    ("moves", "score"),
    [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ],
)
def test_published_positions(solver, moves, score):
    """From the test sets of Pascal Pons, http://blog.gamesolver.org/solving-connect-four/02-test-protocol/."""
    assert solver.score(CONNECT4.position(moves)) == score


def test_immediate_wins_and_losses(solver):
    """Three in a row, open on both sides, cannot be blocked."""
    threat = CONNECT4.position("3 3 4 4 5")
    assert solver.solve(threat) == Outcome(-1, 2)
    assert solver.outcomes(threat)[0] == Outcome(-1, 2)
    assert solver.scores(threat) == dict.fromkeys(range(7), -18)


def test_a_full_board_is_a_draw(solver):
    full = random_positions(CONNECT4, 1, seed=1, low=41, high=41)[0]
    for action in full.legal_actions:
        child = full.play(action)
        assert solver.score(child) == (-1 if child.returns[0] else 0)


def test_the_best_move_has_the_score_of_the_position(solver):
    for position in random_positions(CONNECT4, 40, seed=2, low=14, high=38):
        scores = solver.scores(position)
        assert list(scores) == list(position.legal_actions)
        assert solver.score(position) == max(scores.values())
        assert solver.solve(position) == max(solver.outcomes(position).values())


def test_mirror_images_have_the_same_score():
    for position in random_positions(CONNECT4, 10, seed=3, low=14, high=30):
        one, other = (Connect4Solver(CONNECT4, megabytes=32) for _ in range(2))
        assert one.score(position) == other.score(position.transformed(1))


@pytest.mark.parametrize(
    ("rows", "cols", "low"),
    [(4, 4, 0), (4, 5, 2), (5, 4, 0), (5, 5, 10), (6, 5, 15), (4, 7, 12), (1, 8, 0)],
)
def test_both_solvers_agree_on_small_boards(rows, cols, low):
    game = zermelo.game(f"connect:rows={rows},cols={cols},n=4")
    fast, generic = Connect4Solver(game, megabytes=32), GenericSolver(game)
    for position in random_positions(game, 30, seed=rows * cols, low=low, high=rows * cols - 1):
        assert fast.outcomes(position) == generic.outcomes(position)
        assert fast.solve(position) == generic.solve(position)


def test_the_order_of_questions_does_not_matter():
    positions = random_positions(CONNECT4, 30, seed=4, low=16, high=24)
    forwards, backwards = Connect4Solver(CONNECT4, megabytes=32), Connect4Solver(CONNECT4, megabytes=64)
    scores = [forwards.score(position) for position in positions]
    assert [backwards.score(position) for position in reversed(positions)] == scores[::-1]


def test_progress_is_told_and_an_interruption_does_no_harm(monkeypatch):
    monkeypatch.setattr("zermelo.exact.connect4.CHUNK", 1000)
    position = CONNECT4.position("4 4 4 4 4 4 1 2 1 7")
    told = []

    def interrupt(progress):
        told.append(progress)
        if len(told) == 5:
            raise KeyboardInterrupt

    solver = Connect4Solver(CONNECT4)
    with watching(interrupt), pytest.raises(KeyboardInterrupt):
        solver.score(position)
    counts = [progress.positions for progress in told]
    assert counts == sorted(counts)
    outcome = solver.solve(position)
    assert all(progress.window[0] <= outcome <= progress.window[1] for progress in told)
    assert solver.score(position) == Connect4Solver(CONNECT4).score(position)


def test_progress_tells_which_move_is_looked_at_and_what_it_may_lead_to(monkeypatch):
    monkeypatch.setattr("zermelo.exact.connect4.CHUNK", 1000)
    position = CONNECT4.position("4 4 4 4 4 4 1 2 1 7")
    told = []
    with watching(told.append):
        outcomes = Connect4Solver(CONNECT4).outcomes(position)
    nearest_first = [2, 4, 1, 5, 0, 6]  # the middle column is full
    assert {progress.moves for progress in told} == {6}
    for progress in told:
        low, high = progress.window
        assert low <= outcomes[nearest_first[progress.move - 1]] <= high


@pytest.mark.parametrize("name", ["tictactoe", "connect:rows=8,cols=8,n=4", "connect:rows=5,cols=5,n=3"])
def test_other_games_are_refused(name):
    with pytest.raises(UnsuitableGame, match="not for the Connect 4 solver"):
        Connect4Solver(zermelo.game(name))
    with pytest.raises(UnsuitableGame, match="this solver is for connect4"):
        Connect4Solver(CONNECT4).score(zermelo.game(name).position())


@pytest.mark.parametrize("megabytes", [0, 16, 100])
def test_an_odd_size_of_the_table_is_refused(megabytes):
    with pytest.raises(BadParameter, match="power of two"):
        Connect4Solver(CONNECT4, megabytes=megabytes)


def test_the_book_that_ships_knows_the_first_moves(tmp_path):
    """The first player wins, with the centre column only: Allis and Allen, 1988."""
    solver = Connect4Solver(CONNECT4, book=Book(tmp_path / "book"))
    assert solver.scores(CONNECT4.position()) == {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}
    assert solver.solve(CONNECT4.position()) == Outcome(1, 41)
    assert solver.searched == 0


@pytest.mark.slow
def test_the_empty_board_is_won_by_the_first_player():
    """Without the book; a few minutes."""
    assert Connect4Solver(CONNECT4).score(CONNECT4.position()) == 1


@pytest.mark.slow
def test_a_thousand_scores_agree_with_an_independent_solver(solver):
    bitbully = pytest.importorskip("bitbully")
    other = bitbully.BitBully(None)
    for position in random_positions(CONNECT4, 1000, seed=5, low=10, high=40):
        assert solver.score(position) == other.mtdf(bitbully.Board(list(position.moves)))


def test_whether_the_end_is_near_is_known_without_the_score(solver):
    other = Connect4Solver(CONNECT4, megabytes=32)
    for position in random_positions(CONNECT4, 40, seed=9, low=14, high=40):
        outcome = solver.solve(position)
        to_the_end = outcome.plies if outcome.value else 42 - len(position.moves)
        for plies in range(30):
            assert other.ends_within(position, plies) == (to_the_end <= plies)
    assert other.ends_within(CONNECT4.position("4 1 4 1 4 1 4"), 0)


def test_who_wins_is_told_within_a_number_of_positions_or_not_at_all(solver):
    other, in_vain = Connect4Solver(CONNECT4, megabytes=32), 0
    for position in random_positions(CONNECT4, 40, seed=3, low=12, high=40):
        exact = (solver.score(position) > 0) - (solver.score(position) < 0)
        for positions in (10, 1000, 10**7):
            other.forget()
            before = other.searched
            told = other.value_within(position, positions)
            assert other.searched - before <= positions
            assert told == exact if positions == 10**7 else told in (None, exact)
            in_vain += told is None
    assert in_vain > 20

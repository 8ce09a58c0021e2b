"""Our rules against other people's, and against plain slow ones, in random games."""

import numpy as np
import pytest

import zermelo
from games.naive import line_result
from zermelo.games import abi

PAIRS = {
    "tictactoe": "tic_tac_toe",
    "connect4": "connect_four",
    "connect:rows=5,cols=9,n=3": "connect_four(rows=5,columns=9,x_in_row=3)",
    "connect:rows=9,cols=8,n=5": "connect_four(rows=9,columns=8,x_in_row=5)",
    "gomoku": "gomoku",
    "gomoku:size=9": "mnk(m=9,n=9,k=5)",
    "gomoku:size=7,n=4": "gomoku(size=7,connect=4)",
    "othello": "othello",
}


def play_both(game, theirs, rng):
    """Play one random game on both sides, and compare everything after each move."""
    rules, state = game.rules(), np.zeros(game.state_words, np.int64)
    actions, result = np.empty(game.num_actions, np.int64), np.empty(2)
    abi.start(rules, state)
    other = theirs.new_initial_state()
    status = abi.GOING
    while True:
        legal = actions[: abi.legal(rules, state, actions)].tolist()
        over = abi.returns(rules, state, result) == abi.OVER
        assert over == (status == abi.OVER) == other.is_terminal()
        assert legal == other.legal_actions()
        if over:
            assert result.tolist() == other.returns()
            return
        assert abi.mover(rules, state) == other.current_player()
        action = legal[rng.integers(len(legal))]
        status = abi.play(rules, state, action)
        other.apply_action(action)


def compare(name, games):
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = zermelo.game(name), pyspiel.load_game(PAIRS[name])
    rng = np.random.default_rng(7)
    for _ in range(games):
        play_both(game, theirs, rng)


@pytest.mark.parametrize("games", [500, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PAIRS)
def test_agrees_with_openspiel_in_random_games(name, games):
    compare(name, games)


@pytest.mark.parametrize(
    ("name", "n", "exact"),
    [
        ("connect:rows=8,cols=8,n=4", 4, False),
        ("connect:rows=13,cols=15,n=6", 6, False),
        ("connect:rows=3,cols=4,n=2", 2, False),
        ("gomoku:size=5,n=3", 3, False),
        ("gomoku:size=8,n=4,exact=1", 4, True),
        ("gomoku:size=11,n=4,exact=1", 4, True),
        ("gomoku:size=20", 5, False),
    ],
)
def test_lines_agree_with_a_plain_search_for_them(name, n, exact):
    game, rng = zermelo.game(name), np.random.default_rng(3)
    for _ in range(30):
        position = game.position()
        while True:
            cells = list(game.cells(position))
            first = line_result(cells, game.board.rows, game.board.cols, n, exact)
            assert position.returns == (None if first is None else (first, -first)), repr(position)
            if position.is_over:
                break
            position = position.play(int(rng.choice(position.legal_actions)))

import numpy as np
import pytest

import zermelo

TICTACTOE = zermelo.game("tictactoe")
PERFECT = zermelo.player("perfect")


def test_perfect_players_draw_tictactoe():
    result = zermelo.match(TICTACTOE, PERFECT, zermelo.player("perfect:limit=20000"), games=40, openings=0)
    assert result.draws == 40
    assert len({position.moves for position in result.positions}) > 5, "equally good moves are drawn"


def test_perfect_never_loses_to_random():
    result = zermelo.match(TICTACTOE, PERFECT, zermelo.player("random"), games=100, openings=0)
    assert result.losses == 0
    assert result.wins > 70


def test_uct_with_2000_simulations_never_loses_tictactoe_to_perfect_in_200_games():
    result = zermelo.match(TICTACTOE, zermelo.player("uct:sims=2000"), PERFECT, games=200, openings=0)
    assert result.losses == 0


def test_perfect_nim_leaves_multiples_of_four():
    nim = zermelo.game("examples/nim.py")
    for heap in (21, 22, 23, 18, 6, 5):
        position = zermelo.game(f"examples/nim.py:heap={heap}").position()
        (action,) = PERFECT.choose([position], [0])
        assert (heap - (action + 1)) % 4 == 0
    assert nim.max_length == 21


def test_perfect_begins_connect4_in_the_centre_from_the_book(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    start = zermelo.game("connect4").position()
    assert zermelo.player("perfect").choose([start], [0]) == [3]


@pytest.mark.parametrize("moves", ["1 2 1 2 1 2", "4 4 4 4 4 3 2 5 3 3 2 2 2 6 5 5"])
def test_perfect_takes_the_fastest_win_of_connect4(moves, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    position = zermelo.game("connect4").position(moves)
    player = zermelo.player("perfect")
    (action,) = player.choose([position], [0])
    outcomes = player.solver(position.game).outcomes(position)
    assert outcomes[action] == max(outcomes.values())
    assert np.all([outcomes[action] >= other for other in outcomes.values()])

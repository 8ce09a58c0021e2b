import numpy as np
import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.exact import watching

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


def test_what_took_long_is_known_at_once_the_next_time(tmp_path, monkeypatch):
    """By the file in the user's cache: the second player has solved nothing itself."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr("zermelo.exact.connect4.CHUNK", 1000)
    position = zermelo.game("connect4").position("4 4 4 4 4 4 1 2 1 7")
    first, told = zermelo.player("perfect"), []
    first.solver(position.game).book_seconds = 0.0
    with watching(told.append):
        outcomes = first.outcomes(position)
        assert told
        assert (tmp_path / "connect4_book.bin").stat().st_size > 0
        told.clear()
        again = zermelo.player("perfect")
        assert again.outcomes(position) == outcomes
    assert not told
    assert again.solver(position.game).searched == 0


def test_wrong_input_is_named():
    with pytest.raises(BadParameter, match=r"`limit` \(=-3\) of perfect must be at least 1"):
        zermelo.player("perfect:limit=-3")
    with pytest.raises(BadParameter, match="the game is over"):
        PERFECT.choose([TICTACTOE.position("1 4 2 5 3")], [0])

import pytest

import zermelo

GAME = zermelo.game("connect4")


def test_stones_fall():
    assert str(GAME.position("4 4 3")) == "\n".join(
        [
            "1 2 3 4 5 6 7",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . O . . .",
            ". . X X . . .",
        ]
    )


# Played by the author of the from-scratch report against a public program; columns from 0.
SEED_GAMES = {
    32: "6 3 6 3 6 6 0 4 2 2 4 3 3 4 1 4 2 1 0 4 4 1 2 3 2 2 5 5 5 5 5 6",
    34: "5 4 4 4 5 4 5 5 6 3 3 6 3 3 1 4 4 3 5 1 3 5 0 1 0 1 1 1 0 0 0 0 6 6",
    22: "2 3 3 3 4 3 4 3 3 2 4 4 1 1 2 2 2 2 4 4 1 1",
}


@pytest.mark.parametrize("length", SEED_GAMES)
def test_the_second_player_wins_the_published_games_with_the_last_move(length):
    columns = [int(column) for column in SEED_GAMES[length].split()]
    assert len(columns) == length
    assert not GAME.position(columns[:-1]).is_over
    assert GAME.position(columns).returns == (-1.0, 1.0)


@pytest.mark.parametrize(
    "moves",
    [
        "1 1 2 2 3 3 4",  # a row
        "1 2 1 2 1 2 1",  # a column
        "1 2 2 3 3 4 3 4 7 4 4",  # rising to the right
        "7 6 6 5 5 4 5 4 1 4 4",  # rising to the left
    ],
)
def test_four_in_a_row_in_every_direction(moves):
    words = moves.split()
    assert not GAME.position(" ".join(words[:-1])).is_over
    assert GAME.position(moves).returns == (1.0, -1.0)


def test_four_do_not_connect_around_the_edge():
    # X on 5, 6, 7 of one row and 1 of the row above or below is no line
    position = GAME.position("1 2 5 5 6 6 7 7 1")
    assert not position.is_over


def test_a_full_column_is_refused_in_words():
    with pytest.raises(zermelo.ZermeloError) as error:
        GAME.position("4 4 4 4 4 4 4")
    assert str(error.value) == "`4` is not legal in connect4 after 4 4 4 4 4 4; legal: 1 2 3 5 6 7"


def test_a_game_that_is_over_is_over():
    with pytest.raises(zermelo.ZermeloError, match="the game is over"):
        GAME.position("1 1 2 2 3 3 4 5")


@pytest.mark.parametrize("name", ["connect:rows=1,cols=5,n=3", "connect:rows=15,cols=15,n=15"])
def test_extreme_boards_can_be_played(name):
    assert zermelo.check(zermelo.game(name), games=3).passed


def test_large_boards_have_lines_across_words():
    game = zermelo.game("connect:rows=12,cols=12,n=5")
    assert game.position([0, 1, 0, 1, 0, 1, 0, 1, 0]).returns == (1.0, -1.0)
    assert game.position([7, 0, 8, 0, 9, 0, 10, 0, 11]).returns == (1.0, -1.0)

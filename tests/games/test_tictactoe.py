import zermelo

GAME = zermelo.game("tictactoe")


def test_cells_are_numbered_and_drawn():
    assert str(GAME.position("5 1 9")) == "O 2 3\n4 X 6\n7 8 X"


def test_three_in_a_row_wins():
    first = GAME.position("1 4 2 5 3")
    assert first.returns == (1.0, -1.0)
    assert first.legal_actions == ()
    second = GAME.position("1 3 2 5 9 7")
    assert second.returns == (-1.0, 1.0)


def test_the_last_cell_can_still_win():
    # X O X / O X O / O X X: the ninth move completes the diagonal
    assert GAME.position("1 2 3 4 5 6 8 7 9").returns == (1.0, -1.0)


def test_a_full_board_is_a_draw_worth_exactly_0():
    assert GAME.position("1 2 3 5 4 6 8 7 9").returns == (0.0, 0.0)


def test_the_mover_alternates():
    assert [GAME.position("1 5 9 3"[: 2 * n]).mover for n in range(4)] == [0, 1, 0, 1]


def test_moves_can_be_written_together():
    assert GAME.position("159") == GAME.position("1 5 9") == GAME.position([0, 4, 8])

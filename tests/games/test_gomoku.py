import pytest

import zermelo


def row(game, names, others):
    """First plays `names`, second `others`, in turn."""
    moves = [move for pair in zip(names, [*others, ""], strict=False) for move in pair if move]
    return game.position(" ".join(moves))


@pytest.mark.parametrize(
    "line",
    ["a1 b1 c1 d1 e1", "a1 a2 a3 a4 a5", "a1 b2 c3 d4 e5", "o15 n14 m13 l12 k11", "e1 d2 c3 b4 a5"],
)
def test_five_in_a_row_win_in_every_direction(line):
    game = zermelo.game("gomoku")
    others = ["h8", "h10", "h12", "h14"]
    assert not row(game, line.split()[:4], others).is_over
    assert row(game, line.split(), others).returns == (1.0, -1.0)


def test_five_in_a_row_win_on_every_size():
    for size in range(5, 21):
        game = zermelo.game(f"gomoku:size={size}")
        last = chr(ord("a") + size - 1)
        line = [f"{last}{n}" for n in range(size - 4, size + 1)]
        others = ["a1", "a3", "b1", "b3"]
        assert row(game, line, others).returns == (1.0, -1.0), size


SIX = ["a1", "b1", "c1", "e1", "f1", "d1"]
OTHERS = ["a3", "c3", "e3", "g3", "a5"]


def test_more_than_five_win_in_free_style():
    assert row(zermelo.game("gomoku"), SIX, OTHERS).returns == (1.0, -1.0)


def test_more_than_five_do_not_win_where_exactly_five_are_asked_for():
    assert not row(zermelo.game("gomoku:exact=1"), SIX, OTHERS).is_over
    assert not row(zermelo.game("gomoku:size=8,exact=1"), SIX, OTHERS).is_over
    five = row(zermelo.game("gomoku:exact=1"), [*SIX[:3], "e1", "d1"], OTHERS[:4])
    assert five.returns == (1.0, -1.0)


def test_rows_are_counted_from_the_bottom():
    text = str(zermelo.game("gomoku:size=5").position("a1 e5"))
    assert text == "  a b c d e\n5 . . . . O\n4 . . . . .\n3 . . . . .\n2 . . . . .\n1 X . . . ."


def test_a_position_is_smaller_than_128_bytes():
    assert 8 * zermelo.game("gomoku").state_words < 128

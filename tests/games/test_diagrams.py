"""Games with numbers on them."""

import re

import zermelo
from zermelo.games.diagrams import game_diagram, heat_map


def marks(svg):
    """The words on cells, which have a colour of their own."""
    return re.findall(r'style="fill:(#\w+)">([^<]*)</text>', svg)


def test_every_move_has_its_number():
    svg = game_diagram(zermelo.game("connect4").position("4 4 3"))
    assert sorted(marks(svg)) == [("#20242b", "2"), ("#fff", "1"), ("#fff", "3")]


def test_stones_keep_the_colour_of_who_put_them_there():
    # In Othello the first move turns over a stone; the diagram shows how the game went instead.
    othello = zermelo.game("othello:size=4")
    position = othello.position()
    position = position.play(position.legal_actions[0])
    svg = game_diagram(position)
    assert [text for _, text in marks(svg)] == ["1"]
    assert svg.count('fill="#f4f1ea"') == 2, "the two light stones of the start are still light"


def test_a_map_has_the_words_of_moves_where_their_stones_would_be():
    position = zermelo.game("connect4").position("4")
    svg = heat_map(position, {0: 0.5, 3: 1.0}, {3: "90"})
    assert marks(svg) == [("#fff", "90")]
    # The second stone of column 4 lies above the first, in the fifth row.
    assert '<circle cx="166" cy="206" r="18" fill="#e8590c" opacity="1.00"/>' in svg
    assert 'opacity="0.50"' in svg


def test_a_map_of_numbered_cells_has_words_and_no_numbers_under_them():
    position = zermelo.game("tictactoe").position("5")
    svg = heat_map(position, {0: 0.5, 8: 1.0}, {8: "90"})
    assert marks(svg) == [("#fff", "90")]
    assert 'viewBox="26 26 120 120"' in svg


def test_games_without_a_board_have_their_own_picture():
    position = zermelo.game("examples/nim.py").position()
    assert heat_map(position, {0: 1.0}, {}) is None
    assert game_diagram(position) == position.game.svg(position)

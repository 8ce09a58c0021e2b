"""Files of positions: what can be read, and what is said about the rest."""

import json

import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.exact import Outcome
from zermelo.exact.graded import Graded
from zermelo.exact.position_file import MOST_BYTES, read_positions
from zermelo.exact.sets import set_file

CONNECT4, TICTACTOE = zermelo.game("connect4"), zermelo.game("tictactoe")


def read(tmp_path, text, game=CONNECT4):
    path = tmp_path / "positions.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_positions(game, path)


def only(tmp_path, text, game=CONNECT4):
    good, bad = read(tmp_path, text, game)
    assert not bad, bad
    (line,) = good
    return line


def reason(tmp_path, text, game=CONNECT4):
    good, bad = read(tmp_path, text, game)
    assert not good
    (one,) = bad
    return one.reason


@pytest.mark.parametrize(
    ("text", "moves", "score"),
    [
        ("4453 -2", "4 4 5 3", -2),
        ("4453", "4 4 5 3", None),
        ("4 4 5 3", "4 4 5 3", None),
        ("4 4 5 3 -2", "4 4 5 3", -2),
        ("44 +3", "4 4", 3),
        ("4453 2 # a comment", "4 4 5 3", 2),
        ("4", "4", None),
        ("4 -1", "4", -1),
        ("4,4,5,3 -2", "4 4 5 3", -2),
    ],
)
def test_lines_of_moves(tmp_path, text, moves, score):
    line = only(tmp_path, text)
    assert line.position == CONNECT4.position(moves)
    assert (line.score, dict(line.scores)) == (score, {})


def test_other_games_have_their_own_names_of_moves(tmp_path):
    game = zermelo.game("othello:size=6")
    start = game.position()
    first = start.name(start.legal_actions[0])
    second = start.play(first).name(start.play(first).legal_actions[0])
    line = only(tmp_path, f"{first} {second} -1", game)
    assert line.position.move_names == (first, second)
    assert line.score == -1


def test_a_set_that_ships_can_be_read_as_a_file():
    good, bad = read_positions(CONNECT4, set_file("connect4", "end-easy"))
    assert len(good) == 1000
    assert bad == []
    assert all(set(line.scores) == set(line.position.legal_actions) for line in good)


def test_boards_of_kaggle(tmp_path):
    """A full column may have anything as its score, or nothing."""
    full = CONNECT4.position("444444")
    board = list(CONNECT4.cells(full))
    for filler in (None, -99, -1000):
        values = {"board": board, "score": 2, "move score": [0, 1, 2, filler, 2, 1, 0]}
        line = only(tmp_path, json.dumps(values))
        assert line.position == full
        assert line.score == 2
        assert line.scores == {0: 0, 1: 1, 2: 2, 4: 2, 5: 1, 6: 0}
    assert only(tmp_path, json.dumps({"board": board})).scores == {}
    without = {"board": board, "move score": [0, 1, 2, 2, 1, 0]}
    assert only(tmp_path, json.dumps(without)).scores == {0: 0, 1: 1, 2: 2, 4: 2, 5: 1, 6: 0}


def test_lines_are_numbered_as_an_editor_does(tmp_path):
    good, bad = read(tmp_path, b"\xef\xbb\xbf# title\r\n\r\n44\r\nxyz\r\n45\n\xff\xfe\n")
    assert [line.number for line in good] == [3, 5]
    assert [one.number for one in bad] == [4, 6]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4448", "`8` is not legal in connect4 after 4 4 4; legal: 1 2 3 4 5 6 7"),
        ("4444444 3", "`4` is not legal in connect4 after 4 4 4 4 4 4; legal: 1 2 3 5 6 7"),
        ("d3 c4", "`d3` is not legal in connect4; legal: 1 2 3 4 5 6 7"),
        ("4453 two", "`4453` is not legal"),
        ("1212121", "the game is over"),
        ("12121212", "cannot be played in connect4 after 1 2 1 2 1 2 1: the game is over"),
        ('{"board": [1, 2', "it is not JSON, or was cut"),
        ('{"cells": []}', "it has no `board`"),
        ('{"board": [0, 1]}', "`board` must be 42 numbers"),
        ("{" * 5000, "it is not JSON"),
        ("4" * 20000, "it has 20,000 characters, more than 10,000"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, said):
    assert said in reason(tmp_path, text)


@pytest.mark.parametrize("score", ['"3"', "1.5", "true", "NaN", "Infinity"])
def test_a_score_is_a_whole_number(tmp_path, score):
    text = f'{{"board": {json.dumps([0] * 42)}, "score": {score}}}'
    assert "which is not a whole number" in reason(tmp_path, text)


def test_boards_are_for_connect(tmp_path):
    assert "boards are for connect" in reason(tmp_path, '{"board": []}', TICTACTOE)
    text = json.dumps({"board": [0] * 42, "move score": [1, 2]})
    assert "`move score` must be a list of 7" in reason(tmp_path, text)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_file_is_refused(tmp_path, text):
    with pytest.raises(BadParameter, match="there is no position in"):
        read(tmp_path, text)


def test_a_large_file_is_refused(tmp_path):
    with pytest.raises(BadParameter, match="larger than 16 MB"):
        read(tmp_path, b"4\n" * (MOST_BYTES // 2 + 1))


def test_contradictions_are_told_in_the_scale_of_the_game(tmp_path):
    position = CONNECT4.position("414141")
    wins, draws = Outcome(1, 1), Outcome(0)
    graded = Graded(position, {action: wins if action == 3 else draws for action in range(7)})
    said = {
        score: only(tmp_path, f"414141 {score}").contradiction(graded)
        for score in ("18", "+18", "17", "-18")
    }
    assert said["18"] == said["+18"] == ""
    assert said["17"] == "its score is 17, but the solver finds 18"
    assert "is -18, but the solver finds 18" in said["-18"]
    line = only(tmp_path, "414141 18 0 0 0 18 0 0 3")
    assert line.contradiction(graded) == "the score of 7 is 3, but the solver finds 0"


def test_elsewhere_only_who_wins_is_compared(tmp_path):
    graded = Graded(TICTACTOE.position("1 4 2 5"), {2: Outcome(1, 1), 8: Outcome(-1, 2)})
    for score in ("+1", "+6", "+100"):
        assert only(tmp_path, f"1 4 2 5 {score}", TICTACTOE).contradiction(graded) == ""
    line = only(tmp_path, "1 4 2 5 -1", TICTACTOE)
    assert line.contradiction(graded) == "its score is -1, but the solver finds win in 1"

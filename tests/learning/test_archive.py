"""People's games: read from files of every format, each once, and never both learnt from and held out."""

import itertools

import numpy as np
import pytest

import zermelo
from learning.amateurs import put, random_position
from zermelo.errors import RecordError
from zermelo.learning.archive import Archive
from zermelo.records.formats import FORMATS

GAMES = {
    "jsonl": "tictactoe",
    "sgf": "gomoku:size=7",
    "psq": "gomoku:size=7",
    "wthor": "othello",
    "ggf": "othello",
    "moves": "connect4",
}


def filled(game, games):
    """An archive of these moves, player 0 having won all of them."""
    found = Archive(zermelo.game(game))
    for moves in games:
        found.add(moves, (1.0, -1.0))
    return found


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_read(tmp_path, format):
    game = zermelo.game(GAMES[format])
    ended = [random_position(game, seed) for seed in range(4)]
    found = Archive.read(put(tmp_path / "games", ended, format), game)
    assert (len(found), found.left_out.count) == (4, 0)
    replay = found.replay(np.arange(4), next(iter(game.encodings)))
    moves = [move for one in ended for move in one.moves]
    assert replay.latest(len(replay))["policies"].argmax(1).tolist() == moves


def test_a_pattern_stands_for_files_and_what_is_impossible_is_told_and_left_out(tmp_path):
    (tmp_path / "one.moves").write_text("4455\n1111111\n4433221\n")
    (tmp_path / "two.moves").write_text("4567\n")
    (tmp_path / "odd.moves").write_bytes(b"\x00\x01\x02")
    found = Archive.read([str(tmp_path / "*.moves")], zermelo.game("connect4"))
    assert (found.files, len(found)) == (3, 3)
    told = [str(problem) for problem in found.left_out.problems]
    assert any("one.moves, game 2, move 7: `1` is not legal" in text for text in told), told
    assert any("odd.moves" in text for text in told)


def test_what_cannot_be_learnt_from_is_told_in_one_line(tmp_path):
    game = zermelo.game("connect4")
    (tmp_path / "one.moves").write_text("4455\n")
    (tmp_path / "other.jsonl").write_text(
        '{"game": "tictactoe", "players": ["", ""], "moves": ["a1"], "returns": null, "result": ""}\n' * 3
    )
    for name, why in (
        (tmp_path / "*.sgf", r"there is no file .*\.sgf"),
        (tmp_path, "is a directory; name the files in it"),
        (
            tmp_path / "one.moves",
            r"2 games of connect4 are needed to learn from, and in .*one.moves there are 1",
        ),
        (tmp_path / "other.jsonl", r"there are 0; .*it is a game of tictactoe, not of connect4"),
    ):
        with pytest.raises(RecordError, match=why):
            Archive.read([str(name)], game)


def test_a_game_and_its_mirror_image_are_one():
    found = filled("connect4", [(3, 3, 2, 1), (3, 3, 4, 5), (3, 3, 2, 1), (3, 3, 2)])
    assert (len(found), found.repeated) == (2, 2)


def test_games_are_held_out_whole_and_the_same_each_time():
    found = filled("tictactoe", list(itertools.permutations(range(9), 4))[:300])
    learnt, held = found.split(0.1, 1000, seed=3)
    assert len(held) == round(0.1 * len(found))
    assert sorted([*learnt, *held]) == list(range(len(found)))
    assert (found.split(0.1, 1000, seed=3)[1] == held).all()
    assert (found.split(0.1, 1000, seed=4)[1] != held).any()
    _, fewer = found.split(0.1, 13, seed=3)
    assert len(fewer) == 4, "no more than have so many positions, four in each game"


def test_parts_show_every_game_once_before_any_again():
    found = filled("tictactoe", list(itertools.permutations(range(9), 3)))
    games = np.arange(10, len(found))
    count = round(3 * len(games) / 50)
    parts = list(itertools.islice(found.parts(games, 50, seed=0), 2 * count))
    first, second = parts[:count], parts[count:]
    assert sorted(np.concatenate(first)) == sorted(np.concatenate(second)) == list(games)
    assert any(len(one) != len(two) or (one != two).any() for one, two in zip(first, second, strict=True))
    assert {len(part) for part in parts} <= {18, 19}, "as even as they can be"


def test_a_game_teaches_its_moves_and_its_result_for_whoever_moves():
    game = zermelo.game("tictactoe")
    found = Archive(game)
    found.add((4, 0, 8), (-1.0, 1.0))
    found.add((4, 1), None)
    columns = found.replay(np.array([0, 1]), next(iter(game.encodings))).latest(5)
    assert columns["policies"].argmax(1).tolist() == [4, 0, 8, 4, 1]
    assert columns["replies"].argmax(1).tolist()[:2] == [0, 8]
    assert columns["replies"].sum(1).tolist() == [1, 1, 0, 1, 0]
    assert columns["values"].tolist()[:3] == [-1, 1, -1]
    assert np.isnan(columns["values"][3:]).all(), "nobody knows how it ended"
    assert columns["moves_left"].tolist() == [3, 2, 1, 2, 1]
    assert (columns["states"][2] == game.position().play(4).play(0).state).all()


def test_other_games_have_another_digest():
    one, same, other = (filled("tictactoe", [(4, 0), (0, last)]) for last in (1, 1, 2))
    assert one.digest == same.digest != other.digest

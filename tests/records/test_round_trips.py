"""What is written is read again, in every format, by rules that see each move."""

import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from records.games import games, same_moves
from zermelo.records.formats import FORMATS
from zermelo.records.reading import read_bytes
from zermelo.records.replay import Replay

FIGURES = st.dictionaries(st.sampled_from(["seconds", "score", "value", "visits"]), st.floats(-1e6, 1e6))
OTHELLO = ["othello", "othello:size=6", "othello:size=4", "othello:size=10"]
GOMOKU = ["gomoku", "gomoku:size=8", "gomoku:size=20", "gomoku:size=5"]
quickly = settings(max_examples=15, deadline=None)


def several(names, **options):
    return st.lists(games(names, **options), min_size=1, max_size=3)


def there_and_back(format, *written, game=None):
    """The games of a file with these games; any problem is a failure."""
    data = b"".join(FORMATS[format].write(one) for one in written)
    if FORMATS[format].head:
        data = FORMATS[format].head(len(written), written[-1]) + data
    assert FORMATS[format].looks(data)
    assert [FORMATS[format].hindrance(one) for one in written] == [""] * len(written)
    problems = []
    read = list(read_bytes(data, "games", problems.append, format=FORMATS[format], game=game))
    assert problems == []
    assert [one.number for one in read] == list(range(1, len(written) + 1))
    return read


def assert_kept(format, *written, game=None):
    """All that a record has is there after a round trip."""
    read = there_and_back(format, *written, game=game)
    assert [one.record() for one in read] == [one.record() for one in written]
    assert read == list(written)


@quickly
@given(st.data(), several(["tictactoe", "connect4", *GOMOKU, *OTHELLO], players=st.text()))
def test_json_lines_keep_everything(data, played):
    searched = [
        dataclasses.replace(one, search=tuple(data.draw(st.none() | FIGURES) or None for _ in one.moves))
        for one in played
    ]
    kept = [one if any(one.search) else dataclasses.replace(one, search=()) for one in searched]
    assert_kept("jsonl", *kept)


@quickly
@given(several(["tictactoe", "connect4", "connect:rows=4,cols=5,n=3", *GOMOKU, *OTHELLO]))
def test_sgf(played):
    assert_kept("sgf", *played)


@quickly
@given(games([*GOMOKU, "gomoku:size=9,n=4", "gomoku:exact=1", "tictactoe"]))
def test_sgf_tells_the_rules_where_they_are_not_the_usual_ones(played):
    (read,) = there_and_back("sgf", played)
    assert read.game == played.game


@quickly
@given(several(OTHELLO))
def test_ggf(played):
    plain = [
        dataclasses.replace(one, players=tuple(re.sub(r"[\[\];]", "", name) for name in one.players))
        for one in played
    ]
    assert_kept("ggf", *plain)


@quickly
@given(games(OTHELLO), st.data())
def test_ggf_keeps_scores_and_seconds(played, data):
    numbers = st.floats(-64, 1000).map(lambda x: round(x, 2))
    figures = st.fixed_dictionaries({}, optional={"score": numbers, "seconds": numbers})
    search = tuple(data.draw(figures) or None for _ in played.moves)
    search = search if any(search) else ()
    assert_kept("ggf", dataclasses.replace(played, players=("", ""), search=search))


@quickly
@given(games(GOMOKU, players=st.sampled_from(["pbrain-a.exe", "Yixin 2018", "homo-2"]), dates=False))
def test_psq(played):
    assert_kept("psq", played)


@quickly
@given(several(["connect4"], players=st.just(""), dates=False))
def test_move_strings(played):
    if moved := [one for one in played if one.moves]:
        assert_kept("moves", *moved)


@quickly
@given(several(["othello"], finished=True, dates=False))
def test_wthor(played):
    numbered = [
        dataclasses.replace(one, players=("WTHOR player 7", "WTHOR player 65535")) for one in played
    ]
    assert_kept("wthor", *numbered)


@quickly
@given(games(["othello:size=10"], finished=True, players=st.just(""), dates=False))
def test_wthor_of_the_larger_board(played):
    assert_kept("wthor", played)


@quickly
@given(games(["othello"]), st.sampled_from([1.0, 0.0, -1.0]))
def test_a_game_that_was_broken_off_keeps_its_result_in_wthor(played, outcome):
    if played.position.is_over:
        return
    words = {1.0: "player 1 wins", 0.0: "a draw", -1.0: "player 2 wins"}
    decided = Replay(played.position, returns=(outcome, -outcome), result=words[outcome])
    (read,) = there_and_back("wthor", decided)
    assert same_moves(decided, read)
    assert (read.returns, read.result) == (decided.returns, decided.result)


@pytest.mark.parametrize("format", ["jsonl", "sgf", "ggf"])
@pytest.mark.parametrize("how", ["resigned", "lost on time"])
@pytest.mark.parametrize("loser", [0, 1])
def test_games_that_are_lost_away_from_the_board(format, how, loser):
    position = zermelo.game("othello").position("f5 d6 c3")
    returns = (-1.0, 1.0) if loser == 0 else (1.0, -1.0)
    assert_kept(format, Replay(position, ("a", "b"), returns, f"player {1 + loser} {how}", "2026-01-31"))


@quickly
@given(
    games(["othello"], finished=True, players=st.just("")),
    st.permutations(["jsonl", "sgf", "ggf", "wthor"]),
)
def test_a_game_goes_through_all_formats_in_any_order(played, order):
    now = played
    for name in order:
        (now,) = there_and_back(name, now)
    assert now.position.moves == played.position.moves
    assert now.returns == played.returns


def test_a_chosen_game_is_needed_for_what_a_file_cannot_name():
    kalah = zermelo.game("examples/kalah.py:houses=3,seeds=2")
    assert_kept("jsonl", Replay(kalah.position([0, 1]), ("a", "b")), game=kalah)

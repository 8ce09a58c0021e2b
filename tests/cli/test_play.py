"""Playing, matches and analysis from the command line."""

import json
import subprocess
import sys

import pytest

from cli.test_cli import run, succeed


def play(typed, *words):
    return subprocess.run(
        [sys.executable, "-m", "zermelo", "play", *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_two_people_at_one_keyboard_and_the_game_is_recorded(tmp_path):
    path = tmp_path / "games.jsonl"
    done = play("1\n4\n2\n5\n3\n", "tictactoe", "--against", "human", "--record", str(path))
    assert done.returncode == 0
    assert "player 1 wins" in done.stdout
    record = json.loads(path.read_text())
    assert record["moves"] == ["1", "4", "2", "5", "3"]
    assert record["returns"] == [1.0, -1.0]


def test_against_a_player_with_everything_that_can_be_typed(tmp_path):
    path = tmp_path / "game.jsonl"
    typed = f"?\nmoves\n4\nhint\nundo\n4\n99\nsave {path}\nresign\n"
    done = play(typed, "connect4", "--against", "uct:sims=300", "--seed", "3")
    assert done.returncode == 0
    assert "undo, hint, moves, save FILE, resign, quit" in done.stdout
    assert "uct:sims=300 plays" in done.stdout
    assert "to move: value" in done.stdout
    assert "`99` is not legal in connect4 after 4" in done.stderr
    assert "player 1 gave up" in done.stdout
    assert json.loads(path.read_text())["players"] == ["human", "uct:sims=300"]


def test_the_opponent_may_begin_and_the_end_of_input_gives_up():
    done = play("", "connect4", "--against", "uct:sims=100", "--side", "second")
    assert done.returncode == 0
    assert "uct:sims=100 plays" in done.stdout
    assert "player 2 gave up" in done.stdout


def test_match_in_json():
    words = ("match", "connect4", "uct:sims=100", "random", "--games", "10", "--json")
    answer = json.loads(succeed(*words))
    assert answer["wins"] + answer["draws"] + answer["losses"] == answer["games"] == 10
    assert answer["a"] == "uct:sims=100"
    assert answer["interval"][0] <= answer["score"] <= answer["interval"][1]
    again = json.loads(succeed(*words))
    assert {**again, "seconds": 0} == {**answer, "seconds": 0}


def test_analyse_finds_the_win():
    answer = json.loads(succeed("analyse", "connect4", "--moves", "1 2 1 2 1 2", "--json"))
    assert answer["proven"] is True
    assert answer["value"] == 1.0
    assert answer["line"] == ["1"]
    text = succeed("analyse", "connect4", "--moves", "4 4 4", "--player", "uct:sims=500")
    assert "player 2 to move" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "connect4", "uct:sims=-5", "random"], "must be at least 1"),
        (["match", "connect4", "alphazero", "random"], "no player is called `alphazero`"),
        (["match", "connect4", "random"], "requires an argument"),
        (["analyse", "connect4", "--moves", "1 2 1 2 1 2 1"], "the game is over"),
        (["analyse", "connect4", "--player", "random"], "does not search"),
        (["analyse", "connect4", "--moves", "9"], "`9` is not legal in connect4"),
        (["play", "connect4", "--side", "third"], "Invalid value"),
    ],
    ids=str,
)
def test_wrong_input(words, message):
    done = run(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr

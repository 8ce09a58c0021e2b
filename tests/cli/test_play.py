"""Playing: what is typed, what becomes of the game."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from cli.command import refused, run
from zermelo.players import registry
from zermelo.players.tree import UctPlayer


@pytest.fixture
def play(tmp_path):
    """Plays with these lines typed; games that are left go to `tmp_path`."""

    def play(typed, *words):
        return run("play", *words, typed=typed, ZERMELO_CACHE=str(tmp_path))

    return play


def games(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_two_people_at_one_keyboard_and_the_game_is_recorded(play, tmp_path):
    path = tmp_path / "games.jsonl"
    words = ("tictactoe", "--against", "human:called=Berta", "--record", str(path))
    done = play("1\n4\n2\n5\n3\n", *words)
    assert done.returncode == 0
    assert "player 1 (X)> 1\nX 2 3\n" in done.stdout, "what is typed is shown, the board is plain"
    assert "Berta (O)> 4" in done.stdout
    assert done.stdout.endswith("player 1 won\n")
    assert done.stderr == ""
    (record,) = games(path)
    assert record["game"] == "tictactoe"
    assert record["players"] == ["human", "human:called=Berta"]
    assert record["moves"] == ["1", "4", "2", "5", "3"]
    assert record["returns"] == [1.0, -1.0]
    assert record["result"] == "player 1 wins"


def test_everything_that_can_be_typed(play, tmp_path):
    path = tmp_path / "game.jsonl"
    typed = f"?\nmoves\n4\nhint\nwhy\nboard\nundo\n\n4\nsave {path}\nagainst random\n3\nresign\n"
    done = play(typed, "connect4", "--against", "uct:sims=300", "--seed", "3")
    assert done.returncode == 0
    for word in ("undo", "hint [PLAYER]", "why", "moves", "board", "against PLAYER", "save [FILE]", "quit"):
        assert f"\n{word} " in done.stdout
    assert "your move (X)> moves\n1 2 3 4 5 6 7\n" in done.stdout
    assert done.stdout.count("uct:sims=300 plays") == 2
    assert "player 1 to move: " in done.stdout, "the hint"
    assert "player 2 to move: " in done.stdout, "the reason"
    assert "random plays" in done.stdout
    assert done.stdout.endswith("you resigned\n")
    assert done.stderr == ""
    (record,) = games(path)
    assert record["players"] == ["human", "uct:sims=300"]
    assert len(record["moves"]) == 2
    assert record["result"] == "unfinished"


def test_unknown_words_are_errors_and_not_moves(play):
    words = "udno", "99", "fly away", "save /nowhere/game.jsonl", "against nobody", "undo", "against"
    done = play("\n".join([*words, "hint random", "quit"]), "connect4")
    assert done.returncode == 0
    assert [line.removeprefix("error: ") for line in done.stderr.splitlines()] == [
        "`udno` is neither a move nor a command. Did you mean `undo`? ? shows what can be typed.",
        "`99` is not legal in connect4; legal: 1 2 3 4 5 6 7; ? shows what else can be typed",
        "`fly away` is not legal in connect4; legal: 1 2 3 4 5 6 7; ? shows what else can be typed",
        "no file can be written at /nowhere/game.jsonl: its directory must exist",
        "no player is called `nobody`. "
        "There are: az gomocup greedy gtp human minimax perfect random uci uct",
        "there is nothing to take back",
        "against whom? For example: against uct:sims=1000",
        "random cannot tell what it thinks; try uct:sims=20000",
    ]


def test_choice_of_side(play):
    done = play("", "connect4", "--against", "random", "--side", "second")
    assert done.stdout.startswith("player 1 is random, player 2 is human;")
    assert "your move (O)> " in done.stdout


@pytest.mark.parametrize(("seed", "first"), [(0, "random"), (1, "human")])
def test_chance_may_choose_the_side(play, seed, first):
    done = play("", "tictactoe", "--against", "random", "--side", "random", "--seed", str(seed))
    assert done.stdout.startswith(f"player 1 is {first}, ")


def test_a_game_that_was_left_goes_on_where_it_stood(play, tmp_path):
    left = play("1\n", "tictactoe", "--against", "human")
    assert left.returncode == 0
    path = tmp_path / "unfinished.jsonl"
    assert f"saved to {path}; go on with: zermelo play tictactoe --resume" in left.stdout
    again = play("4\n2\nquit\n", "tictactoe", "--resume")
    assert "player 2 (O)> 4" in again.stdout
    elsewhere = str(tmp_path / "won.jsonl")
    won = play("5\n3\n", "tictactoe", "--resume", "--record", elsewhere)
    assert "player 1 won" in won.stdout
    assert [game["moves"] for game in games(path)] == [["1"], ["1", "4", "2"], ["1", "4", "2", "5", "3"]]
    assert games(tmp_path / "won.jsonl")[0]["moves"] == ["1", "4", "2", "5", "3"]
    none = play("", "tictactoe", "--resume")
    assert none.returncode == 2
    assert f"the last game of tictactoe in {path} is over: player 1 wins" in none.stderr


def test_a_loaded_game_keeps_its_players_unless_told_otherwise(play, tmp_path):
    path = tmp_path / "games.jsonl"
    play("4\nquit\n", "connect4", "--against", "random", "--side", "second", "--record", str(path))
    same = play("", "connect4", "--load", str(path))
    assert same.stdout.startswith("player 1 is random, player 2 is human;")
    assert "saved" not in same.stdout, "nothing has happened since"
    other = play("quit\n", "connect4", "--load", str(path), "--against", "human", "--side", "first")
    assert other.stdout.startswith("player 1 is human, player 2 is human;")


def test_a_game_left_with_a_file_of_records_is_found_by_resume_too(play, tmp_path):
    path = tmp_path / "games.jsonl"
    play("9\nquit\n", "tictactoe", "--against", "human")
    left = play("1\n4\nquit\n", "tictactoe", "--against", "human", "--record", str(path))
    assert f"saved to {path}; go on with: zermelo play tictactoe --load {path}" in left.stdout
    again = play("2\nquit\n", "tictactoe", "--resume", "--record", str(path))
    assert "player 1 (X)> 2\nX X 3\nO 5 6\n" in again.stdout
    assert [game["moves"] for game in games(path)] == [["1", "4"], ["1", "4", "2"]]


def test_a_game_that_ended_does_not_wait_any_more(play, tmp_path):
    path, waiting = tmp_path / "games.jsonl", tmp_path / "unfinished.jsonl"
    play("1\n4\nquit\n", "tictactoe", "--against", "human", "--record", str(path))
    play("2\n5\n3\n", "tictactoe", "--load", str(path))
    assert [game["result"] for game in games(waiting)] == ["unfinished", "player 1 wins"]
    play("1\nsave\n4\n2\n5\n3\n", "tictactoe", "--against", "human")
    assert [game["result"] for game in games(waiting)[2:]] == ["unfinished", "player 1 wins"]
    play("1\nquit\n", "tictactoe", "--against", "human")
    play("4\n2\n5\n3\n", "tictactoe", "--load", str(path))
    assert games(waiting)[-1]["moves"] == ["1"], "another game was loaded than the one that waits"


def test_resume_passes_over_a_line_that_was_cut(play, tmp_path):
    path = tmp_path / "unfinished.jsonl"
    path.write_bytes(b'\n{"game": "tictactoe"}\n{"game": "ticta')
    left = play("1\nquit\n", "tictactoe", "--against", "human")
    assert f"saved to {path}" in left.stdout
    again = play("quit\n", "tictactoe", "--resume")
    assert again.returncode == 0
    assert again.stderr.splitlines() == [
        f"passed over: line 2 of {path} is not a game: it has no `players`",
        f"passed over: line 3 of {path} is not a game: it is not JSON, or was cut",
    ]
    assert "player 2 (O)> quit" in again.stdout


def test_an_opponent_that_fails_does_not_cost_the_game(play, tmp_path):
    done = play("d3\n4\nundo\nagainst random\nd3\n", "othello", "--against", "perfect:limit=1000")
    assert "error: othello is not solved after" in done.stderr
    assert "it is the turn of perfect:limit=1000" in done.stderr
    assert "the opponent is random now" in done.stdout
    assert "random plays" in done.stdout
    assert done.returncode == 0
    first, second = games(tmp_path / "unfinished.jsonl")
    assert first["moves"] == ["d3"]
    assert second["moves"][0] == "d3"
    assert len(second["moves"]) == 2


class Broken(UctPlayer):
    """Has an evaluator that gives NaN."""

    kind = "broken"

    def evaluator(self, game):
        def always_nan(planes):
            return np.zeros((len(planes), game.num_actions)), np.full(len(planes), np.nan)

        return always_nan


def test_an_evaluator_that_gives_nan_is_named_and_the_game_saved(play, tmp_path, monkeypatch):
    monkeypatch.setitem(registry._registered, "broken", Broken)
    done = play("4\n", "connect4", "--against", "broken")
    assert done.returncode == 2
    error, again = done.stderr.splitlines()[-2:]  # a line about compiling may come first
    assert error.startswith("error: the evaluator always_nan gave ")
    assert again == error, "when it happens, and at the end"
    assert games(tmp_path / "unfinished.jsonl")[0]["moves"] == ["4"]


def test_a_place_that_cannot_be_written_does_not_cost_the_game(play, tmp_path):
    (tmp_path / "unfinished.jsonl").mkdir()
    done = play("4\n4\n", "connect4", "--against", "human")
    assert "cannot be saved" in done.stderr
    assert "the moves were: 4 4" in done.stdout


def test_bytes_that_are_no_text_are_a_wrong_move(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "play", "tictactoe", "--against", "human"],
        input=b"\xff\xfe\n",
        capture_output=True,
        env={**os.environ, "ZERMELO_CACHE": str(tmp_path)},
        timeout=60,
    )
    assert done.returncode == 0
    assert b"is not legal in tictactoe" in done.stderr


def test_a_game_that_draws_itself_has_no_stones_in_the_prompt(play):
    done = play("", "examples/kalah.py", "--against", "human")
    assert "player 1> " in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["connect4", "--side", "third"], "Invalid value"),
        (["connect4", "--moves", "1 2 1 2 1 2 1"], "the game is over"),
        (["connect4", "--moves", "8"], "`8` is not legal in connect4"),
        (["connect4", "--against", "uct:sims=-5"], "must not be negative"),
        (["connect4", "--against", "perfect:limit=0"], "`limit` (=0) of perfect must be at least 1"),
        (["connect4", "--against", "human:name=Eva"], "is not a parameter of human; it has: called"),
        (["connect4", "--load", "nowhere.jsonl"], "nowhere.jsonl does not exist"),
        (["connect4", "--load", "README.md"], "line 1 of README.md is not a game"),
        (["connect4", "--load", "README.md", "--moves", "4"], "cannot be given for a game that is loaded"),
        (["connect4", "--load", "x", "--resume"], "cannot be given together"),
        (["connect4", "--record", "nowhere/games.jsonl"], "its directory must exist"),
        (["connect4", "--seed", "99999999999999999999"], "Must be <= 9223372036854775807"),
    ],
    ids=str,
)
def test_wrong_input(words, message):
    assert message in refused("play", *words)


def test_the_trained_player_that_ships_is_the_opponent_and_has_levels(play):
    done = play("4\nquit\n", "connect4")
    assert done.returncode == 0
    assert "player 2 is az;" in done.stdout
    assert "az plays " in done.stdout
    weaker = play("4\nquit\n", "connect4", "--level", "2", "--seed", "1")
    assert "player 2 is az:level=2;" in weaker.stdout
    assert "player 2 is uct:sims=5000;" in play("", "connect:rows=5").stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("connect4", "--level", "11"), "must be from 1 to 10"),
        (("connect4", "--level", "3", "--against", "random"), "cannot be given with `--against`"),
        (("connect:rows=5", "--level", "3"), "no trained player for connect:rows=5 ships"),
    ],
)
def test_levels_are_of_trained_players(words, reason):
    assert reason in refused("play", *words)

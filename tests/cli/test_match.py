import json
from pathlib import Path

import pytest

from cli.command import process, refused, run, succeed


def test_json_is_complete_and_the_same_for_the_same_seed():
    words = ("match", "connect4", "uct:sims=100", "random", "--games", "10", "--json")
    answer = json.loads(succeed(*words))
    assert list(answer) == [
        "game", "a", "b", "games", "wins", "draws", "losses", "first", "second", "score", "interval",
        "moves", "seconds",
    ]  # fmt: skip
    assert answer["wins"] + answer["draws"] + answer["losses"] == answer["games"] == 10
    for word in ("wins", "draws", "losses"):
        assert answer["first"][word] + answer["second"][word] == answer[word]
    assert answer["a"] == "uct:sims=100"
    assert answer["interval"][0] <= answer["score"] <= answer["interval"][1]
    again = json.loads(succeed(*words))
    assert {**again, "seconds": 0} == {**answer, "seconds": 0}


def test_the_greatest_seed_is_a_seed():
    succeed("match", "tictactoe", "uct:sims=5", "random", "--games", "2", "--seed", str(2**63 - 1))


def test_text_tells_the_results_by_colour():
    done = run("match", "tictactoe", "perfect", "random", "--games", "20")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert done.stdout.startswith("perfect against random at tictactoe\n")
    assert [" ".join(line[:-4]) for line in lines[2:5]] == [
        "as first player",
        "as second player",
        "together",
    ]
    assert [line[-4] for line in lines[2:5]] == ["10", "10", "20"]
    assert lines[4][-1] == "0"
    assert lines[5][0] == "score"
    assert done.stderr == "perfect against random ...\n"


def test_games_are_recorded_as_those_of_play(tmp_path):
    path = tmp_path / "games.jsonl"
    words = ("match", "tictactoe", "perfect", "random", "--games", "6", "--openings", "1", "--json")
    answer = json.loads(succeed(*words, "--record", str(path)))
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(records) == 6
    assert set(records[0]) == {"game", "players", "moves", "returns", "result", "date"}
    assert sum(record["players"] == ["perfect", "random"] for record in records) == 3
    won = [record for record in records if record["result"] == "player 1 wins"]
    assert all(record["returns"] == [1.0, -1.0] for record in won)
    assert sum(len(record["moves"]) for record in records) == answer["moves"]


def person(typed, *words, **environment):
    return run("match", *words, typed=typed, **environment)


def test_a_person_plays_game_after_game(tmp_path):
    """All cells are typed in order; those that are taken are refused."""
    path = tmp_path / "games.jsonl"
    cells = "moves\n" + "".join(f"{cell}\n" for cell in range(1, 10))
    done = person(
        cells * 2, "tictactoe", "human:called=Anna", "random", "--openings", "0", "--record", str(path)
    )
    assert done.returncode == 0, done.stderr
    assert "Anna (X)> 1\n" in done.stdout
    assert done.stdout.index("game 1: ") < done.stdout.index("Anna (O)> ") < done.stdout.index("game 2: ")
    assert [json.loads(line)["players"][0] for line in path.read_text().splitlines()] == [
        "human:called=Anna",
        "random",
    ]


def test_a_person_who_leaves_finds_the_game_again(tmp_path):
    done = person("5\n", "tictactoe", "human", "random", "--openings", "0", ZERMELO_CACHE=str(tmp_path))
    assert done.returncode == 2
    assert "the input ended before the game did" in done.stderr
    (record,) = map(json.loads, (tmp_path / "unfinished.jsonl").read_text().splitlines())
    assert record["moves"][0] == "5"
    assert record["returns"] is None


QUITS = "".join(f"{cell}\n" for cell in range(1, 10)) * 3 + "quit\n"
"""Somebody who plays three games, or a little more, and leaves the match."""


def test_a_match_that_is_left_tells_the_score_so_far(tmp_path):
    words = ("tictactoe", "human", "random", "--openings", "0", "--games", "8")
    done = person(QUITS, *words, ZERMELO_CACHE=str(tmp_path))
    assert done.returncode == 130
    count = done.stdout.count("\ngame ")
    assert 3 <= count < 8
    together = done.stdout.partition("\ntogether")[2].split()
    assert int(together[0]) == count == sum(map(int, together[1:4]))
    assert f"\n{count} of 8 games were played\n" in done.stdout
    assert done.stderr.endswith("interrupted\n")


def test_a_match_that_is_left_tells_the_score_so_far_in_json(tmp_path):
    words = ("tictactoe", "human", "random", "--openings", "0", "--games", "8", "--sprt", "0,100", "--json")
    done = person(QUITS, *words, ZERMELO_CACHE=str(tmp_path))
    assert done.returncode == 130
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["interrupted"] is True
    assert answer["games"] == done.stdout.count("\ngame ")
    assert answer["games"] == answer["wins"] + answer["draws"] + answer["losses"]
    for word in ("wins", "draws", "losses"):
        assert answer["first"][word] + answer["second"][word] == answer[word]
    assert sum(answer["sprt"]["pairs"]) == answer["games"] // 2, "pairs that are complete"


def test_a_match_that_is_left_before_a_game_is_over_says_so(tmp_path):
    words = ("tictactoe", "human", "random", "--openings", "0", "--json")
    done = person("5\nquit\n", *words, ZERMELO_CACHE=str(tmp_path))
    assert done.returncode == 130
    assert "no game is over yet; 2 moves were made in 2 games" in done.stderr


def test_games_of_others_that_were_left_are_recorded_but_do_not_wait_for_a_person(tmp_path):
    """A game file whose rules fail after some moves ends the match."""
    text = Path("examples/nim.py").read_text()
    failing = "if state[0] < 8:\n            raise RuntimeError('no more')\n        if state[0] > 0:"
    (tmp_path / "nim.py").write_text(text.replace("if state[0] > 0:", failing))
    words = ("match", "nim.py", "random", "random", "--games", "2", "--record", "games.jsonl")
    done = run(*words, cwd=tmp_path, ZERMELO_CACHE=str(tmp_path))
    assert done.returncode == 2
    assert "saved to games.jsonl; go on with: zermelo play nim.py --load games.jsonl" in done.stdout
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2
    assert not (tmp_path / "unfinished.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["connect4", "uct:sims=-5", "random"], "must not be negative"),
        (["connect4", "alphazero", "random"], "no player is called `alphazero`"),
        (["connect4", "/", "random"], "A trained player is named with its run or model file: az:model=/."),
        (["connect4", "random"], "requires an argument"),
        (["connect4", "random", "random", "--games", "0"], "Must be >= 1"),
        (
            ["connect4", "random", "random", "--seed", "99999999999999999999"],
            "Must be <= 9223372036854775807",
        ),
        (["tictactoe", "random", "random", "--openings", "9"], "`openings` (=9): random games of"),
        (["connect4", "random", "random", "--record", "nowhere/x"], "its directory must exist"),
    ],
    ids=str,
)
def test_wrong_input(words, message):
    assert message in refused("match", *words)


# Stopped in the middle.


def signalling_nim(path, signal, at=1500):
    """Nim whose rules get a signal in the middle of a match; compiled callers cannot carry an exception."""
    text = Path("examples/nim.py").read_text()
    head, top = (
        "def play(self, state: State, action: int) -> State:\n",
        "from __future__ import annotations\n",
    )
    press = f"        if next(COUNT) == {at}:\n            os.kill(os.getpid(), signal.{signal})\n"
    assert head in text
    begin = f"{top}\nimport itertools\nimport os\nimport signal\n\nCOUNT = itertools.count()\n"
    path.write_text(text.replace(head, head + press).replace(top, begin))
    return path.name


def test_ctrl_c_tells_the_games_that_are_over(tmp_path):
    game = signalling_nim(tmp_path / "nim.py", "SIGINT", at=7000)
    done = run("match", game, "uct:sims=3", "random", "--games", "100", "--json", cwd=tmp_path)
    assert done.returncode == 130
    answer = json.loads(done.stdout)
    assert 0 < answer["games"] < 100
    assert "raised" not in done.stderr


def test_the_end_of_the_process_is_no_fault_of_the_game(tmp_path):
    game = signalling_nim(tmp_path / "nim.py", "SIGTERM")
    done = process("match", game, "uct:sims=3", "random", "--games", "100000", cwd=tmp_path)
    assert done.returncode == 143
    assert "raised" not in done.stderr
    assert "nim" not in done.stderr

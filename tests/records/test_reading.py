"""Files of any format, together; and files that want too much."""

import json
import subprocess
import sys
import time

import pytest

import zermelo
from zermelo.errors import RecordError
from zermelo.records import reading
from zermelo.records.formats import FORMATS
from zermelo.records.reading import Problem, read, read_bytes
from zermelo.records.writing import write


@pytest.fixture
def files(tmp_path):
    """The same game of Othello in two formats, and one of Connect 4, with mistakes between them."""
    (tmp_path / "a.sgf").write_text("(;GM[2]SZ[8];B[fe];W[fd])(;GM[2]SZ[8];B[aa])")
    (tmp_path / "b.ggf").write_text("(;GM[Othello]TY[8]B[f5]W[f4];)")
    (tmp_path / "c.txt").write_text("44\n48\n1\n")
    return [tmp_path / name for name in ("a.sgf", "b.ggf", "c.txt")]


def test_files_of_several_formats_are_one_stream_of_games(files):
    problems = []
    games = [(one.game.name, one.position.move_names, one.number) for one in read(files, problems.append)]
    assert games == [
        ("othello", ("f5", "f4"), 1), ("othello", ("f5", "f4"), 1),
        ("connect4", ("4", "4"), 1), ("connect4", ("1",), 3),
    ]  # fmt: skip
    assert [(problem.path, problem.game, problem.move) for problem in problems] == [
        (str(files[0]), 2, 1), (str(files[2]), 2, 2),
    ]  # fmt: skip
    assert str(problems[1]) == f"{files[2]}, game 2, move 2: `8` is not legal; legal: 1 2 3 4 5 6 7"


def test_a_chosen_game_is_the_only_one(files):
    problems = []
    games = list(read(files[:2], problems.append, game=zermelo.game("othello:size=6")))
    assert games == []
    assert [str(problem).partition(": ")[2] for problem in problems] == [
        "its board, 8x8, is not that of othello:size=6",
        "its board, 8x8, is not that of othello:size=6",
        "it is a game of othello, not of othello:size=6",
    ]


def test_large_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    (tmp_path / "a.sgf").write_bytes(b" " * 101)
    with pytest.raises(RecordError, match="is larger than 0 MB; split it"):
        list(read([tmp_path / "a.sgf"], print))


def test_so_many_games_and_no_more(monkeypatch):
    monkeypatch.setattr(reading, "MOST_GAMES", 2)
    problems = []
    assert len(list(read_bytes(b"4\n4\n4\n", "a", problems.append, format=FORMATS["moves"]))) == 2
    assert problems == [Problem("a", None, None, "only the first 2 games are read")]


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("sgf", b"(;C[" * 100_000),
        ("sgf", b"(;GM[4]SZ[15]" + b"(;B[aa]" * 30_000 + b")" * 30_001),
        ("sgf", b"(;C[" + b"\\" * 400_000),
        ("ggf", b"(;" * 200_000),
        ("ggf", b"(;" + b"A[" * 200_000),
        ("jsonl", b"[" * 400_000),
        ("jsonl", b'{"game": ' + b"9" * 400_000),
        ("jsonl", b"{}\n" * 100_000),
        ("psq", b"Piskvorky 15x15, 11:11, 0\n" + b"1,1,0\n" * 50_000),
        ("moves", b"4" * 400_000),
        ("wthor", b"\x14\x13\x07\x1b\xff\xff\xff\xff\0\0\xe2\x07\x08\0\x18\0" + b"\1" * 6800),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:12]),
)
def test_files_that_want_to_be_read_forever(format, data):
    problems, begin = [], time.process_time()
    assert list(read_bytes(data, "a", problems.append, format=FORMATS[format])) == []
    assert time.process_time() - begin < 2
    assert 1 <= len(problems) <= reading.PATIENCE + 1


def test_mutated_files():
    command = [sys.executable, "benchmarks/fuzz_records.py", "--files", "500", "--seed", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["files"] == 500
    assert told["games"] > 100
    assert told["problems"] > 100


@pytest.mark.slow
def test_a_hundred_thousand_mutated_files():
    command = [sys.executable, "benchmarks/fuzz_records.py", "--files", "100000", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    print(done.stdout)


# Writing.


def test_formats_of_one_game_give_several_files(tmp_path):
    games = list(read_bytes(b"(;GM[4]SZ[15];B[hh])" * 11, "a.sgf", print))
    paths, count = write(tmp_path / "out.psq", games, FORMATS["psq"], print)
    assert count == 11
    assert [path.name for path in paths][:2] == ["out-01.psq", "out-02.psq"]
    with pytest.raises(RecordError, match=r"out-01\.psq exists; --replace writes over it"):
        write(tmp_path / "out.psq", games, FORMATS["psq"], print)


def test_games_that_do_not_fit_are_told(tmp_path):
    data = b"(;GM[2]SZ[8]RE[B+R];B[fe])(;GM[4]SZ[15])(;GM[2]SZ[8];B[fe])(;GM[2]SZ[10]RE[W+R])"
    problems = []
    games = read_bytes(data, "a.sgf", print)
    _, count = write(tmp_path / "out.wtb", games, FORMATS["wthor"], problems.append)
    assert count == 1
    assert [(problem.game, problem.what) for problem in problems] == [
        (2, "WTHOR is for othello and othello:size=10, not for gomoku"),
        (3, "WTHOR has no way to say that nobody knows the result"),
        (4, "the games of such a file have one board, and this is othello:size=10 after othello"),
    ]
    assert (tmp_path / "out.wtb").stat().st_size == 16 + 68

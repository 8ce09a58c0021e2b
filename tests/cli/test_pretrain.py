"""Learning from people's games, from the command line."""

import json
import signal
import subprocess
import sys

import pytest

import zermelo
from cli.command import refused, run, succeed
from cli.test_train import QUICK
from learning.amateurs import put, stacked

GAME = zermelo.game("connect:rows=4,cols=5")
WORDS = ["train", GAME.name, *QUICK, "--set", "start.epochs=3", "--set", "watch.games=0"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two files of games; the last game of the second has a move in a full column."""
    path = tmp_path_factory.mktemp("people")
    put(path / "one", [stacked(GAME, seed) for seed in range(20)])
    put(path / "two", [stacked(GAME, seed) for seed in range(20, 60)], "moves")
    with (path / "two.moves").open("a") as file:
        file.write("11111\n")
    return path


def test_files_are_learnt_from_and_then_it_plays(tmp_path, folder):
    files = sorted(map(str, folder.iterdir()))
    words = [*WORDS, "--run", tmp_path / "run", "--rounds", 1, "--pretrain", *files]
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert f"left out: {folder}/two.moves, game 41, move 5: `1` is not legal" in done.stderr
    assert "it learns from people at first: " in done.stderr
    *epochs, last = done.stdout.splitlines()
    assert [line.split(":")[0] for line in epochs] == [f"epoch {number}" for number in range(4)]
    assert "held-out games" in epochs[0]
    assert last.startswith("round 1: 8 games")
    again = run(*WORDS, "--run", tmp_path / "run", "--rounds", 2)
    assert again.stdout.startswith("round 2: 16 games")
    assert "it learnt from people at first: " in again.stderr


def test_epochs_are_lines_of_json_too(tmp_path, folder):
    pattern = ["--pretrain", folder / "*.jsonl", "--pretrain", folder / "*.moves"]
    told = succeed(*WORDS, "--run", tmp_path / "run", "--rounds", 1, *pattern, "--json")
    *epochs, last = map(json.loads, told.splitlines())
    assert ([one["epoch"] for one in epochs], last["round"]) == ([0, 1, 2, 3], 1)
    assert {"positions", "seconds", "held_out_accuracy", "held_out_winners"} <= epochs[-1].keys()


def test_what_is_wrong_with_the_files_is_told_in_one_line(tmp_path, folder):
    (tmp_path / "none.sgf").write_text("")
    files = ["--run", tmp_path / "run", "--pretrain"]
    for words, message in (
        ([*WORDS, *files, tmp_path / "*.sgff"], "there is no file"),
        ([*WORDS, *files, tmp_path / "none.sgf"], "2 games of connect:rows=4,cols=5 are needed"),
        ([*WORDS, *files, tmp_path], "is a directory"),
        ([*WORDS, *files], "requires at least 1"),
        (["train", "tictactoe", *files, folder / "one.jsonl"], "not of tictactoe"),
    ):
        assert message in refused(*words)
    assert not (tmp_path / "run").exists(), "the right command can follow"


def begun(*words):
    """A process that trains."""
    command = [sys.executable, "-m", "zermelo", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_ctrl_c_while_it_learns_from_people(tmp_path, folder):
    endless = ["--set", "start.epochs=500", "--set", "start.patience=500", "--rounds", 1]
    run = ["--run", tmp_path / "run"]
    process = begun(*WORDS, *run, *endless, "--pretrain", folder / "one.jsonl")
    for number in range(3):
        assert process.stdout.readline().startswith(f"epoch {number}:")
    process.send_signal(signal.SIGINT)
    rest, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped; the same command goes on" in told
    again = begun("train", GAME.name, *run)
    assert again.stdout.readline().startswith(f"epoch {3 + len(rest.splitlines())}:")
    again.kill()
    again.communicate()

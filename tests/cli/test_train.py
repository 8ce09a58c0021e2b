"""Training from the command line."""

import contextlib
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time

import pytest

from cli.command import process, refused, run, succeed
from zermelo.cli.output import Start
from zermelo.cluster.fleet import Fleet, fleet_for
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.plan import plan
from zermelo.players.registry import player

QUICK = [
    "--set", "rounds.games=8", "--set", "selfplay.parallel=8", "--set", "network.blocks=1",
    "--set", "network.filters=8", "--set", "selfplay.search.simulations=4", "--set", "learner.batch=16",
    "--set", "watch.graded=0",
]  # fmt: skip


def test_a_run_begins_goes_on_and_plays(tmp_path):
    directory = tmp_path / "run"
    first = run("train", "tictactoe", "--run", directory, "--games", 16, *QUICK)
    assert first.returncode == 0, first.stderr
    assert any(line.startswith("beginning ") for line in first.stderr.splitlines()[:2])  # after compiling
    assert "evaluations/s" in first.stderr
    assert "round 2: 16 games" in first.stdout
    again = run("train", "tictactoe", "--run", directory, "--games", 24, *QUICK)
    assert again.stderr.startswith("going on with ")
    assert "round 3: 24 games" in again.stdout
    played = run("match", "tictactoe", f"az:model={directory},sims=4", "random", "--games", 4, "--json")
    assert played.returncode == 0, played.stderr


def test_ctrl_c_stops_and_says_how_to_go_on(tmp_path):
    words = ["train", "tictactoe", "--run", str(tmp_path / "run"), *QUICK]
    command = [sys.executable, "-m", "zermelo", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("round 1")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stopped; the same command goes on" in told


def test_what_is_wrong_is_told_in_one_line(tmp_path):
    old = ["tictactoe", "--run", tmp_path / "run", *QUICK]
    succeed("train", *old, "--games", 8)
    wrong, torn, other = (tmp_path / f"{name}.toml" for name in ("wrong", "torn", "other"))
    wrong.write_text('[learner]\nbatch = "many"\n')
    torn.write_text("[learner\n")
    other.write_text('game = "connect4"\n')
    for words, message in (
        ([*old, "--set", "learner.rate=0.5"], "learner.rate: 0.002, not"),
        (["tictactoe", "--set", "learner.speed=3"], "`learner.speed` is not a part"),
        (["tictactoe", "--set", "seed"], "key=value"),
        (["tictactoe", "--config", tmp_path / "no.toml"], "cannot be read"),
        (["tictactoe", "--config", wrong], f"{wrong}: `learner.batch` (=many) must be a whole number"),
        (["tictactoe", "--config", torn], f"{torn}: the configuration is not TOML"),
        (["tictactoe", "--config", other], f"{other} is for connect4, not for tictactoe"),
        (["tictactoe", "--set", "gate.games=-1"], "`gate.games` (=-1) must not be negative"),
        (["tictactoe", "--set", "seed=-1"], "`seed` (=-1) must not be negative"),
        (["tictactoe", "--score", 0.9, "--set", "watch.share=0"], "nothing is measured"),
        (["tictactoe", "--from", "nobody"], "there is no network at nobody"),
        (["nothing"], "no game is called"),
    ):
        assert message in refused("train", *words)


@contextlib.contextmanager
def full_disk():
    """No file can grow beyond 4000 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_is_told_and_destroys_nothing(tmp_path):
    directory = tmp_path / "run"
    words = ["train", "tictactoe", "--run", str(directory), "--set", "watch.share=0", *QUICK]
    assert run(*words, "--games", 8).returncode == 0
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    with full_disk():
        full = run(*words, "--games", 16)
    assert full.returncode == 2, full.stderr
    assert f"{directory} cannot be written to: File too large" in full.stderr
    manifest = directory / "manifest.json"
    old, new = json.loads(before.pop(manifest)), json.loads(manifest.read_bytes())
    assert new["seconds"] > old["seconds"], "the time of the call that failed counts"
    assert {**new, "seconds": old["seconds"], "cpu_seconds": old["cpu_seconds"]} == old
    for path, data in before.items():
        assert path.read_bytes()[: len(data)] == data, path
    again = run(*words, "--games", 16)
    assert again.returncode == 0, again.stderr
    assert "round 2: 16 games" in again.stdout


def test_a_loss_that_is_no_number_ends_the_run_and_destroys_nothing(tmp_path):
    directory = tmp_path / "run"
    wild = ["--set", "learner.rate=1e30", "--set", "learner.clip=0", "--set", "learner.warm_up=0"]
    done = run("train", "tictactoe", "--run", directory, "--games", 800, *QUICK, *wild)
    assert done.returncode == 2
    assert re.search(r"error: the loss of step \d+ is (nan|inf); try a lower `rate`", done.stderr)
    assert (directory / "manifest.json").exists()


def test_json_is_a_line_for_each_round(tmp_path):
    words = ["tictactoe", "--run", tmp_path / "run", "--rounds", 2, "--json", *QUICK]
    told = succeed("train", *words)
    rounds = [json.loads(line) for line in told.splitlines()]
    assert [one["round"] for one in rounds] == [1, 2]
    assert {"policy_loss", "network_share", "measured"} <= rounds[0].keys()


def test_a_run_goes_on_with_the_configuration_it_has(tmp_path):
    directory = tmp_path / "run"
    words = ["train", "tictactoe", "--run", directory, "--rounds"]
    succeed(*words, 1, *QUICK)
    assert "round 2: 16 games" in succeed(*words, 2)
    assert "has reached this already: 2 rounds, 16 games" in run(*words, 2).stderr
    succeed(*words, 3, "--set", "watch.versions=1")
    assert (directory / "versions" / "000003.safetensors").exists()


@pytest.mark.parametrize(
    ("game", "directory"),
    [
        ("tictactoe", "tictactoe"),
        ("connect:rows=5", "connect-rows=5"),
        ("examples/nim.py", "nim"),
        ("openspiel:hex(board_size=3)", "openspiel-hex-board_size=3"),
    ],
)
def test_a_run_has_a_directory_of_its_own(game, directory):
    assert str(plan(game).directory) == f"runs/{directory}"


# Promises.


def test_a_training_ends_in_time_and_can_be_played(tmp_path):
    begin = time.monotonic()
    done = run("train", "connect4", "--run", tmp_path / "run", "--minutes", 0.05)
    assert time.monotonic() - begin < 3 + 5 + 35
    assert done.returncode == 0, done.stderr
    took = re.search(r"^starting up took ([\d.]+) s", done.stderr, re.MULTILINE)
    assert float(took[1]) < 35
    assert done.stdout.startswith("round 1: ")
    (play_it,) = re.findall(r"^play it: zermelo (.*)$", done.stderr, re.MULTILINE)
    played = run(*shlex.split(play_it), typed="4\nquit\n")
    assert played.returncode == 0, played.stderr


def test_starting_up_and_compiling_are_told_apart(monkeypatch):
    clock, compiled = iter([100.0, 106.5, 107.0]), iter([1.0, 3.0, 1.0])
    monkeypatch.setattr("zermelo.cli.output.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("zermelo.compilation.compile_seconds", lambda: (next(compiled), 0.0))
    start = Start()
    assert str(start) == "starting up took 4.5 s, compiling 2.0 s"
    assert str(start) == "starting up took 7.0 s"


@pytest.mark.slow
def test_compiling_everything_for_a_first_run_takes_half_a_minute(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = process("train", "connect4", "--run", tmp_path / "run", "--minutes", 0.05, env=environment)
    took = re.search(r"^starting up took ([\d.]+) s, compiling ([\d.]+) s", done.stderr, re.MULTILINE)
    assert float(took[1]) + float(took[2]) < 35


def test_what_to_type_is_quoted(tmp_path):
    game, directory = "openspiel:hex(board_size=3)", tmp_path / "a run, with a comma"
    done = run("train", game, "--run", directory, "--rounds", 1, *QUICK, "--set", "watch.share=0")
    told = f"play it: zermelo play '{game}' --against 'az:model={directory}'"
    assert told in done.stderr.splitlines()
    words = shlex.split(told)
    assert player(words[-1]).model == str(directory), "a comma in a path is no end of it"


def test_a_run_that_cannot_make_a_network_is_refused(tmp_path):
    done = run("train", "connect4", "--run", tmp_path / "run", "--minutes", 0.0005)
    assert done.returncode == 2
    assert re.search(
        r"error: a first network takes about .* give it [\d.]+ minutes or more, or ", done.stderr
    )
    assert "play it" not in done.stderr


def test_without_a_network_there_is_nothing_to_play(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.learning.forecast.check_feasible", lambda _run, _limits: None)
    words = ["train", "connect4", "--run", tmp_path / "run", "--minutes", 0.002]
    words += [*QUICK, "--set", "selfplay.search.simulations=2000", "--set", "selfplay.warm_games=0"]
    done = run(*words)
    assert done.returncode == 1
    assert (
        "there was no time for a first network; run it again with a higher limit to resume" in done.stderr
    )
    assert "play it" not in done.stderr
    assert run(*words).returncode == 1


def test_workers_play_where_the_rules_are_python(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    kalah, connect4 = (completed({"game": name}, {}) for name in ("examples/kalah.py", "connect4"))
    long, short, said = Limits(seconds=180), Limits(seconds=20), []
    assert isinstance(fleet_for(kalah, long, None, None, said.append), Fleet)
    assert (
        said.pop() == "the rules are plain Python: 2 Ray workers play, one on each core (--ray off: none)"
    )
    for limits in (Limits(cpu_seconds=180), Limits(games=100), Limits(rounds=3)):
        assert isinstance(fleet_for(kalah, limits, None, None, said.append), Fleet)
    said.clear()
    for config, limits, ray in ((kalah, short, None), (kalah, long, "off"), (connect4, long, None)):
        assert fleet_for(config, limits, ray, None, said.append) is None
    assert said == []


def test_workers_can_be_left_out(tmp_path):
    done = run("train", "examples/nim.py", "--run", tmp_path / "run", "--ray", "off", "--rounds", 1, *QUICK)
    assert done.returncode == 0, done.stderr
    assert "Ray" not in done.stderr


def test_what_ray_would_bring_is_told_without_it(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setattr("zermelo.cluster.fleet.find_spec", lambda _name: None)
    config, said = completed({"game": "examples/kalah.py"}, {}), []
    assert fleet_for(config, Limits(seconds=180), None, None, said.append) is None
    assert "with Ray (pip install 'zermelo[ray]') games are played on all 2" in said[0]

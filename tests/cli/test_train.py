"""Training from the command line, with real processes."""

import signal
import subprocess
import sys
import time

QUICK = [
    "--set", "games_per_round=8", "--set", "parallel=8", "--set", "network.blocks=1",
    "--set", "network.filters=8", "--set", "selfplay.search.simulations=4", "--set", "learner.batch=16",
]  # fmt: skip


def zermelo(*words, **options):
    command = [sys.executable, "-m", "zermelo", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_a_run_begins_goes_on_and_plays(tmp_path):
    run = tmp_path / "run"
    first = zermelo("train", "tictactoe", "--run", run, "--games", 16, *QUICK)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("beginning ")
    assert "round 2: 16 games" in first.stdout
    assert "playing" not in first.stderr
    again = zermelo("train", "tictactoe", "--run", run, "--games", 24, *QUICK)
    assert again.stdout.startswith("going on with ")
    assert "round 3: 24 games" in again.stdout
    played = zermelo("match", "tictactoe", f"az:model={run},sims=4", "random", "--games", 4, "--json")
    assert played.returncode == 0, played.stderr


def test_ctrl_c_stops_and_says_how_to_go_on(tmp_path):
    command = [
        sys.executable,
        "-m",
        "zermelo",
        "train",
        "tictactoe",
        "--run",
        str(tmp_path / "run"),
        *QUICK,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    assert process.stdout.readline().startswith("round 1")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stopped; the same command goes on" in told


def test_what_is_wrong_is_told_in_one_line(tmp_path):
    old = ["tictactoe", "--run", tmp_path / "run", *QUICK]
    zermelo("train", *old, "--games", 8)
    for words, message in (
        ([*old, "--set", "learner.rate=0.5"], "learner.rate: 0.002, not"),
        (["tictactoe", "--set", "learner.speed=3"], "`learner.speed` is not a part"),
        (["tictactoe", "--set", "seed"], "key=value"),
        (["tictactoe", "--config", tmp_path / "no.toml"], "cannot be read"),
        (["nothing"], "no game is called"),
    ):
        done = zermelo("train", *words)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1

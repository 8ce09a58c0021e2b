"""Runs that are stopped, killed, damaged, and go on."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.errors import RunError
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.model import read_model

QUICK = {
    "rounds.games": "16",
    "selfplay.parallel": "16",
    "network.blocks": "1",
    "network.filters": "8",
    "network.policy_filters": "2",
    "network.value_filters": "1",
    "network.value_hidden": "8",
    "selfplay.search.simulations": "4",
    "learner.batch": "32",
    "replay.window": "300",
    "watch.graded": "0",
}


def quick(game="tictactoe", **changes):
    return completed({"game": game}, {**QUICK, **changes})


def trained(directory, games, config=None):
    """Stopped after so many games, of a run that could go on much longer."""
    run, rounds = Run(directory, config or quick()), []
    if run.manifest["games"] < games:
        for done in run.train(Limits(games=4000)):
            rounds.append(done)
            if done.games >= games:
                break
    return run, rounds


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_that_is_stopped_goes_on_as_if_it_had_not(tmp_path):
    whole, _ = trained(tmp_path / "whole", 64)
    for games in (16, 48, 64):
        stopped, _ = trained(tmp_path / "stopped", games)
    for name, weights in whole.learner.weights().items():
        assert (weights == stopped.learner.weights()[name]).all(), name
    games = [lines(tmp_path / name / "games.jsonl") for name in ("whole", "stopped")]
    assert games[0] == games[1]
    assert len({game["number"] for game in games[0]}) == 64, "none is there twice"
    assert [line["games"] for line in lines(tmp_path / "stopped" / "metrics.jsonl")] == [16, 32, 48, 64]


def test_the_model_of_a_run_plays(tmp_path):
    run, rounds = trained(tmp_path / "run", 32)
    assert [one.round for one in rounds] == [1, 2]
    model = read_model(tmp_path / "run" / "best.safetensors")
    assert model.game == "tictactoe"
    assert model.provenance["games"] == 32
    player = zermelo.player(f"az:model={tmp_path / 'run'},sims=4")
    assert zermelo.match(run.game, player, zermelo.player("random"), games=6).games == 6


def test_old_positions_leave_the_window_and_stay_away_after_going_on(tmp_path):
    run, _ = trained(tmp_path / "run", 160)
    again = Run(tmp_path / "run", quick())
    assert run.replay.added > 300
    assert len(again.replay) == len(run.replay) == 300
    before, after = run.replay.latest(300), again.replay.latest(300)
    assert all((before[name] == after[name]).all() for name in before)
    assert len(list((tmp_path / "run").glob("state-*"))) == 1


PROGRAM = """
import sys
from pathlib import Path
from learning.test_run import quick
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
for done in Run(Path(sys.argv[1]), quick()).train(Limits(games=4000)):
    print(done.round, flush=True)
"""


def killed(directory, seconds):
    """Begin or go on with a run, and kill it so long after its first round."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(directory)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    process.stdout.readline()
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def kill_and_go_on(directory, times):
    chance, seen = random.Random(5), 0
    for _ in range(times):
        killed(directory, chance.uniform(0.0, 0.5))
        manifest = json.loads((directory / "manifest.json").read_text())
        assert manifest["rounds"] > seen, "rounds that were finished are kept"
        seen = manifest["rounds"]
        run = Run(directory, quick())
        assert run.manifest == manifest
        assert run.learner.steps == lines(directory / "metrics.jsonl")[-1]["steps"]
        numbers = [game["number"] for game in lines(directory / "games.jsonl")]
        assert len(numbers) == len(set(numbers)) == manifest["games"], "none is lost, none is there twice"
    fresh, _ = trained(directory.parent / "fresh", manifest["games"])
    for name, weights in fresh.learner.weights().items():
        assert np.allclose(weights, run.learner.weights()[name]), "the curve goes on as without a kill"


def test_a_run_survives_sigkill(tmp_path):
    kill_and_go_on(tmp_path / "run", 3)


@pytest.mark.slow
def test_a_run_survives_sigkill_at_twenty_moments(tmp_path):
    kill_and_go_on(tmp_path / "run", 20)


def test_another_configuration_is_refused_with_the_difference(tmp_path):
    trained(tmp_path / "run", 16)
    with pytest.raises(RunError, match=r"another configuration \(learner.rate: 0.002, not 0.5\)"):
        Run(tmp_path / "run", quick(**{"learner.rate": "0.5"}))
    with pytest.raises(RunError, match="game: tictactoe, not connect4"):
        Run(tmp_path / "run", quick("connect4"))


def test_a_directory_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(RunError, match="is not empty, and is no run"):
        Run(tmp_path, quick())
    assert (tmp_path / "letters.txt").read_text() == "dear"


@pytest.mark.parametrize(
    "name", ["manifest.json", "state-000001.safetensors", "positions/000001.safetensors"]
)
def test_a_damaged_file_is_named_and_nothing_is_destroyed(tmp_path, name):
    trained(tmp_path / "run", 16)
    path = tmp_path / "run" / name
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(RunError, match=name.rsplit("/")[-1].replace(".", r"\.")):
        Run(tmp_path / "run", quick())
    assert path.read_bytes() == path.read_bytes()[:20]

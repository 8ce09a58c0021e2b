"""What a run will be, and what it shows of itself."""

import math
import time

import pytest

from learning.test_run import quick
from zermelo.cli.training import Display, describe
from zermelo.learning.forecast import forecast
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.search.pool import Pool


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path / "run", quick())


def test_a_forecast_is_made_of_what_was_measured(run):
    found = forecast(run, Limits(seconds=60), seconds=0.1)
    assert found.parameters == sum(one.numel() for one in run.learner.network.parameters())
    each = 4 / found.simulations_per_second + 6 * found.step_seconds / 32
    assert found.positions_per_hour == pytest.approx(3600 / each)
    assert found.megabytes == pytest.approx(300 * run.replay.bytes_per_position / 1e6)
    assert found.seconds_left == 60
    assert run.learner.steps == 0, "the learner of the run is left alone"


def test_the_display_says_what_the_run_is_at(run):
    run.doing = "measuring"
    assert dict(Display(run)._rows())["round"] == "0: measuring its strength"
    list(run.train(Limits(rounds=1)))
    rows = dict(Display(run)._rows())
    assert rows["rounds"] == "1"
    assert "round" not in rows


def test_slow_rules_are_measured_too(tmp_path, monkeypatch):
    run = Run(tmp_path / "kalah", quick(game="examples/kalah.py"))
    play = type(run.game).play

    def slowly(game, state, action):
        time.sleep(0.002)
        return play(game, state, action)

    monkeypatch.setattr(type(run.game), "play", slowly)
    assert 0 < forecast(run, Limits(), seconds=0.1).simulations_per_second < 500


def test_what_is_slow_only_once_does_not_count(run, monkeypatch):
    search, slept = Pool.search, []

    def slow_at_first(pool, jobs):
        if not slept:
            slept.append(time.sleep(1.0))
        return search(pool, jobs)

    monkeypatch.setattr(Pool, "search", slow_at_first)
    found = forecast(run, Limits(), seconds=0.01)
    assert slept
    assert found.simulations_per_second > 100


def test_the_end_is_told_by_the_nearest_limit(run):
    assert forecast(run, Limits(), seconds=0.1).seconds_left is None
    assert forecast(run, Limits(loss=0.1), seconds=0.1).seconds_left is None
    assert 0 < forecast(run, Limits(games=10, seconds=1e9), seconds=0.1).seconds_left < 1e6


def test_a_run_is_described_in_a_few_lines(run):
    lines = list(describe(run, forecast(run, Limits(seconds=60), seconds=0.1)))
    assert lines[0].startswith(
        f"beginning {run.directory.path}: tictactoe, a network of 1 blocks of 8 filters"
    )
    assert "evaluations/s" in lines[1]
    assert "ends about" in lines[1]
    list(run.train(Limits(rounds=1)))
    assert next(describe(run, forecast(run, Limits(), seconds=0.1))).startswith("going on with")


def test_a_round_is_a_line_with_what_was_measured(run, capsys):
    limits = Limits(rounds=2)
    with Display(run) as display:
        done = list(run.train(limits, [display]))
        run.measure("strength", {"against": {"random": 0.75}, "mistakes": 0.125, "mistakes_alone": 0.5})
        line = display.line(done[-1])
    told = capsys.readouterr().out.splitlines()
    assert [one.split(":")[0] for one in told] == ["round 1", "round 2"]
    assert line.startswith("round 2: 32 games, ")
    assert line.endswith("; against random 75%, mistakes 12.50%, network alone 50.00%")


def test_the_panel_has_every_figure(run):
    limits = Limits(rounds=2)
    display = Display(run)
    assert dict(display._rows())["round"] == "1: starting"
    list(run.train(limits, [display]))
    rows = dict(display._rows())
    assert {"time", "rounds", "so far", "losses", "speed", "network", "games"} <= rows.keys()
    assert rows["so far"].startswith("32 games, ")
    assert math.isclose(limits.progress(run.manifest), 1.0)

"""Time limits that hold, and what a run does with its time."""

import math
import time

import numba
import pytest
import torch

import zermelo
from learning.test_run import quick
from zermelo.arena.match import match_within
from zermelo.errors import RunError
from zermelo.learning.callbacks import Strength
from zermelo.learning.forecast import check_feasible, forecast
from zermelo.learning.learner import Learner, ThreadCount
from zermelo.learning.limits import Limits
from zermelo.learning.round import Clock
from zermelo.learning.run import Run
from zermelo.learning.schedule import Budget, Schedule, Speed
from zermelo.players.registry import player

SECONDS, TOLERATED = 2.5, 1.5


def slowed(monkeypatch, owner, name, seconds):
    function = getattr(owner, name)

    def slowly(*arguments, **options):
        time.sleep(seconds)
        return function(*arguments, **options)

    monkeypatch.setattr(owner, name, slowly)


SLOW = {
    "playing": {},
    "learning": {},
    "measuring": {"watch.share": "0.2", "watch.against": '["uct:sims=100000"]', "watch.games": "20"},
    "the gate": {"gate.games": "40"},
    "solving": {"watch.share": "0.2", "watch.graded": "200"},
    "a perfect opponent": {"watch.share": "0.2", "watch.against": '["perfect"]', "watch.games": "2"},
    "an opponent that looks far ahead": {
        "watch.share": "0.2",
        "watch.against": '["minimax:depth=30"]',
        "watch.games": "2",
    },
}


@pytest.mark.parametrize("what", SLOW)
def test_a_time_limit_holds_whatever_is_slow(what, tmp_path, monkeypatch):
    games = {
        "playing": "examples/nim.py:heap=40",
        "solving": "othello:size=6",
        "a perfect opponent": "othello:size=6",
        "an opponent that looks far ahead": "connect4",
    }
    game = games.get(what, "tictactoe")
    run = Run(tmp_path / "run", quick(game, **SLOW[what]))
    forecast(run, Limits(), seconds=0.1)
    if what == "playing":
        slowed(monkeypatch, type(run.game), "play", 0.002)
    if what == "learning":
        slowed(monkeypatch, Learner, "step", 0.1)
    if what == "the gate":
        slowed(monkeypatch, type(player("az")), "__post_init__", 0.2)
    clock = Clock()
    list(run.train(Limits(seconds=SECONDS), run.callbacks()))
    assert clock.seconds < SECONDS + TOLERATED
    assert run.manifest["rounds"] > 0
    assert SECONDS / 2 < run.manifest["seconds"] < SECONDS + TOLERATED


def test_processor_time_is_a_limit_too(tmp_path):
    run, begin = Run(tmp_path / "run", quick()), time.process_time()
    list(run.train(Limits(cpu_seconds=1.5)))
    assert run.manifest["rounds"] > 0
    assert time.process_time() - begin < 1.5 + TOLERATED


def test_the_first_network_comes_early(tmp_path):
    run, begin = Run(tmp_path / "run", quick("connect4", **{"rounds.games": "4000"})), time.monotonic()
    next(run.train(Limits(seconds=6.0)))
    assert time.monotonic() - begin < 2.5
    assert run.directory.best.exists()


@pytest.mark.parametrize("name", ["games", "steps"])
def test_counts_are_kept_exactly(name, tmp_path):
    run = Run(tmp_path / "run", quick())
    list(run.train(Limits(**{name: 37})))
    assert run.manifest[name] == 37
    list(Run(tmp_path / "run", quick()).train(Limits(**{name: 39})))
    assert Run(tmp_path / "run", quick()).manifest[name] == 39


def test_time_before_the_first_iteration_counts(tmp_path, monkeypatch):
    config = quick("examples/nim.py:heap=40", **{"selfplay.warm_games": "0"})
    run = Run(tmp_path / "run", config)
    slowed(monkeypatch, type(run.game), "play", 0.05)
    assert list(run.train(Limits(seconds=0.4))) == []
    spent = Run(tmp_path / "run", config).spent["seconds"]
    assert 0.3 < spent < 0.4 + TOLERATED
    clock = Clock()
    list(Run(tmp_path / "run", config).train(Limits(seconds=spent + 0.1)))
    assert clock.seconds < 0.1 + TOLERATED


def test_compiling_does_not_count():
    @numba.njit
    def kernel(n):
        total = 0
        for i in range(n):
            total += i * i
        return total

    begin, clock = time.monotonic(), Clock()
    kernel(3)
    passed = time.monotonic() - begin
    assert passed > 0.03
    assert clock.seconds < passed / 2


def test_a_run_that_cannot_make_a_network_is_refused(tmp_path):
    run = Run(tmp_path / "run", quick())
    run.speed = Speed(step_seconds=30.0, simulations_per_second=1e4, rollouts_per_second=1e4, game_length=7)
    with pytest.raises(
        RunError, match=r"a first network takes about 6\d.* s here .*give it 1.6 minutes or more, or"
    ):
        check_feasible(run, Limits(seconds=20))
    check_feasible(run, Limits(seconds=200))
    check_feasible(run, Limits(games=2))


# Measuring.


def test_measuring_takes_no_more_than_its_share(tmp_path, monkeypatch):
    config = quick(
        "examples/nim.py:heap=40",
        **{"watch.share": "0.3", "watch.against": '["uct:sims=2000"]', "watch.games": "100"},
    )
    run, said = Run(tmp_path / "run", config), []
    slowed(monkeypatch, type(run.game), "play", 0.001)
    strength = Strength([], said.append)
    list(run.train(Limits(seconds=4.0), [strength]))
    assert strength._used < 0.3 * 4.0 + 1.0
    assert len(said) == len(set(said)) == 1
    assert "measuring may take" in said[0] or "measured with fewer simulations" in said[0]


def test_a_match_ends_in_time():
    game, a, b = zermelo.game("connect4"), player("uct:sims=2000"), player("random")
    whole = match_within(60.0, game, a, b, 6)
    assert whole.games == 6
    begin = time.monotonic()
    part = match_within(0.3, game, a, b, 10_000)
    assert time.monotonic() - begin < 0.3 + TOLERATED
    assert 2 <= part.games < 10_000
    assert match_within(0.0, game, player("uct:sims=100000"), b, 10) is None


# Threads.


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("best", [1, 2])
def test_the_number_of_threads_is_the_faster_one(best, threads):
    count = ThreadCount(2)
    for _ in range(40):
        with count.chosen():
            time.sleep(0.002 if torch.get_num_threads() == best else 0.006)
    assert torch.get_num_threads() == best


def test_a_machine_that_becomes_busy_is_noticed(threads):
    count, used, slow = ThreadCount(2), [], 1
    for step in range(400):
        slow = 2 if step > 100 else 1
        with count.chosen():
            used.append(torch.get_num_threads())
            time.sleep(0.003 if torch.get_num_threads() == slow else 0.001)
    assert used[50:100].count(2) > 40
    assert used[200:].count(1) > 150


# Budgets.


def test_iterations_grow_from_a_first_that_is_short():
    config = quick("connect4")
    schedule = Schedule(config, 600.0, Speed(0.001, 0.05, 0.5, 20_000, 50_000, 30))
    first = schedule.budget(0.0, 600.0, True, True, 32)
    assert 10 < first.play_seconds + first.learn_seconds < 16
    lengths = [
        plan.play_seconds + plan.learn_seconds
        for plan in (
            schedule.budget(passed, 600 - passed, False, False, 32) for passed in (20, 100, 200, 400)
        )
    ]
    assert lengths == sorted(lengths)
    assert 4 < lengths[0] < 8
    assert schedule.budget(590.0, 10.0, False, False, 32).play_seconds < 10


def test_time_is_divided_by_what_playing_and_learning_cost():
    config = quick("connect4")
    cheap, dear = (Schedule(config, 600.0, Speed(0.001, step, 0.5, 1e4, 1e4, 30)) for step in (1e-3, 1.0))
    shares = [one.budget(100, 500, False, False, 32) for one in (cheap, dear)]
    assert shares[0].play_seconds > shares[0].learn_seconds
    assert shares[1].play_seconds < shares[1].learn_seconds


def test_a_single_position_says_little_of_what_positions_cost():
    """The first game that ends after a second does not have later iterations play for too long."""
    speed = Speed()
    speed.update("position_seconds", 1.2, 1)
    speed.update("position_seconds", 1.5, 1500)
    assert speed.position_seconds == pytest.approx(0.0014, rel=0.1)


def test_the_newest_measurement_counts_most():
    speed = Speed(overhead_seconds=1.0)
    for _ in range(5):
        speed.update("overhead_seconds", 3.0, 1)
    assert 2.9 < speed.overhead_seconds < 3


def test_games_come_in_for_what_the_next_iteration_can_learn_from():
    config = quick("connect4", **{"rounds.uses": "4", "learner.batch": "128"})
    schedule = Schedule(config, 600.0, Speed(0.001, 0.05, 0.5, 1e4, 1e4, game_length=32))
    budget = Budget(play_seconds=2.0, learn_seconds=5.0)
    assert schedule.games_ahead(budget, owed=80) == 100, "100 steps, each of a game's 32 positions"
    assert schedule.games_ahead(budget, owed=130) == 70, "some of them for what is left over"
    assert schedule.games_ahead(budget, owed=300) == 0
    unknown = Schedule(config, 600.0, Speed())
    assert unknown.games_ahead(budget, owed=0) == math.inf


def test_slow_rules_play_fewer_games_at_once():
    config = quick("connect4", **{"selfplay.parallel": "256"})
    fast, slow = (Schedule(config, 60.0, Speed(0.001, 0.01, 0.5, speed, speed, 30)) for speed in (1e6, 1e3))
    assert fast.budget(10, 50, False, False, 32).parallel == 256
    assert slow.budget(10, 50, False, False, 32).parallel < 32


# What reviewers asked.


def test_a_run_without_a_time_limit_is_repeated_exactly(tmp_path):
    runs = [Run(tmp_path / name, quick()) for name in ("one", "two")]
    for run in runs:
        list(run.train(Limits(games=48)))
        assert run.learner.threads is None
    one, two = (run.learner.weights() for run in runs)
    assert all((one[name] == two[name]).all() for name in one)


def test_threads_are_as_before_after_a_run(tmp_path, threads):
    torch.set_num_threads(2)
    list(Run(tmp_path / "run", quick()).train(Limits(seconds=0.5)))
    assert torch.get_num_threads() == 2


def test_games_beyond_the_limit_are_played_only_once(tmp_path):
    """A run that is stopped while it learns has its games in the file of the open round."""
    run = Run(tmp_path / "run", quick())

    class Stopped(Exception):
        pass

    def stop(*_arguments):
        raise Stopped

    run.learner.step = stop
    with pytest.raises(Stopped):
        list(run.train(Limits(games=40)))
    assert len(run._ended) >= 16
    again = Run(tmp_path / "run", quick())
    assert {one.number for one in again._ended} == {one.number for one in run._ended}


def test_time_does_not_count_before_training_begins(tmp_path):
    run = Run(tmp_path / "run", quick())
    time.sleep(0.05)
    assert run.spent["seconds"] == 0
    list(run.train(Limits(games=16)))
    spent = run.spent["seconds"]
    time.sleep(0.05)
    assert run.spent["seconds"] == spent == Run(tmp_path / "run", quick()).spent["seconds"]


def test_a_score_is_one_of_a_whole_match_at_full_strength(tmp_path, monkeypatch):
    config = quick("connect4", **{"watch.share": "0.3", "watch.games": "400", "watch.simulations": "200"})
    run = Run(tmp_path / "run", config)
    list(run.train(Limits(seconds=3.0), [Strength([])]))
    assert "against" in run.manifest["measured"]
    assert "score" not in run.manifest["measured"]


def test_the_share_of_measuring_is_that_of_each_call(tmp_path):
    config = quick(**{"watch.share": "0.2", "watch.games": "2000"})
    list(Run(tmp_path / "run", config).train(Limits(seconds=2.0)))
    strength = Strength([])
    list(Run(tmp_path / "run", config).train(Limits(seconds=3.0), [strength]))
    assert strength._used < 0.2 * 1.0 + 1.1


def test_players_without_simulations_are_measured_against_as_they_are(tmp_path):
    config = quick(
        **{"watch.share": "0.5", "watch.against": '["az:level=2", "perfect"]', "watch.games": "4"}
    )
    run = Run(tmp_path / "run", config)
    list(run.train(Limits(seconds=3.0), [Strength([])]))
    assert run.manifest["measured"]["against"].keys() == {"az:level=2", "perfect"}


def test_no_more_is_set_apart_for_the_end_than_measuring_took(tmp_path):
    run = Run(tmp_path, quick(**{"watch.against": "['random']", "watch.games": "2"}))
    list(run.train(Limits(rounds=1)))
    run.limits, strength = Limits(seconds=600.0), Strength([])
    assert strength.final_seconds(run) == 0.05 * 600, "nobody knows yet how long it takes"
    strength.measure(run, 30.0)
    assert strength.final_seconds(run) < 10

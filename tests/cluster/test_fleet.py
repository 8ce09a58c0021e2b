"""Runs whose games workers of a real Ray play, on this machine."""

import json
import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from zermelo.arena.mistakes import exam, mistakes
from zermelo.cluster.fleet import AHEAD, Fleet
from zermelo.errors import ClusterError, GameFileError
from zermelo.learning.callbacks import Callback
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.players.az import AzPlayer

SMALL = {
    "rounds.games": "64",
    "selfplay.parallel": "64",
    "selfplay.search.simulations": "16",
    "network.blocks": "1",
    "network.filters": "16",
    "learner.batch": "64",
    "learner.rate": "0.01",
    "watch.share": "0",
}
GAMES = 700


def small(game="tictactoe", **changes):
    return completed({"game": game}, {**SMALL, **changes})


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def numbers(directory):
    """Of the games that are stored, none of which may be there twice."""
    found = [game["number"] for game in lines(directory / "games.jsonl")]
    assert len(found) == len(set(found))
    return found


def errs(run):
    """The network's share of mistakes, by itself, in all positions of Tic-Tac-Toe."""
    return mistakes(AzPlayer(model=str(run.directory.best), sims=0), exam(run.game, 1)).share


@pytest.fixture(scope="module")
def trained(ray, tmp_path_factory):
    """A run of two workers, and one of the same configuration in one process."""
    config, home = small(), tmp_path_factory.mktemp("trained")
    many = Run(home / "many", config, Fleet(config, "local", 2))
    list(many.train(Limits(games=GAMES)))
    one = Run(home / "one", config)
    list(one.train(Limits(games=GAMES)))
    return many, one


def test_two_workers_teach_as_well_as_one_process(trained):
    many, one = map(errs, trained)
    assert one < 0.06
    assert many < 0.06, "an untrained network errs in a third of the positions"
    assert abs(many - one) < 0.03


def test_workers_play_while_the_learner_learns(trained):
    rounds = lines(trained[0].directory.path / "metrics.jsonl")
    playing = 0
    for line in rounds:
        facts, (begin, end) = line["cluster"], line["cluster"]["learning"]
        assert begin < end
        assert 0 <= facts["stale"] <= 1
        assert facts["alive"] <= facts["workers"] == 2
        for first, last in facts["meanwhile"]["parcels"]:
            assert first < end
            assert last > begin
            playing += begin < first < last < end
    assert playing > 0, "some games were begun and handed over while a round was learnt from"
    assert sum(line["cluster"]["positions_per_second"] > 0 for line in rounds) > len(rounds) / 2


def test_every_position_that_came_in_is_counted_once(trained):
    run = trained[0]
    assert len(numbers(run.directory.path)) == run.manifest["games"] >= GAMES
    assert sum(run.manifest["round_positions"]) == run.manifest["positions"] == run.replay.added
    begun = Run(run.directory.path, run.config)
    waiting = {one.number for one in begun._ended} | set(begun.source.selfplay.under_way)
    assert len(waiting) >= run.config.selfplay.parallel, "the games under way are kept"
    assert not waiting & set(numbers(run.directory.path))


class After(Callback):
    """Does something when so many games have ended."""

    def __init__(self, games, action):
        self.games, self.action = games, action

    def game_ends(self, run, game):
        self.games -= 1
        if self.games == 0:
            self.action()


def test_a_run_goes_from_one_process_to_workers_and_back(ray, tmp_path):
    config, path = small(), tmp_path / "run"

    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(Run(path, config).train(Limits(games=200), [After(100, stop)]))
    begun = set(Run(path, config).source.selfplay.under_way)
    assert len(begun) > 50
    with pytest.raises(KeyboardInterrupt):
        list(Run(path, config, Fleet(config, "local", 2)).train(Limits(games=900), [After(200, stop)]))
    back = Run(path, config)
    kept = {one.number for one in back._ended} | set(back.source.selfplay.under_way)
    assert begun <= kept | set(numbers(path)), "games under way went to the workers, and came back"
    assert not kept & set(numbers(path))
    list(back.train(Limits(games=back.manifest["games"] + 200)))
    waiting = {one.number for one in back._ended} | set(back.source.selfplay.under_way)
    assert kept - waiting <= set(numbers(path))
    assert len(kept & set(numbers(path))) > 100


def test_workers_that_all_die_at_once_are_replaced(ray, tmp_path):
    config, path = small(), tmp_path / "run"
    fleet = Fleet(config, "local", 2)
    run, killed = Run(path, config, fleet), []

    def kill():
        for process in fleet.processes:
            os.kill(process, signal.SIGKILL)
            killed.append(process)

    list(run.train(Limits(games=500), [After(70, kill)]))
    facts = [line["cluster"] for line in lines(path / "metrics.jsonl")]
    assert 1 <= len(killed) <= 2
    assert sum(one["deaths"] for one in facts) == len(killed)
    assert len(numbers(path)) == run.manifest["games"] >= 500
    lost = sum(one["lost"] for one in facts)
    waiting, state = fleet.snapshot()
    assert len(state["flying"]) == 0
    stored = run.manifest["games"] + len(waiting) + len(state["numbers"])
    assert int(state["begun"]) == stored + lost + fleet.unused, "every number is somewhere"
    assert not set(killed) & set(fleet.processes)


def hardly_learning(path, games):
    """A run of two workers with one gradient step for so many games."""
    config = small(**{"rounds.games": str(games), "rounds.steps": "1"})
    fleet = Fleet(config, "local", 2)
    return Run(path, config, fleet), fleet


def test_workers_wait_when_far_more_has_ended_than_was_learnt_from(ray, tmp_path):
    run, fleet = hardly_learning(tmp_path / "run", games=8)

    class Slow(Callback):
        def round_ends(self, run, done):
            before = -1
            while before < fleet.waiting:
                before = fleet.waiting
                ray.wait([ray.put(0)], timeout=0)
                time.sleep(1.5)
            self.most = fleet.waiting

    slow = Slow()
    list(run.train(Limits(rounds=2), [slow]))
    bound = AHEAD * 8
    assert bound <= slow.most <= bound + 2 * 2 * (64 + 4), "and what was under way when they were told"
    assert lines(tmp_path / "run" / "metrics.jsonl")[-1]["cluster"]["paused_seconds"] > 0


def test_workers_leave_their_cores_to_a_learner_that_has_enough(ray, tmp_path):
    """Until it asks for more."""
    run, fleet = hardly_learning(tmp_path / "run", games=512)

    class Held(Callback):
        def round_ends(self, run, done):
            if done.round == 1:
                fleet.hold(0)
                time.sleep(1.5)
                self.before = fleet.waiting
                time.sleep(0.7)
                self.after = fleet.waiting

    held = Held()
    list(run.train(Limits(rounds=3), [held]))
    assert held.before == held.after < AHEAD * 512
    assert run.manifest["rounds"] == 3, "games are there again"


def test_a_worker_without_memory_is_told_and_nothing_begins(ray, tmp_path):
    config = small(**{"selfplay.cached": "1000000000000"})
    fleet = Fleet(config, "local", 2)
    with pytest.raises(ClusterError, match=r"2 workers do not fit: each needs 1 CPUs and .* GiB, and"):
        list(Run(tmp_path / "run", config, fleet).train(Limits(games=64)))
    assert fleet.processes == []


@pytest.mark.parametrize(("room", "count"), [(2.5, 2), (1.5, 1)])
def test_workers_that_nobody_asked_for_are_as_many_as_fit(room, count):
    said = []
    fleet = Fleet(small(), "local", say=said.append, is_asked_for=False)
    resources = {"memory": room * fleet._memory()}
    fleet.cluster = SimpleNamespace(
        workers=2, threads=1, is_local=True, ray=SimpleNamespace(available_resources=lambda: resources)
    )
    assert fleet._count() == count
    assert len(said) == (count < 2)


def test_what_a_worker_cannot_do_is_told_as_it_would_be_here(ray, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(Path("examples/kalah.py").read_text())
    config = small(str(file), **{"rounds.games": "4"})
    fleet = Fleet(config, "local", 1)
    run = Run(tmp_path / "run", config, fleet)
    file.unlink()
    with pytest.raises(GameFileError, match=r"mine\.py"):
        list(run.train(Limits(games=64)))

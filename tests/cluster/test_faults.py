"""Clusters of several nodes that lose some, drivers that are killed, nodes that are not like this one."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import zermelo
from cluster.test_fleet import lines, numbers, small
from zermelo.cluster.connection import connected
from zermelo.cluster.fleet import Fleet
from zermelo.cluster.worker import Worker
from zermelo.errors import ClusterError
from zermelo.learning.callbacks import Callback
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="clusters are for Unix")]
HERE = Path(__file__).parent


class Nodes:
    """The cluster of nodes.py, in its own process."""

    def __init__(self, environment=None, **options):
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(zermelo.__file__).parent.parent),
            **(environment or {}),
        }
        command = [sys.executable, str(HERE / "nodes.py"), json.dumps(options)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment,
        )  # fmt: skip
        self.address = self.process.stdout.readline().strip()

    def do(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


class Witness(Worker):
    """Writes every game that ends here into a file of its own, before anybody can lose it."""

    def _count(self, one, versions):
        with open(f"{os.environ['ZERMELO_WITNESS']}-{os.getpid()}", "a") as file:
            file.write(f"{one.number} {len(one.lessons)}\n")
        super()._count(one, versions)


class Chaos(Callback):
    """Kills workers and nodes at random, and lets others come."""

    def __init__(self, fleet, nodes):
        self.fleet, self.nodes, self.chance = fleet, nodes, random.Random(3)
        self.next, self.deaths = time.monotonic() + 10, 0

    def game_ends(self, run, game):
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self.chance.uniform(2, 12)
        self.deaths += 1
        if self.chance.random() < 0.6:
            alive = self.fleet.processes
            for process in alive if self.chance.random() < 0.3 else alive[:1]:
                os.kill(process, signal.SIGKILL)
        else:
            self.nodes.do("kill")
            self.nodes.do("add")


def test_nodes_and_workers_are_killed_for_minutes_and_every_game_is_accounted_for(tmp_path, monkeypatch):
    config, path = small(), tmp_path / "run"
    (tmp_path / "seen").mkdir()
    monkeypatch.setenv("ZERMELO_WITNESS", str(tmp_path / "seen" / "by"))
    monkeypatch.setenv("PYTHONPATH", f"{HERE.parent}:{os.environ.get('PYTHONPATH', '')}")
    environment = {name: os.environ[name] for name in ("ZERMELO_WITNESS", "PYTHONPATH")}
    with Nodes(environment, num_cpus=2) as nodes:
        for _ in range(2):
            nodes.do("add")
        fleet = Fleet(config, nodes.address, 4, kind=Witness)
        run = Run(path, config, fleet)
        chaos = Chaos(fleet, nodes)
        list(run.train(Limits(seconds=150), [chaos]))
        waiting, state = fleet.snapshot()
    assert chaos.deaths > 5
    facts = [line["cluster"] for line in lines(path / "metrics.jsonl")]
    lost = sum(one["lost"] for one in facts) + fleet.lost
    seen = dict(
        map(int, line.split())
        for file in (tmp_path / "seen").iterdir()
        for line in file.read_text().splitlines()
    )
    stored = set(numbers(path)) | {one.number for one in waiting}
    assert len(stored) == run.manifest["games"] + len(waiting)
    assert stored <= set(seen), "nothing is stored that was not played"
    on_their_way = set(seen) - stored
    assert len(on_their_way) <= lost, "what was played and is not stored was on its way at a kill"
    produced = sum(seen.values())
    positions = run.manifest["positions"] + sum(len(one.lessons) for one in waiting)
    assert produced == positions + sum(seen[number] for number in on_their_way)
    assert int(state["begun"]) == len(stored) + len(state["numbers"]) + lost + fleet.unused
    assert sum(one["deaths"] for one in facts) > 3
    assert run.manifest["games"] > 500


def test_a_node_of_another_zermelo_is_refused(tmp_path):
    source = Path(zermelo.__file__).parent
    subprocess.run(["cp", "-r", str(source), str(tmp_path / "zermelo")], check=True)
    init = tmp_path / "zermelo" / "__init__.py"
    init.write_text(init.read_text().replace(f'"{zermelo.__version__}"', '"9.9.9"'))
    with (
        Nodes({"PYTHONPATH": str(tmp_path)}, num_cpus=1) as nodes,
        pytest.raises(
            ClusterError, match=r"has Zermelo 9\.9\.9 \(\w+\), this process .*; install the same"
        ),
        connected(nodes.address),
    ):
        pass


def test_a_cluster_of_another_python_is_refused():
    with Nodes(num_cpus=1) as nodes:
        nodes.do("version 3.8.0")
        with (
            pytest.raises(ClusterError, match=r"has another Ray or Python: .*3\.8\.0"),
            connected(nodes.address),
        ):
            pass


def test_workers_that_find_no_memory_on_any_node_are_told(tmp_path, monkeypatch):
    from zermelo.cluster import fleet as fleets

    monkeypatch.setattr(fleets, "_PLACED_WITHIN", 5.0)
    config = small()
    with Nodes(num_cpus=2, memory=100_000_000) as nodes:
        run = Run(tmp_path / "run", config, Fleet(config, nodes.address, 2))
        with pytest.raises(ClusterError, match=r"no worker has found a place .* 0\.4 GiB, and"):
            list(run.train(Limits(games=64)))


QUICK = [
    "--set", "rounds.games=32", "--set", "selfplay.parallel=32", "--set", "network.blocks=1",
    "--set", "network.filters=8", "--set", "selfplay.search.simulations=4", "--set", "watch.share=0",
]  # fmt: skip


AGENTS = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")


def train(run, games, ray="local"):
    """A run with two workers, in a process group of its own; it has played some rounds."""
    words = ["tictactoe", "--run", run, "--games", games, "--ray", ray, "--workers", 2, *QUICK]
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "train", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for _ in range(3):
        process.stdout.readline()
    return process


def left_over(process):
    """Processes that this one began and that are still there after 20 seconds. Ray's own agents may take
    longer, but end too: they tell a cluster that is gone that it is gone."""
    for tries in range(300):
        found = []
        for words in (["-s", str(process.pid)], ["-f", f"zermelo-ray-{process.pid}-"]):
            told = subprocess.run(["pgrep", "-a", *words], capture_output=True, text=True).stdout
            found += [one for one in told.splitlines() if not one.endswith("<defunct>")]
        others = [one for one in found if not one.endswith(AGENTS)]
        if not found or (others and tries >= 40):
            return others
        time.sleep(0.5)
    return found


def test_a_killed_driver_takes_its_workers_along_and_goes_on(tmp_path):
    for _ in range(3):
        process = train(tmp_path / "run", 100_000)
        stored = set(numbers(tmp_path / "run"))
        process.kill()
        process.communicate()
        assert left_over(process) == []
    assert stored <= set(numbers(tmp_path / "run"))


def test_ctrl_c_ends_everything_and_keeps_what_has_ended(tmp_path):
    process = train(tmp_path / "run", 100_000)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip().endswith("stopped; the same command goes on")
    assert left_over(process) == []


def test_a_cluster_that_is_gone_ends_the_run_in_one_line(tmp_path):
    with Nodes(num_cpus=2) as nodes:
        process = train(tmp_path / "run", 100_000, nodes.address)
        there = subprocess.run(["pgrep", "-P", str(nodes.process.pid)], capture_output=True, text=True)
        for number in [nodes.process.pid, *map(int, there.stdout.split())]:
            os.kill(number, signal.SIGKILL)
        _, told = process.communicate(timeout=100)
    assert process.returncode == 2
    assert told.splitlines()[-1].endswith("is gone; the run is whole, and the same command goes on")
    assert len(numbers(tmp_path / "run")) > 64

"""What a cluster costs, and what limits it: Connect 4 with the search it is trained with.

    python benchmarks/cluster.py moved       # bytes of a position on its way, and in replay
    python benchmarks/cluster.py overhead    # two workers of one thread against one process of two threads
    python benchmarks/cluster.py parts       # what a position, the weights and a step of learning take
    python benchmarks/cluster.py model       # the limits that follow, for 10, 100 and 1,000 workers

Both sides of `overhead` are there all the time and take turns: one sleeps (SIGSTOP) while the other plays,
so that other work on the machine hits both. The learner does nothing meanwhile.
"""

import argparse
import json
import os
import pickle
import signal
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from zermelo.cluster.connection import connected
from zermelo.cluster.fleet import Fleet
from zermelo.cluster.parcel import Parcel, packed, unpacked
from zermelo.games.registry import game as named_game
from zermelo.learning.config import completed
from zermelo.learning.forecast import step_seconds
from zermelo.learning.replay import Replay
from zermelo.learning.run import Run
from zermelo.learning.source import Order, OwnGames
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.module import new_network, read_weights

CHANGES = {"selfplay.warm_games": "0", "network.blocks": "3", "network.filters": "32"}
CONFIG = completed({"game": "connect4"}, CHANGES)
GAME = named_game(CONFIG.game)
SHAPE = Shape.of(GAME, CONFIG.encoding)
ORDER = Order(CONFIG.selfplay.search)
QUICK = Order(CONFIG.selfplay.search.but(simulations=2))
"""To have games under way in all their parts before anything is measured."""
LINK = 125e6
"""Bytes per second of a network of one gigabit."""


def weights():
    return {name: value.numpy() for name, value in read_weights(new_network(CONFIG.network, SHAPE)).items()}


def _mixed(source):
    """Games of a source, after so many quick ones that those under way are not all of the same length."""
    quick = source.play(QUICK)
    for _ in range(2 * CONFIG.selfplay.parallel):
        next(quick)
    quick.close()
    return source.play(ORDER)


class Own:
    """One process with a thread for each core, in steps."""

    def __init__(self):
        self.source = OwnGames(GAME, CONFIG, SHAPE)
        self.source.begin(weights())
        self.playing = _mixed(self.source)
        self.ended = 0

    def searched(self):
        return self.ended + sum(len(one.lessons) for one in self.source.selfplay.under_way.values())

    def measure(self, seconds):
        begin, cpu, before = time.monotonic(), time.process_time(), self.searched()
        while time.monotonic() - begin < seconds:
            self.ended += len(next(self.playing).lessons)
        made = self.searched() - before
        return made / (time.monotonic() - begin), made / (time.process_time() - cpu)


class Workers:
    """Two workers with a thread each; they sleep unless they are measured."""

    def __init__(self):
        self.fleet = Fleet(CONFIG, "local", 2)
        self.fleet.begin(weights())
        self.playing, self.parcels = _mixed(self.fleet), []
        write = self.fleet._log.write
        self.fleet._log.write = lambda parcel, newest: (self.parcels.append(parcel), write(parcel, newest))
        next(self.playing)
        while len(self.fleet.processes) < 2:
            time.sleep(0.1)
        self.send(signal.SIGSTOP)

    def send(self, number):
        for process in self.fleet.processes:
            os.kill(process, number)

    def measure(self, seconds):
        self.send(signal.SIGCONT)
        before, begin = len(self.parcels), time.monotonic()
        while time.monotonic() - begin < seconds:
            next(self.playing)
        some, passed = self.parcels[before:], time.monotonic() - begin
        self.send(signal.SIGSTOP)
        made = sum(one.searched for one in some)
        return made / passed, made / sum(one.cpu_seconds for one in some)

    def close(self):
        self.send(signal.SIGCONT)
        self.fleet.end()


def overhead(turns, seconds):
    """Positions per second, and per second of a processor, of both; the medians of their ratios."""
    workers = Workers()
    own = Own()
    own.measure(seconds)
    workers.measure(seconds)
    found = []
    for _ in range(turns):
        found.append((own.measure(seconds), workers.measure(seconds)))
    workers.close()
    (one, _), (two, two_cpu) = np.median(found, axis=0).tolist()
    return {
        "what": "overhead",
        "one_process": one,
        "two_workers": two,
        "share": statistics.median(b[0] / a[0] for a, b in found),
        "share_per_cpu_second": statistics.median(b[1] / a[1] for a, b in found),
        "positions_per_cpu_second": two_cpu,
        "shares": [round(b[0] / a[0], 3) for a, b in found],
    }


def moved(games=64, parcel=8):
    """Bytes of a position of Connect 4 in parcels of some games, and in replay."""
    source = OwnGames(GAME, CONFIG, SHAPE)
    source.begin(weights())
    played = list(source.play(Order(CONFIG.selfplay.warm_search.but(simulations=10), True, games)))
    size = 0
    for begin in range(0, games, parcel):
        buffers = []
        some = Parcel(
            packed(GAME, played[begin : begin + parcel]), {1: 200, 2: 40}, 240, 0.5, 1.5, 1.0, 0.5, 0.3
        )
        size += len(pickle.dumps(some, protocol=5, buffer_callback=buffers.append))
        size += sum(one.raw().nbytes for one in buffers)
    each = size / sum(len(one.lessons) for one in played)
    kept = Replay(GAME, CONFIG.replay).bytes_per_position
    return {"what": "moved", "bytes_moved": each, "bytes_in_replay": kept, "share": each / kept}


def parts(seconds):
    """What is moved, and how long things take by themselves."""
    workers = Workers()
    workers.measure(seconds)
    workers.close()
    parcels = [one for one in workers.parcels if one.positions]
    with connected("local", 2) as cluster:
        context = cluster.ray._private.worker.global_worker.get_serialization_context()
        moved = sum(context.serialize(one).total_bytes for one in parcels)
        some = weights()
        size = context.serialize(some).total_bytes
        begin = time.perf_counter()
        cluster.ray.get(cluster.ray.put(some))
        OnnxEvaluator(CONFIG.network, SHAPE, some, 1)
        fresh = time.perf_counter() - begin
    positions = sum(one.positions for one in parcels)
    replay = Replay(GAME, CONFIG.replay)
    begin = time.process_time()
    for one in parcels:
        for played in unpacked(GAME, one.columns):
            replay.add(played)
            json.dumps(list(played.position.move_names))
    intake = (time.process_time() - begin) / positions
    torch.set_num_threads(1)
    with TemporaryDirectory() as home:
        step = step_seconds(Run(Path(home) / "run", CONFIG))
    return {
        "what": "parts",
        "bytes_moved": moved / positions,
        "bytes_in_replay": replay.bytes_per_position,
        "moved_share": moved / positions / replay.bytes_per_position,
        "weights_bytes": size,
        "weights_seconds": fresh,
        "intake_positions_per_second": 1 / intake,
        "samples_per_second": CONFIG.learner.batch / step,
        "uses": CONFIG.rounds.uses,
        "positions_per_worker_second": sum(one.searched for one in parcels)
        / sum(one.cpu_seconds for one in parcels),
    }


def model(found):
    """What N workers make, and what the rest can take, in positions per second. The weights go to every
    worker once a round, and a round has as many games as there are at once."""
    for count in (10, 100, 1000):
        made = count * found["positions_per_worker_second"]
        learner = found["samples_per_second"] / found["uses"]
        round_positions = 30 * max(CONFIG.rounds.games, 64 * count)
        each = found["bytes_moved"] + count * found["weights_bytes"] / round_positions
        limits = {
            "workers": made,
            "learner": learner,
            "network": LINK / each,
            "intake": found["intake_positions_per_second"],
        }
        print(json.dumps({
            "what": "model", "count": count, **{name: round(value) for name, value in limits.items()},
            "limit": min(limits, key=limits.get), "learners_needed": round(made / learner, 1),
            "megabytes_per_second": made * each / 1e6,
        }))  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["moved", "overhead", "parts", "model"])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=15)
    given = parser.parse_args()
    if given.what == "moved":
        print(json.dumps(moved()))
        return
    if given.what == "overhead":
        print(json.dumps(overhead(given.turns, given.seconds)))
        return
    found = parts(given.seconds)
    print(json.dumps(found), flush=True)
    if given.what == "model":
        model(found)


if __name__ == "__main__":
    main()

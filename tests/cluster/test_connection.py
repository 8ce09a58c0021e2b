"""What can be wrong with a cluster before anything is played."""

import os
import socket
import subprocess
import sys

import pytest

from cli.command import run
from cluster.test_fleet import small
from zermelo.cluster import fleet as fleets
from zermelo.cluster.connection import connected
from zermelo.cluster.fleet import Fleet
from zermelo.errors import ClusterError, UnknownName
from zermelo.games.registry import game
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run


def refused(tmp_path, *words):
    """The last line of stderr, when training ends with exit code 2."""
    done = run("train", "tictactoe", "--run", tmp_path / "run", "--games", 8, *words)
    told = done.stderr.splitlines()
    assert done.returncode == 2
    assert sum(line.startswith("error: ") for line in told) == 1
    return told[-1]


def test_ray_that_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    told = refused(tmp_path, "--ray", "local")
    assert "needs the extra `ray`: pip install 'zermelo[ray]'" in told
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("address", ["nowhere", "host:port", "ray://host:10001", ":6379"])
def test_an_address_that_cannot_be_one(tmp_path, address):
    told = refused(tmp_path, "--ray", address)
    assert f"`{address}` is not local, auto or HOST:PORT, such as 10.0.0.1:6379" in told


def test_workers_without_ray(tmp_path):
    assert "--workers 3 is for processes of Ray" in refused(tmp_path, "--workers", 3)


def test_an_address_that_does_not_answer(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    told = refused(tmp_path, "--ray", f"127.0.0.1:{port}", "--set", "watch.share=0")
    assert f"nothing answers at 127.0.0.1:{port}; begin a cluster there with: ray start --head" in told


def test_something_else_that_answers_is_given_up_in_time(monkeypatch, tmp_path):
    from zermelo.cluster import connection

    monkeypatch.setattr(connection, "_JOINS_WITHIN", 4.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=rf"{address} lets nobody in within 4 s"), connected(address):
            pass


def test_items_are_worked_on_by_workers_and_come_back_with_their_numbers(ray):
    with connected("local", 2) as cluster:
        found = sorted(cluster.each(os.getenv, ["OMP_NUM_THREADS", "HOME", "OMP_NUM_THREADS"]))
    assert found == [(0, "1"), (1, os.environ["HOME"]), (2, "1")], "each has one thread"


def test_what_a_worker_raises_is_raised_here(ray):
    with connected("local", 2) as cluster, pytest.raises(UnknownName, match="Did you mean `connect4`"):
        list(cluster.each(game, ["connect4", "conect4"]))


def test_a_ray_of_this_machine_listens_on_loopback_alone(ray):
    listening = subprocess.run(["ss", "-ltnpH"], capture_output=True, text=True).stdout.splitlines()
    ours = [line.split()[3] for line in listening if "raylet" in line or "gcs_server" in line]
    assert ours
    assert all("127.0.0.1" in address for address in ours)


def test_a_run_without_a_place_for_workers_ends(ray, monkeypatch, tmp_path):
    monkeypatch.setattr(fleets, "_PLACED_WITHIN", 3.0)
    config = small()
    fleet = Fleet(config, "local", 1, threads=100)
    with pytest.raises(ClusterError, match=r"no worker has found a place for 3 s: each needs 100 CPUs"):
        list(Run(tmp_path / "run", config, fleet).train(Limits(games=64)))

"""A Ray to work with: one that this machine has for itself, or the cluster that it belongs to.

    with connected("local", workers=2) as cluster:
        for number, result in cluster.each(function, items):
            ...

A Ray of this machine listens on loopback only, has no dashboard, and ends with this process, however that
ends. Whatever is wrong with a cluster is a `ClusterError` in words.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import zermelo
from zermelo.errors import BadParameter, ClusterError, MissingExtra, ZermeloError
from zermelo.machine import usable_cores

T = TypeVar("T")
R = TypeVar("R")

LOCAL, AUTO = "local", "auto"
_LOOPBACK = "127.0.0.1"
_STORE_BYTES = 200_000_000
"""Of a local object store: some versions of the weights, and some seconds of games."""
_ANSWERS_WITHIN, _JOINS_WITHIN, _TELLS_WITHIN = 5.0, 40.0, 120.0
"""Seconds in which an address must answer, a cluster let this process in, and nodes tell who they are."""
_ATTEMPTS, _RETRIES = 3, 3
"""How often a Ray is started before that is given up; how often work is done again that died."""
_SETTINGS = {
    "RAY_enable_pipe_based_agent_to_parent_health_check": "1",
    "RAY_worker_niceness": "0",
}
"""Of a local Ray: whatever it has begun notices at once, not after a minute, that this process has died;
and workers are no less important than this process, which would have played itself."""
_PREFIX = "zermelo-ray-"
_FIND = (
    "from ray._private.services import get_ray_address_from_environment as find; print(find('auto', None))"
)
_PROBE = "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, logging_level='ERROR')"


class Cluster:
    """A Ray that this process is connected to, with so many workers of so many threads each."""

    def __init__(self, address: str, workers: int, threads: int) -> None:
        import ray

        self.ray: Any = ray
        self.address, self.threads = address, threads
        self.workers = workers or self._fitting()
        here = ray.get_runtime_context().get_node_id()
        node = next(one for one in self.ray.nodes() if one["NodeID"] == here)
        self._node = node["NodeManagerAddress"], node["NodeManagerPort"]

    @property
    def is_there(self) -> bool:
        """Whether the node that this process belongs to still answers. Where it does not, Ray ends this
        process without a word as soon as it is asked for anything."""
        return _answers(*self._node)

    @property
    def is_local(self) -> bool:
        """Whether it is of this machine alone, and nobody else's."""
        return self.address == LOCAL

    def _fitting(self) -> int:
        """One worker for each core; where there are several machines, one core is left for this process."""
        if self.is_local:
            return max(1, usable_cores() // self.threads)
        cores = int(self.ray.cluster_resources().get("CPU", 0))
        return max(1, (cores - 1) // self.threads)

    def start(self, kind: type, *arguments: Any, memory: int = 0) -> Any:
        """An actor of this class, with the threads of a worker and so many bytes. It ends with this
        process, and when nobody holds its handle."""
        remote = self.ray.remote(kind)
        options = {"num_cpus": self.threads, "memory": memory, "max_restarts": 0, "max_task_retries": 0}
        return remote.options(**options).remote(*arguments)

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[int, R]]:
        """What the function makes of each item, with the item's number, in the order in which they are
        ready. The function is one of a module; it has the threads of a worker, and as many items are
        under way as there are workers. What dies with its process or node is done again, a few times."""
        remote = self.ray.remote(function).options(
            num_cpus=self.threads, max_retries=_RETRIES, retry_exceptions=False
        )
        waiting, under_way = enumerate(items), dict[Any, int]()
        try:
            while True:
                while len(under_way) < self.workers and (item := next(waiting, None)) is not None:
                    under_way[remote.remote(item[1])] = item[0]
                if not under_way:
                    return
                (ready, *_), _ = self.ray.wait(list(under_way))
                with explained("work was lost"):
                    result = self.ray.get(ready)
                yield under_way.pop(ready), result
        finally:
            for reference in under_way:
                self.ray.cancel(reference, force=True)

    def room(self) -> str:
        """What is free, in words."""
        free = self.ray.available_resources()
        return (
            f"{free.get('CPU', 0):.0f} CPUs and {free.get('memory', 0) / 2**30:.1f} GiB of memory are free"
        )


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Errors of Ray as errors of Zermelo; what a worker raised is raised here as it was."""
    import ray.exceptions

    try:
        yield
    except ray.exceptions.RayTaskError as error:
        cause = error.cause if isinstance(error.cause, BaseException) else error
        if isinstance(cause, ZermeloError):
            raise cause from None
        raise ClusterError(f"{what}: {cause_of(cause)}") from error
    except ray.exceptions.RayError as error:
        raise ClusterError(f"{what}: {cause_of(error)}") from error


@contextmanager
def connected(address: str, workers: int = 0, threads: int = 1) -> Iterator[Cluster]:
    """A cluster for as long as it is needed: `local`, `auto` (the one that this machine belongs to), or
    HOST:PORT of its head; 0 workers: as many as there are cores. If this process is connected already,
    that is what is used."""
    if workers < 0 or threads < 1:
        raise BadParameter(
            f"`workers` (={workers}) must not be negative, `threads` (={threads}) be at least 1"
        )
    check(address)
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        yield Cluster(address, workers, threads)
        return
    with _begun_here(workers, threads) if address == LOCAL else _joined(address):
        cluster = Cluster(address, workers, threads)
        _check_nodes(cluster)
        yield cluster


def check(address: str) -> None:
    """Raise an error unless there is a Ray, and this may be where."""
    if find_spec("ray") is None:
        raise MissingExtra("Work of more than one process", "ray")
    host, colon, port = address.rpartition(":")
    if address not in (LOCAL, AUTO) and not (colon and host and port.isdigit() and "/" not in host):
        raise BadParameter(f"`{address}` is not {LOCAL}, {AUTO} or HOST:PORT, such as 10.0.0.1:6379")


# A Ray of this machine.


@contextmanager
def _begun_here(workers: int, threads: int) -> Iterator[None]:
    _quieten()
    _stay_on_loopback(True)
    os.environ.update(_SETTINGS)
    import ray

    directory = own_directory()
    try:
        _start(directory, max(workers * threads, usable_cores()))
        nodes: Any = ray.nodes
        if (where := nodes()[0]["NodeManagerAddress"]) != _LOOPBACK:
            raise ClusterError(f"this Ray listens on {where}, not on loopback alone")
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(directory, ignore_errors=True)


def _start(directory: Path, cores: int) -> None:
    """Start Ray, which gives up after half a minute where other work leaves it no time; so, a few times."""
    import ray

    for attempt in range(_ATTEMPTS):
        try:
            ray.init(
                address=LOCAL,
                num_cpus=cores,
                object_store_memory=_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _node_ip_address=_LOOPBACK,
                _temp_dir=str(directory),
            )
        except Exception as error:
            ray.shutdown()
            if "timed out" not in str(error) or attempt == _ATTEMPTS - 1:
                raise ClusterError(f"Ray cannot be started on this machine: {cause_of(error)}") from error
        else:
            return


def _stay_on_loopback(alone: bool) -> None:
    """Have this process, and the nodes it begins, know loopback only; else only the address that this
    machine has in its network. Ray asks so on systems where it has no clusters."""
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0" if alone else "1"
    from ray._private import ray_constants

    ray_constants.ENABLE_RAY_CLUSTER = not alone


def own_directory() -> Path:
    """A new directory for this process, such as for Ray's sockets, whose paths must be short. What killed
    processes left of theirs goes."""
    short = Path("/tmp")  # noqa: S108 (mkdtemp makes a directory of its own in it)
    home = short if short.is_dir() and os.access(short, os.W_OK) else Path(tempfile.gettempdir())
    for left in home.glob(f"{_PREFIX}*"):
        owner = left.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_alive(int(owner)):
            shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=home))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


# A cluster that is there already.


@contextmanager
def _joined(address: str) -> Iterator[None]:
    _quieten()
    if address == AUTO:
        address = _found()
    _check_address(address)
    _probe(address)
    import ray

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:
        raise ClusterError(f"the cluster at {address} cannot be joined: {cause_of(error)}") from error
    gone = False
    try:
        yield
    except ClusterError:
        gone = not _answers(*address.rsplit(":", 1))
        raise
    finally:
        if gone:  # whoever says goodbye to such a cluster ends at once, without a word
            atexit.unregister(ray._private.worker.shutdown)
        else:
            ray.shutdown()


def _found() -> str:
    """The address of the cluster that this machine belongs to. Another process asks Ray, which remembers
    what it was asked first."""
    done = subprocess.run([sys.executable, "-c", _FIND], capture_output=True, text=True)
    if done.returncode != 0:
        raise ClusterError(
            "this machine belongs to no cluster; begin one with: ray start --head, or use --ray local"
        )
    return done.stdout.split()[-1]


def _check_address(address: str) -> None:
    """See that something answers at HOST:PORT. A head that is on loopback alone is sought there; else Ray
    would look for it under the address that this machine has in its network."""
    host, _, port = address.rpartition(":")
    if not _answers(host, int(port)):
        raise ClusterError(f"nothing answers at {address}; begin a cluster there with: ray start --head")
    _stay_on_loopback(host in (_LOOPBACK, "localhost") and not _answers(_own_address(), int(port)))


def _answers(host: str, port: int | str) -> bool:
    with suppress(OSError, OverflowError):
        socket.create_connection((host, int(port)), _ANSWERS_WITHIN).close()
        return True
    return False


def _own_address() -> str:
    """What this machine is called by others; nothing is sent to find out."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))
        return str(one.getsockname()[0])
    return _LOOPBACK


def _probe(address: str) -> None:
    """See, in another process, that the cluster lets it in: Ray itself waits for minutes where something
    else answers, and cannot be stopped."""
    command = [sys.executable, "-c", _PROBE, address]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_JOINS_WITHIN)
    except subprocess.TimeoutExpired:
        raise ClusterError(
            f"the cluster at {address} lets nobody in within {_JOINS_WITHIN:.0f} s; see: ray status"
        ) from None
    if done.returncode == 0:
        return
    told = " ".join(done.stderr.split())
    if "Version mismatch" in told:
        raise ClusterError(
            f"the cluster at {address} has another Ray or Python: {told.partition('Version mismatch: ')[2]}"
        )
    raise ClusterError(f"the cluster at {address} cannot be joined: {cause_of(done.stderr)}")


def identity() -> str:
    """This Zermelo: its version, and a digest of its source."""
    home, digest = Path(zermelo.__file__).parent, hashlib.sha256()
    for path in sorted(home.rglob("*.py")):
        digest.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{zermelo.__version__} ({digest.hexdigest()[:8]})"


def _check_nodes(cluster: Cluster) -> None:
    """See that every node has this Zermelo."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ray, asked = cluster.ray, {}
    remote = ray.remote(identity)
    for node in ray.nodes():
        if node["Alive"]:
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            options = {"num_cpus": 0, "max_retries": 0, "scheduling_strategy": there}
            asked[remote.options(**options).remote()] = node["NodeManagerAddress"]
    ready, late = ray.wait(list(asked), num_returns=len(asked), timeout=_TELLS_WITHIN)
    if late:
        raise ClusterError(f"the node {asked[late[0]]} has not said in time what it is; see: ray status")
    for one in ready:
        with explained(f"the node {asked[one]} has no Zermelo that can be used"):
            there = ray.get(one)
        if there != identity():
            raise ClusterError(
                f"the node {asked[one]} has Zermelo {there}, this process {identity()}; "
                "install the same everywhere"
            )


def _quieten() -> None:
    """No statistics are sent, and nothing is said that a user has no use for."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    logging.getLogger("ray").setLevel(logging.ERROR)


def cause_of(error: object) -> str:
    """The last line of what an error says, which with Ray is the one that says it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__

import os
import signal
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import pytest

ROOT = Path(__file__).parent.parent

# Tests run beside each other, where threads that wait for each other take long; tables have room.
os.environ |= {"OMP_NUM_THREADS": "1", "COLUMNS": "100"}

# Ctrl-C is tested, and a shell that starts us in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One more than there are cores: browsers, engines and workers of Ray are often waited for."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch):
    """Tests name example files as people do: from the root of the repository."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(autouse=True, scope="session")
def _short_measurements():
    """Before a run begins, and where a network is shown, its speed is measured; here not for long."""
    from zermelo.network.speed import evaluations_per_second

    measuring = [evaluations_per_second]
    if find_spec("torch"):
        from zermelo.learning.forecast import forecast

        measuring.append(forecast)
    with ExitStack() as around:
        for function in measuring:
            around.enter_context(mock.patch.object(function, "__defaults__", (0.05,)))
        yield

"""A real Ray for tests, begun once for a module; it stays on loopback."""

from importlib.util import find_spec

import pytest
import torch

from zermelo.cluster.connection import connected


@pytest.fixture(scope="module")
def ray():
    """Of this machine, with two workers; whoever connects while it is there gets it."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    with connected("local", 2) as cluster:
        yield cluster.ray


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    """Threads that wait for each other take long where other tests run beside."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

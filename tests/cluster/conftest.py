"""A real Ray for tests, begun once for a module; it stays on loopback."""

import os
from importlib.util import find_spec
from unittest import mock

import pytest

from zermelo.cluster.connection import connected


@pytest.fixture(scope="module")
def ray():
    """Of this machine, with two workers; whoever connects while it is there gets it."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    with mock.patch.dict(os.environ):
        os.environ.pop("OMP_NUM_THREADS", None)  # workers have threads by their cores
        with connected("local", 2) as cluster:
            yield cluster.ray

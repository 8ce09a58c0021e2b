"""What all tests of learning share."""

import pytest
import torch


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    """Threads that wait for each other take long where other tests run beside."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

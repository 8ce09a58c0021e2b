"""What is known of the machine."""

import os
import subprocess
import sys

import pytest

from zermelo.machine import usable_cores


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="this system does not bind processes to cores"
)
def test_cores_are_those_that_the_process_may_use():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from zermelo.machine import usable_cores; print(usable_cores())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_cores_are_no_more_than_threads_are_allowed(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    code, every = "from zermelo.machine import usable_cores; print(usable_cores())", str(usable_cores())
    for said, wanted in (("1", "1"), ("none", every), ("10000", every)):
        environment = {**os.environ, "OMP_NUM_THREADS": said}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        assert done.stdout.strip() == wanted

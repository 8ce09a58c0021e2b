"""How a command leaves."""

import subprocess
import sys

import pytest

PROGRAM = """
import atexit, threading, time
from zermelo.cli.leaving import leave_threads
atexit.register(print, "Python ends")
if {busy}:
    threading.Thread(target=time.sleep, args=[60], daemon=True).start()
print("said before")
leave_threads()
print("goes on")
"""


@pytest.mark.parametrize(
    ("busy", "said"), [(True, ["said before"]), (False, ["said before", "goes on", "Python ends"])]
)
def test_python_does_not_end_in_order_where_a_thread_is_at_work(busy, said):
    words = [sys.executable, "-c", PROGRAM.format(busy=busy)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.splitlines() == said

"""`zermelo serve` as a program."""

import os
import re
import select
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from urllib.request import urlopen


@contextmanager
def serving(*words):
    """The program, and what it prints until it serves."""
    command = [sys.executable, "-m", "zermelo", "serve", "--no-open", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        ready, _, _ = select.select([process.stdout], [], [], 60)
        assert ready, "it did not begin"
        yield process, process.stdout.readline()
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_it_prints_the_address_serves_and_ends_on_ctrl_c():
    with serving("--port", "0", "--game", "examples/nim.py") as (process, line):
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
        for _ in range(100):
            try:
                with closing(urlopen(address)) as answer:
                    assert b"Zermelo" in answer.read()
                break
            except OSError:
                select.select([], [], [], 0.1)
        else:
            raise AssertionError(f"nothing is served at {address}")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 0
        assert said == "ended\n"


def refused(*words):
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "serve", "--no-open", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_a_port_in_use_a_foreign_address_and_a_directory_that_is_no_run():
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        line = refused("--port", str(port))
    assert f"port {port} of 127.0.0.1 cannot be used: Address already in use" in line
    assert "is not the directory of a run" in refused("--port", "0", "--run", "tests")
    assert "no address of this computer" in refused("--port", "0", "--host", "nowhere.invalid")
    assert "is not a file" in refused("--port", "0", "--game", "nothing.py")

"""`zermelo serve` as a program."""

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from zermelo.cli.serve import _show_code
from zermelo.errors import ZermeloError
from zermelo.web.invitation import modules
from zermelo.web.serving import prepare


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


def page_at(line):
    """What is served at the address that it printed."""
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
    for _ in range(100):
        try:
            with closing(urlopen(address)) as answer:
                return answer.read()
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nothing is served at {address}")


def test_it_prints_the_address_serves_and_ends_on_ctrl_c():
    with serving("--port", "0", "--game", "examples/nim.py") as (process, line):
        assert b"Zermelo" in page_at(line)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 0
        assert said.splitlines()[-1] == "ended"
        assert "Traceback" not in said


def test_ctrl_c_does_not_wait_for_what_is_being_compiled(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with serving("--port", "0") as (process, line):
        page_at(line)
        assert process.stderr.readline().startswith("compiling")
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, said = process.communicate(timeout=20)
        assert time.monotonic() - begin < 4
        assert process.returncode == 0
        assert said.splitlines() == ["ended"]


def test_a_port_in_use_is_told_in_one_line():
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "zermelo", "serve", "--no-open", "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "COLUMNS": "200"},
        )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert f"port {port} of 127.0.0.1 cannot be used: Address already in use" in line


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"runs": [Path("tests")]}, "is not the directory of a run"),
        ({"host": "nowhere.invalid"}, "no address of this computer"),
        ({"files": ["nothing.py"]}, "is not a file"),
        ({"port": 70_000}, "from 0 to 65535"),
    ],
)
def test_what_cannot_be_served(options, expected):
    with pytest.raises(ZermeloError, match=expected):
        prepare(**{"port": 0, **options})


def test_for_the_network_there_is_an_address_with_a_token_and_a_qr_code(capsys):
    serving = prepare(0, lan=True)  # bound, but it does not listen
    try:
        assert serving.sockets.getsockname()[0] == "0.0.0.0"
        token = serving.elsewhere.partition("/?token=")[2]
        assert len(token) >= 16
        assert serving.hub.elsewhere == serving.elsewhere
        _show_code(serving.elsewhere)
        code = [line for line in capsys.readouterr().out.splitlines() if "█" in line or "▀" in line]
        assert len(code) >= 15
        rows = modules(serving.elsewhere)
        assert len(rows) == len(rows[0])
        assert rows[0].startswith("1111111"), "the corner that cameras look for"
        assert rows[6].startswith("1111111")
    finally:
        serving.sockets.close()

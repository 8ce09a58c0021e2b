"""Commands as people type them."""

import contextlib
import io
import os
import subprocess
import sys
from unittest import mock

from zermelo.cli import main


def process(*words, **options):
    """A command in a process of its own."""
    command = [sys.executable, "-m", "zermelo", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def run(*words, typed="", cwd=".", **environment):
    """The same in this process, without the seconds that a new one takes to begin."""
    streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8") for name in ("stdout", "stderr")}
    known = {"stdin": io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"), **streams}
    with contextlib.ExitStack() as around:
        around.enter_context(contextlib.chdir(cwd))
        around.enter_context(mock.patch.dict(os.environ, environment))
        for name, stream in known.items():
            around.enter_context(mock.patch.object(sys, name, stream))
        try:
            main(list(map(str, words)))
        except SystemExit as end:
            code = end.code
        for stream in streams.values():
            stream.flush()
    said = [stream.buffer.getvalue().decode() for stream in streams.values()]
    return subprocess.CompletedProcess(words, code, *said)


def succeed(*words, **options):
    """What is printed."""
    done = run(*words, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words):
    """What is said about wrong input, in one line; only what is being done may be said before."""
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    (error,) = (line for line in done.stderr.splitlines() if not line.endswith(" ..."))
    assert error.startswith("error: ")
    return error

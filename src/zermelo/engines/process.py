"""Another engine as a process: lines to it and from it, never waited for longer than it may take."""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from contextlib import suppress

from zermelo.errors import BadParameter, Forfeit

_LONGEST = 1 << 20
"""Bytes of a line."""
_MOST_LINES = 100_000
"""Of one answer."""
_KEPT = 2000
_GAMES = ("/usr/local/games", "/usr/games")
"""Where systems put games, whether or not a user's path leads there."""
_LOOKING = 0.2
_PARTING = 0.5
"""Seconds that an engine has to end by itself."""


class EngineProcess:
    """An engine with its pipes. It leads a process group, which is ended with it: what it started too.

    Whatever goes wrong is a `Forfeit` that says what the engine did, and the engine is ended.
    """

    def __init__(self, command: str) -> None:
        program, *arguments = shlex.split(command)
        path = shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *_GAMES]))
        if path is None:
            raise BadParameter(f"the engine `{program}` is not there: install it, or give its whole path")
        try:
            process = subprocess.Popen(
                [path, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise BadParameter(f"the engine `{command}` cannot be started: {error.strerror}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._in = process, process.stdin.fileno()
        self._out, self._err = process.stdout.fileno(), process.stderr.fileno()
        self._finalizer = weakref.finalize(self, _end, process)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._data, self._said, self._count = bytearray(), b"", 0

    @property
    def is_running(self) -> bool:
        return self._finalizer.alive and self._process.poll() is None

    def send(self, text: str, deadline: float) -> None:
        """Write a line."""
        rest = f"{text}\n".encode()
        self._count = 0
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                self._hear(deadline, f"did not read `{text[:40]}`")
            except OSError:
                self.fail(self._death())

    def receive(self, deadline: float, awaited: str) -> str:
        """The next line, without its end; `awaited` is what it should be the answer to."""
        while (end := self._data.find(b"\n")) < 0:
            if len(self._data) > _LONGEST:
                self.fail(f"wrote a line of more than {_LONGEST} bytes")
            self._hear(deadline, f"gave no answer to `{awaited[:60]}` in time")
        line = self._data[:end].decode("utf-8", "replace")
        del self._data[: end + 1]
        self._count += 1
        if self._count > _MOST_LINES:
            self.fail(f"wrote more than {_MOST_LINES} lines as its answer to `{awaited[:60]}`")
        return line.rstrip("\r")

    def _hear(self, deadline: float, trouble: str) -> None:
        """Wait until there is something to read, and read it."""
        left = deadline - time.monotonic()
        ready = self._selector.select(min(left, _LOOKING)) if left > 0 else []
        if not ready and time.monotonic() >= deadline:
            self.fail(trouble)
        if not ready and self._process.poll() is not None:  # its children may keep the pipes open
            self.fail(self._death())
        for key, _ in ready:
            try:
                data = os.read(key.fd, 1 << 16)
            except BlockingIOError:
                continue
            if key.fd == self._err:
                self._said = (self._said + data)[-_KEPT:]
            self._data += data if key.fd == self._out else b""
            if not data:
                self._selector.unregister(key.fd)
                if key.fd == self._out:
                    self.fail(self._death())

    def _death(self) -> str:
        """How the engine ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PARTING)
        with suppress(OSError):
            self._said = (self._said + os.read(self._err, _KEPT))[-_KEPT:]
        code = self._process.returncode
        how = (
            "closed its output"
            if code is None
            else f"was ended by signal {-code}"
            if code < 0
            else f"ended with exit code {code}"
        )
        said = self._said.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {said[-1][:200]}" if said else how

    def fail(self, trouble: str) -> None:
        """End the engine, and say that it has lost."""
        self.close()
        raise Forfeit(f"the engine {trouble}")

    def close(self, farewell: str = "") -> None:
        """End the engine: by its own word if it has one, and then in any case."""
        if farewell and self.is_running:
            with suppress(OSError, subprocess.TimeoutExpired):
                os.write(self._in, f"{farewell}\n".encode())
                self._process.wait(_PARTING)
        self._finalizer()
        self._selector.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, and wait for its leader, so that nothing is left of it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()

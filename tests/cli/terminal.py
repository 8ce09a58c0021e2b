"""A command in a terminal of its own, as a person sees it."""

import os
import pty
import re
import select
import subprocess
import sys
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
TAKE_THE_TERMINAL_AND_RUN = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


class Terminal:
    """A Python program at a pseudo-terminal, in a session of its own: Ctrl-C reaches it alone."""

    def __init__(self, *words, **environment):
        known = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE_THE_TERMINAL_AND_RUN, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**known, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
            start_new_session=True,
        )
        os.close(slave)
        self._seen = 0
        self.raw = ""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def text(self):
        """All that was shown, without colours."""
        return ESCAPES.sub("", self.raw).replace("\r", "")

    def _read(self):
        """Take in what is there; whether more can follow."""
        if select.select([self._master], [], [], 0.05)[0]:
            try:
                self.raw += os.read(self._master, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                return False
        return True

    def see(self, text, seconds=180):
        """Wait until `text` is shown after what was seen before; all that was shown meanwhile."""
        deadline = time.monotonic() + seconds
        while text not in self.text[self._seen :]:
            assert time.monotonic() < deadline, f"{text!r} is not shown:\n{self.text}"
            assert self._read(), f"{text!r} was never shown:\n{self.text}"
        begin, self._seen = self._seen, self.text.index(text, self._seen) + len(text)
        return self.text[begin : self._seen]

    def type(self, line):
        os.write(self._master, f"{line}\n".encode())

    def control(self, letter):
        os.write(self._master, bytes([ord(letter) - ord("@")]))

    def end(self, seconds=180):
        """Wait until the program ends; its exit code."""
        deadline = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < deadline, f"does not end:\n{self.text}"
        return self._process.wait(timeout=seconds)

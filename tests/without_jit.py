"""Programs that must print the same with Numba switched off: kernels are ordinary Python too."""

import contextlib
import io
import os
import subprocess
import sys


def agreed(code):
    """The lines that a program prints, compiled in this process and interpreted in another."""
    interpreted = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert interpreted.returncode == 0, interpreted.stderr
    with contextlib.redirect_stdout(io.StringIO()) as compiled:
        exec(code, {"__name__": "__main__"})
    assert interpreted.stdout == compiled.getvalue()
    return compiled.getvalue().splitlines()

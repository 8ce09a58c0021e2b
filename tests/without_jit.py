"""Programs that must print the same with Numba switched off: kernels are ordinary Python too."""

import os
import subprocess
import sys


def printed(code, disable_jit):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": disable_jit},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def agreed(code):
    """The lines that a program prints, compiled and not."""
    interpreted, compiled = printed(code, "1"), printed(code, "0")
    assert interpreted == compiled
    return compiled

"""The disk cache: hit on the second run, dropped when anything a kernel is made from changes."""

import itertools
import os
import subprocess
import sys

import pytest

CONSTANTS = "FACTOR = {factor}\n"
HELPERS = "from zermelo.compilation import inlined\n\n@inlined\ndef double(x):\n    return {body}\n"
KERNEL = """
import sys
from numba.core import event
from zermelo.compilation import compiled, on_compile
from constants import FACTOR
import helpers

@compiled
def kernel(x):
    return helpers.double(x) * FACTOR

with on_compile(lambda: print("compiling")):
    print(kernel(5))
"""


_seconds = itertools.count(1_000_000_000)


def write(path, text):
    """Give every version a time of its own: Python compares bytecode by the second and the size."""
    path.write_text(text)
    os.utime(path, (next(_seconds),) * 2)


@pytest.fixture
def run(tmp_path):
    def run(factor=3, body="2 * x", rewrite=True):
        if rewrite:
            write(tmp_path / "constants.py", CONSTANTS.format(factor=factor))
            write(tmp_path / "helpers.py", HELPERS.format(body=body))
            (tmp_path / "kernel.py").write_text(KERNEL)
            os.utime(tmp_path / "kernel.py", (1e9, 1e9))
        done = subprocess.run(
            [sys.executable, "kernel.py"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    return run


def test_compiled_once_then_read_from_disk(run):
    assert run() == ["compiling", "30"]
    assert run(rewrite=False) == ["30"]


def test_a_changed_constant_of_another_file_is_noticed(run):
    assert run() == ["compiling", "30"]
    assert run(factor=4) == ["compiling", "40"]


def test_a_changed_function_of_another_file_is_noticed(run):
    assert run() == ["compiling", "30"]
    assert run(body="x + 100") == ["compiling", "315"]


def test_whatever_else_a_kernel_is_made_from_is_noticed(tmp_path):
    kernel = """
import tables
from zermelo.compilation import compiled

@compiled
def kernel(i):
    return below(i) + tables.inner.TABLE[i]

@compiled
def below(i):
    return tables.inner.double(i)

print(kernel(1))
"""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "__init__.py").write_text("from tables import inner")
    (tmp_path / "kernel.py").write_text(kernel)
    inner = (
        "import numpy as np, numba\nTABLE = np.array([1, {value}])\n"
        "@numba.njit\ndef double(i):\n    return {factor} * i\n"
    )
    answers = []
    for value, factor in ((10, 2), (20, 2), (20, 3), (20, 3)):
        write(tmp_path / "tables" / "inner.py", inner.format(value=value, factor=factor))
        done = subprocess.run([sys.executable, "kernel.py"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        answers.append(int(done.stdout))
    assert answers == [12, 22, 23, 23]


def test_nothing_in_the_package_imports_numba_before_it_is_needed():
    code = "import sys, zermelo, zermelo.cli; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]

"""How fast the tree is: measured in the time that there is."""

import time
from pathlib import Path

import pytest

import zermelo
from zermelo.search import speed


def slow(directory, seconds):
    """Nim, every move of which takes so long."""
    text = Path("examples/nim.py").read_text()
    head = "def play(self, state: State, action: int) -> State:\n"
    assert head in text
    path = directory / "slow.py"
    path.write_text(text.replace(head, f"{head}        __import__('time').sleep({seconds})\n"))
    return zermelo.game(str(path))


@pytest.mark.parametrize(
    "measure",
    [speed.simulations_per_second, speed.uct_simulations_per_second],
    ids=["network", "random games"],
)
def test_slow_rules_are_measured_in_time(measure, tmp_path):
    game = slow(tmp_path, 0.002)
    measure(zermelo.game("examples/nim.py"), seconds=0.1)  # compiles
    begin = time.perf_counter()
    figure = measure(game, seconds=0.3)
    assert time.perf_counter() - begin < 3
    assert 0 < figure < 20_000


def test_fast_rules_are_measured_in_no_time_at_all():
    assert speed.simulations_per_second(zermelo.game("tictactoe"), seconds=1e-6) > 0

"""Time is kept: measured from outside, on a machine that others use too."""

import multiprocessing
import subprocess
import sys
import time

import pytest

import zermelo
from zermelo.engines.vertices import Vertices

LIMIT = 0.2


def work():
    while True:
        sum(range(10_000))


@pytest.fixture
def two_busy_processes():
    """Beside those that run tests."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, daemon=True) for _ in range(2)]
    for process in processes:
        process.start()
    yield
    for process in processes:
        process.kill()
        process.join()


class Engine:
    """Our own program, talked to through pipes."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zermelo", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def say(self, text):
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def gtp(self, text):
        """The answer, and the seconds from the question to it."""
        begin = time.monotonic()
        self.say(text)
        answer = self.process.stdout.readline()
        seconds = time.monotonic() - begin
        assert self.process.stdout.readline() == "\n"
        assert answer.startswith("="), answer
        return answer[1:].strip(), seconds

    def gomocup(self, text):
        begin = time.monotonic()
        self.say(text)
        return self.process.stdout.readline().strip(), time.monotonic() - begin

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        assert self.process.wait(60) == 0
        self.process.stdout.close()


def against_random_moves(engine, game, seed):
    """Play a game through GTP; what each move of the engine took."""
    random, vertices, position, times = zermelo.player("random"), Vertices(game), game.position(), []
    engine.gtp("clear_board")
    while not position.is_over:
        if position.mover == 0:
            vertex, seconds = engine.gtp("genmove b")
            times.append(seconds)
            position = position.play(vertices.action(position, vertex))
        else:
            (action,) = random.choose([position], [seed + len(position.moves)])
            engine.gtp(f"play w {vertices.vertex(position, action)}")
            position = position.play(action)
    return times


def test_every_move_of_a_match_is_in_time_beside_two_busy_processes(two_busy_processes, capsys):
    times = []
    with Engine("gtp", "connect4", "--player", "az:time=inf") as engine:
        engine.gtp(f"time_settings 0 {LIMIT} 1")
        for seed in range(3):
            times += against_random_moves(engine, zermelo.game("connect4"), seed)
    with capsys.disabled():
        print(f"\n{len(times)} moves of 200 ms: {min(times):.3f} to {max(times):.3f} s", end=" ")
    assert len(times) >= 12
    assert max(times) < LIMIT
    assert sorted(times)[len(times) // 2] > LIMIT / 4  # and it is used


def test_a_gomocup_engine_keeps_its_time_beside_two_busy_processes(two_busy_processes):
    with Engine("gomocup", "--player", "uct:time=inf") as engine:
        assert engine.gomocup("START 15")[0] == "OK"
        engine.say(f"INFO timeout_turn {round(1000 * LIMIT)}")
        times = [engine.gomocup("BEGIN")[1]]
        times += [engine.gomocup(f"TURN {x},14")[1] for x in (0, 3, 6)]
        engine.say("END")
    assert max(times) < LIMIT

"""Time is kept: measured from outside, on a machine that others use too."""

import math
import multiprocessing
import subprocess
import sys
import time

import pytest

import zermelo
from engines.talking import Listed
from zermelo.engines.brain import Brain
from zermelo.engines.clock import Clock, Lateness
from zermelo.engines.gtp import GtpServer
from zermelo.engines.lines import Line
from zermelo.engines.vertices import Vertices
from zermelo.errors import BadParameter
from zermelo.search.gradual import GradualSearch

LIMIT = 0.2


def work():
    while True:
        sum(range(10_000))


def rest(longest):
    """Do nothing, and note by how much that is late."""
    while True:
        begin = time.monotonic()
        time.sleep(0.005)
        longest.value = max(longest.value, time.monotonic() - begin - 0.005)


@pytest.fixture
def busy():
    """Two processes that compute, and one that sleeps: the longest that even this one had to wait."""
    context = multiprocessing.get_context("spawn")
    longest = context.Value("d", 0.0)
    processes = [context.Process(target=work, daemon=True) for _ in range(2)]
    processes.append(context.Process(target=rest, args=[longest], daemon=True))
    for process in processes:
        process.start()
    yield longest
    for process in processes:
        process.kill()
        process.join()


def in_time(times, longest):
    """Whether no move is late; on a machine that keeps a sleeping process waiting, by more than that."""
    return max(times) < LIMIT + (longest.value if longest.value > 0.03 else 0.0)


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


@pytest.mark.slow
def test_every_move_of_a_match_is_in_time_beside_two_busy_processes(busy, capsys):
    times = []
    with Engine("gtp", "connect4", "--player", "az:time=inf") as engine:
        engine.gtp(f"time_settings 0 {LIMIT} 1")
        busy.value = 0.0
        for seed in range(3):
            times += against_random_moves(engine, zermelo.game("connect4"), seed)
    with capsys.disabled():
        print(
            f"\n{len(times)} moves of 200 ms took {min(times):.3f} to {max(times):.3f} s; "
            f"a sleeping process was up to {busy.value:.3f} s late",
            end=" ",
        )
    assert len(times) >= 12
    assert in_time(times, busy)
    assert max(times) > LIMIT / 4  # and it is used


@pytest.mark.slow
def test_a_gomocup_engine_keeps_its_time_beside_two_busy_processes(busy):
    with Engine("gomocup", "--player", "uct:time=inf") as engine:
        assert engine.gomocup("START 15")[0] == "OK"
        engine.say(f"INFO timeout_turn {round(1000 * LIMIT)}")
        busy.value = 0.0
        times = [engine.gomocup("BEGIN")[1]]
        times += [engine.gomocup(f"TURN {x},14")[1] for x in (0, 3, 6)]
        engine.say("END")
    assert in_time(times, busy)


def test_what_is_kept_back_grows_with_what_was_late():
    lateness = Lateness()
    assert lateness.within(math.inf) == math.inf
    assert lateness.within(0.2) == pytest.approx(0.14)
    assert lateness.within(60) == 59  # never more than a second
    assert lateness.within(0.01) == 0
    lateness.add(-0.1)
    assert lateness.within(0.2) == pytest.approx(0.14)
    lateness.add(0.03)
    assert lateness.within(0.2) == pytest.approx(0.08)
    for _ in range(100):
        lateness.add(0.0)
    assert lateness.within(0.2) > 0.13


@pytest.mark.parametrize(
    ("clock", "moves", "seconds"),
    [
        (Clock(), 10, math.inf),
        (Clock(turn=3), 10, 3),
        (Clock(left=20), 10, 2),
        (Clock(left=20), 1000, 0.5),  # no more than 40 moves are saved for
        (Clock(turn=1, left=20), 10, 1),
        (Clock(left=0, period=30, stones=15), 10, 2),
        (Clock(left=0), 10, 0),
    ],
)
def test_the_limit_of_a_move(clock, moves, seconds):
    assert clock.limit(moves) == seconds


def test_a_whole_game_never_takes_more_than_its_time():
    clock, used = Clock(left=10), 0.0
    for moves in range(60, 0, -1):
        used += clock.limit(moves)
        clock.spend(clock.limit(moves))
    assert used == pytest.approx(10)
    assert clock.left == pytest.approx(0)


def test_other_rules_of_time_are_those_of_gtp():
    """Main time, then so many stones in each period; no stones in a period: no limit."""
    answers = []
    server = GtpServer(zermelo.game("tictactoe"), zermelo.player("random"), 0, Listed(()), answers.append)
    for settings, limit in [("0 1 0", math.inf), ("10 0 0", 2), ("0 10 5", 2), ("100 10 5", 20)]:
        server.obey(Line(f"time_settings {settings}", 0.0))
        assert server._clocks[0].limit(5) == limit
    server.obey(Line("time_left b 6 3", 0.0))
    assert server._clocks[0].limit(5) == 2
    assert server._clocks[1].limit(5) == 20
    assert set(answers) == {"= \n\n"}


def test_the_best_move_so_far_is_there_when_time_is_over(monkeypatch):
    """A search that does not come back in time, as if the machine had forgotten it."""
    position = zermelo.game("tictactoe").position("1 4 2 5")
    player = zermelo.player("uct:time=inf,proofs=0")
    brain = Brain(player, 0)
    brain.prepare(position.game)
    advance = GradualSearch.advance
    begin = time.monotonic()

    def slow(self):
        if time.monotonic() - begin > 0.2:
            time.sleep(1.0)
        return advance(self)

    monkeypatch.setattr(GradualSearch, "advance", slow)
    assert brain.choose(position, Clock(turn=0.5), begin) == 2
    assert time.monotonic() - begin < 0.5
    assert brain.player is player  # which is waited for
    assert time.monotonic() - begin > 0.5


def test_people_do_not_think_for_other_programs():
    with pytest.raises(BadParameter, match="cannot think for another program"):
        Brain(zermelo.player("human"), 0)

"""Random and mutated lines: no crash, no hang, no growth of memory."""

import random
import time

import pytest

import zermelo
from engines.talking import Listed
from zermelo.engines.gomocup import GomocupServer
from zermelo.engines.gtp import GtpServer
from zermelo.machine import resident_bytes

LINES = [5_000, pytest.param(50_000, marks=pytest.mark.slow)]
"""For each protocol: 100,000 in all, where there is time for that."""
GROWTH = 20 << 20

GTP = """protocol_version|name|version|known_command play|list_commands|boardsize 7|boardsize 19|
rectangular_boardsize 7 6|rectangular_boardsize 5 4|clear_board|komi 6.5|play b D1|play w D2|play black A1|
play white g1|play b pass|genmove b|genmove w|reg_genmove b|undo|showboard|time_settings 0 1 1|
time_settings 1 0 0|time_settings 0 1 0|time_left b 1 0|time_left w 0.5 1|final_score|loadsgf /nowhere.sgf|
analyze b 10|lz-analyze 5|lz-analyze w interval 3 maxmoves 2|genmove_analyze b 1|lz-genmove_analyze w 10|
1 name|12 genmove b|# nothing||quit""".replace("\n", "").split("|")
GOMOCUP = """START 5|START 6|START 20|START 4|RECTSTART 5,6|BEGIN|TURN 0,0|TURN 3,4|TURN 4,4|PLAY 1,1|BOARD|
DONE|YXBOARD|SWAP2BOARD|1,1,1|2,2,2|3,3,1|2,2|3,1|TAKEBACK 2,2|RESTART|ABOUT|INFO timeout_turn 10|
INFO timeout_match 1000|INFO time_left 500|INFO time_left -5|INFO time_left 2147483647|INFO max_memory 0|
INFO max_memory 350000000|INFO game_type 1|INFO rule 0|INFO rule 1|INFO rule 4|INFO evaluate 1,1|
INFO folder /tmp|END|""".replace("\n", "").split("|")
STRANGE = "\0\x07\t #=?,;:-+.0123456789abzAZ é日🙂\u2028\ud800"


def mutated(text, chance):
    """The line as it is, or with parts exchanged, repeated, cut or replaced."""
    kind = chance.randrange(6)
    if kind == 0:
        return "".join(chance.choices(STRANGE, k=chance.randrange(40)))
    words = text.split(" ")
    if kind == 1:
        chance.shuffle(words)
    elif kind == 2:
        words.insert(
            chance.randrange(len(words) + 1), str(chance.choice([-1, 0, 7, 1e300, 10**30, "nan", "b"]))
        )
    elif kind == 3 and text:
        place = chance.randrange(len(text))
        return text[:place] + chance.choice(STRANGE) + text[place + chance.randrange(3) :]
    elif kind == 4:
        return text * chance.choice([2, 3, 500])
    return " ".join(words)


def noise(commands, count, seed):
    chance = random.Random(seed)
    for _ in range(count):
        command = chance.choice(commands)
        yield mutated(command, chance) if chance.random() < 0.5 else command


def growth(server, lines, count):
    """Bytes by which memory grew in the second half; every line is answered in less than five seconds."""
    before, longest, lines = 0, 0.0, Listed(lines)
    server._lines, server._feed = lines, iter(lines)
    for line in lines:
        if not before and lines.left < count // 2:
            before = resident_bytes()
        begin = time.monotonic()
        server.obey(line)
        longest = max(longest, time.monotonic() - begin)
    assert longest < 5
    assert before
    return resident_bytes() - before


@pytest.mark.parametrize("count", LINES)
def test_gtp_answers_noise(count, capsys):
    answers = []
    server = GtpServer(
        zermelo.game("connect4"), zermelo.player("uct:sims=3"), 0, Listed(()), answers.append
    )
    assert growth(server, noise(GTP, count, 1), count) < GROWTH
    text = "".join(answers)
    with capsys.disabled():
        print(f"\n{count:,} lines for GTP, {text.count('?'):,} refused", end=" ")
    assert "\n\n\n" not in text
    assert all(line.startswith(("=", "?")) for line in (part for part in text.split("\n\n") if part))


@pytest.mark.parametrize("count", LINES)
def test_gomocup_answers_noise(count, capsys):
    answers = []
    server = GomocupServer(lambda _: zermelo.player("uct:sims=3"), 0, Listed(()), answers.append)
    assert growth(server, noise(GOMOCUP, count, 2), count) < GROWTH
    refused = sum(answer.startswith(("ERROR", "UNKNOWN")) for answer in answers)
    with capsys.disabled():
        print(f"\n{count:,} lines for Gomocup, {refused:,} refused", end=" ")
    assert 0 < refused < len(answers)

"""Files of game records that are random or were changed at random: nothing may crash, hang or grow.

python benchmarks/fuzz_records.py --files 100000 --seed 0

What is read of a file must come back from each format that can hold it. One JSON line tells how many files
were tried, what was in them, the most processor time that one of them took, and by how many megabytes the
process grew after the first tenth.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

import zermelo
from zermelo.errors import RecordError
from zermelo.records.formats import FORMATS
from zermelo.records.reading import read_bytes
from zermelo.records.record import result
from zermelo.records.replay import Replay

GAMES = (
    "othello:size=4",
    "othello:size=6",
    "othello",
    "gomoku:size=5,n=3",
    "gomoku:size=8",
    "connect4",
    "tictactoe",
)
TOKENS = (
    b"(;", b";)", b")", b"[", b"]", b"\\", b"{", b"}", b'"', b",", b"//", b"\n", b"\0", b"\xff", b"PA",
    b"tt", b"pass", b"-1", b"99999999999999999999", b"1e999", b"NaN", b"null", b"true", b"GM[2]", b"GM[4]",
    b"SZ[8]", b"SZ[99]", b"RU[connect4]", b"AB[aa]", b"B[aa]", b"W[]", b"TY[s8r18]", b"BO[8 *]",
    b'"search": [', b'"moves": ["1"]', b"Piskvorky 15x15, 11:11, 0", b"CA[shift_jis]", b"\xef\xbb\xbf",
    b'{"a":' * 50, b"(;" * 50,
)  # fmt: skip
MOST_SECONDS = 2.0
MOST_MEGABYTES = 32.0


def game(chance):
    rules = zermelo.game(chance.choice(GAMES))
    position, turns = rules.position(), chance.randrange(rules.max_length + 1)
    while not position.is_over and len(position.moves) < turns:
        position = position.play(chance.choice(position.legal_actions))
    search = tuple(
        {"seconds": chance.random(), "score": 1.5} if chance.random() < 0.2 else None
        for _ in position.moves
    )
    names = chance.choice(["", "Ann", "a]b[c", "\\", "WTHOR player 12", "Zo\u00eb"]), "Bob"
    return Replay(position, names, position.returns, result(position), "2026-01-31", search)


def whole_files(chance, count=40):
    """Files without mistakes, by format."""
    games = [game(chance) for _ in range(300)]
    files = {name: [] for name in FORMATS}
    for name, kind in FORMATS.items():
        fitting = [one for one in games if not kind.hindrance(one)]
        for _ in range(count):
            chosen = chance.sample(fitting, 1 if kind.single else chance.randrange(1, 4))
            head = kind.head(len(chosen), chosen[-1]) if kind.head else b""
            files[name].append(head + b"".join(kind.write(one) for one in chosen))
    return files


def changed(data, other, chance):
    """A file with a few changes."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        place, length = chance.randrange(len(data) + 1), chance.choice((1, 1, 2, 5, 20, 100))
        way = chance.randrange(8)
        if way == 0 and data:
            data[place % len(data)] ^= 1 << chance.randrange(8)
        elif way == 1:
            del data[place : place + length]
        elif way == 2:
            data[place:place] = data[place : place + length] * chance.choice((1, 2, 50))
        elif way == 3:
            data[place:place] = chance.randbytes(length)
        elif way == 4:
            data[place:place] = chance.choice(TOKENS)
        elif way == 5:
            del data[place:]
        elif way == 6:
            begin = chance.randrange(len(other) + 1)
            data[place : place + length] = other[begin : begin + length]
        else:
            data[place : place + 1] = str(chance.randrange(-1, 300)).encode()
    return bytes(data)


def some_file(files, chance):
    """The name of a file and what is in it."""
    name = chance.choice(list(files))
    if chance.random() < 0.05:
        data = chance.randbytes(chance.randrange(300))
    else:
        other = chance.choice(files[chance.choice(list(files))])
        data = changed(chance.choice(files[name]), other, chance)
    ending = chance.choice(
        [FORMATS[name].endings[0]] * 8 + [one.endings[0] for one in FORMATS.values()] + [".txt"] * 2
    )
    return f"file{ending}", data


def check(name, data):
    """How many games and problems there are; what is read must be the same when written and read again."""
    problems = []
    try:
        games = list(read_bytes(data, name, problems.append))
    except RecordError:  # no format fits
        return 0, 1
    for one in games:
        for kind in FORMATS.values():
            if not kind.hindrance(one):
                check_again(one, kind)
    return len(games), len(problems)


def check_again(one, kind):
    wrong = []
    head = kind.head(1, one) if kind.head else b""
    (again,) = read_bytes(head + kind.write(one), "again", wrong.append, format=kind, game=one.game)
    assert not wrong, (kind.name, wrong)
    rest = one.position.move_names[len(again.moves) :]
    assert again.moves == one.moves[: len(again.moves)], kind.name
    assert rest in ((), ("pass",)), kind.name


def megabytes():
    """Of memory that the process has now; 0 where the system does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    files = whole_files(random.Random(options.seed))
    games = problems = 0
    slowest = before = 0.0
    for number in range(options.files):
        name, data = some_file(files, random.Random(f"{options.seed} {number}"))
        begin = time.process_time()
        try:
            found = check(name, data)
        except BaseException:
            Path(f"fuzz-{options.seed}-{number}{Path(name).suffix}").write_bytes(data)
            print(f"file {number} of seed {options.seed} failed; it was kept", file=sys.stderr)
            raise
        slowest = max(slowest, time.process_time() - begin)
        games, problems = games + found[0], problems + found[1]
        if number == options.files // 10:
            before = megabytes()
    grown = megabytes() - before
    told = {"files": options.files, "games": games, "problems": problems}
    print(json.dumps({**told, "slowest_seconds": round(slowest, 3), "grown_megabytes": round(grown, 1)}))
    sys.exit(slowest > MOST_SECONDS or grown > MOST_MEGABYTES)


if __name__ == "__main__":
    main()

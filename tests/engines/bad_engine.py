"""Engines that misbehave: `python bad_engine.py PROTOCOL FAULT MOVES`, after so many good moves.

They play the first free cell. A child of theirs, which sleeps, shows whether they are ended with all they
started; its process id is written to the file CHILD if that is given in the environment.
"""

import os
import subprocess
import sys
import time

protocol, fault, moves = sys.argv[1], sys.argv[2], int(sys.argv[3])
if "CHILD" in os.environ:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(os.environ["CHILD"], "a") as file:
        file.write(f"{os.getpid()} {child.pid}\n")


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave():
    if fault == "hang":
        time.sleep(600)
    if fault == "deaf":  # it ends only if it is killed
        while True:
            time.sleep(1)
    if fault == "crash":
        print("out of luck", file=sys.stderr)
        sys.exit(3)
    if fault == "signal":
        os.kill(os.getpid(), 11)
    if fault == "cheat":
        return "A1" if protocol == "gtp" else "0,0"
    if fault == "nonsense":
        return "\udcff\x00 what?".encode("utf-8", "replace").decode()
    if fault == "flood":
        while True:
            sys.stdout.write("x" * 1000)
    if fault == "babble":
        while True:
            sys.stdout.write("MESSAGE info info\n")
    if fault == "refuse":
        return None
    if fault == "resign":
        return "resign"
    raise ValueError(fault)


taken = set()
answered = 0
for line in sys.stdin:
    words = line.split()
    name = words[0].lower() if words else ""
    if protocol == "gtp":
        if name in ("clear_board", "boardsize"):
            taken = set()
        if name == "play":
            taken.add(words[2].upper())
        if name != "genmove":
            say("= 2\n\n" if name == "protocol_version" else "= \n\n")
            continue
        free = next(f"{c}{r}" for r in range(1, 4) for c in "ABC" if f"{c}{r}" not in taken)
    else:
        if name == "start":
            taken = set()
            say("OK\n")
        if name == "turn":
            taken.add(tuple(map(int, words[1].split(","))))
        if name == "end":
            break
        if name not in ("turn", "begin"):
            continue
        x, y = next((x, y) for y in range(5) for x in range(5) if (x, y) not in taken)
        free = f"{x},{y}"
        taken.add((x, y))
    answered += 1
    if answered > moves:
        free = misbehave()
    if protocol == "gtp":
        taken.add(free)
        say(f"= {free}\n\n" if free else "? I do not like this\n\n")
    else:
        say(f"{free}\n" if free else "ERROR I do not like this\n")

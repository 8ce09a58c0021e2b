"""Do short trainings keep their limits, and what do they bring? Idle, and beside busy processes.

    python benchmarks/first_evening.py [--minutes 1 3] [--busy 0 2] [--ray local off] [GAME ...]

Prints a row of a table for each training: how long the command took, how much of it was starting up and
compiling, when the first network was there, the iterations, and the points of the last network with 50
simulations a move against `uct:sims=100`. The exit code is 1 if a limit was exceeded by more than 5 % and
by more than 5 seconds, or if there was no network.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAMES = [
    "tictactoe",
    "connect4",
    "othello",
    "gomoku",
    "examples/kalah.py",
    "examples/draughts.py",
    "openspiel:breakthrough(rows=6,columns=6)",
    "pettingzoo:connect_four_v3",
]
ZERMELO = [sys.executable, "-m", "zermelo"]


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many other programs that want a core each."""
    beside = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in beside:
            one.kill()
            one.wait()


def train(game: str, minutes: float, run: Path, options: list[str]) -> dict[str, Any]:
    """Train with a clock beside it."""
    begin, first, starting = time.monotonic(), None, 0.0
    command = [*ZERMELO, "train", game, "--minutes", f"{minutes:g}", "--run", str(run), *options]
    said = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if first is None and line.startswith("round 1:"):
                first = time.monotonic() - begin
            if told := re.match(r"starting up took ([\d.]+) s(?:, compiling ([\d.]+) s)?", line):
                starting += float(told[1]) + float(told[2] or 0)
            if told := re.match(r"starting Ray took ([\d.]+) s", line):
                starting += float(told[1])
    wall = time.monotonic() - begin
    if process.returncode:
        print("".join(said), file=sys.stderr)
    metrics = run / "metrics.jsonl"
    return {
        "game": game,
        "minutes": minutes,
        "wall": wall,
        "starting": starting,
        "trained": wall - starting,
        "first_network": first,
        "iterations": len(metrics.read_text().splitlines()) if metrics.exists() else 0,
        "exit_code": process.returncode,
        "kept": wall - starting <= 60 * minutes + max(5.0, 3.0 * minutes),
    }


def points(game: str, run: Path, games: int, seconds: float) -> tuple[float | None, int]:
    """Points of 100 against uct:sims=100, in as many games as there is time for; None if there is not even
    time for one."""
    command = [*ZERMELO, "match", game, f"az:model={run},sims=50", "uct:sims=100", "--json"]
    command += ["--games", str(games)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        told, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate()
    if not told.strip():
        return None, 0
    result = json.loads(told.strip().splitlines()[-1])
    return 100 * result["score"], result["games"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--minutes", type=float, nargs="+", default=[1.0, 3.0])
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 2])
    parser.add_argument("--ray", nargs="+", default=[""])
    parser.add_argument("--match", type=int, default=100, help="games of each match; 0 for none")
    parser.add_argument("--match-seconds", type=float, default=180.0, help="at most, for each match")
    parser.add_argument("--runs", type=Path, help="keep the runs here, and go on with those that are here")
    parser.add_argument("--json", action="store_true")
    wishes = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
    held = True
    if not wishes.json:
        print("| game | minutes | busy | wall | starting | first network | iterations | points | kept |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
    with contextlib.ExitStack() as stack:
        runs = wishes.runs or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        runs.mkdir(parents=True, exist_ok=True)
        order = itertools.product(wishes.busy, wishes.games, wishes.minutes, wishes.ray)
        for processes, game, minutes, ray in order:
            name = re.sub(r"[^A-Za-z0-9_.]+", "-", f"{game} {minutes:g} {ray or 'default'} {processes}")
            row, run = runs / f"{name}.json", runs / name
            told = json.loads(row.read_text()) if row.exists() else {}
            if not told:
                shutil.rmtree(run, ignore_errors=True)
                with busy(processes):
                    told = train(game, minutes, run, ["--ray", ray] if ray else [])
                told |= {"busy": processes, "ray": ray or "default", "points": None, "match": 0}
            if wishes.match and told["exit_code"] == 0 and told["points"] is None:
                told["points"], told["match"] = points(game, run, wishes.match, wishes.match_seconds)
            row.write_text(json.dumps(told))
            held = held and told["kept"] and told["exit_code"] == 0
            show(told, wishes.json)
    sys.exit(not held)


def show(row: dict[str, Any], is_json: bool) -> None:
    if is_json:
        print(json.dumps(row), flush=True)
        return
    network = "none" if row["first_network"] is None else f"{row['first_network']:.1f}"
    points = "" if row["points"] is None else f"{row['points']:.1f} ({row['match']})"
    cells = (
        f"`{row['game']}`" + (f", --ray {row['ray']}" if row["ray"] != "default" else ""),
        f"{row['minutes']:g}", f"{row['busy']}", f"{row['wall']:.1f}", f"{row['starting']:.1f}", network,
        f"{row['iterations']}", points, "yes" if row["kept"] and not row["exit_code"] else "no",
    )  # fmt: skip
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

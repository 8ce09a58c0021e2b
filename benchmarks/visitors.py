"""Many visitors of `zermelo serve` at once: how long they wait, and what they cost.

    python benchmarks/visitors.py --visitors 200 --moves 6

Everybody plays Connect 4 against the shipped network with 100 simulations, and moves as soon as they may.
An answer may take as long as the bare network needs for the searches of all visitors, and half as long
again. The server is a process of its own; the visitors share its cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import websockets

import zermelo
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import read_model
from zermelo.network.shipped import shipped_model
from zermelo.network.speed import evaluations_per_second

GAME = zermelo.game("connect4")
SIMULATIONS = 100


def bare_speed() -> float:
    """Evaluations per second of the network alone."""
    model = read_model(shipped_model(GAME))
    shape = Shape.of(GAME, model.encoding)
    return evaluations_per_second(OnnxEvaluator(model.architecture, shape, model.weights), shape, 128, 2.0)


def megabytes(process: int) -> float:
    (line,) = (x for x in Path(f"/proc/{process}/status").read_text().splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def visitor(host: str, moves: int, number: int, gate: asyncio.Barrier) -> list[float]:
    """Plays so many moves; the seconds that each answer took."""
    chance, waits = random.Random(number), []
    async with websockets.connect(f"ws://{host}/ws", origin=f"http://{host}", proxy=None) as socket:
        await socket.send(json.dumps({"do": "hello"}))

        async def heard() -> dict:
            while True:
                message = json.loads(await socket.recv())
                if message["type"] == "error" or message.get("trouble"):
                    raise RuntimeError(message)
                if message["type"] == "game" and not message["thinking"]:
                    return message

        async def begin() -> dict:
            seats = ["human", f"az:sims={SIMULATIONS}"]
            await socket.send(json.dumps({"do": "new", "game": "connect4", "seats": seats}))
            return await heard()

        view = await begin()
        await gate.wait()
        for _ in range(moves):
            if view["over"]:
                view = await begin()
            legal = [name for _, name, _ in view["legal"]]
            start = time.perf_counter()
            await socket.send(json.dumps({"do": "move", "move": chance.choice(legal)}))
            view = await heard()
            waits.append(time.perf_counter() - start)
    return waits


async def all_of_them(host: str, count: int, moves: int, process: int) -> tuple[list[float], float]:
    gate = asyncio.Barrier(count)
    await visitor(host, 2, 0, asyncio.Barrier(1))  # what has to be loaded is loaded
    before = megabytes(process)
    found = await asyncio.gather(*(visitor(host, moves, number, gate) for number in range(count)))
    return [wait for waits in found for wait in waits], (megabytes(process) - before) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--moves", type=int, default=6)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    before = bare_speed()
    words = [sys.executable, "-m", "zermelo", "serve", "--no-open", "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://([\d.:]+)/", process.stdout.readline())
        assert found
        time.sleep(1)
        waits, each = asyncio.run(all_of_them(found[1], asked.visitors, asked.moves, process.pid))
    finally:
        process.terminate()
        process.wait()
    speed = (before + bare_speed()) / 2
    allowed = 1.5 * asked.visitors * SIMULATIONS / speed
    told = {
        "visitors": asked.visitors,
        "answers": len(waits),
        "evaluations_per_second": round(speed),
        "median_seconds": round(float(np.median(waits)), 3),
        "seconds_of_95_percent": round(float(np.quantile(waits, 0.95)), 3),
        "allowed_seconds": round(allowed, 3),
        "megabytes_per_visitor": round(each, 3),
    }
    if asked.json:
        print(json.dumps(told))
    else:
        for name, value in told.items():
            print(f"{name.replace('_', ' '):>24}  {value:,}")


if __name__ == "__main__":
    main()

"""A training run: one directory that is always whole.

    config.toml      everything that decides how the run goes
    manifest.json    where the run is; it names the files below, and is replaced in one step
    learner-N        weights, averages and optimiser after round N (safetensors)
    positions/N      what round N's games taught (safetensors)
    games.jsonl      every game
    metrics.jsonl    a line for each round
    best.safetensors the network, as a player loads it

A round writes its files first and the manifest last. Whatever a killed run wrote beyond its manifest is
cut off or overwritten when it goes on, so that it loses at most the round it was in.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file as load_arrays
from safetensors.numpy import save as save_arrays
from safetensors.torch import load_file as load_tensors
from safetensors.torch import save as save_tensors

from zermelo.errors import RunError
from zermelo.files import replace_file
from zermelo.games.registry import game as named_game
from zermelo.learning.config import TrainConfig, build, differences, read_toml, write_toml
from zermelo.learning.learner import Learner, Losses
from zermelo.learning.replay import Replay
from zermelo.learning.selfplay import PlayedGame, play
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import Model, write_model
from zermelo.network.module import new_network
from zermelo.search.pool import Pool

MANIFEST = "manifest.json"
FORMAT = "zermelo run 1"


@dataclass(frozen=True)
class Limits:
    """When a run ends: at the first of these, counted over all of its calls."""

    seconds: float = float("inf")
    games: float = float("inf")
    steps: float = float("inf")


@dataclass(frozen=True)
class Round:
    """What a round did; also a line of metrics.jsonl."""

    round: int
    seconds: float
    games: int
    positions: int
    steps: int
    policy_loss: float
    value_loss: float
    play_seconds: float
    learn_seconds: float
    cache_hits: float
    first_wins: float
    draws: float
    mean_length: float


class Run:
    """A run in its directory; the same call begins it or goes on."""

    def __init__(self, directory: Path, config: TrainConfig) -> None:
        self.directory, self.config = directory, config
        self.game = named_game(config.game)
        self.encoding = config.encoding or next(iter(self.game.encodings))
        self.shape = Shape.of(self.game, self.encoding)
        self.learner = Learner(new_network(config.network, self.shape, config.seed), config.learner)
        self.replay = Replay(self.game, config.window, self.encoding)
        self.manifest: dict[str, Any] = {
            "format": FORMAT, "round": 0, "seconds": 0.0, "games": 0, "games_bytes": 0, "metrics_bytes": 0,
        }  # fmt: skip
        if (directory / MANIFEST).exists():
            self._go_on()
        else:
            self._begin()

    def _begin(self) -> None:
        if self.directory.exists() and any(self.directory.iterdir()):
            others = [path for path in self.directory.iterdir() if path.suffix not in (".toml", ".part")]
            if others:
                raise RunError(f"{self.directory} is not empty, and is no run; choose another with --run")
        replace_file(self.directory / "config.toml", write_toml(self.config).encode())
        self._write_manifest()

    def _go_on(self) -> None:
        try:
            found = json.loads((self.directory / MANIFEST).read_bytes())
            if found["format"] != FORMAT:
                raise ValueError(f"`format` is {found['format']}, not {FORMAT}")
            text = (self.directory / "config.toml").read_text()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RunError(f"{self.directory / MANIFEST} cannot be used: {error}") from error
        before = build(TrainConfig, read_toml(text))
        if changed := differences(before, self.config):
            raise RunError(
                f"{self.directory} is a run with another configuration ({'; '.join(changed)}); "
                "choose another directory with --run"
            )
        self.manifest = found
        if self.manifest["round"] > 0:
            self._load()
        for name, size in (("games.jsonl", "games_bytes"), ("metrics.jsonl", "metrics_bytes")):
            path = self.directory / name
            if path.exists() and path.stat().st_size > self.manifest[size]:
                os.truncate(path, self.manifest[size])

    def _load(self) -> None:
        path = self._learner_file(self.manifest["round"])
        try:
            self.learner.restore(load_tensors(path))
            chunks = []
            for path in self._window():
                chunks.append(load_arrays(path))
        except (OSError, SafetensorError, KeyError, ValueError, RuntimeError) as error:
            raise RunError(f"{path} is damaged or missing: {error}") from error
        self.replay.added = self.manifest["positions"] - sum(len(chunk["values"]) for chunk in chunks)
        for chunk in chunks:
            self.replay.take_in(chunk)

    def _learner_file(self, number: int) -> Path:
        return self.directory / f"learner-{number:06d}.safetensors"

    def _positions_file(self, number: int) -> Path:
        return self.directory / "positions" / f"{number:06d}.safetensors"

    def _window(self) -> list[Path]:
        """The files whose positions are in the window, the oldest first."""
        number, count, found = self.manifest["round"], 0, []
        while number > 0 and count < self.replay.room:
            found.append(self._positions_file(number))
            count += self.manifest["round_positions"][number - 1]
            number -= 1
        return found[::-1]

    def _write_manifest(self) -> None:
        replace_file(self.directory / MANIFEST, json.dumps(self.manifest).encode())

    def model(self) -> Model:
        """The network as it is now."""
        known = {"rounds": self.manifest["round"], "games": self.manifest["games"],
                 "seconds": round(self.manifest["seconds"], 1), "steps": self.learner.steps}  # fmt: skip
        return Model(self.game.name, self.encoding, self.config.network, self.learner.weights(), known, {})

    def train(self, limits: Limits, tell: Callable[[int], None] = lambda _: None) -> Iterator[Round]:
        """Round after round until a limit is reached. `tell` hears how many games of a round are over."""
        evaluator = OnnxEvaluator(self.config.network, self.shape, self.learner.weights())
        pool = Pool(self.game, self.config.parallel, self.encoding, cached=self.config.cached)
        while not self._is_over(limits):
            begin = time.monotonic()
            games = []
            first, count = self.manifest["games"], self.config.games_per_round
            for one in play(pool, evaluator, self.config.selfplay, self.config.seed, first, count):
                games.append(one)
                tell(len(games))
            games.sort(key=lambda one: one.number)
            played = time.monotonic()
            losses = self._learn(games)
            weights = self.learner.weights()
            evaluator.replace(weights)
            hits = pool.hit_rate
            pool.forget(evaluator)
            yield self._finish(games, losses, begin, played, hits)

    def _is_over(self, limits: Limits) -> bool:
        return bool(
            self.manifest["seconds"] >= limits.seconds
            or self.manifest["games"] >= limits.games
            or self.learner.steps >= limits.steps
        )

    def _learn(self, games: list[PlayedGame]) -> Losses:
        """Fit the network to the window, so often that each new position is used as often as asked for."""
        before = self.replay.added
        for one in games:
            self.replay.add(one, self.config.search_weight)
        batch = self.config.learner.batch
        steps = max(1, round((self.replay.added - before) * self.config.uses / batch))
        random = np.random.default_rng([self.config.seed, self.manifest["round"]])
        found = [self.learner.step(self.replay.sample(batch, random)) for _ in range(steps)]
        return Losses(
            float(np.mean([one.policy for one in found])), float(np.mean([one.value for one in found]))
        )

    def _finish(
        self, games: list[PlayedGame], losses: Losses, begin: float, played: float, hits: float
    ) -> Round:
        """Write everything that the round made, the manifest last."""
        manifest, number = self.manifest, self.manifest["round"] + 1
        new = sum(len(one.lessons) for one in games)
        replace_file(self._positions_file(number), save_arrays(self.replay.latest(new)))
        replace_file(self._learner_file(number), save_tensors(self.learner.state()))
        records = [{"game": self.game.name, "number": one.number, "moves": list(one.position.move_names),
                    "returns": one.returns} for one in games]  # fmt: skip
        now = time.monotonic()
        done = Round(
            round=number,
            seconds=manifest["seconds"] + now - begin,
            games=manifest["games"] + len(games),
            positions=self.replay.added,
            steps=self.learner.steps,
            policy_loss=losses.policy,
            value_loss=losses.value,
            play_seconds=played - begin,
            learn_seconds=now - played,
            cache_hits=hits,
            first_wins=float(np.mean([one.returns[0] > 0 for one in games])),
            draws=float(np.mean([one.returns[0] == 0 for one in games])),
            mean_length=float(np.mean([len(one.position.moves) for one in games])),
        )
        self.manifest = {
            **manifest,
            "round": number,
            "seconds": done.seconds,
            "games": done.games,
            "positions": done.positions,
            "round_positions": [*manifest.get("round_positions", []), new],
            "games_bytes": self._append("games.jsonl", manifest["games_bytes"], records),
            "metrics_bytes": self._append("metrics.jsonl", manifest["metrics_bytes"], [vars(done)]),
        }
        self._write_manifest()
        write_model(self.model(), self.directory / "best.safetensors")
        if number > 1:
            self._learner_file(number - 1).unlink(missing_ok=True)
        return done

    def _append(self, name: str, size: int, lines: list[dict[str, Any]]) -> int:
        """Write lines after the first `size` bytes; the new size."""
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        with open(self.directory / name, "ab") as file:
            file.truncate(size)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return size + len(data)

"""The directory of a run, which is always whole.

    config.toml        everything that decides how the run goes
    manifest.json      where the run is; it names the files below, and is replaced in one step
    state-N            weights, averages, optimiser and the games under way after round N (safetensors)
    start-N            the same before the first round, where a run does not begin with nothing
    open               games of the next round: those that have ended, and those under way (safetensors)
    positions/N        what round N's games taught, and people's before them as 0, while in the window
    games.jsonl        every game
    metrics.jsonl      a line for each round
    measures.jsonl     what was measured along the way: strength, and whatever callbacks find
    best.safetensors   the network, as a player loads it
    versions/N         the network after round N, every so many rounds; 0 is what the run began with, or an
                       untrained one, from a tournament
    tournament.jsonl   what versions played in tournaments
    log.txt            what happened, in words

A round writes its files first and the manifest last. Whatever a killed run wrote beyond its manifest is
cut off or overwritten when it goes on. Every few seconds `open` is replaced, so that a kill loses at most
the last moves, and what was learnt in the round since.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file as load_arrays
from safetensors.numpy import save as save_arrays
from safetensors.torch import load_file as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from zermelo.errors import BadParameter, RunError
from zermelo.files import replace_file
from zermelo.learning.config import TrainConfig, build, differences, read_toml, write_toml
from zermelo.learning.replay import Columns
from zermelo.network.model import Model, write_model

FORMAT = "zermelo run 2"
BEGINNING: dict[str, Any] = {
    "format": FORMAT,
    "rounds": 0,
    "seconds": 0.0,
    "cpu_seconds": 0.0,
    "games": 0,
    "steps": 0,
    "positions": 0,
    "round_positions": [],
    "warm_positions": 0,
    "loss": 0.0,
    "measured": {},
    "start": {},
    "bytes": {"games.jsonl": 0, "metrics.jsonl": 0, "measures.jsonl": 0},
}

Prepare = Callable[[], tuple[dict[str, Any], dict[str, Tensor]]]
"""Gives what is known of the start of a run, and the state that it begins with."""


class RunDirectory:
    """Reads and writes the files of a run."""

    def __init__(self, path: Path, config: TrainConfig, prepare: Prepare | None = None) -> None:
        """`prepare` is asked when the run begins, before anything is written."""
        self.path, self.manifest, self._room = path, BEGINNING, config.replay.window
        self._manifest_file, self._config_file = path / "manifest.json", path / "config.toml"
        if self._manifest_file.exists():
            self._go_on(config, prepare)
        else:
            self._begin(config, prepare)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes meanwhile."""
        with self.writing():
            file = open(self.path / ".lock", "a")  # noqa: SIM115 (closed below, so that the lock is kept)
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RunError(f"{self.path} is being trained by another process") from error
            yield

    @property
    def best(self) -> Path:
        return self.path / "best.safetensors"

    def version(self, number: int) -> Path:
        return self.path / "versions" / f"{number:06d}.safetensors"

    def _begin(self, config: TrainConfig, prepare: Prepare | None) -> None:
        found = list(self.path.iterdir()) if self.path.exists() else []
        text = write_toml(config).encode()
        ours = [path for path in found if path == self._config_file and path.read_bytes() == text]
        ours += [self._start_file(0)] if ours else []
        if any(path not in ours and path.suffix != ".part" for path in found):
            raise RunError(f"{self.path} is not empty, and is no run; choose another with --run")
        self._write_beginning(config, prepare)

    def _write_beginning(self, config: TrainConfig, prepare: Prepare | None) -> None:
        start, state = prepare() if prepare else ({}, {})
        with self.writing():
            replace_file(self._config_file, write_toml(config).encode())
            if state:
                replace_file(self._start_file(0), save_tensors(state))
            self.manifest = {**self.manifest, "start": start}
            self._write_manifest()

    def _go_on(self, config: TrainConfig, prepare: Prepare | None) -> None:
        try:
            found = {"start": {}, **json.loads(self._manifest_file.read_bytes())}
            if found["format"] != FORMAT:
                raise ValueError(
                    f"`format` is {found['format']}, not {FORMAT}; another run can begin with its network: "
                    f"--from {self.path}"
                )
            for name, value in BEGINNING.items():
                if type(found[name]) is not type(value):
                    raise ValueError(f"`{name}` is {found[name]!r}")
            if found["bytes"].keys() != BEGINNING["bytes"].keys():
                raise ValueError(f"`bytes` is {found['bytes']}")
            if len(found["round_positions"]) != found["rounds"]:
                raise ValueError(f"`round_positions` is {found['round_positions']}")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RunError(f"{self._manifest_file} cannot be used: {error}") from error
        try:
            before: TrainConfig = build(TrainConfig, read_toml(self._config_file.read_text()))
        except (OSError, ValueError, BadParameter) as error:
            raise RunError(f"{self._config_file} cannot be used: {error}") from error
        changed = differences(before, config)
        if changed and found == {**BEGINNING, "start": found["start"]} and not self._open_file.exists():
            self._write_beginning(config, prepare)  # nothing has been played or learnt
            return
        if other := [text for text in changed if not text.startswith("watch.")]:
            raise RunError(
                f"{self.path} is a run with another configuration ({'; '.join(other)}); "
                "choose another directory with --run"
            )
        self.manifest = found
        if changed:
            self.manifest = {**found, "measured": {}}
            with self.writing():
                replace_file(self._config_file, write_toml(config).encode())
                self._write_manifest()
        for name, size in self.manifest["bytes"].items():
            path = self.path / name
            there = path.stat().st_size if path.exists() else 0
            if there < size:
                raise RunError(
                    f"{path} is shorter than {self._manifest_file} says: {there} bytes, not {size}"
                )
            if there > size:
                os.truncate(path, size)
        self._tidy()

    def _tidy(self) -> None:
        """Remove what kills have left behind, and what nobody will read again."""
        kept = self._last_state()
        states = (*self.path.glob("state-*"), *self.path.glob("start-*"))
        left = [path for path in states if path != kept]
        oldest = self.manifest["rounds"] - len(self._in_window()) + 1
        left += [path for path in self.path.glob("positions/*") if path < self._positions_file(oldest)]
        for path in (*left, *self.path.glob(".*.part"), self.path / "candidate.safetensors"):
            path.unlink(missing_ok=True)

    def _in_window(self) -> list[Path]:
        """The files whose positions may still be learnt from, the oldest first."""
        number, count, found = self.manifest["rounds"], 0, []
        while number > 0 and count < self._room:
            found.append(self._positions_file(number))
            count += self.manifest["round_positions"][number - 1]
            number -= 1
        if self.manifest["start"].get("kept") and count < self._room:
            found.append(self._positions_file(0))
        return found[::-1]

    def _write_manifest(self) -> None:
        replace_file(self._manifest_file, json.dumps(self.manifest).encode())

    def _state_file(self, number: int) -> Path:
        return self.path / f"state-{number:06d}.safetensors"

    def _start_file(self, number: int) -> Path:
        return self.path / f"start-{number:06d}.safetensors"

    def _last_state(self) -> Path:
        """The state that the run goes on from."""
        if rounds := self.manifest["rounds"]:
            return self._state_file(rounds)
        return self._start_file(self.manifest["start"].get("written", 0))

    def _positions_file(self, number: int) -> Path:
        return self.path / "positions" / f"{number:06d}.safetensors"

    @property
    def _open_file(self) -> Path:
        return self.path / "open.safetensors"

    def write_open(self, arrays: Columns) -> None:
        """Put aside the games of a round that is not over."""
        with self.writing():
            replace_file(
                self._open_file, save_arrays({**arrays, "rounds": np.array(self.manifest["rounds"])})
            )

    def load_open(self) -> Columns:
        """What was put aside after the last round; nothing if there is none."""
        if not self._open_file.exists():
            return {}
        try:
            found: Columns = load_arrays(self._open_file)
            return found if found["rounds"] == self.manifest["rounds"] else {}
        except (OSError, SafetensorError, KeyError) as error:
            raise RunError(f"{self._open_file} is damaged: {error}; without it the run goes on") from error

    def load_state(self) -> dict[str, Tensor]:
        path = self._last_state()
        try:
            found: dict[str, Tensor] = load_tensors(path)
        except (OSError, SafetensorError) as error:
            raise RunError(f"{path} is damaged or missing: {error}") from error
        return found

    def load_positions(self) -> list[Columns]:
        """What the latest rounds taught, the oldest first: as many as fill the window."""
        found = []
        for path in self._in_window():
            try:
                found.append(load_arrays(path))
            except (OSError, SafetensorError) as error:
                raise RunError(f"{path} is damaged or missing: {error}") from error
        return found

    def write_round(
        self, changes: dict[str, Any], state: dict[str, Tensor], positions: Columns,
        games: Sequence[dict[str, Any]], metrics: dict[str, Any],
    ) -> None:  # fmt: skip
        """Write everything that a round made, the manifest last."""
        number = changes["rounds"]
        with self.writing():
            replace_file(self._positions_file(number), save_arrays(positions))
            replace_file(self._state_file(number), save_tensors(state))
        self._append({"games.jsonl": games, "metrics.jsonl": [metrics]}, changes)
        self._tidy()

    def write_start(
        self, known: dict[str, Any], state: dict[str, Tensor], measured: Sequence[dict[str, Any]],
        changes: dict[str, Any], positions: Columns | None = None,
    ) -> None:  # fmt: skip
        """Write what the network has come to know before the first round, the manifest last."""
        number = self.manifest["start"].get("written", 0) + 1
        with self.writing():
            if positions:
                replace_file(self._positions_file(0), save_arrays(positions))
            replace_file(self._start_file(number), save_tensors(state))
        self._append({"measures.jsonl": measured}, {**changes, "start": {**known, "written": number}})
        self._tidy()

    def write_spent(self, spent: dict[str, Any]) -> None:
        """Write down how much time the run has taken, whether or not a round came of it."""
        with self.writing():
            self.manifest = {**self.manifest, **spent}
            self._write_manifest()

    def write_best(self, model: Model) -> None:
        """Put this network in the place of the one that plays."""
        with self.writing():
            write_model(model, self.best)

    def write_measures(self, values: dict[str, Any], changes: dict[str, Any]) -> None:
        """Add a line to what was measured along the way."""
        self._append({"measures.jsonl": [values]}, changes)

    def _append(self, lines: dict[str, Sequence[dict[str, Any]]], changes: dict[str, Any]) -> None:
        """Add lines to files, then change the manifest."""
        sizes = dict(self.manifest["bytes"])
        with self.writing():
            for name, some in lines.items():
                data = "".join(json.dumps(line) + "\n" for line in some).encode()
                with open(self.path / name, "ab") as file:
                    file.truncate(sizes[name])
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                sizes[name] += len(data)
            self.manifest = {**self.manifest, **changes, "bytes": sizes}
            self._write_manifest()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What cannot be written is told; what was there before is still whole."""
        try:
            yield
        except OSError as error:
            raise RunError(
                f"{self.path} cannot be written to: {error.strerror}; the rounds until now are whole, and "
                "the same command goes on from there"
            ) from error

    def log(self, message: str) -> None:
        """Add a line to the log."""
        with self.writing(), open(self.path / "log.txt", "a") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {message}\n")

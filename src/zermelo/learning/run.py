"""A training run: play, learn, write down, again."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from zermelo.arena.openings import seed_of
from zermelo.errors import OutOfTime, RunError, TrainingError
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game
from zermelo.learning.archive import Archive
from zermelo.learning.callbacks import Callback, Strength, TensorBoard, Versions
from zermelo.learning.config import TrainConfig
from zermelo.learning.directory import RunDirectory
from zermelo.learning.gate import contest
from zermelo.learning.learner import Learner, Losses, ThreadCount
from zermelo.learning.limits import Limits
from zermelo.learning.people import learn_from_people
from zermelo.learning.pretraining import Pretraining
from zermelo.learning.replay import Replay
from zermelo.learning.round import Clock, Played, Round
from zermelo.learning.schedule import UNLIMITED, Budget, Schedule, Speed, is_timed
from zermelo.learning.selfplay import PlayedGame, random_game, read, written
from zermelo.learning.source import Order, OwnGames, Source, Weights
from zermelo.learning.start import Start
from zermelo.machine import usable_cores
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import Model, read_model, write_model
from zermelo.network.module import new_network, write_weights
from zermelo.search.config import SearchConfig

_SECONDS_BETWEEN = 10.0
"""How often the games of a round that is not over are put aside."""


class Run:
    """A run in its directory; the same call begins it or goes on. Without another source of games, this
    process plays them."""

    def __init__(self, path: Path, config: TrainConfig, source: Source | None = None) -> None:
        self.config = config
        self.game = named_game(config.game)
        self.encoding = config.encoding or next(iter(self.game.encodings))
        self.shape = Shape.of(self.game, self.encoding)
        self.learner = Learner(new_network(config.network, self.shape, config.seed), config.learner)
        self.replay = Replay(self.game, config.replay, self.encoding)
        self.source = source or OwnGames(self.game, config, self.shape)
        self.archive: Archive | None = None
        """People's games, if they have been read."""
        self.pretraining: Pretraining | None = None
        """While it learns from them."""
        self.limits = Limits()
        """Of the present call."""
        self.doing = "starting"
        """What the run is at: playing, learning, measuring ... and over."""
        self.speed = Speed()
        """What playing and learning cost here; a forecast may set it before training."""
        self._unwritten = 0.0, 0.0
        """Wall and CPU seconds of an earlier call that no manifest has."""
        self._clock: Clock | None = None
        """While it trains: since the manifest was last written, so that what callbacks do counts too."""
        self.directory = RunDirectory(path, config, self._prepare if config.start.is_given else None)
        self._accepted = _copies(self.learner.state()) if config.gate.games else {}
        """With a gate, the learner's state when its network was last accepted."""
        self._playing = self.learner.weights()
        self._ended: list[PlayedGame] = []
        """Games of the round that is not over."""
        self._owed = 0
        """Gradient steps that the replay ratio asks for, and that there was no time for."""
        self._reserved = 0.0
        """Seconds at the end of the run that are set apart for measuring and for the end of other
        processes."""
        self._load()

    @property
    def manifest(self) -> dict[str, Any]:
        """Where the run is."""
        return self.directory.manifest

    def _prepare(self) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
        """What the run begins with: what is known of it, and the state of a learner that has it."""
        config, known = self.config, dict[str, Any]()
        if config.start.model:
            start = Start.read(config.start.model, self.game, self.encoding, config.network)
            self.begin_with(start.weights)
            known |= start.known
        if config.start.records:
            self.archive = Archive.read(config.start.records, self.game)
            known["people"] = self.archive.told()
        return known, _prefixed("learner/", self.learner.state())

    def begin_with(self, weights: Weights) -> None:
        """Learn from now on from these weights, with an optimiser that has done nothing yet."""
        network = self.learner.network
        write_weights(network, _tensors(weights))
        threads = self.learner.threads
        self.learner = Learner(network, self.config.learner)
        self.learner.threads = threads
        self._accepted = _copies(self.learner.state()) if self.config.gate.games else {}
        self._playing = self.learner.weights()

    def _load(self) -> None:
        try:
            if self.manifest["start"] and not self.manifest["rounds"]:
                state = self.directory.load_state()
                self.begin_with(_arrays(_inner(state, "learner/average/")))
                self.learner.restore(_inner(state, "learner/"))
                self._load_positions()
            if self.manifest["rounds"] > 0:
                self._load_round()
            if begun := self.directory.load_open():
                self.source.restore(_inner(begun, "selfplay/"))
                self._ended = read(self.game, _inner(begun, "ended/"))
                seconds, cpu_seconds = begun["spent"].tolist()
                self._unwritten = (
                    max(0.0, seconds - self.manifest["seconds"]),
                    max(0.0, cpu_seconds - self.manifest["cpu_seconds"]),
                )
        except (KeyError, ValueError, RuntimeError) as error:
            raise RunError(
                f"{self.directory.path} does not hold what its manifest says: {error}"
            ) from error

    def _load_round(self) -> None:
        state = self.directory.load_state()
        self.learner.restore(_inner(state, "learner/"))
        self.source.restore(_arrays(_inner(state, "selfplay/")))
        if waiting := _arrays(_inner(state, "waiting/")):
            self._ended = read(self.game, waiting)
        self._accepted = _inner(state, "accepted/")
        self._playing = _arrays(_inner(state, "playing/"))
        self._load_positions()
        best = self.directory.best
        if not best.exists() or read_model(best).provenance.get("rounds") != self.manifest["rounds"]:
            self.directory.write_best(self.model())

    def _load_positions(self) -> None:
        chunks, known = self.directory.load_positions(), self.manifest["positions"] + self.kept
        self.replay.added = known - sum(len(chunk["values"]) for chunk in chunks)
        for chunk in chunks:
            self.replay.take_in(chunk)

    @property
    def kept(self) -> int:
        """Positions of people's games that came into the window before those of the first round."""
        return int(self.manifest["start"].get("kept", 0))

    @property
    def spent(self) -> dict[str, Any]:
        """The time of the run until now."""
        manifest, clock = self.manifest, self._clock
        seconds, cpu_seconds = (clock.seconds, clock.cpu_seconds) if clock else self._unwritten
        return {
            "seconds": manifest["seconds"] + seconds,
            "cpu_seconds": manifest["cpu_seconds"] + cpu_seconds,
        }

    def spend(self) -> dict[str, Any]:
        """The time until now, which the next manifest has; from here it is counted anew."""
        found, self._clock = self.spent, Clock()
        return found

    def has_reached(self, limits: Limits) -> bool:
        """Whether there is nothing left to do."""
        return self.within(limits).are_reached({**self.manifest, **self.spent})

    def model(self) -> Model:
        """The network that plays now."""
        known = {name: self.manifest[name] for name in ("rounds", "games", "positions", "steps", "seconds")}
        if self.manifest["start"]:
            known["start"] = self.manifest["start"]
        return Model(self.game.name, self.encoding, self.config.network, self._playing, known, {})

    def callbacks(self, say: Callable[[str], None] = lambda _text: None) -> list[Callback]:
        """Those that a run has by itself; `say` is told what a user should know."""
        watch = self.config.watch
        found: list[Callback] = [Strength(say=say)]
        if watch.versions:
            found.append(Versions(watch.versions))
        if TensorBoard.is_installed():
            found.append(TensorBoard())
        return found

    def measure(self, what: str, values: Mapping[str, Any]) -> None:
        """Write down what was measured after this round."""
        line = {**values, "what": what, "round": self.manifest["rounds"], "games": self.manifest["games"]}
        self.directory.write_measures(
            line, {"measured": {**self.manifest["measured"], **line}} if what == "strength" else {}
        )

    def train(self, limits: Limits, callbacks: Sequence[Callback] = ()) -> Iterator[Round]:
        """Iteration after iteration until a limit is reached, counted over all calls; starting up and
        compiling do not count. After an interruption, go on with a new `Run`."""
        self.limits = limits = self.within(limits)
        with self.directory.locked():
            for callback in callbacks:
                callback.begins(self)
            self._reserve(callbacks)
            self._clock, self._unwritten = Clock(*self._unwritten), (0.0, 0.0)
            threads = torch.get_num_threads()
            if limits.are_of_time or not self.source.is_repeatable:
                self.learner.threads = ThreadCount(usable_cores())
            try:
                if self.manifest["start"] and not self.manifest["rounds"]:
                    self._learn_from_people(callbacks)
                with self._fed():
                    yield from self._rounds(callbacks)
                self.doing = "measuring"
                for callback in callbacks:
                    callback.ends(self)
                self.doing = "over"
            finally:
                torch.set_num_threads(threads)
                self.directory.write_spent(self.spend())
                self._clock = None

    def _rounds(self, callbacks: Sequence[Callback]) -> Iterator[Round]:
        limits, config = self.limits, self.config
        total = limits.seconds_left(0.0, 0.0, usable_cores())
        schedule = Schedule(config, total, self.speed, self.source.workers)
        timed = limits.are_of_time and is_timed(config.rounds)
        while not self.has_reached(limits):
            self._reserve(callbacks)
            if timed and self.manifest["rounds"] and self.seconds_left < schedule.least_seconds:
                return
            done = self._round(schedule if timed else None, callbacks)
            if done is None:
                return
            self.doing = "measuring"
            for callback in callbacks:
                callback.round_ends(self, done)
            yield done

    def _reserve(self, callbacks: Sequence[Callback]) -> None:
        """Set apart what the end of the run will take."""
        self._reserved = self.source.closing_seconds + sum(one.final_seconds(self) for one in callbacks)

    def _learn_from_people(self, callbacks: Sequence[Callback]) -> None:
        self.doing = "learning from people's games"
        learn_from_people(self, self.limits, callbacks)
        self.directory.write_best(self.model())
        if self.config.watch.versions:
            write_model(self.model(), self.directory.version(0))

    @property
    def seconds_left(self) -> float:
        """Wall time for playing and learning; what measuring needs at the end is set apart."""
        spent = self.spent
        cores = max(1.0, spent["cpu_seconds"] / max(1.0, spent["seconds"]))
        return max(0.0, self.limits.seconds_left(**spent, cores=cores) - self._reserved)

    @contextmanager
    def _fed(self) -> Iterator[None]:
        """Games come in meanwhile; those that come in when it is over are put aside."""
        assert self._clock is not None
        with self._clock.stopped():
            self.source.begin(self._playing)
        try:
            yield
        finally:
            changed = self.source.end()
            self._charge_others()
            if changed:
                self._put_aside()

    def _charge_others(self) -> None:
        """Count what other processes have worked for this run."""
        assert self._clock is not None
        self._clock.charge(self.source.take_cpu_seconds())

    def within(self, limits: Limits) -> Limits:
        """These limits, and the one that the configuration has."""
        count = self.config.rounds.count
        return replace(limits, rounds=min(limits.rounds, count)) if count else limits

    def _round(self, schedule: Schedule | None, callbacks: Sequence[Callback]) -> Round | None:
        """Play and learn; None if there was no time for it, and what was played is put aside."""
        limits, begin = self.limits, Clock()
        progress = limits.progress({**self.manifest, **self.spent})
        warm, search = self._search(progress)
        budget = UNLIMITED
        if schedule is not None:
            budget = schedule.budget(
                self.spent["seconds"], self.seconds_left, warm, not self.manifest["rounds"],
                search.simulations,
            )  # fmt: skip
        self.doing = "playing"
        played = self._play(Order(search, warm, parallel=budget.parallel), budget, callbacks)
        if played is None:
            return None
        before = self.replay.added
        for one in played.games:
            self.replay.add(one)
        new = self.replay.added - before
        warm_positions = new if warm else self.manifest["warm_positions"]
        learning, since = Clock(), time.time()
        self.doing = "learning"
        if schedule is not None:
            self.source.hold(schedule.games_ahead(budget, self._owed + new * self._steps_per_position))
        window, steps, losses = self._learn(new, warm_positions, progress, budget)
        learnt, until = learning.seconds, time.time()
        self._check()
        score, accepted = self._accept(progress)
        if accepted:
            self._playing = self.learner.weights()
        self.source.replace(self._playing)
        done = Round(
            round=self.manifest["rounds"] + 1,
            **self.spend(),
            games=self.manifest["games"] + len(played.games),
            positions=self.replay.added - self.kept,
            steps=self.manifest["steps"] + steps,
            policy_loss=losses.policy,
            value_loss=losses.value,
            reply_loss=losses.reply,
            moves_left_loss=losses.moves_left,
            rate=self.config.learner.rate_at(self.learner.steps, progress),
            window=window,
            learn_seconds=learnt,
            gate=score,
            accepted=accepted,
            cluster=self.source.take_metrics((since, until)),
            **played.metrics(),
        )
        self._ended = self._ended[len(played.games) :]
        self._write(played.games, new, warm_positions, done)
        speed = self.speed
        if not warm:
            speed.update("position_seconds", played.seconds, new)
        speed.update("step_seconds", learnt, steps)
        speed.update("overhead_seconds", max(0.0, begin.seconds - played.seconds - learnt), 1)
        speed.update("game_length", sum(len(one.position.moves) for one in played.games), len(played.games))
        return done

    def _search(self, progress: float) -> tuple[bool, SearchConfig]:
        """Whether games begin with random playouts in place of the network, and how they are searched."""
        warm = self.manifest["rounds"] == 0 and self.config.warm_games > 0
        config = self.config.selfplay
        return warm, config.warm_search if warm else config.search_at(progress)

    def _check(self) -> None:
        """See that the network has not become useless, before anything of it is written."""
        with np.errstate(all="ignore"):
            network = OnnxEvaluator(self.config.network, self.shape, self.learner.weights(), threads=1)
        logits, values = network(np.ones((2, *self.shape.inputs), np.float32))
        if not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise TrainingError(
                f"the network has diverged in round {self.manifest['rounds'] + 1}; begin a new run with a "
                "lower `learner.rate`"
            )

    def _play(self, order: Order, budget: Budget, callbacks: Sequence[Callback]) -> Played | None:
        clock, rounds = Clock(), self.config.rounds
        most = int(min(self.config.warm_games if order.warm else rounds.games, self._games_left))
        whole = (order.warm or rounds.whole) and budget is UNLIMITED
        least = 0 if order.warm or rounds.whole else rounds.positions
        games = self._ended
        positions = sum(len(one.lessons) for one in games)
        if whole:
            order = replace(order, games=max(0, most - len(games)))
        saved = time.monotonic()
        is_random = order.warm and not order.search.simulations
        playing = self._random_games() if is_random else self.source.play(order)

        def is_enough() -> bool:
            if len(games) >= self._games_left:
                return True
            if games and clock.seconds > budget.play_seconds:
                return True
            return len(games) >= most and positions >= least and (whole or not self.source.waiting)

        try:
            while not is_enough():
                game = next(playing)
                if game is not None:
                    games.append(game)
                    positions += len(game.lessons)
                    for callback in callbacks:
                        callback.game_ends(self, game)
                if time.monotonic() - saved > _SECONDS_BETWEEN:
                    self._put_aside()
                    saved = time.monotonic()
                self._charge_others()
                if self.seconds_left <= 0:
                    return None
        finally:
            playing.close()
            self._put_aside()
        games.sort(key=lambda one: one.number)
        taken = games[: int(min(len(games), self._games_left))]
        return Played(taken, order, clock.seconds, self.source.take_effort())

    @property
    def _games_left(self) -> float:
        return float(self.limits.games - self.manifest["games"])

    def _random_games(self) -> Generator[PlayedGame | None]:
        while True:
            yield random_game(self.game, self.config.seed, self.source.take_number())

    def _put_aside(self) -> None:
        """Write down the games of this round: those that have ended, and those under way."""
        waiting, state = self.source.snapshot()
        arrays = _prefixed("selfplay/", state)
        arrays |= _prefixed("ended/", written(self.game, [*self._ended, *waiting]))
        arrays["spent"] = np.array(list(self.spent.values()))
        self.directory.write_open(arrays)

    def _learn(self, new: int, warm: int, progress: float, budget: Budget) -> tuple[int, int, Losses]:
        """Fit the network to the window until the budget or a limit ends it; how many positions are in it,
        how many steps, and the losses. What the first games with random playouts taught is left out as soon
        as others have taught as much."""
        config, rounds = self.config, self.config.rounds
        since = warm if self.replay.added >= 2 * warm else 0
        if config.replay.rounds:
            latest = [*self.manifest["round_positions"], new][-config.replay.rounds :]
            since = max(since, self.replay.added - sum(latest))
        window = self.replay.window(since)
        random = np.random.default_rng([config.seed, self.manifest["rounds"]])
        batch, augment = config.learner.batch, config.replay.augment
        owed = 0
        if rounds.epochs:
            samples = window.epochs(rounds.samples, rounds.epochs, batch, random, augment)
        else:
            owed = rounds.steps or self._owed + max(1, round(new * self._steps_per_position))
            samples = (window.sample(batch, random, augment) for _ in range(owed))
        left = self.limits.steps - self.manifest["steps"]
        losses, saved, clock = [], time.monotonic(), Clock()
        for one in samples:
            if budget is not UNLIMITED:
                progress = self.limits.progress({**self.manifest, **self.spent})
            losses.append(self.learner.step(one, progress))
            self.source.check()
            self._charge_others()
            if time.monotonic() - saved > _SECONDS_BETWEEN and self.source.waiting:
                self._put_aside()
                saved = time.monotonic()
            if clock.seconds > budget.learn_seconds or self.seconds_left <= 0 or len(losses) >= left:
                break
        self._owed = min(max(0, owed - len(losses)), owed // 2)
        return len(window), len(losses), Losses.mean(losses)

    @property
    def _steps_per_position(self) -> float:
        return self.config.rounds.uses / self.config.learner.batch

    def _accept(self, progress: float) -> tuple[float | None, bool]:
        """Whether the network, as it has become, shall play; with a gate, its score in the match too."""
        gate = self.config.gate
        if not gate.games:
            return None, True
        candidate = self.directory.path / "candidate.safetensors"
        best = Model(self.game.name, self.encoding, self.config.network, self._playing, {}, {})
        self.directory.write_best(best)
        write_model(replace(best, weights=self.learner.weights()), candidate)
        search = self.config.selfplay.search_at(progress)
        seed = seed_of(self.config.seed, self.manifest["rounds"], 0)

        end = time.monotonic() + self.seconds_left

        def check_time(_positions: Sequence[Position]) -> None:
            if self.seconds_left <= 0:
                raise OutOfTime

        self.doing = "deciding whether the new network plays"
        try:
            result = contest(self.game, candidate, self.directory.best, gate, search, seed, check_time, end)
        except OutOfTime:
            if self.manifest["rounds"]:
                return None, False
            self._accepted = _copies(self.learner.state())
            return None, True  # a first network is better than none
        finally:
            candidate.unlink()
        accepted = gate.accepts(result)
        if accepted:
            self._accepted = _copies(self.learner.state())
        elif not gate.goes_on:
            self.learner.restore(_copies(self._accepted))
        return result.score, accepted

    def _write(self, games: Sequence[PlayedGame], new: int, warm: int, done: Round) -> None:
        state = _prefixed("learner/", self.learner.state()) | _prefixed("accepted/", self._accepted)
        state |= _prefixed("playing/", _tensors(self._playing))
        waiting, playing = self.source.snapshot()
        state |= _prefixed("selfplay/", _tensors(playing))
        if waiting := [*self._ended, *waiting]:
            state |= _prefixed("waiting/", _tensors(written(self.game, waiting)))
        changes = {
            "rounds": done.round,
            "seconds": done.seconds,
            "cpu_seconds": done.cpu_seconds,
            "games": done.games,
            "steps": done.steps,
            "loss": done.policy_loss + done.value_loss,
            "positions": done.positions,
            "round_positions": [*self.manifest["round_positions"], new],
            "warm_positions": warm,
        }
        records = [self._record(one) for one in games]
        self.directory.write_round(changes, state, self.replay.latest(new), records, vars(done))
        self.directory.write_best(self.model())

    def _record(self, one: PlayedGame) -> dict[str, Any]:
        found = {"game": self.game.name, "number": one.number, "moves": list(one.position.move_names),
                 "returns": one.returns}  # fmt: skip
        return {**found, "resigned": one.resigner} if one.is_resigned else found


def _copies(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in state.items()}


def _tensors(arrays: Mapping[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(value) for name, value in arrays.items()}


def _arrays(tensors: Mapping[str, torch.Tensor]) -> dict[str, NDArray[Any]]:
    return {name: value.numpy() for name, value in tensors.items()}


def _prefixed(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{prefix}{name}": value for name, value in values.items()}


def _inner(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The values whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}

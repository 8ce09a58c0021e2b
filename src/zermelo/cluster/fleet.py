"""Workers that play for a run without ever waiting for it, and the thread that keeps them busy.

The thread hands out shifts, each with the newest weights and with numbers of games that nobody else has,
takes in the games of those that have ended, and puts another worker in the place of one that has died.
The learner runs at the same time. Workers pause when the backlog of finished games is long enough: `AHEAD`
iterations of games on a cluster, one iteration on the local machine, where they share cores with the
learner.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.cluster.connection import cause_of, check, connected
from zermelo.cluster.crew import Member
from zermelo.cluster.logbook import Logbook
from zermelo.cluster.parcel import Parcel, unpacked
from zermelo.cluster.worker import Shift, Worker
from zermelo.errors import ClusterError, ZermeloError
from zermelo.games.adapters.python import PythonGame
from zermelo.games.registry import game as named_game
from zermelo.games.registry import is_known_elsewhere
from zermelo.learning.config import TrainConfig, write_toml
from zermelo.learning.limits import Limits
from zermelo.learning.selfplay import PlayedGame, read, written
from zermelo.learning.source import Effort, Order, Source, Weights
from zermelo.machine import usable_cores

AHEAD = 4
"""Rounds of games that may wait to be learnt from before workers wait too."""
FEWEST = 64
"""Games at once for each worker, if a run has so many: fewer make poor batches."""
_SHIFT_SECONDS = 0.5
_QUEUED = 2
"""Shifts that a worker has before it, so that it need not wait for this process."""
_BYTES = 400_000_000
"""Memory of a worker, without the answers that it remembers."""
_PLACED_WITHIN = 180.0
"""Seconds that a run goes on without a single worker."""
_BACK_OFF, _LONGEST_BACK_OFF = 1.0, 30.0
"""Seconds before another worker takes a dead one's place; twice as many each time."""
_HOPELESS = 4
"""Deaths in a row of every worker, without a single game, after which nothing better is expected."""
_LEAVING_SECONDS = 15.0
_PAUSE = 0.2


class Fleet(Source):
    """Games that workers of a cluster play. `lost` counts those that were under way, or on their way here,
    when a worker or this process died."""

    closing_seconds = 3.0

    def __init__(
        self, config: TrainConfig, address: str, workers: int = 0, threads: int = 1,
        kind: type[Worker] = Worker, say: Callable[[str], None] = lambda _text: None,
        is_asked_for: bool = True,
    ) -> None:  # fmt: skip
        """Unless workers are asked for, there are as many as there is memory for."""
        self.config, self._kind, self._say = config, kind, say
        self.game = named_game(config.game)
        self._where, self._is_asked_for = (address, workers, threads), is_asked_for
        self._connection = ExitStack()
        self._next = 0
        """The first number that no game has."""
        self._left: list[PlayedGame] = []
        """Games under way that no worker has."""
        self._arrived: deque[PlayedGame] = deque()
        self._crew: list[Member] = []
        self._order: Order | None = None
        self._changes = 0
        self._delivered = 0
        """Games of this order."""
        self._held = math.inf
        """Games that may wait, if workers share the learner's cores."""
        self._version, self._weights = 0, None
        self._news = threading.Condition(threading.RLock())
        self._thread: threading.Thread | None = None
        self._ending = False
        self._failure: ZermeloError | None = None
        self._log = Logbook()

    # What a run asks for.

    def begin(self, weights: Weights) -> None:
        begin = time.monotonic()
        self.cluster = self._connection.enter_context(connected(*self._where))
        try:
            count = self._count()
        except ZermeloError:
            self._connection.close()
            raise
        self._say(f"starting Ray took {time.monotonic() - begin:.1f} s")
        self.replace(weights)
        parallel = self.config.selfplay.parallel
        self._slots = max(min(parallel, FEWEST), parallel // count)
        self._shift_games = max(1, self.config.rounds.games // (2 * count))
        self._crew = [Member(number) for number in range(count)]
        for number, member in enumerate(self._crew):
            member.games = self._left[number::count]
        self._left, self._order = [], None
        self._ending, self._failure = False, None
        self._log.begin()
        self._thread = threading.Thread(target=self._keep_busy, name="fleet", daemon=True)
        self._thread.start()

    def replace(self, weights: Weights) -> None:
        reference = self.cluster.ray.put(dict(weights))
        with self._news:
            self._version, self._weights = self._version + 1, reference

    def play(self, order: Order) -> Generator[PlayedGame | None]:
        with self._news:
            self._changes += order != self._order
            self._order, self._delivered, self._held = order, 0, math.inf
        while True:
            with self._news:
                self.check()
                if not self._arrived:
                    self._news.wait(_PAUSE)
                game = self._arrived.popleft() if self._arrived else None
            yield game

    def hold(self, games: float) -> None:
        self._held = games

    def take_number(self) -> int:
        with self._news:
            self._next += 1
            return self._next - 1

    @property
    def waiting(self) -> int:
        return len(self._arrived)

    def check(self) -> None:
        if self._failure is not None:
            raise self._failure

    @property
    def alive(self) -> int:
        """Workers that are there now."""
        return sum(member.is_ready for member in self._crew)

    @property
    def processes(self) -> list[int]:
        """Those of workers that are there now, each on its machine."""
        return [member.process for member in self._crew if member.is_ready]

    @property
    def lost(self) -> int:
        """Games, since the run was last asked to begin or told so in its metrics."""
        return self._log.lost

    @property
    def unused(self) -> int:
        """Numbers that were handed out, and whose games were not begun."""
        return self._log.unused

    @property
    def workers(self) -> int:
        return max(1, len(self._crew))

    def take_cpu_seconds(self) -> float:
        with self._news:
            return self._log.take_cpu_seconds()

    def take_effort(self) -> Effort:
        with self._news:
            return self._log.take_effort()

    def take_metrics(self, learning: tuple[float, float]) -> dict[str, Any]:
        with self._news:
            facts = {"workers": len(self._crew), "alive": self.alive, "version": self._version,
                     "waiting": len(self._arrived)}  # fmt: skip
            return facts | self._log.take_metrics(learning)

    def snapshot(self) -> tuple[list[PlayedGame], dict[str, NDArray[Any]]]:
        with self._news:
            kept = [*self._left, *(one for member in self._crew for one in member.games)]
            flying = sorted(set(self._flying()) - {one.number for one in kept})
            state = {"begun": np.array(self._next), "flying": np.array(flying, np.int64)}
            return list(self._arrived), state | written(self.game, kept)

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._next = int(state["begun"])
        self._left = read(self.game, state)
        self._log.lost = len(state.get("flying", ()))

    def _flying(self) -> list[int]:
        return [number for member in self._crew for number in member.numbers]

    def end(self) -> bool:
        """Stop, and collect what has ended and what is under way, as far as workers answer in time."""
        with self._connection:
            self._leave()
        return True

    def _leave(self) -> None:
        self._ending = True
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if not self.cluster.is_there:
            for member in self._crew:
                member.handle = None
        deadline = time.monotonic() + _LEAVING_SECONDS
        calls = [(one, one.leave()) for one in self._crew if one.is_ready]
        for member, call in calls:
            for shift in member.shifts:
                self._collect(member, shift, deadline)
            self._collect(member, call, deadline, leaving=True)
        with self._news:
            for member in self._crew:
                self._left += member.games
                self._log.lost += member.dismiss(self.cluster.ray)
            self._crew = []

    def _collect(self, member: Member, call: Any, deadline: float, leaving: bool = False) -> None:
        """What a call gives, before the deadline; of a worker that does not answer all is lost."""
        ray = self.cluster.ray
        try:
            found = ray.get(call, timeout=max(0.1, deadline - time.monotonic()))
        except ray.exceptions.RayError:
            return
        with self._news:
            if not leaving:
                self._take_in(member, found)
                return
            games = read(self.game, found)
            self._left += games
            member.numbers -= {one.number for one in games}
            self._log.unused += len(member.numbers)
            member.numbers.clear()

    # What the thread does.

    def _keep_busy(self) -> None:
        ray = self.cluster.ray
        try:
            while not self._ending:
                if not self.cluster.is_there:
                    where = self.cluster.address
                    raise ClusterError(
                        f"the cluster ({where}) is gone; the run is whole, and the same command goes on"
                    )
                with self._news:
                    self._hire()
                    self._hand_out()
                    calls = {call: member for member in self._crew for call in member.calls}
                if not calls:
                    time.sleep(_PAUSE / 4)
                    self._check_hope()
                    continue
                ray.wait(list(calls), timeout=_PAUSE)
                ready, _ = ray.wait(list(calls), num_returns=len(calls), timeout=0)
                for call in ready:
                    self._hear(calls[call], call)
                self._check_hope()
        except ZermeloError as error:
            self._fail(error)
        except Exception as error:
            self._fail(ClusterError(f"the cluster is lost: {cause_of(error)}"))

    def _fail(self, error: ZermeloError) -> None:
        with self._news:
            self._failure = error
            self._news.notify_all()

    def _hire(self) -> None:
        """Put a worker wherever there is none, as soon as it may be tried again."""
        now = time.monotonic()
        for member in self._crew:
            if member.handle is None and now >= member.not_before:
                begun = written(self.game, member.games)
                arguments = write_toml(self.config), self._slots, self.cluster.threads, begun
                member.hire(self.cluster.start(self._kind, memory=self._memory()), arguments)

    def _hand_out(self) -> None:
        """Give every worker shifts, unless too much waits to be learnt from."""
        order = self._order
        if order is None:
            return
        most = AHEAD * self.config.rounds.games
        if len(self._arrived) >= (min(most, self._held) if self.cluster.is_local else most):
            self._log.pause()
            return
        self._log.go_on()
        for member in self._crew:
            while member.is_ready and len(member.shifts) < _QUEUED:
                numbers = range(self._next, self._next + self._wanted(member, order))
                if order.games and not numbers and (not member.numbers or member.shifts):
                    break
                self._next = numbers.stop
                shift = Shift(
                    order, self._changes, self._version, (self._weights,), numbers, self._shift_games,
                    _SHIFT_SECONDS, math.ceil(order.parallel / len(self._crew)),
                )  # fmt: skip
                member.work(shift)

    def _wanted(self, member: Member, order: Order) -> int:
        """How many games a worker should begin besides those it has."""
        if not order.games:
            return max(0, self._slots + _QUEUED * self._shift_games - len(member.numbers))
        owed = order.games - self._delivered - len(self._flying())
        share = math.ceil(order.games / len(self._crew)) - len(member.numbers)
        return max(0, min(owed, share))

    def _hear(self, member: Member, call: Any) -> None:
        """Take in what a call of a worker gave; one that has died makes way."""
        ray = self.cluster.ray
        if call not in member.calls:
            return
        try:
            found = ray.get(call)
        except ray.exceptions.RayTaskError as error:
            raise _as_told(error) from error
        except ray.exceptions.RayError as error:
            with self._news:
                self._bury(member, cause_of(error))
            return
        with self._news:
            member.calls.remove(call)
            if isinstance(found, Parcel):
                self._take_in(member, found)
            else:
                member.heard(found)
            self._log.alive_since = time.monotonic()

    def _take_in(self, member: Member, parcel: Parcel) -> None:
        games = unpacked(self.game, parcel.columns)
        member.numbers -= {one.number for one in games}
        if games:
            member.deaths = 0
        self._arrived.extend(games)
        self._delivered += len(games)
        self._log.write(parcel, self._version)
        self._news.notify_all()

    def _bury(self, member: Member, cause: str) -> None:
        self._log.deaths += 1
        self._log.lost += member.dismiss(self.cluster.ray)
        self._log.cause = cause
        member.deaths += 1
        wait = min(_LONGEST_BACK_OFF, _BACK_OFF * 2 ** (member.deaths - 1))
        member.not_before = time.monotonic() + wait

    def _check_hope(self) -> None:
        """Raise an error if there is nobody to wait for."""
        if self.alive:
            return
        if all(member.deaths >= _HOPELESS for member in self._crew):
            raise ClusterError(
                f"every worker has died {_HOPELESS} times without a game ({self._log.cause}); the run is "
                "whole, and the same command goes on"
            )
        placed = any(member.is_placed for member in self._crew)
        if not placed and time.monotonic() - self._log.alive_since > _PLACED_WITHIN:
            died = f"; the last died: {self._log.cause}" if self._log.cause else ""
            raise ClusterError(
                f"no worker has found a place for {_PLACED_WITHIN:.0f} s: each needs {self._needs()}, and "
                f"{self.cluster.room()}{died}; the run is whole, and the same command goes on"
            )

    # Room.

    def _memory(self) -> int:
        """Bytes that a worker asks the cluster for."""
        state = 8 * self.game.state_words + 4 * self.game.num_actions + 12
        return _BYTES + self.config.selfplay.cached * state

    def _needs(self) -> str:
        return f"{self.cluster.threads} CPUs and {self._memory() / 2**30:.1f} GiB"

    def _count(self) -> int:
        """How many workers there are. On this machine alone nobody will make room for what does not fit."""
        count = self.cluster.workers
        if not self.cluster.is_local:
            return count
        free = self.cluster.ray.available_resources().get("memory", math.inf)
        fitting = int(min(count, free // self._memory()))
        if fitting == count:
            return count
        if fitting and not self._is_asked_for:
            self._say(f"there is memory for {fitting} of them: each needs {self._needs()}")
            return fitting
        raise ClusterError(
            f"{count} workers do not fit: each needs {self._needs()}, and {self.cluster.room()}; give "
            "fewer --workers, or --ray off, or lower `selfplay.cached`"
        )


_WORTH_WORKERS = 60.0
"""Seconds of a run in plain Python from which workers of Ray pay for their start."""


def fleet_for(
    config: TrainConfig, limits: Limits, ray: str | None, workers: int | None, say: Callable[[str], None]
) -> Fleet | None:
    """The workers that play for a run: those that `ray` asks for (`off`: none), or if nothing is asked for,
    one on each core where the rules are plain Python. None if this process plays."""
    cores, game = usable_cores(), named_game(config.game)
    if ray is not None and ray != "off":
        check(ray)
        if not is_known_elsewhere(game):
            raise ClusterError(
                f"workers know no game `{game.name}`: a game of one's own is named by its file, or is "
                "installed there, with an entry point of the group `zermelo.games`"
            )
    if ray is None and cores > 1 and isinstance(game, PythonGame) and is_known_elsewhere(game):
        if find_spec("ray") is None:
            say(
                "the rules are plain Python and use one core; with Ray (pip install 'zermelo[ray]') games "
                f"are played on all {cores}"
            )
        elif limits.seconds_left(0.0, 0.0, cores) >= _WORTH_WORKERS:
            say(f"the rules are plain Python: {cores} Ray workers play, one on each core (--ray off: none)")
            return Fleet(config, "local", say=say, is_asked_for=False)
    if ray in (None, "off"):
        return None
    say(f"games are played by workers of Ray ({ray}), and learnt from here")
    return Fleet(config, ray, workers or 0, say=say)


def _as_told(error: Any) -> ZermeloError:
    """What a worker's error is to the user."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, ZermeloError):
        return cause
    if isinstance(cause, MemoryError):
        return ClusterError(
            f"a worker has not enough memory: {cause}; lower `selfplay.cached` or `selfplay.parallel`"
        )
    return ClusterError(f"a worker cannot go on: {cause_of(error)}")

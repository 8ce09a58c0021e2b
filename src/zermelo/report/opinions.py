"""What a network thinks of some positions: by itself, and after a search."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from zermelo.games.diagrams import heat_map
from zermelo.games.position import Position
from zermelo.players.az import AzPlayer
from zermelo.report.charts import Bars
from zermelo.search.result import SearchResult

_SAID = 0.02
"""A move with less than this share has no word on the board."""
_MOST_BARS = 12
"""Moves that have bars, where there is no board."""


@dataclass(frozen=True)
class Opinion:
    """A position, and what is thought of its moves."""

    position: Position
    result: SearchResult

    @property
    def policy_map(self) -> str | None:
        """The network's own policy, in percent."""
        shares = dict(zip(self.result.actions.tolist(), self.result.priors.tolist(), strict=True))
        return heat_map(self.position, _strong(shares), _percent(shares))

    @property
    def visits_map(self) -> str | None:
        """The share of visits after the search, in percent."""
        total = max(1, int(self.result.visits.sum()))
        shares = dict(zip(self.result.actions.tolist(), (self.result.visits / total).tolist(), strict=True))
        return heat_map(self.position, _strong(shares), _percent(shares))

    @property
    def value_map(self) -> str | None:
        """The value of each move that was tried, from -1 to 1 for the mover; what is better glows more."""
        values = {
            action: value
            for action, value in zip(self.result.actions.tolist(), self.result.values.tolist(), strict=True)
            if not np.isnan(value)
        }
        heat = {action: (value + 1) / 2 for action, value in values.items()}
        return heat_map(self.position, heat, {action: _short(value) for action, value in values.items()})

    @property
    def bars(self) -> Bars:
        """All of that for the moves with most visits, where there is no board."""
        order, total = self._order()[:_MOST_BARS], max(1, int(self.result.visits.sum()))
        return Bars(
            "Moves",
            [self.position.name(int(self.result.actions[i])) for i in order],
            {
                "network alone": [float(self.result.priors[i]) for i in order],
                "after the search": [float(self.result.visits[i]) / total for i in order],
            },
            [float(self.result.values[i]) for i in order],
        )

    def lines(self, most: int = 5) -> list[tuple[str, int, float, float]]:
        """Of the moves with most visits, better ones first: the move, its visits, its value, and its
        prior."""
        return [
            (
                self.position.name(int(self.result.actions[i])),
                int(self.result.visits[i]),
                float(self.result.values[i]),
                float(self.result.priors[i]),
            )
            for i in self._order()[:most]
        ]

    def _order(self) -> list[int]:
        """Places of moves in the result: those with most visits first, then those with the best value."""
        order: list[int] = np.lexsort(
            (-np.nan_to_num(self.result.values, nan=-2.0), -self.result.visits)
        ).tolist()
        return order

    @property
    def principal(self) -> str:
        """The line that both sides are expected to play."""
        names, position = [], self.position
        for action in self.result.line:
            names.append(position.name(action))
            position = position.play(action)
        return " ".join(names)


def _strong(shares: dict[int, float]) -> dict[int, float]:
    """The strongest glows fully."""
    most = max(shares.values(), default=0.0) or 1.0
    return {action: share / most for action, share in shares.items()}


def _percent(shares: dict[int, float]) -> dict[int, str]:
    return {action: f"{100 * share:.0f}" for action, share in shares.items() if share >= _SAID}


def _short(value: float) -> str:
    """A value in a cell: .25, -.25, 1."""
    whole = f"{value:.2f}"
    return {"0.00": "0", "-0.00": "0", "1.00": "1", "-1.00": "-1"}.get(whole, whole.replace("0.", ".", 1))


def opinions(model: str, positions: list[Position], simulations: int) -> list[Opinion]:
    player = AzPlayer(model=model, sims=simulations)
    results = player.search(positions, [0] * len(positions))
    return [Opinion(position, result) for position, result in zip(positions, results, strict=True)]


def turn_seconds(model: str, game: Position, simulations: int) -> list[float]:
    """How long each move of a game takes."""
    player = AzPlayer(model=model, sims=simulations, cached=0)
    position, found = game.game.position(), []
    player.choose([position], [0])  # so that nothing is loaded while it counts
    for action in game.moves:
        begin = time.perf_counter()
        player.choose([position], [0])
        found.append(time.perf_counter() - begin)
        position = position.play(action)
    return found


def move_seconds(model: str, position: Position, simulations: list[int]) -> list[float]:
    """How long a move takes with each number of simulations, in one game; the best of two."""
    found = []
    for count in simulations:
        times = []
        for _ in range(2):
            player = AzPlayer(model=model, sims=count, cached=0)
            player.choose([position.game.position()], [0])  # so that nothing is loaded while it counts
            begin = time.perf_counter()
            player.choose([position], [0])
            times.append(time.perf_counter() - begin)
        found.append(min(times))
    return found

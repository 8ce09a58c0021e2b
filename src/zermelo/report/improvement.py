"""How a run became better from version to version: ratings, and mistakes set by set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from zermelo.arena.chart import ratings_figure
from zermelo.arena.mistakes import mistakes
from zermelo.arena.ratings import Ratings
from zermelo.arena.tournament import Entry, tournament
from zermelo.exact.sets import SETS, shipped
from zermelo.learning.history import History
from zermelo.learning.versions import versions
from zermelo.pictures import as_png, as_svg, styled
from zermelo.players.az import AzPlayer
from zermelo.report.charts import Chart, Drawing, Line

ANCHOR = 100.0
"""The rating of a network that has learnt nothing, as in seed 002."""
POSITIONS = 100
"""Of each set, that are graded."""
SIMULATIONS = 50
Told = Callable[[str], None]


@dataclass(frozen=True)
class RatingChart:
    """Ratings of versions with their intervals and the line that fits them, as `zermelo tournament` draws
    them."""

    title: str
    ratings: Ratings
    versions: Mapping[str, int]

    def pictures(self) -> tuple[str, bytes]:
        """As SVG, and as PNG."""
        with styled():
            figure = ratings_figure(self.ratings, self.versions, inches=(6.4, 3.2))
            return as_svg(figure), as_png(figure)


def improvement(history: History, checkpoints: int, told: Told) -> Iterator[tuple[str, Drawing, str]]:
    """A name, a chart, and what it shows; nothing from a run that has kept no versions."""
    if not any((history.path / "versions").glob("*[1-9]*.safetensors")):
        return
    kept = versions(history.path, history.game, checkpoints)
    yield _ratings(history, kept, told)
    names = SETS.get(history.game.name, ())
    for simulations, words in ((0, "network alone"), (SIMULATIONS, f"{SIMULATIONS} simulations")):
        lines = {name: _mistakes(history, name, kept, simulations, told) for name in names}
        if lines:
            chart = Chart(f"Mistakes, {words}", "rounds", "share of positions", lines, share=True)
            caption = (
                f"The share of {POSITIONS} positions of each set in which the move changes the result."
            )
            yield f"mistakes-{simulations}", chart, caption


def _ratings(history: History, kept: Mapping[int, Path], told: Told) -> tuple[str, RatingChart, str]:
    entries = [Entry(f"v{n}", AzPlayer(model=str(path), sims=SIMULATIONS), n) for n, path in kept.items()]
    result = tournament(
        history.game, entries, anchor=("v0", ANCHOR), record=history.path / "tournament.jsonl",
        progress=lambda done, who: told(f"rating versions: {done} games, {who}"),
    )  # fmt: skip
    rise = result.trend()
    assert rise is not None
    low, high = rise.interval
    caption = (
        f"Matches between versions, {SIMULATIONS} simulations a move; the untrained network has "
        f"{ANCHOR:.0f}. A version is a round; fitted increase: {rise.per_version:.1f} "
        f"({low:.1f} to {high:.1f})."
    )
    return "ratings", RatingChart("Rating by version", result.ratings, result.versions), caption


def _mistakes(history: History, name: str, kept: Mapping[int, Path], simulations: int, told: Told) -> Line:
    positions = shipped(history.game, name)[:POSITIONS]
    shares = []
    for number, path in kept.items():
        told(f"counting mistakes of version {number} in {name}")
        shares.append(mistakes(AzPlayer(model=str(path), sims=simulations), positions).share)
    return list(kept), shares

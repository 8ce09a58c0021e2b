"""A network against a row of opponents, moving first and second: what two experiments do."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

import zermelo
from zermelo.arena.match import MatchResult
from zermelo.cli.output import progress
from zermelo.players.base import Player

SEATS = ("first", "second")


def matches(
    what: str, game: str, player: Player, opponents: Sequence[str], games: int, openings: int, seed: int
) -> dict[str, MatchResult]:
    """`games` games with each colour against each opponent."""
    found: dict[str, MatchResult] = {}
    with progress(what, len(opponents), "matches") as display:
        for name in opponents:
            found[name] = zermelo.match(
                zermelo.game(game), player, zermelo.player(name), 2 * games, seed, openings
            )
            display(len(found))
    return found


BEGINNING = 12
"""Plies by which games are told apart: games that differ only later are one line, counted several times."""


def different(result: MatchResult, seat: int) -> int:
    """How many different beginnings the games have in which A was first (0) or second (1)."""
    return len({position.moves[:BEGINNING] for position in result.positions[seat::2]})


def wins_and_losses(result: MatchResult, seat: int) -> str:
    """As the text writes them: draws are what is missing."""
    wins, _, losses = result.seated(seat)
    return f"{wins}-{losses}"


def bars(found: dict[str, MatchResult], title: str) -> Figure:
    """Wins, draws and losses against each opponent."""
    figure = Figure(figsize=(9, 1 + 0.55 * 2 * len(found)))
    axes = figure.subplots()
    lines = [(name, seat) for name in found for seat in (0, 1)]
    left = [0] * len(lines)
    for kind, word, colour in ((0, "won", "tab:green"), (1, "drawn", "lightgrey"), (2, "lost", "tab:red")):
        widths = [found[name].seated(seat)[kind] for name, seat in lines]
        axes.barh(
            [f"{name}, {SEATS[seat]}" for name, seat in lines], widths, left=left, label=word, color=colour
        )
        left = [before + width for before, width in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set(title=title, xlabel="games")
    figure.legend(loc="outside lower center", ncols=3)
    return figure

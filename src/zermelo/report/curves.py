"""The course of a run as charts, from what it wrote down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.learning.history import History
from zermelo.report.charts import Chart, Line

_POSITIONS = "positions learnt from"


def curves(history: History) -> Iterator[tuple[str, Chart, str]]:
    """A name, a chart, and what it shows, for everything that this run has measured."""
    rounds = history.rounds
    if not rounds:
        return
    losses = {
        words: line
        for name, words in (("policy_loss", "policy"), ("value_loss", "value"), ("reply_loss", "reply"),
                            ("moves_left_loss", "moves left"))
        if any((line := _over(rounds, name))[1])
    }  # fmt: skip
    yield "losses", Chart("Losses", _POSITIONS, "loss", losses), "How far each head is from its targets."
    measured = [one for one in history.measures if one.get("what") == "strength"]
    at = {one["round"]: one["positions"] for one in rounds}
    yield from _strength([one for one in measured if one["round"] in at], at)
    yield (
        "lengths",
        Chart("Length of games", _POSITIONS, "moves", {"mean": _over(rounds, "mean_length")}),
        ("The mean number of moves of a game of self-play, opening moves included."),
    )
    results = {"first player wins": _over(rounds, "first_wins"), "draws": _over(rounds, "draws")}
    yield (
        "results",
        Chart("Results of self-play", _POSITIONS, "share of games", results, share=True),
        ("Who wins when the network plays itself."),
    )
    yield (
        "speed",
        Chart("Speed", _POSITIONS, "positions per second", {"all in all": _speeds(rounds)}),
        ("Positions per second of each round, with playing, learning and measuring."),
    )
    shares = {"in the network": _over(rounds, "network_share"), "remembered": _over(rounds, "cache_hits")}
    yield (
        "time",
        Chart("Self-play", _POSITIONS, "share", shares, share=True),
        ("The share of time in the network, and of evaluations that were remembered."),
    )


def _over(lines: list[dict[str, Any]], name: str) -> Line:
    some = [one for one in lines if one.get(name) is not None]
    return [one["positions"] for one in some], [one[name] for one in some]


def _speeds(rounds: list[dict[str, Any]]) -> Line:
    before = [{"positions": 0, "seconds": 0.0}, *rounds]
    speeds = [
        (now["positions"] - then["positions"]) / max(now["seconds"] - then["seconds"], 1e-9)
        for then, now in zip(before, rounds, strict=False)
    ]
    return [one["positions"] for one in rounds], speeds


def _strength(measured: list[dict[str, Any]], at: dict[int, int]) -> Iterator[tuple[str, Chart, str]]:
    """Against players, and mistakes, where these were measured along the way."""
    names = sorted({name for one in measured for name in one.get("against", {})})
    against: dict[str, Line] = {}
    for name in names:
        some = [one for one in measured if name in one.get("against", {})]
        against[name] = [at[one["round"]] for one in some], [one["against"][name] for one in some]
    if against:
        yield (
            "strength",
            Chart("Strength", _POSITIONS, "share of points", against, share=True),
            ("Points in matches along the way."),
        )
    lines = {
        words: ([at[one["round"]] for one in some], [one[name] for one in some])
        for name, words in (("mistakes", "with search"), ("mistakes_alone", "network alone"))
        if (some := [one for one in measured if name in one])
    }
    if lines:
        yield (
            "mistakes",
            Chart("Mistakes", _POSITIONS, "share of positions", lines, share=True),
            ("The share of positions in which the move changes the result, told by an exact solver."),
        )

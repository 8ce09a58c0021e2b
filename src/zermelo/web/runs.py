"""A run as the page shows it, read from its directory while it goes on."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.arena.ratings import rate
from zermelo.errors import ZermeloError
from zermelo.learning.history import History
from zermelo.players.az import model_path
from zermelo.records.record import result
from zermelo.web.catalogue import page_name
from zermelo.web.models import version_path
from zermelo.web.picture import picture

_MOST_POINTS = 400
MISTAKES = "Mistakes"
_GAMES = 6


class Runs:
    """The runs that are served, by their labels; read again when their manifest has changed."""

    def __init__(self, paths: dict[str, Path]) -> None:
        self.paths = paths
        self._known: dict[str, tuple[int, dict[str, Any]]] = {}

    def labels(self) -> list[str]:
        return list(self.paths)

    def told(self, label: str) -> dict[str, Any]:
        """Everything that the page draws of a run."""
        path = self.paths[label]
        try:
            stamp = (path / "manifest.json").stat().st_mtime_ns
            if label not in self._known or self._known[label][0] != stamp:
                self._known[label] = stamp, _told(label, History.read(path))
        except (ZermeloError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error).replace(str(path), label)
            return {"label": label, "trouble": f"{label} cannot be read: {reason}"}
        return self._known[label][1]

    def told_with(self, label: str, mistakes: dict[int, float]) -> dict[str, Any]:
        """The same, with the mistakes of versions of which the run itself has measured nothing."""
        told = {**self.told(label)}
        at: dict[int, int] = told.pop("at", {})
        line = [(at[number], share) for number, share in mistakes.items() if number in at]
        if line:
            told["charts"] = [
                {**chart, "lines": {**chart["lines"], "versions, network alone": line}}
                if chart["title"] == MISTAKES
                else chart
                for chart in told["charts"]
            ]
        return told

    def versions(self, label: str) -> list[int]:
        """The rounds after which the network was kept."""
        found = (self.paths[label] / "versions").glob("[0-9]*.safetensors")
        return sorted(int(path.stem) for path in found if path.stem.isdecimal())

    def version(self, label: str, number: int) -> Path:
        return version_path(self.paths[label], number)

    def network(self, label: str) -> Path:
        """The best that the run has."""
        return model_path(str(self.paths[label]))

    def game_files(self) -> list[str]:
        """The games of runs that come from a file, so that they can be played here."""
        found = []
        for path in self.paths.values():
            with suppress(ZermeloError, OSError):
                game = History.read(path).game
                found += [game.source] if game.source is not None else []
        return found


def _told(label: str, history: History) -> dict[str, Any]:
    rounds, manifest = history.rounds, history.manifest
    strength = [one for one in history.measures if one.get("what") == "strength"]
    at = {one["round"]: one["positions"] for one in rounds}
    return {
        "label": label,
        "game": page_name(history.game),
        "mistakes": {one["round"]: one["mistakes_alone"] for one in strength
                     if one.get("round") is not None and one.get("mistakes_alone") is not None},
        "rounds": manifest["rounds"],
        "games": manifest["games"],
        "positions": manifest["positions"],
        "seconds": manifest["seconds"],
        "charts": [
            _chart("Losses", "of policy and value", {"policy": _over(rounds, "policy_loss"),
                                      "value": _over(rounds, "value_loss")}),
            _chart(MISTAKES, "share of positions", _mistakes(strength, at), share=True),
            _chart("Strength", "share of points", _scores(strength, at), share=True),
            _chart("Ratings", "Elo", {"versions": _ratings(history.path, at)}),
            _chart("Speed", "positions per second", {"all in all": _speeds(rounds)}),
            _chart("Length of games", "moves", {"mean": _over(rounds, "mean_length")}),
            _chart("Results", "share of games", {"first player wins": _over(rounds, "first_wins"),
                                                 "draws": _over(rounds, "draws")}, share=True),
        ],
        "at": at,
        "clock": _thinned([(one["positions"], one["seconds"]) for one in rounds]),
        "latest": [
            {**picture(end), "moves": end.move_names, "result": result(end)}
            for end in history.latest_games(_GAMES)
        ],
    }  # fmt: skip


Line = list[tuple[float, float]]


def _chart(title: str, unit: str, lines: dict[str, Line], share: bool = False) -> dict[str, Any]:
    thinned = {name: _thinned(line) for name, line in lines.items() if line}
    return {"title": title, "unit": unit, "share": share, "lines": thinned}


def _thinned(line: Line) -> Line:
    """So many points at most, the last among them."""
    return line[:: -1 * -(-len(line) // _MOST_POINTS)][::-1] if line else []


def _over(rounds: list[dict[str, Any]], name: str) -> Line:
    return [(one["positions"], one[name]) for one in rounds if one.get(name) is not None]


def _speeds(rounds: list[dict[str, Any]]) -> Line:
    before = [{"positions": 0, "seconds": 0.0}, *rounds]
    return [
        (
            now["positions"],
            (now["positions"] - then["positions"]) / max(now["seconds"] - then["seconds"], 1e-9),
        )
        for then, now in zip(before, rounds, strict=False)
    ]


def _ratings(path: Path, at: dict[int, int]) -> Line:
    """Of the versions that have played a tournament, by all its results; the first one has 0."""
    try:
        lines = (path / "tournament.jsonl").read_text().splitlines()
        played = [(one["a"], one["b"], one["wins"], one["draws"], one["losses"])
                  for one in map(json.loads, lines) if one["a"][0] == one["b"][0] == "v"]  # fmt: skip
        names = sorted({name for one in played for name in one[:2]}, key=lambda name: int(name[1:]))
        wins, draws = np.zeros((2, len(names), len(names)))
        for a, b, won, drawn, lost in played:
            i, j = names.index(a), names.index(b)
            wins[i, j], wins[j, i] = wins[i, j] + won, wins[j, i] + lost
            draws[i, j], draws[j, i] = draws[i, j] + drawn, draws[j, i] + drawn
        ratings = rate(names, wins, draws).anchored(names[0], 0.0)
    except (OSError, ValueError, KeyError, TypeError, IndexError, ZermeloError):
        return []  # nothing was played, or it cannot be read now
    numbers = {name: int(name[1:]) for name in names}
    return [(at.get(numbers[name], 0), ratings.rating(name)) for name in names
            if numbers[name] == 0 or numbers[name] in at]  # fmt: skip


def _mistakes(strength: list[dict[str, Any]], at: dict[int, int]) -> dict[str, Line]:
    names = {"mistakes": "with search", "mistakes_alone": "network alone"}
    return {
        words: [(at[one["round"]], one[name]) for one in strength
                if one.get("round") in at and one.get(name) is not None]
        for name, words in names.items()
    }  # fmt: skip


def _scores(strength: list[dict[str, Any]], at: dict[int, int]) -> dict[str, Line]:
    names = sorted({name for one in strength for name in one.get("against", {})})
    return {
        name: [(at[one["round"]], one["against"][name]) for one in strength
               if one.get("round") in at and name in one.get("against", {})]
        for name in names
    }  # fmt: skip

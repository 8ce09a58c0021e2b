"""The networks that served runs have kept, as opponents."""

from __future__ import annotations

from typing import Any

from zermelo.web.dials import dial, opponent, with_a_network
from zermelo.web.grades import Grades
from zermelo.web.runs import Runs


def of_runs(game: str, runs: Runs, grades: Grades) -> list[dict[str, Any]]:
    """Every network that the served runs of a game have kept, with its mistakes; also while they learn."""
    found = []
    for label in runs.labels():
        told = runs.told(label)
        if told.get("game") != game:
            continue
        versions, now = grades.of_run(label)
        values = [*(f"model={label}@{number}" for number in versions), f"model={label}"]
        labels = [
            *(f"after round {number:,}: {words}" for number, words in versions.items()),
            f"as it is now, after round {told['rounds']:,}: {now}",
        ]
        version = dial("Version", values, labels, len(values) - 1)
        hint = f"a network that the run {label} has learnt"
        found.append(opponent(f"Run {label}", "az", hint, [version], with_a_network()))
    return found

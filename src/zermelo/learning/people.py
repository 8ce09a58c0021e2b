"""What a run does before its first round if it learns from people's games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from zermelo.errors import RunError
from zermelo.learning.archive import Archive
from zermelo.learning.callbacks import Callback
from zermelo.learning.limits import Limits
from zermelo.learning.pretraining import Pretraining
from zermelo.learning.replay import Columns

if TYPE_CHECKING:
    from zermelo.learning.run import Run

_BEST = "best/"


def learn_from_people(run: Run, limits: Limits, callbacks: Sequence[Callback]) -> None:
    """Epoch after epoch, each of them written down; the best weights are those that the run begins with.
    After an interruption it goes on at the epoch that was not over."""
    config, known = run.config.start, run.manifest["start"].get("people", {})
    if not known or known.get("done"):
        return
    archive = run.archive or Archive.read(config.records, run.game)
    if archive.digest != known["digest"]:
        raise RunError(
            f"the games that {run.directory.path} began to learn from have changed since; put them back, "
            "or choose another directory with --run"
        )
    pretraining = Pretraining(
        archive, run.learner, config, run.encoding, run.config.seed, run.config.replay.augment
    )
    run.pretraining = pretraining
    if "last" in known:
        state = run.directory.load_state()
        best = {k.removeprefix(_BEST): v.numpy() for k, v in state.items() if k.startswith(_BEST)}
        pretraining.restore(best, known["best"], known["last"])

    def used() -> float:
        return limits.time_used(**run.spent) / config.share

    for epoch in pretraining.epochs(used):
        told = {**epoch.told(), **run.spent}
        _write(run, pretraining, [{**told, "what": "pretraining", "round": 0, "games": 0}])
        for callback in callbacks:
            callback.epoch_ends(run, epoch)
    run.begin_with(pretraining.weights)
    kept = pretraining.kept(min(config.kept, run.replay.room))
    _write(run, pretraining, [], kept)
    run.replay.take_in(kept)
    run.archive = run.pretraining = None


def _write(
    run: Run, pretraining: Pretraining, measured: Sequence[dict[str, Any]], kept: Columns | None = None
) -> None:
    """Write down where the run is: the learner, and what the best epoch made of it; at the end also the
    positions that are kept."""
    state = {f"learner/{name}": value for name, value in run.learner.state().items()}
    state |= {f"{_BEST}{name}": torch.from_numpy(value) for name, value in pretraining.weights.items()}
    assert pretraining.best is not None
    assert pretraining.last is not None
    spent = run.spend()
    people = {
        **run.manifest["start"]["people"],
        "best": pretraining.best.told(),
        "last": pretraining.last.told(),
        "done": kept is not None,
        **spent,
    }
    count = len(kept["values"]) if kept else 0
    known = {**run.manifest["start"], "people": people, "kept": count}
    run.directory.write_start(known, state, measured, {**spent, "warm_positions": count}, kept)

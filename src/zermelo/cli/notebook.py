"""What a training run shows of itself in a notebook."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zermelo.cli.training import Display
from zermelo.learning.callbacks import Callback

if TYPE_CHECKING:
    from zermelo.learning.pretraining import Epoch
    from zermelo.learning.round import Round
    from zermelo.learning.run import Run
    from zermelo.learning.selfplay import PlayedGame

_SECONDS_BETWEEN = 0.5


def display_for(run: Run) -> Display:
    """A panel that moves, in a terminal or a notebook; elsewhere a line for each iteration."""
    return NotebookDisplay(run) if Console().is_jupyter else Display(run)


class NotebookDisplay(Display):
    """The same panel, replaced in place below the cell."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._shown = 0.0
        self._handle: Any = None

    def __enter__(self) -> NotebookDisplay:
        from IPython.display import display

        self._handle = display(self._panel(), display_id=True)  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *_: object) -> None:
        self._update()

    def among(self, others: Sequence[Callback]) -> list[Callback]:
        """It comes first: nothing else draws it while the others measure."""
        return [self, *others]

    def game_ends(self, run: Run, game: PlayedGame) -> None:
        super().game_ends(run, game)
        if time.monotonic() - self._shown > _SECONDS_BETWEEN:
            self._update()

    def round_ends(self, run: Run, done: Round) -> None:
        self.over, self.last = 0, done
        self.losses.append(done.policy_loss + done.value_loss)
        self._update()

    def epoch_ends(self, run: Run, epoch: Epoch) -> None:
        self._update()

    def _update(self) -> None:
        self._shown = time.monotonic()
        self._handle.update(self._panel())

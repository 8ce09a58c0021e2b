"""What a network thinks of chosen positions of Tic-Tac-Toe (text 000, figure 5.3; text 003, figure 4).

python examples/seeds/heat_maps.py --model runs/tictactoe

The texts show theirs as pictures; these positions are chosen to be what text 000 says of its eight. Without
a model the configuration of text 000 is trained first, about a minute.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from draws_in_training import MODEL
from experiment import Arguments, Found, run, save
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from training import SMALL, THESIS, configured, new_run

import zermelo
from zermelo.cli.output import progress
from zermelo.exact.graded import Graded
from zermelo.figures import Table
from zermelo.learning.limits import Limits
from zermelo.network.model import write_model
from zermelo.players.az import AzPlayer
from zermelo.players.perfect import PerfectPlayer


@dataclass(frozen=True)
class Chosen:
    """A position, what it is, and what text 000 says of its own network there."""

    moves: str
    what: str
    text: str


POSITIONS = (
    Chosen("", "the empty board", "prefers the centre"),
    Chosen("1 2", "X wins by force, by the centre too", "right, the centre; value slightly for O"),
    Chosen("1 2 5 4", "X wins at once in the corner", "another winning move; value neutral"),
    Chosen("1 2 5 4 9", "X has won", "value of a draw"),
    Chosen("1 5 2 3 4", "O wins at once, or loses", "least probable of all; value not high"),
    Chosen("9 7 8", "O wins by force", "value not high"),
    Chosen("9 8 7 6 5 3 4", "one move loses, the other draws", "right, with a high probability"),
    Chosen("5", "any move but the corners loses", "right, a corner"),
)


@dataclass(frozen=True)
class Opinion:
    """What the network and the exact solver say of a position."""

    position: zermelo.Position
    policy: NDArray[np.float64]  # [cells], 0 where no move can be made
    value: float
    """Of the network, for the first player."""
    exact: int
    """The result of perfect play, for the first player."""
    right: Sequence[int] = ()
    """Moves that keep the result."""


def opinion(player: AzPlayer, moves: str) -> Opinion:
    """The network alone, its probabilities shared among legal moves."""
    position = zermelo.game("tictactoe").position(moves)
    logits, values = player.evaluator(position.game)(position.planes(player.encoding(position.game))[None])
    policy, sign = np.zeros(position.game.num_actions), 1 if position.mover == 0 else -1
    if position.returns is not None:
        return Opinion(position, policy, sign * float(values[0]), int(position.returns[0]))
    legal = list(position.legal_actions)
    weights = np.exp(logits[0, legal].astype(float) - logits[0, legal].max())
    policy[legal] = weights / weights.sum()
    graded = Graded(position, PerfectPlayer().outcomes(position))
    right = [action for action in legal if graded.keeps_the_result(action)]
    return Opinion(position, policy, sign * float(values[0]), sign * graded.best.value, right)


def train(directory: Path, chosen: argparse.Namespace) -> Path:
    """The network of text 000 after its 1,000 games."""
    config = configured(THESIS, {"seed": str(chosen.seed), **(SMALL if chosen.quick else {})})
    total = 1 if chosen.quick else config.rounds.count
    with new_run(config) as trained, progress("training", total, "rounds") as display:
        for done in trained.train(Limits(rounds=total)):
            display(done.round)
        write_model(trained.model(), directory / MODEL)
    return directory / MODEL


def _table(found: Sequence[Opinion]) -> Table:
    rows: list[list[object]] = []
    for one, chosen in zip(found, POSITIONS, strict=True):
        line: list[object] = [chosen.moves or "-", chosen.what, chosen.text, one.exact, one.value]
        if one.right:
            best = int(one.policy.argmax())
            move = one.position.name(best)
            line += [
                f"{move}, {'right' if best in one.right else 'wrong'}",
                float(one.policy[one.right].sum()),
            ]
        rows.append(line if one.right else [*line, "", None])
    columns = ["moves", "position", "text 000", "exact", "value", "best move", "share of right moves"]
    return Table("Values are for X, the first player", columns, rows)


def _draw(axes: Axes, one: Opinion, title: str) -> None:
    board = one.position.game.board
    assert board is not None
    cells = np.array(one.position.game.cells(one.position)).reshape(board.rows, board.cols)
    policy = one.policy.reshape(board.rows, board.cols)
    axes.imshow(policy, cmap="Greens", vmin=0, vmax=1)
    for (row, col), content in np.ndenumerate(cells):
        empty = f"{policy[row, col]:.2f}" if one.right else ""
        text = board.symbol(content) if content else empty
        dark = policy[row, col] > 0.6
        axes.text(col, row, text, ha="center", va="center", fontsize=22 if content else 10,
                  color="white" if dark else "black")  # fmt: skip
    for action in one.right:
        row, col = divmod(action, board.cols)
        axes.plot(col - 0.38, row - 0.38, "o", color="tab:orange", markersize=4)
    axes.set(title=title, xticks=np.arange(2) + 0.5, yticks=np.arange(2) + 0.5)
    axes.tick_params(labelbottom=False, labelleft=False, length=0)
    axes.title.set_fontsize(9)
    bar = axes.inset_axes((0, -0.16, 1, 0.09))
    bar.barh([0], [one.value], color="tab:blue" if one.value >= 0 else "tab:red")
    bar.axvline(one.exact, color="black", linewidth=3)
    bar.set(xlim=(-1.05, 1.05), yticks=[], xticks=[])
    bar.grid(visible=False)
    told = f"value {one.value:+.2f}, exact {one.exact}"
    axes.text(0.5, -0.26, told, transform=axes.transAxes, ha="center", fontsize=9)


def _picture(found: Sequence[Opinion]) -> Figure:
    figure = Figure(figsize=(12, 7))
    panels = figure.subplots(2, 4).flat
    for axes, one, chosen in zip(panels, found, POSITIONS, strict=True):
        board = one.position.game.board
        assert board is not None
        mover = "" if one.position.is_over else f"\n{board.symbol(1 + one.position.mover)} to move"
        _draw(axes, one, f"{chosen.what}{mover}")
    figure.suptitle("Policy, and value for X (line: exact). Dots: moves that keep the result", fontsize=11)
    return figure


def _experiment(chosen: argparse.Namespace) -> Found:
    with tempfile.TemporaryDirectory() as directory:
        model = chosen.model or str(train(Path(directory), chosen))
        player = AzPlayer(model=model, sims=0)
        found = [opinion(player, one.moves) for one in POSITIONS]
    yield "opinions", _table(found)
    save(_picture(found), chosen.out, "heat_maps")


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.add_argument("--model", default="", help="a run or a model file, instead of training")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()

"""One recorded game of every built-in game: whatever changes in its rules or drawing shows up here.

`python tests/games/test_playthroughs.py` writes the files again; read the difference.
"""

from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.games import registry

FOLDER = Path(__file__).parent / "playthroughs"
SIZES = {"gomoku": "gomoku:size=6,n=4", "othello": "othello:size=4"}


def playthrough(name):
    """A random game with everything the rules say about it."""
    game, rng = zermelo.game(name), np.random.default_rng(12)
    position = game.position()
    lines = [f"game: {game.name}", f"params: {' '.join(map(str, game.params[:7]))}"]
    while True:
        lines += ["", str(position), f"state: {' '.join(map(str, position.state))}"]
        if position.is_over:
            return "\n".join([*lines, f"returns: {position.returns}", ""])
        names = " ".join(position.name(action) for action in position.legal_actions)
        action = int(rng.choice(position.legal_actions))
        lines += [f"mover: {position.mover}", f"legal: {names}", f"plays: {position.name(action)}"]
        position = position.play(action)


@pytest.mark.parametrize("family", registry._BUILT_IN)
def test_playthrough(family):
    path = FOLDER / f"{family}.txt"
    assert path.exists(), f"{family} has no recorded game: run python {__file__}"
    assert playthrough(SIZES.get(family, family)) == path.read_text()


if __name__ == "__main__":
    for family in registry._BUILT_IN:
        (FOLDER / f"{family}.txt").write_text(playthrough(SIZES.get(family, family)))

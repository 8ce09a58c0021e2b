"""Games to write down: any line of play, by any players."""

from hypothesis import strategies as st

import zermelo
from zermelo.records.record import result
from zermelo.records.replay import Replay

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=12)
"""Words: every format has its own way with blanks."""


@st.composite
def positions(draw, names, finished=False):
    """A position of one of these games: of a game that is over, or at any point of it."""
    game = zermelo.game(draw(st.sampled_from(names)))
    turns = game.max_length if finished else draw(st.integers(0, game.max_length))
    chance = draw(st.randoms(use_true_random=False))
    position = game.position()
    for _ in range(turns):
        if position.is_over:
            break
        position = position.play(chance.choice(position.legal_actions))
    return position


@st.composite
def games(draw, names, finished=False, players=NAMES, dates=True):
    position = draw(positions(names, finished))
    date = draw(st.dates().map(str)) if dates else ""
    pair = draw(players), draw(players)
    return Replay(position, pair, position.returns, result(position), date)


def same_moves(written, read):
    """Whether a game came back, but for a pass at its end that nobody has answered."""
    moves = written.position.move_names
    if moves and moves[-1] == "pass" and not written.position.is_over:
        moves = moves[:-1]
    return read.position.move_names == moves

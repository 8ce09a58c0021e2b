"""Games of people who are easy to see through, and files of such games."""

import numpy as np

from zermelo.records.formats import FORMATS
from zermelo.records.reading import LeftOut
from zermelo.records.replay import Replay
from zermelo.records.writing import write


def random_position(game, seed):
    """Where a game of random moves ended."""
    random, position = np.random.default_rng(seed), game.position()
    while not position.is_over:
        position = position.play(int(random.choice(position.legal_actions)))
    return position


def stacked(game, seed):
    """A game of Connect 4 on any board: three random moves, then the fullest column that is not full, of
    equal ones that nearest to the middle."""
    random, position = np.random.default_rng(seed), game.position()
    heights = np.zeros(game.num_actions, int)
    while not position.is_over:
        order = random.permutation(position.legal_actions)
        if len(position.moves) >= 3:
            order = sorted(order, key=lambda c: (-heights[c], abs(c - (game.num_actions - 1) / 2)))
        position = position.play(int(order[0]))
        heights[order[0]] += 1
    return position


def put(path, ended, format="jsonl"):
    """Write games, which stand where they ended; the files, of which some formats want one for each."""
    games = [Replay(one, returns=one.returns) for one in ended]
    paths, _ = write(path.with_suffix(FORMATS[format].endings[0]), games, FORMATS[format], LeftOut())
    return [str(one) for one in paths]

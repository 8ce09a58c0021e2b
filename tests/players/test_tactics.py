"""Every variant takes every win that is there at once, and stops every loss that can be stopped."""

import numpy as np
import pytest

import zermelo
from zermelo.compilation import compiled, copy_words
from zermelo.games import abi
from zermelo.games.abi import OVER
from zermelo.search.tree import VARIANTS

GAMES = {"tictactoe": 100, "connect4": 100, "othello": 100, "gomoku": 300}  # with simulations
LOSES, SAFE, WINS = 0, 1, 2


@compiled
def judge(rules, state, after, last, actions, replies, returns, verdicts):
    """Of each legal move: does it win at once, or let the other side do so? The number of moves."""
    mover, count = abi.mover(rules, state), abi.legal(rules, state, actions)
    for i in range(count):
        verdicts[i] = SAFE
        copy_words(state, after)
        if abi.play(rules, after, actions[i]) == OVER:
            abi.returns(rules, after, returns)
            if returns[mover] > 0:
                verdicts[i] = WINS
            continue
        if abi.mover(rules, after) == mover:
            continue
        for j in range(abi.legal(rules, after, replies)):
            copy_words(after, last)
            if abi.play(rules, last, replies[j]) == OVER:
                abi.returns(rules, last, returns)
                if returns[mover] < 0:
                    verdicts[i] = LOSES
    return count


def verdicts_of(position):
    game = position.game
    words = [np.empty(game.state_words, np.int64) for _ in range(2)]
    actions, replies, verdicts = (np.empty(game.num_actions, np.int64) for _ in range(3))
    count = judge(game.rules(), position.state, *words, actions, replies, np.empty(2), verdicts)
    return dict(zip(actions[:count].tolist(), verdicts[:count].tolist(), strict=True))


def sharp_positions(name, count):
    """Positions of random games with something to win or to stop at once, and their good moves."""
    game, random = zermelo.game(name), np.random.default_rng(2)
    some, known = [], []
    while len(some) < count:
        position = game.position()
        while not position.is_over:
            verdicts = verdicts_of(position)
            best = max(verdicts.values())
            if best == WINS or (best == SAFE and LOSES in verdicts.values()):
                some.append(position)
                known.append([action for action, verdict in verdicts.items() if verdict == best])
            position = position.play(int(random.choice(position.legal_actions)))
    return some[:count], known[:count]


def test_the_judge_knows_a_win_and_a_threat():
    connect4 = zermelo.game("connect4")
    assert verdicts_of(connect4.position("1 2 1 2 1 2"))[0] == WINS
    threatened = verdicts_of(connect4.position("7 2 1 2 1 2"))
    assert threatened == {0: LOSES, 1: SAFE, 2: LOSES, 3: LOSES, 4: LOSES, 5: LOSES, 6: LOSES}


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_immediate_wins_are_taken_and_losses_stopped(name, count):
    some, known = sharp_positions(name, count)
    for variant in VARIANTS:
        player = zermelo.player(f"uct:variant={variant},sims={GAMES[name]}")
        moves = player.choose(some, range(len(some)))
        for position, move, good in zip(some, moves, known, strict=True):
            assert move in good, f"{variant} plays {position.name(move)} in {position!r}"

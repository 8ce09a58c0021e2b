"""A look ahead from a new position: who wins by force within a few moves. Kernels only.

Tactics are what a network sees worst and a few hundred moves of compiled rules see at once. A position
that is settled so needs no evaluation.
"""

from __future__ import annotations

from zermelo.compilation import copy_words, internal
from zermelo.games import abi
from zermelo.games.abi import FAILED, OVER, Rules
from zermelo.search.tree import Ahead

# Fields of a frame: moves tried, moves there are, whether the attacker moves.
TRIED, WIDTH, ATTACKS, FIELDS = 0, 1, 2, 3


@internal
def _enter(rules: Rules, ahead: Ahead, ply: int, attacker: int) -> int:
    """Begin with the state at this ply: its moves, first the one that decided another position here."""
    frame, actions = ahead.frames[ply], ahead.actions[ply]
    width = abi.legal(rules, ahead.states[ply], actions)
    mover = abi.mover(rules, ahead.states[ply])
    if width <= 0 or mover < 0:
        return FAILED
    frame[TRIED], frame[WIDTH], frame[ATTACKS] = 0, width, mover == attacker
    for i in range(width):
        if actions[i] == ahead.killers[ply]:
            actions[i] = actions[0]
            actions[0] = ahead.killers[ply]
            break
    return width


@internal
def forces(rules: Rules, ahead: Ahead, attacker: int, plies: int) -> int:
    """Whether `attacker` wins from `ahead.states[0]` within so many plies, whatever the other does: 1, 0,
    or a status."""
    status = _enter(rules, ahead, 0, attacker)
    if status < 0:
        return status
    ply = 0
    while True:
        frame = ahead.frames[ply]
        if frame[TRIED] < frame[WIDTH]:
            action = ahead.actions[ply, frame[TRIED]]
            frame[TRIED] += 1
            copy_words(ahead.states[ply], ahead.states[ply + 1])
            status = abi.play(rules, ahead.states[ply + 1], action)
            if status < 0:
                return min(status, FAILED)
            if status != OVER and ply + 1 < plies:
                ply += 1
                status = _enter(rules, ahead, ply, attacker)
                if status < 0:
                    return status
                continue
            won = False
            if status == OVER:
                if abi.returns(rules, ahead.states[ply + 1], ahead.returns) != OVER:
                    return FAILED
                won = ahead.returns[attacker] >= 1.0
        else:
            won = frame[ATTACKS] == 0  # no move of the attacker wins, or none of the other's escapes
            if ply == 0:
                return int(won)
            ply -= 1
            frame = ahead.frames[ply]
        while won == (frame[ATTACKS] != 0):  # one move is enough to decide
            ahead.killers[ply] = ahead.actions[ply, frame[TRIED] - 1]
            if ply == 0:
                return int(won)
            ply -= 1
            frame = ahead.frames[ply]

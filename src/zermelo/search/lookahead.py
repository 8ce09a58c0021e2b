"""A look ahead from a new position: who wins by force within a few moves, or by a long chain of threats.
Kernels only.

Tactics are what a network sees worst and a few hundred moves of compiled rules see at once. A position
that is settled so needs no evaluation.
"""

from __future__ import annotations

from zermelo.compilation import copy_words, internal
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Rules, Words
from zermelo.search.tree import MOST_CHAIN, Ahead

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
def forces(rules: Rules, ahead: Ahead, attacker: int, plies: int, most: int) -> tuple[int, int]:
    """Whether `attacker` wins from `ahead.states[0]` within so many plies, whatever the other does: 1, or 0
    if not or if `most` moves do not tell, or a status. Then how many moves were tried."""
    status = _enter(rules, ahead, 0, attacker)
    if status < 0:
        return status, 0
    ply, tried = 0, 0
    while tried < most:
        frame = ahead.frames[ply]
        if frame[TRIED] < frame[WIDTH]:
            action = ahead.actions[ply, frame[TRIED]]
            frame[TRIED] += 1
            tried += 1
            copy_words(ahead.states[ply], ahead.states[ply + 1])
            status = abi.play(rules, ahead.states[ply + 1], action)
            if status < 0:
                return min(status, FAILED), tried
            if status != OVER and ply + 1 < plies:
                ply += 1
                status = _enter(rules, ahead, ply, attacker)
                if status < 0:
                    return status, tried
                continue
            won = False
            if status == OVER:
                if abi.returns(rules, ahead.states[ply + 1], ahead.returns) != OVER:
                    return FAILED, tried
                won = ahead.returns[attacker] >= 1.0
        else:
            won = frame[ATTACKS] == 0  # no move of the attacker wins, or none of the other's escapes
            if ply == 0:
                return int(won), tried
            ply -= 1
            frame = ahead.frames[ply]
        while won == (frame[ATTACKS] != 0):  # one move is enough to decide
            ahead.killers[ply] = ahead.actions[ply, frame[TRIED] - 1]
            if ply == 0:
                return int(won), tried
            ply -= 1
            frame = ahead.frames[ply]
    return 0, tried


@internal
def length_of_a_game(rules: Rules, ahead: Ahead, most: int) -> int:
    """How many plies the game from `ahead.states[0]` lasts in which the first move is always played; 0 if
    more than `most`; or a status."""
    state = ahead.states[1]
    copy_words(ahead.states[0], state)
    for ply in range(most):
        if abi.legal(rules, state, ahead.actions[0]) <= 0:
            return FAILED
        status = abi.play(rules, state, ahead.actions[0, 0])
        if status != GOING:
            return ply + 1 if status == OVER else min(status, FAILED)
    return 0


@internal
def _step(rules: Rules, state: Words, action: int, after: Words) -> int:
    copy_words(state, after)
    status = abi.play(rules, after, action)
    return status if status >= 0 else min(status, FAILED)


@internal
def _enter_chain(rules: Rules, ahead: Ahead, ply: int, attacker: int) -> int:
    """Begin with the state at this ply, where the attacker moves: 1 if it wins at once, else 0, with the
    moves in the frame that may go on with the chain; or a status."""
    state, actions, frame = ahead.states[ply], ahead.actions[ply], ahead.frames[ply]
    frame[TRIED], frame[WIDTH] = 0, 0
    wins = abi.threats(rules, state, attacker, 1, actions)
    if wins != 0:
        return 1 if wins > 0 else min(wins, FAILED)
    stops = abi.threats(rules, state, 1 - attacker, 1, actions)
    must = actions[0]
    if stops > 1:
        return 0
    width = abi.threats(rules, state, attacker, 2, actions)
    if stops < 0 or width < 0:
        return FAILED
    if stops == 1:  # the other would win there: the attacker has no other move
        there = False
        for i in range(width):
            there |= actions[i] == must
        actions[0] = must
        width = int(there)
    frame[WIDTH] = width
    return 0


@internal
def _chain_within(
    rules: Rules, ahead: Ahead, attacker: int, limit: int, most: int, tried: int
) -> tuple[int, int, bool]:
    """The plies of a chain of at most `limit` (an odd number) from `ahead.states[0]`, which was entered; 0
    if there is none, or a status. Then how many moves were tried, those before among them; and whether a
    longer one is possible."""
    ply, longer = 0, False
    ahead.frames[0, TRIED] = 0
    while tried < most:
        frame = ahead.frames[ply]
        if frame[TRIED] >= frame[WIDTH]:
            if ply == 0:
                return 0, tried, longer
            ply -= 2
            continue
        action = ahead.actions[ply, frame[TRIED]]
        frame[TRIED] += 1
        tried += 1
        after, answers = ahead.states[ply + 1], ahead.actions[ply + 1]
        status = _step(rules, ahead.states[ply], action, after)
        if status != GOING:
            if status < 0:
                return status, tried, False
            continue
        if abi.mover(rules, after) == attacker or abi.threats(rules, after, 1 - attacker, 1, answers) != 0:
            continue
        threatened = abi.threats(rules, after, attacker, 1, answers)
        if threatened > 1:
            return ply + 3, tried, False
        if threatened <= 0:
            continue
        status = _step(rules, after, answers[0], ahead.states[ply + 2])
        if status < 0:
            return status, tried, False
        if status != GOING or abi.mover(rules, ahead.states[ply + 2]) != attacker:
            continue
        won = _enter_chain(rules, ahead, ply + 2, attacker)
        if won != 0:
            return (ply + 3 if won > 0 else won), tried, False
        if ply + 5 <= limit:
            ply += 2
        else:
            longer |= ahead.frames[ply + 2, WIDTH] > 0
    return 0, tried, False


@internal
def chain(rules: Rules, ahead: Ahead, attacker: int, most: int) -> int:
    """The plies of the shortest win of `attacker`, who moves in `ahead.states[0]`, by moves that all
    threaten to win at once, so that the other has one answer to each; 0 if `most` moves find none; or a
    status.

    Of a game of two players that tells its threats, in which players take turns. (In Gomoku it is called
    a victory by continuous fours.)
    """
    plies, tried, longer, limit = _enter_chain(rules, ahead, 0, attacker), 0, True, 3
    while plies == 0 and longer and limit < MOST_CHAIN:
        plies, tried, longer = _chain_within(rules, ahead, attacker, limit, most, tried)
        limit += 2
    return int(plies)

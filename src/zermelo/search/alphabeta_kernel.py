"""Alpha-beta to a limited depth over the rules of any game. Kernels only.

A value v is told for the player to move: WIN - p for a win in p plies, p - WIN for a loss, and anything
else, a draw or what a heuristic says, in units of 1 / UNIT, always nearer to 0 than any win. One move
earlier a win or a loss is one nearer to 0 (`_shrunk`), and a value changes its sign if the player to
move changes: the sign follows the mover, never the ply.

The value of a node is exactly that of plain minimax of the same depth, so an entry of the table
counts only if it was searched to the same depth or if no deeper search could change it: a value is
proven if no heuristic had a part in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compilation import compiled, copy_words, inlined
from zermelo.games import abi
from zermelo.games.abi import FAILED, OVER, Floats, Rules, Words
from zermelo.search.keys import key_hash

UNIT = 1 << 30
WIN = 1 << 31
INFINITY = 1 << 32

# Indices into `Search.now`: what a pause must remember, the question, and the answer.
PLY, NODES, STAGE, VALUE, PROVEN, DEPTH, PRUNE, TIES = 0, 1, 2, 3, 4, 5, 6, 7
ENTER, LEAVE = 0, 1  # stages

# Fields of a frame.
ALPHA, BETA, BEST, MOVE, ALL_PROVEN, TRIED, WIDTH, MOVER, FIELDS = 0, 1, 2, 3, 4, 5, 6, 7, 8

# An entry of the table is a key, a value, and a word of these bits; 0 is an empty one.
LOWER, UPPER, PROVEN_BIT, DRAFT_SHIFT, MOVE_SHIFT = 1, 2, 4, 3, 32
DRAFT_MASK = (1 << (MOVE_SHIFT - DRAFT_SHIFT)) - 1

# What a chunk of work ends with, beside the negative statuses of the rules.
DONE, PAUSED, BAD_HEURISTIC, NOT_ZERO_SUM = 0, 1, 2, 3

_FIRST = 1 << 62  # the order of the table's move, before killers, before history


class Search(NamedTuple):
    """The path from the position in question to the one that is looked at, and what orders moves."""

    now: Words  # [8]
    states: Words  # [depth + 1, state_words]
    actions: Words  # [depth + 1, num_actions]
    scores: Words  # [depth + 1, num_actions]; the highest is tried first
    frames: Words  # [depth + 1, FIELDS]
    killers: Words  # [depth + 1, 2]; the last moves that cut at this ply
    history: Words  # [2, num_actions]; how much each player's moves have cut
    ties: Words  # [num_actions]; the best moves of the root
    table: Words  # [slots, key_words + 2]; the number of slots is a power of two
    result: Floats  # [2]


@inlined
def _shrunk(value: int) -> int:
    return value - 1 if value > UNIT else value + 1 if value < -UNIT else value


@inlined
def _grown(value: int) -> int:
    """The bound that `value` becomes one move later."""
    return value + 1 if value > UNIT else value - 1 if value < -UNIT else value


@inlined
def _in_units(value: float) -> int:
    """A value between -1 and 1 that is no proven win or loss."""
    return np.int64(min(max(np.rint(value * UNIT), 1.0 - UNIT), UNIT - 1.0))  # type: ignore[return-value]


# The table: pairs of slots, of which the deeper entry is kept and the other replaced.


@inlined
def _pair_of(table: Words, state: Words) -> int:
    """The first of the two slots where this position may be."""
    return int(key_hash(state, table.shape[1] - 2) & (table.shape[0] - 2))


@inlined
def _holds(entry: Words, state: Words) -> bool:
    words = entry.size - 2
    same = entry[words + 1] != 0
    for i in range(words):
        same = same and entry[i] == state[i]
    return bool(same)


@inlined
def _draft(info: int) -> int:
    return (info >> DRAFT_SHIFT) & DRAFT_MASK


@inlined
def find(table: Words, state: Words) -> int:
    """The slot of this position, or -1."""
    slot = _pair_of(table, state)
    if _holds(table[slot], state):
        return slot
    return slot + 1 if _holds(table[slot + 1], state) else -1


@inlined
def _store(table: Words, state: Words, frame: Words, draft: int, proven: int) -> None:
    words = table.shape[1] - 2
    slot = _pair_of(table, state)
    if not _holds(table[slot], state):
        second = _holds(table[slot + 1], state)
        if second or _draft(table[slot, words + 1]) > _draft(table[slot + 1, words + 1]):
            slot += 1
    entry = table[slot]
    for i in range(words):
        entry[i] = state[i]
    entry[words] = frame[BEST]
    info = (frame[MOVE] << MOVE_SHIFT) | (draft << DRAFT_SHIFT)
    if proven != 0:
        info |= PROVEN_BIT
    if frame[BEST] > frame[ALPHA]:
        info |= LOWER
    if frame[BEST] < frame[BETA]:
        info |= UPPER
    entry[words + 1] = info


@inlined
def _known(search: Search, ply: int, entry: Words) -> bool:
    """Whether an entry answers the question at this ply; the answer is then in `now`."""
    now, frame, words = search.now, search.frames[ply], entry.size - 2
    value, info = entry[words], entry[words + 1]
    left, draft, proven = now[DEPTH] - ply, _draft(info), info & PROVEN_BIT != 0
    within = abs(value) > UNIT and WIN - abs(value) <= left
    if draft != left and not (proven and (draft < left or within)):
        return False
    lower, upper = info & LOWER != 0, info & UPPER != 0
    if not ((lower and upper) or (lower and value >= frame[BETA]) or (upper and value <= frame[ALPHA])):
        return False
    now[VALUE], now[PROVEN] = value, proven
    return True


# One node.


@inlined
def _enter(rules: Rules, search: Search, ply: int) -> int:
    """Begin with the position at this ply: PAUSED if it takes a search, DONE if it is known."""
    now, state, frame, table = search.now, search.states[ply], search.frames[ply], search.table
    first = -1
    if now[PRUNE] != 0:
        slot = find(table, state)
        if slot >= 0:
            if ply > 0 and _known(search, ply, table[slot]):
                return DONE
            first = table[slot, table.shape[1] - 1] >> MOVE_SHIFT
    actions, scores = search.actions[ply], search.scores[ply]
    width = abi.legal(rules, state, actions)
    if width <= 0:
        return min(width, FAILED)
    frame[BEST], frame[MOVE], frame[ALL_PROVEN] = -INFINITY, 0, 1
    frame[TRIED], frame[WIDTH] = 0, width
    for i in range(width):
        action = actions[i]
        if action == first:
            scores[i] = _FIRST
        elif action == search.killers[ply, 0]:
            scores[i] = _FIRST - 1
        elif action == search.killers[ply, 1]:
            scores[i] = _FIRST - 2
        else:
            scores[i] = search.history[frame[MOVER], action]
    return PAUSED


@inlined
def _next_action(search: Search, ply: int) -> int:
    """The untried action with the highest score; it changes places with the first untried one."""
    actions, scores, frame = search.actions[ply], search.scores[ply], search.frames[ply]
    tried, best = frame[TRIED], frame[TRIED]
    for i in range(tried + 1, frame[WIDTH]):
        if scores[i] > scores[best]:
            best = i
    action = actions[best]
    actions[best], scores[best] = actions[tried], scores[tried]
    actions[tried] = action
    frame[TRIED] = tried + 1
    return int(action)


@inlined
def _take(search: Search, ply: int, value: int, proven: int) -> None:
    """Take in what the last action tried at this ply is worth, for the player who moves there."""
    now, frame = search.now, search.frames[ply]
    action = search.actions[ply, frame[TRIED] - 1]
    if ply == 0 and value >= frame[BEST]:
        if value > frame[BEST]:
            now[TIES] = 0
        search.ties[now[TIES]] = action
        now[TIES] += 1
    if value > frame[BEST]:
        frame[BEST], frame[MOVE] = value, action
    if proven == 0 or value >= frame[BETA]:  # a cut rests on this action alone
        frame[ALL_PROVEN] = proven


@inlined
def _leave(search: Search, ply: int) -> None:
    """Keep what was found out about the position at this ply."""
    now, frame = search.now, search.frames[ply]
    proven = 1 if frame[ALL_PROVEN] != 0 or abs(frame[BEST]) > UNIT else 0
    left = now[DEPTH] - ply
    now[VALUE], now[PROVEN] = frame[BEST], proven
    if now[PRUNE] == 0:
        return
    _store(search.table, search.states[ply], frame, left, proven)
    if frame[BEST] >= frame[BETA]:
        search.history[frame[MOVER], frame[MOVE]] += left * left
        if search.killers[ply, 0] != frame[MOVE]:
            search.killers[ply, 1] = search.killers[ply, 0]
            search.killers[ply, 0] = frame[MOVE]


@inlined
def _set_window(search: Search, ply: int) -> None:
    """What the child must tell: more than alpha, less than beta, seen from its own mover.

    At the root the least interesting value is that of the best move so far, to find its equals.
    """
    frame, child = search.frames[ply], search.frames[ply + 1]
    if search.now[PRUNE] == 0:
        child[ALPHA], child[BETA] = -INFINITY, INFINITY
        return
    low = max(frame[ALPHA], frame[BEST])
    low, high = _grown(low - 1 if ply == 0 else low), _grown(frame[BETA])
    if child[MOVER] == frame[MOVER]:
        child[ALPHA], child[BETA] = low, high
    else:
        child[ALPHA], child[BETA] = -high, -low


@inlined
def _end_value(rules: Rules, search: Search, ply: int, mover: int) -> int:
    """Write the value for `mover` of a move that led to the end, the state at this ply; a status."""
    result = search.result
    status = abi.returns(rules, search.states[ply], result)
    if status != OVER:
        return min(status, FAILED)
    value = result[mover]
    if not (abs(result[0] + result[1]) <= 1e-9 and abs(value) <= 1.0):
        return NOT_ZERO_SUM
    if value == 1.0:
        search.now[VALUE] = WIN - 1
    elif value == -1.0:
        search.now[VALUE] = 1 - WIN
    else:
        search.now[VALUE] = _in_units(value)
    return DONE


@compiled
def search_chunk(rules: Rules, heuristic: Any, search: Search, budget: int) -> int:
    """Go on for about `budget` positions; PAUSED, DONE, a reason to stop, or a status of the rules."""
    now, frames, states = search.now, search.frames, search.states
    stop = now[NODES] + budget
    while now[NODES] < stop:
        ply = now[PLY]
        frame = frames[ply]
        finished = False
        if now[STAGE] == ENTER:
            status = _enter(rules, search, ply)
            if status != PAUSED and status != DONE:
                return status
            now[STAGE] = LEAVE
            finished = status == DONE
        if not finished:
            best = frame[BEST]
            cut = now[PRUNE] != 0 and ply > 0 and (best >= frame[BETA] or best == WIN - 1)
            if cut or frame[TRIED] == frame[WIDTH]:
                _leave(search, ply)
                finished = True
        if finished:
            if ply == 0:
                return DONE
            value = _shrunk(now[VALUE])
            same = frame[MOVER] == frames[ply - 1, MOVER]
            _take(search, ply - 1, value if same else -value, now[PROVEN])
            now[PLY] -= 1
            continue
        now[NODES] += 1
        child = states[ply + 1]
        copy_words(states[ply], child)
        status = abi.play(rules, child, _next_action(search, ply))
        if status < 0:
            return min(status, FAILED)
        if status == OVER:
            status = _end_value(rules, search, ply + 1, frame[MOVER])
            if status != DONE:
                return status
            _take(search, ply, now[VALUE], 1)
            continue
        mover = abi.mover(rules, child)
        if mover < 0 or mover > 1:
            return min(mover, FAILED)
        if ply + 1 == now[DEPTH]:
            guess = abi.heuristic(rules, heuristic, child)
            if not -1.0 <= guess <= 1.0:
                search.result[0] = guess
                return BAD_HEURISTIC
            value = _in_units(guess)
            _take(search, ply, value if mover == frame[MOVER] else -value, 0)
            continue
        frames[ply + 1, MOVER] = mover
        _set_window(search, ply)
        now[PLY], now[STAGE] = ply + 1, ENTER
    return PAUSED


@compiled
def table_move(table: Words, state: Words, left: int) -> int:
    """The best move of a position that was searched `left` plies deep, or proven; -1 if it is not known."""
    slot = find(table, state)
    if slot < 0:
        return -1
    info = table[slot, table.shape[1] - 1]
    return int(info >> MOVE_SHIFT) if _draft(info) == left or info & PROVEN_BIT != 0 else -1

"""Alpha-beta over the rules of any game, with a table that forgets nothing.

A value v is told for the player to move and counts plies: WIN - p for a win in p plies, p - WIN for a
loss, 0 for a draw. One move earlier it is one nearer to 0 (`_shrunk`), and it changes its sign if the
player to move changes: the sign follows the mover, never the ply.

The table is open addressing over whole keys. A position that is being searched is marked OPEN; to
meet one again means that the game can repeat itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.compilation import compiled, copy_words, inlined
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Floats, Rules, Words
from zermelo.search.keys import key_hash

WIN = 1 << 24
INFINITY = WIN + 1

# Marks and columns of `Table.bounds`.
EMPTY, KNOWN, OPEN = 0, 1, 2
MARK, LOWER, UPPER = 0, 1, 2

# Indices into `Search.now`: what a pause must remember, and the question.
DEPTH, NODES, STAGE, VALUE, COUNT, PRUNE = 0, 1, 2, 3, 4, 5
ENTER, LEAVE = 0, 1  # stages
WHOLE, PRUNED, ORDERED = 0, 1, 2  # PRUNE: every position; only those that matter; the best ones first

# Fields of a frame.
ALPHA, BETA, BEST, TRIED, WIDTH, MOVER, FIELDS = 0, 1, 2, 3, 4, 5, 6

# What a chunk of work ends with, beside the negative statuses of the rules.
DONE, PAUSED, FULL, REPEATED, TOO_DEEP, NOT_ZERO_SUM = 0, 1, 2, 3, 4, 5


class Table(NamedTuple):
    """Positions by key; `bounds` has the mark, the lower and the upper bound."""

    keys: Words  # [capacity, key_words]; capacity is a power of two
    bounds: Words  # [capacity, 3]


class Search(NamedTuple):
    """The path from the position in question to the one that is looked at."""

    now: Words  # [6]
    states: Words  # [depth, state_words]
    actions: Words  # [depth, num_actions]
    frames: Words  # [depth, FIELDS]
    result: Floats  # [2]


@inlined
def _shrunk(value: int) -> int:
    return value - 1 if value > 0 else value + 1 if value < 0 else value


@inlined
def _grown(value: int) -> int:
    """The bound that `value` becomes one move later."""
    return value + 1 if value > 0 else value - 1 if value < 0 else value


@inlined
def _slot_of(table: Table, state: Words) -> int:
    """The slot of this position, or the empty one where it belongs."""
    words = table.keys.shape[1]
    last = table.keys.shape[0] - 1
    slot = key_hash(state, words) & last
    while table.bounds[slot, MARK] != EMPTY:
        same = True
        for i in range(words):
            if table.keys[slot, i] != state[i]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & last
    return int(slot)


@compiled
def move_entries(old: Table, new: Table) -> None:
    """Put every entry of a table into a larger, empty one."""
    for i in range(old.keys.shape[0]):
        if old.bounds[i, MARK] != EMPTY:
            slot = _slot_of(new, old.keys[i])
            copy_words(old.keys[i], new.keys[slot])
            copy_words(old.bounds[i], new.bounds[slot])


@inlined
def _claim(table: Table, slot: int, state: Words, now: Words) -> None:
    """Make the slot that of this position; nothing is known of it yet."""
    for i in range(table.keys.shape[1]):
        table.keys[slot, i] = state[i]
    table.bounds[slot, LOWER], table.bounds[slot, UPPER] = -INFINITY, INFINITY
    now[COUNT] += 1


@inlined
def _order(rules: Rules, search: Search, depth: int) -> None:
    """Put moves first that leave the fewest answers: their positions are the quickest to search, and the
    other player is likely to be in trouble. A move that ends the game leaves none."""
    actions, width = search.actions[depth], search.frames[depth, WIDTH]
    after, answers = search.states[depth + 1], search.actions[depth + 1]
    for i in range(width):
        copy_words(search.states[depth], after)
        count = 0
        if abi.play(rules, after, actions[i]) == GOING:
            count = max(0, abi.legal(rules, after, answers))
        ranked = count * rules.num_actions + actions[i]
        j = i
        while j > 0 and actions[j - 1] > ranked:
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = ranked
    for i in range(width):
        actions[i] %= rules.num_actions


@inlined
def _enter(rules: Rules, table: Table, search: Search, depth: int) -> int:
    """Begin with the position at this depth: PAUSED if it takes a search, DONE if it is known."""
    now, state, frame = search.now, search.states[depth], search.frames[depth]
    slot = _slot_of(table, state)
    bounds = table.bounds[slot]
    if bounds[MARK] == OPEN:
        return REPEATED
    if bounds[MARK] == EMPTY:
        _claim(table, slot, state, now)
    elif bounds[LOWER] >= frame[BETA] or bounds[LOWER] == bounds[UPPER]:
        now[VALUE] = bounds[LOWER]
        return DONE
    elif bounds[UPPER] <= frame[ALPHA]:
        now[VALUE] = bounds[UPPER]
        return DONE
    bounds[MARK] = OPEN
    frame[BEST], frame[TRIED] = -INFINITY, 0
    frame[WIDTH] = abi.legal(rules, state, search.actions[depth])
    if frame[WIDTH] <= 0:
        return min(frame[WIDTH], FAILED)  # type: ignore[no-any-return]
    if frame[WIDTH] > 1 and now[PRUNE] == ORDERED and depth + 1 < search.frames.shape[0]:
        _order(rules, search, depth)
    return PAUSED


@inlined
def _end_value(rules: Rules, table: Table, search: Search, depth: int, mover: int) -> int:
    """Write the value for `mover` of a move that led to the end, the state at this depth; a status.

    A search that does not prune collects every position, so ends are put into the table too.
    """
    now, state, result = search.now, search.states[depth], search.result
    status = abi.returns(rules, state, result)
    if status != OVER:
        return min(status, FAILED)
    first = result[0]
    if first != -result[1] or (first != 0.0 and first != 1.0 and first != -1.0):
        return NOT_ZERO_SUM
    now[VALUE] = np.int64(result[mover]) * (WIN - 1)
    if now[PRUNE] == WHOLE:
        slot = _slot_of(table, state)
        if table.bounds[slot, MARK] == EMPTY:
            _claim(table, slot, state, now)
            value = np.int64(result[abi.mover(rules, state) & 1]) * WIN
            table.bounds[slot, MARK] = KNOWN
            table.bounds[slot, LOWER] = table.bounds[slot, UPPER] = value
    return DONE


@inlined
def _leave(table: Table, search: Search, depth: int) -> None:
    """Keep what was found out about the position at this depth."""
    frame = search.frames[depth]
    bounds = table.bounds[_slot_of(table, search.states[depth])]
    if frame[BEST] > frame[ALPHA]:
        bounds[LOWER] = max(bounds[LOWER], frame[BEST])
    if frame[BEST] < frame[BETA]:
        bounds[UPPER] = min(bounds[UPPER], frame[BEST])
    bounds[MARK] = KNOWN
    search.now[VALUE] = frame[BEST]


@inlined
def _take(frame: Words, value: int) -> None:
    frame[BEST] = max(frame[BEST], value)


@inlined
def _set_window(frame: Words, child: Words, prune: int) -> None:
    """What the child must tell: more than alpha, less than beta, seen from its own mover."""
    if prune == WHOLE:
        child[ALPHA], child[BETA] = -INFINITY, INFINITY
        return
    low, high = _grown(max(frame[ALPHA], frame[BEST])), _grown(frame[BETA])
    if child[MOVER] == frame[MOVER]:
        child[ALPHA], child[BETA] = low, high
    else:
        child[ALPHA], child[BETA] = -high, -low


@compiled
def search_chunk(rules: Rules, table: Table, search: Search, budget: int) -> int:
    """Go on for about `budget` positions; PAUSED, DONE, a reason to stop, or a status of the rules.

    FULL asks for a larger table: more than half of this one is used. Then and after PAUSED the search
    goes on where it was.
    """
    now, frames = search.now, search.frames
    stop = now[NODES] + budget
    while now[NODES] < stop:
        depth = now[DEPTH]
        frame = frames[depth]
        finished = False
        if now[STAGE] == ENTER:
            if 2 * (now[COUNT] + rules.num_actions + 1) > table.keys.shape[0]:
                return FULL
            now[NODES] += 1
            status = _enter(rules, table, search, depth)
            if status != PAUSED and status != DONE:
                return status
            now[STAGE] = LEAVE
            finished = status == DONE
        cut = now[PRUNE] != WHOLE and (frame[BEST] >= frame[BETA] or frame[BEST] == WIN - 1)
        if not finished and (cut or frame[TRIED] == frame[WIDTH]):
            _leave(table, search, depth)
            finished = True
        if finished:
            if depth == 0:
                return DONE
            parent, value = frames[depth - 1], _shrunk(now[VALUE])
            _take(parent, value if frame[MOVER] == parent[MOVER] else -value)
            now[DEPTH] -= 1
            continue
        if depth + 1 == frames.shape[0]:
            return TOO_DEEP
        copy_words(search.states[depth], search.states[depth + 1])
        status = abi.play(rules, search.states[depth + 1], search.actions[depth, frame[TRIED]])
        frame[TRIED] += 1
        if status == OVER:
            status = _end_value(rules, table, search, depth + 1, frame[MOVER])
            if status != DONE:
                return status
            _take(frame, now[VALUE])
        elif status < 0:
            return min(status, FAILED)
        else:
            child = frames[depth + 1]
            child[MOVER] = abi.mover(rules, search.states[depth + 1])
            _set_window(frame, child, now[PRUNE])
            now[DEPTH], now[STAGE] = depth + 1, ENTER
    return PAUSED

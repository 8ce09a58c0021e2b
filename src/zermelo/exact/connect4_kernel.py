"""The null-window search for Connect 4 on bitboards: numbers in, numbers out, nothing allocated.

A board of R rows and C columns is a word of C fields of R + 1 bits, the bottom row lowest, the top
bit of each field always empty. `own` holds the stones of the player to move, `mask` all stones. The
key `own + mask + bottom` is different for different positions; of a position and its mirror image
the smaller one counts.

Every question is of one kind: is the score (see `connect4.py`) of this position greater than alpha?

The way of searching (moves ordered by the winning squares they make, only moves that do not lose at
once, bounds of the score) is that of Pascal Pons, "Solving Connect 4: how to build a perfect AI"
(2015); the second player's answer to every move is the claimeven of Victor Allis, "A knowledge-based
approach of Connect-Four" (1988).
"""

from __future__ import annotations

import numpy as np

from zermelo.compilation import compiled, inlined
from zermelo.exact.connect4_table import bucket, find, keep, lower, prefetch, upper
from zermelo.games.abi import Words
from zermelo.games.bits import popcount

# Indices into `board`: what is fixed for a board. Positions with fewer than REMEMBER stones are kept
# in the table, those with fewer than LOOK_AHEAD look for their children there before they search.
# From ORDER on, the squares of each column, the outermost first; from ORDER + MOST_COLS on, those of
# its mirror image.
ROWS, COLS, CELLS, BOTTOM, FULL, ODD_ROWS = 0, 1, 2, 3, 4, 5
LOG_BUCKETS, CAN_CLAIM, LOOK_AHEAD, REMEMBER, ORDER = 6, 7, 8, 9, 10
MOST_COLS = 32
BOARD_SIZE = ORDER + 2 * MOST_COLS

# Indices into `search`: what a pause must remember.
DEPTH, NODES, STAGE, ANSWER, STONES, ALPHA = 0, 1, 2, 3, 4, 5
SEARCH_SIZE = 6
ENTER, LEAVE, DONE = 0, 1, 2  # stages
NO, YES, UNKNOWN = 0, 1, -1  # answers

# Fields of a frame of the stack; the moves still to try follow, the best last.
OWN, MASK, MIRROR_OWN, MIRROR_MASK, KEY, BEGAN, LEFT, MOVES = 0, 1, 2, 3, 4, 5, 6, 7
FRAME_SIZE = MOVES + MOST_COLS


@inlined
def winning_squares(own: int, mask: int, rows: int, full: int) -> int:
    """Empty squares that would give `own` four in a row."""
    found = (own << 1) & (own << 2) & (own << 3)
    for step in range(rows, rows + 3):
        pair = (own << step) & (own << (2 * step))
        found |= pair & (own << (3 * step))
        found |= pair & (own >> step)
        pair = (own >> step) & (own >> (2 * step))
        found |= pair & (own << step)
        found |= pair & (own >> (3 * step))
    return found & (full ^ mask)


@inlined
def has_four(own: int, rows: int) -> bool:
    pair = own & (own >> 1)
    found = pair & (pair >> 2)
    for step in range(rows, rows + 3):
        pair = own & (own >> step)
        found |= pair & (pair >> (2 * step))
    return found != 0


@inlined
def mirrored(word: int, rows: int, cols: int) -> int:
    """The word with its columns in reverse order."""
    image, field = 0, (1 << (rows + 1)) - 1
    for _ in range(cols):
        image = (image << (rows + 1)) | (word & field)
        word >>= rows + 1
    return image


@inlined
def _moves_that_do_not_lose_at_once(other: int, mask: int, board: Words) -> int:
    """The squares to play on after which the opponent does not win with the next stone."""
    possible = (mask + board[BOTTOM]) & board[FULL]
    threats = winning_squares(other, mask, board[ROWS], board[FULL])
    forced = possible & threats
    if forced != 0:
        possible = forced if forced & (forced - 1) == 0 else np.int64(0)
    return possible & ~(threats >> 1)  # type: ignore[no-any-return]


@inlined
def _first_can_win(own: int, mask: int, board: Words) -> bool:
    """Whether the first player, to move on a board with an even number of rows, might still win.

    The second player answers a move in a column with an even number of empty squares in that column,
    and one in a column with an odd number in another such column (there are evenly many). Then the
    first player gets squares of odd rows, counted from 1, and of even rows only some of those that
    can be played now.
    """
    playable = (mask + board[BOTTOM]) & board[FULL]
    return has_four(own | (board[ODD_ROWS] & ~mask) | playable, board[ROWS])


@inlined
def _answer_without_search(
    own: int, mask: int, possible: int, stones: int, alpha: int, board: Words
) -> int:
    """The answer if the rules alone give it; the player to move cannot win with the next stone."""
    cells = board[CELLS]
    if possible == 0:
        return YES if -((cells - stones) >> 1) > alpha else NO
    if stones >= cells - 2:
        return YES if alpha < 0 else NO
    if alpha < -((cells - 2 - stones) >> 1):
        return YES
    if alpha >= (cells - 1 - stones) >> 1:
        return NO
    if alpha >= 0 and board[CAN_CLAIM] != 0 and stones & 1 == 0 and not _first_can_win(own, mask, board):
        return NO
    return UNKNOWN


@inlined
def _child_key(frame: Words, move: int, i: int, board: Words) -> int:
    mask, image = frame[MASK], frame[MIRROR_MASK]
    image_move = (image + board[BOTTOM]) & board[FULL] & board[ORDER + MOST_COLS + i]
    key = (frame[OWN] ^ mask) + (mask | move)
    image_key = (frame[MIRROR_OWN] ^ image) + (image | image_move)
    return min(key, image_key) + board[BOTTOM]  # type: ignore[no-any-return]


@inlined
def _prefetch_children(frame: Words, possible: int, board: Words, table: Words) -> None:
    """Waiting for the memory is most of the time of a search; while moves are ordered it comes."""
    for i in range(board[COLS]):
        move = possible & board[ORDER + i]
        if move != 0:
            prefetch(table, bucket(_child_key(frame, move, i, board), board[LOG_BUCKETS]))


@inlined
def _child_refutes(frame: Words, possible: int, alpha: int, board: Words, table: Words) -> bool:
    """Whether the table already has a move with a score greater than alpha."""
    for i in range(board[COLS]):
        move = possible & board[ORDER + i]
        if move != 0:
            bounds = find(table, board[LOG_BUCKETS], _child_key(frame, move, i, board))
            if -upper(bounds) > alpha:
                return True
    return False


@inlined
def _order_moves(frame: Words, possible: int, board: Words, worth: Words) -> None:
    """Write the moves into the frame; last, so first to be tried, the one with most winning squares.

    The first loop has no branches and a multiple of four turns, so that it becomes vector code.
    """
    own, mask = frame[OWN], frame[MASK]
    rows, cols, full = board[ROWS], board[COLS], board[FULL]
    for i in range((cols + 3) & ~3):
        move = possible & board[ORDER + i]
        worth[i] = popcount(winning_squares(own | move, mask | move, rows, full))
    count = 0
    for i in range(cols):
        if possible & board[ORDER + i] != 0:
            item = (worth[i] << 5) | i
            place = MOVES + count
            while place > MOVES and frame[place - 1] > item:
                frame[place] = frame[place - 1]
                place -= 1
            frame[place] = item
            count += 1
    frame[LEFT] = count


@inlined
def _enter(frame: Words, stones: int, alpha: int, board: Words, table: Words, worth: Words) -> int:
    """The answer for this position if it takes no search; else UNKNOWN, and the moves are in order."""
    own, mask = frame[OWN], frame[MASK]
    possible = _moves_that_do_not_lose_at_once(own ^ mask, mask, board)
    answer = _answer_without_search(own, mask, possible, stones, alpha, board)
    if answer != UNKNOWN:
        return answer
    if stones < board[REMEMBER]:
        frame[KEY] = min(own + mask, frame[MIRROR_OWN] + frame[MIRROR_MASK]) + board[BOTTOM]
        bounds = find(table, board[LOG_BUCKETS], frame[KEY])
        if lower(bounds) > alpha:
            return YES
        if upper(bounds) <= alpha:
            return NO
    if stones < board[REMEMBER] - 1:
        _prefetch_children(frame, possible, board, table)
    _order_moves(frame, possible, board, worth)
    if stones < board[LOOK_AHEAD] and _child_refutes(frame, possible, alpha, board, table):
        return YES
    return UNKNOWN


@inlined
def _next_child(frame: Words, child: Words, board: Words) -> None:
    """Take the best move that is left and put the position after it into the frame above."""
    frame[LEFT] -= 1
    i = frame[MOVES + frame[LEFT]] & 31
    mask, image = frame[MASK], frame[MIRROR_MASK]
    child[OWN] = frame[OWN] ^ mask
    child[MASK] = mask | ((mask + board[BOTTOM]) & board[FULL] & board[ORDER + i])
    child[MIRROR_OWN] = frame[MIRROR_OWN] ^ image
    child[MIRROR_MASK] = image | ((image + board[BOTTOM]) & board[FULL] & board[ORDER + MOST_COLS + i])


@compiled
def search_chunk(
    board: Words,  # [BOARD_SIZE]
    table: Words,  # [4 * 2**log_buckets]
    search: Words,  # [SEARCH_SIZE]
    stack: Words,  # [cells + 1, FRAME_SIZE]
    worth: Words,  # [MOST_COLS]
    budget: int,
) -> int:
    """Go on with a search for about `budget` nodes; the stage in which it stopped.

    At first `search` is at depth 0 in stage ENTER, with the number of stones and alpha; the position
    is in `stack[0]`, and its mover cannot win with the next stone. In stage DONE it has the answer.
    """
    depth, nodes, stage, answer = search[DEPTH], search[NODES], search[STAGE], search[ANSWER]
    stop = nodes + budget
    while stage != DONE and nodes < stop:
        frame = stack[depth]
        stones = search[STONES] + depth
        alpha = search[ALPHA] if depth & 1 == 0 else -search[ALPHA] - 1
        if stage == ENTER:
            nodes += 1
            stage = LEAVE
            frame[BEGAN] = nodes
            answer = _enter(frame, stones, alpha, board, table, worth)
            if answer != UNKNOWN:
                depth -= 1
                stage = DONE if depth < 0 else LEAVE
                continue
        # Otherwise a child has answered: NO there is YES here, else the next one is asked.
        if answer == NO or frame[LEFT] == 0:
            greater = answer == NO
            if stones < board[REMEMBER]:
                bound, work = alpha + greater, nodes - frame[BEGAN]
                keep(table, board[LOG_BUCKETS], frame[KEY], bound, greater, work)
            answer = YES if greater else NO
            depth -= 1
            stage = DONE if depth < 0 else LEAVE
            continue
        _next_child(frame, stack[depth + 1], board)
        depth += 1
        stage = ENTER
    search[DEPTH], search[NODES], search[STAGE], search[ANSWER] = depth, nodes, stage, answer
    return stage  # type: ignore[no-any-return]

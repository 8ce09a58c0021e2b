"""Connect 4, solved: the score of any position, on any board that fits into 63 bits.

The score counts the winner's stones: 1 for a win with one's last stone, 2 for a win with the one
before, and so on; 0 is a draw, a loss has the winner's score with a minus. It is always told for the
player to move. On the usual board each player has 21 stones. After `4 1 4 1 4 1` the first player
wins at once with their fourth stone and keeps 17, so the score is 18. In general a game won with
stone number e of c has the score (c + 2 - e) // 2.

This is the scale of Pascal Pons's solver and of its files of test positions.
"""

from __future__ import annotations

import math
import time

import numpy as np

from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.exact import connect4_kernel as kernel
from zermelo.exact import progress
from zermelo.exact.book import Book
from zermelo.exact.connect4_table import BUCKET, LEAST_LOG_BUCKETS
from zermelo.exact.outcome import Outcome
from zermelo.exact.score import outcome_of, score_of
from zermelo.games.abi import Words
from zermelo.games.base import Game
from zermelo.games.connect import Connect
from zermelo.games.position import Position

CHUNK = 250_000


class Connect4Solver:
    """Exact scores of Connect 4 positions; what one search finds out helps the next.

    `megabytes` is the size of the table, a power of two of at least 32. Ctrl-C is heard within a
    tenth of a second or so and leaves the solver as able as before.
    """

    def __init__(
        self,
        game: Game,
        *,
        megabytes: int = 128,
        book: Book | None = None,
        book_seconds: float = 1.0,
    ) -> None:
        if not self.takes(game):
            raise UnsuitableGame(
                f"{game.name} is not for the Connect 4 solver: it takes connect with n=4 and "
                "(rows + 1) * cols of at most 63; GenericSolver takes any small game"
            )
        least = (BUCKET << LEAST_LOG_BUCKETS) * 8 >> 20
        if megabytes < least or megabytes & (megabytes - 1):
            raise BadParameter(f"`megabytes` (={megabytes}) must be a power of two of at least {least}")
        assert isinstance(game, Connect)
        self.game = game
        self.book = book
        """Where scores are looked up first; positions that took `book_seconds` or more are added."""
        self.book_seconds = book_seconds
        self.searched = 0
        """Positions looked at so far."""
        log_buckets = (megabytes << 20).bit_length() - 1 - (BUCKET * 8).bit_length() + 1
        self._board = _board(game.rows, game.cols, log_buckets)
        self._table = np.zeros(BUCKET << log_buckets, np.int64)
        self._search = np.zeros(kernel.SEARCH_SIZE, np.int64)
        self._stack = np.zeros((game.rows * game.cols + 1, kernel.FRAME_SIZE), np.int64)
        self._worth = np.zeros(kernel.MOST_COLS, np.int64)
        cell = np.arange(game.rows * game.cols)
        self._squares = 1 << (cell % game.cols * (game.rows + 1) + game.rows - 1 - cell // game.cols)
        """The bit of each cell."""

    @staticmethod
    def takes(game: Game) -> bool:
        """Whether this solver is for a game."""
        return isinstance(game, Connect) and game.n == 4 and (game.rows + 1) * game.cols <= 63

    def solve(self, position: Position) -> Outcome:
        """Who wins, and after how many more moves, for the player to move."""
        return self.outcome(position, self.score(position))

    def value_within(self, position: Position, positions: int) -> int | None:
        """Who wins: 1, 0 or -1 for the player to move; None if so many positions do not tell. The book is
        not asked."""
        self._check(position)
        own, mask = self._bits(position)
        if self._wins_at_once(own, mask):
            return 1
        self._begin(own, mask)
        stop, stones = self.searched + positions, mask.bit_count()
        for value in (1, 0):
            greater = self._is_greater(stones, value - 1, (-1, 1), stop)
            if greater is not False:
                return value if greater else None
        return -1

    def forget(self) -> None:
        """Empty the table."""
        self._table[:] = 0

    def outcomes(self, position: Position) -> dict[int, Outcome]:
        """The outcome of every legal move, for the player who makes it."""
        return {
            action: (-self.outcome(position.play(action), -score)).before
            for action, score in self.scores(position).items()
        }

    def score(self, position: Position) -> int:
        """The score for the player to move; of a position that is over, that of its last move."""
        self._check(position)
        if position.is_over:
            return self._score_of_end(position)
        own, mask = self._bits(position)
        return self._score(own, mask, mask.bit_count())

    def scores(self, position: Position) -> dict[int, int]:
        """The score of every legal move, for the player who makes it; the greatest is the position's."""
        self._check(position)
        children = {action: position.play(action) for action in position.legal_actions}
        nearest_first = sorted(children, key=lambda action: abs(2 * action - self.game.num_actions + 1))
        found = {}
        for number, action in enumerate(nearest_first, 1):
            with progress.move_of(number, len(children), same_mover=False):
                found[action] = -self.score(children[action])
        return {action: found[action] for action in children}

    def ends_within(self, position: Position, plies: int) -> bool:
        """Whether the game is over after so many more moves if both play perfectly; much faster than to
        find out how."""
        self._check(position)
        own, mask = self._bits(position)
        stones = mask.bit_count()
        if position.is_over or plies >= self.game.max_length - stones or self._wins_at_once(own, mask):
            return position.is_over or plies > 0
        if plies < 2:
            return False
        self._begin(own, mask)
        odd, even = (plies, plies - 1) if plies % 2 else (plies - 1, plies)
        win, loss = (
            score_of(self.game, stones, outcome) for outcome in (Outcome(1, odd), Outcome(-1, even))
        )
        window = loss, win
        return self._is_greater(stones, win - 1, window) or not self._is_greater(stones, loss, window)

    def outcome(self, position: Position, score: int) -> Outcome:
        """This score of this position as an outcome."""
        return outcome_of(self.game, sum(cell != 0 for cell in self.game.cells(position)), score)

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise UnsuitableGame(f"this solver is for {self.game.name}, not for {position.game.name}")

    def _score_of_end(self, position: Position) -> int:
        assert position.returns is not None
        stones = sum(cell != 0 for cell in self.game.cells(position))
        return score_of(self.game, stones, Outcome(int(position.returns[position.mover])))

    def _bits(self, position: Position) -> tuple[int, int]:
        """The stones of the player to move and all stones, as the kernel wants them."""
        cells = np.array(self.game.cells(position))
        own, mask = (int(self._squares[some].sum()) for some in (cells == 1 + position.mover, cells > 0))
        return own, mask

    def _score(self, own: int, mask: int, stones: int) -> int:
        rows, cols, cells = (int(self._board[i]) for i in (kernel.ROWS, kernel.COLS, kernel.CELLS))
        if self._wins_at_once(own, mask):
            return (cells + 1 - stones) // 2
        key = self._begin(own, mask)
        known = self.book.score(rows, cols, key) if self.book is not None else None
        if known is not None:
            return known
        begin = time.perf_counter()
        score = self._narrow(stones, -((cells - stones) // 2), (cells - 1 - stones) // 2)
        if self.book is not None and time.perf_counter() - begin >= self.book_seconds:
            self.book.add(rows, cols, key, score)
        return score

    def _wins_at_once(self, own: int, mask: int) -> bool:
        rows, bottom, full = (int(self._board[i]) for i in (kernel.ROWS, kernel.BOTTOM, kernel.FULL))
        return bool(kernel.winning_squares(own, mask, rows, full) & (mask + bottom) & full)

    def _begin(self, own: int, mask: int) -> int:
        """Make this the position that is asked about; its canonical key."""
        rows, cols = int(self._board[kernel.ROWS]), int(self._board[kernel.COLS])
        image = kernel.mirrored(own, rows, cols), kernel.mirrored(mask, rows, cols)
        self._stack[0, : kernel.KEY] = own, mask, *image
        return min(own + mask, sum(image)) + int(self._board[kernel.BOTTOM])

    def _narrow(self, stones: int, low: int, high: int) -> int:
        """Ask until one score is left, far from 0 first: such searches are short and fill the table."""
        while low < high:
            middle = (low + high) // 2
            if middle <= 0 and -(-low // 2) < middle:
                middle = -(-low // 2)
            elif middle >= 0 and high // 2 > middle:
                middle = high // 2
            if self._is_greater(stones, middle, (low, high)):
                low = middle + 1
            else:
                high = middle
        return low

    def _is_greater(
        self, stones: int, alpha: int, window: tuple[int, int], stop: float = math.inf
    ) -> bool | None:
        """Whether the score is; None if `stop` positions have been looked at before that is known."""
        self._search[:] = 0
        self._search[kernel.STONES], self._search[kernel.ALPHA] = stones, alpha
        before, done = self.searched, False
        while not done and self.searched < stop:
            chunk = int(min(CHUNK, stop - self.searched))
            stage = kernel.search_chunk(
                self._board, self._table, self._search, self._stack, self._worth, chunk
            )
            done = stage == kernel.DONE
            self.searched = before + int(self._search[kernel.NODES])
            if not done:
                low, high = window
                worst, best = (outcome_of(self.game, stones, score) for score in (low, high))
                progress.report(self.searched, (worst, best))
        return bool(self._search[kernel.ANSWER] == kernel.YES) if done else None


def _board(rows: int, cols: int, log_buckets: int) -> Words:
    """What the kernel must know of a board. The last 8 stones are searched without the table, and the
    look ahead pays until 22 are left: measured on 6 x 7."""
    board = np.zeros(kernel.BOARD_SIZE, np.int64)
    column = (1 << rows) - 1
    bottom = sum(1 << (col * (rows + 1)) for col in range(cols))
    board[kernel.ROWS], board[kernel.COLS], board[kernel.CELLS] = rows, cols, rows * cols
    board[kernel.BOTTOM], board[kernel.FULL] = bottom, bottom * column
    board[kernel.ODD_ROWS] = sum(bottom << row for row in range(0, rows, 2))
    board[kernel.LOG_BUCKETS] = log_buckets
    board[kernel.CAN_CLAIM] = rows % 2 == 0
    board[kernel.LOOK_AHEAD], board[kernel.REMEMBER] = rows * cols - 22, rows * cols - 8
    outermost_first = sorted(range(cols), key=lambda col: -abs(2 * col - cols + 1))
    for i, col in enumerate(outermost_first):
        board[kernel.ORDER + i] = column << (col * (rows + 1))
        board[kernel.ORDER + kernel.MOST_COLS + i] = column << ((cols - 1 - col) * (rows + 1))
    return board

"""Exact outcomes as single numbers, the greater the better for the player to move.

0 is a draw, more is a win, and less is the same for a win of the other player. In Connect the number
is that of Pascal Pons's solver and its files: a game won with stone number e of c has the score
(c + 2 - e) // 2, so 1 is a win with one's last stone. In every other game a win with move number e
has the score l + 1 - e, where l is `max_length`.
"""

from __future__ import annotations

from zermelo.errors import BadParameter
from zermelo.exact.outcome import Outcome
from zermelo.games.base import Game
from zermelo.games.connect import Connect


def score_of(game: Game, played: int, outcome: Outcome) -> int:
    """The score of this outcome after so many moves."""
    end = played + outcome.plies
    worth = (game.max_length + 2 - end) // 2 if isinstance(game, Connect) else game.max_length + 1 - end
    return outcome.value * worth


def outcome_of(game: Game, played: int, score: int) -> Outcome:
    """The outcome with this score after so many moves."""
    if score == 0:
        return Outcome(0)
    if isinstance(game, Connect):
        end = game.max_length + 2 - 2 * abs(score)
        winner_moves_next = score > 0  # the last stone's ply has the winner's parity
        if (end - played) % 2 != winner_moves_next:
            end -= 1
    else:
        end = game.max_length + 1 - abs(score)
    if end < played:
        raise BadParameter(f"a score of {score} is not possible after {played} moves of {game.name}")
    return Outcome(1 if score > 0 else -1, end - played)

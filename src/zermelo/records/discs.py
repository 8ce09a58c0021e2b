"""How games of Othello are counted in records: empty squares go to the winner."""

from __future__ import annotations

from zermelo.games.othello import Othello
from zermelo.games.position import Position


def counted(position: Position) -> tuple[int, int]:
    """Discs of each player, the empty squares given to the one with more; halves of the board if equal."""
    game = position.game
    assert isinstance(game, Othello)
    first, second = game.discs(position)
    squares = game.board.num_cells
    if first == second:
        return squares // 2, squares // 2
    return (squares - second, second) if first > second else (first, squares - first)

"""Tic-Tac-Toe."""

from __future__ import annotations

from zermelo.games.board import Board
from zermelo.games.grid import GridGame
from zermelo.games.lines import LINE_GAME


class TicTacToe(GridGame):
    """Three in a row on a 3x3 board."""

    family = "tictactoe"
    acyclic = True
    board = Board(3, 3, labels="numbered")
    line = 3
    kernels = LINE_GAME

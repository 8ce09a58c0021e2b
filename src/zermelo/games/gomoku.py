"""Gomoku."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from zermelo.errors import BadParameter
from zermelo.games.base import Encoding, parameter
from zermelo.games.board import Board
from zermelo.games.grid import GridGame
from zermelo.games.lines import LINE_GAME, lines_encoding


class Gomoku(GridGame):
    """Five in a row on a board of any size, without forbidden moves (free-style)."""

    family = "gomoku"
    acyclic = True
    size: int = parameter(15, 5, 20, "rows and columns")
    n: int = parameter(5, 3, 20, "stones in a row that win")
    exact: bool = parameter(False, help="more than n in a row do not win")

    def validate(self) -> None:
        if self.n > self.size:
            raise BadParameter(f"`n` (={self.n}) of gomoku must be at most `size` (={self.size})")

    @cached_property
    def board(self) -> Board:
        return Board(self.size, self.size, "points", "up")

    @property
    def line(self) -> int:
        return self.n

    @property
    def option(self) -> int:
        return int(self.exact)

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        return {**super().encodings, "lines": lines_encoding(self.board)}

    kernels = LINE_GAME

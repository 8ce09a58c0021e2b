"""Exact solvers: what perfect play leads to."""

from zermelo.exact.book import Book
from zermelo.exact.connect4 import Connect4Solver
from zermelo.exact.generic import GenericSolver, TooManyPositions
from zermelo.exact.outcome import Outcome

__all__ = ["Book", "Connect4Solver", "GenericSolver", "Outcome", "TooManyPositions"]

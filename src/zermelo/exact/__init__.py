"""Exact solvers: what perfect play leads to."""

from zermelo.exact.book import Book
from zermelo.exact.connect4 import Connect4Solver
from zermelo.exact.generic import GenericSolver
from zermelo.exact.outcome import Outcome
from zermelo.exact.progress import Progress, watching

__all__ = ["Book", "Connect4Solver", "GenericSolver", "Outcome", "Progress", "watching"]

"""The same answers, after the same work, with Numba switched off."""

from without_jit import agreed

CODE = """
import zermelo
from zermelo.exact import Connect4Solver, GenericSolver

game = zermelo.game("connect4")
solver = Connect4Solver(game, megabytes=32)
print(solver.scores(game.position("6615613566117133677441")), solver.searched)
for name, moves in [
    ("connect:rows=3,cols=4,n=3", "1 2 2"),
    ("examples/kalah.py:houses=2,seeds=2", ""),
    ("tictactoe", "1 5"),
]:
    game = zermelo.game(name)
    solver = GenericSolver(game)
    print(name, solver.outcomes(game.position(moves)), solver.positions)
"""


def test_interpreted_solvers_agree_with_compiled_ones():
    assert len(agreed(CODE)) == 4

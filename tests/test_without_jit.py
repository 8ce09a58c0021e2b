"""The same answers with Numba switched off: the rules are ordinary Python too."""

from without_jit import agreed

CODE = """
import zermelo
from zermelo.search.perft import perft
from zermelo.search.rollouts import random_games
from zermelo.games.contract import check

names = "tictactoe connect4 gomoku:size=9 othello:size=6 othello:size=10 examples/kalah.py"
for name in names.split():
    game = zermelo.game(name)
    played = random_games(game, 3, seed=5)
    planes = game.position().play(game.position().legal_actions[0]).planes()
    report, lines = check(game, games=1), perft(game, 2 if game.num_actions > 60 else 3)
    print(name, lines, played.moves, played.mean_returns, planes.sum(), report.lengths, end=" ")
    print(report.passed)
"""


def test_interpreted_rules_agree_with_compiled_ones():
    lines = agreed(CODE)
    assert len(lines) == 6
    assert all(line.endswith("True") for line in lines)

"""A look ahead finds exactly the forced wins and losses that trying everything finds."""

import pytest

import zermelo
from zermelo.exact.sets import shipped
from zermelo.search.config import DEEP, SearchConfig
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.settings import settings_of
from zermelo.search.tree import SETTINGS, UNPROVEN


def plies_of(name, **options):
    row = settings_of(zermelo.game(name), SearchConfig(**options), ROLLOUTS, 0)
    return dict(zip(SETTINGS.names, row, strict=True))["lookahead"]


def test_a_deep_look_ahead_costs_about_the_same_in_every_game_and_solves_none():
    deep = {name: plies_of(name, lookahead=DEEP) for name in ("tictactoe", "connect4", "othello", "gomoku")}
    assert deep == {"tictactoe": 1, "connect4": 8, "othello": 2, "gomoku": 2}


def test_a_look_ahead_of_one_ply_is_usual_where_rules_are_compiled():
    assert [plies_of(name) for name in ("connect4", "examples/nim.py")] == [1, 0]
    assert plies_of("examples/nim.py", lookahead=DEEP) == 0
    assert plies_of("examples/nim.py", lookahead=3) == 3
    assert plies_of("connect4", lookahead=8, proofs=False) == 0


@pytest.mark.parametrize("plies", [1, 2, 5, 8])
def test_a_move_is_proven_if_the_solver_says_that_it_decides_soon_enough(plies):
    game, proven, open_ = zermelo.game("connect4"), 0, 0
    for graded in shipped(game, "middle-easy")[:150]:
        legal = graded.position.legal_actions
        config = SearchConfig(simulations=len(legal), exploration=1e6, lookahead=plies)
        (result,) = Pool(game).search([Job(graded.position, config, ROLLOUTS)])
        for action, visits, proof in zip(result.actions, result.visits, result.proofs, strict=True):
            outcome = graded.outcomes[int(action)]
            if visits == 0 or outcome.value == 0:
                continue  # a move before has won, or there is nothing to force
            soon = outcome.plies - 1 <= plies
            assert proof == (outcome.value if soon else UNPROVEN)
            proven, open_ = proven + soon, open_ + (not soon)
    assert min(proven, open_) > 20


def test_a_tree_that_goes_on_finds_the_moves_of_what_was_only_seen():
    game, tried = zermelo.game("connect4"), 0
    config = SearchConfig(simulations=100, lookahead=8)
    for graded in shipped(game, "middle-easy")[:40]:
        pool = Pool(game)
        (result,) = pool.search([Job(graded.position, config, ROLLOUTS, reuse=True)])
        for action, proof in zip(result.actions, result.proofs, strict=True):
            after = graded.position.play(int(action))
            if proof == UNPROVEN or after.is_over or graded.outcomes[int(action)].plies <= 2:
                continue
            (again,) = pool.search([Job(after, config, ROLLOUTS, reuse=True)])
            assert again.visits.sum() > 0
            assert again.is_proven
            tried += 1
            break
    assert tried > 5

"""A look ahead finds exactly the forced wins and losses that trying everything finds."""

import pytest

import zermelo
from zermelo.arena.openings import random_opening
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


def test_ends_are_seen_by_the_one_who_wins_them():
    game, seen = zermelo.game("othello:size=6"), {DEEP: 0, 4: 0}
    for graded in shipped(game, "endgames")[:80]:
        for lookahead in seen:
            config = SearchConfig(
                simulations=len(graded.position.legal_actions), exploration=1e6, lookahead=lookahead
            )
            (result,) = Pool(game).search([Job(graded.position, config, ROLLOUTS)])
            for action, proof in zip(result.actions, result.proofs, strict=True):
                if proof != UNPROVEN:
                    assert proof == graded.outcomes[int(action)].value == 1
                    seen[lookahead] += 1
    assert seen[DEEP] > 10
    assert seen[4] == 0


def completions(position, player):
    """The actions by which a stone of this player makes a row: it moves next, or as if it did."""
    game = position.game
    cells = game.cells(position)
    rows, cols, found = game.board.rows, game.board.cols, []
    for action in position.legal_actions:
        row, col = divmod(action, cols)
        if game.num_actions == cols:  # the lowest empty cell of a column
            row = max(row for row in range(rows) if cells[row * cols + col] == 0)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                r, c = row + sign * down, col + sign * right
                while 0 <= r < rows and 0 <= c < cols and cells[r * cols + c] == player + 1:
                    length, r, c = length + 1, r + sign * down, c + sign * right
            if length == game.n or (length > game.n and not getattr(game, "exact", False)):
                found.append(action)
                break
    return found


def wins_by_threats(position, attacker, plies=99):
    """Whether the attacker, who moves, wins in so many plies by threats that have one answer each: every
    line is tried."""
    if completions(position, attacker):
        return True
    for action in position.legal_actions if plies >= 3 else ():
        after = position.play(action)
        if after.is_over or completions(after, 1 - attacker):
            continue
        threats = completions(after, attacker)
        if len(threats) > 1:
            return True
        if len(threats) == 1:
            answered = after.play(threats[0])
            if not answered.is_over and wins_by_threats(answered, attacker, plies - 2):
                return True
    return False


def shortest(position, attacker):
    return next(plies for plies in range(1, 99, 2) if wins_by_threats(position, attacker, plies))


def decided_by_threats(position):
    """What chains of threats say of a position, and in how many plies: 1 or -1; 0 if nothing."""
    mover = position.mover
    if wins_by_threats(position, mover):
        return 1, shortest(position, mover)
    threats = completions(position, 1 - mover)
    if len(threats) > 1:
        return -1, 2
    if len(threats) == 1:
        answered = position.play(threats[0])
        if not answered.is_over and wins_by_threats(answered, 1 - mover):
            return -1, 1 + shortest(answered, 1 - mover)
    return 0, 0


@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [
        ("connect4", 14, 40),
        ("gomoku:size=6,n=4", 10, 12),
        ("gomoku:size=7,n=5", 24, 12),
        ("gomoku:size=6,n=4,exact=1", 12, 12),
        ("gomoku:size=9,n=5", 30, 6),
    ],
)
def test_chains_of_threats_are_those_that_trying_all_lines_finds(name, plies, count):
    game, decided = zermelo.game(name), 0
    for number in range(count):
        position = random_opening(game, plies, 0, number)
        if position is None or completions(position, position.mover):
            continue
        config = SearchConfig(simulations=6, exploration=1e6, lookahead=1, chains=100_000)
        (result,) = Pool(game).search([Job(position, config, ROLLOUTS)])
        rows = zip(result.actions, result.visits, result.proofs, result.plies, strict=True)
        for action, visits, proof, told in rows:
            after = position.play(int(action))
            if visits == 0 or after.is_over:
                continue
            said, end = decided_by_threats(after)
            assert proof == (-said or UNPROVEN), after
            assert not said or told == 1 + end, after
            decided += said != 0
    assert decided >= 10


def test_what_chains_prove_is_what_the_solver_says():
    game, proven = zermelo.game("connect4"), 0
    for graded in shipped(game, "begin-medium")[:100]:
        config = SearchConfig(simulations=30, lookahead=1, chains=1000)
        (result,) = Pool(game).search([Job(graded.position, config, ROLLOUTS)])
        for action, proof in zip(result.actions, result.proofs, strict=True):
            if proof != UNPROVEN:
                assert proof == graded.outcomes[int(action)].value
                proven += 1
    assert proven > 50


def test_chains_are_not_for_games_that_tell_no_threats():
    def chains(name, **options):
        row = settings_of(zermelo.game(name), SearchConfig(chains=50, **options), ROLLOUTS, 0)
        return dict(zip(SETTINGS.names, row, strict=True))["chains"]

    assert [chains(name) for name in ("gomoku", "othello", "tictactoe")] == [50, 0, 0]
    assert chains("gomoku", proofs=False) == 0


def test_chains_add_to_a_look_ahead_and_take_nothing_from_it():
    # No threat is there, but each of both moves is the ground for a win of the other.
    moves = "6 7 4 6 1 5 4 5 6 4 5 4 6 1 4 3 5 6 6 4 2 7 1 5 7 5 7 7 7 3 3 2 1 1 3 1 3 2 2 3"
    *before, _ = moves.split()
    game = zermelo.game("connect4")
    for chains in (0, 200):
        config = SearchConfig(simulations=10, exploration=1e6, lookahead=2, chains=chains)
        (result,) = Pool(game).search([Job(game.position(before), config, ROLLOUTS)])
        assert result.is_proven


def test_chains_look_one_ply_ahead_at_least():
    assert plies_of("gomoku", lookahead=0, chains=50) == 1
    assert plies_of("othello", lookahead=0, chains=50) == 0

"""Search trees as data: what a search did can be read move by move."""

import math
from itertools import pairwise

import numpy as np
import pytest

import zermelo
from search.test_worked_example import EVALUATOR, GAME, PRIORS, ROOT
from zermelo.errors import BadParameter
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import NOTHING, ROLLOUTS, Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

CONNECT4 = zermelo.game("connect4")


def nodes_of(tree):
    """Every node of an unfolded tree, with the depth at which it lies."""
    stack = [(tree.root, 0)]
    while stack:
        node, level = stack.pop()
        yield node, level
        stack.extend((edge.child, level + 1) for edge in node.edges if edge.child is not None)


def searched(position, evaluator=ROLLOUTS, **changes):
    pool = Pool(position.game)
    (result,) = pool.search([Job(position, SearchConfig(**changes), evaluator)])
    return pool, result


def test_the_worked_example_step_by_step():
    job = Job(ROOT, SearchConfig(simulations=2, exploration=5.0, proofs=False), EVALUATOR)
    first, second, third = Pool(GAME).steps(job)
    assert {int(e.move): pytest.approx(e.prior) for e in first.root.edges} == PRIORS
    assert (first.root.visits, first.path) == (1, ())
    assert all(math.isnan(edge.value) and edge.child is None for edge in first.root.edges)

    edge = second.root.edge("2")
    assert (edge.visits, edge.value, second.root.visits) == (1, pytest.approx(0.2), 2)
    assert second.root.after("2").evaluation == pytest.approx(-0.2)
    assert second.path == (1,)

    end = third.root.after("2", "6")
    assert third.path == (1, 5)
    assert third.root.after("2").edge("6").value == 1.0  # won for white, who moved there
    assert third.root.edge("2").value == pytest.approx((0.2 - 1.0) / 2)
    assert (end.position.returns, end.proof, end.edges) == ((1.0, -1.0), 1, ())


@pytest.mark.parametrize("variant", ["puct", "uct", "gumbel"])
@pytest.mark.parametrize("graph", [False, True])
def test_visits_add_up(variant, graph):
    """N of a node is 1 + the visits of its edges; in a tree an edge was visited as often as its node."""
    pool, result = searched(CONNECT4.position("4 4"), variant=variant, simulations=300, graph=graph)
    tree = pool.tree(result.position, levels=5)
    read = list(nodes_of(tree))
    assert tree.simulations == 300
    assert len(read) > 50
    for node, _ in read:
        assert node.visits == 1 + sum(edge.visits for edge in node.edges)
        for edge in node.edges:
            assert edge.child is None or edge.child.position == node.position.play(edge.move)
            if edge.child is not None and not graph and edge.child.proof is None:
                assert edge.visits == edge.child.visits


def test_the_root_is_what_the_result_says():
    pool, result = searched(CONNECT4.position("4 4 3 4"), variant="puct", simulations=200)
    root = pool.tree(result.position).root
    assert [e.visits for e in root.edges] == result.visits.tolist()
    assert [e.action for e in root.edges] == result.actions.tolist()
    np.testing.assert_array_equal([e.value for e in root.edges], result.values)
    np.testing.assert_array_equal([e.prior for e in root.edges], result.priors)
    assert (root.value, root.evaluation) == (pytest.approx(result.value), result.evaluation)


def test_proofs_are_read():
    """1 wins at once for the first player; whatever else is played, the second cannot lose at once."""
    pool, result = searched(CONNECT4.position("1 2 1 2 1 2"), NOTHING, simulations=50)
    root = pool.tree(result.position).root
    assert (root.proof, root.plies, root.value) == (1, 1, 1.0)
    assert root.edge("1").value == 1.0
    assert root.after("1").position.is_over


def test_an_extra_turn_keeps_the_sign():
    """In Kalah a player may move again: then the child's value is the edge's own, not its opposite."""
    kalah = zermelo.game("examples/kalah.py")
    pool, result = searched(kalah.position(), simulations=30, proofs=False)
    again = 0
    for node, _ in nodes_of(pool.tree(result.position)):
        for edge in node.edges:
            if edge.child is not None and not edge.child.position.is_over:
                same = edge.child.mover == node.mover
                again += same
                assert edge.value == pytest.approx(edge.child.value if same else -edge.child.value)
    assert again > 0


def test_a_tree_is_bounded_and_shows_what_was_visited_most():
    pool, result = searched(CONNECT4.position(), variant="uct", simulations=500)
    assert max(level for _, level in nodes_of(pool.tree(result.position, levels=2))) == 2
    few = list(nodes_of(pool.tree(result.position, nodes=4)))
    assert len(few) == 4
    (alone,) = nodes_of(pool.tree(result.position, levels=0))
    best = max(alone[0].edges, key=lambda edge: edge.visits)
    assert best.move in [node.position.move_names[0] for node, level in few if level == 1]


@pytest.mark.parametrize("variant", ["puct", "uct", "gumbel"])
@pytest.mark.parametrize("evaluator", [ROLLOUTS, Uniform(9)], ids=["inside", "outside"])
def test_steps_are_the_search_itself(variant, evaluator):
    """After each step one more simulation, along the path that is told; at the end the same visits."""
    config = SearchConfig(variant, simulations=20, proofs=False)
    start = GAME.position()
    trees = list(Pool(GAME).steps(Job(start, config, evaluator, seed=3), levels=9))
    assert [tree.simulations for tree in trees] == list(range(21))
    for before, after in pairwise(trees):
        old, new = before.root, after.root
        for i, action in enumerate(after.path):
            (grown,) = ((o, n) for o, n in zip(old.edges, new.edges, strict=True) if n.visits != o.visits)
            assert (grown[1].action, grown[1].visits) == (action, grown[0].visits + 1)
            new, old = grown[1].child, grown[0].child
            assert (old is None) == (i == len(after.path) - 1)
        assert len(after.path) > 0
    (result,) = Pool(GAME).search([Job(start, config, evaluator, seed=3)])
    assert [edge.visits for edge in trees[-1].root.edges] == result.visits.tolist()


def test_steps_end_with_a_proof_and_leave_the_pool_free():
    pool = Pool(CONNECT4)
    job = Job(CONNECT4.position("1 2 1 2 1 2"), SearchConfig(simulations=50), ROLLOUTS)
    assert [tree.root.proof for tree in pool.steps(job)] == [1]
    steps = pool.steps(Job(CONNECT4.position(), SearchConfig(simulations=50), ROLLOUTS))
    next(steps)
    with pytest.raises(BadParameter, match="searches under way"):
        next(pool.steps(job))
    steps.close()
    assert len(list(pool.steps(job))) == 1


def test_what_is_not_there_is_told():
    pool, result = searched(CONNECT4.position(), simulations=3)
    with pytest.raises(BadParameter, match=r"no tree of .*'4'.*: search it first"):
        pool.tree(CONNECT4.position("4"))
    with pytest.raises(BadParameter, match=r"`levels` \(=65\) must be from 0 to 64"):
        pool.tree(result.position, levels=65)
    with pytest.raises(BadParameter, match=r"`nodes` \(=0\) must be at least 1"):
        pool.tree(result.position, nodes=0)
    with pytest.raises(BadParameter, match="does not go on with 7"):
        pool.tree(result.position).root.after("7")
    pool.clear()
    with pytest.raises(BadParameter, match="search it first"):
        pool.tree(result.position)

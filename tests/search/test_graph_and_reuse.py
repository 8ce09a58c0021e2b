"""Positions that are one node, and trees that go on after a move."""

import numpy as np
import pytest

import zermelo
from search.searching import search
from search.test_reference import Hashed
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool

CONNECT4 = zermelo.game("connect4")


def test_equal_positions_are_one_node_and_actions_that_lead_there_are_not():
    pool = Pool(CONNECT4)
    result = search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4), pool, graph=True, simulations=3000)
    tree, key_words = pool._tree, CONNECT4.key_words
    nodes, edges = int(tree.nodes[0]), int(tree.edges[0])
    keys = {tree.states[0, node, :key_words].tobytes() for node in range(nodes)}
    children = tree.edge["child"][0, :edges]
    assert len(keys) == nodes, "no position twice"
    assert (children >= 0).sum() > nodes, "some nodes are reached by several edges"
    assert result.visits.sum() == 3000
    assert not tree.edge["pending"][0, :edges].any()
    for node in range(nodes):
        first, width = int(tree.node["first"][0, node]), int(tree.node["width"][0, node])
        assert tree.node["visits"][0, node] == 1 + tree.edge["N"][0, first : first + width].sum()


def test_a_graph_proves_what_a_tree_proves_with_fewer_simulations():
    game = zermelo.game("connect:rows=4,cols=4,n=4")
    start = game.position("1 2 3 4")
    tree, graph = (
        Pool(game).search([Job(start, SearchConfig("uct", 10**6, graph=graph), ROLLOUTS)])[0]
        for graph in (False, True)
    )
    assert tree.proof == graph.proof == 0
    assert graph.simulations < tree.simulations / 3


def test_a_graph_needs_a_game_without_repetition():
    assert zermelo.game("connect4").acyclic
    game = type("Repeating", (type(CONNECT4),), {"acyclic": False})()
    with pytest.raises(UnsuitableGame, match="may repeat"):
        search(game, game.position(), ROLLOUTS, graph=True)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("variant", ["puct", "uct", "omc"])
def test_a_tree_goes_on_after_two_moves(variant, graph):
    evaluator, pool = Hashed(CONNECT4), Pool(CONNECT4)
    config = SearchConfig(variant, 400, graph=graph, noise=0.25 if variant == "puct" else 0.0)
    position = CONNECT4.position("4 4")
    (first,) = pool.search([Job(position, config, evaluator, reuse=True)])
    line = first.line[:2]
    subtree = _below(pool._tree, line)
    position = position.play_all(line)
    (second,) = pool.search([Job(position, config.but(simulations=0), evaluator, reuse=True)])
    assert second.visits.sum() == 0, "another configuration begins anew"
    (first,) = pool.search([Job(CONNECT4.position("4 4"), config, evaluator, reuse=True)])
    (second,) = pool.search([Job(position, config, evaluator, reuse=True)])
    assert subtree.sum() > 5
    assert second.simulations == 400
    assert second.visits.sum() == 400 + subtree.sum()
    tree = pool._tree
    edges = int(tree.edges[0])
    assert tree.edge["child"][0, :edges].max() < tree.nodes[0]
    for node in range(int(tree.nodes[0])):
        begin, width = int(tree.node["first"][0, node]), int(tree.node["width"][0, node])
        assert tree.node["visits"][0, node] == 1 + tree.edge["N"][0, begin : begin + width].sum()


def _below(tree, actions):
    """The visits of the edges of the node after these actions."""
    node = int(tree.root[0])
    for action in actions:
        first, width = int(tree.node["first"][0, node]), int(tree.node["width"][0, node])
        edge = first + tree.edge["action"][0, first : first + width].tolist().index(action)
        node = int(tree.edge["child"][0, edge])
    first, width = int(tree.node["first"][0, node]), int(tree.node["width"][0, node])
    return tree.edge["N"][0, first : first + width].copy()


def test_a_reused_tree_is_the_one_it_was():
    """Going on without new simulations shows the same statistics as below the old root."""
    evaluator = Hashed(CONNECT4)
    config = SearchConfig("puct", 300, proofs=False)
    pool = Pool(CONNECT4)
    (first,) = pool.search([Job(CONNECT4.position(), config, evaluator, reuse=True)])
    best = int(first.line[0])
    expected = _below(pool._tree, [best])
    job = Job(CONNECT4.position([best]), config, evaluator, reuse=True)
    slot = pool._take_tree(job)
    assert pool._follow(slot, job)
    assert _below(pool._tree, []).tolist() == expected.tolist()


def test_reused_trees_keep_no_noise():
    evaluator, pool = Hashed(CONNECT4), Pool(CONNECT4)
    config = SearchConfig("puct", 200, noise=1.0)
    (first,) = pool.search([Job(CONNECT4.position(), config, evaluator, seed=1, reuse=True)])
    position = CONNECT4.position(first.line[:2])
    (second,) = pool.search([Job(position, config, evaluator, seed=1, number=1, reuse=True)])
    logits, _ = evaluator.position(position)
    assert second.priors == pytest.approx(np.exp(logits) / np.exp(logits).sum(), abs=1e-6)
    fresh = Pool(CONNECT4).search([Job(position, config, evaluator, seed=1, number=1)])[0]
    assert fresh.priors.tolist() == second.priors.tolist()


def test_a_player_that_reuses_its_tree_plays_whole_games():
    player = zermelo.player("uct:sims=100,reuse=1")
    result = zermelo.match(CONNECT4, player, zermelo.player("random"), games=8)
    assert result.wins == 8


def test_gumbel_does_not_reuse():
    with pytest.raises(BadParameter, match="not for gumbel"):
        Pool(CONNECT4).add(Job(CONNECT4.position(), SearchConfig("gumbel"), ROLLOUTS, reuse=True))


def test_a_position_without_moves_does_not_get_a_strangers_tree():
    pool, evaluator = Pool(CONNECT4), Hashed(CONNECT4)
    for moves in ("4 4", "7 7 7 7 7 7"):
        position = CONNECT4.position(moves).transformed(0)  # the same position, its moves unknown
        job = Job(position, SearchConfig("puct", 60), evaluator, reuse=True)
        (result,) = pool.search([job])
        assert tuple(result.actions.tolist()) == position.legal_actions
        assert result.visits.sum() == 60


def test_new_weights_begin_a_new_tree():
    class Changing:
        value = 0.5

        def __call__(self, planes):
            return np.zeros((len(planes), 7)), np.full(len(planes), self.value)

    evaluator, pool = Changing(), Pool(CONNECT4)
    job = Job(CONNECT4.position(), SearchConfig("puct", 40), evaluator, reuse=True)
    assert pool.search([job])[0].evaluation == 0.5
    evaluator.value = -0.5
    pool.forget(evaluator)
    assert pool.search([job])[0].evaluation == -0.5


def test_equal_settings_with_nan_in_them_are_equal():
    one, other = (SearchConfig(first_play=float("nan")) for _ in range(2))
    assert one == other

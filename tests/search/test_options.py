"""What a search can do besides: caches, symmetries, graphs, reuse, functions of one's own, Ctrl-C."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import zermelo
from search.test_reference import Hashed, positions, visits
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.decision import decide
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.pool import Job, Pool
from zermelo.search.tree import node_bytes

CONNECT4 = zermelo.game("connect4")
GAMES = ["tictactoe", "connect4", "gomoku:size=6,n=4", "othello:size=6"]


class Counted(Hashed):
    """Remembers how many positions it was asked for, and which."""

    def __init__(self, game):
        super().__init__(game)
        self.asked = []

    def __call__(self, planes):
        self.asked += [one.tobytes() for one in planes]
        return super().__call__(planes)


def search(game, position, evaluator, pool=None, **options):
    config = SearchConfig(**{"simulations": 150, "proofs": False, **options})
    (result,) = (pool or Pool(game)).search([Job(position, config, evaluator)])
    return result


# The cache.


@pytest.mark.parametrize("name", GAMES)
def test_a_cache_changes_nothing_but_the_number_of_evaluations(name):
    game = zermelo.game(name)
    plain, cached, pool = Counted(game), Counted(game), Pool(game, cached=10_000)
    for position in positions(game, 5):
        for _ in range(2):
            expected = search(game, position, plain)
            assert visits(search(game, position, cached, pool)) == visits(expected)
    assert len(cached.asked) <= len(plain.asked) / 2, "the second search of a position asks nothing"
    assert len(set(cached.asked)) == len(cached.asked)
    assert pool.hit_rate == pytest.approx(1 - len(cached.asked) / len(plain.asked))


@pytest.mark.parametrize("name", GAMES)
def test_a_position_finds_what_was_said_of_its_images(name):
    game = zermelo.game(name)
    evaluator, pool = Counted(game), Pool(game, cached=10_000)
    for position in positions(game, 4):
        first = search(game, position, evaluator, pool, symmetry="canonical", simulations=0)
        asked = len(evaluator.asked)
        for k, symmetry in enumerate(game.symmetries):
            image = position.transformed(k)
            hit = search(game, image, evaluator, pool, symmetry="canonical", simulations=0)
            direct = search(game, image, evaluator, symmetry="canonical", simulations=0)
            assert hit.evaluation == direct.evaluation == first.evaluation
            assert hit.priors.tolist() == direct.priors.tolist()
            assert sorted(hit.priors) == pytest.approx(sorted(first.priors))
            if len({position.transformed(j) for j in range(len(game.symmetries))}) < len(game.symmetries):
                continue  # it is an image of itself: which of two answers is its own is open
            moved = {symmetry.actions[a]: p for a, p in zip(first.actions, first.priors, strict=True)}
            assert dict(zip(hit.actions.tolist(), hit.priors, strict=True)) == pytest.approx(moved)
        assert len(evaluator.asked) == asked + len(game.symmetries), "only the direct ones asked"


def test_a_small_cache_forgets_and_stays_right():
    evaluator, pool = Counted(CONNECT4), Pool(CONNECT4, cached=16)
    for position in positions(CONNECT4, 6):
        plain = search(CONNECT4, position, Hashed(CONNECT4), symmetry="canonical")
        assert visits(search(CONNECT4, position, evaluator, pool, symmetry="canonical")) == visits(plain)
    assert len(evaluator.asked) > 16


def test_evaluators_do_not_see_each_others_answers_and_new_weights_are_asked_again():
    pool, start = Pool(CONNECT4, cached=50_000), CONNECT4.position()
    first, second = Hashed(CONNECT4), Counted(CONNECT4)
    search(CONNECT4, start, first, pool)
    search(CONNECT4, start, second, pool)
    asked = len(second.asked)
    assert asked > 100
    search(CONNECT4, start, second, pool)
    assert len(second.asked) == asked
    pool.forget(second)
    search(CONNECT4, start, second, pool)
    assert len(second.asked) == 2 * asked


def test_a_pool_does_not_keep_every_evaluator_it_ever_saw():
    pool = Pool(CONNECT4, cached=100)
    for _ in range(60):
        search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4), pool, simulations=1)
    assert len(pool._evaluators) <= 16


# Symmetries.


@pytest.mark.parametrize("name", GAMES)
def test_the_mean_of_all_symmetries_is_that(name):
    game = zermelo.game(name)
    evaluator = Hashed(game)
    for position in positions(game, 3):
        logits, values = np.zeros(game.num_actions), []
        for k, symmetry in enumerate(game.symmetries):
            answer, value = evaluator.position(position.transformed(k))
            logits += answer[list(symmetry.actions)] / len(game.symmetries)
            values.append(value)
        legal = list(position.legal_actions)
        priors = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
        result = search(game, position, evaluator, symmetry="mean", simulations=0)
        assert result.evaluation == pytest.approx(np.mean(values), abs=1e-6)
        assert result.priors == pytest.approx(priors, abs=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_equal_positions_are_searched_equally_under_every_symmetry(name):
    game = zermelo.game(name)
    evaluator, position = Hashed(game), positions(game, 1)[0]
    base = search(game, position, evaluator, symmetry="mean", simulations=0)
    for k, symmetry in enumerate(game.symmetries):
        image = search(game, position.transformed(k), evaluator, symmetry="mean", simulations=0)
        moved = {symmetry.actions[a]: p for a, p in zip(base.actions, base.priors, strict=True)}
        assert dict(zip(image.actions.tolist(), image.priors, strict=True)) == pytest.approx(moved)


def test_a_random_symmetry_is_each_of_them_in_turn():
    game = zermelo.game("tictactoe")
    position = game.position("1 2 6")
    expected = {evaluator_value(game, position.transformed(k)) for k in range(8)}
    found = set()
    for number in range(200):
        config = SearchConfig(simulations=0, symmetry="random")
        (result,) = Pool(game).search([Job(position, config, Hashed(game), number=number)])
        found.add(result.evaluation)
        again = Pool(game).search([Job(position, config, Hashed(game), number=number)])[0]
        assert again.evaluation == result.evaluation
    assert found == expected
    assert len(expected) == 8


def evaluator_value(game, position):
    return Hashed(game).position(position)[1]


def test_several_leaves_and_symmetries_go_together():
    config = {"symmetry": "mean", "leaves": 8, "simulations": 200}
    result = search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4), **config)
    assert result.visits.sum() == 200
    assert result.priors == pytest.approx(result.priors[::-1])  # the board is its own mirror image


# Graphs.


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


# Reuse.


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


# Functions of one's own.


def own_puct(N, Q, P, own, total):
    best, best_score = 0, -math.inf
    for i in range(len(N)):
        q = 0.0 if N[i] == 0 else Q[i]
        score = q + 1.25 * math.sqrt(total) * P[i] / (1 + N[i])
        if score > best_score:
            best, best_score = i, score
    return best


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "python"])
def test_puct_as_a_function_of_ones_own_gives_the_visits_of_puct(compile):
    evaluator = Hashed(CONNECT4)
    for position in positions(CONNECT4, 4):
        for proofs in (False, True):
            expected = search(CONNECT4, position, evaluator, proofs=proofs)
            mine = Selection(own_puct, compile=compile)
            result = search(CONNECT4, position, evaluator, variant=mine, proofs=proofs)
            assert visits(result) == visits(expected)


def most_extreme(N, Q, P, own, total):
    """Choose the move whose values lie farthest apart, by numbers kept on the edges."""
    best, best_score = 0, -math.inf
    for i in range(len(N)):
        score = 10.0 if N[i] == 0 else own[i, 0] - own[i, 1] + 1.0 / N[i]
        if score > best_score:
            best, best_score = i, score
    return best


def keep_extremes(own, value):
    own[0] = max(own[0], value)
    own[1] = min(own[1], value)


def test_numbers_of_ones_own_are_kept_on_every_edge():
    results = [
        search(
            CONNECT4,
            CONNECT4.position(),
            Hashed(CONNECT4),
            variant=Selection(most_extreme, keep_extremes, numbers=2, compile=machine_code),
        )
        for machine_code in (True, False)
    ]
    assert visits(results[0]) == visits(results[1])
    assert results[0].own.tolist() == results[1].own.tolist()
    assert results[0].own.shape == (7, 2)
    tried = results[0].visits > 0
    assert (results[0].own[tried, 0] >= results[0].values[tried]).all()
    assert (results[0].own[tried, 1] <= results[0].values[tried]).all()


def test_own_selection_shares_a_pool_with_others():
    evaluator, start = Hashed(CONNECT4), CONNECT4.position()
    configs = [
        SearchConfig("puct", 60),
        SearchConfig(Selection(most_extreme, keep_extremes, numbers=2), 60),
        SearchConfig("pbbm", 60, graph=True),
        SearchConfig(Selection(own_puct), 60),
    ]
    together = Pool(CONNECT4, 4).search([Job(start, config, evaluator) for config in configs])
    alone = [Pool(CONNECT4).search([Job(start, config, evaluator)])[0] for config in configs]
    assert [visits(result) for result in together] == [visits(result) for result in alone]


def raises(N, Q, P, own, total):
    if total > 3:
        raise ZeroDivisionError("on purpose")
    return 0


def chooses_nothing(N, Q, P, own, total):
    return len(N)


def is_not_python(N, Q, P, own, total):
    return undefined_name  # noqa: F821


def test_a_selection_function_that_fails_is_named():
    start = CONNECT4.position()
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        search(CONNECT4, start, ROLLOUTS, variant=Selection(raises, compile=False))
    for function in (raises, chooses_nothing):
        with pytest.raises(BadParameter, match=f"{function.__name__} failed, or chose a move"):
            search(CONNECT4, start, ROLLOUTS, variant=Selection(function))
    with pytest.raises(BadParameter, match="is_not_python does not compile"):
        search(CONNECT4, start, ROLLOUTS, variant=Selection(is_not_python))
    with pytest.raises(BadParameter, match="numbers"):
        Selection(own_puct, numbers=-1)


def test_a_final_move_function_of_ones_own():
    result = search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4))
    assert decide(result, lambda r: int(np.argmin(r.visits))) == result.actions[np.argmin(result.visits)]
    with pytest.raises(BadParameter, match="chose move 7 of 7"):
        decide(result, lambda r: 7)


# Limits.


def test_ctrl_c_ends_a_search_that_goes_on_until_then():
    player = zermelo.player("uct:time=inf")
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    (result,) = player.search([CONNECT4.position()], [0])
    assert 0.3 < time.monotonic() - begin < 5.0
    assert result.visits.sum() == result.simulations > 1000
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_an_error_elsewhere_and_the_pool_works_again():
    pool = Pool(CONNECT4)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        pool.search([Job(CONNECT4.position(), SearchConfig("uct", 10**9), ROLLOUTS)])
    assert search(CONNECT4, CONNECT4.position(), ROLLOUTS, pool).visits.sum() == 150


def test_a_tree_that_fills_its_memory_ends_the_search():
    pool = Pool(CONNECT4, megabytes=4)
    result = search(CONNECT4, CONNECT4.position(), ROLLOUTS, pool, simulations=10**9)
    assert 10_000 < result.simulations < 20_000
    assert node_bytes(pool._tree) * pool._tree.node.size <= 4 * 2**20


def test_a_time_limit_that_has_passed_is_an_error():
    job = Job(CONNECT4.position(), SearchConfig(), ROLLOUTS, deadline=time.monotonic() - 1)
    with pytest.raises(BadParameter, match="has passed before it began"):
        Pool(CONNECT4).search([job])


def test_a_pool_works_on_after_an_evaluator_failed():
    evaluator, pool = Hashed(CONNECT4), Pool(CONNECT4, slots=2)
    jobs = [Job(CONNECT4.position(), SearchConfig(simulations=30), evaluator, number=i) for i in range(3)]
    expected = [visits(result) for result in Pool(CONNECT4, slots=2).search(jobs)]

    def fails(planes):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pool.search([Job(CONNECT4.position(), SearchConfig(), fails), *jobs])
    assert [visits(result) for result in pool.search(jobs)] == expected

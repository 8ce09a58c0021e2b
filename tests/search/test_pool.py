import time

import numpy as np
import pytest

import zermelo
from search.test_reference import Hashed, positions, visits
from zermelo.errors import BadParameter, EvaluatorError
from zermelo.search.config import SearchConfig
from zermelo.search.decision import decide
from zermelo.search.evaluator import NOTHING, ROLLOUTS, Table, Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.tree import VARIANTS, new_tree, node_bytes

CONNECT4 = zermelo.game("connect4")


def uct(position, simulations=200, **options):
    return Job(position, SearchConfig("uct", simulations, 1.41), ROLLOUTS, **options)


def test_searches_do_not_depend_on_who_shares_the_pool():
    evaluator = Hashed(CONNECT4)
    jobs = [
        Job(position, SearchConfig(simulations=n, noise=0.25), evaluator, seed=3, number=n)
        for position, n in zip(positions(CONNECT4, 7), (5, 60, 13, 40, 21, 2, 33), strict=True)
    ]
    alone = [visits(Pool(CONNECT4).search([job])[0]) for job in jobs]
    for slots in (2, 7):
        together = [visits(result) for result in Pool(CONNECT4, slots).search(jobs)]
        assert together == alone


def test_a_slot_is_given_on_while_others_still_search():
    pool = Pool(CONNECT4, slots=2)
    jobs = [uct(CONNECT4.position(), n) for n in (10, 30_000, 10, 10)]
    for job in jobs:
        pool.add(job)
    order = [job.config.simulations for job, _ in pool.run()]
    assert order == [10, 10, 10, 30_000]


def test_searches_like_earlier_ones_find_room_beside_others():
    evaluator, few, many = Hashed(CONNECT4), SearchConfig(simulations=9), SearchConfig("omc", 90, leaves=8)
    pool, start = Pool(CONNECT4, slots=3), CONNECT4.position()
    for configs in ([many], [few, many], [few, many, few], [many, many, many]):
        jobs = [Job(start, config, evaluator) for config in configs]
        alone = [visits(Pool(CONNECT4).search([job])[0]) for job in jobs]
        assert [visits(result) for result in pool.search(jobs)] == alone


def test_different_players_share_a_pool():
    game = CONNECT4
    one, two = Hashed(game), Uniform(game.num_actions)
    start = game.position()
    jobs = [
        Job(start, SearchConfig(simulations=30), one),
        Job(start, SearchConfig("gumbel", simulations=20), two),
        uct(start, 50),
        Job(start, SearchConfig("omc", simulations=25), ROLLOUTS),
        Job(start, SearchConfig(simulations=10), NOTHING),
    ]
    together = [visits(result) for result in Pool(game, 5).search(jobs)]
    assert together == [visits(Pool(game).search([job])[0]) for job in jobs]
    assert [sum(counts.values()) for counts in together] == [30, 20, 50, 25, 10]


def test_no_simulations_ask_the_evaluator_alone():
    evaluator = Hashed(CONNECT4)
    (result,) = Pool(CONNECT4).search([Job(CONNECT4.position(), SearchConfig(simulations=0), evaluator)])
    logits, value = evaluator.position(CONNECT4.position())
    assert result.value == pytest.approx(value)
    assert np.allclose(result.priors, np.exp(logits) / np.exp(logits).sum(), atol=1e-6)


def test_several_leaves_at_a_time_lose_nothing_and_expand_nothing_twice():
    evaluator = Hashed(CONNECT4)
    for leaves in (2, 8, 50):
        config = SearchConfig(simulations=300, leaves=leaves, proofs=False)
        pool = Pool(CONNECT4)
        (result,) = pool.search([Job(CONNECT4.position(), config, evaluator)])
        tree = pool._tree
        assert result.visits.sum() == 300
        assert not tree.edge["pending"][0, : tree.edges[0]].any(), "virtual loss is taken back"
        children = tree.edge["child"][0, : tree.edges[0]]
        children = children[children >= 0]
        assert len(set(children.tolist())) == len(children) == tree.nodes[0] - 1
        total = 0.0
        for edge in range(tree.node["width"][0, 0]):
            total += tree.edge["W"][0, edge]
        assert result.value == pytest.approx((result.evaluation + total) / 301)


def test_noise_differs_between_trees_searches_and_seeds_and_is_the_same_again():
    evaluator = Hashed(CONNECT4)
    config = SearchConfig(simulations=1, noise=0.25)

    def noise(seed, number):
        pool = Pool(CONNECT4)
        (result,) = pool.search([Job(CONNECT4.position(), config, evaluator, seed=seed, number=number)])
        prior = pool._tree.root_prior[0, :7]
        assert prior.sum() == pytest.approx(1.0)
        assert not np.allclose(prior, result.priors), "noise is outside the node"
        return tuple(prior)

    drawn = {(s, n): noise(s, n) for s in range(3) for n in range(4)}
    assert len(set(drawn.values())) == 12
    assert noise(2, 1) == drawn[2, 1]


def test_dirichlet_noise_has_the_right_mean_and_spread():
    pool = Pool(CONNECT4)
    config = SearchConfig(simulations=0, noise=1.0, noise_alpha=0.5)
    rows = []
    for number in range(2000):
        pool.search([Job(CONNECT4.position(), config, Uniform(7), seed=5, number=number)])
        rows.append(pool._tree.root_prior[0, :7].copy())
    drawn = np.array(rows)
    assert np.allclose(drawn.mean(axis=0), 1 / 7, atol=0.02)
    expected = (1 / 7) * (6 / 7) / (7 * 0.5 + 1)  # the variance of Dirichlet(0.5, ..., 0.5)
    assert np.allclose(drawn.var(axis=0), expected, rtol=0.15)


def test_gumbel_noise_has_the_right_mean_and_variance():
    pool = Pool(CONNECT4)
    config = SearchConfig("gumbel", simulations=0, gumbel_noise=True)
    rows = []
    for number in range(1500):
        pool.search([Job(CONNECT4.position(), config, Uniform(7), number=number)])
        rows.append(pool._tree.root_gumbel[0, :7].copy())
    drawn = np.array(rows)
    assert drawn.mean() == pytest.approx(0.5772, abs=0.04)
    assert drawn.var() == pytest.approx(np.pi**2 / 6, rel=0.06)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_takes_a_win_and_stops_a_loss(variant):
    winning = CONNECT4.position("1 2 1 2 1 2")  # first wins in column 1
    losing = CONNECT4.position("7 2 1 2 1 2")  # second threatens column 2
    config = SearchConfig(variant, simulations=300)
    first, second = Pool(CONNECT4, 2).search([Job(p, config, ROLLOUTS) for p in (winning, losing)])
    assert first.proof == 1
    assert first.actions[first.proofs == 1].tolist() == [0]
    assert first.line == (0,)
    assert decide(first) == 0
    assert decide(second) == 1


@pytest.mark.parametrize("variant", ["puct", "gumbel"])
def test_with_exact_values_the_search_chooses_optimal_moves(variant):
    game = zermelo.game("tictactoe")
    exact = {}

    def value(position):
        if position.is_over:
            return position.returns[0]
        if position not in exact:
            children = [value(position.play(action)) for action in position.legal_actions]
            exact[position] = max(children) if position.mover == 0 else min(children)
        return exact[position]

    value(game.position())
    flat = np.zeros(9, np.float32)
    table = Table({p: (flat, v if p.mover == 0 else -v) for p, v in exact.items()})
    some = positions(game, 200, seed=4)
    config = SearchConfig(variant, simulations=60, proofs=False)
    for position, result in zip(
        some, Pool(game, 32).search([Job(p, config, table) for p in some]), strict=True
    ):
        chosen = decide(result, "improved" if variant == "gumbel" else "robust")
        assert value(position.play(chosen)) == exact[position], repr(position)


def test_a_proven_draw_is_worth_nothing_and_needs_all_moves():
    game = zermelo.game("tictactoe")
    position = game.position("1 2 3 5 4 6 8")  # two cells are left: 7 draws, 9 loses
    (result,) = Pool(game).search([uct(position, 500)])
    assert result.proof == 0
    assert result.value == 0.0
    assert result.proofs.tolist() == [0, -1]


def test_a_search_ends_in_time():
    job = uct(CONNECT4.position(), 10**9, deadline=time.monotonic() + 0.3)
    begin = time.monotonic()
    (result,) = Pool(CONNECT4).search([job])
    assert 0.25 < time.monotonic() - begin < 3.0
    assert result.visits.sum() == result.simulations > 1000


def test_wrong_input():
    with pytest.raises(BadParameter, match="the game is over"):
        Pool(CONNECT4).add(uct(CONNECT4.position("1 2 1 2 1 2 1")))
    with pytest.raises(BadParameter, match="puct gumbel uct omc pbbm"):
        SearchConfig(variant="best")
    with pytest.raises(BadParameter, match=r"`simulations` \(=-1\) must be from 0"):
        SearchConfig(simulations=-1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: (np.zeros((n, 7)), np.full(n, np.nan)), "the value nan for row 0"),
        (lambda n: (np.full((n, 7), np.inf), np.zeros(n)), "action 0 of row 0 the logit inf"),
        (lambda n: (np.zeros((n, 6)), np.zeros(n)), r"it must give \(1, 7\)"),
        (lambda n: (np.zeros((n, 7)), np.zeros((n, 1))), "it must give"),
        (lambda n: np.zeros(n), "must return a pair"),
    ],
)
def test_an_evaluator_that_answers_wrongly_is_named(answer, message):
    def crooked(planes):
        return answer(len(planes))

    with pytest.raises(EvaluatorError, match=message) as raised:
        Pool(CONNECT4).search([Job(CONNECT4.position(), SearchConfig(), crooked)])
    assert "the evaluator crooked" in str(raised.value)


def test_a_connect4_node_with_its_edges_takes_at_most_300_bytes():
    assert node_bytes(new_tree(CONNECT4, 2, 100)) <= 300


def test_a_long_game_cannot_overflow_the_search():
    game = zermelo.game("examples/nim.py:heap=900,most=1")  # one legal move, 900 times
    (result,) = Pool(game).search([uct(game.position(), 300)])
    assert len(result.line) == 64
    assert result.simulations == 300


class Shares(zermelo.PythonGame):
    """Player 0 names a share, player 1 may take a quarter of it away, or all."""

    family = "shares"
    num_actions, max_length, input_shape, acyclic = 4, 2, (1,), True

    def start(self):
        return ()

    def mover(self, state):
        return len(state) % 2

    def legal(self, state):
        return [0, 1, 2] if not state else [0, 1]

    def play(self, state, action):
        return (*state, action)

    def returns(self, state):
        if len(state) < 2:
            return None
        share = (0.1, 0.9, 0.5)[state[0]] * (0.75 if state[1] else 1.0)
        return share, -share

    def encode(self, state):
        return [float(len(state)) / 2]


@pytest.mark.parametrize("lookahead", [0, 1, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_share_of_a_win_is_not_a_win(variant, lookahead):
    game = Shares()
    config = SearchConfig(variant, 300, lookahead=lookahead)
    (result,) = Pool(game).search([Job(game.position(), config, ROLLOUTS)])
    assert not result.is_proven
    assert decide(result, "max") == 1
    assert result.value < 0.9

"""The mistakes that everybody makes once, and the test that would tell of each.

1. The end of a game is looked for before the perspective turns:
   search/test_worked_example.py::test_third_iteration_ends_in_a_win_for_white_which_is_a_loss_for_black
   exact/test_generic.py::test_a_finished_game_is_told_for_the_player_whose_turn_it_would_be
2. A finished game has its true value, is never expanded, and never overwritten by the network:
   learning/test_traps.py::test_a_finished_game_has_its_own_value_and_the_network_is_not_asked
3. Position, policy and result are stored for the player to move:
   learning/test_replay.py::test_samples_are_images_of_stored_positions_with_all_they_teach
   learning/test_replay.py::test_values_mix_result_and_search
   learning/test_targets.py::test_the_value_is_a_mix_of_result_and_search_for_the_mover
4. A value turns only when the mover changes; a pass is a move; planes show the mover:
   learning/test_traps.py::test_a_value_turns_only_when_the_mover_changes
   learning/test_traps.py::test_planes_show_the_mover_after_a_pass
   search/test_reference.py::test_visits_equal_the_reference
   games/test_python_games.py::test_results_follow_the_mover_not_the_ply
   games/test_othello.py::test_a_pass_is_the_only_move_of_a_player_who_cannot_move
   games/test_othello.py::test_a_game_ends_when_neither_can_move_with_the_board_not_full
5. A virtual loss is one of the player who chose, and is taken back:
   learning/test_traps.py::test_an_awaited_answer_counts_as_a_loss_of_who_chose_it
   search/test_pool.py::test_several_leaves_at_a_time_lose_nothing_and_expand_nothing_twice
6. Noise is at the root only, fresh for each move, off in evaluation, not kept with a tree:
   learning/test_traps.py::test_noise_is_at_the_root_only
   learning/test_traps.py::test_there_is_no_noise_in_matches
   learning/test_selfplay.py::test_every_search_draws_noise_of_its_own
   search/test_graph_and_reuse.py::test_reused_trees_keep_no_noise
7. Illegal moves are masked before the softmax; children are found by slot, not by action:
   learning/test_traps.py::test_illegal_moves_are_masked_before_the_softmax
   learning/test_traps.py::test_every_move_has_the_value_of_its_own_child
8. Gumbel: fresh noise, exclusion outside the maximum, moves by noise, prior and value:
   learning/test_selfplay.py::test_every_search_draws_noise_of_its_own
   learning/test_traps.py::test_gumbel_halves_the_best_by_noise_and_prior_and_looks_at_no_others
   learning/test_selfplay.py::test_gumbel_plays_the_best_of_the_most_visited_by_noise_prior_and_value
9. The target does not depend on the temperature of the move; no overflow, no log 0:
   learning/test_traps.py::test_the_target_does_not_depend_on_the_temperature
   learning/test_traps.py::test_a_temperature_near_0_does_not_overflow
   learning/test_targets.py::test_surprise_is_finite_and_never_negative
10. First play urgency stays in [-1, 1]:
   learning/test_traps.py::test_the_urgency_of_a_first_play_is_not_below_a_loss
11. Normalisation as in evaluation; folded equals unfolded; a batch changes no answer:
   network/test_agreement.py::test_they_agree_after_steps_of_training
   network/test_agreement.py::test_folded_is_the_convolution_and_then_the_normalisation
   network/test_agreement.py::test_an_answer_does_not_depend_on_its_batch
12. The cache knows weights apart; a mirrored answer equals a direct one:
   search/test_cache.py::test_evaluators_do_not_see_each_others_answers_and_new_weights_are_asked_again
   search/test_cache.py::test_a_position_finds_what_was_said_of_its_images
13. Symmetries permute policies, masks and auxiliary targets:
   learning/test_traps.py::test_legal_moves_of_an_image_are_images_of_legal_moves
   learning/test_replay.py::test_samples_are_images_of_stored_positions_with_all_they_teach
   learning/test_replay.py::test_the_reply_is_the_next_policy_under_the_same_symmetry
   learning/test_replay.py::test_equal_positions_are_one_with_the_means_of_what_they_teach
14. A draw is 0:
   games/test_tictactoe.py::test_a_full_board_is_a_draw_worth_exactly_0
   search/test_pool.py::test_a_proven_draw_is_worth_nothing_and_needs_all_moves
   learning/test_traps.py::test_a_drawn_game_teaches_0
   learning/test_learner.py::test_outcomes_have_the_mean_of_the_value
15. Old data leaves the window:
   learning/test_replay.py::test_old_positions_leave_the_window
   learning/test_replay.py::test_a_growing_window_has_the_latest_positions
16. Deterministic players need different openings and both colours:
   learning/test_traps.py::test_a_match_of_deterministic_players_is_not_one_game_repeated
   arena/test_match.py::test_each_opening_is_played_with_both_colours
17. Every tree, search and game has random numbers of its own:
   search/test_pool.py::test_noise_differs_between_trees_searches_and_seeds_and_is_the_same_again
   learning/test_selfplay.py::test_every_search_draws_noise_of_its_own
   learning/test_selfplay.py::test_game_g_of_a_seed_is_the_same_whoever_plays_beside_it
   learning/test_traps.py::test_what_chance_decides_is_independent_by_seed_game_ply_and_purpose
"""

import ast
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import zermelo
from learning.test_replay import DRAWN as DRAWN_GAME
from learning.test_replay import replay_of, shown, taught
from learning.test_selfplay import DRAWN, watched
from network.networks import SMALL, trained
from search.searching import search
from search.test_decision import PLAIN
from search.test_reference import Hashed, positions
from zermelo.learning.selfplay import chance
from zermelo.network.model import write_model
from zermelo.players.base import Player
from zermelo.search.config import SearchConfig
from zermelo.search.decision import proportions
from zermelo.search.evaluator import Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

CONNECT4, TICTACTOE = zermelo.game("connect4"), zermelo.game("tictactoe")
GAMES = [
    "tictactoe",
    "connect4",
    "gomoku:size=6,n=4",
    "othello:size=6",
    "examples/kalah.py:houses=4,seeds=3",
]
TESTS = Path(__file__).parents[1]


def traps():
    """The tests of each trap, by its number."""
    parts = re.split(r"^(\d+)\. ", __doc__, flags=re.MULTILINE)[1:]
    return {
        int(n): re.findall(r"\S+\.py::\w+", text) for n, text in zip(parts[::2], parts[1::2], strict=True)
    }


def functions(file):
    return {
        node.name
        for node in ast.parse((TESTS / file).read_text()).body
        if isinstance(node, ast.FunctionDef)
    }


def test_every_trap_has_its_tests():
    found = traps()
    assert list(found) == list(range(1, 18))
    named = [one for tests in found.values() for one in tests]
    for number, tests in found.items():
        assert tests, f"trap {number} has no test"
    for one in named:
        file, name = one.split("::")
        assert name in functions(file), f"{one} is not there"
    here = {name for name in functions("learning/test_traps.py") if name.startswith("test_")}
    assert {f"learning/test_traps.py::{name}" for name in here} - set(named) == {
        "learning/test_traps.py::test_every_trap_has_its_tests"
    }


class Batches(Uniform):
    """Remembers each batch that it was asked for."""

    def __call__(self, planes):
        self.asked.append([one.tobytes() for one in planes])
        return super().__call__(planes)


def batches(game):
    evaluator = Batches(game.num_actions)
    object.__setattr__(evaluator, "asked", [])
    return evaluator


@pytest.mark.parametrize("graph", [False, True])
def test_a_finished_game_has_its_own_value_and_the_network_is_not_asked(graph):
    over = {CONNECT4.position("1 2 1 2 1 2 1").planes().tobytes()}
    asked = []

    def hopeful(planes):
        """Everybody who is to move is about to win."""
        asked.extend(one.tobytes() for one in planes)
        return np.zeros((len(planes), 7)), np.full(len(planes), 0.9)

    pool = Pool(CONNECT4)
    result = search(CONNECT4, CONNECT4.position("1 2 1 2 1 2"), hopeful, pool, graph=graph)
    assert result.actions[0] == 0
    assert result.visits[0] > 100
    assert result.values[0] == 1.0, "a win of the player who moved, however often it is visited"
    assert not over & set(asked)
    child = pool._tree.edge["child"][0, 0]
    assert pool._tree.node["width"][0, child] == 0


def test_a_value_turns_only_when_the_mover_changes():
    game = zermelo.game("examples/kalah.py:houses=4,seeds=3")
    position = game.position()

    def half(planes):
        return np.zeros((len(planes), game.num_actions)), np.full(len(planes), 0.5)

    result = search(game, position, half, simulations=4, exploration=100.0)
    assert result.visits.tolist() == [1, 1, 1, 1]
    again = [position.play(action).mover == position.mover for action in result.actions]
    assert set(again) == {True, False}
    assert result.values.tolist() == [0.5 if same else -0.5 for same in again]


def test_planes_show_the_mover_after_a_pass():
    game = zermelo.game("othello:size=4")
    random, passes = np.random.default_rng(0), 0
    position = game.position()
    while passes < 20:
        if position.is_over:
            position = game.position()
        position = position.play(int(random.choice(position.legal_actions)))
        if position.last_action == 16 and not position.is_over:
            passes += 1
            discs = game.discs(position)
            assert position.planes().sum((1, 2)).tolist() == [
                discs[position.mover],
                discs[1 - position.mover],
            ]
            assert (position.planes() == position.before.planes()[::-1]).all()


@pytest.mark.parametrize(("name", "moves"), [("connect4", ""), ("connect4", "4"), (GAMES[-1], "")])
def test_an_awaited_answer_counts_as_a_loss_of_who_chose_it(name, moves):
    game = zermelo.game(name)
    position, evaluator = game.position(moves), batches(game)
    children = {position.play(action) for action in position.legal_actions}
    width = len(children)
    search(game, position, evaluator, simulations=2 * width, leaves=width, exploration=1e-6)
    first, second, third = (set(batch) for batch in evaluator.asked)
    assert first == {position.planes().tobytes()}
    assert second == {child.planes().tobytes() for child in children}, "each move once"
    below = [{child.play(a).planes().tobytes() for a in child.legal_actions} for child in children]
    assert len(third) == width
    assert all(third & some for some in below), "and once below each"


def test_noise_is_at_the_root_only():
    pool = Pool(CONNECT4)
    result = search(
        CONNECT4, CONNECT4.position(), Uniform(7), pool, noise=1.0, noise_alpha=0.3, simulations=300
    )
    tree = pool._tree
    assert tree.root_prior[0, :7].max() > 0.3
    assert result.visits.argmax() == tree.root_prior[0, :7].argmax()
    for node in range(int(tree.nodes[0])):
        first, width = int(tree.node["first"][0, node]), int(tree.node["width"][0, node])
        assert tree.edge["P"][0, first : first + width] == pytest.approx(1 / max(1, width))


@pytest.mark.parametrize("variant", ["puct", "gumbel"])
def test_there_is_no_noise_in_matches(variant, tmp_path):
    write_model(trained("connect4", SMALL), tmp_path / "best.safetensors")
    player = zermelo.player(f"az:model={tmp_path},sims=40,variant={variant}")
    results = player.search([CONNECT4.position()] * 4, [0, 1, 2, 3])
    assert len({tuple(result.visits.tolist()) for result in results}) == 1


def test_illegal_moves_are_masked_before_the_softmax():
    position = CONNECT4.position("1 1 1 1 1 1")
    logits = np.array([50.0, 0.0, np.log(2), 0.0, np.log(3), 0.0, 0.0], np.float32)

    def favours_the_full_column(planes):
        return np.tile(logits, (len(planes), 1)), np.zeros(len(planes))

    result = search(CONNECT4, position, favours_the_full_column, simulations=0)
    assert result.actions.tolist() == [1, 2, 3, 4, 5, 6]
    assert result.priors == pytest.approx(np.array([1, 2, 1, 3, 1, 1]) / 9)


def test_every_move_has_the_value_of_its_own_child():
    position, evaluator = CONNECT4.position("1 1 1 1 1 1 4 4 4 4 4 4"), Hashed(CONNECT4)
    result = search(CONNECT4, position, evaluator, simulations=5, exploration=1e6, variant="uct")
    assert result.actions.tolist() == [1, 2, 4, 5, 6]
    assert result.visits.tolist() == [1] * 5
    wanted = [-evaluator.position(position.play(action))[1] for action in result.actions]
    assert result.values == pytest.approx(wanted)


def test_gumbel_halves_the_best_by_noise_and_prior_and_looks_at_no_others():
    logits = np.array([0.0, -2.0, 3.0, -1e5, 1.0, -1.0, 2.0], np.float32)

    def disappointing(planes):
        """A move that was tried is lost; the others still look better."""
        return np.tile(logits, (len(planes), 1)), np.ones(len(planes))

    config = SearchConfig("gumbel", 16, considered=4, gumbel_noise=True, value_scale=5.0, proofs=False)
    jobs = [Job(CONNECT4.position(), config, disappointing, number=number) for number in range(50)]
    tried = set()
    for result in Pool(CONNECT4, 50).search(jobs):
        # Two visits for each of four in the first of two phases, then four for each of two.
        assert sorted(result.visits.tolist()) == [0, 0, 0, 2, 2, 6, 6]
        score = result.gumbel + np.log(np.maximum(result.priors, 1e-30))
        assert set(np.flatnonzero(result.visits)) == set(np.argsort(score)[-4:])
        tried.add(tuple(np.flatnonzero(result.visits)))
    assert len(tried) > 1


def test_the_target_does_not_depend_on_the_temperature():
    kinds = (
        {"temperature": 0.2, "drawn_plies": 40},
        {"temperature": 5.0, "drawn_plies": 40},
        {"drawn_plies": 0},
    )
    for kind in kinds:
        config = type(DRAWN)(search=DRAWN.search, random_share=0.0, **kind)
        played, seen = watched(config, 4)
        lessons = {(one.number, k.state.tobytes()): k for one in played for k in one.lessons}
        for job, result in seen:
            if not np.isin(result.proofs, (1, -1)).any():
                target = lessons[job.tag.number, job.position.state.tobytes()].policy[result.actions]
                assert target == pytest.approx(result.visits / result.visits.sum())


@pytest.mark.parametrize("temperature", [1e-4, 1e-9, 1e-300, 5e-324])
def test_a_temperature_near_0_does_not_overflow(temperature):
    assert proportions(PLAIN, temperature).tolist() == [0, 1, 0]


def test_the_urgency_of_a_first_play_is_not_below_a_loss():
    pool = Pool(CONNECT4)
    options = {"first_play": float("nan"), "reduction": 1000.0, "exploration": 5.0}
    search(CONNECT4, CONNECT4.position(), Uniform(7), pool, simulations=300, **options)
    tree = pool._tree
    for root_edge in range(7):
        child = tree.edge["child"][0, root_edge]
        first, width = int(tree.node["first"][0, child]), int(tree.node["width"][0, child])
        assert (tree.edge["N"][0, first : first + width] > 0).all(), "at -1000 only one would be tried"


@pytest.mark.parametrize("name", GAMES)
def test_legal_moves_of_an_image_are_images_of_legal_moves(name):
    game = zermelo.game(name)
    for position in positions(game, 30):
        for k, symmetry in enumerate(game.symmetries):
            images = sorted(symmetry.actions[action] for action in position.legal_actions)
            assert images == list(position.transformed(k).legal_actions)


@pytest.mark.parametrize("moves", ["", "1"])
def test_a_drawn_game_teaches_0(moves):
    replay = replay_of(taught(moves, value=0.7), moves=DRAWN_GAME, search_weight=0.0)
    assert shown(replay).value.tolist() == [0]


def test_a_match_of_deterministic_players_is_not_one_game_repeated():
    class Lowest(Player):
        kind = "lowest"

        def choose(self, positions, seeds):
            return [position.legal_actions[0] for position in positions]

    result = zermelo.match(CONNECT4, Lowest(), Lowest(), games=20)
    assert 5 < len({position.moves for position in result.positions}) <= 10, "each with both colours"
    assert sum(result.seated(0)) == sum(result.seated(1)) == 10
    alike = zermelo.match(CONNECT4, Lowest(), Lowest(), games=20, openings=0)
    assert len({position.moves for position in alike.positions}) == 1


def test_what_chance_decides_is_independent_by_seed_game_ply_and_purpose():
    drawn = {key: chance(*key).random() for key in product(range(4), range(6), range(6), range(4))}
    assert len(set(drawn.values())) == len(drawn)
    assert chance(3, 5, 2, 1).random() == drawn[3, 5, 2, 1]
    assert abs(np.mean(list(drawn.values())) - 0.5) < 0.05

"""Positions to learn from, against targets worked out by hand."""

import dataclasses
from collections import Counter

import numpy as np
import pytest

import zermelo
from learning.test_selfplay import QUICK, games
from zermelo.errors import BadParameter
from zermelo.games.position import Position
from zermelo.learning.replay import Replay, ReplayConfig
from zermelo.learning.selfplay import PlayedGame
from zermelo.learning.targets import Lesson

CONNECT4, TICTACTOE = zermelo.game("connect4"), zermelo.game("tictactoe")


def filled(game, count=6, **options):
    replay = Replay(game, ReplayConfig(**{"window": 5000, **options}))
    for one in games(QUICK, count, game=game).values():
        replay.add(one)
    return replay


def taught(moves, policy=None, value=0.0, **known):
    """A lesson of Tic-Tac-Toe; the policy by the numbers of cells."""
    position = TICTACTOE.position(moves)
    dense = np.zeros(9, np.float32)
    for cell, chance in (policy or {}).items():
        dense[cell - 1] = chance
    return Lesson(position.state, position.mover, dense, value, **{"exact": False, **known})


WON = "1 4 2 5 3"
DRAWN = "1 5 9 2 8 7 3 6 4"
"""Games that the first player wins, and that nobody wins."""


def replay_of(*lessons, moves=DRAWN, encoding=None, **options):
    """A replay of games with one lesson each."""
    replay = Replay(TICTACTOE, ReplayConfig(**options), encoding)
    for one in lessons:
        replay.add(PlayedGame(0, TICTACTOE.position(moves), [one]))
    return replay


def shown(replay, batch=1, augment=False, since=0):
    return replay.window(since).sample(batch, np.random.default_rng(1), augment)


def moved(policy, symmetry):
    """The same policy where a symmetry takes it."""
    image = np.zeros_like(policy)
    image[list(symmetry.actions)] = policy
    return image


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "othello:size=6", "gomoku:size=6,n=4"])
def test_samples_are_images_of_stored_positions_with_all_they_teach(name):
    game = zermelo.game(name)
    replay, known = filled(game), {}
    for one in games(QUICK, 6, game=game).values():
        for i, lesson in enumerate(one.lessons):
            after = one.lessons[i + 1].policy if i + 1 < len(one.lessons) else 0 * lesson.policy
            z = one.returns[lesson.mover]
            value = lesson.value if lesson.exact else 0.5 * z + 0.5 * lesson.value
            for k, symmetry in enumerate(game.symmetries):
                planes = Position(game, lesson.state).transformed(k).planes().tobytes()
                known.setdefault(planes, []).append((
                    moved(lesson.policy, symmetry), moved(after, symmetry), value, len(one.lessons) - i
                ))  # fmt: skip
    sample = shown(replay, 200, augment=True)
    assert sample.full.all()
    assert sample.reply.sum(1).min() == 0, "nothing follows the last move"
    for planes, policy, value, _, reply, left in zip(*sample, strict=True):
        assert any(
            np.allclose(policy, p, atol=1e-3) and np.allclose(reply, r, atol=1e-3)
            and value == pytest.approx(v) and left == m
            for p, r, v, m in known[planes.tobytes()]
        )  # fmt: skip


def test_the_reply_is_the_next_policy_under_the_same_symmetry():
    one, two = taught("1", {5: 0.75, 2: 0.25}), taught("1 5", {9: 1.0})
    replay = Replay(TICTACTOE, ReplayConfig())
    replay.add(PlayedGame(0, TICTACTOE.position(WON), [one, two]))
    seen = set()
    for policy, reply in zip(*[shown(replay, 400, augment=True)[i] for i in (1, 4)], strict=True):
        if policy[4] == 0.75:
            side = int(policy.argsort()[-2])
            seen.add((side + 1, int(reply.argmax()) + 1))
        else:
            assert not reply.any()
    # 9 is the corner opposite to the one beside 2, in all eight images.
    assert seen == {(2, 9), (2, 7), (4, 9), (4, 3), (6, 7), (6, 1), (8, 3), (8, 1)}


def test_the_reply_of_a_quick_search_is_not_learnt():
    one, two = taught("1", {5: 1.0}), dataclasses.replace(taught("1 5", {9: 1.0}), full=False)
    replay = Replay(TICTACTOE, ReplayConfig())
    replay.add(PlayedGame(0, TICTACTOE.position(WON), [one, two]))
    assert not shown(replay, 20).reply.any()


def test_moves_left_are_counted_to_the_end():
    replay = Replay(TICTACTOE, ReplayConfig())
    replay.add(PlayedGame(0, TICTACTOE.position(WON), [taught(WON[: 2 * i]) for i in range(5)]))
    sample = shown(replay, 300)
    stones = sample.planes.sum(1)
    assert (sample.moves_left == 5 - stones).all()
    assert set(sample.moves_left) == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(("weight", "values"), [(0.0, (1, -1)), (0.25, (0.8, -0.7)), (1.0, (0.2, 0.2))])
def test_values_mix_result_and_search(weight, values):
    lessons = taught("", value=0.2), taught("1", value=0.2)
    sample = shown(replay_of(*lessons, moves=WON, search_weight=weight), 50)
    mine = sample.planes.sum(1) == 0
    assert sample.value[mine] == pytest.approx(values[0])
    assert sample.value[~mine] == pytest.approx(values[1])


def test_a_resigned_game_is_lost_for_who_resigned():
    replay = Replay(TICTACTOE, ReplayConfig(search_weight=0.0))
    lessons = [taught("", value=-0.9), taught("1", value=0.3)]
    replay.add(PlayedGame(0, TICTACTOE.position("1"), lessons, resigner=1, is_resigned=True))
    sample = shown(replay, 50)
    assert (sample.value == np.where(sample.planes.sum(1) == 0, 1, -1)).all()


def test_quick_searches_are_marked():
    sample = shown(replay_of(taught("", {5: 1.0}, full=False), taught("1", {5: 1.0})), 50)
    assert (sample.full == sample.planes.sum(1)).all()


# Symmetries.


def test_all_symmetries_are_shown_or_none():
    replay = filled(TICTACTOE, count=1)
    plain = {row.tobytes() for row in shown(replay, 500).planes}
    turned = {row.tobytes() for row in shown(replay, 2000, augment=True).planes}
    assert len(plain) <= len(replay) < len(turned)
    assert plain < turned
    corner = shown(replay_of(taught("1 2", {3: 1.0})), 800, augment=True)
    images = Counter(
        (int(p.argmax()), planes.tobytes()) for p, planes in zip(corner.policy, corner.planes, strict=True)
    )
    assert len(images) == 8
    assert all(60 < count < 140 for count in images.values())


# Merging.


def test_equal_positions_are_one_with_the_means_of_what_they_teach():
    # The second is the first in a mirror: 1 <-> 3, 4 <-> 6, 7 <-> 9.
    one = taught("1 2", {5: 0.75, 4: 0.25}, value=0.6)
    other = taught("3 2", {5: 0.5, 6: 0.5}, value=-0.4)
    wanted = np.zeros(9)
    wanted[[4, 3]] = 0.625, 0.375
    replay = replay_of(one, other, merge=True, search_weight=1.0)
    assert len(replay) == 2
    assert len(replay.window()) == 1
    sample = shown(replay)
    position = TICTACTOE.position("1 2")
    (symmetry,) = (
        symmetry for k, symmetry in enumerate(TICTACTOE.symmetries)
        if (position.transformed(k).planes().ravel() == sample.planes[0]).all()
    )  # fmt: skip
    assert sample.policy[0] == pytest.approx(moved(wanted, symmetry), abs=1e-3)
    assert sample.value[0] == pytest.approx(0.1)
    assert len(replay_of(one, other).window()) == 2, "only if it is asked for"


def test_different_positions_and_movers_are_not_merged():
    assert len(replay_of(taught("1 2"), taught("1 5"), taught("1"), taught("2"), merge=True).window()) == 4


def test_merged_positions_keep_the_mean_of_replies_and_moves_left():
    replay = Replay(TICTACTOE, ReplayConfig(merge=True))
    longer = [taught("1 2", {5: 1}), taught("1 2 5", {9: 1}), taught("1 2 5 9", {3: 1})]
    replay.add(PlayedGame(0, TICTACTOE.position(WON), longer))
    replay.add(PlayedGame(0, TICTACTOE.position(WON), [taught("3 2", {5: 1})]))
    sample = shown(replay, 60)
    twice = sample.planes.sum(1) == 2
    assert set(sample.moves_left[twice]) == {2.0}  # of 3 and 1
    assert sample.reply[twice].max(1) == pytest.approx(0.5)  # of 1 and nothing


def test_quick_searches_have_no_part_in_a_merged_policy():
    full, quick = taught("1 2", {5: 1.0}), taught("3 2", {6: 1.0}, full=False)
    sample = shown(replay_of(full, quick, quick, merge=True))
    assert sample.policy[0].tolist() == np.eye(9)[4].tolist()
    assert sample.full.tolist() == [1]
    assert shown(replay_of(quick, quick, merge=True)).full.tolist() == [0]


def test_a_position_that_came_n_times_has_1_plus_log2_n_chances():
    lessons = [taught("1 2")] * 3 + [taught("3 2")] + [taught("5")] + [taught("1 5")] * 2
    sample = shown(replay_of(*lessons, merge=True), 12_000)  # 1 + log2 of 4, of 1 and of 2
    corner = np.where(sample.planes[:, [4, 13]].any(1), 0, 1)
    stones = sample.planes.sum(1)
    shares = [
        np.mean((stones == 2) & (corner == 1)),
        np.mean(stones == 1),
        np.mean((stones == 2) & (corner == 0)),
    ]
    assert shares == pytest.approx([3 / 6, 1 / 6, 2 / 6], abs=0.015)


@pytest.mark.parametrize(("encoding", "count"), [("own-other", 1), ("own-other-last-colour", 2)])
def test_positions_that_the_network_can_tell_apart_are_not_merged(encoding, count):
    replay = replay_of(taught("1 5 2"), taught("2 5 1"), encoding=encoding, merge=True)
    assert len(replay.window()) == count
    sample = shown(replay, 40)
    assert len({row.tobytes() for row in sample.planes}) == count
    assert sample.planes.shape == (40, TICTACTOE.encoding(encoding).size)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "othello:size=6"])
def test_merged_samples_of_played_games_are_those_of_a_plain_sum(name):
    game = zermelo.game(name)
    replay, rows = filled(game, merge=True, search_weight=1.0), {}
    for one in games(QUICK, 6, game=game).values():
        for lesson in one.lessons:
            images = [Position(game, lesson.state).transformed(k).key for k in range(len(game.symmetries))]
            rows.setdefault(min(images), []).append(lesson.value)
    window = replay.window()
    assert len(window) == len(rows) < len(replay)
    (sample,) = window.epochs(0, 1, len(window), np.random.default_rng(0), augment=False)
    means = [np.mean(values) for values in rows.values()]
    assert sorted(sample.value) == pytest.approx(sorted(means), abs=1e-6)
    assert sample.policy.sum(1) == pytest.approx(1, abs=2e-3)


# Surprise.


def shares(replay, count=12_000):
    """How often positions with 0, 1, 2 ... stones are shown."""
    return np.bincount(shown(replay, count).planes.sum(1).astype(int)) / count


def test_surprise_makes_positions_likelier():
    lessons = [taught("", surprise=0.0), taught("1", surprise=1.0), taught("1 2", surprise=5.0)]
    assert shares(replay_of(*lessons)) == pytest.approx([1 / 3] * 3, abs=0.015)
    # 0.5 + 0.5 KL / 2, and their sum is 3
    assert shares(replay_of(*lessons, surprise=0.5)) == pytest.approx(
        [0.5 / 3, 0.75 / 3, 1.75 / 3], abs=0.015
    )
    assert shares(replay_of(*lessons, surprise=1.0)) == pytest.approx([0, 1 / 6, 5 / 6], abs=0.015)


def test_merged_positions_have_their_mean_surprise():
    lessons = [taught("", surprise=1.0), taught("", surprise=5.0), taught("1", surprise=0.0)]
    # The mean of 0.75 and 1.75, with 1 + log2 2 chances, beside 0.5.
    assert shares(replay_of(*lessons, surprise=0.5, merge=True)) == pytest.approx(
        [2.5 / 3, 0.5 / 3], abs=0.015
    )


def test_without_any_surprise_all_are_alike():
    for share in (0.5, 1.0):
        lessons = [taught(""), taught("1")]
        assert shares(replay_of(*lessons, surprise=share)) == pytest.approx([0.5, 0.5], abs=0.02)


# The window.


@pytest.mark.parametrize(
    ("positions", "size"),
    [(0, 0), (500, 500), (1000, 1000), (16_000, 4733), (81_000, 14_866), (10**9, 20_000)],
)  # 16^0.75 = 8 and 1000 (1 + 0.4 * 7 / 0.75) = 4733.3; 81^0.75 = 27 and 1000 (1 + 0.4 * 26 / 0.75)
def test_the_window_grows_more_slowly_than_what_came_in(positions, size):
    assert ReplayConfig(window=20_000, growing_from=1000).size(positions) == size
    assert ReplayConfig(window=20_000).size(positions) == min(positions, 20_000)


def test_a_growing_window_has_the_latest_positions():
    lessons = [taught("", value=i / 1000) for i in range(160)]
    replay = replay_of(*lessons, growing_from=10, search_weight=1.0)
    assert len(replay) == 160
    window = replay.window()
    assert len(window) == 47
    (sample,) = window.epochs(0, 1, 47, np.random.default_rng(0))
    assert sorted(sample.value) == pytest.approx([i / 1000 for i in range(113, 160)])


def test_positions_before_a_number_may_be_left_out():
    lessons = [taught("", value=i / 10) for i in range(10)]
    replay = replay_of(*lessons, window=6, search_weight=1.0)
    for since, count in ((0, 6), (3, 6), (7, 3)):
        assert len(replay.window(since)) == count
    assert sorted(set(shown(replay, 90, since=7).value)) == pytest.approx([0.7, 0.8, 0.9])


def test_old_positions_leave_the_window():
    replay = Replay(CONNECT4, ReplayConfig(window=40))
    played = list(games(QUICK, 8).values())
    for one in played:
        replay.add(one)
    assert (
        len(replay) == len(replay.window()) == 40 < replay.added == sum(len(one.lessons) for one in played)
    )
    latest = [lesson.state.tobytes() for one in played for lesson in one.lessons][-40:]
    assert [state.tobytes() for state in replay.latest(40)["states"]] == latest
    assert [state.tobytes() for state in replay.latest(100)["states"]] == latest
    assert [state.tobytes() for state in replay.latest(3)["states"]] == latest[-3:]
    before = {lesson.state.tobytes() for one in played for lesson in one.lessons} - set(latest)
    gone = {Position(CONNECT4, np.frombuffer(state, np.int64)).planes().tobytes() for state in before}
    kept = {Position(CONNECT4, np.frombuffer(state, np.int64)).planes().tobytes() for state in latest}
    assert gone - kept
    assert {row.tobytes() for row in shown(replay, 400).planes} == kept


@pytest.mark.parametrize("room", [7, 60, 5000])
def test_positions_can_be_kept_and_taken_in_again(room):
    replay = filled(CONNECT4, window=room)
    again = Replay(CONNECT4, ReplayConfig(window=room))
    again.take_in(replay.latest(room))
    one, other = shown(replay, 50, augment=True), shown(again, 50, augment=True)
    assert all((a == b).all() for a, b in zip(one, other, strict=True))


# Epochs.


def test_an_epoch_shows_every_position_once_in_another_order_each_time():
    replay = replay_of(*[taught("", value=i / 100) for i in range(20)], search_weight=1.0)
    batches = list(replay.window().epochs(0, 3, 8, np.random.default_rng(0)))
    assert [len(batch.value) for batch in batches] == [8, 8, 4] * 3
    orders = [np.concatenate([batch.value for batch in batches[i : i + 3]]).tolist() for i in (0, 3, 6)]
    for order in orders:
        assert sorted(order) == pytest.approx([i / 100 for i in range(20)])
    assert len({tuple(order) for order in orders}) == 3


def test_an_epoch_may_be_of_some_positions_the_same_every_time():
    window = replay_of(*[taught("", value=i / 100) for i in range(40)], search_weight=1.0).window()
    batches = list(window.epochs(10, 2, 5, np.random.default_rng(0)))
    first, second = ([*batches[i].value, *batches[i + 1].value] for i in (0, 2))
    assert len(set(first)) == 10
    assert sorted(first) == sorted(second)
    assert sum(len(batch.value) for batch in window.epochs(99, 1, 5, np.random.default_rng(0))) == 40


def test_a_batch_of_one_is_left_out():
    window = replay_of(*[taught("")] * 9).window()
    assert [len(batch.value) for batch in window.epochs(0, 1, 4, np.random.default_rng(0))] == [4, 4]


def test_epochs_show_symmetries_or_none():
    window = replay_of(*[taught("1 2", {3: 1.0})] * 60).window()
    for augment, count in ((True, 8), (False, 1)):
        (batch,) = window.epochs(0, 1, 60, np.random.default_rng(0), augment)
        assert len({row.tobytes() for row in batch.planes}) == count
        assert (
            len(
                {
                    (row.tobytes(), int(p.argmax()))
                    for row, p in zip(batch.planes, batch.policy, strict=True)
                }
            )
            == count
        )


def test_a_connect4_position_takes_at_most_200_bytes():
    assert Replay(CONNECT4, ReplayConfig(window=10)).bytes_per_position <= 200


def test_wrong_use_is_told():
    with pytest.raises(BadParameter, match="nothing to learn from"):
        Replay(CONNECT4, ReplayConfig()).window()


@pytest.mark.parametrize(
    ("option", "value"),
    [("window", 0), ("growing_from", -1), ("rounds", -1), ("search_weight", 1.1), ("surprise", -0.1)],
)
def test_wrong_options_are_named(option, value):
    with pytest.raises(BadParameter, match=option):
        ReplayConfig(**{option: value})

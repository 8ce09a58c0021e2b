import numpy as np
import pytest

import zermelo
from learning.test_selfplay import QUICK, games
from zermelo.errors import BadParameter
from zermelo.games.position import Position
from zermelo.learning.replay import Replay

CONNECT4 = zermelo.game("connect4")


def filled(game, room=5000, count=6):
    replay = Replay(game, room)
    for one in games(QUICK, count, game=game).values():
        replay.add(one)
    return replay


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "othello:size=6", "gomoku:size=6,n=4"])
def test_samples_are_images_of_stored_positions_with_their_policies(name):
    game = zermelo.game(name)
    replay = filled(game)
    positions = [Position(game, state) for state in replay._states[: len(replay)]]
    known = {}
    for position, policy, value in zip(positions, replay._policies, replay._values, strict=False):
        for k, symmetry in enumerate(game.symmetries):
            moved = np.zeros(game.num_actions, np.float32)
            moved[list(symmetry.actions)] = policy
            planes = position.transformed(k).planes().ravel().tobytes()
            known.setdefault(planes, []).append((moved, value))
    sample = replay.sample(200, np.random.default_rng(1))
    for planes, policy, value in zip(*sample, strict=True):
        assert any((p == policy).all() and v == value for p, v in known[planes.tobytes()])


def test_all_symmetries_are_shown_or_none():
    replay = filled(zermelo.game("tictactoe"), count=1)
    plain = {row.tobytes() for row in replay.sample(500, np.random.default_rng(0), augment=False).planes}
    turned = {row.tobytes() for row in replay.sample(2000, np.random.default_rng(0)).planes}
    assert len(plain) <= len(replay) < len(turned)
    assert plain < turned


def test_old_positions_leave_the_window():
    replay = Replay(CONNECT4, 40)
    played = list(games(QUICK, 8).values())
    for one in played:
        replay.add(one)
    assert len(replay) == 40 < replay.added == sum(len(one.lessons) for one in played)
    latest = [taught.state.tobytes() for one in played for taught in one.lessons][-40:]
    assert sorted(state.tobytes() for state in replay._states) == sorted(latest)


def test_a_connect4_position_takes_at_most_200_bytes():
    assert Replay(CONNECT4, 10).bytes_per_position <= 200


def test_wrong_use_is_told():
    with pytest.raises(BadParameter, match="nothing to learn from"):
        Replay(CONNECT4, 10).sample(4, np.random.default_rng())
    with pytest.raises(BadParameter, match="room"):
        Replay(CONNECT4, 0)

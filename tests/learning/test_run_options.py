"""Options of playing, replay and learning that a run alone reads."""

from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest

import zermelo
from zermelo.learning.config import RoundsConfig, TrainConfig
from zermelo.learning.learner_config import LearnerConfig
from zermelo.learning.limits import Limits
from zermelo.learning.replay import ReplayConfig
from zermelo.learning.run import Run
from zermelo.learning.selfplay import SelfplayConfig
from zermelo.network.architecture import Architecture
from zermelo.search.config import SearchConfig
from zermelo.search.pool import Pool

TICTACTOE = zermelo.game("tictactoe")
PLAYING = SelfplayConfig(search=SearchConfig("gumbel", 4, gumbel_noise=True), parallel=7, cached=100)
CONFIG = TrainConfig(
    "tictactoe", network=Architecture.preset("tiny"), selfplay=PLAYING, learner=LearnerConfig(batch=16),
    rounds=RoundsConfig(games=5, uses=2.0),
)  # fmt: skip


def watched(path, config):
    """A run, and the samples that its learner is shown."""
    run, seen = Run(path, config), []
    step = run.learner.step
    run.learner.step = lambda sample, progress: (seen.append(sample), step(sample, progress))[1]
    return run, seen


def test_as_many_games_at_once_and_answers_remembered_as_it_is_told(tmp_path):
    run = Run(tmp_path, CONFIG)
    assert run.source.pool.slots == 7
    assert run.source.pool._cache.owner.shape == Pool(TICTACTOE, cached=100)._cache.owner.shape
    assert run.source.pool._cache.owner.shape != Pool(TICTACTOE, cached=1000)._cache.owner.shape


def test_the_first_games_are_warm_and_forgotten_when_others_have_taught_as_much(tmp_path):
    config = replace(CONFIG, selfplay=replace(PLAYING, warm_games=12, warm_simulations=30))
    first, *others = Run(tmp_path, config).train(Limits(games=47))
    assert (first.games, first.simulations, first.network_share) == (12, 30, 0)
    warm = first.positions
    for done in others:
        assert done.simulations == 4
        assert done.network_share > 0
        assert done.window == (done.positions - warm if done.positions >= 2 * warm else done.positions)
    assert others[0].window > warm
    assert others[-1].positions >= 2 * warm


@pytest.mark.parametrize("augment", [True, False])
def test_batches_have_their_size_and_show_symmetries_or_none(tmp_path, augment):
    run, seen = watched(tmp_path, replace(CONFIG, replay=ReplayConfig(augment=augment)))
    (done,) = run.train(Limits(games=5))
    assert done.steps == len(seen) == round(done.positions * 2 / 16)
    assert {len(sample.value) for sample in seen} == {16}
    states = run.replay.latest(done.positions)["states"]
    plain = {zermelo.Position(TICTACTOE, state).planes().tobytes() for state in states}
    shown = {row.tobytes() for sample in seen for row in sample.planes}
    assert (shown <= plain) is not augment


def test_a_window_of_rounds(tmp_path):
    config = replace(CONFIG, replay=ReplayConfig(rounds=2))
    rounds = list(Run(tmp_path, config).train(Limits(games=20)))
    sizes = np.diff([0, *(done.positions for done in rounds)]).tolist()
    assert [done.positions for done in rounds] == list(accumulate(sizes))
    assert [done.window for done in rounds] == [sizes[0], *(sum(sizes[i : i + 2]) for i in range(3))]

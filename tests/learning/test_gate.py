"""Whether a new network may play."""

import pytest

from learning.test_run import lines, quick
from zermelo.arena.match import MatchResult
from zermelo.errors import BadParameter, OutOfTime
from zermelo.learning.gate import GateConfig
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run


def result(wins, draws, losses):
    return MatchResult("tictactoe", "new", "old", wins, draws, losses, 1.0, ())


@pytest.mark.parametrize(
    ("share", "counted", "outcome", "accepted"),
    [
        (0.55, "points", (11, 0, 9), False),  # exactly 55 %
        (0.55, "points", (11, 1, 8), True),
        (0.55, "points", (2, 18, 0), False),
        (0.55, "decided", (2, 18, 0), True),
        (0.5652, "decided", (13, 0, 10), True),  # 1.3 times as often
        (0.5652, "decided", (12, 1, 10), False),
        (0.0, "decided", (0, 20, 0), False),
    ],
)
def test_what_is_enough(share, counted, outcome, accepted):
    assert GateConfig(20, share, counted).accepts(result(*outcome)) == accepted


def test_impossible_gates_are_refused():
    for wrong in ({"games": -1}, {"share": 1.0}, {"counted": "luck"}, {"drawn_plies": -1}):
        with pytest.raises(BadParameter, match=next(iter(wrong))):
            GateConfig(**wrong)


def gated(directory, rounds, **changes):
    config = quick(**{"gate.games": "4", **changes})
    run = Run(directory, config)
    return run, list(run.train(Limits(rounds=rounds)))


def playing(run):
    return {name: value.copy() for name, value in run.model().weights.items()}


def same(one, other):
    return all((one[name] == other[name]).all() for name in one)


def test_a_first_network_without_a_match_is_what_later_ones_go_back_to(tmp_path, monkeypatch):
    outcomes = [OutOfTime(), result(0, 0, 4)]

    def contest(*_arguments):
        outcome = outcomes.pop(0)
        if isinstance(outcome, OutOfTime):
            raise outcome
        return outcome

    monkeypatch.setattr("zermelo.learning.run.contest", contest)
    run = Run(tmp_path / "run", quick(**{"gate.games": "4"}))
    first, second = run.train(Limits(rounds=2))
    assert (first.accepted, second.accepted) == (True, False)
    assert run.learner.steps == first.steps > 0
    assert same(playing(run), run.learner.weights())


def test_a_network_that_is_refused_does_not_play_and_is_dropped(tmp_path):
    run = Run(tmp_path / "run", quick(**{"gate.games": "4", "gate.share": "0.999"}))
    before = playing(run)
    rounds = list(run.train(Limits(rounds=2)))
    assert [done.accepted for done in rounds] == [False, False]
    assert all(0 <= done.gate < 1 for done in rounds)
    assert same(playing(run), before), "the untrained network plays on"
    assert run.learner.steps == 0, "and learning begins again from it"
    assert not any(run.learner.optimiser.moments.values())


def test_a_network_that_is_refused_may_go_on_learning(tmp_path):
    run, rounds = gated(tmp_path / "run", 2, **{"gate.share": "0.999", "gate.goes_on": "true"})
    assert not any(done.accepted for done in rounds)
    assert run.learner.steps == rounds[-1].steps > rounds[0].steps
    assert not same(playing(run), run.learner.weights())


def test_a_network_that_is_accepted_plays(tmp_path):
    run, rounds = gated(tmp_path / "run", 1, **{"gate.share": "0"})
    assert rounds[0].accepted
    assert same(playing(run), run.learner.weights())


def test_a_gated_run_goes_on_as_if_it_had_not_stopped(tmp_path):
    whole, _ = gated(tmp_path / "whole", 3)
    stopped = Run(tmp_path / "stopped", quick(**{"gate.games": "4"}))
    next(stopped.train(Limits(rounds=3)))
    again, _ = gated(tmp_path / "stopped", 3)
    assert same(playing(whole), playing(again))
    assert same(whole.learner.weights(), again.learner.weights())
    scores = [
        [line["gate"] for line in lines(tmp_path / name / "metrics.jsonl")] for name in ("whole", "stopped")
    ]
    assert scores[0] == scores[1]

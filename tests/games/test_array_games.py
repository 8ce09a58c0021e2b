"""Compiled games written as methods over fields: rules as elsewhere, and mistakes that are found."""

from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.compilation import inlined
from zermelo.errors import RulesError
from zermelo.games import ArrayGame, Board, array
from zermelo.games.contract import check
from zermelo.games.registry import game_in_file
from zermelo.search import rollouts

HEX = Path("examples/hex.py")


@pytest.mark.parametrize("size", [2, 3, 5])
def test_hex_plays_as_in_openspiel(size):
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = zermelo.game(f"{HEX}:size={size}"), pyspiel.load_game(f"hex(board_size={size})")
    random = np.random.default_rng(size)
    for _ in range(100):
        position, state = game.position(), theirs.new_initial_state()
        while not state.is_terminal():
            assert position.legal_actions == tuple(state.legal_actions())
            assert position.mover == state.current_player()
            action = int(random.choice(state.legal_actions()))
            position = position.play(action)
            state.apply_action(action)
        assert list(position.returns) == state.returns()


def test_hex_is_short_and_fast():
    assert len(HEX.read_text().splitlines()) <= 70
    assert rollouts.measure(zermelo.game(str(HEX)), seconds=0.2).games_per_second > 100_000


def test_hex_is_right():
    report = check(zermelo.game(f"{HEX}:size=4"), games=100)
    assert report.problems == []


def test_fields_are_those_of_the_state():
    position = zermelo.game(str(HEX)).position("c3 a1")
    state = position.game.state_of(position)
    assert state.cells[[0, 12]].tolist() == [2, 1]
    assert (state.mover, state.winner) == (0, 0)
    with pytest.raises(AttributeError, match="no field `stones`"):
        _ = state.stones


def test_both_forms_of_a_game_are_compared():
    plain = game_in_file("src/zermelo/cli/templates/plain.py")
    compiled = game_in_file("src/zermelo/cli/templates/compiled.py")

    class Same(compiled):
        family = "same"

    Same.plain = plain
    assert check(Same(size=4), games=50).problems == []

    class OnlyStraight(Same):
        family = "only_straight"

        def returns(self, state):
            for row in range(self.size):
                for col in range(self.size - 2):
                    stone = state.cells[row, col]
                    if stone != 0 and stone == state.cells[row, col + 1] == state.cells[row, col + 2]:
                        return (1.0, -1.0) if stone == 1 else (-1.0, 1.0)
            return (0.0, 0.0) if state.moves == self.num_actions else None

        def symmetries_of_rules(self):
            return (self.board.symmetry("identity", self.num_actions),)

    (problem,) = check(OnlyStraight(), games=200).problems
    assert problem.kind == "plain rules"
    assert "compared with the plain rules, the result is None, not (" in problem.message


class Walk(ArrayGame):
    """Three steps to the right, for nothing."""

    family = "walk"
    acyclic = True
    num_actions = 1
    max_length = 3
    board = Board(1, 4)

    @property
    def fields(self):
        return {"cells": array(4), "mover": int, "place": int, "trace": array(3)}

    def start(self, state):
        state.cells[0] = 1

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state.cells[state.place] = 0
        state.place += 1
        state.cells[state.place] = 1
        state.mover = 1 - state.mover

    def returns(self, state):
        return (0.0, 0.0) if state.place == 3 else None


def test_a_game_without_parameters_or_draws():
    assert check(Walk(), games=20).problems == []


def test_an_index_outside_an_array_is_told_with_its_line():
    class TooFar(Walk):
        family = "too_far"

        def play(self, state, action):
            state.trace[state.place + 1] = 1
            state.place += 1
            state.cells[state.place] = 1
            state.mover = 1 - state.mover

    problems = {problem.kind: problem.message for problem in check(TooFar(), games=5).problems}
    line = TooFar.play.__code__.co_firstlineno + 1
    assert f"{__file__}:{line}" in problems["out of bounds"]
    assert "IndexError: index 3 is out of bounds" in problems["out of bounds"]

    class Before(Walk):
        family = "before"

        def legal(self, state, action):
            return state.cells[state.place - 1] < 5

    problems = {problem.kind: problem.message for problem in check(Before(), games=5).problems}
    assert "index -1 is negative" in problems["out of bounds"]


def test_a_number_that_does_not_fit_is_told():
    class Large(Walk):
        family = "large"

        def play(self, state, action):
            state.trace[state.place] = 100_000
            state.place += 1
            state.mover = 1 - state.mover

    problems = {problem.kind: problem.message for problem in check(Large(), games=5).problems}
    assert "OverflowError" in problems["out of bounds"]


def test_a_rule_that_does_not_compile_is_told_with_its_line():
    class Listed(Walk):
        family = "listed"

        def legal(self, state, action):
            return {action: state.place}

    with pytest.raises(RulesError, match=r"`legal` does not compile \(.*test_array_games.py:\d+\)"):
        Listed().position()


def test_an_attribute_that_rules_cannot_use_is_told_with_its_line():
    class Named(Walk):
        family = "named"

        def legal(self, state, action):
            return len(self.family) == 5

    line = Named.legal.__code__.co_firstlineno + 1
    with pytest.raises(RulesError, match=rf"`self.family` in `legal` is no number, .*py:{line}\)"):
        Named().position()

    class Wrong(Walk):
        family = "wrong"

        def returns(self, state):
            return (0.0, 0.0) if state.steps == 3 else None

    with pytest.raises(
        RulesError, match=r"`state.steps` in `returns` is no field: there are mover, place, cells"
    ):
        Wrong().position()


def test_a_rule_that_is_not_written_yet_is_told():
    class Unwritten(Walk):
        family = "unwritten"

        def play(self, state, action):
            raise NotImplementedError

    with pytest.raises(RulesError, match=r"`play` of unwritten is not written yet \(.*py:\d+\)"):
        Unwritten().position()


def test_players_can_be_exchanged():
    class Unfair(game_in_file(str(HEX))):
        family = "unfair"

        def legal(self, state, action):
            return state.cells[action] == 0 and (state.mover == 0 or action > 0)

    kinds = {problem.kind for problem in check(Unfair(size=3), games=50).problems}
    assert "side swap" in kinds


def test_rules_call_methods_of_their_own():
    class Careful(Walk):
        family = "careful"

        def is_free(self, state, place):
            return state.cells[place] == 0 or self.is_mine(state, place)

        def is_mine(self, state, place):
            return state.cells[place] == 1

        def legal(self, state, action):
            return self.is_free(state, state.place) and self.is_free(state, state.place + 1)

    assert check(Careful(), games=20).problems == []

    class Endless(Walk):
        family = "endless"

        def legal(self, state, action):
            return self.legal(state, action)

    with pytest.raises(RulesError, match=r"`legal` calls itself \(.*py:\d+\); compiled rules cannot"):
        Endless().position()


def test_a_subclass_runs_its_own_rules():
    class Timid(Walk):
        family = "timid"

        def free(self, state, place):
            return state.place < 1

        def legal(self, state, action):
            return self.free(state, state.place)

    class Bold(Timid):
        family = "bold"

        def free(self, state, place):
            return state.place < 3

    assert [game().position("0").legal_actions for game in (Timid, Bold, Timid)] == [(), (0,), ()]


def test_rules_without_a_file_are_compiled_anew_when_they_change():
    text = """
class Steps(Walk):
    family = "steps"

    def returns(self, state):
        return (0.0, 0.0) if state.place == {last} else None
"""
    for last in (1, 2, 1):
        names = {"Walk": Walk, "__name__": "__main__"}
        exec(compile(text.format(last=last), "<stdin>", "exec"), names)
        assert names["Steps"]().position([0] * last).is_over


def test_variables_around_a_game_are_part_of_its_rules():
    def make(last, further):
        @inlined
        def is_last(place):
            return place + further == last

        class Limited(Walk):
            family = "limited"

            def returns(self, state):
                return (0.0, 0.0) if is_last(state.place) else None

        return Limited()

    for last, further in ((2, 0), (3, 0), (3, 1)):
        game = make(last, further)
        assert game.position([0] * (last - further)).is_over
        assert check(game, games=2).problems == []

"""Compiled games written as methods over fields: rules as elsewhere, and mistakes that are found."""

from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.compilation import inlined
from zermelo.errors import RulesError
from zermelo.games import ArrayGame, Board, PythonGame, Symmetry, array, scratch
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


def only_message(game, kind):
    (problem,) = check(game, games=5).problems
    assert problem.kind == kind
    return problem.message


class Seen(Walk):
    """Walk with an encoding, a heuristic and a symmetry of its own; sound."""

    family = "seen"
    input_shape = (3,)

    def encode(self, state, planes):
        for i in range(3):
            planes[i] = state.place / 3

    def heuristic(self, state):
        return state.place / 3

    def symmetries_of_rules(self):
        return (Symmetry("identity", (0, 1, 2, 3), (0,)),) * 2

    def transform(self, state, k):
        state.trace[0] = 0


@pytest.mark.parametrize("rule", ["encode", "heuristic", "transform"])
def test_what_is_no_rule_runs_uncompiled_too(rule):
    def encode(self, state, planes):
        for i in range(3):
            planes[i - 1] = state.place / 3

    def heuristic(self, state):
        return 0.1 * state.trace[state.place - 1]

    def transform(self, state, k):
        state.trace[0] = state.cells[k + 3] * 0

    bad = type("Bad", (Seen,), {"family": f"bad_{rule}", rule: locals()[rule]})
    assert f"{__file__}:" in only_message(bad(), "out of bounds")


def test_what_is_no_rule_must_say_the_same_uncompiled():
    assert check(Seen(), games=5).problems == []

    class WrappedPlanes(Seen):
        family = "wrapped_planes"

        def encode(self, state, planes):
            for i in range(3):
                planes[i] = 1 if (state.place + 1 << 62) > 0 else 0  # 64 bits are too few

    class WrappedHeuristic(Seen):
        family = "wrapped_heuristic"

        def heuristic(self, state):
            return 1.0 if (state.place + 1 << 62) > 0 else 0.0

    assert "`encode` writes something else" in only_message(WrappedPlanes(), "compiled rules")
    assert "`heuristic` says something else" in only_message(WrappedHeuristic(), "compiled rules")


def test_a_heuristic_outside_its_range():
    class Sure(Seen):
        family = "sure"

        def heuristic(self, state):
            return 3.0

    assert "`heuristic` gave 3, not a number from -1 to 1" in only_message(Sure(), "heuristic")

    class Unsure(PythonGame):
        family, num_actions, max_length, input_shape = "unsure", 1, 1, (1,)
        start = lambda self: 0  # noqa: E731
        mover = lambda self, state: 0  # noqa: E731
        legal = lambda self, state: [0]  # noqa: E731
        play = lambda self, state, action: 1  # noqa: E731
        returns = lambda self, state: (0.0, 0.0) if state else None  # noqa: E731
        encode = lambda self, state: [state]  # noqa: E731
        heuristic = lambda self, state: 1 / state  # noqa: E731

    assert "raised ZeroDivisionError" in only_message(Unsure(), "heuristic")


def test_a_board_whose_cells_are_not_told():
    class Bits(Walk):
        family = "bits"
        input_shape = (1,)

        @property
        def fields(self):
            return {"mover": int, "place": int}

        def start(self, state):
            state.place = 0

        def play(self, state, action):
            state.place += 1
            state.mover = 1 - state.mover

        def encode(self, state, planes):
            planes[0] = state.place / 3

    assert "no field `cells`" in only_message(Bits(), "drawing")

    class Drawn(Bits):
        family = "drawn"

        def cells_of(self, state):
            return [state.place == cell for cell in range(4)]

    assert check(Drawn(), games=5).problems == []


def test_plain_rules_without_a_board():
    class Plain(PythonGame):
        family, num_actions, max_length, input_shape = "plain_walk", 1, 3, (1,)

        def start(self):
            return 0

        def mover(self, state):
            return state % 2

        def legal(self, state):
            return [0]

        def play(self, state, action):
            return state + 1

        def returns(self, state):
            return (0.0, 0.0) if state == 3 else None

    class Beside(Walk):
        family = "beside"
        plain = Plain

    assert check(Beside(), games=5).problems == []


def test_scratch_holds_anything_at_first():
    class Hasty(Walk):
        family = "hasty"

        def legal(self, state, action):
            room = scratch(2)
            return room[0] * 0 == 0 and state.cells[room[1]] < 2

    assert "is negative" in only_message(Hasty(), "out of bounds")

    class Back(Walk):
        family = "back"

        def legal(self, state, action):
            room = scratch(2)
            room[state.place - 1] = 0
            return True

    assert "index -1 is negative" in only_message(Back(), "out of bounds")


def test_whole_words_wrap_around():
    class Bitboard(Walk):
        family = "bitboard"

        @property
        def fields(self):
            return {**super().fields, "own": np.uint64, "hash": int, "keys": array(2, dtype=np.int64)}

        def play(self, state, action):
            bit = 1 << (61 + state.place)
            state.hash |= bit
            state.hash = state.hash * 6364136223846793005 + 1442695040888963407
            state.keys[0] |= bit
            state.keys[1] *= 6364136223846793005
            state.cells[state.place] = 0
            state.place += 1
            state.cells[state.place] = 1
            state.mover = 1 - state.mover

        def returns(self, state):
            if state.place < 3:
                return None
            return (-1.0, 1.0) if state.keys[0] < 0 and state.hash % 7 < 3 else (1.0, -1.0)

    assert check(Bitboard(), games=5).problems == []

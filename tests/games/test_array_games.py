"""Compiled games written as methods over fields: rules as elsewhere, and mistakes that are found."""

import os
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.compilation import inlined
from zermelo.errors import BadParameter, RulesError
from zermelo.games import ArrayGame, Board, PythonGame, Symmetry, array, scratch
from zermelo.games.contract import check
from zermelo.games.registry import game_in_file
from zermelo.search import rollouts
from zermelo.web.picture import place

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

    class WrappedTransform(Seen):
        family = "wrapped_transform"

        def transform(self, state, k):
            state.cells[0] = 1 if (state.place + 1 << 62) > 0 else 0
            state.trace[2] = 9

    problems = {one.kind: one.message for one in check(WrappedTransform(), games=5).problems}
    assert "`transform` writes something else" in problems["compiled rules"]
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


def test_only_fields_of_the_board_follow_its_symmetries():
    class Quarto(Walk):
        family = "quarto"
        board = Board(4, 4)
        max_length = num_actions = 16

        @property
        def fields(self):
            used = array(16, on_board=False)
            more = {"rows": array(2, 4, 4), "layers": array(2, 16), "used": used, "pairs": array(2, 8)}
            return {"cells": array(16), **more}

        def mover(self, state):
            return 0

        def start(self, state):
            state.cells[1] = state.rows[1, 0, 1] = state.layers[1, 1] = 1
            state.used[1] = state.pairs[0, 1] = 1

        def play(self, state, action):
            state.cells[action] = 1

        def returns(self, state):
            return None

        def symmetries_of_rules(self):
            return self.board.symmetries(self.num_actions)

    game = Quarto()
    k = [symmetry.name for symmetry in game.symmetries].index("half turn")
    image = game.state_of(game.position().transformed(k))
    moved = [image.cells, image.rows[1].ravel(), image.layers[1]]
    assert [one.nonzero()[0].tolist() for one in moved] == [[14]] * 3
    assert [one.ravel().nonzero()[0].tolist() for one in (image.used, image.pairs)] == [[1]] * 2


def test_a_rule_with_the_arguments_of_a_plain_game():
    class Plainly(Walk):
        family = "plainly"

        def legal(self, state):
            return [0]

    line = Plainly.legal.__code__.co_firstlineno
    with pytest.raises(
        RulesError, match=rf"`legal\(self, state, action\)`, .*`legal\(self, state\)`.*{line}"
    ):
        Plainly().position()

    class Startless(Walk):
        family = "startless"

        def start(self):
            return 0

    with pytest.raises(RulesError, match=r"`start\(self, state\)`"):
        Startless().position()

    class Attribute(Walk):
        family = "attribute"
        mover = 0

    with pytest.raises(RulesError, match=r"`mover` of attribute must be a method, `mover\(self, state\)`"):
        Attribute().position()


def test_a_symmetry_that_forgets_an_action():
    class Forgetful(Walk):
        family = "forgetful"
        num_actions = 2

        def symmetries_of_rules(self):
            return *super().symmetries_of_rules(), Symmetry("short", (3, 2, 1, 0), (0,))

    with pytest.raises(RulesError, match="symmetry `short` of forgetful is no permutation of the 4 cells"):
        Forgetful().position()
    assert "symmetry `short`" in only_message(Forgetful(), "symmetry")


def test_a_ragged_list_in_a_rule():
    class Ragged(Walk):
        family = "ragged"
        near = ((1,), (0, 2))

        def legal(self, state, action):
            return self.near[0][0] == 1

    with pytest.raises(RulesError, match=r"`self.near` in `legal` is no number, array of numbers"):
        Ragged().position()


@pytest.mark.parametrize("kind", [9, list, "cells"])
def test_a_field_that_is_none(kind):
    class Nine(Walk):
        family = "nine"
        fields = {"cells": kind, "mover": int, "place": int, "trace": array(3)}

    with pytest.raises(BadParameter, match=r"field `cells` \(=.*\) must be `int`, .*`array"):
        Nine().position()


def test_rules_call_static_methods():
    class Static(Walk):
        family = "static"

        @staticmethod
        def last(place, by):
            return place == 2 + by

        def returns(self, state):
            return (0.0, 0.0) if self.last(state.place, 1) else None

    assert check(Static(), games=5).problems == []


class PlainFall(PythonGame):
    """Stones fall into three columns, or a player passes; nobody wins."""

    family = "plain_fall"
    board = Board(2, 3, look="columns")
    num_actions, max_length = 4, 8

    def start(self):
        return (0,) * 6, 0

    def mover(self, state):
        return state[1] % 2

    def legal(self, state):
        return [*(col for col in range(3) if state[0][col] == 0), 3]

    def play(self, state, action):
        cells = list(state[0])
        if action < 3:
            cells[action + 3 * (cells[action + 3] == 0)] = 1 + state[1] % 2
        return tuple(cells), state[1] + 1

    def returns(self, state):
        return (0.0, 0.0) if state[1] == 8 else None

    def cells_of(self, state):
        return state[0]

    def symmetries_of_rules(self):
        return self.board.symmetries(self.num_actions)


class Fall(ArrayGame):
    """The same, compiled."""

    family = "fall"
    plain = PlainFall
    board, num_actions, max_length = PlainFall.board, 4, 8
    symmetries_of_rules = PlainFall.symmetries_of_rules
    input_shape = (2,)

    @property
    def fields(self):
        return {"cells": array(6), "moves": int}

    def mover(self, state):
        return state.moves % 2

    def legal(self, state, action):
        return action == 3 or state.cells[action] == 0

    def play(self, state, action):
        if action < 3:
            state.cells[action + (3 if state.cells[action + 3] == 0 else 0)] = 1 + state.moves % 2
        state.moves += 1

    def returns(self, state):
        return (0.0, 0.0) if state.moves == 8 else None

    def encode(self, state, planes):
        planes[0], planes[1] = state.moves / 8, state.cells[0] / 2


@pytest.mark.parametrize("game", [PlainFall(), Fall()], ids=["plain", "compiled"])
def test_columns_and_a_pass(game):
    position = game.position("3 pass 3 1")
    assert [position.name(a) for a in position.legal_actions] == ["1", "2", "pass"]
    assert game.symmetries[1].actions == (2, 1, 0, 3)
    assert [place(position, action) for action in range(4)] == [0, 4, None, None]


def test_the_last_stone_that_fell():
    game = Fall()
    assert [game.last_cell(game.position(moves)) for moves in ("3", "3 3", "3 pass")] == [5, 2, None]
    kinds = {problem.kind for problem in check(game, games=20).problems}
    assert kinds <= {"equal planes"}


def test_rules_that_change_before_they_are_compiled(tmp_path):
    path = tmp_path / "steps.py"
    text = """
from zermelo.games import ArrayGame

class Steps(ArrayGame):
    family, num_actions, max_length, input_shape = "steps", 1, 3, (1,)
    fields = {{"mover": int, "place": int}}

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state.place += 1

    def returns(self, state):
        return (0.0, 0.0) if state.place == {last} else None

    def encode(self, state, planes):
        planes[0] = state.place / 3
"""
    path.write_text(text.format(last=1))
    old = game_in_file(str(path))
    path.write_text(text.format(last=2))
    os.utime(path, (2_000_000_000,) * 2)
    assert old().position("0").is_over
    assert not game_in_file(str(path))().position("0").is_over


@pytest.mark.parametrize("name", ["params", "kernels", "encodings"])
def test_a_field_may_not_be_called_what_a_game_has(name):
    line = game_in_file("src/zermelo/cli/templates/compiled.py")
    taken = type("Taken", (line,), {"family": "taken", "fields": {**line().fields, name: int}})
    with pytest.raises(BadParameter, match=f"a field of taken may not be called `{name}`"):
        taken().position()


def test_constants_beyond_63_bits_are_refused():
    """Compiled they would have a sign, so a shift would not do what it does in Python."""

    class Masked(game_in_file("src/zermelo/cli/templates/compiled.py")):
        family = "masked"
        masks = np.array([1 << 63], np.uint64)

        def legal(self, state, action):
            return self.masks[0] >> 3 > 0

    with pytest.raises(RulesError, match="`masks` of masked holds 9223372036854775808"):
        Masked().position()

"""Boards with kinds of pieces: what cell values mean, what networks see, and how they are drawn."""

from typing import ClassVar

import numpy as np
import pytest

import zermelo
from games.mini_draughts import MiniDraughts
from zermelo.errors import BadParameter, RulesError
from zermelo.games import ArrayGame, Board, PythonGame, array
from zermelo.games.contract import check
from zermelo.games.drawing import board_svg, board_text

PIECES = Board(2, 3, pieces={"man": "xo", "king": "XO", "wall": "#"})


def test_values_count_the_glyphs_in_order():
    assert [(piece.kind, piece.owner, piece.glyph) for piece in PIECES.contents] == [
        ("man", 0, "x"), ("man", 1, "o"), ("king", 0, "X"), ("king", 1, "O"), ("wall", None, "#"),
    ]  # fmt: skip
    assert PIECES.piece(0) is None
    assert PIECES.piece(6) is None
    assert [piece.glyph for piece in Board(3, 3).contents] == ["X", "O"]


@pytest.mark.parametrize(
    "pieces", [{"man": "xox"}, {"man": ""}, {"man": "xo", "king": "xO"}, {"man": "x."}]
)
def test_glyphs_that_cannot_be_told_apart(pieces):
    with pytest.raises(BadParameter, match="glyphs"):
        Board(3, 3, pieces=pieces)


def test_swapping_sides_exchanges_owners_and_turns_the_board():
    assert PIECES.swapped((1, 2, 3, 4, 5, 0)) == (2, 1, 4, 3, 5, 0)
    assert PIECES.swapped((1, 2, 3, 4, 5, 0), "half turn") == (0, 5, 3, 4, 1, 2)


def test_text_and_picture_show_kinds():
    cells = (1, 2, 3, 4, 5, 0)
    assert board_text(PIECES, cells) == "  a b c\n1 x o X\n2 O # ."
    picture = board_svg(PIECES, cells)
    assert picture.count("<circle") == 4
    assert all(f">{glyph}</text>" in picture for glyph in "xoXO#")
    stones = board_svg(Board(2, 3), (1, 2, 0, 0, 0, 0))
    assert stones.count("<circle") == 2
    assert ">X</text>" not in stones  # colours are enough


class Placed(PythonGame):
    """Three cells: the first player to move puts a man, then a king, then a wall."""

    family = "placed"
    num_actions = 3
    max_length = 3
    board = Board(1, 3, pieces={"man": "xo", "king": "XO", "wall": "#"})

    def start(self):
        return (0, 0, 0)

    def mover(self, state):
        return sum(map(bool, state)) % 2

    def legal(self, state):
        return [cell for cell in range(3) if not state[cell]]

    def play(self, state, action):
        values = {0: 1, 1: 4, 2: 5}  # a man of the first player, a king of the second, a wall
        value = values[sum(map(bool, state))]
        return tuple(value if cell == action else old for cell, old in enumerate(state))

    def returns(self, state):
        return (0.0, 0.0) if all(state) else None

    def cells_of(self, state):
        return state


def test_a_plane_for_each_kind_seen_by_the_mover():
    game = Placed()
    assert list(game.encodings) == ["own-other-turn"]
    names = ("own man", "own king", "other man", "other king", "wall", "turn")
    assert game.encoding().planes == names

    def seen(moves):
        planes = game.position(moves).planes()[:, 0]
        return {name: plane.tolist() for name, plane in zip(names, planes, strict=True) if plane.any()}

    assert seen([]) == {}
    assert seen([0]) == {"other man": [1, 0, 0], "turn": [1, 1, 1]}
    assert seen([0, 2]) == {"own man": [1, 0, 0], "other king": [0, 0, 1]}
    assert seen([0, 2, 1]) == {"own man": [1, 0, 0], "other king": [0, 0, 1], "wall": [0, 1, 0]}


def test_who_moves_is_shown_unless_the_sides_are_the_same():
    plain = zermelo.game("src/zermelo/cli/templates/plain.py")
    assert list(plain.encodings) == ["own-other"]

    class OneSided(type(plain)):
        family = "one_sided"
        side_swap = None

    position = OneSided().position("b2")
    assert position.game.encoding().planes == ("own", "other", "turn")
    assert np.array_equal(position.planes()[:2], plain.position("b2").planes())
    assert position.planes()[2].all()
    assert not OneSided().position().planes()[2].any()
    assert MiniDraughts().encoding().planes[-1] == "turn"  # the board is turned, so the turn must be seen


def test_a_value_that_no_plane_shows_is_told_with_cell_and_moves():
    class Kings(MiniDraughts):
        family = "kings"
        board = Board(6, 6, labels="up")

        @property
        def side_swap(self):
            return None

    (problem,) = check(Kings(), games=30).problems
    assert problem.kind == "pieces"
    assert problem.moves
    position = Kings().position(" ".join(problem.moves))
    cells = Kings().state_of(position)[0]
    value = next(value for value in cells if value > 2)
    name = Kings.board.cell_name(cells.index(value))
    assert f"cell {name} holds {value}, which no plane shows" in problem.message
    with pytest.raises(zermelo.ZermeloError, match="encode"):  # and never trained on in silence
        position.planes()


# The same for compiled games.


class Walls(ArrayGame):
    """Four moves onto free cells; on the last three cells one puts kings."""

    family = "walls"
    num_actions, max_length = 6, 4
    board = Board(1, 6, pieces={"man": "xo", "king": "XO"})
    fields: ClassVar = {"cells": array(6), "mover": int, "count": int}

    def legal(self, state, action):
        return state.cells[action] == 0

    def play(self, state, action):
        state.cells[action] = 1 + state.mover + (2 if action > 2 else 0)
        state.mover = 1 - state.mover
        state.count += 1

    def returns(self, state):
        return (0.0, 0.0) if state.count == 4 else None


class UnnamedKings(Walls):
    family = "unnamed_kings"
    board = Board(1, 6)


def test_planes_of_a_compiled_game_show_each_kind_and_owner():
    position = Walls().position("a1 e1 d1")
    names = position.game.encoding().planes
    shown = dict(zip(names, position.planes().reshape(len(names), 6).astype(int).tolist(), strict=True))
    assert shown["other man"] == [1, 0, 0, 0, 0, 0]
    assert shown["other king"] == [0, 0, 0, 1, 0, 0]
    assert shown["own king"] == [0, 0, 0, 0, 1, 0]
    assert shown["own man"] == [0] * 6
    assert check(Walls(), games=50).problems == []


def test_a_value_that_no_plane_of_a_compiled_game_shows_is_never_encoded():
    (problem,) = check(UnnamedKings(), games=30).problems
    assert problem.kind == "pieces"
    game = UnnamedKings()
    assert game.position("a1").planes()[1].sum() == 1
    with pytest.raises(RulesError, match="a cell of unnamed_kings holds 3, which no plane shows"):
        game.position("e1").planes()


@pytest.mark.parametrize("cells", [array(4), array(8), array(2, 6)])
def test_cells_that_are_not_those_of_the_board_are_not_shown_as_such(cells):
    other = type("Other", (Walls,), {"family": "other", "fields": {**Walls.fields, "cells": cells}})
    with pytest.raises(BadParameter, match="no board with a field `cells` of as many numbers"):
        _ = other().encodings


def test_cells_that_the_game_tells_otherwise_are_not_shown_as_stored():
    class Turned(Walls):
        family = "turned"

        def cells_of(self, state):
            return state.cells.tolist()[::-1]

    with pytest.raises(BadParameter, match="give it `input_shape` and `encode"):
        _ = Turned().encodings


def test_planes_have_names_that_differ():
    board = Board(1, 3, pieces={"stone": "XO", "neutral stone": "#"})
    assert board.plane_names(False) == ("own", "other", "neutral stone")
    assert board.plane_table(False)[0, 2].tolist() == [0, 0, 0, 1]
    for kind in ("turn", "own"):
        with pytest.raises(BadParameter, match="must give each plane another name"):
            Board(1, 3, pieces={"stone": "XO", kind: "#"})

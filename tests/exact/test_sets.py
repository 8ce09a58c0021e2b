"""The position sets that ship."""

import subprocess
import sys

import pytest

import zermelo
from zermelo.errors import UnknownName
from zermelo.exact import Connect4Solver, GenericSolver, Outcome
from zermelo.exact.graded import Graded
from zermelo.exact.sets import DATA, SETS, lines_of, read_line, set_file, shipped, write_line

CONNECT4, OTHELLO6 = zermelo.game("connect4"), zermelo.game("othello:size=6")
BORDERS = {
    "begin-easy": ((8, 14), (1, 13)),
    "middle-easy": ((15, 28), (1, 13)),
    "end-easy": ((29, 40), (1, 13)),
    "begin-medium": ((8, 14), (14, 27)),
    "middle-medium": ((15, 28), (14, 27)),
    "begin-hard": ((8, 14), (28, 42)),
    "plies-10-16": ((10, 16), (1, 42)),
}
"""Moves that were played, and moves to the end under perfect play; a draw ends with a full board."""

each_set = pytest.mark.parametrize("name", BORDERS)


@pytest.fixture(scope="module")
def sets():
    return {name: shipped(CONNECT4, name) for name in BORDERS}


def test_they_are_those_of_the_package():
    assert {game: set(names) for game, names in SETS.items()} == {
        "connect4": set(BORDERS),
        "othello:size=6": {"endgames"},
    }
    files = sorted(path for path in DATA.rglob("*") if path.is_file())
    assert files == sorted(set_file(game, name) for game, names in SETS.items() for name in names)
    assert sum(path.stat().st_size for path in files) < 1_000_000


@each_set
def test_every_position_lies_within_its_borders(sets, name):
    (fewest, most), (nearest, farthest) = BORDERS[name]
    assert len(sets[name]) == (200 if name == "begin-hard" else 1000)
    for one in sets[name]:
        played, best = len(one.position.moves), one.best
        assert fewest <= played <= most
        assert nearest <= (best.plies if best.value else 42 - played) <= farthest
        assert not one.position.is_over
        assert set(one.outcomes) == set(one.position.legal_actions)
        assert len(one.outcomes) > 1


def test_in_the_last_set_some_move_changes_the_result(sets):
    assert all(one.is_telling for one in sets["plies-10-16"])


@each_set
def test_no_position_is_there_twice_nor_its_mirror_image(sets, name):
    keys = [frozenset({one.position.key, one.position.transformed(1).key}) for one in sets[name]]
    assert len(set(keys)) == len(keys)


def test_no_position_is_in_two_of_the_six_sets(sets):
    keys = [one.position.key for name, found in sets.items() if name != "plies-10-16" for one in found]
    assert len(set(keys)) == len(keys) == 5200


@each_set
def test_scores_are_those_of_the_solver(sets, name):
    solver = Connect4Solver(CONNECT4)
    quick = sorted(sets[name], key=lambda one: -len(one.position.moves))
    for one in quick[:: len(quick) // 4][: 2 if name == "begin-hard" else 4]:
        assert solver.outcomes(one.position) == one.outcomes


@pytest.mark.slow
@each_set
def test_all_scores_are_those_of_the_solver(sets, name):
    solver = Connect4Solver(CONNECT4)
    for one in sets[name]:
        assert solver.outcomes(one.position) == one.outcomes


def test_endgames_of_othello():
    found = shipped(OTHELLO6, "endgames")
    assert len(found) == 200
    empty = [list(OTHELLO6.cells(one.position)).count(0) for one in found]
    assert set(empty) == {12, 13, 14, 15, 16}
    assert all(one.is_telling for one in found)
    assert len({one.position.key for one in found}) == 200
    near = [one for one, count in zip(found, empty, strict=True) if count == 12]
    for one in near[:3]:
        assert GenericSolver(OTHELLO6).outcomes(one.position) == one.outcomes


def test_the_first_positions_of_a_set_are_made_again_byte_for_byte(tmp_path):
    """As the documentation says, and going on where an earlier call stopped."""
    for count in ("1", "3"):
        names = ["end-easy", "middle-medium", "begin-easy", "--count", count, "--out", str(tmp_path)]
        subprocess.run([sys.executable, "benchmarks/position_sets.py", *names], check=True)
    for name in ("end-easy", "middle-medium", "begin-easy"):
        made = set_file("connect4", name, tmp_path).read_text()
        assert len(lines_of(made)) == 3
        assert set_file("connect4", name).read_text().startswith(made)


def test_a_line_is_what_people_read():
    position = CONNECT4.position("444444")
    graded = Graded(position, {a: Outcome(1, 35) if a == 2 else Outcome(0) for a in position.legal_actions})
    assert write_line(graded) == "444444 1 0 0 1 . 0 0 0"
    assert read_line(CONNECT4, write_line(graded)) == graded
    one = shipped(OTHELLO6, "endgames")[0]
    assert read_line(OTHELLO6, write_line(one)) == one


def test_a_set_that_is_not_there():
    with pytest.raises(UnknownName, match=r"connect4 has no set `begin-hrd`\. Did you mean `begin-hard`"):
        shipped(CONNECT4, "begin-hrd")
    with pytest.raises(UnknownName, match="There are: none"):
        shipped(zermelo.game("gomoku"), "begin-hard")

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import zermelo
from search.test_unfolding import CONNECT4, searched
from search.test_worked_example import EVALUATOR, GAME, ROOT
from zermelo.errors import BadParameter
from zermelo.search.config import SearchConfig
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.tree_drawing import tree_svg

SVG = "{http://www.w3.org/2000/svg}"


def words_of(svg):
    """The words of a picture that are not part of a board, and the picture as a document."""
    picture = ElementTree.fromstring(svg)
    return [text.text for text in picture.findall(f"{SVG}text")], picture


def boards_of(picture):
    return len(picture.findall(f".//{SVG}svg"))


def test_the_worked_example():
    job = Job(ROOT, SearchConfig(simulations=2, exploration=5.0, proofs=False), EVALUATOR)
    *_, third = Pool(GAME).steps(job)
    words, picture = words_of(third._repr_svg_())
    assert {"N 2  Q -0.40", "P 0.45", "v -0.20", "N 1  Q 1.00", "first wins", "N 3, v 0.00"} <= set(words)
    assert boards_of(picture) == 1 + 4 + 3
    assert len(picture.findall(f"{SVG}path[@class='zp']")) == 2  # the way of the last simulation: 2, 6
    assert len(picture.findall(f"{SVG}g[@class='zu']")) == 5  # moves not tried


def test_what_is_not_known_is_not_written():
    job = Job(ROOT, SearchConfig(simulations=0), EVALUATOR)
    (tree,) = Pool(GAME).steps(job)
    blank = replace(
        tree.root,
        evaluation=float("nan"),
        edges=tuple(replace(e, prior=float("nan")) for e in tree.root.edges),
    )
    words, _ = words_of(tree_svg(replace(tree, root=blank)))
    assert set(words) == {"2", "3", "6", "8", "N 0", "N 1"}


def test_pictures_are_bounded_and_say_what_they_leave_out():
    pool, result = searched(zermelo.game("gomoku").position(), variant="uct", simulations=400)
    words, picture = words_of(tree_svg(pool.tree(result.position)))
    assert boards_of(picture) == 24
    assert "217 more" in next(word for word in words if word.startswith("N 401"))  # of 225, 8
    assert float(picture.get("width")) < 24 * 104
    _, small = words_of(tree_svg(pool.tree(result.position), boards=3))
    assert boards_of(small) == 3
    with pytest.raises(BadParameter, match=r"`boards` \(=0\) must be at least 1"):
        tree_svg(pool.tree(result.position), boards=0)


def test_the_moves_of_the_root_come_first_then_the_most_visited():
    pool, result = searched(CONNECT4.position("4 4"), variant="uct", simulations=3000)
    words, picture = words_of(tree_svg(pool.tree(result.position)))
    assert boards_of(picture) == 24
    shown = {int(found[1]) for word in words if (found := re.match(r"N (\d+)  Q", word))}
    assert set(result.visits.tolist()) <= shown


def test_proven_positions_and_games_without_a_board():
    pool, result = searched(
        zermelo.game("examples/nim.py:heap=6").position(), variant="uct", simulations=200
    )
    words, picture = words_of(pool.tree(result.position)._repr_svg_())
    assert "won in 3" in " ".join(words)
    assert boards_of(picture) > 3


def test_colours_are_those_of_the_page_or_of_the_reader():
    pool, result = searched(GAME.position(), simulations=5)
    svg = pool.tree(result.position)._repr_svg_()
    assert "fill:currentColor" in svg
    assert "svg:root{color:" in svg  # nothing that would colour a page around the picture
    assert "prefers-color-scheme:dark" in svg

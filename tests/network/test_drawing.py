import xml.etree.ElementTree as ElementTree

import pytest

from network.networks import OPTIONS, SMALL
from zermelo.network.architecture import Shape
from zermelo.network.drawing import network_svg

PLANES, FLAT = Shape((2, 6, 7), 7), Shape((22,), 3)


def words(architecture, shape):
    """What is written in the picture; it must be well-formed and without anything from elsewhere."""
    picture = network_svg(architecture, shape)
    assert picture.count("http") == 1
    tree = ElementTree.fromstring(picture)
    return {text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize("shape", [PLANES, FLAT], ids=["planes", "flat"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_heads_are_drawn(shape, options):
    architecture = SMALL.but(**options)
    told = words(architecture, shape)
    assert {"policy", "value", f"{shape.actions} actions"} <= told
    assert ("win, draw, loss" in told) == (architecture.value == "wdl")
    assert ("the opponent's reply" in told) == architecture.reply
    assert ("moves left" in told) == architecture.moves_left


def test_the_tower_is_drawn():
    assert {"2 planes, 6x7", "3x3, 12", "2 residual blocks"} <= words(SMALL, PLANES)
    assert {"22 inputs", "dense", "2 dense layers"} <= words(SMALL, FLAT)
    assert "3 convolutions" in words(SMALL.but(blocks=3, residual=False), PLANES)
    assert "1 residual block with pooling" in words(SMALL.but(blocks=1, pooling=True), PLANES)


def test_of_a_long_tower_a_part_is_drawn():
    assert "..." not in words(SMALL.but(blocks=12), PLANES)
    assert {"...", "40 residual blocks"} <= words(SMALL.but(blocks=40), PLANES)

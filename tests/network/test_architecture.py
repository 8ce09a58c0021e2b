import dataclasses
import re
from pathlib import Path

import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.network.architecture import PRESETS, SEEDS, Architecture, Layer, Shape, layers

GAMES_OF_SEEDS = {
    "seed000-tictactoe": "tictactoe",
    "seed000-connect4": "connect4",
    "seed001": "gomoku:size=8",
    "seed002": "connect4",
    "seed003-tictactoe": "tictactoe",
    "seed003-connect4": "connect4",
    "seed004": "othello:size=6",
}


def test_the_network_of_a_paper_layer_by_layer():
    """Chapter 3 of AlphaZero's description: 19 blocks of 256 filters, 2 and 1 filters, 256 hidden."""
    paper = Architecture(19, 256, 2, 1, 256)
    found = {layer.name: layer for layer in layers(paper, Shape((3, 6, 7), 7))}
    assert len(found) == 1 + 2 * 19 + 2 + 3
    assert found["stem"].parameters == 3 * 256 * 9 + 2 * 256
    assert found["block18.second"].operations == 2 * 256 * 256 * 9 * 42
    assert found["policy.logits"].parameters == 2 * 42 * 7 + 7
    assert found["value.hidden"].parameters == 42 * 256 + 256


def test_without_planes_layers_are_dense():
    found = layers(Architecture(2, 16), Shape((22,), 3))
    assert {layer.kind for layer in found} == {"dense"}
    assert [layer.name for layer in found][:3] == ["stem", "block0.first", "block1.first"]


def test_without_shortcuts_a_block_is_one_convolution():
    found = layers(Architecture.preset("seed004"), Shape((2, 6, 6), 37))
    tower = [layer for layer in found if layer.size == 3]
    assert [layer.name for layer in tower] == ["stem", "block0.first", "block1.first", "block2.first"]
    assert {layer.outputs for layer in tower} == {128}


def test_a_layer_tells_its_kind_and_its_shape():
    layer = Layer("stem", 2, 32, 3, True, 42)
    assert layer.kind == "convolution 3x3, normalised"
    assert Shape((2, 6, 7), 7).after(layer) == (32, 6, 7)
    assert Shape((2, 6, 7), 7).after(Layer("policy.logits", 84, 7)) == (7,)


def test_the_tower_of_seed001_has_seventeen_steps():
    """Table I: five convolutions of 32 filters, each normalised, in two blocks after the first."""
    found = layers(Architecture.preset("seed001"), Shape((4, 8, 8), 64))
    tower = [layer for layer in found if layer.size == 3]
    assert [layer.outputs for layer in tower] == [32] * 5
    assert [(layer.name, layer.outputs) for layer in found[5:]] == [
        ("policy.squeeze", 2), ("value.squeeze", 1), ("policy.logits", 64), ("value.hidden", 32),
        ("value.answer", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"filters": 0}, "`filters` (=0) must be from 1 to 4096"),
        ({"blocks": 101}, "`blocks` (=101) must be from 0 to 100"),
        ({"activation": "swish"}, "`activation` (=swish) must be one of: relu leaky"),
        ({"value": "points"}, "`value` (=points) must be one of: scalar wdl"),
    ],
)
def test_what_cannot_be_built_is_refused(changes, message):
    with pytest.raises(BadParameter) as raised:
        Architecture.preset("small", **changes)
    assert message in str(raised.value)


def test_an_unknown_name_tells_those_there_are():
    with pytest.raises(
        BadParameter, match=r"no network is called `smal`; there are: tiny small .* seed004"
    ):
        Architecture.preset("smal")


def test_the_page_of_networks_tells_the_figures():
    page = Path("docs/network.md").read_text()
    for name in PRESETS:
        architecture = Architecture.preset(name)
        found = layers(architecture, Shape.of(zermelo.game("connect4")))
        parameters, operations = sum(x.parameters for x in found), sum(x.operations for x in found) / 1e6
        sizes = f"{architecture.blocks} | {architecture.filters}"
        assert f"| `{name}` | {sizes} | {parameters:,} | {operations:.1f} |" in page
    for name, text, encoding, told in re.findall(
        r"^\| `(seed\S+)` \| (.+) \| `(.+)` \| ([\d,]+)", page, re.M
    ):
        game = GAMES_OF_SEEDS[name]
        found = layers(Architecture.preset(name), Shape.of(zermelo.game(game), encoding))
        assert f"{sum(x.parameters for x in found):,}" == told, text
    assert set(re.findall(r"^\| `(seed\S+)`", page, re.M)) == set(SEEDS) == set(GAMES_OF_SEEDS)


def test_the_page_of_networks_lists_the_fields():
    page = Path("docs/network.md").read_text()
    told = re.findall(r"^\| `(\w+)` \| `?(\w+)`? \|", page.partition("## Sizes")[0], re.M)
    assert told == [(field.name, str(field.default)) for field in dataclasses.fields(Architecture)]

import json

import pytest

import zermelo
from cli.command import refused, succeed
from network.networks import SMALL, trained
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import FileEvaluator
from zermelo.network.model import Model, write_model


@pytest.fixture
def run(tmp_path):
    """The directory of a run with a network."""
    weights = trained("tictactoe", SMALL).weights
    model = Model("tictactoe", "own-other", SMALL, weights, {"games": 12, "note": "[red]"}, {"score": 0.75})
    write_model(model, tmp_path / "best.safetensors")
    return tmp_path


def test_an_architecture_for_a_game():
    text = succeed("model", "small", "--game", "connect4")
    assert "block2.second   convolution 3x3, normalised  32x6x7       9,280     774,144" in text
    assert "83,480   4,810,304" in text
    assert text.count("evaluations per second here") == 2
    assert "trained=0" in text


@pytest.mark.parametrize("name", ["", "best.safetensors"], ids=["run", "file"])
def test_a_model_tells_where_it_came_from(run, name):
    text = succeed("model", run / name)
    assert "games=12, note=[red]" in text
    assert "score=0.75" in text


def test_json(run):
    facts = json.loads(succeed("model", run, "--json"))
    assert facts["game"] == "tictactoe"
    assert facts["inputs"] == [2, 3, 3]
    assert facts["actions"] == 9
    assert facts["architecture"]["filters"] == 12
    assert facts["parameters"] == sum(layer["parameters"] for layer in facts["layers"])
    assert facts["operations"] == sum(layer["operations"] for layer in facts["layers"])
    assert facts["layers"][0] == {
        "name": "stem", "kind": "convolution 3x3, normalised", "shape": [12, 3, 3], "parameters": 240,
        "operations": 3888,
    }  # fmt: skip
    assert facts["evaluations_per_second"].keys() == {"1", "256"}
    assert all(speed > 0 for speed in facts["evaluations_per_second"].values())
    assert facts["provenance"]["games"] == 12
    assert facts["results"] == {"score": 0.75}


def test_files_are_written(run):
    succeed("model", run, "--svg", run / "net.svg", "--export", run / "net.onnx")
    assert (run / "net.svg").read_text().startswith("<svg")
    FileEvaluator(run / "net.onnx", Shape.of(zermelo.game("tictactoe")))


def test_another_encoding():
    facts = json.loads(
        succeed("model", "seed001", "--game", "tictactoe", "--encoding", "own-other-last-colour", "--json")
    )
    assert facts["inputs"] == [4, 3, 3]


def test_a_game_in_a_file_is_run_only_if_it_is_named(run):
    write_model(trained("examples/nim.py", SMALL), run / "best.safetensors")
    assert "to run that: --game examples/nim.py" in refused("model", run)
    assert "inputs, 22" in succeed("model", run, "--game", "examples/nim.py")


def test_what_is_wrong_is_told(run):
    assert "for which game?" in refused("model", "small")
    assert "`smal` is neither a file nor an architecture; there are: tiny" in refused("model", "smal")
    assert "is for tictactoe, not for connect4" in refused("model", run, "--game", "connect4")
    assert "sees own-other, not colours" in refused("model", run, "--encoding", "colours")
    assert "colours" in refused("model", "tiny", "--game", "connect4", "--encoding", "colours")
    (run / "best.safetensors").write_bytes(b"nothing")
    assert "is damaged, or is not a model" in refused("model", run)
    (run / "empty").mkdir()
    assert "best.safetensors cannot be read" in refused("model", run / "empty")
    assert "no/net.svg" in refused("model", "tiny", "--game", "connect4", "--svg", run / "no/net.svg")

import json

import pytest

import zermelo
from network.networks import SMALL, trained
from zermelo.cli import main
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


def told(capsys, *words, code=0):
    with pytest.raises(SystemExit) as end:
        main(["model", *map(str, words)])
    said = capsys.readouterr()
    assert end.value.code == code, said.err
    return said.err if code else said.out


def test_an_architecture_for_a_game(capsys):
    text = told(capsys, "small", "--game", "connect4")
    assert "block2.second   convolution 3x3, normalised  32x6x7       9,280     774,144" in text
    assert "83,480   4,810,304" in text
    assert text.count("evaluations per second here") == 2
    assert "trained=0" in text


@pytest.mark.parametrize("name", ["", "best.safetensors"], ids=["run", "file"])
def test_a_model_tells_where_it_came_from(capsys, run, name):
    text = told(capsys, run / name)
    assert "games=12, note=[red]" in text
    assert "score=0.75" in text


def test_json(capsys, run):
    facts = json.loads(told(capsys, run, "--json"))
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


def test_files_are_written(capsys, run):
    told(capsys, run, "--svg", run / "net.svg", "--export", run / "net.onnx")
    assert (run / "net.svg").read_text().startswith("<svg")
    FileEvaluator(run / "net.onnx", Shape.of(zermelo.game("tictactoe")))


def test_another_encoding(capsys):
    facts = json.loads(
        told(capsys, "seed001", "--game", "tictactoe", "--encoding", "own-other-last-colour", "--json")
    )
    assert facts["inputs"] == [4, 3, 3]


def test_a_game_in_a_file_is_run_only_if_it_is_named(capsys, run):
    write_model(trained("examples/nim.py", SMALL), run / "best.safetensors")
    assert "to run that: --game examples/nim.py" in told(capsys, run, code=2)
    assert "inputs, 22" in told(capsys, run, "--game", "examples/nim.py")


def test_what_is_wrong_is_told(capsys, run):
    assert "for which game?" in told(capsys, "small", code=2)
    assert "`smal` is neither a file nor an architecture; there are: tiny" in told(capsys, "smal", code=2)
    assert "is for tictactoe, not for connect4" in told(capsys, run, "--game", "connect4", code=2)
    assert "sees own-other, not colours" in told(capsys, run, "--encoding", "colours", code=2)
    assert "colours" in told(capsys, "tiny", "--game", "connect4", "--encoding", "colours", code=2)
    (run / "best.safetensors").write_bytes(b"nothing")
    assert "is damaged, or is not a model" in told(capsys, run, code=2)
    (run / "empty").mkdir()
    assert "best.safetensors cannot be read" in told(capsys, run / "empty", code=2)
    assert "no/net.svg" in told(capsys, "tiny", "--game", "connect4", "--svg", run / "no/net.svg", code=2)

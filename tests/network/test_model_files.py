import dataclasses
import errno
import json
import pickle
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

import zermelo
from network.networks import GAMES, OPTIONS, SMALL, trained
from zermelo.errors import ModelError
from zermelo.network.architecture import Architecture
from zermelo.network.model import FORMAT, read_model, untrained, write_model

TICTACTOE = trained("tictactoe", SMALL)
KNOWN = {
    "format": FORMAT,
    "game": "tictactoe",
    "encoding": "own-other",
    "inputs": [2, 3, 3],
    "actions": 9,
    "architecture": dataclasses.asdict(SMALL),
    "provenance": {},
    "results": {},
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "net.safetensors"


def written(weights=None, **known):
    """A model file with something changed."""
    told = {"zermelo": json.dumps({**KNOWN, **known})}
    return save({**TICTACTOE.weights, **(weights or {})}, told)


def architecture(**changes):
    return {"architecture": {**KNOWN["architecture"], **changes}}


def refused(path, data):
    path.write_bytes(data)
    with pytest.raises(ModelError) as raised:
        read_model(path)
    assert str(path) in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_what_is_written_is_read(game, options, path):
    model = dataclasses.replace(
        trained(game, SMALL.but(**options)), provenance={"games": 12}, results={"elo": 3.5}
    )
    write_model(model, path)
    again = read_model(path)
    for field in ("game", "encoding", "architecture", "provenance", "results", "shape"):
        assert getattr(again, field) == getattr(model, field)
    assert again.weights.keys() == model.weights.keys()
    assert all(np.array_equal(again.weights[name], value) for name, value in model.weights.items())


@given(st.integers(0, 2**32))
def test_untrained_is_the_same_for_the_same_seed(seed):
    first, again, other = (
        untrained(zermelo.game("tictactoe"), SMALL, seed=number) for number in (seed, seed, seed + 1)
    )
    assert all(np.array_equal(first.weights[name], again.weights[name]) for name in first.weights)
    assert not np.array_equal(first.weights["stem.weight"], other.weights["stem.weight"])


def test_directories_are_made(tmp_path):
    write_model(TICTACTOE, tmp_path / "runs" / "x" / "best.safetensors")
    assert read_model(tmp_path / "runs" / "x" / "best.safetensors").game == "tictactoe"


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_write_that_fails_leaves_what_there_was(path, monkeypatch, step):
    write_model(TICTACTOE, path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(errno.ENOSPC, "the disk is full")

    monkeypatch.setattr(step, fail)
    with pytest.raises(OSError, match=r"the disk is full: .*net\.safetensors"):
        write_model(trained("tictactoe", SMALL, seed=1), path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_is_not_there(path):
    with pytest.raises(ModelError, match=r"net\.safetensors cannot be read: No such file"):
        read_model(path)
    with pytest.raises(ModelError, match="cannot be read: Is a directory"):
        read_model(path.parent)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"not a model at all",
        np.random.default_rng(0).bytes(4096),
        (2**63).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        (100_000).to_bytes(8, "little") + b"[" * 100_000,
        save({"w": np.zeros(3, np.float32)}),
        save({"w": np.zeros(3, np.float32)}, {"format": "pt"}),
        save({"w": np.zeros(3, np.float32)}, {"zermelo": "{"}),
    ],
    ids=["empty", "one byte", "text", "random", "huge header", "list", "deep", "bare", "foreign", "half"],
)
def test_foreign_files_are_refused(path, data):
    assert "is damaged, or is not a model of Zermelo" in refused(path, data)


def test_a_pickle_is_refused_and_not_opened(path):
    class Trap:
        def __reduce__(self):
            return Path.touch, (path.with_name("sprung"),)

    refused(path, pickle.dumps(Trap()))
    assert not path.with_name("sprung").exists()


def test_cut_files_are_refused(path):
    whole = written()
    for length in [*range(0, len(whole) - 1, 997), len(whole) - 1]:
        refused(path, whole[:length])
    refused(path, whole + b"\0")


@given(st.data())
def test_a_damaged_header_is_refused_or_harmless(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damaged") / "net.safetensors"
    whole = bytearray(written())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, 3000))] = data.draw(st.integers(0, 255))
    path.write_bytes(whole)
    with suppress(ModelError):
        assert read_model(path).weights.keys() == TICTACTOE.weights.keys()


@pytest.mark.parametrize(
    ("known", "field"),
    [
        ({"format": "zermelo model 99"}, "`format` is not 'zermelo model 1'"),
        ({"game": None}, "`game` is missing, or is not a str"),
        ({"inputs": "planes"}, "`inputs` is missing, or is not a list"),
        ({"inputs": []}, "`inputs` and `actions` must be numbers from 1"),
        ({"inputs": [2, "3", 3]}, "`inputs` and `actions` must be numbers from 1"),
        ({"inputs": [2, 6, 7]}, "policy.logits.weight is float32(9, 27), not float32(9, 126)"),
        ({"inputs": [18]}, "missing, or are too many: block0.first.bias"),
        ({"actions": 0}, "`inputs` and `actions` must be numbers from 1"),
        ({"actions": 7}, "policy.logits.weight is float32(9, 27), not float32(7, 27)"),
        ({"encoding": 3}, "`encoding` is missing, or is not a str"),
        ({"architecture": []}, "`architecture` is missing, or is not a dict"),
        (architecture(depth=3), "`architecture` has an unknown field: depth"),
        (architecture(blocks="2"), "`blocks` (='2') of `architecture` must be of type int"),
        (architecture(pooling=1), "`pooling` (=1) of `architecture` must be of type bool"),
        (architecture(filters=10**9), "`filters` (=1000000000) must be from 1 to 4096"),
        (architecture(activation="swish"), "`activation` (=swish)"),
        (architecture(filters=13), "stem.weight is float32(12, 2, 3, 3), not float32(13, 2, 3, 3)"),
        (architecture(blocks=3), "missing, or are too many: block2.first.mean"),
        ({"provenance": "here"}, "`provenance` is missing, or is not a dict"),
        ({"results": None}, "`results` is missing, or is not a dict"),
    ],
)
def test_a_wrong_field_is_named(path, known, field):
    assert field in refused(path, written(**known))


@pytest.mark.parametrize(
    ("name", "weight", "message"),
    [
        ("stem.shift", np.full(12, np.nan, np.float32), "stem.shift has a number that is not finite"),
        ("value.answer.bias", np.full(1, np.inf, np.float32), "value.answer.bias has a number"),
        ("stem.variance", np.full(12, -1, np.float32), "stem.variance has a number below 0"),
        ("stem.shift", np.zeros(12), "stem.shift is float64(12,), not float32(12,)"),
        ("more", np.zeros(1, np.float32), "too many: more"),
    ],
)
def test_a_wrong_weight_is_named(path, name, weight, message):
    assert message in refused(path, written({name: weight}))


def test_metadata_that_is_not_a_table(path):
    assert "`format`" in refused(path, save(TICTACTOE.weights, {"zermelo": "[1, 2]"}))


@pytest.mark.parametrize(
    ("game", "known", "message"),
    [
        ("connect4", {}, "is for tictactoe, not for connect4"),
        ("tictactoe", {"game": "conect4"}, "is for conect4, not for tictactoe"),
        ("connect4", {"game": "connect4"}, "policy.logits.weight is float32(9, 27), not float32(7, 126)"),
        ("tictactoe", {"encoding": "colours"}, "colours"),
        ("tictactoe", {"encoding": "own-other-empty"}, "stem.weight is float32(12, 2, 3, 3)"),
    ],
)
def test_a_model_that_does_not_fit_a_game_is_told(path, game, known, message):
    path.write_bytes(written(**known))
    with pytest.raises(ModelError) as raised:
        read_model(path).check(zermelo.game(game), path)
    assert str(path) in str(raised.value)
    assert message in str(raised.value)


def test_reading_does_not_run_the_game_that_a_file_names(path):
    game = path.with_name("game.py")
    game.write_text("import pathlib\npathlib.Path(__file__).with_name('sprung').touch()\n")
    path.write_bytes(written(game=str(game)))
    assert read_model(path).game == str(game)
    with pytest.raises(ModelError, match=r"is for .*game\.py, not for tictactoe"):
        zermelo.player(f"az:model={path}").check(zermelo.game("tictactoe").position())
    assert not path.with_name("sprung").exists()


def test_the_file_of_a_game_may_lie_elsewhere(tmp_path):
    moved = tmp_path / "nim.py"
    moved.write_text(Path("examples/nim.py").read_text())
    trained("examples/nim.py", SMALL).check(zermelo.game(str(moved)), Path("net"))


def test_a_field_that_is_left_out_has_its_default(path):
    """So that files stay readable when architectures learn something new."""
    known = {name: value for name, value in KNOWN["architecture"].items() if name != "moves_left"}
    path.write_bytes(written(architecture=known))
    assert read_model(path).architecture == SMALL
    assert Architecture().moves_left is False

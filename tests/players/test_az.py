import subprocess
import sys

import numpy as np
import pytest

import zermelo
from network.networks import SMALL, trained
from search.test_reference import positions
from zermelo.errors import BadParameter, ModelError
from zermelo.network import shipped
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import write_model


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The directory of a run with a network for Connect 4."""
    directory = tmp_path_factory.mktemp("run")
    write_model(trained("connect4", SMALL), directory / "best.safetensors")
    return directory


def test_without_simulations_the_network_moves(run):
    game = zermelo.game("connect4")
    some = [game.position(), game.position("4 4"), game.position("1 7 2")]
    logits, _ = OnnxEvaluator.of(trained("connect4", SMALL))(
        np.stack([position.planes() for position in some])
    )
    player = zermelo.player(f"az:model={run},sims=0,proofs=0")
    assert player.choose(some, [0] * len(some)) == logits.argmax(1).tolist()
    (result,) = player.search(some[:1], [0])
    assert result.simulations == 0


@pytest.mark.parametrize("what", ["", "/best.safetensors"], ids=["run", "file"])
def test_a_run_and_a_file_are_models(run, what):
    player = zermelo.player(f"az:model={run}{what},sims=20")
    assert zermelo.player(player.name) == player
    (result,) = player.search([zermelo.game("connect4").position()], [0])
    assert result.simulations == 20


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (":model=x,sims=-1", "`sims` (=-1) of az must not be negative"),
        (":model=x,cached=-1", "`cached` (=-1) of az must not be negative"),
        (":model=x,threads=-1", "`threads` (=-1) of az must not be negative"),
        (":model=x,symmetry=left", "symmetry"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(BadParameter) as raised:
        zermelo.player(f"az{parameters}")
    assert message in str(raised.value)


def test_without_a_model_it_is_the_one_that_ships(run, tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "DIRECTORY", tmp_path)
    player, position = zermelo.player("az:sims=20"), zermelo.game("connect4").position("4 4")
    with pytest.raises(ModelError, match="no trained player for connect4 ships"):
        player.check(position)
    (tmp_path / "connect4.safetensors").write_bytes((run / "best.safetensors").read_bytes())
    same = zermelo.player(f"az:model={run},sims=20")
    assert player.choose([position], [0]) == same.choose([position], [0])
    with pytest.raises(
        ModelError, match=r"no trained player for connect:rows=5 ships.*there are: connect4"
    ):
        player.check(zermelo.game("connect:rows=5").position())


@pytest.mark.parametrize("model", ["nothing", "nothing.safetensors", "nothing.onnx"])
def test_a_model_that_is_not_there(model):
    with pytest.raises(ModelError, match=f"{model} cannot be read: No such file"):
        zermelo.player(f"az:model={model}").check(zermelo.game("connect4").position())


def test_a_model_of_another_game(run):
    with pytest.raises(ModelError, match="is for connect4, not for tictactoe"):
        zermelo.player(f"az:model={run}").check(zermelo.game("tictactoe").position())
    with pytest.raises(ModelError, match="is for connect4, not for connect:rows=5"):
        zermelo.match(
            zermelo.game("connect:rows=5"), zermelo.player(f"az:model={run}"), zermelo.player("random")
        )


def test_a_match_is_played_in_lock_step(run):
    player = zermelo.player(f"az:model={run},sims=16")
    told = zermelo.match(zermelo.game("connect4"), player, zermelo.player("random"), games=20)
    assert told.wins + told.draws + told.losses == 20
    assert max(pool.slots for pool in player._pools.values()) > 1


def test_batches_change_nothing(run):
    some = positions(zermelo.game("connect4"), 9)
    player = zermelo.player(f"az:model={run},sims=40,cached=0")
    together = player.choose(some, range(9))
    assert together == [player.choose([position], [0])[0] for position in some]


def test_answers_are_remembered(run):
    player = zermelo.player(f"az:model={run},sims=60")
    start = zermelo.game("connect4").position()
    player.choose([start], [0])
    player.choose([start], [0])
    (pool,) = player._pools.values()
    assert pool.hit_rate > 0.4


@pytest.mark.parametrize("symmetry", ["none", "canonical", "random", "mean"])
def test_symmetries(run, symmetry):
    player = zermelo.player(f"az:model={run},sims=20,symmetry={symmetry}")
    (action,) = player.choose([zermelo.game("connect4").position()], [0])
    assert 0 <= action < 7


def test_playing_needs_no_pytorch(run):
    program = (
        "import sys, zermelo; game = zermelo.game('connect4');"
        f"zermelo.player('az:model={run},sims=5').choose([game.position()], [0]);"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=120).returncode == 0

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadParameter, ModelError, RunError
from zermelo.learning.config import completed, write_toml
from zermelo.learning.versions import versions
from zermelo.network.model import read_model, untrained, write_model

GAME = zermelo.game("tictactoe")


@pytest.fixture
def run(tmp_path):
    """What a run of 60 rounds leaves, of which version 30 is that of 20 again."""
    config = completed({"game": "tictactoe", "seed": 4}, {"network.blocks": "1", "network.filters": "4"})
    (tmp_path / "config.toml").write_text(write_toml(config))
    for number in (10, 20, 30, 40, 50, 60):
        seed = 20 if number == 30 else number
        model = untrained(GAME, config.network, seed=seed)
        write_model(model, tmp_path / "versions" / f"{number:06d}.safetensors")
    return tmp_path


def test_they_are_taken_evenly_from_the_first_to_the_last(run):
    assert list(versions(run, GAME, 10)) == [0, 10, 20, 40, 50, 60]
    assert list(versions(run, GAME, 3)) == [0, 10, 40, 60]
    assert list(versions(run, GAME, 2)) == [0, 10, 60]
    assert list(versions(run, GAME, 1)) == [0, 60]
    assert versions(run, GAME, 1)[60] == run / "versions" / "000060.safetensors"


def test_version_0_is_untrained_with_the_architecture_and_the_seed_of_the_run(run):
    found = read_model(versions(run, GAME, 1)[0])
    expected = untrained(GAME, found.architecture, seed=4)
    assert found.architecture.filters == 4
    assert found.provenance == {"trained": False}
    for name, weights in expected.weights.items():
        assert np.array_equal(found.weights[name], weights)
    assert list(versions(run, GAME, 1)) == [0, 60]


def test_what_is_no_run_with_versions_is_told(run, tmp_path):
    with pytest.raises(BadParameter, match=r"`checkpoints` \(=0\)"):
        versions(run, GAME, 0)
    with pytest.raises(RunError, match="has kept no versions"):
        versions(tmp_path / "nothing", GAME, 3)
    with pytest.raises(ModelError, match="is for tictactoe, not for connect4"):
        versions(run, zermelo.game("connect4"), 3)
    (run / "config.toml").write_text("seed = many")
    with pytest.raises(RunError, match=r"config\.toml cannot be used"):
        versions(run, GAME, 3)

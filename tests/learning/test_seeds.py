"""The systems of the five texts: their configurations are whole, and run."""

import dataclasses
import re
from pathlib import Path

import pytest

from cli.command import refused, succeed
from zermelo.learning.config import TrainConfig, build, completed, differences, read_toml
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.architecture import SEEDS, Architecture

SEEDS_DIRECTORY = Path("configs/seeds")
FILES = sorted(SEEDS_DIRECTORY.glob("*.toml"))
NETWORKS = {
    "000-tictactoe": "seed000-tictactoe",
    "000-connect4": "seed000-connect4",
    "001-gomoku": "seed001",
    "002-connect4": "seed002",
    "003-tictactoe": "seed003-tictactoe",
    "003-connect4": "seed003-connect4",
    "004-othello": "seed004",
}
SMALL = {
    "network.filters": "8",
    "selfplay.parallel": "8",
    "selfplay.search.simulations": "6",
    "rounds.games": "8",
    "rounds.positions": "0",
    "replay.window": "2000",
}
"""A round of a second or so, otherwise as the file says."""
MEASURES = {"watch.games": "0", "watch.graded": "0"}
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def values(path):
    return read_toml(path.read_text())


def shrunken(path):
    """The configuration of a file, small; a gate, if it has one, with two games."""
    gate = {"gate.games": "2", "gate.simulations": "4"} if values(path)["gate"]["games"] else {}
    return {**SMALL, **MEASURES, **gate}


def test_each_system_has_a_file_and_a_network():
    assert {path.stem for path in FILES} == set(NETWORKS)
    assert set(NETWORKS.values()) == set(SEEDS)


@each_file
def test_nothing_comes_from_the_preset_of_the_game(path):
    assert differences(completed(values(path), {}), build(TrainConfig, values(path))) == []


@each_file
def test_what_zermelo_adds_is_switched_off(path):
    config = completed(values(path), {})
    search = config.selfplay.search
    assert search.variant == "puct"
    assert not search.proofs
    assert search.chains == 0
    assert not search.gumbel_noise
    assert (config.selfplay.warm_games, config.selfplay.random_share, config.selfplay.full_share) == (
        0,
        0,
        1,
    )
    assert (config.replay.search_weight, config.replay.surprise, config.replay.merge) == (0, 0, False)
    assert (config.learner.average, config.learner.clip, config.learner.warm_up) == (0, 0, 0)
    assert config.learner.rate_at(0, 0.0) == config.learner.rate_at(10**6, 1.0) == config.learner.rate


@each_file
def test_the_network_is_the_one_with_its_name(path):
    network = values(path)["network"]
    assert set(network) == {field.name for field in dataclasses.fields(Architecture)}
    assert Architecture(**network) == Architecture.preset(NETWORKS[path.stem])


@each_file
def test_each_value_says_where_it_comes_from(path):
    """Values without a word are those that switch something off, and those that stay without effect."""
    plain = {"0", "0.0", "false"}
    for line in path.read_text().partition("[watch]")[0].splitlines():
        found = re.fullmatch(r"(\w+) = ([^#]+?)\s*(#.*)?", line)
        assert not found or found[3] or found[2] in plain, line


@each_file
def test_a_round_is_played_learnt_from_and_judged(path, tmp_path):
    config = completed(values(path), shrunken(path))
    run = Run(tmp_path / "run", config)
    (done,) = run.train(Limits(rounds=1))
    assert done.games == 8
    assert done.steps > 0
    assert done.rate == config.learner.rate
    assert (done.gate is not None) == (config.gate.games > 0)
    assert run.model().encoding == config.encoding


def test_the_command_line_takes_such_a_file(tmp_path):
    path, directory = SEEDS_DIRECTORY / "000-tictactoe.toml", tmp_path / "run"
    words = ["train", "tictactoe", "--config", path, "--run", directory, "--rounds", 1]
    for key, value in shrunken(path).items():
        words += ["--set", f"{key}={value}"]
    assert "round 1: 8 games" in succeed(*words)
    kept = build(TrainConfig, read_toml((directory / "config.toml").read_text()))
    assert differences(kept, completed(values(path), shrunken(path))) == []


def test_a_file_is_for_its_game():
    error = refused("train", "tictactoe", "--config", SEEDS_DIRECTORY / "000-connect4.toml")
    assert "000-connect4.toml is for connect4, not for tictactoe" in error


def test_the_page_of_seeds_names_the_files():
    page = Path("docs/seeds.md").read_text()
    assert set(re.findall(r"`configs/seeds/(\S+)\.toml`", page)) == set(NETWORKS)

import dataclasses

import pytest

from zermelo.errors import BadParameter
from zermelo.games.registry import game as named_game
from zermelo.learning.config import TrainConfig, build, completed, differences, read_toml, write_toml
from zermelo.learning.replay import bytes_per_position


def test_a_configuration_is_written_whole_and_read_back():
    config = completed({"game": "connect4"}, {"selfplay.search.first_play": "nan", "learner.rate": "1e-3"})
    text = write_toml(config)
    again = build(TrainConfig, read_toml(text))
    assert differences(config, again) == []
    assert write_toml(again) == text
    assert again.learner.rate == 1e-3
    for table in ("[network]", "[selfplay]", "[selfplay.search]", "[learner]"):
        assert table in text


def test_what_is_not_given_stays_the_default():
    plain = completed({"game": "connect4"}, {})
    changed = completed(
        {"game": "connect4", "network": {"blocks": 2}}, {"selfplay.search.simulations": "7"}
    )
    assert changed.network == dataclasses.replace(plain.network, blocks=2)
    assert changed.selfplay.search == plain.selfplay.search.but(simulations=7)
    assert differences(plain, changed) == [
        f"network.blocks: {plain.network.blocks}, not 2",
        f"selfplay.search.simulations: {plain.selfplay.search.simulations}, not 7",
    ]


@pytest.mark.parametrize("game", ["examples/draughts.py", "openspiel:breakthrough(rows=6,columns=6)"])
def test_rules_in_plain_python_have_smaller_networks_and_first_games(game):
    if game.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    config = completed({"game": game}, {})
    assert (config.network.blocks, config.network.filters) == (3, 32)
    assert (config.selfplay.warm_games, config.selfplay.warm_simulations) == (400, 0)
    assert config.selfplay.endgame_positions == 0


def test_the_replay_window_of_a_large_game_fits_into_memory():
    pytest.importorskip("pyspiel")
    config = completed({"game": "openspiel:chess"}, {})
    assert 1000 < config.replay.window <= 1e9 / bytes_per_position(named_game("openspiel:chess"))


@pytest.mark.parametrize(
    ("values", "changes", "message"),
    [
        ({}, {}, "`game` is missing"),
        ({"game": "connect4", "lerner": {}}, {}, "`lerner` is not a part of the configuration"),
        ({"game": "connect4"}, {"learner.speed": "3"}, "`learner.speed` is not a part"),
        ({"game": "connect4"}, {"learner.rate": "fast"}, r"`learner.rate` \(=fast\) must be a number"),
        ({"game": "connect4"}, {"learner.rate": "-1"}, "rate"),
        ({"game": "connect4"}, {"rounds.uses": "0"}, "uses"),
        ({"game": "connect4"}, {"network.blocks": "2.5"}, "must be a whole number"),
        ({"game": "connect4"}, {"network": "3"}, "must be a table"),
        ({"game": "connect4"}, {"selfplay.search.variant": "best"}, "variant"),
    ],
)
def test_what_is_wrong_is_named(values, changes, message):
    with pytest.raises(BadParameter, match=message):
        completed(values, changes)


def test_a_file_that_is_not_toml_is_told():
    with pytest.raises(BadParameter, match="not TOML"):
        read_toml("a = = 3")


def test_without_presets_what_a_file_does_not_say_has_the_default_of_all_games():
    known, preset = completed({"game": "connect4"}, {}, presets=False), completed({"game": "connect4"}, {})
    assert (known.encoding, known.selfplay.search.chains) == ("", 0)
    assert preset.encoding == "lines"
    assert preset.selfplay.search.chains > 0

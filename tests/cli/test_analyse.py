import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.command import refused, succeed


def test_a_search_finds_the_win():
    answer = json.loads(succeed("analyse", "connect4", "--moves", "1 2 1 2 1 2", "--json"))
    assert answer["proven"] is True
    assert answer["value"] == 1.0
    assert answer["line"] == ["1"]
    assert (
        answer["candidates"][0].items() >= {"move": "1", "value": 1.0, "proven": True, "plies": 1}.items()
    )
    text = succeed("analyse", "connect4", "--moves", "4 4 4", "--player", "uct:sims=500")
    assert "player 2 to move: " in text


def test_perfect_knows_the_outcome_of_every_move(tmp_path):
    """The first moves of Connect 4: Allis and Allen, 1988."""
    words = ("analyse", "connect4", "--player", "perfect")
    answer = json.loads(succeed(*words, "--json", ZERMELO_CACHE=str(tmp_path)))
    assert (answer["value"], answer["proven"], answer["mover"]) == (1.0, True, 0)
    found = {row["move"]: (row["value"], row["plies"]) for row in answer["candidates"]}
    assert (found["4"], found["3"], found["2"], found["1"]) == ((1, 41), (0, 0), (-1, 42), (-1, 40))
    assert (found["5"], found["6"], found["7"]) == (found["3"], found["2"], found["1"])
    lines = succeed(*words, ZERMELO_CACHE=str(tmp_path)).splitlines()
    assert lines[8].split() == ["4", "wins", "in", "41", "moves"]
    assert lines[9].split() == ["3", "draws"]
    assert lines[-2].split() == ["7", "loses", "in", "40", "moves"]
    assert lines[-1] == "player 1 to move: wins in 41 moves"


def test_perfect_solves_other_games_too():
    text = succeed("analyse", "examples/nim.py:heap=6", "--player", "perfect")
    assert "wins in 3 moves" in text


def test_minimax_tells_its_best_moves():
    answer = json.loads(
        succeed("analyse", "connect4", "--moves", "1 2 1 2 1 2", "--player", "minimax:depth=2", "--json")
    )
    assert [row["move"] for row in answer["candidates"]] == ["1"]
    assert answer["proven"] is True


def test_a_proven_value_between_a_draw_and_a_win_is_called_neither(tmp_path):
    text = Path("examples/nim.py").read_text()
    (tmp_path / "half.py").write_text(text.replace("-1.0", "-0.5").replace("1.0", "0.5"))
    words = ("analyse", "half.py:heap=5", "--player", "minimax:depth=6")
    answer = json.loads(succeed(*words, "--json", cwd=tmp_path))
    assert (answer["value"], answer["proven"]) == (0.5, True)
    assert answer["candidates"] == [{"move": "1", "value": 0.5, "proven": True}]
    lines = succeed(*words, cwd=tmp_path).splitlines()
    assert lines[-2].split() == ["1", "75%"]
    assert lines[-1].startswith("player 1 to move: 75%")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--moves", "1 2 1 2 1 2 1"], "the game is over"),
        (["--player", "random"], "`random` cannot tell what it thinks"),
        (["--player", "human"], "`human` cannot tell what it thinks"),
        (["--moves", "9"], "`9` is not legal in connect4"),
        (["--seed", "-1"], "Must be >= 0"),
        (["--seed", str(2**63)], "Must be <= 9223372036854775807"),
    ],
    ids=str,
)
def test_wrong_input(words, message):
    assert message in refused("analyse", "connect4", *words)


def test_the_tree_of_a_search_as_a_picture(tmp_path):
    words = ("analyse", "tictactoe", "--moves", "5 1", "--player", "uct:sims=50", "--json")
    answer = json.loads(succeed(*words, "--tree", "tree.svg", cwd=tmp_path))
    picture = (tmp_path / "tree.svg").read_text()
    ElementTree.fromstring(picture)
    for row in answer["candidates"]:
        assert f"N {row['visits']}  Q {row['value']:.2f}" in picture
    line = refused("analyse", "tictactoe", "--player", "perfect", "--tree", "tree.svg")
    assert line == "error: `perfect` searches no tree that could be drawn; try uct:sims=20000"


@pytest.mark.parametrize(("game", "simulations"), [("connect4", 2000), ("connect:rows=5,cols=4", 20000)])
def test_the_adviser_is_the_trained_player_where_one_ships(game, simulations):
    found = json.loads(succeed("analyse", game, "--moves", "2 3", "--json"))
    assert found["simulations"] == simulations

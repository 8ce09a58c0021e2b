import json
import re
import signal
import subprocess
import sys

import pytest

import zermelo
from cli.command import refused, succeed
from zermelo.learning.config import completed, write_toml
from zermelo.network.model import untrained, write_model

WITH = ["--with", "random", "--with", "uct:sims=20"]


@pytest.fixture
def run(tmp_path):
    """The directory of a run with two versions."""
    config = completed({"game": "tictactoe"}, {"network.blocks": "1", "network.filters": "4"})
    (tmp_path / "config.toml").write_text(write_toml(config))
    for number in (10, 20):
        model = untrained(zermelo.game("tictactoe"), config.network, seed=number)
        write_model(model, tmp_path / "versions" / f"{number:06d}.safetensors")
    return tmp_path


def test_json_is_complete(run):
    answer = json.loads(succeed("tournament", "tictactoe", run, *WITH, "--games", 4, "--sims", 2, "--json"))
    assert list(answer) == ["game", "players", "pairs", "anchor", "fit", "seconds"]
    assert list(answer["players"][0]) == [
        "name", "version", "rating", "interval", "seed002", "games", "wins", "draws", "losses",
        "superiority",
    ]  # fmt: skip
    assert list(answer["pairs"][0]) == ["a", "b", "wins", "draws", "losses"]
    players = {one["name"]: one for one in answer["players"]}
    assert set(players) == {"v0", "v10", "v20", "random", "uct:sims=20"}
    assert len(answer["pairs"]) == 10
    ratings = [one["rating"] for one in answer["players"]]
    assert ratings == sorted(ratings, reverse=True)
    for name, one in players.items():
        assert one["games"] == one["wins"] + one["draws"] + one["losses"] == 16
        assert one["interval"][0] <= one["rating"] <= one["interval"][1]
        own = [pair for pair in answer["pairs"] if name in (pair["a"], pair["b"])]
        assert one["wins"] == sum(pair["wins" if pair["a"] == name else "losses"] for pair in own)
    assert players["v0"]["rating"] == players["v0"]["seed002"] == 100
    assert players["v20"]["version"] == 20
    assert answer["fit"]["interval"][0] <= answer["fit"]["per_version"] <= answer["fit"]["interval"][1]


def test_text_tells_table_crosstable_and_increase(run):
    words = ["--games", 4, "--sims", 2, "--checkpoints", 1, "--picture", run / "r.png"]
    text = succeed("tournament", "tictactoe", run, *WITH, *words)
    table, cross, fit = text.split("\n\n")
    assert table.startswith("tictactoe: 4 players\n")
    assert re.search(r"v0 +100 +anchor +12 ", table)
    assert {line.split()[1] for line in table.splitlines()[2:]} == {"v0", "v20", "random", "uct:sims=20"}
    assert [line.split()[0] for line in cross.splitlines()[1:]] == ["1", "2", "3", "4"]
    assert fit.startswith("fitted increase per version")
    assert (run / "r.png").exists()
    assert (run / "r.svg").exists()
    assert len((run / "tournament.jsonl").read_text().splitlines()) == 6


def test_anchor_and_gauntlet(run):
    words = [run, *WITH, "--games", 2, "--sims", 2, "--anchor", "uct:sims=20=1500", "--gauntlet", "--json"]
    answer = json.loads(succeed("tournament", "tictactoe", *words))
    assert answer["anchor"] == {"name": "uct:sims=20", "rating": 1500.0}
    assert {(pair["a"], pair["b"]) for pair in answer["pairs"]} == {
        (version, other) for version in ("v0", "v10", "v20") for other in ("random", "uct:sims=20")
    }
    alone = json.loads(
        succeed("tournament", "tictactoe", *WITH, "--with", "perfect", "--games", 2, "--gauntlet", "--json")
    )
    assert {pair["a"] for pair in alone["pairs"]} == {"random"}
    assert alone["anchor"] == {"name": "random", "rating": 0.0}
    assert alone["fit"] is None


def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(tmp_path):
    kept = tmp_path / "kept.jsonl"
    players = ["--with", "random", "--with", "uct:sims=1", "--with", "uct:time=1"]
    words = ["tournament", "connect4", *players, "--games", "20", "--record", str(kept)]
    command = [sys.executable, "-m", "zermelo", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if kept.exists():
            break
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped; the same command goes on" in said
    assert 1 <= len(kept.read_text().splitlines()) < 3


def test_a_match_ends_when_it_is_clear():
    words = ["match", "connect4", "uct:sims=60", "random", "--sprt", "-100,100"]
    answer = json.loads(succeed(*words, "--json"))
    assert answer["games"] < 100
    assert list(answer["sprt"]) == ["elo0", "elo1", "alpha", "beta", "ratio", "bounds", "pairs", "verdict"]
    assert answer["sprt"]["verdict"] == "elo1"
    assert answer["sprt"]["ratio"] > answer["sprt"]["bounds"][1]
    text = succeed(*words, "--games", "2")
    assert "open: -100 or 100 Elo, 2 games do not tell; log likelihood ratio" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tournament", "tictactoe"], "at least two players, not 0; name a run, or players with --with"),
        (["tournament", "tictactoe", "nowhere"], "nowhere is not the directory of a run"),
        (["tournament", "tictactoe", *WITH, "--sims", "3"], "there is no run"),
        (["tournament", "tictactoe", *WITH, "--picture", "x.png"], "there is no run"),
        (["tournament", "tictactoe", *WITH, "--anchor", "random"], "is not of the form NAME=RATING"),
        (
            ["tournament", "tictactoe", *WITH, "--anchor", "rando=1"],
            "the anchor `rando` does not take part",
        ),
        (["tournament", "tictactoe", *WITH, "--games", "3"], "must be even"),
        (["tournament", "tictactoe", *WITH, "--with", "human"], "people do not take part"),
        (["match", "connect4", "random", "random", "--sprt", "5"], "is not of the form ELO0,ELO1"),
        (["match", "connect4", "random", "random", "--sprt", "5,0"], "must be less than"),
        (["match", "connect4", "random", "random", "--sprt", "0,5", "--games", "3"], "must be even"),
    ],
    ids=str,
)
def test_wrong_input(words, message):
    assert message in refused(*words)

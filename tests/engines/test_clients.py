"""Other engines as players: those that misbehave lose, the match goes on, and nothing is left of them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import zermelo
from cli.command import succeed
from zermelo.engines.uci_player import written
from zermelo.errors import BadParameter, Forfeit, UnsuitableGame
from zermelo.web.catalogue import Catalogue
from zermelo.web.models import Models

BAD = Path(__file__).parent / "bad_engine.py"
ZERMELO = f"{sys.executable} -m zermelo"


def bad(protocol, fault, moves=1, options="patience=2"):
    return zermelo.player(f"{protocol}:{options} {sys.executable} {BAD} {protocol} {fault} {moves}")


def is_alive(pid):
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def gone(pids, seconds=10):
    end = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(is_alive, pids))


def started(path):
    """The engines and their children that were started, from the file in which they tell it."""
    return [int(word) for word in path.read_text().split()] if path.exists() else []


# Names.


@pytest.mark.parametrize(
    "name",
    [
        "gtp:gtp-rhino",
        "gtp:gnugo --mode gtp --level 1,2 a=b",
        "gtp:time=0.5 patience=3 'a program' x=1",
        "gomocup:memory=100 pbrain-x",
        "uci:time=0.1 variant=breakthrough fairy-stockfish",
    ],
)
def test_names_tell_the_command_line_and_come_back(name):
    player = zermelo.player(name)
    assert player.name == name
    assert zermelo.player(player.name) == player


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gtp", "needs the command line of an engine"),
        ("gtp:", "needs the command line of an engine"),
        ("gtp:time=1", "needs the command line of an engine"),
        ("gtp:time=-1 x", "`time` (=-1.0) must be at least 0"),
        ("gtp:patience=0 x", "`patience` (=0.0) must be at least 0.01"),
        ("gtp:time=soon x", "must be a number"),
        ("gtp:'x", "is not a command line"),
        ("uci:time=0 x", "must be more than 0"),
    ],
)
def test_wrong_names(name, message):
    with pytest.raises(BadParameter) as error:
        zermelo.player(name)
    assert message in str(error.value)


def test_an_engine_that_is_not_there_is_told_before_anybody_plays():
    with pytest.raises(BadParameter, match="the engine `no-such-engine` is not there"):
        zermelo.match(
            zermelo.game("tictactoe"), zermelo.player("gtp:no-such-engine"), zermelo.player("random")
        )


def test_a_program_that_is_no_engine_is_told_before_anybody_plays():
    with pytest.raises(UnsuitableGame, match="cannot play tictactoe: the engine ended with exit code"):
        zermelo.match(zermelo.game("tictactoe"), zermelo.player("gtp:true"), zermelo.player("random"))


def test_games_that_a_protocol_does_not_know():
    random = zermelo.player("random")
    for name, game in [("gomocup:cat", "connect4"), ("gtp:patience=0.2 cat", "examples/nim.py")]:
        with pytest.raises(UnsuitableGame):
            zermelo.match(zermelo.game(game), zermelo.player(name), random, games=2)


@pytest.mark.parametrize("name", ["gtp:cat", "gomocup:cat", "uci:cat", "gtp", "gtp:patience=1 cat"])
def test_no_engine_can_be_named_from_the_browser(name):
    catalogue = Catalogue(Models([]))
    with pytest.raises(zermelo.ZermeloError, match="no opponent is called"):
        catalogue.player(name, zermelo.game("tictactoe"))


# How engines lose.

FAULTS = {
    "hang": "gave no answer to `{}` in time",
    "crash": "ended with exit code 3: out of luck",
    "signal": "was ended by signal 11",
    "cheat": "which is not a legal move",
    "nonsense": "which is not a legal move",
    "flood": "wrote a line of more than 1048576 bytes",
    "babble": "lines as its answer to",
    "refuse": "I do not like this",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_gtp_engine_that_misbehaves_loses_and_the_match_goes_on(fault, tmp_path, monkeypatch):
    monkeypatch.setenv("CHILD", str(tmp_path / "children"))
    engine, game = bad("gtp", fault), zermelo.game("tictactoe")
    result = zermelo.match(game, engine, zermelo.player("random"), games=2, openings=0)
    assert (result.wins, result.losses) == (0, 2)
    for number, position in enumerate(result.positions):
        assert FAULTS[fault].format("genmove " + "bw"[number]) in position.forfeit
        assert position.forfeit.startswith(f"{engine.name} lost: the engine ")
        assert position.returns == ((-1.0, 1.0) if number == 0 else (1.0, -1.0))
        assert len(position.moves) == 2 + number  # each game began anew, and had one good move
    assert len(started(tmp_path / "children")) == 4
    assert gone(started(tmp_path / "children"))


@pytest.mark.parametrize("fault", ["hang", "crash", "cheat", "refuse"])
def test_a_gomocup_engine_that_misbehaves_loses_too(fault):
    result = zermelo.match(
        zermelo.game("gomoku:size=5"), bad("gomocup", fault), zermelo.player("random"), games=2, openings=0
    )
    assert result.losses == 2
    assert all(FAULTS[fault].format("TURN")[:8] in position.forfeit for position in result.positions)


def test_an_engine_may_resign():
    result = zermelo.match(
        zermelo.game("tictactoe"), bad("gtp", "resign"), zermelo.player("random"), games=1, openings=0
    )
    assert result.positions[0].forfeit.endswith("lost: the engine resigned")


def test_the_reason_is_in_the_record_and_in_what_the_command_tells(tmp_path):
    words = ["match", "tictactoe", bad("gtp", "crash").name, "random", "--games", "2", "--openings", "0"]
    answer = json.loads(succeed(*words, "--record", tmp_path / "games.jsonl", "--json"))
    assert answer["losses"] == 2
    assert [one["game"] for one in answer["forfeits"]] == [1, 2]
    first, second = map(json.loads, (tmp_path / "games.jsonl").read_text().splitlines())
    assert first["result"].startswith("player 2 wins: gtp:patience=2 ")
    assert first["result"].endswith("lost: the engine ended with exit code 3: out of luck")
    assert second["returns"] == [1.0, -1.0]


def test_a_forfeited_game_is_over():
    position = zermelo.game("tictactoe").position("5")
    ended = position.forfeited(1, "left the room")
    assert ended.is_over
    assert ended.returns == (1.0, -1.0)
    assert ended.moves == position.moves
    assert not position.is_over
    with pytest.raises(zermelo.ZermeloError, match="the game is over"):
        ended.play("1")


def test_a_player_that_forfeits_in_lock_step_loses_that_game_alone():
    class Moody(type(zermelo.player("random"))):
        kind = "moody"

        def choose(self, positions, seeds):
            if any(position.moves[:1] == (4,) for position in positions):
                raise Forfeit("does not like the middle")
            return super().choose(positions, seeds)

    result = zermelo.match(
        zermelo.game("tictactoe"), Moody(), zermelo.player("random"), games=40, openings=1
    )
    middle = [position for position in result.positions if position.moves[:1] == (4,)]
    assert 0 < len(middle) < 40
    assert all(position.forfeit for position in middle)
    assert not any(position.forfeit for position in result.positions if position not in middle)


# Ends.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_the_engine_and_what_it_started(number, tmp_path):
    words = ["match", "tictactoe", bad("gtp", "deaf", 0, "patience=60").name, "random", "--games", "2"]
    process = subprocess.Popen(
        [*ZERMELO.split(), *words],
        env={**os.environ, "CHILD": str(tmp_path / "children")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    end = time.monotonic() + 60
    while not started(tmp_path / "children") and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(number)
    assert process.wait(60) in (130, 128 + signal.SIGTERM)
    process.stdout.close()
    assert len(started(tmp_path / "children")) == 2
    assert gone(started(tmp_path / "children"))


def test_a_player_that_is_forgotten_leaves_no_process(tmp_path, monkeypatch):
    monkeypatch.setenv("CHILD", str(tmp_path / "children"))
    player = bad("gtp", "deaf", 5)
    position = zermelo.game("tictactoe").position()
    player.choose([position], [0])
    assert all(map(is_alive, started(tmp_path / "children")))
    player.close()
    assert gone(started(tmp_path / "children"))
    player.choose([position], [0])  # it comes back when it is needed
    del player
    assert gone(started(tmp_path / "children"))


# Moves.


def test_rows_of_breakthrough_are_counted_from_the_first_player_as_engines_do():
    game = zermelo.game("openspiel:breakthrough")
    start = game.position()
    assert written(start)[start.parse("a7b6")] == "a2b3"
    second = start.play("a7b6")
    assert written(second)[second.parse("h2h3")] == "h7h6"


def test_chess_is_written_from_cell_to_cell():
    game = zermelo.game("openspiel:chess")
    castling = game.position("e4 e5 Nf3 Nc6 Bc4 Bc5")
    assert "e1g1" in written(castling).values()


def test_our_own_engine_plays_our_own_engine_through_gtp():
    """The same player, the same seed: what is chosen through the protocol is what is chosen without it."""
    game = zermelo.game("connect4")
    inside, outside = (
        zermelo.player("az:sims=20"),
        zermelo.player(f"gtp:{ZERMELO} gtp connect4 --player az:sims=20"),
    )
    one = zermelo.match(game, inside, outside, games=2, seed=1)
    two = zermelo.match(game, inside, inside, games=2, seed=1)
    assert [position.moves for position in one.positions] == [position.moves for position in two.positions]
    assert not any(position.forfeit for position in one.positions)


def test_our_own_engine_plays_through_gomocup():
    game = zermelo.game("gomoku:size=6")
    outside = zermelo.player(f"gomocup:time=5 {ZERMELO} gomocup --player greedy")
    result = zermelo.match(game, outside, zermelo.player("random"), games=2)
    assert not any(position.forfeit for position in result.positions)
    assert result.wins == 2


def test_a_tournament_has_engines_too():
    engine = zermelo.player(f"gtp:{ZERMELO} gtp tictactoe --player az")
    players = [zermelo.player("random"), engine]
    result = zermelo.tournament(zermelo.game("tictactoe"), players, games=2)
    assert result.pairing("random", engine.name).wins == 0

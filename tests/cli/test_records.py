import json
from xml.etree import ElementTree

import pytest

from cli.command import refused, run, succeed

SGF = "(;GM[2]SZ[8]PB[Ann]PW[Bob]RE[B+R]DT[2020-02-02];B[fe];W[fd];B[ec])(;GM[2]SZ[8];B[aa])"


@pytest.fixture
def games(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.sgf").write_text(SGF)
    return tmp_path


def test_convert(games):
    told = run("records", "convert", "games.sgf", "games.jsonl")
    assert told.stdout == "1 game written to games.jsonl\n"
    problem = "left out: games.sgf, game 2, move 1: `aa` is not legal; legal: d3 c4 f5 e6"
    assert told.stderr.splitlines()[-1] == problem
    assert json.loads((games / "games.jsonl").read_text()) == {
        "game": "othello", "players": ["Ann", "Bob"], "moves": ["f5", "f4", "e3"], "returns": [1.0, -1.0],
        "result": "player 2 resigned", "date": "2020-02-02",
    }  # fmt: skip


def test_convert_tells_as_json(games):
    told = json.loads(
        succeed("records", "convert", "games.sgf", "games.sgf", "out.txt", "--to", "ggf", "--json")
    )
    assert (told["games"], told["left_out"], told["format"], told["files"]) == (2, 2, "ggf", ["out.txt"])
    assert told["problems"][1]["game"] == 2
    assert (games / "out.txt").read_text().count("(;GM[Othello]") == 2


@pytest.mark.parametrize(
    ("words", "trouble"),
    [
        (["convert", "games.sgf"], "give two files or more"),
        (["convert", "games.sgf", "games.sgf"], "games.sgf exists; --replace writes over it"),
        (["convert", "games.sgf", "out.doc"], "the ending of out.doc is none of .jsonl"),
        (["convert", "games.sgf", "out.psq"], "there is no game to write to out.psq"),
        (["convert", "games.sgf", "out.jsonl", "--from", "ggf"], "there is no game to write"),
        (["convert", "games.sgf", "out.jsonl", "--from", "gif"], "no format of records is called `gif`"),
        (["convert", "nothing.sgf", "out.jsonl"], "there is no file `nothing.sgf`"),
        (["show", "games.sgf", "--number", "2"], "games.sgf, game 2, move 1: `aa` is not legal"),
        (
            ["show", "games.sgf", "--number", "3"],
            "games.sgf has no game 3; the last that can be read is game 1",
        ),
        (["show", "games.sgf", "--number", "1", "--moves", "4"], "game 1 has 3 moves, not 4"),
        (["draw", "games.sgf", "game.gif"], "game.gif must end in .svg or .png"),
    ],
)
def test_mistakes_are_told_in_one_line(words, trouble, games):
    assert trouble in refused("records", *words)
    assert (games / "games.sgf").read_text() == SGF


def test_show_lists_games(games):
    told = succeed("records", "show", "games.sgf")
    assert told.split()[:6] == ["number", "game", "players", "moves", "result", "date"]
    assert "Ann - Bob" in told
    assert told.endswith("1 game\n")


def test_show_a_position(games):
    one = ["records", "show", "games.sgf", "--number", "1"]
    assert "5 . . . X X X . ." in succeed(*one, "--moves", "1")
    assert json.loads(succeed(*one, "--json"))["moves"] == ["f5", "f4", "e3"]


def test_show_as_json(games):
    told = json.loads(succeed("records", "show", "games.sgf", "--json"))
    assert (told["games"], told["left_out"], len(told["records"])) == (1, 1, 1)


def test_draw_numbers_the_moves(games):
    succeed("records", "draw", "games.sgf", "game.svg", "--moves", "2")
    texts = [
        element.text
        for element in ElementTree.parse(games / "game.svg").iter()
        if element.tag.endswith("text")
    ]
    assert texts[-2:] == ["2", "1"]  # f4 is above f5
    succeed("records", "draw", "games.sgf", "game.png")
    assert (games / "game.png").read_bytes().startswith(b"\x89PNG")

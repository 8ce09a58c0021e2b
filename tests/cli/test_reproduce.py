import json

import pytest

from cli.command import refused, succeed
from zermelo.figures import Figure, read_figures, write_figures

LINES = Figure(
    "perft.3", "lines of three moves", "zermelo perft tictactoe 3 --json", {"game": "tictactoe"}, "nodes"
)
DEPTH = Figure("perft.depth", "how deep", LINES.command, {"game": "tictactoe"}, "depth", value=7)


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.jsonl"
    write_figures(path, [LINES, DEPTH])
    return path


def test_without_an_id_figures_are_listed(results):
    said = succeed("reproduce", "--results", results)
    assert "perft.3" in said
    assert "not measured" in said
    listed = json.loads(succeed("reproduce", "--results", results, "--json"))["figures"]
    assert [(one["id"], one["value"]) for one in listed] == [("perft.3", None), ("perft.depth", 7)]


def test_an_id_is_whole_where_the_terminal_is_narrow(tmp_path):
    name = "an.id.that.is.longer.than.most"
    write_figures(tmp_path / "results.jsonl", [Figure(name, 20 * "words ", 20 * "zermelo ", {}, "x")])
    assert name in succeed("reproduce", "--results", tmp_path / "results.jsonl", COLUMNS="60")


def test_a_figure_is_measured_again_and_both_are_shown(results):
    found = json.loads(succeed("reproduce", "perft.depth", "--results", results, "--json"))
    assert (found["before"]["value"], found["now"]["value"]) == (7, 3)
    assert found["now"]["cpu_seconds"] > 0
    assert read_figures(results) == [LINES, DEPTH], "nothing is written unless it is to be kept"


def test_what_a_command_yields_is_kept(results):
    said = succeed("reproduce", "perft.depth", "--results", results, "--keep")
    assert [line.split()[:2] for line in said.splitlines()[2:]] == [["then", "7"], ["now", "3"]]
    assert [one.value for one in read_figures(results)] == [9 * 8 * 7, 3]


def test_what_is_wrong_is_said_in_a_line(tmp_path, results):
    assert "Did you mean `perft.3`?" in refused("reproduce", "perft.33", "--results", results)
    assert "in a checkout" in refused("reproduce", "perft.3", "--results", str(tmp_path / "none"))

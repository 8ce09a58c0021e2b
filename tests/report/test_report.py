"""Reports of short runs."""

import json
import re
from base64 import b64encode
from xml.etree import ElementTree

import pytest

from learning.test_run import quick, trained
from zermelo.errors import IllegalMove, RunError
from zermelo.learning.history import History
from zermelo.learning.run import Run
from zermelo.network.model import write_model
from zermelo.report.charts import Chart
from zermelo.report.improvement import improvement
from zermelo.report.opinions import opinions, turn_seconds
from zermelo.report.page import Table
from zermelo.report.writing import write_report


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "run"
    one, _ = trained(path, 48)
    one.measure("strength", {"against": {"random": 0.75}, "mistakes": 0.125, "mistakes_alone": 0.5})
    return path


def test_a_history_is_what_the_manifest_says(run):
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"round": 4, "ga')  # a run that goes on writes this now
    found = History.read(run)
    assert [one["round"] for one in found.rounds] == [1, 2, 3]
    assert found.measures[-1]["against"] == {"random": 0.75}
    assert found.game.name == "tictactoe"
    games = found.latest_games(3)
    assert len(games) == 3
    assert all(one.is_over for one in games)


def test_a_page_and_its_pictures(run, tmp_path):
    path = write_report(run, tmp_path / "out", simulations=20)
    text = path.read_text()
    outside = re.findall(r'(?:src|href)="(?!#|data:)', text.replace("xlink:href", "href"))
    assert not outside
    assert "<script" not in text
    sections = ["Learning", "What it thinks", "Games", "Time for a move", "Network", "Make it again"]
    assert re.findall(r"<h2>([^<]*)</h2>", text) == sections
    names = set(re.findall(r'<figure[^>]* id="([^"]*)"', text))
    assert {"losses", "strength", "mistakes", "lengths", "results", "speed", "position-1-policy", "game-1",
            "seconds", "turns", "network"} <= names  # fmt: skip
    for name in names:
        assert (tmp_path / "out/pictures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        svg = (tmp_path / "out/pictures" / f"{name}.svg").read_text()
        assert svg in text or b64encode(svg.encode()).decode() in text
    assert text.count("<style") == 1 + text.count('<style type="text/css">*{stroke-linejoin'), (
        "the style of one picture does not touch another"
    )
    assert "zermelo train tictactoe" in text
    assert "48 games" in text


def test_positions_can_be_chosen(run, tmp_path):
    text = write_report(run, tmp_path, simulations=5, positions=["5 1", "1 2 3"]).read_text()
    assert "After 5 1<" in text
    assert "After 1 2 3<" in text
    assert "At the start" not in text
    assert "position-3-policy" not in text
    with pytest.raises(IllegalMove):
        write_report(run, tmp_path, positions=["5 5"])


def test_turns_are_timed_one_by_one(run):
    (game,) = History.read(run).latest_games(1)
    seconds = turn_seconds(str(run), game, 3)
    assert len(seconds) == len(game.moves)
    assert all(0 < one < 60 for one in seconds)


def test_opinions_tell_the_winning_move(run):
    position = History.read(run).game.position("1 4 2 5")
    (one,) = opinions(str(run), [position], 50)
    move, _, value, _ = one.lines()[0]
    assert (move, value) == ("3", 1.0)
    assert one.principal == "3"


def test_a_game_without_a_board_has_bars_instead_of_maps(tmp_path):
    trained(tmp_path / "nim", 16, quick("examples/nim.py"))
    text = write_report(tmp_path / "nim", simulations=10).read_text()
    names = set(re.findall(r'<figure[^>]* id="([^"]*)"', text))
    assert {"position-1", "position-1-moves"} <= names
    assert "position-1-policy" not in names
    assert "game-1" not in names, "games are a table of their moves"
    assert re.search(r"<td class=words>(\d )+\d</td><td>\d+</td><td class=words>the (first|second)", text)


def test_bars_tell_the_same_as_maps(run):
    game = History.read(run).game
    won, start = (one.bars for one in opinions(str(run), [game.position("1 4 2 5"), game.position()], 50))
    assert (won.moves[0], won.values[0]) == ("3", 1.0)
    assert sorted(won.moves) == ["3", "6", "7", "8", "9"]
    assert [sum(shares) for shares in start.shares.values()] == pytest.approx([1, 1])
    svg, _ = won.pictures()
    words = {text.text for text in ElementTree.fromstring(svg).iter() if text.text}
    assert {"network alone", "after the search", "value", *won.moves} <= words


def test_values_fit_into_cells(run):
    game = History.read(run).game
    won, start = opinions(str(run), [game.position("1 4 2 5"), game.position()], 50)
    assert won.value_map is not None
    assert start.value_map is not None
    assert "1" in re.findall(r'style="fill:#fff">([^<]*)</text>', won.value_map)
    words = re.findall(r'style="fill:#fff">([^<]*)</text>', start.value_map)
    assert len(words) == 9
    assert all(re.fullmatch(r"-?1|0|-?\.\d\d", word) for word in words)


def test_versions_are_rated_and_an_untrained_network_has_a_hundred(tmp_path):
    run, _ = trained(tmp_path / "run", 32)
    history = History.read(tmp_path / "run")
    assert list(improvement(history, 3, lambda _: None)) == []
    write_model(run.model(), run.directory.version(2))
    ((name, chart, caption),) = improvement(history, 3, lambda _: None)
    assert (name, list(chart.versions.values())) == ("ratings", [0, 2])
    untrained, later = (chart.ratings.rating(version) for version in chart.versions)
    assert untrained == 100
    assert f"increase: {(later - untrained) / 2:.1f} " in caption
    assert "rating, with 95 %" in chart.pictures()[0], "as a tournament draws them"
    assert (tmp_path / "run/tournament.jsonl").exists()


def test_what_is_no_run_is_told(tmp_path):
    with pytest.raises(RunError, match=r"not the directory of a run: .*manifest\.json is missing"):
        write_report(tmp_path)
    Run(tmp_path / "new", quick())
    with pytest.raises(RunError, match="has no round yet"):
        write_report(tmp_path / "new")
    (tmp_path / "new/manifest.json").write_text(json.dumps({"bytes": 3}))
    with pytest.raises(RunError, match="cannot be read"):
        write_report(tmp_path / "new")


def test_a_chart_takes_the_colour_of_the_text_around_it():
    chart = Chart("Losses", "x", "y", {"a": ([1, 2, 3], [3.0, 2.0, 1.0]), "b": ([1, 3], [1.0, 1.0])})
    svg, data = chart.pictures()
    assert "currentColor" in svg
    assert "#010203" not in svg
    assert {"x", "y", "a", "b"} <= {text.text for text in ElementTree.fromstring(svg).iter() if text.text}
    assert data.startswith(b"\x89PNG")
    assert chart.pictures()[0] == svg, "the same each time"


def test_logarithms_are_numbered_as_people_write_them():
    chart = Chart("Time", "x", "y", {"a": ([1, 800], [20.0, 90.0])}, logarithmic=True)
    words = {text.text for text in ElementTree.fromstring(chart.pictures()[0]).iter() if text.text}
    assert {"1", "10", "100", "20", "50"} <= words


def test_a_table_has_numbers_on_the_right_and_words_on_the_left():
    html = Table(["position", "visits", "line"], [["1 2", "1,234", "3 4"], ["", "5 ms", ""]]).html()
    assert "<th class=words>position</th><th>visits</th><th class=words>line</th>" in html
    assert "<td>1,234</td>" in html

"""Figures, measured by a real script in a real checkout."""

import json
import subprocess
from pathlib import Path

import pytest

from zermelo.errors import FigureError, UnknownName
from zermelo.figures import (
    Figure,
    Table,
    filled,
    find_figure,
    measured_again,
    quoted_ids,
    read_figures,
    shown,
    write_figures,
)

ROOT = Path(__file__).parent.parent
SCRIPT = """
import json
print("beginning")
for seed in range(3):
    print(json.dumps({"what": "run", "seed": seed, "found": {"share": 0.125 * seed}, "runs": [seed, 3]}))
print(json.dumps({"what": "total", "points": 1234}))
"""
TOTAL = Figure("total", "points of all", "python script.py", {"what": "total"}, "points")
SHARE = Figure(
    "share.last", "share of the last", "python script.py", {"what": "run"}, "found.share", form=".1%"
)
RUNS = Figure(
    "runs", "all of them", "python script.py", {"what": "run"}, rows=("seed", "found.share", "runs")
)


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("A page.\n")
    write_figures(tmp_path / "results.jsonl", [TOTAL, SHARE, RUNS])
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_a_command_yields_all_of_its_figures(checkout):
    other = Figure("other", "", "python other.py", {}, "x")
    total, share, runs = measured_again([TOTAL, other, SHARE, RUNS], "python script.py", checkout)
    assert (total.value, share.value) == (1234, 0.25)
    assert runs.value == [{"seed": s, "found.share": 0.125 * s, "runs": [s, 3]} for s in range(3)]
    assert 0 < total.cpu_seconds < 60
    assert len(total.commit) >= 7
    assert total.machine
    for unimportant in ("results.jsonl", "docs/page.md"):
        (checkout / unimportant).write_text("changed\n")
        assert measured_again([TOTAL], "python script.py", checkout)[0].commit == total.commit
    (checkout / "script.py").write_text(SCRIPT + "\n")
    assert measured_again([TOTAL], "python script.py", checkout)[0].commit == total.commit + "+"


def test_figures_are_read_as_they_were_written(checkout):
    found = measured_again([TOTAL, SHARE, RUNS], "python script.py", checkout)
    bare = Figure("bare", "", "python script.py", {}, "points")
    write_figures(checkout / "results.jsonl", [*found, bare])
    assert read_figures(checkout / "results.jsonl") == [*found, bare]


def test_documents_quote_figures_and_rows(checkout):
    found = measured_again([TOTAL, SHARE, RUNS], "python script.py", checkout)
    text = (
        "It won 7<!-- total --> points, and (0 %<!-- share.last -->) at last; 5<!-- is none! -->.\n"
        "<!-- rows of runs: seed | found.share .1% | runs .1f -->\n"
        "| seed | share | mean |\n|---|---:|---:|\n| 9 | 9 | 9 |\n<!-- end of rows -->\n"
    )
    wanted = (
        "It won 1,234<!-- total --> points, and (25.0 %<!-- share.last -->) at last; 5<!-- is none! -->.\n"
        "<!-- rows of runs: seed | found.share .1% | runs .1f -->\n"
        "| seed | share | mean |\n|---|---:|---:|\n"
        "| 0 | 0.0 % | 1.5 |\n| 1 | 12.5 % | 2.0 |\n| 2 | 25.0 % | 2.5 |\n<!-- end of rows -->\n"
    )
    assert filled(text, found) == wanted
    assert filled(wanted, found) == wanted
    with pytest.raises(UnknownName, match=r"no figure `totals`.*total"):
        filled("1<!-- totals -->", found)


def test_what_is_not_measured_is_said_and_filled_in_later():
    text = "It won 7<!-- total --> points of many.\n"
    unknown = filled(text, [TOTAL])
    assert unknown == "It won not measured<!-- total --> points of many.\n"
    assert filled(unknown, [TOTAL]) == unknown
    known = Figure(**{**vars(TOTAL), "value": 8})
    assert filled(unknown, [known]) == "It won 8<!-- total --> points of many.\n"


@pytest.mark.parametrize(
    "text",
    [
        "<!-- table of two -->\n\n| a |\n\n<!-- table of two -->\n| a |\n<!-- end of table -->\n",
        "<!-- table of two -->\nand no end\n",
        "<!-- rows of two: a -->\nno heading\n<!-- end of rows -->\n",
    ],
)
def test_a_table_without_its_end_is_told_and_nothing_is_lost(text):
    one = Figure(
        "two", "both", "python script.py", {}, "table", value={"title": "", "columns": [], "rows": []}
    )
    with pytest.raises(FigureError, match=r"1 of its tables"):
        filled(text, [one])


def test_documents_hold_tables():
    value = {
        "title": "Two",
        "columns": ["who", "won", "share"],
        "rows": [["a", 1234, 0.5], ["b", None, 33.333]],
    }
    table = Table(**value).markdown
    assert table.splitlines() == [
        "Two:",
        "",
        "| who |   won | share |",
        "| --- | ----: | ----: |",
        "| a   | 1,234 |  0.50 |",
        "| b   |       |  33.3 |",
    ]
    narrow = Table("One", ["a", "b"], [[1, "x|y"]]).markdown
    assert narrow.splitlines()[2:] == ["|  a | b    |", "| -: | ---- |", "|  1 | x\\|y |"]
    one = Figure("two", "both", "python script.py", {}, "table", value=value)
    text = "Before.\n\n<!-- table of two -->\nold\n\n| x |\n<!-- end of table -->\n\nAfter.\n"
    wanted = f"Before.\n\n<!-- table of two -->\n{table}\n<!-- end of table -->\n\nAfter.\n"
    assert filled(text, [one]) == wanted
    assert filled(wanted, [one]) == wanted


@pytest.mark.parametrize(("value", "form", "wanted"), [
    ({"rows": [1, 2]}, ",", "2 rows"), (None, ",", "not measured"),
    (1234567.8, ",.0f", "1,234,568"), (0.5, ".1%", "50.0 %"),
    ("yes", ",", "yes"), ([1, 2], ".1f", "1.5"), ([], ",", "not measured"),
])  # fmt: skip
def test_how_values_are_shown(value, form, wanted):
    assert shown(value, form) == wanted


@pytest.mark.parametrize(("changes", "wrong"), [
    ({"where": {"what": "nothing"}}, "printed no line with"),
    ({"field": "found.points"}, "no `found.points`"),
    ({"command": "rm script.py"}, "does not begin with one of: zermelo, python"),
    ({"command": "python gone.py"}, "ended with 2"),
])  # fmt: skip
def test_a_figure_that_cannot_be_measured_says_why(checkout, changes, wrong):
    one = Figure(**{**vars(SHARE), **changes})
    with pytest.raises(FigureError, match=wrong):
        measured_again([one], one.command, checkout)


@pytest.mark.parametrize(("line", "wrong"), [
    ("{", "line 2 is no figure"), ('{"id": "a"}', "line 2 is no figure"), ("[]", "line 2 is no figure"),
    (json.dumps(vars(TOTAL)), "line 2: `total` is there twice"),
])  # fmt: skip
def test_a_damaged_file_names_the_line(tmp_path, line, wrong):
    path = tmp_path / "results.jsonl"
    write_figures(path, [TOTAL])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(FigureError, match=wrong):
        read_figures(path)
    with pytest.raises(FigureError, match="in a checkout"):
        read_figures(tmp_path / "gone.jsonl")


def test_documents_quote_what_was_measured():
    figures = read_figures(ROOT / "results.jsonl")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = path.read_text()
        assert filled(text, figures) == text, f"{path.name}: run python benchmarks/quote.py"


def test_every_figure_is_quoted_somewhere():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    quoted = set().union(*(quoted_ids(page.read_text()) for page in pages))
    assert {one.id for one in read_figures(ROOT / "results.jsonl")} - quoted == set()


def test_every_figure_was_measured_and_says_how():
    for one in read_figures(ROOT / "results.jsonl"):
        assert one.value is not None, one.id
        assert one.about
        assert one.commit
        assert one.machine
        assert one.cpu_seconds > 0
        assert bool(one.field) != bool(one.rows)
        assert find_figure([one], one.id) is one

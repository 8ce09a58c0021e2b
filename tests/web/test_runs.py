"""Runs on the page, while they go on."""

import json

import pytest

from web.conftest import PATIENCE, Running
from zermelo.learning.config import TrainConfig, write_toml
from zermelo.learning.directory import BEGINNING


class FakeRun:
    """The directory of a run, written round by round as training writes it."""

    def __init__(self, path, loss):
        self.path, self.loss, self.rounds = path, loss, 0
        path.mkdir()
        (path / "config.toml").write_text(write_toml(TrainConfig(game="tictactoe")))
        games = [{"game": "tictactoe", "number": i, "moves": ["1", "4", "2", "5", "3"],
                  "returns": [1.0, -1.0]} for i in range(8)]  # fmt: skip
        (path / "games.jsonl").write_text("".join(json.dumps(game) + "\n" for game in games))
        self.round()

    def round(self):
        self.rounds += 1
        line = {"round": self.rounds, "seconds": 60.0 * self.rounds, "positions": 1000 * self.rounds,
                "policy_loss": self.loss / self.rounds, "value_loss": 0.5, "mean_length": 7.5,
                "first_wins": 0.5, "draws": 0.25}  # fmt: skip
        measure = {"what": "strength", "round": self.rounds, "mistakes": 0.02, "mistakes_alone": 0.125,
                   "against": {"random": 0.9}}  # fmt: skip
        for name, one in (("metrics.jsonl", line), ("measures.jsonl", measure)):
            with (self.path / name).open("a") as file:
                file.write(json.dumps(one) + "\n")
        sizes = {name: (self.path / name).stat().st_size for name in BEGINNING["bytes"]}
        manifest = {**BEGINNING, "rounds": self.rounds, "seconds": line["seconds"], "games": 256,
                    "positions": line["positions"], "bytes": sizes}  # fmt: skip
        (self.path / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def runs(tmp_path):
    return [FakeRun(tmp_path / "first", 2.0), FakeRun(tmp_path / "second", 3.0)]


def test_two_runs_are_compared_and_followed_while_they_go_on(runs, browser):
    server = Running(runs=[run.path for run in runs])
    context = browser.new_context()
    try:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(server.address)
        page.wait_for_selector("#runs .legend:has-text('first: policy 2')")
        assert page.locator("#runs .legend:has-text('second: policy 3')").count() == 1
        titles = page.locator("#runs .grid h2").all_inner_texts()
        assert titles[:4] == ["Losses", "Mistakes", "Strength", "Ratings"]
        runs[0].round()
        page.wait_for_selector("#runs .legend:has-text('first: policy 1')")
        page.locator("#runs label:has-text('second') input").uncheck()
        page.wait_for_selector("#runs .legend:has-text('second')", state="detached")
        page.locator("#runs .games button").first.click()
        page.wait_for_selector("#panel-moves [data-ply='5']")
        assert page.inner_text("#title") == "Tic-Tac-Toe"
    finally:
        context.close()
        server.stop()


def test_a_run_that_cannot_be_read_is_told_without_its_path(runs):
    server = Running(runs=[run.path for run in runs])
    try:
        (runs[0].path / "manifest.json").write_text("{")
        told = server.hub.runs.told("first")
        assert "cannot be read" in told["trouble"]
        assert str(runs[0].path) not in json.dumps(told)
        assert "trouble" not in server.hub.runs.told("second")
    finally:
        server.stop()

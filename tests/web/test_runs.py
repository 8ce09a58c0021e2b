"""Runs on the page, while they go on."""

import json

import pytest

from web.conftest import PATIENCE, Running
from zermelo.arena.mistakes import mistakes
from zermelo.exact.sets import shipped
from zermelo.games import registry
from zermelo.learning.config import TrainConfig, write_toml
from zermelo.learning.directory import BEGINNING
from zermelo.network.architecture import Architecture
from zermelo.network.model import untrained, write_model
from zermelo.players.az import AzPlayer


class FakeRun:
    """The directory of a run, written round by round as training writes it."""

    def __init__(self, path, loss, game="tictactoe", measured=True):
        self.path, self.loss, self.rounds, self.measured = path, loss, 0, measured
        self.game = registry.game(game)
        (path / "versions").mkdir(parents=True)
        (path / "config.toml").write_text(write_toml(TrainConfig(game=game)))
        games = [{"game": game, "number": i, "moves": ["1", "4", "2", "5", "3"],
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
        network = untrained(self.game, Architecture(blocks=1, filters=4), seed=self.rounds)
        for name in ("best", f"versions/{self.rounds:06d}"):
            write_model(network, self.path / f"{name}.safetensors")
        for name, one in (("metrics.jsonl", line), ("measures.jsonl", measure))[: 1 + self.measured]:
            with (self.path / name).open("a") as file:
                file.write(json.dumps(one) + "\n")
        sizes = {name: (self.path / name).stat().st_size if (self.path / name).exists() else 0
                 for name in BEGINNING["bytes"]}  # fmt: skip
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
        assert [title.split()[0] for title in titles[:5]] == [
            "Losses",
            "Mistakes",
            "Strength",
            "Ratings",
            "Speed",
        ]
        assert page.locator("#runs .grid canvas").count() >= 4, "they are drawn"
        page.select_option("#over", "time")
        page.wait_for_selector("#runs .legend:has-text('first: policy 2')")
        runs[0].round()
        page.wait_for_selector("#runs .legend:has-text('first: policy 1')")
        page.locator("#runs label:has-text('second') input").uncheck()
        page.wait_for_function(
            "() => !document.querySelector('#runs .grid').textContent.includes('second:')"
        )
        page.locator("#runs .games button").first.click()
        page.wait_for_selector("#panel-moves [data-ply='5']")
        assert page.inner_text("#title") == "Tic-Tac-Toe"
    finally:
        context.close()
        server.stop()


def test_every_version_is_an_opponent_with_its_mistakes_also_while_the_run_goes_on(runs, browser):
    runs[0].round()
    server = Running(runs=[runs[0].path])
    context = browser.new_context()
    try:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(server.address)
        page.click("[data-page=play]")
        page.wait_for_selector("#board > *")
        page.click("#new")
        page.click("#dialog label:has-text('Tic-Tac-Toe')")
        page.click("#dialog label:has-text('Run first')")
        said = page.locator("#dialog output").first
        assert said.inner_text() == "as it is now, after round 2: 12.5% mistakes"
        runs[0].round()
        page.wait_for_selector("#dialog output:has-text('after round 3')")
        page.locator("#dialog input[aria-label=Version]").fill("1")
        assert said.inner_text() == "after round 2: 12.5% mistakes"
        page.locator("#dialog label:has-text('Second')").click()
        page.click("#begin")
        page.wait_for_selector("#seat-above:has-text('Run first, round 2')")
        page.wait_for_selector("#panel-moves [data-ply='1']")
    finally:
        context.close()
        server.stop()


def test_what_a_run_has_not_measured_is_graded_by_the_set_of_its_game(tmp_path):
    run = FakeRun(tmp_path / "third", 2.0, "connect4", measured=False)
    server = Running(runs=[run.path])
    try:
        server.hub.ready.result(60)
        for _ in range(30):  # as a visitor asks, who gets what is known by then
            words, _ = server.hub.grades.of_run("third")
            if "yet" not in words[1]:
                break
        asked = [one for one in shipped(run.game, "plies-10-16") if one.is_telling][:300]
        share = mistakes(AzPlayer(model=str(run.path / "best.safetensors"), sims=0), asked).share
        assert words == {1: f"{share:.1%} mistakes"}
        told = server.hub.runs.told_with("third", server.hub.grades.versions("third"))
        charts = {chart["title"]: chart["lines"] for chart in told["charts"]}
        assert charts["Mistakes"] == {"versions, network alone": [(1000, share)]}
    finally:
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

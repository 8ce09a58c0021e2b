"""The public names: each has an example that runs, and takes names or objects."""

import doctest
import inspect
import io
import json

import pytest

import zermelo as zm
from zermelo.arena.tournament import Entry
from zermelo.errors import BadParameter, ClusterError, ModelError
from zermelo.games import registry
from zermelo.learning.trained import TrainedModel, TrainedRun
from zermelo.players import registry as players

SMALL = {
    "network.blocks": 1, "network.filters": 8, "rounds.games": 16, "selfplay.parallel": 16,
    "watch.graded": 0,
}  # fmt: skip


@pytest.fixture
def _forgotten(monkeypatch):
    """What a test registers is not known to others."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    monkeypatch.setattr(players, "_registered", dict(players._registered))


@pytest.mark.usefixtures("_forgotten")
@pytest.mark.parametrize("name", zm.__all__)
def test_the_example_of_a_public_name_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = getattr(zm, name)
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(found), {}, name, None, 0)
    assert test.examples, f"{name} has no example"
    report = io.StringIO()
    runner = doctest.DocTestRunner()
    runner.run(test, out=report.write)
    assert not runner.failures, report.getvalue()


class Ten(zm.PythonGame):
    """Count on by 1, 2 or 3; who says ten wins. A class that no name leads to, as in a notebook."""

    family, num_actions, max_length, input_shape = "ten", 3, 10, (11,)

    def start(self):
        return 0, 0

    def mover(self, state):
        return state[1]

    def legal(self, state):
        return range(min(3, 10 - state[0]))

    def play(self, state, action):
        return state[0] + action + 1, 1 - state[1]

    def returns(self, state):
        won = (1.0, -1.0) if state[1] == 1 else (-1.0, 1.0)
        return won if state[0] == 10 else None

    def encode(self, state):
        return [float(state[0] == number) for number in range(11)]

    def draw_state(self, state):
        return f"said: {state[0]}"


def test_names_and_objects_are_the_same():
    game, uct, lots = zm.game("tictactoe"), zm.player("uct:sims=20"), zm.player("random")
    assert zm.game(game) is game
    assert zm.player(uct) is uct
    by_name = zm.match("tictactoe", "uct:sims=20", "random", games=6)
    by_object = zm.match(game, uct, lots, games=6)
    assert by_name.positions == by_object.positions
    assert zm.grade("tictactoe", "az:sims=0").total == zm.grade(game, zm.player("az:sims=0")).total
    table = zm.tournament(
        "tictactoe", ["random", uct, Entry("me", zm.load("tictactoe").player(8))], games=2
    )
    assert sorted(table.ratings.names) == ["me", "random", "uct:sims=20"]
    assert zm.check("tictactoe", games=5).games == zm.check(game, games=5).games == 5


def test_what_is_no_game_or_player_is_refused():
    with pytest.raises(BadParameter, match=r"did you mean Ten\(\)\?"):
        zm.check(Ten)
    with pytest.raises(BadParameter, match=r"7 is no player"):
        zm.match("tictactoe", 7, "random")


# Analysis.


def test_an_analysis_agrees_with_the_command_and_the_solver():
    """The first moves of Connect 4 that do not lose: Allis and Allen, 1988."""
    exact = zm.analyse("connect4", player="perfect")
    assert {move.move: move.value for move in exact.moves} == {
        "4": 1, "3": 0, "5": 0, "2": -1, "6": -1, "1": -1, "7": -1,
    }  # fmt: skip
    assert (exact.best.move, exact.best.outcome.plies, exact.value, exact.proven) == ("4", 41, 1.0, True)
    assert exact["3"].action == exact[2].action == 2


def test_an_analysis_by_search_has_visits_policy_and_prior():
    found = zm.analyse("connect4", "4 4 3", player="az:sims=60")
    assert sum(move.visits for move in found.moves) == found.simulations == 60
    assert sum(move.policy for move in found.moves) == pytest.approx(1)
    assert sum(move.prior for move in found.moves) == pytest.approx(1, abs=1e-5)
    assert found.best.visits == max(move.visits for move in found.moves)
    assert found.player == "az:sims=60"
    assert found.line_names[0] == found.best.move
    alone = zm.analyse("connect4", "4 4 3", player="az:sims=0")
    assert [move.policy for move in alone.moves] == sorted((m.prior for m in alone.moves), reverse=True)


def test_positions_and_actions_lead_to_the_same_analysis():
    game = zm.game("connect4")
    asked = {"player": "uct:sims=50", "seed": 3}
    found = zm.analyse("connect4", "4 4 3", **asked)
    assert zm.analyse(game, [3, 3, 2], **asked) == zm.analyse(game.position("4 4 3"), **asked) == found
    assert zm.analyse(game.position("4 4"), "3", **asked) == found


def test_an_analysis_is_shown_in_a_notebook():
    html = zm.analyse("connect4", "4 4 3", player="uct:sims=50")._repr_html_()
    assert html.count("<tr>") == 8
    assert "data:image/svg+xml" in html
    svg = zm.analyse("tictactoe", "1 4 2 5", player="perfect")._repr_svg_()
    assert ">100%</text>" in svg
    assert "|||" in zm.analyse("examples/nim.py", player="perfect")._repr_svg_()


@pytest.mark.parametrize(
    ("moves", "player", "trouble"),
    [("", "random", "cannot tell what it thinks"), ("5 1 4 2 6", "perfect", "the game is over")],
)
def test_what_cannot_be_analysed_is_said(moves, player, trouble):
    with pytest.raises(BadParameter, match=trouble):
        zm.analyse("tictactoe", moves, player=player)


# Networks.


def test_a_network_that_ships_plays_and_analyses():
    network = zm.load("gomoku8")
    assert type(network) is TrainedModel
    assert network.game == zm.game("gomoku:size=8")
    assert network.best.name == "gomoku8.safetensors"
    assert repr(network) == "zermelo.load('gomoku8')"
    assert network.player(sims=7).sims == 7
    assert zm.load(network.best).model.game == "gomoku:size=8"


def test_what_is_no_network_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"there is no network at nobody; .* gomoku8"):
        zm.load("nobody")
    (tmp_path / "x.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError):
        zm.load(tmp_path / "x.safetensors")
    with pytest.raises(BadParameter, match=r"az:model=net\.onnx"):
        zm.load("net.onnx")


# Training.


def test_a_run_is_a_player_and_goes_on(tmp_path, capfd):
    class Count(zm.Callback):
        rounds = games = 0

        def game_ends(self, run, game):
            self.games += 1

        def round_ends(self, run, done):
            self.rounds += 1

    count = Count()
    asked = {"run": tmp_path / "run", "settings": SMALL, "progress": False}
    run = zm.train("tictactoe", rounds=1, callbacks=[count], **asked)
    assert (run.path, run.best, run.game) == (
        tmp_path / "run",
        tmp_path / "run/best.safetensors",
        zm.game("tictactoe"),
    )
    assert (count.rounds, len(run.history)) == (1, 1)
    assert count.games == run.history[0]["games"] >= 16
    again = zm.train("tictactoe", rounds=3, run=tmp_path / "run", progress=False)
    assert [row["round"] for row in run.history] == [1, 2, 3]
    assert len(zm.train("tictactoe", rounds=2, **asked).history) == 3
    assert (tmp_path / "run/log.txt").read_text().count("round ") == 3
    assert capfd.readouterr() == ("", "")
    loaded = zm.load(tmp_path / "run")
    assert isinstance(loaded, TrainedRun)
    assert repr(loaded) == repr(again) == f"zermelo.load('{tmp_path}/run')"
    assert zm.match("tictactoe", run, loaded.player(sims=5), games=2).a == f"az:model={tmp_path}/run"
    assert run.analyse("5", sims=5).simulations == 5
    begun = zm.train("tictactoe", rounds=1, from_=run, **{**asked, "run": tmp_path / "other"})
    assert json.loads((begun.path / "manifest.json").read_text())["start"]["game"] == "tictactoe"


@pytest.mark.usefixtures("_forgotten")
def test_a_game_of_a_notebook_is_trained(tmp_path, monkeypatch):
    """By this process alone: another would not know its class."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    with pytest.raises(ClusterError, match="workers know no game `ten`"):
        zm.train(Ten(), rounds=1, run=tmp_path / "run", settings=SMALL, ray="local")
    run = zm.train(Ten(), rounds=1, run=tmp_path / "run", settings=SMALL, progress=False)
    assert run.game == Ten()
    assert zm.match(Ten(), run, "random", games=2).games == 2


def test_progress_is_a_line_for_each_round_where_nothing_moves(tmp_path, capsys):
    zm.train("tictactoe", rounds=2, run=tmp_path / "run", settings=SMALL)
    said = capsys.readouterr()
    assert [line.split(":")[0] for line in said.out.splitlines()] == ["round 1", "round 2"]
    assert "beginning" in said.err
    zm.train("tictactoe", rounds=2, run=tmp_path / "run")
    assert "has reached this already: 2 rounds" in capsys.readouterr().err


def test_progress_is_a_panel_in_a_notebook(tmp_path):
    """In the shell that a notebook's kernel has, but for the wires to a browser."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    class ZMQInteractiveShell(InteractiveShell):
        pass

    shell = ZMQInteractiveShell.instance()
    try:
        shell.display_pub = CapturingDisplayPublisher()
        shell.user_ns.update(zm=zm, path=tmp_path / "run", small=SMALL)
        done = shell.run_cell("run = zm.train('tictactoe', rounds=3, run=path, settings=small)")
        done.raise_error()
        panels = [o for o in shell.display_pub.outputs if o["transient"]]
    finally:
        ZMQInteractiveShell.clear_instance()
    assert len({one["transient"]["display_id"] for one in panels}) == 1
    assert [one["update"] for one in panels[:2]] == [False, True]
    assert "losses" in panels[-1]["data"]["text/plain"]
    assert any("measuring its strength" in one["data"]["text/plain"] for one in panels)
    assert "measuring its strength" not in panels[-1]["data"]["text/plain"]
    assert "text/html" in panels[-1]["data"]


@pytest.mark.parametrize(
    ("asked", "trouble"),
    [
        ({"minutes": 0}, r"`minutes` \(=0\) must be above 0"),
        ({"mistakes": 2}, r"`mistakes` \(=2\) must be from 0 to 1"),
        ({"settings": {"learner.rat": 1}}, "`learner.rat` is not a part"),
        ({"workers": 2}, "give `ray` too"),
        ({"config": "nothing.toml"}, "nothing.toml cannot be read"),
    ],
)
def test_what_cannot_be_trained_is_said_before_anything_is_written(asked, trouble, tmp_path):
    with pytest.raises(BadParameter, match=trouble):
        zm.train("tictactoe", run=tmp_path / "run", **asked)
    assert not (tmp_path / "run").exists()

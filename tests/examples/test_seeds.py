"""The experiments of the texts: each runs, draws its picture, and finds what must be true."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import bandits
import connect4_matches
import draws_in_training
import elo_by_version
import experiment
import heat_maps
import hyperparameters
import numpy as np
import opponents
import othello
import positions
import pytest
import search_time
import thesis_figures
import uct_iterations

import zermelo
from zermelo.arena.match import MatchResult
from zermelo.figures import Table
from zermelo.network import shipped
from zermelo.network.architecture import Architecture
from zermelo.network.model import read_model, untrained, write_model
from zermelo.players.perfect import PerfectPlayer

SCRIPTS = {"bandits", "connect4_matches", "draws_in_training", "elo_by_version", "heat_maps",
           "hyperparameters", "othello", "positions", "search_time", "thesis_figures",
           "uct_iterations"}  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """An untrained network for Connect 4."""
    path = tmp_path_factory.mktemp("models") / "connect4.safetensors"
    write_model(untrained(zermelo.game("connect4"), Architecture(blocks=1, filters=8)), path)
    return path


def told(script, out, capsys, *words):
    """What a script prints with --quick, when its pictures have been seen to be there."""
    script.main(["--quick", "--out", str(out), *map(str, words)])
    name = script.__name__
    assert (out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in (out / f"{name}.svg").read_text()
    said = capsys.readouterr()
    assert "of processor time." in said.err
    return said.out


def rows(text, title):
    """The lines of a printed table, as lists of cells."""
    _, _, rest = text.partition(title)
    table = rest.split("\n\n")[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_every_script_is_told_of_in_the_docs():
    page = Path("docs/experiments.md").read_text()
    assert [name for name in SCRIPTS if f"examples/seeds/{name}.py" not in page] == []
    files = {path.stem for path in Path("examples/seeds").glob("*.py")}
    assert files >= SCRIPTS


# Bandits.


def test_ucb_regrets_less_than_epsilon_greedy(tmp_path, capsys):
    greedy, ucb = rows(told(bandits, tmp_path, capsys), "100 bandits")
    assert (greedy[0], ucb[0]) == ("epsilon-greedy", "UCB")
    assert (greedy[1], ucb[1]) == ("3,974.5", "4,357.4")
    assert float(ucb[5]) < float(greedy[5]) / 2


def test_regret_is_what_the_best_arm_would_have_given():
    many, played = bandits.measure(50, 200, 0)
    for found in played.values():
        assert found.taken.sum(1).tolist() == [200] * 50
        expected = (many.means.max(1, keepdims=True) - many.means) * found.taken
        assert np.allclose(found.regrets.sum(1), expected.sum(1))


def test_epsilon_greedy_explores_a_tenth_of_the_time():
    Q, N = np.zeros((100_000, 10)), np.zeros((100_000, 10))
    Q[:, 3] = 1
    chosen = bandits.epsilon_greedy(Q, N, 5, np.random.default_rng(0))
    assert (chosen == 3).mean() == pytest.approx(0.91, abs=0.01)


def test_ucb_tries_every_arm_first_and_then_follows_its_equation():
    Q, N = np.array([[1.0, 0.0, 0.0]]), np.array([[1.0, 1.0, 0.0]])
    random = np.random.default_rng(0)
    assert bandits.ucb(Q, N, 3, random) == [2]
    # 1 + 2 sqrt(ln 103 / 100) = 1.43, 2 sqrt(ln 103 / 2) = 3.04, 2 sqrt(ln 103 / 1) = 4.31
    assert bandits.ucb(Q, np.array([[100.0, 2.0, 1.0]]), 103, random) == [2]
    assert bandits.ucb(Q, np.array([[1.0, 51.0, 51.0]]), 103, random) == [0]


# UCT against players that cannot be beaten.


def test_uct_never_wins_and_draws_more_with_more_iterations(tmp_path, capsys):
    text = told(uct_iterations, tmp_path, capsys)
    assert "UCT won 0 of all 240 games." in text
    few, many = rows(text, "by iterations")
    assert (few[0], many[0]) == ("20", "1,200")
    for low, high in zip(few[2:], many[2:], strict=True):
        assert int(low) < 5
        assert int(high) >= 9
    greedy, exploring = rows(text, "by C")
    for seat in (2, 4):  # as the second player
        assert int(greedy[seat]) < int(exploring[seat])


# Training.


def test_draws_are_measured_along_the_way(tmp_path, capsys):
    text = told(draws_in_training, tmp_path, capsys)
    during = rows(text, "with 10 simulations")
    assert [line[0] for line in during] == ["0", "16", "32"]
    assert all(0 <= int(line[2]) <= 10 for line in during)
    assert [line[:3] for line in rows(text, "after training")] == [["1", "87", ""], ["20", "", ""]]
    known = read_model(tmp_path / draws_in_training.MODEL)
    assert known.provenance["games"] == 32


def test_a_perfect_player_always_draws_as_second():
    assert draws_in_training.drawn(zermelo.player("perfect"), 10, 0) == 10


def test_a_random_player_never_does_often():
    assert draws_in_training.drawn(zermelo.player("random"), 50, 0) < 15


def test_settings_are_trained_and_graded(tmp_path, capsys):
    best, worst = rows(told(hyperparameters, tmp_path, capsys), "mistakes in 4,520 positions")
    assert best[:7] == ["H", "0.01", "0.0001", "32", "1", "0.5", "48"]
    assert worst[:7] == ["B", "0.001", "0", "16", "1", "1", "13"]
    for line in (best, worst):
        alone, searched = (float(cell.replace(",", "")) for cell in line[9:11])
        assert 0 < searched < alone < 4520


def test_the_order_of_the_text_follows_from_its_draws():
    ordered = sorted(hyperparameters.SETTINGS, key=lambda one: -one.text_draws)
    assert [one.text_draws for one in ordered] == [48, 47, 47, 46, 46, 46, 44, 41, 34, 25, 25, 24, 17, 13]
    assert {one.name for one in ordered[:3]} == {"H", "I", "M"}
    # What the text says of them: all with L2, 32 filters and alpha 0.5.
    assert {(one.l2, one.filters, one.alpha) for one in ordered[:3]} == {(1e-4, 32, 0.5)}


def test_rank_correlation():
    assert hyperparameters.correlation([1, 2, 3, 4], [10, 20, 40, 80]) == pytest.approx(1)
    assert hyperparameters.correlation([1, 2, 3, 4], [8, 4, 2, 1]) == pytest.approx(-1)
    assert hyperparameters.correlation([1, 2, 3, 4], [2, 1, 4, 3]) == pytest.approx(0.6)


# Connect 4.


def test_positions_are_counted_as_published(tmp_path, capsys):
    text = told(positions, tmp_path, capsys)
    counted = [line[3] for line in rows(text, "first plies")]
    assert counted == ["1", "7", "49", "238", "1,120", "4,263", "16,422"]
    assert "NO" not in text
    assert rows(text, "All plies")[2][1:] == ["16,282,402,094,173,127,445"] * 2
    assert rows(text, "All plies")[4][1:] == ["4,531,985,219,092"] * 2


def test_stones_that_fall_are_what_a_count_of_columns_gives():
    # Two stones: 7 columns with two, or 21 pairs of columns; two colourings each.
    assert positions.fallen(2) == (7 + 21) * 2
    assert positions.heights(42) == 1
    assert sum(positions.heights(n) for n in range(43)) == 7**7


def test_matches_are_told_moving_first_and_second(tmp_path, capsys, model):
    lines = rows(told(connect4_matches, tmp_path, capsys, "--model", model), "2 games each")
    assert [line[:3] for line in lines] == [
        ["minimax:depth=5", "first", "45-5"],
        ["minimax:depth=5", "second", "35-14"],
        ["uct:sims=400", "first", "30-19"],
        ["uct:sims=400", "second", "22-23"],
    ]
    for *_, score, drawn, points, _ in lines:
        won, lost = map(int, score.split("-"))
        assert won + lost + int(drawn) == 2
        assert points == f"{(won + int(drawn) / 2) / 2:.0%}"


def test_without_a_model_it_says_what_is_missing(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shipped, "DIRECTORY", tmp_path)
    with pytest.raises(SystemExit) as end:
        connect4_matches.main(["--quick", "--out", str(tmp_path)])
    assert end.value.code == 2
    assert "no trained player for connect4 ships" in capsys.readouterr().err


def test_times_are_told_by_simulations_and_by_turn(tmp_path, capsys):
    text = told(search_time, tmp_path, capsys)
    lines, turns = rows(text, "from the empty board"), rows(text, "turn by turn")
    assert [line[0] for line in lines] == ["2", "10"]
    assert [line[0] for line in turns] == [str(turn) for turn in range(1, 12)]
    assert all(float(cell.replace(",", "")) > 0 for line in lines + turns for cell in line[1:])


def test_the_time_of_a_search_is_the_median_without_the_first(monkeypatch):
    clock, durations = [0.0], iter([100.0, 3.0, 1.0, 2.0])

    class Slow:
        def search(self, positions, seeds):
            clock[0] += next(durations)

    monkeypatch.setattr(search_time, "time", SimpleNamespace(process_time=lambda: clock[0]))
    assert search_time.seconds(Slow(), None, 3, 0) == 2.0


def test_the_third_game_of_text_003_is_won_by_its_second_player():
    position = zermelo.game("connect4").position()
    for column in search_time.GAME_3:
        position = position.play(column)
    assert position.returns == (-1.0, 1.0)


# Ratings.


def test_versions_are_rated_beside_the_figures_of_the_text(tmp_path, capsys):
    text = told(elo_by_version, tmp_path, capsys)
    versions = rows(text, "scale of the text")
    assert [line[0] for line in versions] == [f"version {number}" for number in range(6)]
    assert versions[0][1:] == ["100", "100 to 100", "100", "100"]
    increase = {line[0]: line[1:] for line in rows(text, "Figure 8")}
    assert increase["fitted increase per version"][0] == "408"
    assert increase["least increase, for theta 1.3 (63)"] == ["105", "105"]
    assert text == told(elo_by_version, tmp_path, capsys, "--run", tmp_path / "elo-quick")
    assert "matplotlib.pyplot" not in sys.modules


# Othello.


def test_othello_is_trained_and_plays(tmp_path, capsys):
    text = told(othello, tmp_path, capsys)
    assert "1 rounds, 16 games" in text
    for line in rows(text, "4 games each"):
        assert sum(map(int, line[2:5])) == 4
        assert line[0] != "minimax:depth=2" or int(line[2]) < 4


def test_games_that_differ_only_late_are_not_different():
    early = "1 2 3 2 1 2 3 4 5 4 5 4"
    positions = tuple(zermelo.game("connect4").position(f"{early} {end}") for end in ("1", "1", "6", "7"))
    result = MatchResult("connect4", "a", "b", 0, 4, 0, 0.0, positions)
    assert len({position.moves for position in positions}) == 3
    assert (opponents.different(result, 0), opponents.different(result, 1)) == (1, 1)


def test_games_with_other_moves_are_different_even_if_they_end_alike():
    ways = ["1 2 3 2", "3 2 1 2", "1 2 3 2", "1 2 3 2"]
    positions = tuple(zermelo.game("connect4").position(moves) for moves in ways)
    result = MatchResult("connect4", "a", "b", 0, 4, 0, 0.0, positions)
    assert positions[0] == positions[1]
    assert (opponents.different(result, 0), opponents.different(result, 1)) == (1, 2)


# What the network thinks.


def test_the_positions_are_what_is_said_of_them():
    outcomes, judge = [], PerfectPlayer()
    for chosen in heat_maps.POSITIONS:
        position = zermelo.game("tictactoe").position(chosen.moves)
        found = {} if position.is_over else judge.outcomes(position)
        outcomes.append({position.name(action): (o.value, o.plies) for action, o in found.items()})
    empty, force, corner, over, at_once, by_force, saving, centre = outcomes
    assert set(empty.values()) == {(0, 0)}
    assert force["5"][0] == 1
    assert [move for move, outcome in corner.items() if outcome == (1, 1)] == ["9"]
    assert over == {}
    assert {move: value for move, (value, _) in at_once.items()} == {"6": -1, "7": 1, "8": -1, "9": -1}
    assert max(by_force.values())[0] == 1
    assert (1, 1) not in by_force.values()
    assert sorted(value for value, _ in saving.values()) == [-1, 0]
    assert {move for move, (value, _) in centre.items() if value == 0} == {"1", "3", "7", "9"}


def test_opinions_are_for_the_first_player(tmp_path, capsys):
    found = rows(told(heat_maps, tmp_path, capsys), "first player")
    assert [line[3] for line in found] == ["0", "1", "1", "1", "-1", "-1", "0", "0"]
    assert found[0][6] == "1.00"  # whatever it plays, the empty board stays a draw
    assert all(-1 <= float(line[4]) <= 1 for line in found)


# All together, and what is the user's to mend.


def test_the_figures_of_the_thesis_come_into_one_directory(tmp_path, capsys, monkeypatch):
    called = []
    for part in (bandits, uct_iterations, draws_in_training, heat_maps, hyperparameters):
        monkeypatch.setattr(part, "main", lambda words, part=part: called.append((part.__name__, words)))
    thesis_figures.main(["--quick", "--json", "--seed", "3", "--out", str(tmp_path)])
    words = ["--out", str(tmp_path), "--seed", "3", "--quick", "--json"]
    trained = ["--model", str(tmp_path / draws_in_training.MODEL)]
    assert called == [
        ("bandits", words),
        ("uct_iterations", words),
        ("draws_in_training", words),
        ("heat_maps", [*words, *trained]),
        ("hyperparameters", words),
    ]


def test_the_same_seed_gives_the_same_table_and_picture(tmp_path, capsys):
    pictures = []
    for name in ("one", "other"):
        told(bandits, tmp_path / name, capsys, "--seed", 5, "--bandits", 3, "--steps", 50)
        pictures.append((tmp_path / name / "bandits.svg").read_bytes())
    assert pictures[0] == pictures[1]


def test_tables_and_facts_as_json_are_what_is_printed(tmp_path, capsys):
    printed = told(bandits, tmp_path, capsys)
    table, fact = map(json.loads, told(bandits, tmp_path, capsys, "--json").splitlines())
    assert (table["what"], fact["what"]) == ("bandits", "UCB")
    assert Table(**table["table"]).markdown in printed
    assert f"UCB gets more in {fact['better']:.1%} of the bandits." in printed


@pytest.mark.parametrize(
    ("script", "words", "reason"),
    [
        (bandits, ["--steps", "0"], "0 is not a number from 1 up"),
        (bandits, ["--seed", "-1"], "-1 is not a number from 0 up"),
        (positions, ["--plies", "43"], "43 is not from 0 to 42"),
        (hyperparameters, ["--settings", "Z"], "Z is not a setting of table 5.1"),
        (connect4_matches, ["--opponents", "random"], "random is not in table 5.5"),
        (elo_by_version, ["--set", "gate.games"], "gate.games is not KEY=VALUE"),
        (elo_by_version, ["--model", "nowhere"], "nowhere is not the directory of a run"),
        (search_time, ["--model", "runs/x"], "runs/x is not GAME=MODEL"),
        (heat_maps, ["--model", "nowhere"], "nowhere cannot be read"),
        (draws_in_training, ["--config", "nowhere"], "nowhere cannot be read"),
        (draws_in_training, ["--config", "configs/seeds/003-connect4.toml"], "is for connect4"),
    ],
)
def test_mistakes_of_the_user_are_told(script, words, reason, tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        script.main([*words, "--out", str(tmp_path)])
    assert end.value.code == 2
    assert reason in capsys.readouterr().err


def test_an_interruption_is_no_traceback(tmp_path):
    def interrupted(chosen):
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        experiment.run(interrupted, experiment.Arguments("An experiment."), [])
    assert end.value.code == experiment.INTERRUPTED


def test_a_script_finds_what_it_shares_with_the_others():
    words = [sys.executable, "examples/seeds/bandits.py", "--help"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "steps on each (1000)" in done.stdout

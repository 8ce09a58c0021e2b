"""The command line, as people type it."""

import dataclasses
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import indent

import pytest

import zermelo
from cli.command import process, refused, run, succeed
from zermelo.cli import COMMANDS, app
from zermelo.cli.bench import _evaluators
from zermelo.games.registry import game_in_file
from zermelo.players import registry


def test_help_lists_the_commands():
    text = completed("--help")
    for command in ("games", "new", "check", "perft", "bench"):
        assert command in text
    assert zermelo.__version__ in completed("--version")


def test_help_is_grouped_by_what_people_do():
    text = succeed("--help")
    titles = re.findall(r"^╭─ ([\w ]+) ─", text, re.MULTILINE)
    assert titles == ["Play", "Train", "Measure", "Games of your own", "Other programs", "Options"]
    assert text.count("Example: zermelo ") == 5


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_an_example(name):
    assert re.search(rf"^Example: .*zermelo {name}\b", succeed(name, "--help"), re.MULTILINE)


@pytest.mark.parametrize("example", [command.example for command in COMMANDS.values()])
def test_examples_are_commands_that_exist(example):
    words = shlex.split(example.removeprefix("source <(").removesuffix(")"))[1:]
    command, bound, *_ = app.parse_args(words, exit_on_error=False, print_error=False)
    assert command.__name__ in words
    assert bound.args or bound.kwargs or len(words) == 1


def completed(*words, **options):
    """What is printed by a process of its own."""
    done = process(*words, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["games"], "connect4"),
        (["new", "mine"], "wrote mine.py"),
        (["analyse", "tictactoe", "--player", "perfect", "--json"], '"proven": true'),
        (["model", "tiny", "--game", "tictactoe", "--json"], '"parameters"'),
        (["records", "show", "--help"], "--number"),
    ],
    ids=lambda one: one[0] if isinstance(one, list) else "",
)
def test_commands_are_processes(words, shown, tmp_path):
    """All other tests of these run them in the process of the tests."""
    assert shown in completed(*words, cwd=tmp_path)


def test_games():
    text = succeed("games")
    assert "connect4" in text
    assert "size=8" in text
    known = json.loads(succeed("games", "--json"))["games"]
    assert [game["name"] for game in known] == ["connect", "gomoku", "othello", "tictactoe"]
    about = json.loads(succeed("games", "othello:size=6", "--json"))
    assert about["actions"] == 37
    assert len(about["symmetries"]) == 8
    assert "a b c d e f" in succeed("games", "othello:size=6")


def test_players():
    text = succeed("players")
    assert "sims=1000 time=0 final=robust" in text
    known = {one["name"]: one for one in json.loads(succeed("players", "--json"))["players"]}
    assert list(known) == registry.names()
    assert known["minimax"]["parameters"]["depth"]["default"] == 4
    for one in known.values():
        assert one["summary"].endswith(".")
        assert all(parameter["help"].endswith(".") for parameter in one["parameters"].values()), one
    assert json.loads(succeed("players", "az:sims=3", "--json")) == known["az"]
    assert "random: Plays any legal move" in succeed("players", "random")
    assert "Did you mean `minimax`?" in refused("players", "minmax")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell):
    script = succeed("completion", shell)
    for word in ("tournament", "against", "convert"):
        assert word in script


def test_completion_in_bash(tmp_path):
    """The script is asked as bash asks it."""
    program = tmp_path / "zermelo"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m zermelo "$@"\n')
    program.chmod(0o755)
    (tmp_path / "script").write_text(succeed("completion", "bash"))
    asked = [
        ("pl",),
        ("match", "othel"),
        ("play", "connect4", "--against", "perf"),
        ("play", "examples/ni"),
        ("train", "tict"),
    ]
    lines = [f"source {tmp_path}/script"]
    for words in asked:
        given = " ".join(("zermelo", *words))
        lines += [f"COMP_WORDS=({given}); COMP_CWORD={len(words)}; _zermelo; echo ${{COMPREPLY[*]}}"]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.stdout.splitlines() == [
        "play players",
        "othello",
        "perfect",
        "examples/nim.py",
        "tictactoe",
    ]


def test_check_a_sound_game():
    text = succeed("check", "connect4", "--games", "50")
    assert "connect4 is right in 50 random games" in text
    assert "random games per second on one core" in text


def test_check_in_json():
    answer = json.loads(succeed("check", "examples/kalah.py:houses=3,seeds=2", "--games", "20", "--json"))
    assert answer["passed"] is True
    assert answer["games"] == 20
    assert sum(answer["results"].values()) == pytest.approx(1)


def test_check_a_broken_game(tmp_path):
    text = Path("examples/nim.py").read_text()
    (tmp_path / "broken.py").write_text(text.replace("(-1.0, 1.0)", "(1.0, 1.0)"))
    done = run("check", "broken.py", "--games", "100", cwd=tmp_path)
    assert done.returncode == 1
    assert "the result (1.0, 1.0) does not add up to 0" in done.stdout


def test_check_draws_the_board_beside_what_is_wrong(tmp_path):
    succeed("new", "mine", cwd=tmp_path)
    text = (tmp_path / "mine.py").read_text()
    assert "(1.0, -1.0)" in text
    (tmp_path / "mine.py").write_text(text.replace("(1.0, -1.0)", "(1.0, 1.0)"))
    problem, *_ = json.loads(run("check", "mine.py", "--games", "50", "--json", cwd=tmp_path).stdout)[
        "problems"
    ]
    drawn = str(game_in_file(tmp_path / "mine.py")().position(" ".join(problem["moves"])))
    assert problem["drawing"] == drawn
    shown = run("check", "mine.py", "--games", "50", cwd=tmp_path).stdout
    assert indent(drawn, "  ").rstrip() in shown


@pytest.mark.parametrize("kind", [[], ["--compiled"]])
def test_a_new_game_passes_its_check(kind, tmp_path):
    assert "zermelo check my_game.py" in succeed("new", "my_game", *kind, cwd=tmp_path)
    assert "class MyGame" in (tmp_path / "my_game.py").read_text()
    assert "is right" in succeed("check", "my_game.py", "--games", "50", cwd=tmp_path)
    again = run("new", "my_game", cwd=tmp_path)
    assert again.returncode == 2
    assert "my_game.py exists already" in again.stderr


def test_a_new_compiled_game_is_compiled_once(tmp_path):
    succeed("new", "mine", "--compiled", cwd=tmp_path)
    sets = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("5", "8")]  # which differ in their order
    assert "compiling" in process("perft", "mine.py:size=4", 2, cwd=tmp_path, env=sets[0]).stderr
    second = process("perft", "mine.py:size=4", 2, "--json", cwd=tmp_path, env=sets[1])
    assert "compiling" not in second.stderr
    assert json.loads(second.stdout)["nodes"] == 16 * 15


def test_the_compiled_form_is_written_beside_the_plain_rules(tmp_path):
    succeed("new", "mine", cwd=tmp_path)
    assert "Write its functions" in succeed("new", "--from-plain", "mine.py", cwd=tmp_path)
    path = tmp_path / "mine_compiled.py"
    text = path.read_text()
    assert "    def legal(self, state: State, action: int) -> bool:" in text
    assert "        # def legal(self, state: State) -> list[int]:" in text
    assert "`start` of mine_compiled is not written yet" in run("check", path.name, cwd=tmp_path).stdout

    start, legal, play, returns = text.split("raise NotImplementedError\n")[:-1]
    compiled = (Path(zermelo.__file__).parent / "cli" / "templates" / "compiled.py").read_text()
    rules = compiled[compiled.index("        for row in range") : compiled.index("    def symmetries_of")]
    written = (
        start
        + "pass"
        + legal
        + "return state.cells[action // self.size, action % self.size] == 0"
        + play
        + "state.cells[action // self.size, action % self.size] = 1 + state.mover\n"
        + "        state.mover = 1 - state.mover\n        state.moves += 1"
        + returns
        + rules.lstrip()
    )
    path.write_text(
        written.replace("array(self.board.num_cells), ", 'array(self.size, self.size), "moves": int, ')
    )
    assert "is right" in succeed("check", path.name, "--games", "50", cwd=tmp_path)
    path.write_text(path.read_text().replace("1 - state.mover", "state.mover"))
    done = run("check", path.name, "--games", "50", cwd=tmp_path)
    assert "compared with the plain rules, player 0 moves, not 1" in done.stdout


ODD_PLAIN = '''"""A plain game written in another way."""

from functools import cache
from typing import ClassVar

import numpy as np

from zermelo.games import Board, PythonGame

State = np.ndarray
"""Three rows of three cells."""
LAST = 9
TABLE = []
for i in range(3):
    TABLE.append(i)


class Corner:
    place = 8


@cache
def third(number):
    return number // 3


class Odd(PythonGame):
    """Fill the cells in any order."""

    family: ClassVar[str] = "odd"
    reads_context, num_actions = False, LAST
    max_length = 9; board = Board(3, 3)
    if LAST == 9:
        acyclic = True

    def start(self):
        return np.zeros((3, 3), int)

    def mover(self, s):
        return self.count(s) % 2

    def count(self, s):
        return int((s > 0).sum())

    def legal(self, s):
        return np.flatnonzero(s.ravel() == 0).tolist()

    def play(self, s, action):
        cells = s.copy()
        cells[third(action), action % 3] = 1 + self.mover(s)
        return cells

    def returns(self, s):
        return (0.0, 0.0) if self.count(s) == 9 else None

    def cells_of(self, s):
        return s.ravel().tolist()

    def name_action(self, s, action):
        return self.board.cell_name(action)


if __name__ == "__main__":
    print(Odd())
'''


def test_the_compiled_form_has_what_the_plain_file_declares_and_nothing_of_its_rules(tmp_path):
    (tmp_path / "odd.py").write_text(ODD_PLAIN)
    succeed("new", "--from-plain", "odd.py", cwd=tmp_path)
    text = (tmp_path / "odd_compiled.py").read_text()
    family = game_in_file(str(tmp_path / "odd_compiled.py"))
    module = sys.modules[family.__module__]
    assert (family.family, family.num_actions, family.max_length) == ("odd_compiled", 9, 9)
    assert family.acyclic
    assert (module.TABLE, module.Corner.place, module.third(8)) == ([0, 1, 2], 8, 2)
    assert "@cache\ndef third" in text
    assert {"count", "key", "name_action", "cells_of", "reads_context"}.isdisjoint(vars(family))
    assert "# The first state in plain Python: array([[0, 0, 0], [0, 0, 0], [0, 0, 0]])\n" in text
    assert "Three rows" not in text
    assert "__main__" not in text


def test_perft():
    assert succeed("perft", "othello", "6").startswith("8,200 lines of 6 moves")
    answer = json.loads(succeed("perft", "connect4", "4", "--positions", "--json"))
    assert answer["nodes"] == 2401
    assert answer["positions"] == [1, 7, 49, 238, 1120]
    assert set(answer) >= {"game", "depth", "nodes", "seconds"}


def test_bench():
    answer = json.loads(succeed("bench", "tictactoe", "--seconds", 0.2, "--json"))
    assert answer["random_games_per_second"] > 10_000
    assert 5 < answer["random_moves_per_second"] / answer["random_games_per_second"] < 9
    selfplay = answer["selfplay"]
    assert selfplay["simulations_per_second"] > 0
    assert selfplay["evaluations_per_second"] > 0
    assert 0 < selfplay["network_share"] <= 1
    assert selfplay["evaluator_efficiency"] > 0
    evaluators = answer["evaluators"]
    for name in ("onnxruntime", "pytorch"):
        assert evaluators[name].keys() == {"1", "16", "256"}
        assert all(figure > 0 for figure in evaluators[name].values())
    assert 0 <= evaluators["maximum_difference"] < 1e-4


def test_a_benchmark_of_slow_rules_ends_soon(tmp_path):
    text, head = (
        Path("examples/nim.py").read_text(),
        "def play(self, state: State, action: int) -> State:\n",
    )
    assert head in text
    top = "from __future__ import annotations\n"
    slow = text.replace(head, head + "        time.sleep(0.002)\n").replace(top, f"{top}\nimport time\n")
    (tmp_path / "slow.py").write_text(slow)
    begin = time.monotonic()
    succeed("bench", "slow.py", "--seconds", 0.1, "--json", cwd=tmp_path)
    assert time.monotonic() - begin < 15


def test_bench_compares_no_evaluators_without_pytorch(monkeypatch):
    monkeypatch.setattr("zermelo.cli.bench.find_spec", lambda name: None)
    assert _evaluators(zermelo.game("tictactoe"), 0.1) == {}


@pytest.mark.parametrize("kind", registry._BUILT_IN)
def test_the_page_of_commands_lists_the_parameters_of_players(kind):
    page = Path("docs/commands.md").read_text()
    rows = re.search(rf"^\| (?:`\w+`, )*`{kind}`.*\n(?:\| \| .*\n)*", page, re.MULTILINE)
    assert rows is not None
    told = re.findall(r"^\|[^|]*\| `(\w+)` \|", rows[0], re.MULTILINE)
    assert told == [field.name for field in dataclasses.fields(registry.kind(kind))]


WRONG = [
    (["fly"], "Unknown command"),
    (["check"], "GAME requires an argument. See: zermelo check --help"),
    (["completion", "tcsh"], 'Choose from: "bash", "zsh", "fish". See: zermelo completion --help'),
    (["check", "conect4"], "Did you mean `connect4`?"),
    (["check", "connect:rows=0"], "must be from 1 to 15"),
    (["check", "connect4", "--games", "0"], "Must be >= 1"),
    (["check", "connect4", "--games", "many"], "unable to convert"),
    (["check", "connect4", "--speed", "9"], "Unknown option"),
    (["check", "nowhere.py"], "is not a file"),
    (["check", "connect4", "--seed", "-1"], "Must be >= 0"),
    (["perft", "connect4", "-1"], "Must be >= 0"),
    (["check", "openspiel:kuhn_poker"], "has hidden information"),
    (["check", "openspiel:connect_four(rows=0)"], "cannot be loaded"),
    (["check", "pettingzoo:rps_v2"], "has simultaneous moves"),
    (["new", "My Game"], "cannot name a game"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=str)
def test_wrong_input_is_one_line_and_exit_code_2(words, message):
    if any(word.startswith("openspiel") for word in words):
        pytest.importorskip("pyspiel")
    if any(word.startswith("pettingzoo") for word in words):
        pytest.importorskip("pettingzoo")
    assert message in refused(*words)


HINTS = {
    "chess": "`openspiel:chess` or `pettingzoo:chess_v6`",
    "Ches": "`openspiel:chess` or `pettingzoo:chess_v6`",
    "hex(board_size=5)": "`openspiel:hex(board_size=5)`",
    "connect-four": "`connect`, `openspiel:connect_four` or `pettingzoo:connect_four_v3`",
    "gomuku": "`gomoku`",
}


@pytest.mark.parametrize(("name", "meant"), HINTS.items())
def test_games_of_other_libraries_are_suggested(name, meant):
    pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    assert f" Did you mean {meant}? There are: connect " in refused("games", name)


def test_only_installed_libraries_are_suggested(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "`chess`. There are: connect " in refused("games", "chess")


@pytest.mark.parametrize(
    ("path", "message"),
    [("nowhere.sgf", "there is no file `nowhere.sgf`"), ("docs", "`docs` is a directory; give a file")],
)
def test_a_file_that_cannot_be_read_is_told_without_a_number(path, message):
    assert refused("records", "show", path) == f"error: {message}"


def test_a_missing_extra_says_what_to_install(tmp_path):
    (tmp_path / "pyspiel.py").write_text("raise ImportError('not here')")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = process("check", "openspiel:hex", env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 2
    assert "pip install 'zermelo[openspiel]'" in done.stderr


def test_debug_shows_the_traceback():
    done = process("check", "nowhere.py", "--debug")
    assert done.returncode != 0
    assert "Traceback" in done.stderr


def test_the_first_run_says_that_it_compiles(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = process("perft", "examples/nim.py", "1", env=environment)
    assert "compiling for this machine" in done.stderr
    again = process("perft", "examples/nim.py", "1", env=environment)
    assert "compiling" not in again.stderr


def test_ctrl_c_ends_quietly_with_what_was_found():
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "check", "connect4", "--games", "1000000", "--seconds", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("checking"):
            break
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert re.match(r"connect4 is right in [\d,]+ random games\n", text)
    said = [line for line in errors.splitlines() if line and not line.startswith("compiling")]
    assert said == ["interrupted"]


def test_ctrl_c_in_a_check_tells_what_was_found_in_json(tmp_path):
    """Wherever the rules are then: compiled code cannot carry an exception."""
    text = Path("examples/nim.py").read_text()
    head = "def play(self, state: State, action: int) -> State:\n"
    press = "        if next(COUNT) == 2000:\n            os.kill(os.getpid(), signal.SIGINT)\n"
    assert head in text
    top = "from __future__ import annotations\n"
    begin = f"{top}\nimport itertools\nimport os\nimport signal\n\nCOUNT = itertools.count()\n"
    (tmp_path / "nim.py").write_text(text.replace(head, head + press).replace(top, begin))
    done = run("check", "nim.py", "--games", "1000000", "--seconds", "60", "--json", cwd=tmp_path)
    assert done.returncode == 130
    answer = json.loads(done.stdout)
    assert answer["interrupted"] is True
    assert answer["passed"] is True
    assert 10 < answer["games"] < 2000
    assert done.stderr.endswith("interrupted\n")

"""What `pip install zermelo` alone can do, and that everything else says what to install."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import zermelo
from zermelo.errors import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SOURCE = Path(zermelo.__file__).parent

BASE = """
import json, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))  # importing them fails
sys.path.insert(0, "tests")
from cli.command import run
import zermelo as zm

said = {}
for words, typed in json.loads(sys.argv[2]):
    done = run(*words, typed=typed)
    said[" ".join(words)] = done.returncode, done.stdout, done.stderr
for name, call in {
    "train": lambda: zm.train("tictactoe"),
    "gymnasium_env": lambda: zm.gymnasium_env("tictactoe"),
    "pettingzoo_env": lambda: zm.pettingzoo_env("tictactoe"),
    "load": lambda: print(zm.load("connect4").analyse("4 4 3", sims=5).best.move, end=""),
}.items():
    try:
        call()
        said[name] = None
    except zm.ZermeloError as error:
        said[name] = str(error)
print()
print(json.dumps(said))
"""
MATCH = "match connect4 az:sims=5 uct:sims=5 --games 2"
PLAY = "play connect4 --against az:sims=5"
MISSING = {
    "train tictactoe --minutes 1": "zermelo train needs the extra `train`",
    "train tictactoe --ray local": "Work of more than one process needs the extra `ray`",
    "match tictactoe random random --ray local": "Work of more than one process needs the extra `ray`",
    "serve": "zermelo serve needs the extra `web`",
    "games openspiel:hex": "A game of OpenSpiel needs the extra `openspiel`",
    "games pettingzoo:connect_four_v3": "of Gymnasium or PettingZoo needs the extra `pettingzoo`",
}


@pytest.fixture(scope="module")
def base():
    """A process in which no optional package can be imported."""
    commands = [(MATCH, ""), (PLAY, "4\nquit\n"), *((words, "") for words in MISSING)]
    commands = [(words.split(), typed) for words, typed in commands]
    words = [sys.executable, "-c", BASE, json.dumps(sorted(EXTRAS)), json.dumps(commands)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_base_package_plays(base):
    code, out, _ = base[MATCH]
    assert code == 0
    assert "together" in out
    assert "az:sims=5 plays" in base[PLAY][1]
    assert base["load"] is None


@pytest.mark.parametrize("words", MISSING)
def test_what_is_missing_is_said_in_one_line(words, base):
    code, out, err = base[words]
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert MISSING[words] in line
    extra = re.search("extra `(.+?)`", line)[1]
    assert line.endswith(f"pip install 'zermelo[{extra}]'")


@pytest.mark.parametrize(
    ("name", "extra"),
    [("train", "train"), ("gymnasium_env", "pettingzoo"), ("pettingzoo_env", "pettingzoo")],
)
def test_python_says_the_same(name, extra, base):
    assert base[name].endswith(f"pip install 'zermelo[{extra}]'")


# Metadata.


def distribution(requirement):
    return re.match(r"[\w-]+", requirement)[0].lower().replace("_", "-")


def imported(path):
    """The packages of others that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_every_import_is_a_dependency_or_names_its_extra():
    installed = packages_distributions()
    optional = PROJECT["optional-dependencies"]
    extras = {extra: {distribution(one) for one in optional[extra]} for extra in optional}
    base = {distribution(one) for one in PROJECT["dependencies"]}
    for path in SOURCE.rglob("*.py"):
        for module in set(imported(path)) - sys.stdlib_module_names - {"zermelo"}:
            names = {name.lower().replace("_", "-") for name in installed[module]}
            if names & (base | {"llvmlite", "ipython"}):  # Numba's own, and there in every notebook
                continue
            assert module in EXTRAS, f"{path} imports {module}, which no extra is known for"
            assert names & extras[EXTRAS[module]], f"the extra {EXTRAS[module]} does not install {module}"


def test_the_demonstration_installs_what_it_needs_and_no_more():
    makefile = (ROOT / "Makefile").read_text()
    demo = makefile.partition("\n.venv/.trains:")[2].partition("\n\n")[0]
    assert "-e '.[train,web]'" in demo
    assert re.search(r"^INSTALL := .* -c constraints.txt", makefile, re.MULTILINE)
    assert re.search(r"^demo: .venv/.trains$", makefile, re.MULTILINE)


def test_everything_is_pinned_for_the_set_up():
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if not line.startswith("#")
    }
    wanted = {distribution(one) for some in PROJECT["optional-dependencies"].values() for one in some}
    wanted |= {distribution(one) for one in PROJECT["dependencies"]}
    assert wanted - pinned - {"zermelo"} == set()
    assert "torch==2.13.0" in (ROOT / "constraints.txt").read_text().splitlines()


def test_training_brings_what_exporting_needs():
    """`torch.onnx.export` imports onnxscript, which PyTorch does not ask for."""
    assert "onnxscript" in {distribution(one) for one in PROJECT["optional-dependencies"]["train"]}

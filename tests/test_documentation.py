"""README and docs hold: examples run, commands exist, links resolve.

Blocks of a page are run from top to bottom in one directory and one namespace:

- `python` with `>>>` is a doctest, without it is executed;
- `python title="FILE"` is written to FILE;
- `console`: each `$ zermelo ...` is run and its output compared, the exit code being 0 unless an
  error is shown. Times, speeds, and the figures of `check` and `bench`, may differ;
- `sh`: the commands must exist.

A picture `pictures/PAGE/NAME.svg` shows what is called NAME in the code of the page.
`python tests/test_documentation.py` draws all of them again.
"""

import ast
import contextlib
import doctest
import io
import re
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

import zermelo
from zermelo.cli import COMMANDS, app, main
from zermelo.games import registry
from zermelo.search.rollouts import random_games

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
GAME_HEADINGS = [
    "Rules", "Name and parameters", "Moves", "State", "Encodings", "Symmetries", "Facts", "Example",
]  # fmt: skip


class Block(NamedTuple):
    language: str
    title: str
    text: str
    line: int


def each_page(pages=PAGES):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page):
    text = page.read_text()
    for found in re.finditer(r"^```(\w+)(.*)\n((?:.*\n)*?)```$", text, re.MULTILINE):
        title = re.search(r'title="(.+?)"', found[2])
        yield Block(found[1], title[1] if title else "", found[3], text[: found.start()].count("\n") + 1)


def prose(page):
    """The page without its blocks of code."""
    return re.sub(r"^```.*\n(?:.*\n)*?```$", "", page.read_text(), flags=re.MULTILINE)


# Examples.


def run_python(page, block, names):
    if ">>>" not in block.text:
        padding = "\n" * block.line  # tracebacks then tell the line of the page
        exec(compile(padding + block.text, str(page), "exec"), names)
        return
    # Fences end with a blank line for the eye; doctest wants the output to end there.
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, report.getvalue()


def run_zermelo(words):
    """Exit code and everything printed; errors after results."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as end:
        main(words)
    told = [line for line in err.getvalue().splitlines() if not line.startswith("compiling")]
    return end.value.code, "\n".join([*told, out.getvalue()])


def comparable(command, output):
    """Without what may differ: spacing, times, figures of random games, and whether time ended them."""
    output = " ".join(output.split())
    if command in ("check", "bench"):
        output = output.replace(" (out of time; --seconds gives it more)", "")
        return re.sub(r"\d[\d,.]*", "N", output)
    output = re.sub(r"[\d,]+ evaluations per second", "N evaluations per second", output)
    return re.sub(r"\d[\d.]* s\b", "N s", output)


def run_console(page, block):
    for session in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = session.partition("\n")
        program, *words = shlex.split(line)
        assert program == "zermelo", f"{page}:{block.line}: only zermelo is run in console blocks"
        code, printed = run_zermelo(words)
        wanted = 2 if shown.startswith("error:") else 0
        assert code == wanted, f"{page}:{block.line}: {line} has exit code {code}: {printed}"
        assert comparable(words[0], printed) == comparable(words[0], shown), f"{page}:{block.line}: {line}"


def run_page(page):
    """Run all blocks of a page, in the current directory; what its code gave names to."""
    Path("examples").symlink_to(ROOT / "examples")
    names = {"__name__": "__main__"}
    for block in blocks(page):
        if block.title:
            Path(block.title).write_text(block.text)
        elif block.language == "python":
            run_python(page, block, names)
        elif block.language == "console":
            run_console(page, block)
    return names


def pictures(page):
    """The pictures of a page that its own code draws, by name."""
    found = re.findall(r"\]\((pictures/\w+/(\w+)\.svg)\)", prose(page))
    return {name: page.parent / path for path, name in found}


@each_page([page for page in PAGES if any(b.language in ("python", "console") for b in blocks(page))])
def test_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    names = run_page(page)
    for name, path in pictures(page).items():
        assert names[name]._repr_svg_() == path.read_text(), f"{path} is old: run python {__file__}"


# Commands.


def options(command):
    """The options of a command and of those below it, as its help lists them; not their opposites."""
    out = io.StringIO()
    below = [name for name in app[command] if not name.startswith("-")]
    with contextlib.redirect_stdout(out):
        for words in [[command], *([command, name] for name in below)]:
            app([*words, "--help"], exit_on_error=False, result_action="return_value")
    return {o for o in re.findall(r"--[a-z]+(?:-[a-z]+)*", out.getvalue()) if not o.startswith("--no-")}


@each_page()
def test_commands_exist(page):
    shown = [
        line.removeprefix("$ ")
        for block in blocks(page)
        if block.language in ("sh", "console")
        for line in block.text.splitlines()
    ]
    quoted = re.findall(r"`(zermelo [a-z]+ [^`]*)`", prose(page))
    lines = [line for line in shown if line.startswith("zermelo ")]
    for words in (shlex.split(line, comments=True) for line in [*lines, *quoted]):
        command, given = words[1], {word for word in words if word.startswith("--")}
        if command.startswith("--"):
            continue
        assert command in COMMANDS, f"{page.name}: zermelo {command}"
        given = {word.replace("--no-", "--", 1) for word in given}
        unknown = given - options(command) - {"--help", "--debug"}
        assert not unknown, f"{page.name}: zermelo {command} has no {unknown}"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_page_of_commands_is_complete(command):
    section = re.search(rf"^## {command}\n(.*?)^## ", (DOCS / "commands.md").read_text(), re.M | re.S)
    assert section, f"docs/commands.md has no section {command}"
    told = set(re.findall(r"`(--[a-z-]+)`", section[1])) | {"--help"}
    assert options(command) - told - {"--json"} == set()


# Completeness.


def test_the_page_of_a_game_explains_every_problem():
    source = ast.parse((Path(zermelo.__file__).parent / "games" / "contract.py").read_text())
    kinds = {
        call.args[0].value
        for call in ast.walk(source)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("_tell", "_break")
        and isinstance(call.args[0], ast.Constant)
    }
    told = set(re.findall(r"^\| `([a-z ]+)` \|", (DOCS / "your-own-game.md").read_text(), re.MULTILINE))
    assert len(kinds) > 10
    assert kinds - told == set()


@pytest.mark.parametrize("family", registry._BUILT_IN)
def test_every_game_has_a_page(family):
    page = (DOCS / "games" / f"{family}.md").read_text()
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == GAME_HEADINGS
    for field, default in registry.families()[family].defaults().items():
        assert f"| `{field}` | {int(default)} |" in page
    for encoding in zermelo.game(family).encodings:
        assert f"`{encoding}`" in page


def random_play(name, games):
    """The row of a game in the table of random games of its page."""
    game = zermelo.game(name)
    played = [random_games(game, 1, first=number) for number in range(games)]
    moves, results = [one.moves for one in played], [one.mean_returns[0] for one in played]
    shares = (f"{results.count(value) / games:.1%}".replace("%", " %") for value in (1, 0, -1))
    length = f"{sum(moves) / games:.1f} on average, {min(moves)} to {max(moves)}"
    return f"| `{name}` | {length} | {' | '.join(shares)} |"


@pytest.mark.parametrize("family", registry._BUILT_IN)
def test_random_games_are_as_the_page_of_a_game_says(family):
    page = (DOCS / "games" / f"{family}.md").read_text()
    games, table = re.search(
        r"^Random games, the first ([\d,]+) of seed 0:\n\n((?:\|.*\n)+)", page, re.M
    ).groups()
    _heading, _rule, *rows = table.splitlines()
    assert rows == [random_play(row.split("`")[1], int(games.replace(",", ""))) for row in rows]


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2]
    listed = re.findall(r"[\w/-]+\.md", navigation)
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_the_start_page_leads_to_every_page():
    linked = set(re.findall(r"\]\(([\w/-]+\.md)", (DOCS / "index.md").read_text()))
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    assert pages - linked == {"index.md"}


# Links.


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@each_page()
def test_links_resolve(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(found), f"{page.name} links to {target}"
        if DOCS in page.parents:
            assert DOCS in found.parents, f"{page.name} links to {target}, which is not part of the site"


if __name__ == "__main__":
    for page in filter(pictures, PAGES):
        with TemporaryDirectory() as directory, contextlib.chdir(directory):
            names = run_page(page)
        for name, path in pictures(page).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(names[name]._repr_svg_())

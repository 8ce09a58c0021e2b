import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.errors import BadParameter, GameFileError, UnknownName
from zermelo.games import registry


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("connect4", "connect4"),
        ("connect", "connect4"),
        ("connect:rows=6,cols=7,n=4", "connect4"),
        ("connect:n=3", "connect:n=3"),
        ("gomoku:size=15", "gomoku"),
        ("gomoku:size=8,exact=true", "gomoku:size=8,exact=1"),
        ("othello:size=8", "othello"),
        ("examples/nim.py:heap=21", "examples/nim.py"),
        ("examples/nim.py:heap=9", "examples/nim.py:heap=9"),
    ],
)
def test_a_game_has_one_shortest_name(given_name, name):
    game = zermelo.game(given_name)
    assert game.name == name
    assert zermelo.game(name) == game
    assert repr(game) == f"zermelo.game({name!r})"


@given(st.integers(1, 15), st.integers(1, 15), st.integers(2, 15))
def test_names_give_the_game_back(rows, cols, n):
    if n <= max(rows, cols):
        game = zermelo.game(f"connect:rows={rows},cols={cols},n={n}")
        assert zermelo.game(game.name) == game
        assert game.parameters == {"rows": rows, "cols": cols, "n": n}


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("conect4", UnknownName, "Did you mean `connect4`?"),
        ("", UnknownName, "There are: connect connect4 gomoku othello tictactoe"),
        ("connect:rows=0", BadParameter, "`rows` (=0) of connect must be from 1 to 15"),
        ("connect:n=8", BadParameter, "must be at most the longer side (=7)"),
        ("connect:width=7", BadParameter, "is not a parameter of connect; it has: rows cols n"),
        ("connect:rows", BadParameter, "is not a parameter of connect; it has: rows cols n"),
        ("connect:rows=six", BadParameter, "must be a whole number"),
        ("connect4:rows=5", BadParameter, "use connect:rows=5"),
        ("othello:size=7", BadParameter, "must be even: 4 6 8 10"),
        ("gomoku:size=21", BadParameter, "from 5 to 20"),
        ("gomoku:size=5,n=6", BadParameter, "at most `size` (=5)"),
        ("gomoku:exact=maybe", BadParameter, "must be true or false"),
        ("tictactoe:size=4", BadParameter, "is not a parameter of tictactoe; it has: none"),
        ("nowhere/game.py", GameFileError, "`zermelo new game` writes one"),
    ],
)
def test_wrong_names_say_what_is_allowed(name, error, message):
    with pytest.raises(error) as raised:
        zermelo.game(name)
    assert message in str(raised.value)


FILES = {
    "raises": ("raise ValueError('boo')\n", "line 1: ValueError: boo"),
    "syntax": ("def :\n", "line 1: SyntaxError"),
    "missing": ("import nowhere_at_all\n", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
    "none": (
        "x = 1\n",
        "must define exactly one game (a subclass of PythonGame or ArrayGame); it has: none",
    ),
    "abstract": (
        "from zermelo.games import PythonGame\nclass G(PythonGame):\n    family = 'g'\n",
        "G in {path} lacks: legal max_length mover num_actions play returns start",
    ),
    "bytes": (b"\x00\xff\xfe", "SyntaxError"),
}


@pytest.mark.parametrize("kind", FILES)
def test_files_that_are_no_game(kind, tmp_path):
    text, message = FILES[kind]
    path = tmp_path / "mine.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(GameFileError) as raised:
        zermelo.game(str(path))
    assert message.format(path=path) in str(raised.value)


def test_a_file_is_read_again_when_it_has_changed(tmp_path):
    path = tmp_path / "mine.py"
    text = (registry.Path("examples/nim.py")).read_text()
    path.write_text(text)
    assert zermelo.game(str(path)).position().legal_actions == (0, 1, 2)
    path.write_text(text.replace("parameter(3, 1", "parameter(5, 1"))
    assert zermelo.game(str(path)).position().legal_actions == (0, 1, 2, 3, 4)


def test_a_registered_game_has_a_name(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})
    zermelo.register(registry.game_in_file("examples/kalah.py"))
    assert zermelo.game("kalah:houses=3").parameters == {"houses": 3, "seeds": 4}

"""What a person sees: colours, a status line, and what Ctrl-C does."""

import json
import re
import time

import pytest

from cli.command import succeed
from cli.terminal import Terminal

PROMPT = ")> "
RED, YELLOW = "38;5;203", "38;5;221"


@pytest.fixture(autouse=True, scope="module")
def _compiled():
    """Whoever waits for an engine here does not wait for its compilation."""
    succeed("match", "connect4", "uct:time=0.1", "uct:sims=20", "--games", 2)


@pytest.fixture
def zermelo(tmp_path):
    """Opens terminals whose games are left in `tmp_path`."""
    cache = {"ZERMELO_CACHE": str(tmp_path)}
    return lambda *words, **environment: Terminal("-m", "zermelo", *words, **cache, **environment)


def left(tmp_path):
    return [json.loads(line) for line in (tmp_path / "unfinished.jsonl").read_text().splitlines()]


def test_connect4_has_red_and_yellow_discs_and_the_last_move_is_marked(zermelo):
    with zermelo("play", "connect4", "--against", "human", "--moves", "4 5") as terminal:
        terminal.see(PROMPT)
        assert f"{RED};48;5;25m●" in terminal.raw
        assert f"{YELLOW};48;5;25m●" in terminal.raw
        assert " ● ● ● ●[●]● ● " in terminal.text
        assert terminal.text.endswith("player 1 ( ● )> ")
        assert terminal.raw.rstrip().endswith(f"player 1 (\x1b[{RED};48;5;25m ● \x1b[0m)>")
        terminal.control("D")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("game", "moves", "shown"),
    [
        ("othello", "d3", ["  a b c d e f g h", "3 · · ·[●]· · · · "]),
        ("gomoku", "h8", ["   a b c d e f g h i j k l m n o", " 8 · · · · · · ·[●]· · · · · · · "]),
        ("tictactoe", "1 5", [" X 2 3 ", " 4[O]6 "]),
    ],
)
def test_other_boards_have_coordinates(zermelo, game, moves, shown):
    with zermelo("play", game, "--against", "human", "--moves", moves) as terminal:
        terminal.see(PROMPT)
        assert all(line in terminal.text.splitlines() for line in shown)


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_there_is_the_plain_board(zermelo, plain):
    with zermelo("play", "connect4", "--against", "human", "--moves", "4", **plain) as terminal:
        terminal.see("player 2 (O)> ")
        assert "\n. . . X . . .\n" in terminal.text
        assert "[38;5" not in terminal.raw


def test_the_engine_is_seen_thinking_and_tells_what_it_thinks(zermelo):
    with zermelo("play", "connect4", "--against", "uct:time=0.5", "--seed", "1") as terminal:
        terminal.see(PROMPT)
        terminal.type("4")
        assert "uct:time=0.5 is thinking" in terminal.see("0:00:00")
        assert re.search(r"uct:time=0.5 plays \d: \d+%, expects \d", terminal.see(PROMPT))
        terminal.type("why")
        assert "player 2 to move" in terminal.see(PROMPT)


def test_ctrl_c_stops_the_engine_and_a_second_one_leaves_with_the_game_saved(zermelo, tmp_path):
    with zermelo("play", "connect4", "--against", "uct:time=100") as terminal:
        terminal.see(PROMPT)
        terminal.type("4")
        terminal.see("0:00:00")
        terminal.control("C")
        begin = time.monotonic()
        terminal.see("uct:time=100.0 is to move; Enter lets it think again> ")
        assert time.monotonic() - begin < 2
        terminal.type("undo")
        terminal.see(PROMPT)
        terminal.type("against random")
        terminal.see("the opponent is random now")
        terminal.see(PROMPT)
        terminal.type("3")
        terminal.see("random plays")
        terminal.see(PROMPT)
        terminal.control("C")
        assert terminal.end() == 130
        assert "zermelo play connect4 --resume" in terminal.text
        assert "Traceback" not in terminal.text
    (record,) = left(tmp_path)
    assert record["players"] == ["human", "random"]
    assert record["moves"][0] == "3"
    assert record["returns"] is None


def test_ctrl_c_makes_an_engine_move_that_thinks_until_then(zermelo):
    with zermelo("play", "connect4", "--against", "uct:sims=10") as terminal:
        terminal.see(PROMPT)
        terminal.type("4")
        terminal.see(PROMPT)
        terminal.type("against uct:time=inf")
        terminal.see(PROMPT)
        terminal.type("4")
        terminal.see("0:00:01")
        terminal.control("C")
        assert "stopped" not in terminal.see("uct:time=inf plays ")
        terminal.see(PROMPT)


def test_perfect_shows_its_progress_and_ctrl_c_is_heard_at_once(zermelo, tmp_path):
    with zermelo("play", "connect:rows=7,cols=7", "--against", "perfect") as terminal:
        terminal.see(PROMPT)
        terminal.type("4")
        shown = terminal.see("positions, ") + terminal.see("win in ")
        assert re.search(
            r"perfect is thinking . 0:00:\d\d\s+move 1 of 7, [\d,]+ positions, loss in \d+", shown
        )
        terminal.control("C")
        begin = time.monotonic()
        terminal.see("stopped")
        assert time.monotonic() - begin < 1  # 0.2 s where nobody else is computing
        terminal.control("C")
        assert terminal.end() == 130
    assert left(tmp_path)[0]["moves"] == ["4"]


def test_the_general_solver_shows_its_progress_in_a_match(zermelo):
    with zermelo("match", "othello:size=6", "perfect", "random", "--openings", "16") as terminal:
        shown = terminal.see(" positions")
        assert "perfect against random" in shown
        assert re.search(r"0/100 games 0:00:\d\d\s+move \d+ of \d+, [\d,]+ positions", shown)
        terminal.control("C")
        assert terminal.end() == 130


def test_closing_the_window_saves_the_game(zermelo, tmp_path):
    with zermelo("play", "tictactoe", "--against", "human") as terminal:
        terminal.see(PROMPT)
        terminal.type("5")
        terminal.see(PROMPT)
        terminal._process.terminate()
        assert terminal.end() == 143
    assert left(tmp_path)[0]["moves"] == ["5"]

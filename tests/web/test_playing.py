"""Whole games on the real page."""

import json
import random

import pytest

from web.playing import moves, new_game, play, status, wait_for_turn
from zermelo.games import registry
from zermelo.records.reading import read

KEEP_SOCKETS = """window.sockets = []; const Plain = WebSocket;
window.WebSocket = class extends Plain { constructor(...a) { super(...a); window.sockets.push(this); } };"""
GAMES = ["Tic-Tac-Toe", "Connect 4", "Gomoku", "Othello", "Nim", "Kalah"]


def choices(page):
    found = page.locator("#board .cell.legal, #board .choices button:enabled")
    return found.evaluate_all("(all) => all.map((one) => one.dataset.move)")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_a_random_player_goes_to_its_end(visit, game):
    page = visit()
    new_game(page, game, "Random")
    chance = random.Random(1)
    while wait_for_turn(page):
        before, possible = len(moves(page)), choices(page)
        row = [move for move in possible if move.endswith("8")] if game == "Gomoku" else []  # five in a row
        play(page, row[0] if row else chance.choice(possible))
        page.wait_for_function(
            "before => document.querySelectorAll('#panel-moves [data-ply]').length > before", arg=before
        )
    assert any(word in status(page) for word in ("You win.", "Random wins.", "A draw."))


def test_a_small_gomoku_between_two_people_and_the_line_that_wins_is_shown(visit):
    page = visit()
    page.click("#new")
    page.locator("#dialog label:has-text('Gomoku')").click()
    page.locator("#dialog input[name=size]").fill("8")
    page.locator("#dialog input[name=size]").press("Tab")
    page.locator("#dialog label:has-text('A person here')").click()
    page.click("#begin")
    page.wait_for_selector("h1:has-text('Gomoku (size 8)')")
    for number, move in enumerate(["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"], 1):
        play(page, move)
        page.wait_for_selector(f"#panel-moves [data-ply='{number}']")
    assert status(page) == "Player 1 wins."
    assert page.locator("#board .winring").count() == 5


def test_a_game_survives_a_reload_and_goes_on(visit):
    page = visit()
    new_game(page, "Connect 4", "Tree search", strength=0)
    play(page, "4")
    page.wait_for_selector("#panel-moves [data-ply='2']")
    before = moves(page)
    page.reload()
    page.wait_for_selector("#panel-moves [data-ply='2']")
    assert moves(page) == before
    assert wait_for_turn(page)
    play(page, "4")
    page.wait_for_selector("#panel-moves [data-ply='4']")


def test_a_connection_that_drops_comes_back_with_the_game(visit):
    page = visit(script=KEEP_SOCKETS)
    new_game(page, "Connect 4")
    play(page, "4")
    page.wait_for_selector("#panel-moves [data-ply='1']")
    page.evaluate("sockets.at(-1).close()")
    page.wait_for_function("() => sockets.length === 2 && sockets[1].readyState === 1")
    page.wait_for_selector("#status:has-text('Player 2 to move.')")
    play(page, "4")
    page.wait_for_selector("#panel-moves [data-ply='2']")


def test_two_engines_play_for_somebody_who_watches(visit, monkeypatch):
    monkeypatch.setattr("zermelo.web.hub.PAUSE", 0.05)
    page = visit()
    new_game(page, "Tic-Tac-Toe", "Perfect", side="Just watch")
    page.wait_for_selector("#status:has-text('A draw.')")
    assert len(moves(page)) == 9


def test_everything_by_keyboard(visit):
    page = visit()
    page.keyboard.press("n")
    page.wait_for_selector("#dialog input[value='A person here']")
    page.locator("#dialog input[value='A person here']").focus()
    page.keyboard.press("Space")
    page.locator("#begin").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".seat:has-text('Player 1')")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("#panel-moves [data-ply='1']")
    page.keyboard.press("4")
    page.wait_for_selector("#panel-moves [data-ply='2']")
    assert moves(page) == ["3", "4"]
    page.keyboard.press("u")
    page.wait_for_selector("#panel-moves [data-ply='2']", state="detached")
    page.keyboard.press("r")
    page.wait_for_selector("#panel-moves [data-ply='2']")
    page.keyboard.press("[")
    page.wait_for_selector("#status:has-text('After move 1 of 2')")
    page.keyboard.press("}")
    page.wait_for_selector("#status:has-text('Player 1 to move')")
    page.keyboard.press("x")
    page.wait_for_selector("#give-up")
    page.keyboard.press("Enter")
    page.wait_for_selector("#status:has-text('Player 1 resigned. Player 2 wins.')")
    page.keyboard.press("u")
    page.wait_for_selector("#status:has-text('Player 1 to move')")
    for key, tab in (("t", "tree"), ("h", "moves"), ("a", "analysis")):
        page.keyboard.press(key)
        page.wait_for_selector(f"#tab-{tab}[aria-selected=true]")
    page.locator("#tab-analysis").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#tab-moves[aria-selected=true]:focus")
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") != theme
    page.keyboard.press("?")
    page.wait_for_selector("#dialog:has-text('next mistake')")


def test_a_move_in_the_past_is_a_variation_that_can_be_kept_left_and_played_on(visit):
    page = visit("#game=connect4&moves=4_4_3")
    page.wait_for_selector("#panel-moves [data-ply='3']")
    page.click("#panel-moves [data-ply='1']")
    page.wait_for_selector("#status:has-text('After move 1 of 3')")
    play(page, "7")
    page.wait_for_selector("#status:has-text('A variation: ')")
    assert moves(page) == ["4", "7"]
    page.keyboard.press("k")
    page.wait_for_selector(".kept .line")
    page.keyboard.press("b")
    page.wait_for_selector("#panel-moves [data-ply='3']")
    assert moves(page) == ["4", "4", "3"], "the game is as it was"
    page.click(".kept .line")
    page.wait_for_selector("#panel-moves [data-ply='3']", state="detached")
    page.click("#adopt")
    page.wait_for_selector("#status:has-text('Player 1 to move')")
    assert moves(page) == ["4", "7"]
    assert "4 3" in page.inner_text(".kept .line"), "what the game was is kept"
    page.click("[aria-label='forget variation 1']")
    page.wait_for_selector(".kept", state="detached")


def test_moves_can_be_tried_out_beside_a_game_and_the_opponent_does_not_answer(visit):
    page = visit()
    new_game(page, "Connect 4", "Random")
    page.keyboard.press("e")
    for number in (1, 2, 3):
        play(page, "4")
        page.wait_for_selector(f"#panel-moves [data-ply='{number}'].beside")
    page.keyboard.press("e")
    page.click("#to-game")
    page.wait_for_selector("#status:has-text('Your move.')")
    assert moves(page) == []


def test_a_game_is_saved_as_the_terminal_saves_it_and_opened_again(visit, tmp_path):
    page = visit("#game=connect4&moves=4_4_3")
    page.wait_for_selector("#panel-moves [data-ply='3']")
    page.click("#save")
    with page.expect_download() as download:
        page.click("[data-ending='.jsonl']")
    path = tmp_path / "game.jsonl"
    download.value.save_as(path)
    record = json.loads(path.read_text())
    assert record["game"] == "connect4"
    assert registry.game(record["game"]).position(" ".join(record["moves"])).move_names == ("4", "4", "3")
    other = visit()
    path.write_text(path.read_text() + path.read_text().replace('["4", "4", "3"]', '["4"]'))
    other.keyboard.press("f")
    with other.expect_file_chooser() as chooser:
        other.click("#choose-file")
    chooser.value.set_files(path)
    other.click(".games-in-file button:has-text('3 moves')")
    other.wait_for_selector("#panel-moves [data-ply='3']")
    assert moves(other) == ["4", "4", "3"]
    other.keyboard.press("f")
    other.fill("#pasted", "1 2 1 2")
    other.click("#open-text")
    other.wait_for_selector("#panel-moves [data-ply='4']")
    assert moves(other) == ["1", "2", "1", "2"]


def test_a_game_goes_to_other_programs_and_comes_back(visit, tmp_path):
    page = visit("#game=othello&moves=d3_c5_f6")
    page.wait_for_selector("#panel-moves [data-ply='3']")
    page.click("#save")
    with page.expect_download() as download:
        page.click("[data-ending='.sgf']")
    path = tmp_path / "game.sgf"
    download.value.save_as(path)
    (found,) = read([path], lambda problem: pytest.fail(str(problem)))
    assert (found.game.name, found.position.move_names) == ("othello", ("d3", "c5", "f6"))
    other = visit()
    other.keyboard.press("f")
    with other.expect_file_chooser() as chooser:
        other.click("#choose-file")
    chooser.value.set_files(path)
    other.wait_for_selector("#panel-moves [data-ply='3']")
    assert moves(other) == ["d3", "c5", "f6"]


def test_a_link_holds_the_game(visit):
    page = visit(
        "#game=othello%3Asize%3D6&moves=c2_b2_b3", permissions=["clipboard-read", "clipboard-write"]
    )
    page.wait_for_selector("#panel-moves [data-ply='3']")
    page.keyboard.press("l")
    page.wait_for_selector("#toast.shown")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit(link[link.index("#") :])
    other.wait_for_selector("#panel-moves [data-ply='3']")
    assert moves(other) == ["c2", "b2", "b3"]
    assert other.inner_text("#title") == "Othello (size 6)"
    other.click("#new")  # the dialog begins with the game that is open
    assert other.input_value("#dialog input[name=size]") == "6"


def test_two_visitors_play_their_own_games_and_two_devices_one(visit, server):
    first, second = visit(), visit()
    new_game(first, "Connect 4")
    new_game(second, "Connect 4")
    play(first, "1")
    first.wait_for_selector("#panel-moves [data-ply='1']")
    assert moves(second) == []
    third = visit("#join=" + first.evaluate("sessionStorage.getItem('table')"))
    third.wait_for_selector("#panel-moves [data-ply='1']")
    play(third, "2")
    first.wait_for_selector("#panel-moves [data-ply='2']")
    assert moves(first) == ["1", "2"]


def test_two_people_on_two_devices_each_have_their_seat(visit):
    first = visit()
    new_game(first, "Connect 4", "A person elsewhere")
    link = first.input_value("#dialog .address")
    assert "zermelo serve --lan" in first.inner_text("#dialog")
    first.keyboard.press("Escape")
    assert "not here yet" in first.inner_text("#seat-above")
    second, third = visit(link[link.index("#") :]), visit(link[link.index("#") :].partition(".")[0])
    second.wait_for_selector("#status:has-text('The other player to move')")
    first.wait_for_selector("#seat-above:not(:has-text('not here yet'))")
    assert second.locator("#board .cell.legal").count() == 0, "it is not their turn"
    play(first, "4")
    second.wait_for_selector("#status:has-text('The other player played 4. Your move.')")
    third.wait_for_selector("#status:has-text('Player 2 to move')")
    assert third.locator("#board .cell.legal").count() == 0, "the third looks on"
    second.reload()
    second.wait_for_selector("#status:has-text('Your move.')")
    play(second, "5")
    first.wait_for_selector("#status:has-text('The other player played 5. Your move.')")


@pytest.mark.parametrize("game", ["Connect 4", "Gomoku", "Kalah"])
def test_a_phone_shows_the_board_and_the_state_without_scrolling_sideways(visit, game):
    page = visit(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    new_game(page, game)
    wide = page.evaluate("document.documentElement.scrollWidth")
    board = page.locator("#board").bounding_box()
    assert wide <= 360
    assert board["x"] >= 0
    assert board["width"] > 320
    assert page.locator("#status").bounding_box()["y"] < 740
    before = page.locator("#card").bounding_box()
    page.locator("#board .cell.legal, #board .choices button:enabled").first.tap()
    page.wait_for_selector("#panel-moves [data-ply='1']")
    assert page.locator("#card").bounding_box() == before, "nothing jumps"

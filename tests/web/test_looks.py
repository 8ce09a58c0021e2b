"""How the page looks and speaks: small, still, readable, light and dark, for eyes and screen readers."""

from pathlib import Path

import pytest

from web.playing import play
from zermelo.web.app import static_files

READABLE = (Path(__file__).parent / "readable.js").read_text()
SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts.push(one.value); })
  .observe({ type: "layout-shift", buffered: true });"""


def test_the_page_is_small_and_nothing_is_fetched_from_outside(visit, server):
    sizes = {}
    page = visit(heard=lambda answer: sizes.__setitem__(answer.url, len(answer.body())))
    page.wait_for_load_state("networkidle")
    assert all(url.startswith(server.address) for url in sizes)
    assert any("uPlot" in url for url in sizes)
    assert sum(sizes.values()) < 300_000
    assert page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1
    assert sum(len(body) for path, (body, _) in static_files().items() if path != "/") < 300_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_and_everything_has_a_name(visit, scheme):
    page = visit("#game=connect4&moves=4_4_4_4_4_2_1", color_scheme=scheme)
    page.wait_for_selector("#panel-moves [data-ply='7']")
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    page.click("#panel-moves [data-ply='3']")
    page.wait_for_selector("#status:has-text('After move 3')")
    play(page, "7")
    page.wait_for_selector("#keep")
    troubles = page.evaluate(READABLE)
    page.keyboard.press("a")
    page.wait_for_selector(".candidates tbody tr")
    troubles += page.evaluate(READABLE)
    page.keyboard.press("t")
    page.keyboard.press(">")
    page.wait_for_selector("#tree-told[data-simulations='10']")
    troubles += page.evaluate(READABLE)
    page.keyboard.press("n")
    page.wait_for_selector("#opponents label")
    troubles += page.evaluate(READABLE)
    assert troubles == []


def test_the_board_is_told_to_those_who_cannot_see_it(visit):
    page = visit("#game=connect4&moves=4_4")
    page.wait_for_selector("#panel-moves [data-ply='2']")
    assert "Player 1: 41. Player 2: 42." in page.get_attribute("#board svg.board", "aria-label")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => /^column . *, *empty, you can play here$/.test(document.querySelector('#said').textContent)"
    )
    assert page.locator("#status[aria-live=polite]").count() == 1


@pytest.mark.parametrize("size", [(1280, 860), (390, 844)])
def test_nothing_jumps_while_a_game_is_played_and_analysed(visit, size):
    page = visit(script=SHIFTS, viewport={"width": size[0], "height": size[1]})
    play(page, "4")
    page.wait_for_selector("#panel-moves [data-ply='2']")
    page.keyboard.press("a")
    page.wait_for_selector("#told:has-text('2,000 simulations.')")
    page.keyboard.press("h")
    page.keyboard.press("u")
    page.wait_for_selector("#panel-moves [data-ply='2']", state="detached")
    assert sum(page.evaluate("window.shifts")) < 0.02


def test_sizes_from_phone_to_desktop_show_the_whole_board(visit):
    page = visit()
    for width, height in ((360, 640), (844, 390), (820, 1180), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        board = page.locator("#board svg.board").bounding_box()
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= width
        assert board["y"] + board["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 1280])
def test_puzzles_fit_beside_the_board(visit, width):
    page = visit(viewport={"width": width, "height": 800})
    page.keyboard.press("p")
    page.wait_for_selector("#status:has-text('find the move')")
    page.locator("#board .cell.legal").first.click()
    page.wait_for_selector("#again")
    card = page.locator("#card").bounding_box()
    assert card["x"] + card["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_theme_that_was_chosen_stays(visit):
    page = visit(color_scheme="light")
    page.click("#theme")
    page.reload()
    page.wait_for_selector("#board > *")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_strength_is_chosen_by_level_simulations_or_time(visit, server):
    page = visit()
    for mode, steps, expected in (
        ("Level", 9, "az:level=10"),
        ("Simulations", 1, "az:sims=25"),
        ("Time", 0, "az:time=1"),
    ):
        page.click("#new")
        page.click("#dialog label:has-text('Trained network')")
        page.click(f"#dialog [data-mode='{mode}']")
        page.locator("#dialog input[type=range]").fill(str(steps))
        page.locator("#dialog label:has-text('Second')").click()
        before = page.evaluate("sessionStorage.getItem('table')")
        page.click("#begin")
        page.wait_for_function("before => sessionStorage.getItem('table') !== before", arg=before)
        table = server.hub.tables[page.evaluate("sessionStorage.getItem('table')")]
        assert table.seats == [expected, "human"]
        page.wait_for_selector("#panel-moves [data-ply='1']")
        assert page.inner_text("#seat-below .who") == "You", "one's own stones are below"


def test_a_game_that_is_gone_is_replaced_by_a_new_one(visit):
    page = visit(script="sessionStorage.table || sessionStorage.setItem('table', 'nothing')")
    page.wait_for_selector("#status:has-text('Your move.')")
    assert page.evaluate("sessionStorage.getItem('table')") != "nothing"

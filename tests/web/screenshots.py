"""The pictures of the documentation, taken from the real page: `make screenshots`."""

import argparse
import subprocess
import sys
import tempfile
import time
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from playwright.sync_api import sync_playwright

from web.conftest import CHROMIUM, Running
from web.playing import new_game, play, wait_for_turn

WHERE = Path(__file__).parents[2] / "docs" / "screenshots"
GAME = "#game=connect4&moves=4_4_4_4_4_2_2_2_3_3"
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def save(page, name, full=False):
    picture = Image.open(BytesIO(page.screenshot(full_page=full))).convert("RGB")
    colours = picture.quantize(256)
    picture.quantize(palette=colours, dither=Image.Dither.FLOYDSTEINBERG).save(
        WHERE / f"{name}.png", optimize=True
    )


def short_runs(where):
    """Two runs of Tic-Tac-Toe, to have something to compare; half a minute each."""
    for name, filters in (("narrow", 8), ("wide", 32)):
        words = ["train", "tictactoe", "--run", str(where / name), "--rounds", "15"]
        words += ["--set", f"network.filters={filters}", "--set", "watch.versions=5"]
        subprocess.run([sys.executable, "-m", "zermelo", *words], check=True)
    return sorted(where.iterdir())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", action="append", type=Path, default=[])
    asked = parser.parse_args()
    WHERE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as where:
        take(asked.run or short_runs(Path(where)))


def take(runs):
    server = Running(files=["examples/nim.py", "examples/kalah.py"], runs=runs)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])

        def visit(path="", **options):
            context = browser.new_context(reduced_motion="reduce", **options)
            context.set_default_timeout(90_000)
            page = context.new_page()
            page.goto(server.address + path)
            page.wait_for_selector("#board > *", state="attached")
            page.click("[data-page=play]")
            page.evaluate("() => document.activeElement.blur()")
            return page

        page = visit(GAME, **DESKTOP)
        page.wait_for_selector("[data-ply='10']")
        page.keyboard.press("w")
        page.wait_for_selector("#progress:has-text('dots are mistakes')")
        page.keyboard.press("a")
        page.wait_for_selector("#told:has-text('2,000 simulations.')")
        time.sleep(5)  # the solver may still be at work
        save(page, "analysis")
        page.keyboard.press("t")
        for number in range(13):
            page.wait_for_selector(f"#tree-told[data-simulations='{number}']")
            page.keyboard.press(".")
        page.wait_for_selector("#tree-told[data-simulations='13']")
        save(page, "tree")
        page = visit(color_scheme="dark", **DESKTOP)
        new_game(page, "Othello", "Tree search", strength=1)
        for _ in range(7):
            wait_for_turn(page)
            page.locator("#board .cell.legal").nth(1).click()
            time.sleep(0.5)
        wait_for_turn(page)
        save(page, "dark")
        page = visit("#game=gomoku&moves=h8_i9_h9_h10_g9_f9_i8_g10", **DESKTOP)
        page.wait_for_selector("[data-ply='8']")
        page.click("#new")
        page.wait_for_selector("#opponents label")
        save(page, "new")
        page = visit(**PHONE)
        new_game(page, "Connect 4", "Trained network", strength=9)
        for move in "443":
            wait_for_turn(page)
            play(page, move)
            time.sleep(0.5)
        wait_for_turn(page)
        save(page, "phone")
        page = visit(**DESKTOP)
        page.click("[data-page=runs]")
        page.wait_for_selector("#runs .chart canvas")
        time.sleep(1)
        save(page, "runs", full=True)
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()

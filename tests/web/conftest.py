"""A real server and a real Chromium; without one these tests are skipped."""

import shutil
import threading
import time
from urllib.request import urlopen

import pytest

from zermelo.web.serving import prepare

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome")
                 if (path := shutil.which(name))), None)  # fmt: skip
PATIENCE = 120_000
"""Milliseconds: a first search may have to be compiled."""


class Running:
    """A server in a thread."""

    def __init__(self, **options):
        self.serving = prepare(0, **options)
        self.hub, self.address = self.serving.hub, self.serving.address
        self.host = self.address.split("/")[2]
        self.thread = threading.Thread(target=self.serving.run, daemon=True)
        self.thread.start()
        while not self.serving.server.started:
            time.sleep(0.02)

    def stop(self):
        self.serving.stop()
        self.thread.join(10)
        assert not self.thread.is_alive()


@pytest.fixture(scope="session")
def server():
    running = Running(files=["examples/nim.py", "examples/kalah.py"])
    assert urlopen(running.address).status == 200
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: the page is not tested (apt install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright drives the page")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-background-networking", "--disable-gpu"],
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def window(browser):
    """What visitors without wishes share, one after the other: another window takes half a second."""
    with browser.new_context(reduced_motion="reduce") as context:
        context.new_page()  # which keeps it open
        yield context


@pytest.fixture
def visit(server, browser, window):
    """Opens the page as a new visitor; anything that goes wrong in it fails the test."""
    contexts, troubles = [], []

    def visit(path="", script="", heard=None, **options):
        is_plain = not (script or heard or options or window in contexts)
        context = window if is_plain else browser.new_context(reduced_motion="reduce", **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.add_init_script(script)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: outside(request.url))
        if heard is not None:
            page.on("response", heard)
        page.goto(server.address + path)
        page.wait_for_selector("#board > *")
        return page

    def outside(url):
        if server.host not in url and not url.startswith(("blob:", "data:")):
            troubles.append(f"asked for {url}")

    yield visit
    for context in contexts:
        if context is window:
            for page in window.pages[1:]:
                page.evaluate("localStorage.clear()")
                page.close()
            window.clear_cookies()
        else:
            context.close()
    assert not troubles

"""What a person does on the page."""


def new_game(page, game, opponent="A person here", side="First", strength=None):
    """Begin a game by the dialog."""
    page.click("#new")
    page.locator(f"#dialog label:has-text('{game}')").first.click()
    tile = page.locator(f"#dialog label:has(input[name=opponent][value='{opponent}'])")
    tile.click()
    if strength is not None:
        page.locator("#dialog input[type=range]").first.fill(str(strength))
    page.locator(f"#dialog label:has-text('{side}')").click()
    table = page.evaluate("sessionStorage.getItem('table')")
    page.click("#begin")
    page.wait_for_function("before => sessionStorage.getItem('table') !== before", arg=table)


def moves(page):
    """The moves of the game as the page shows them."""
    return page.locator("#panel-moves [data-ply]").all_inner_texts()


def play(page, move):
    """Play a move, by a click where it is shown."""
    page.locator(f"#board [data-move='{move}']").click()


def wait_for_turn(page):
    """Until a person may move, or the game is over; whether it goes on."""
    page.wait_for_function(
        "() => !/thinking/.test(document.querySelector('#status').textContent)"
        " && !document.documentElement.hasAttribute('data-offline')"
    )
    return page.locator("#board .cell.legal, #board .choices button:enabled").count() > 0


def status(page):
    return page.inner_text("#status")

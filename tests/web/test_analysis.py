"""What the engine thinks, on the real page."""

import pytest

from web.playing import moves
from zermelo.players.registry import player
from zermelo.search.job import Job
from zermelo.search.pool import Pool


def at(visit, game, played):
    page = visit(f"#game={game}&moves={'_'.join(played.split())}")
    page.wait_for_selector(f"#panel-moves [data-ply='{len(played.split())}']")
    return page


def test_an_analysis_streams_and_ends_and_its_line_is_shown(visit):
    page = at(visit, "connect4", "4 4 4 4 4")
    page.evaluate(
        """() => { window.seen = [];
        new MutationObserver(() => { const said = document.querySelector('#told')?.textContent;
          if (said && /simulations/.test(said)) window.seen.push(said); })
        .observe(document.querySelector('#panel-analysis'), {childList: true, subtree: true}); }"""
    )
    page.keyboard.press("a")
    page.wait_for_selector("#told:has-text('2,000 simulations.')")
    heard = page.evaluate("window.seen")
    assert len({said for said in heard if said.endswith("…")}) > 1, "it was told while it went on"
    assert page.locator("#board text.mark").count() >= 3
    page.locator(".candidates tbody tr").first.hover()
    numbers = page.locator("#board text.number").all_text_contents()
    assert numbers[:3] == ["1", "2", "3"]
    page.keyboard.press("a")
    page.wait_for_function("() => document.querySelectorAll('#board text.mark').length === 0")


def test_a_whole_game_with_its_mistake_and_the_way_there(visit):
    played = "4 4 4 4 4 2 1"  # after 4 4 4 4 4 2 only 2 wins: `zermelo analyse --player perfect`
    page = at(visit, "connect4", played)
    page.keyboard.press("w")
    page.wait_for_selector(".chart.values")
    page.wait_for_selector("#panel-moves [data-ply='7'] .cost", state="attached")
    page.keyboard.press("m")
    page.wait_for_selector("#status:has-text('After move')")
    page.locator(".chart.values [data-ply='2']").click()
    page.wait_for_selector("#status:has-text('After move 2 of 7')")
    assert moves(page)[:2] == ["4", "4"]


def test_exact_values_where_a_solver_exists(visit):
    page = at(visit, "tictactoe", "1 4 2 5")
    page.keyboard.press("a")
    page.wait_for_selector("#exact:has-text('win in 1')")
    assert page.locator(".candidates tbody tr").first.inner_text().split()[:4] == ["3", "win", "in", "1"]


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_ten_simulations_step_by_step_are_those_of_the_search(visit, server, game):
    page = at(visit, game, "4 4" if game == "connect4" else "5")
    page.keyboard.press("t")
    page.wait_for_selector("#tree-told[data-simulations='0']")
    position = server.hub.catalogue.game(game).position("4 4" if game == "connect4" else "5")
    thinker = player("az:sims=200" if server.hub.models.ships(position.game) else "uct:sims=200")
    pool = Pool(position.game, 1, thinker.encoding(position.game))
    job = Job(position, thinker.config(), thinker.evaluator(position.game), seed=0)
    for tree, number in zip(pool.steps(job, levels=4, nodes=120), range(11), strict=False):
        if number:
            page.keyboard.press(".")
        page.wait_for_selector(f"#tree-told[data-simulations='{number}']")
        shown = page.evaluate(
            """() => [...document.querySelectorAll('#panel-tree [data-way]')].map(
            (edge) => [edge.dataset.way, +edge.dataset.n, edge.dataset.q, +edge.dataset.p])"""
        )
        found = {tuple(map(int, way.split())): (n, float(q) if q else None, p) for way, n, q, p in shown}
        assert len(found) >= len(tree.root.edges)
        for way, (n, q, p) in found.items():
            node = tree.root
            for action in way[:-1]:
                node = next(edge for edge in node.edges if edge.action == action).child
            edge = next(edge for edge in node.edges if edge.action == way[-1])
            assert (n, p) == (edge.visits, edge.prior)
            assert q == (edge.value if edge.visits else None)


def test_a_puzzle_is_answered_exactly(visit):
    page = visit()
    page.click("[data-page=puzzles]")
    page.wait_for_selector("#status:has-text('find the move')")
    page.locator("#board .cell.legal").first.click()
    page.wait_for_selector("#status b.good, #status b.bad")
    assert page.locator("#board text.mark").count() >= 1
    page.click("#again")
    page.wait_for_selector("#status:has-text('find the move')")


def test_another_adviser_and_the_policy_on_the_board(visit):
    page = at(visit, "connect4", "4 4")
    page.keyboard.press("a")
    page.wait_for_selector("#told:has-text('the network alone says')")
    page.keyboard.press("v")
    page.wait_for_function("() => document.querySelector('#board text.sub')?.textContent === 'policy'")
    page.select_option("#by", "uct")
    page.wait_for_selector("#told:has-text('30,000 simulations.')")
    assert page.locator(".candidates th").all_inner_texts() == ["move", "chance", "visits"]

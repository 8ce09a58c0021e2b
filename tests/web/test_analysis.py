"""What the engine thinks, on the real page."""

import pytest

from web.playing import moves
from zermelo.exact.sets import shipped
from zermelo.games.registry import game
from zermelo.players.registry import player
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.web.stepping import LEVELS, NODES


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
    page.locator(".candidates tbody tr").first.click()
    page.wait_for_selector("#status:has-text('A variation: ')")
    assert len(moves(page)) > 6, "the whole line can be looked at"
    page.keyboard.press("a")
    page.wait_for_function("() => document.querySelectorAll('#board text.mark').length === 0")


def a_mistake():
    """A game of which the graded set says that its last move turns a win into a loss."""
    for one in shipped(game("connect4"), "plies-10-16"):
        worst = min(one.outcomes, key=lambda action: one.outcomes[action])
        if len(one.position.moves) >= 14 and one.best.value - one.outcomes[worst].value == 2:
            return " ".join(one.position.play(worst).move_names)
    raise AssertionError("there is none")


def test_a_whole_game_with_its_mistake_and_the_way_there(visit):
    played = a_mistake()
    last = len(played.split())
    page = at(visit, "connect4", played)
    page.keyboard.press("w")
    page.wait_for_selector(
        f"#panel-moves [data-ply='{last}'] .cost:has-text('??'):has-text('100')", state="attached"
    )
    page.keyboard.press("[")
    page.wait_for_selector(f"#status:has-text('After move {last - 1} of {last}')")
    page.keyboard.press("m")  # it was the last mistake, so the first one follows
    page.wait_for_function(
        "last => document.querySelector('.chart.values').ariaValueNow < last - 1", arg=last
    )
    chart = page.locator(".chart.values .u-over")
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] * 2 / last, "y": box["height"] / 2})
    page.wait_for_selector("#status:has-text('After move 2 of')")
    page.locator(".chart.values").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#status:has-text('After move 3 of')")
    assert page.get_attribute(".chart.values", "aria-valuenow") == "3"


def test_exact_values_where_a_solver_exists(visit):
    page = at(visit, "tictactoe", "1 4 2 5")
    page.keyboard.press("a")
    page.wait_for_selector("#exact:has-text('win in 1')")
    assert page.locator(".candidates tbody tr").first.inner_text().split()[:4] == ["3", "win", "in", "1"]
    assert page.locator("#board .marked.good").count() == 1


def ways(node, before=()):
    """The ways to all edges that are shown: of the root all, below it those that were tried."""
    found = set()
    for edge in node.edges:
        if edge.visits or not before:
            found.add((*before, edge.action))
            found |= ways(edge.child, (*before, edge.action)) if edge.child is not None else set()
    return found


@pytest.mark.parametrize(("name", "played"), [("connect4", "4 4"), ("tictactoe", "5")])
def test_ten_simulations_step_by_step_are_those_of_the_search(visit, server, name, played):
    page = at(visit, name, played)
    page.keyboard.press("t")
    page.wait_for_selector("#tree-told[data-simulations='0']")
    position = server.hub.catalogue.game(name).position(played)
    thinker = player("az:sims=200" if server.hub.models.ships(position.game) else "uct:sims=200")
    pool = Pool(position.game, 1, thinker.encoding(position.game))
    job = Job(position, thinker.config(), thinker.evaluator(position.game), seed=0)
    chosen = None
    for tree, number in zip(pool.steps(job, LEVELS, NODES), range(11), strict=False):
        if number:
            page.keyboard.press(".")
        page.wait_for_selector(f"#tree-told[data-simulations='{number}']")
        shown = page.evaluate(
            """() => [...document.querySelectorAll('#panel-tree [data-way]')].map(({ dataset }) =>
            [dataset.way, +dataset.n, dataset.q, +dataset.p, dataset.s])"""
        )
        found = {tuple(map(int, way.split())): (n, float(q) if q else None, p) for way, n, q, p, _ in shown}
        assert found.keys() == ways(tree.root), "every edge that was tried, and all of the root"
        assert chosen is None or tree.path[0] == chosen, "selection follows the highest S"
        scores = {int(way): float(s) for way, *_, s in shown if " " not in way}
        chosen = max(sorted(scores), key=lambda action: scores[action])
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
    assert "of 1 solved" in page.inner_text("#score")
    page.click("#again")
    page.wait_for_selector("#status:has-text('find the move')")
    page.select_option("#puzzle-kind", "one")
    page.wait_for_function("() => !document.querySelector('#status .good, #status .bad')")
    page.select_option("#puzzle-game", "othello:size=6")
    page.wait_for_selector("h1:has-text('Puzzle: Othello (size 6)')")


def test_the_networks_puzzles_are_those_it_gets_wrong(server):
    connect4 = server.hub.catalogue.game("connect4")
    alone = player("az:sims=0")
    for _ in range(3):
        asked = server.hub.thinker.call(lambda: server.hub.puzzles.draw(connect4, "az")).result(60)
        assert not asked.keeps_the_result(alone.choose([asked.position], [0])[0])
        hard = server.hub.thinker.call(lambda: server.hub.puzzles.draw(connect4, "one")).result(60)
        assert sum(map(hard.keeps_the_result, hard.outcomes)) == 1


def test_another_adviser_and_the_policy_on_the_board(visit):
    page = at(visit, "connect4", "4 4")
    page.keyboard.press("a")
    page.wait_for_selector("#alone:has-text('%')")
    row = page.locator(".candidates tbody tr").first
    assert row.locator(".bar .visits").count() == row.locator(".bar .prior").count() == 1, "side by side"
    page.keyboard.press("v")
    page.wait_for_function("() => document.querySelector('#board text.sub')?.textContent === 'policy'")
    page.select_option("#by", "uct")
    page.wait_for_selector("#told:has-text('30,000 simulations.')")
    assert "%" not in page.inner_text("#alone")

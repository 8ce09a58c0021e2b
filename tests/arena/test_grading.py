"""Players graded by exact solvers."""

import json

import pytest

import zermelo
from network.networks import SMALL, trained
from zermelo.arena.grading import grade
from zermelo.arena.intervals import wilson
from zermelo.arena.mistakes import Mistakes, every_position, mistakes, position_set
from zermelo.errors import BadParameter, IllegalMove, UnknownName
from zermelo.exact.sets import SETS, shipped
from zermelo.network.model import write_model
from zermelo.players.base import Player

CONNECT4, TICTACTOE = zermelo.game("connect4"), zermelo.game("tictactoe")


def expected(positions):
    """Of a random player, by counting its moves: result mistakes and best mistakes, in shares."""
    shares = [
        (
            sum(not one.keeps_the_result(action) for action in one.outcomes) / len(one.outcomes),
            sum(not one.is_best(action) for action in one.outcomes) / len(one.outcomes),
        )
        for one in positions
    ]
    return [sum(column) / len(shares) for column in zip(*shares, strict=True)]


def test_what_is_expected_of_random_can_be_counted_by_hand():
    """Two in a row on a board of one row and three columns: whoever has the middle wins, if first."""
    game = zermelo.game("connect:rows=1,cols=3,n=2")
    graded = {one.position.move_names: one for one in every_position(game)}
    # The middle wins at the third move; a corner draws, for the other player takes the middle.
    assert [graded[()].outcomes[action].value for action in range(3)] == [0, 1, 0]
    assert expected([graded[()]]) == [2 / 3, 2 / 3]
    # After 2 every answer loses at once; after 1 the middle draws and the other corner loses.
    assert expected([graded["2",]]) == [0, 0]
    assert expected([graded["1",]]) == [1 / 2, 1 / 2]
    assert expected([graded[()], graded["2",], graded["1",]]) == pytest.approx([7 / 18, 7 / 18])


def test_perfect_makes_no_mistake_in_tictactoe():
    found = grade(TICTACTOE, zermelo.player("perfect"))
    (one,) = found.sets
    assert (one.name, one.network_alone) == ("all", None)
    assert found.total.mistakes == one.mistakes == Mistakes(4520, 0, 0)
    assert found.left_out == ()


@pytest.mark.parametrize("name", ["all", "middle-easy", "plies-10-16"])
def test_random_makes_as_many_mistakes_as_its_moves_predict(name):
    chosen = every_position(TICTACTOE) if name == "all" else shipped(CONNECT4, name)
    results, best = expected(chosen)
    found = mistakes(zermelo.player("random"), chosen)
    assert found.interval[0] <= results <= found.interval[1]
    assert found.not_best_interval[0] <= best <= found.not_best_interval[1]
    assert 0.1 < results < best < 0.9


@pytest.mark.parametrize("name", SETS["connect4"])
def test_perfect_makes_no_mistake_in_the_sets_of_connect4(name):
    last = sorted(shipped(CONNECT4, name), key=lambda one: len(one.position.moves))[-6:]
    assert mistakes(zermelo.player("perfect"), last) == Mistakes(6, 0, 0)


@pytest.mark.slow
def test_perfect_makes_no_mistake_in_any_position_of_connect4():
    total = grade(CONNECT4, zermelo.player("perfect")).total
    assert total.mistakes == Mistakes(6200, 0, 0)


def test_a_player_that_thinks_errs_less_than_one_that_does_not():
    chosen = shipped(CONNECT4, "middle-easy")[:200]
    random, thinking = (mistakes(zermelo.player(name), chosen) for name in ("random", "uct:sims=300"))
    assert thinking.share < random.share / 2
    assert thinking.not_best < random.not_best


def test_the_network_alone_is_graded_beside_the_search(tmp_path):
    path, game = tmp_path / "net.safetensors", zermelo.game("connect:rows=3,cols=3,n=3")
    write_model(trained(game.name, SMALL), path)
    found = grade(game, zermelo.player(f"az:model={path},sims=30,threads=1"))
    alone = mistakes(zermelo.player(f"az:model={path},sims=0,threads=1"), every_position(game))
    assert found.total.network_alone == alone
    assert found.total.mistakes.share < alone.share / 2
    same = grade(game, zermelo.player(f"az:model={path},sims=0,threads=1"))
    assert same.total.network_alone == same.total.mistakes == alone


def test_progress_and_finished_sets_are_told():
    told, finished = [], []
    sets = ["end-easy", "middle-easy"]
    found = grade(
        CONNECT4,
        zermelo.player("random"),
        sets,
        progress=lambda *stage: told.append(stage),
        finished=finished.append,
    )
    assert [one.name for one in finished] == [one.name for one in found.sets] == sets
    assert told[0] == ("random in end-easy", 0, 1000)
    assert told[-1] == ("random in middle-easy", 1000, 1000)
    assert found.total.mistakes == finished[0].mistakes + finished[1].mistakes


def test_a_file_is_graded_and_what_is_wrong_in_it_is_left_out(tmp_path):
    path = tmp_path / "mine.txt"
    board = list(CONNECT4.cells(CONNECT4.position("41414")))
    lines = [
        "414141 18", "414141 17", "41414", json.dumps({"board": board, "score": -18}), "4148",
        json.dumps({"board": board, "score": -18, "move score": [-18] * 3 + [-15, -18, -18, -18]}),
    ]  # fmt: skip
    path.write_text("\n".join(lines))
    found = grade(CONNECT4, zermelo.player("perfect"), positions=path)
    assert [one.name for one in found.sets] == ["mine.txt"]
    assert [(one.number, one.reason.split(";")[0]) for one in found.left_out] == [
        (2, "its score is 17, but the solver finds 18"),
        (4, "its score is -18, but the solver finds " + str(_score("41414"))),
        (5, "`8` is not legal in connect4 after 4 1 4"),
        (6, "its score is -18, but the solver finds " + str(_score("41414"))),
    ]
    assert found.total.mistakes == Mistakes(2, 0, 0)


def _score(moves):
    return zermelo.player("perfect").solver(CONNECT4).score(CONNECT4.position(moves))


def test_a_file_without_a_good_line_is_refused(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("4448\nx\n")
    with pytest.raises(BadParameter, match=r"no line of .*bad.txt is a position to grade; line 1: `8` is"):
        grade(CONNECT4, zermelo.player("random"), positions=path)


def test_a_set_that_is_not_there():
    with pytest.raises(UnknownName, match="tictactoe has no set `end-easy`; it has: all"):
        grade(TICTACTOE, zermelo.player("random"), ["end-easy"])


@pytest.mark.parametrize(
    ("name", "set_name"),
    [("othello:size=4", "plies-4-7"), ("connect:rows=4,cols=5,n=4", "plies-6-10")],
)
def test_positions_of_a_small_game_are_solved(name, set_name):
    found = position_set(zermelo.game(name), 10)
    assert (found.name, len(found.positions)) == (set_name, 10)
    assert all(one.is_telling for one in found.positions)
    assert mistakes(zermelo.player("perfect"), found.positions) == Mistakes(10, 0, 0)


def test_an_illegal_move_is_not_a_mistake_but_an_error():
    class Rogue(Player):
        kind = "rogue"

        def choose(self, positions, seeds):
            return [7] * len(positions)

    with pytest.raises(IllegalMove, match="rogue chose action 7"):
        mistakes(Rogue(), shipped(CONNECT4, "end-easy")[:3])


def test_every_position_has_its_own_chance():
    class Listener(Player):
        kind = "listener"
        heard = []

        def choose(self, positions, seeds):
            self.heard.extend(seeds)
            return [position.legal_actions[0] for position in positions]

    chosen = shipped(CONNECT4, "end-easy")[:30]
    mistakes(Listener(), chosen, seed=5)
    assert len(set(Listener.heard)) == 30
    assert min(Listener.heard) == 5


def test_wilson():
    """Values of Newcombe, Statistics in Medicine 17 (1998), 857-872, table I."""
    table = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, n), interval in table.items():
        assert wilson(hits / n, n) == pytest.approx(interval, abs=0.0002)

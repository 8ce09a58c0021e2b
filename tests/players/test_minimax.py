import numpy as np
import pytest

import zermelo
from players.test_players import GAMES
from players.test_tactics import sharp_positions
from search.test_alphabeta import Grab, Three
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.players import registry
from zermelo.players.minimax import MinimaxPlayer

MINIMAX = zermelo.player("minimax")


@pytest.mark.parametrize(
    "name",
    ["greedy", "minimax", "minimax:depth=6,random=0", "minimax:time=0.5,table=8", "minimax:pruning=0"],
)
def test_names_give_the_player_back(name):
    player = zermelo.player(name)
    assert player.name == name
    assert eval(repr(player)) == player


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("minimax:depth=0", "`depth` (=0) of minimax must be at least 1"),
        ("minimax:depth=two", "must be a whole number"),
        ("minimax:time=-1", "`time` (=-1.0) of minimax must not be negative"),
        ("minimax:time=nan", "must not be negative"),
        ("minimax:table=0", "`table` (=0) of minimax must be at least 1 megabyte"),
        ("minimax:pruning=maybe", "must be true or false"),
        ("minimax:sims=3", "it has: depth time table pruning random"),
        ("greedy:depth=2", "is not a parameter of greedy; it has: none"),
    ],
)
def test_wrong_parameters_are_refused(name, message):
    with pytest.raises(BadParameter) as raised:
        zermelo.player(name)
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["greedy", "minimax"])
def test_games_for_three_are_refused(name):
    with pytest.raises(UnsuitableGame, match=f"{name} cannot play three: it has 3 players"):
        zermelo.player(name).check(Three().position())


@pytest.mark.parametrize("player", ["minimax:depth=2", "minimax:depth=3", "minimax:depth=2,pruning=0"])
@pytest.mark.parametrize("name", GAMES)
def test_immediate_wins_are_taken_and_losses_stopped(name, player):
    some, known = sharp_positions(name, 40)
    moves = zermelo.player(player).choose(some, range(len(some)))
    for position, move, good in zip(some, moves, known, strict=True):
        assert move in good, f"{player} plays {position.name(move)} in {position!r}"


@pytest.mark.parametrize("name", GAMES)
def test_greedy_takes_immediate_wins(name):
    some, _ = sharp_positions(name, 40)
    for position, move in zip(some, zermelo.player("greedy").choose(some, range(len(some))), strict=True):
        wins = [
            a for a in position.legal_actions if (position.play(a).returns or (0, 0))[position.mover] == 1
        ]
        assert not wins or move in wins


def test_greedy_has_most_discs_after_its_move_in_othello():
    game, random = zermelo.game("othello"), np.random.default_rng(1)
    position = game.position()
    while not position.is_over:
        after = {action: position.play(action) for action in position.legal_actions}
        if not any(child.is_over for child in after.values()):
            discs = {action: game.discs(child)[position.mover] for action, child in after.items()}
            (move,) = zermelo.player("greedy").choose([position], [0])
            assert discs[move] == max(discs.values())
        position = position.play(int(random.choice(position.legal_actions)))


def test_greedy_wants_most_for_itself_when_it_moves_again():
    (move,) = zermelo.player("greedy").choose([Grab().position()], [0])
    assert move == 2


def test_equally_good_moves_are_drawn_by_the_seed():
    start = zermelo.game("tictactoe").position()
    moves = MINIMAX.choose([start] * 50, range(50))
    (result,) = MINIMAX.search([start])
    assert set(moves) == set(result.actions)
    assert moves == MINIMAX.choose([start] * 50, range(50))
    assert set(zermelo.player("minimax:random=0").choose([start] * 5, range(5))) == {min(result.actions)}


def test_minimax_looks_as_deep_as_it_is_told():
    position = zermelo.game("connect4").position("4 4 3")
    (result,) = zermelo.player("minimax:depth=5").search([position])
    assert result.depth == 5
    assert result.value == zermelo.player("minimax:depth=5,pruning=0").search([position])[0].value


def test_minimax_with_time_looks_deeper_than_its_depth():
    position = zermelo.game("connect4").position()
    (result,) = zermelo.player("minimax:time=0.5").search([position])
    assert result.depth > 4


def test_minimax_never_loses_tictactoe():
    game = zermelo.game("tictactoe")
    result = zermelo.match(
        game, zermelo.player("minimax:depth=9"), zermelo.player("perfect"), 40, openings=0
    )
    assert result.draws == 40


def test_deeper_is_better_and_greedy_beats_random():
    game, othello = zermelo.game("connect4"), zermelo.game("othello")
    assert zermelo.match(othello, MINIMAX, zermelo.player("minimax:depth=2"), games=20).score > 0.7
    assert zermelo.match(game, MINIMAX, zermelo.player("greedy"), games=60).score > 0.8
    assert zermelo.match(game, zermelo.player("greedy"), zermelo.player("random"), games=60).score > 0.9


def test_a_heuristic_of_ones_own_makes_a_player_of_ones_own(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})

    @zermelo.register_player
    class Leftist(MinimaxPlayer):
        """Wants its stones at the left."""

        kind = "leftist"

        def heuristic(self, game):
            return lambda position: (position.game.cells(position)[::7].count(2 - position.mover) - 3) / -7

    start = zermelo.game("connect4").position()
    assert zermelo.player("leftist:depth=1").choose([start], [0]) == [0]

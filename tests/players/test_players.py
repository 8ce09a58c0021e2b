import numpy as np
import pytest

import zermelo
from search.test_reference import positions
from zermelo.errors import BadParameter, UnknownName
from zermelo.players import registry
from zermelo.players.base import Player

GAMES = ["tictactoe", "connect4", "gomoku:size=6,n=4", "othello:size=6"]


@pytest.mark.parametrize(
    "name", ["random", "perfect", "uct", "uct:sims=400,c=0.7", "uct:time=0.5,final=secure"]
)
def test_names_give_the_player_back(name):
    player = zermelo.player(name)
    assert player.name == name
    assert eval(repr(player)) == player


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("utc", UnknownName, "Did you mean `uct`?"),
        ("uct:simulations=3", BadParameter, "is not a parameter of uct; it has: sims time"),
        ("uct:sims=0", BadParameter, "at least 1"),
        ("uct:sims=many", BadParameter, "must be a whole number"),
        ("uct:c=x", BadParameter, "must be a number"),
        ("uct:time=-1", BadParameter, "must not be negative"),
        ("uct:variant=best", BadParameter, "puct gumbel uct omc pbbm"),
        ("uct:sims=3,sims=4", BadParameter, "given twice"),
    ],
)
def test_wrong_names_say_what_is_allowed(name, error, message):
    with pytest.raises(error) as raised:
        zermelo.player(name)
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["random", "uct:sims=50", "uct:sims=50,temperature=1"])
def test_the_same_seed_gives_the_same_move_alone_or_in_a_batch(name):
    game = zermelo.game("connect4")
    some = positions(game, 9)
    player = zermelo.player(name)
    together = player.choose(some, range(9))
    alone = [player.choose([position], [seed])[0] for seed, position in enumerate(some)]
    assert together == alone
    assert all(action in position.legal_actions for action, position in zip(together, some, strict=True))


def test_random_moves_are_all_equally_likely():
    start = zermelo.game("connect4").position()
    moves = zermelo.player("random").choose([start] * 7000, range(7000))
    assert np.allclose(np.bincount(moves), 1000, atol=150)


def test_a_player_of_ones_own_has_a_name(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})

    @zermelo.register_player
    class First(Player):
        """The first legal move."""

        kind = "first"
        skip: int = 0

        def choose(self, positions, seeds):
            return [p.legal_actions[self.skip % len(p.legal_actions)] for p in positions]

    assert zermelo.player("first:skip=2").choose([zermelo.game("connect4").position()], [0]) == [2]

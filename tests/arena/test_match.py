import math

import pytest

import zermelo
from zermelo.arena.contest import opening
from zermelo.arena.match import MatchResult
from zermelo.errors import BadParameter, IllegalMove
from zermelo.players.base import Player

CONNECT4 = zermelo.game("connect4")
UCT, RANDOM = zermelo.player("uct:sims=60"), zermelo.player("random")


def test_the_stronger_player_wins():
    result = zermelo.match(CONNECT4, UCT, RANDOM, games=20)
    assert result.games == 20
    assert result.wins >= 18
    swapped = zermelo.match(CONNECT4, RANDOM, UCT, games=20)
    assert swapped.losses >= 18


def test_the_same_seed_gives_the_same_games_move_for_move():
    one, two, three = (zermelo.match(CONNECT4, UCT, UCT, games=6, seed=s) for s in (1, 1, 2))
    assert [p.moves for p in one.positions] == [p.moves for p in two.positions]
    assert [p.moves for p in one.positions] != [p.moves for p in three.positions]


def test_each_opening_is_played_with_both_colours():
    result = zermelo.match(CONNECT4, RANDOM, RANDOM, games=8, openings=4)
    starts = [position.moves[:4] for position in result.positions]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) > 1


def test_games_do_not_depend_on_how_many_are_played():
    few, many = (zermelo.match(CONNECT4, UCT, RANDOM, games=n, seed=4).positions for n in (2, 9))
    assert [p.moves for p in few] == [p.moves for p in many[:2]]


def test_extra_turns_stay_with_their_player():
    kalah = zermelo.game("examples/kalah.py:houses=4,seeds=3")
    result = zermelo.match(kalah, zermelo.player("uct:sims=100"), RANDOM, games=10)
    assert result.score > 0.8


def test_results_by_colour_add_up():
    result = zermelo.match(zermelo.game("tictactoe"), UCT, RANDOM, games=9, openings=0)
    first, second = result.seated(0), result.seated(1)
    assert (sum(first), sum(second)) == (5, 4)
    assert tuple(map(sum, zip(first, second, strict=True))) == (result.wins, result.draws, result.losses)


def test_progress_tells_where_all_games_stand():
    told = []
    result = zermelo.match(CONNECT4, RANDOM, RANDOM, games=3, progress=lambda p: told.append(tuple(p)))
    assert told[-1] == result.positions
    lengths = [sum(len(position.moves) for position in positions) for positions in told]
    assert lengths == sorted(set(lengths))


def test_a_player_may_want_one_game_at_a_time():
    class OneByOne(Player):
        kind = "one-by-one"
        one_game_at_a_time = True

        def choose(self, positions, seeds):
            assert len(positions) == 1
            return RANDOM.choose(positions, seeds)

    result = zermelo.match(CONNECT4, OneByOne(), RANDOM, games=4)
    lockstep = zermelo.match(CONNECT4, RANDOM, RANDOM, games=4)
    assert [p.moves for p in result.positions] == [p.moves for p in lockstep.positions]


def test_it_may_depend_on_its_parameters_whether_a_player_wants_that():
    class Timed(Player):
        kind = "timed"
        time: float = 0.0

        @property
        def one_game_at_a_time(self):
            return self.time > 0

        def choose(self, positions, seeds):
            asked.append(len(positions))
            return RANDOM.choose(positions, seeds)

    asked = []
    zermelo.match(CONNECT4, Timed(), RANDOM, games=4, openings=0)
    assert asked[0] == 2
    asked.clear()
    zermelo.match(CONNECT4, Timed(time=1.0), RANDOM, games=4, openings=0)
    assert set(asked) == {1}


def test_score_and_interval():
    result = MatchResult("g", "a", "b", 50, 0, 50, 1.0, ())
    assert result.score == 0.5
    assert result.interval == pytest.approx((0.404, 0.596), abs=0.002)  # Wilson, 50 of 100
    assert MatchResult("g", "a", "b", 100, 0, 0, 1.0, ()).interval == pytest.approx((0.963, 1.0), abs=0.001)
    narrow = MatchResult("g", "a", "b", 25, 50, 25, 1.0, ()).interval
    assert narrow[1] - narrow[0] < 0.192 * 0.75


def test_a_few_draws_are_not_certainty():
    low, high = MatchResult("g", "a", "b", 0, 4, 0, 1.0, ()).interval
    assert low < 0.3
    assert high > 0.7
    low, high = MatchResult("g", "a", "b", 0, 100, 0, 1.0, ()).interval
    assert 0.48 < low < 0.495
    assert 0.505 < high < 0.52


@pytest.mark.parametrize("games", [20, 100])
@pytest.mark.parametrize("draw", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.7, 1.0])
def test_the_interval_holds_the_true_score_in_about_95_of_100_matches(games, draw, share):
    """Summed over all results that a match may have; `share` of the games not drawn are won."""
    win, loss = share * (1 - draw), (1 - share) * (1 - draw)
    covered = 0.0
    for wins in range(games + 1):
        for draws in range(games + 1 - wins):
            losses = games - wins - draws
            low, high = MatchResult("g", "a", "b", wins, draws, losses, 1.0, ()).interval
            if low - 1e-9 <= win + draw / 2 <= high + 1e-9:
                ways = math.comb(games, wins) * math.comb(games - wins, draws)
                covered += ways * win**wins * draw**draws * loss**losses
    assert covered > 0.92


def test_openings_are_never_over():
    game = zermelo.game("tictactoe")
    assert all(not opening(game, 6, 0, k).is_over for k in range(200))
    with pytest.raises(BadParameter, match="do not last that long"):
        opening(game, 10, 0, 0)
    with pytest.raises(BadParameter, match=r"`openings` \(=-1\) must not be negative"):
        zermelo.match(game, RANDOM, RANDOM, openings=-1)


def test_an_illegal_move_is_not_replaced_by_another():
    class Cheat(Player):
        kind = "cheat"

        def choose(self, positions, seeds):
            return [99 for _ in positions]

    with pytest.raises(IllegalMove, match="cheat chose action 99"):
        zermelo.match(CONNECT4, Cheat(), RANDOM, games=2)

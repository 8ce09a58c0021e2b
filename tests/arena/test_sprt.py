"""Sequential tests: their errors by simulation, their ratio against numbers worked out elsewhere."""

import math

import numpy as np
import pytest

import zermelo
from zermelo.arena.sprt import Sprt, sequential_match
from zermelo.errors import BadParameter
from zermelo.players.base import Player

CONNECT4 = zermelo.game("connect4")


def chances(elo, drawn):
    """Of 0, 1/2, 1, 3/2 and 2 points in two games between players that are `elo` apart."""
    p = 1 / (1 + 10 ** (-elo / 400))
    draw = 2 * drawn * min(p, 1 - p)
    game = [1 - p - draw / 2, draw, p - draw / 2]
    return np.convolve(game, game)


def verdicts(test, elo, drawn, tests, batch=6, most=300):
    random, found = np.random.default_rng(9), []
    for _ in range(tests):
        pairs, verdict = np.zeros(5, int), "open"
        while verdict == "open" and pairs.sum() < most:
            pairs += random.multinomial(batch, chances(elo, drawn))
            verdict = test.verdict(test.ratio(pairs))
        found.append((verdict, pairs.sum()))
    return found


@pytest.mark.parametrize("drawn", [0.0, 0.6])
def test_errors_are_as_rare_as_asked_for(drawn):
    """With 5 % and 200 tests, more than 18 wrong ones come by chance less than once in 100 times."""
    test = Sprt(0, 150)
    for elo, wrong in ((0, "elo1"), (150, "elo0")):
        found = verdicts(test, elo, drawn, 200)
        assert sum(verdict == wrong for verdict, _ in found) <= 18
        assert sum(verdict == "open" for verdict, _ in found) <= 2


def test_what_is_far_beyond_is_clear_soon():
    usual = np.mean([pairs for _, pairs in verdicts(Sprt(0, 100), 100, 0.3, 40)])
    soon = verdicts(Sprt(0, 100), 300, 0.3, 40)
    assert np.mean([pairs for _, pairs in soon]) < usual / 1.5
    assert {verdict for verdict, _ in soon} == {"elo1"}


def test_bounds_are_those_of_wald():
    assert Sprt(0, 10).bounds == pytest.approx((-math.log(19), math.log(19)))
    low, high = Sprt(0, 10, alpha=0.01, beta=0.1).bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_with_many_pairs_the_ratio_is_that_of_normal_means():
    """N (s1 - s0) (2 s - s0 - s1) / (2 variance), to which the generalised ratio comes near."""
    pairs, test = np.array([900, 2100, 3500, 2300, 1200]), Sprt(0, 10)
    outcomes, count = np.arange(5) / 4, pairs.sum()
    mean = pairs @ outcomes / count
    variance = pairs @ (outcomes - mean) ** 2 / count
    s0, s1 = 0.5, 1 / (1 + 10 ** (-10 / 400))
    assert test.ratio(pairs) == pytest.approx(
        count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.01
    )


def test_pairs_that_are_won_or_lost_only_are_throws_of_a_coin():
    """Then the ratio is that of two binomial chances: 12 log(s1 / s0) + 8 log((1 - s1) / (1 - s0))."""
    s1 = 1 / (1 + 10 ** (-100 / 400))
    exact = 12 * math.log(s1 / 0.5) + 8 * math.log((1 - s1) / 0.5)
    assert Sprt(0, 100).ratio([8, 0, 0, 0, 12]) == pytest.approx(exact, abs=0.01)


def test_the_ratio_changes_its_sign_with_the_side():
    assert Sprt(-50, 50).ratio([1, 2, 9, 6, 4]) == pytest.approx(-Sprt(-50, 50).ratio([4, 6, 9, 2, 1]))
    assert Sprt(-50, 50).ratio([3, 2, 9, 2, 3]) == pytest.approx(0, abs=1e-9)
    assert Sprt(0, 50).ratio([0] * 5) == 0
    assert math.isfinite(Sprt(0, 50).ratio([0, 0, 0, 0, 500]))


def test_a_match_ends_when_it_is_clear_with_the_games_of_an_ordinary_one():
    strong, weak = zermelo.player("uct:sims=60"), zermelo.player("random")
    told = []
    tested = sequential_match(
        CONNECT4,
        strong,
        weak,
        Sprt(0, 200),
        games=200,
        seed=3,
        batch=8,
        progress=lambda p: told.append(len(p)),
    )
    assert tested.verdict == "elo1"
    assert tested.match.games < 60
    assert sum(tested.pairs) == tested.match.games / 2
    assert set(told) == set(range(8, tested.match.games + 1, 8))
    plain = zermelo.match(CONNECT4, strong, weak, tested.match.games, seed=3)
    assert [p.moves for p in tested.match.positions] == [p.moves for p in plain.positions]
    assert (tested.match.wins, tested.match.losses) == (plain.wins, plain.losses)
    assert sequential_match(CONNECT4, weak, strong, Sprt(0, 200), seed=3, batch=8).verdict == "elo0"


def test_a_match_may_end_without_a_verdict():
    player = zermelo.player("random")
    tested = sequential_match(CONNECT4, player, player, Sprt(0, 5), games=30, batch=20)
    assert tested.match.games == 30
    assert tested.verdict == "open"


def test_pairs_are_counted_from_the_side_of_a():
    class Resigner(Player):
        """Fills the last column first, and loses."""

        kind = "resigner"

        def choose(self, positions, seeds):
            return [position.legal_actions[-1] for position in positions]

    tested = sequential_match(
        CONNECT4, Resigner(), zermelo.player("uct:sims=100"), Sprt(0, 100), games=6, batch=6
    )
    assert tested.pairs == (3, 0, 0, 0, 0)


def test_wrong_values():
    player = zermelo.player("random")
    for wrong, message in (
        (lambda: Sprt(10, 10), r"`elo0` \(=10\) must be less than `elo1` \(=10\)"),
        (lambda: Sprt(0, math.nan), "must be less"),
        (lambda: Sprt(0, 10, alpha=0.7), r"`alpha` \(=0.7\) must be between 0 and 0.5"),
        (lambda: Sprt(0, 10).ratio([1, 2, 3]), "how many pairs"),
        (
            lambda: sequential_match(CONNECT4, player, player, Sprt(0, 10), games=7),
            r"`games` \(=7\) must be even",
        ),
        (
            lambda: sequential_match(CONNECT4, player, player, Sprt(0, 10), batch=1),
            r"`batch` \(=1\) must be even",
        ),
        (lambda: zermelo.match(CONNECT4, player, player, 2, first=1), r"`first` \(=1\) must be even"),
    ):
        with pytest.raises(BadParameter, match=message):
            wrong()

import json
import math
import sys

import numpy as np
import pytest

import zermelo
from zermelo.arena.chart import _levels, draw_ratings
from zermelo.arena.pairings import Pairing
from zermelo.arena.ratings import rate
from zermelo.arena.tournament import Entry, TournamentResult, tournament
from zermelo.errors import BadParameter, MissingExtra, ModelError
from zermelo.network.architecture import Architecture
from zermelo.network.model import untrained, write_model
from zermelo.players.base import Player

TICTACTOE = zermelo.game("tictactoe")
RANDOM, UCT, PERFECT = map(zermelo.player, ("random", "uct:sims=30", "perfect"))


class Counting(Player):
    """Plays as random does, and counts how often it is asked."""

    kind = "counting"
    number: int = 0
    asked = 0

    def choose(self, positions, seeds):
        Counting.asked += len(positions)
        return RANDOM.choose(positions, seeds)


def test_everybody_meets_everybody_with_both_colours():
    result = zermelo.tournament(TICTACTOE, [RANDOM, UCT, PERFECT], games=20)
    assert [(one.a, one.b) for one in result.pairings] == [
        ("random", "uct:sims=30"), ("random", "perfect"), ("uct:sims=30", "perfect"),
    ]  # fmt: skip
    assert all(one.games == 20 for one in result.pairings)
    table = result.standings()
    assert [one.name for one in table][2] == "random"
    assert [one.games for one in table] == [40, 40, 40]
    assert sum(one.points for one in table) == 60
    assert table[1].superiority > 0.99
    assert table[2].superiority is None
    assert result.ratings.rating("random") == 0
    assert result.trend() is None


def test_the_same_seed_gives_the_same_table_in_any_order():
    one = tournament(TICTACTOE, [RANDOM, UCT, PERFECT], games=8, seed=5)
    two = tournament(TICTACTOE, [PERFECT, RANDOM, UCT], games=8, seed=5, anchor=("random", 0.0))
    for mine, other in zip(one.standings(), two.standings(), strict=True):
        assert (mine.name, mine.wins, mine.draws) == (other.name, other.wins, other.draws)
        assert mine.rating == pytest.approx(other.rating)
    assert one.pairing("random", "uct:sims=30") == one.pairing("uct:sims=30", "random").turned()
    three = tournament(TICTACTOE, [RANDOM, UCT, PERFECT], games=8, seed=6)
    assert [p.wins for p in one.pairings] != [p.wins for p in three.pairings]


def test_in_a_gauntlet_the_challengers_do_not_meet():
    players = [
        Entry("a", RANDOM),
        Entry("b", UCT),
        Entry("c", PERFECT),
        Entry("d", zermelo.player("uct:sims=5")),
    ]
    result = tournament(TICTACTOE, players, games=2, gauntlet=["a", "b"])
    assert [(one.a, one.b) for one in result.pairings] == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert result.pairing("a", "b") is None


def test_pairings_that_were_played_are_kept_until_a_setting_changes(tmp_path):
    path = tmp_path / "kept.jsonl"
    players = [Counting(number=1), Counting(number=2), RANDOM]

    def asked(*more, **options):
        Counting.asked = 0
        results.append(tournament(TICTACTOE, [*players, *more], **{"games": 4, "record": path, **options}))
        return Counting.asked

    results = []
    assert asked() > 0
    assert asked() == 0
    assert results[0].standings() == results[1].standings()
    assert len(path.read_text().splitlines()) == 3
    assert asked(games=6) > 0
    assert asked(seed=1) > 0
    assert asked(openings=1) > 0
    assert len(path.read_text().splitlines()) == 12
    assert asked(UCT) > 0  # the newcomer's games only
    assert len(path.read_text().splitlines()) == 15
    assert asked(gauntlet=["random"]) == 0
    players[0] = Counting(number=3)
    assert asked() > 0
    assert len(path.read_text().splitlines()) == 17


def test_after_an_interruption_it_goes_on_with_what_is_left(tmp_path):
    path = tmp_path / "kept.jsonl"

    def interrupt(done, who):
        if who == "uct:sims=30 - perfect":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(TICTACTOE, [RANDOM, UCT, PERFECT], games=4, record=path, progress=interrupt)
    assert len(path.read_text().splitlines()) == 2
    told = []
    result = tournament(
        TICTACTOE, [RANDOM, UCT, PERFECT], games=4, record=path, progress=lambda *now: told.append(now)
    )
    assert {who for _, who in told} == {"", "uct:sims=30 - perfect"}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (12, "")
    straight = tournament(TICTACTOE, [RANDOM, UCT, PERFECT], games=4)
    assert [one.wins for one in result.pairings] == [one.wins for one in straight.pairings]


def test_a_network_is_known_by_its_weights_not_by_its_file(tmp_path):
    small = Architecture(blocks=1, filters=4)

    def write(name, seed):
        write_model(untrained(TICTACTOE, small, seed=seed), tmp_path / name)
        return zermelo.player(f"az:model={tmp_path / name},sims=2")

    kept = tmp_path / "kept.jsonl"
    tournament(TICTACTOE, [write("one", 1), RANDOM], games=2, record=kept)
    tournament(TICTACTOE, [write("two", 1), RANDOM], games=2, record=kept)
    assert len(kept.read_text().splitlines()) == 1
    tournament(TICTACTOE, [write("one", 2), RANDOM], games=2, record=kept)
    assert len(kept.read_text().splitlines()) == 2
    write("one", 1)
    twins = [zermelo.player(f"az:model={tmp_path / name},sims=2") for name in ("one", "two")]
    with pytest.raises(BadParameter, match="are the same player"):
        tournament(TICTACTOE, twins, games=2)
    with pytest.raises(ModelError, match="cannot be read"):
        tournament(TICTACTOE, [zermelo.player("az:model=nowhere"), RANDOM], games=2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "line 2 of .* is not a pairing"),
        ("[1]", "it is not a JSON object"),
        ('{"game": "tictactoe"}', "line 2"),
        (
            json.dumps({"game": "g", "players": ["a", "b"], "games": 4, "seed": 0, "openings": 2, "wins": 4,
                        "draws": 4, "losses": 0, "seconds": 1.0}),
            "do not add up to games",
        ),
    ],
)  # fmt: skip
def test_a_file_with_something_else_is_not_touched(tmp_path, line, message):
    path = tmp_path / "kept.jsonl"
    tournament(TICTACTOE, [RANDOM, UCT], games=2, record=path)
    path.write_text(path.read_text() + line + "\n")
    before = path.read_bytes()
    with pytest.raises(BadParameter, match=message):
        tournament(TICTACTOE, [RANDOM, PERFECT], games=2, record=path)
    assert path.read_bytes() == before


def test_wrong_input():
    for players, options, message in (
        ([RANDOM], {}, "at least two players, not 1"),
        ([RANDOM, RANDOM], {}, "`random` takes part twice"),
        ([Entry("a", RANDOM), Entry("b", RANDOM)], {}, "`b` and `a` are the same player"),
        ([RANDOM, UCT], {"games": 3}, r"`games` \(=3\) must be even"),
        ([RANDOM, UCT], {"gauntlet": ["nobody"]}, "`nobody` of the gauntlet does not take part"),
        ([RANDOM, UCT], {"gauntlet": ["random", "uct:sims=30"]}, "somebody to meet"),
        ([RANDOM, UCT], {"anchor": ("nobody", 0)}, "the anchor `nobody` does not take part"),
        ([RANDOM, UCT], {"openings": 9}, "do not last that long"),
    ):
        with pytest.raises(BadParameter, match=message):
            tournament(TICTACTOE, players, **options)


# Pictures.


def rising():
    truth = np.array([0, 120, 260, 180])
    p = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    names = ["v0", "v10", "v20", "random"]
    ratings = rate(names, 20 * (p - np.eye(4) / 2), np.zeros((4, 4))).anchored("v0", 100)
    pairings = (Pairing("v0", "v10", 6, 0, 14, 1.0),)
    return TournamentResult("tictactoe", pairings, ratings, {"v0": 0, "v10": 10, "v20": 20})


def test_the_picture_is_png_and_svg_and_the_same_each_time(tmp_path):
    result = rising()
    png, svg = draw_ratings(tmp_path / "a.png", "title", result.ratings, result.versions, least=5.0)
    assert (png.name, svg.name) == ("a.png", "a.svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    again = draw_ratings(tmp_path / "b.svg", "title", result.ratings, result.versions, least=5.0)
    assert again[1].read_bytes() == svg.read_bytes()
    other = draw_ratings(tmp_path / "c.svg", "title", result.ratings.anchored("v0", 0), result.versions)
    assert other[1].read_bytes() != svg.read_bytes()


def test_players_of_equal_strength_do_not_have_their_names_on_each_other():
    heights = {"random": 0.0, "uct": 501.0, "minimax": 500.0, "perfect": 502.0}
    assert _levels(heights, near=20) == [
        (0.0, "random"), (500.0, ""), (501.0, ""), (502.0, "minimax, uct, perfect"),
    ]  # fmt: skip
    assert _levels(heights, near=0.5) == [
        (0.0, "random"),
        (500.0, "minimax"),
        (501.0, "uct"),
        (502.0, "perfect"),
    ]


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"needs the extra `plot`: pip install 'zermelo\[plot\]'"):
        draw_ratings(tmp_path / "a.png", "title", rising().ratings, rising().versions)


def test_on_the_scale_of_the_seed_the_anchor_stays():
    result = rising()
    usual, other = result.ratings, result.on_seed_scale
    assert other.rating("v0") == usual.rating("v0") == 100
    assert other.rating("v10") - 100 == pytest.approx((usual.rating("v10") - 100) * math.log(10))
    assert result.trend(other).per_version == pytest.approx(result.trend().per_version * math.log(10))

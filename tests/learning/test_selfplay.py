import dataclasses
from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest

import zermelo
from search.test_reference import Hashed
from zermelo.arena.openings import seed_of
from zermelo.errors import BadParameter
from zermelo.learning.selfplay import Selfplay, SelfplayConfig, random_game, read, written
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool

CONNECT4, TICTACTOE = zermelo.game("connect4"), zermelo.game("tictactoe")
QUICK = SelfplayConfig(search=SearchConfig("gumbel", 8, gumbel_noise=True), drawn_plies=42)
DRAWN = SelfplayConfig(search=SearchConfig("puct", 12, noise=0.25), drawn_plies=6)
MIXED = dataclasses.replace(DRAWN, full_share=0.5, quick_simulations=3, resign_below=-0.3, played_on=0.5)
every_config = pytest.mark.parametrize("config", [QUICK, DRAWN, MIXED], ids=["gumbel", "puct", "mixed"])


class Remembered(Hashed):
    """Works out each answer once."""

    known = {}

    def one(self, planes):
        key = self.game, planes.tobytes()
        if key not in self.known:
            self.known[key] = super().one(planes)
        return self.known[key]


@cache
def games(config, count=12, slots=5, seed=3, game=CONNECT4, evaluator=None):
    """The first games of a seed, by number."""
    selfplay = Selfplay(Pool(game, slots), config, seed)
    return {one.number: one for one in selfplay.play(evaluator or Remembered(game), games=count)}


class Watched(Pool):
    """Remembers its searches and what they found."""

    def run_with_heartbeat(self):
        self.seen = []
        for ended in super().run_with_heartbeat():
            if ended is not None:
                self.seen.append(ended)
            yield ended


@cache
def watched(config, count=12, slots=5, seed=3, game=CONNECT4, evaluator=None, search=None):
    """Games, and every search that was made for them."""
    pool = Watched(game, slots)
    selfplay = Selfplay(pool, config, seed)
    played = list(selfplay.play(evaluator or Remembered(game), search, count))
    return played, pool.seen


def some_of(selfplay, count, evaluator=None):
    """The next games to end; the others stay under way."""
    playing = selfplay.play(evaluator or Remembered(selfplay.pool.game))
    found = list(islice(playing, count))
    playing.close()
    return found


def told(played):
    """All there is to know of games, by number, so that equal is equal to the last bit."""
    return {
        one.number: (
            one.position.moves, one.resigner, one.is_resigned, one.returns,
            [(k.state.tobytes(), k.mover, k.policy.tobytes(), k.value, k.exact, k.full, k.surprise)
             for k in one.lessons],
        )
        for one in played
    }  # fmt: skip


@every_config
def test_game_g_of_a_seed_is_the_same_whoever_plays_beside_it(config):
    together = told(games(config).values())
    assert sorted(together) == list(range(12))
    assert told(games(config, slots=12).values()) == together
    alone = told(games(config, count=4, slots=1).values())
    assert alone == {number: together[number] for number in range(4)}
    stopped = Selfplay(Pool(CONNECT4, 4), config, 3)
    some = told(one for _ in range(3) for one in some_of(stopped, 3))
    assert len(some) == 9
    assert all(together[number] == one for number, one in some.items() if number < 12)
    assert games(config, seed=4)[0].position.moves != games(config)[0].position.moves


def test_a_tree_that_is_used_again_is_that_of_the_same_game():
    config = dataclasses.replace(DRAWN, reuse=True, random_share=0.0, drawn_plies=2)
    assert told(games(config, 30).values()) == told(games(config, 30, slots=12).values())


@pytest.mark.parametrize("config", [QUICK, DRAWN], ids=["gumbel", "puct"])
def test_games_differ_from_each_other(config):
    played = [one.position.moves for one in games(config).values()]
    assert len(set(played)) == len(played)


def test_every_search_draws_noise_of_its_own():
    config = dataclasses.replace(QUICK, random_share=0.0)
    _, seen = watched(config, seed=3)
    _, others = watched(config, seed=4)
    noise = [tuple(result.gumbel) for _, result in seen + others]
    assert len(noise) > 200
    assert len(set(noise)) == len(noise)
    plies = [len(job.position.moves) for job, _ in seen]
    assert all(
        job.seed == seed_of(3, job.tag.number, ply) for (job, _), ply in zip(seen, plies, strict=True)
    )


def test_games_that_are_not_over_stay_under_way():
    selfplay = Selfplay(Pool(CONNECT4, 5), QUICK, 3)
    assert len(some_of(selfplay, 3)) == 3
    assert len(selfplay.under_way) == 4, "the last to end has no successor"
    assert selfplay.begun == 7
    before = {number: one.position.moves for number, one in selfplay.under_way.items()}
    later = {one.number: one.position.moves for one in some_of(selfplay, 8)}
    assert selfplay.begun - 11 == len(selfplay.under_way) == 4
    gone_on = [number for number in before if number in later]
    assert gone_on
    assert all(later[number][: len(before[number])] == before[number] for number in gone_on)


@pytest.mark.parametrize("count", [3, 5, 12])
def test_a_number_of_games_leaves_nothing_under_way(count):
    selfplay = Selfplay(Pool(CONNECT4, 5), QUICK, 3)
    first = [one.number for one in selfplay.play(Remembered(CONNECT4), games=count)]
    second = [one.number for one in selfplay.play(Remembered(CONNECT4), games=count)]
    assert selfplay.under_way == {}
    assert sorted(first) == list(range(count))
    assert sorted(second) == list(range(count, 2 * count))


@every_config
def test_games_under_way_are_kept_and_go_on_as_they_would_have(config):
    one, other = (Selfplay(Pool(CONNECT4, 6), config, 3) for _ in range(2))
    assert len(some_of(one, 5)) == 5
    kept = {name: column.copy() for name, column in one.state().items()}
    assert kept["taught"].sum() == len(kept["values"]) > 6
    other.restore(kept)
    assert (other.begun, list(other.under_way)) == (one.begun, list(one.under_way))
    for number, game in one.under_way.items():
        assert other.under_way[number].position.moves == game.position.moves
    assert told(some_of(other, 9)) == told(some_of(one, 9))
    assert all((other.state()[name] == column).all() for name, column in one.state().items())


def test_a_selfplay_that_has_not_begun_can_be_kept_too():
    one, other = (Selfplay(Pool(CONNECT4, 3), QUICK, 3) for _ in range(2))
    other.restore(one.state())
    assert told(some_of(other, 2)) == told(some_of(one, 2))


def test_every_searched_position_of_a_game_is_a_lesson():
    for one in games(QUICK).values():
        assert one.position.is_over
        opening = len(one.position.moves) - len(one.lessons)
        assert 0 <= opening <= QUICK.random_plies
        walk = CONNECT4.position(one.position.moves[:opening])
        for taught, (action, _) in zip(
            one.lessons, pairwise([*one.position.moves[opening:], None]), strict=True
        ):
            assert (taught.state == walk.state).all()
            assert set(np.flatnonzero(taught.policy).tolist()) <= set(walk.legal_actions)
            assert taught.policy.sum() == pytest.approx(1)
            walk = walk.play(action)


# Openings.


def test_some_games_begin_with_random_moves():
    config = SelfplayConfig(
        search=SearchConfig("gumbel", 2, gumbel_noise=True), random_share=0.5, random_plies=4
    )
    openings = [len(one.position.moves) - len(one.lessons) for one in games(config, 200, 200).values()]
    counts = np.bincount(openings, minlength=5)
    assert len(counts) == 5
    assert 80 < counts[0] < 120
    assert all(10 < count < 40 for count in counts[1:])


@pytest.mark.parametrize("none", [{"random_share": 0.0}, {"random_share": 1.0, "random_plies": 0}])
def test_or_all_from_the_start(none):
    config = dataclasses.replace(QUICK, **none)
    assert all(len(one.position.moves) == len(one.lessons) for one in games(config).values())


def test_random_moves_do_not_end_a_game():
    config = dataclasses.replace(QUICK, random_share=1.0, random_plies=9)
    assert all(one.lessons for one in games(config, 12, 12, game=TICTACTOE).values())


# Which move is played.


def first_moves(**options):
    """The visits of the search of the empty board, and how often each move was played there."""
    search = SearchConfig("puct", 20, exploration=3.0)
    config = SelfplayConfig(search=search, random_share=0.0, **options)
    played, seen = watched(config, 150, 150, game=TICTACTOE)
    visits = next(result.visits for job, result in seen if not job.position.moves)
    return visits, np.bincount([one.position.moves[0] for one in played], minlength=9)


@pytest.mark.parametrize("temperature", [1.0, 0.4, 10.0])
def test_the_first_moves_are_drawn_by_the_share_of_visits(temperature):
    visits, played = first_moves(drawn_plies=1, temperature=temperature)
    wanted = visits ** (1 / temperature) / (visits ** (1 / temperature)).sum()
    assert played / 150 == pytest.approx(wanted, abs=0.08)


@pytest.mark.parametrize("options", [{"drawn_plies": 0}, {"drawn_plies": 9, "temperature": 0.0}])
def test_without_chance_the_most_visited_is_played(options):
    visits, played = first_moves(**options)
    assert played[visits.argmax()] == 150


def test_after_the_first_plies_the_most_visited_is_played():
    config = dataclasses.replace(DRAWN, drawn_plies=6)
    played, seen = watched(config)
    others = 0
    moves = {one.number: one.position.moves for one in played}
    for job, result in seen:
        ply = len(job.position.moves)
        if not np.isin(result.proofs, (1, -1)).any():
            chosen = result.actions.tolist().index(moves[job.tag.number][ply])
            assert ply < 6 or result.visits[chosen] == result.visits.max()
            others += result.visits[chosen] < result.visits.max()
    assert others > 10


def test_gumbel_draws_no_noise_after_the_drawn_plies():
    config = dataclasses.replace(QUICK, drawn_plies=6, random_share=0.0)
    _, seen = watched(config)
    assert {len(job.position.moves) < 6 for job, _ in seen} == {False, True}
    for job, result in seen:
        assert result.gumbel.any() == (len(job.position.moves) < 6)


def test_gumbel_plays_the_best_of_the_most_visited_by_noise_prior_and_value():
    played, seen = watched(QUICK)
    moves = {one.number: one.position.moves for one in played}
    greedy = 0
    for job, result in seen:
        if result.is_proven or (result.proofs == -1).any():
            continue
        most = np.flatnonzero(result.visits == result.visits.max())
        best = most[np.argmax(result.gumbel[most] + np.log(result.improved[most]))]
        assert moves[job.tag.number][len(job.position.moves)] == result.actions[best]
        greedy += best == result.improved.argmax()
    assert greedy < len(seen) - 20, "it is not always the best without noise"


def test_a_search_may_go_on_with_the_tree_of_the_move_before():
    config = dataclasses.replace(DRAWN, reuse=True, random_share=0.0)
    _, seen = watched(config, 3)
    first = {job.tag.number: result.visits.sum() for job, result in seen if not job.position.moves}
    assert set(first.values()) == {12}
    before, kept = {}, 0
    for job, result in seen:
        moves = job.position.moves
        if moves and not result.is_proven:
            old = before[job.tag.number]
            below = int(old.visits[old.actions.tolist().index(moves[-1])]) - 1
            assert result.visits.sum() in (12, 12 + below)
            kept += result.visits.sum() == 12 + below > 12
        before[job.tag.number] = result
    assert kept > 10
    _, seen = watched(dataclasses.replace(config, reuse=False), 3)
    assert all(result.visits.sum() <= 12 for _, result in seen)


def test_the_target_may_be_what_the_move_was_drawn_from():
    config = dataclasses.replace(DRAWN, tempered=True, temperature=0.5)
    for wanted in (config, dataclasses.replace(config, tempered=False)):
        played, seen = watched(wanted)
        lessons = {(one.number, k.state.tobytes()): k for one in played for k in one.lessons}
        moves = {one.number: one.position.moves for one in played}
        for job, result in seen:
            if np.isin(result.proofs, (1, -1)).any():
                continue
            visits = result.visits.astype(float)
            if wanted.tempered and len(job.position.moves) < 6:
                visits = visits**2
            elif wanted.tempered:
                visits = result.actions == moves[job.tag.number][len(job.position.moves)]
            taught = lessons[job.tag.number, job.position.state.tobytes()]
            assert taught.policy[result.actions] == pytest.approx(visits / visits.sum())


# Full and quick searches.


def test_all_searches_are_full_unless_told_otherwise():
    played, seen = watched(QUICK)
    assert {job.config.simulations for job, _ in seen} == {8}
    assert all(taught.full for one in played for taught in one.lessons)


def test_a_share_of_the_searches_is_full_and_the_others_are_quick_and_without_noise():
    config = dataclasses.replace(DRAWN, full_share=0.25, quick_simulations=3)
    played, seen = watched(config, 30, 30)
    searched = {(job.tag.number, job.position.state.tobytes()): job.config for job, _ in seen}
    full = 0
    for one in played:
        for taught in one.lessons:
            search = searched[one.number, taught.state.tobytes()]
            assert (search.simulations, search.noise) == ((12, 0.25) if taught.full else (3, 0.0))
            full += taught.full
    assert full / len(seen) == pytest.approx(0.25, abs=0.05)


def test_a_quick_search_is_not_longer_than_a_full_one():
    _, seen = watched(dataclasses.replace(QUICK, full_share=0.0, quick_simulations=50))
    assert {job.config.simulations for job, _ in seen} == {8}


@pytest.mark.parametrize("base", [QUICK, DRAWN], ids=["gumbel", "puct"])
def test_in_uneven_games_one_side_is_weaker_to_the_end(base):
    search = base.search.but(simulations=40, chains=50)
    config = dataclasses.replace(
        base, search=search, uneven_share=0.7, quick_simulations=3, drawn_plies=2, random_share=0.0
    )
    played, seen = watched(config, 60, 20)
    full = {
        one.number: {who: {k.full for k in one.lessons if k.mover == who} for who in (0, 1)}
        for one in played
    }
    assert all(len(known) == 1 for sides in full.values() for known in sides.values())
    weak = {number: [who for who in (0, 1) if sides[who] == {False}] for number, sides in full.items()}
    assert {len(sides) for sides in weak.values()} == {0, 1}
    assert sum(map(len, weak.values())) / 60 == pytest.approx(0.7, abs=0.2)
    assert {who for sides in weak.values() for who in sides} == {0, 1}
    for job, _ in seen:
        is_weak = job.position.mover in weak[job.tag.number]
        assert (job.config.simulations, job.config.chains) == ((3, 0) if is_weak else (40, 50))
        late = len(job.position.moves) >= 2
        assert job.config.gumbel_noise == (search.gumbel_noise and (is_weak or not late))
    points = sum(one.returns[1 - sides[0]] for one in played if (sides := weak[one.number]))
    assert points > 10, "the stronger side wins"


def test_the_weaker_side_draws_its_moves_to_the_end():
    config = dataclasses.replace(DRAWN, uneven_share=1.0, quick_simulations=6, drawn_plies=0)
    played, seen = watched(config, 30, 30)
    moves, others = {one.number: one.position.moves for one in played}, {True: 0, False: 0}
    for job, result in seen:
        if not np.isin(result.proofs, (1, -1)).any():
            chosen = result.actions.tolist().index(moves[job.tag.number][len(job.position.moves)])
            weak = job.config.simulations == 6
            others[weak] += result.visits[chosen] < result.visits.max()
    assert others[True] > 10
    assert others[False] == 0


def test_games_with_random_playouts_are_even():
    played, _ = watched(dataclasses.replace(QUICK, uneven_share=1.0), evaluator=ROLLOUTS,
                        search=SearchConfig("uct", 8))  # fmt: skip
    assert all(taught.full for one in played for taught in one.lessons)


def test_simulations_grow_by_the_same_factor_all_the_time():
    config = dataclasses.replace(QUICK, search=QUICK.search.but(simulations=16), final_simulations=128)
    assert [config.search_at(k / 3).simulations for k in range(4)] == [16, 32, 64, 128]
    assert config.search_at(0.5) == config.search.but(simulations=45)  # 16 sqrt 8
    assert QUICK.search_at(0.7) == QUICK.search


def test_a_round_may_search_otherwise():
    _, seen = watched(QUICK, search=SearchConfig("puct", 5))
    assert {job.config for job, _ in seen} == {SearchConfig("puct", 5)}


# Giving up.


def lost_for_second(planes):
    """Nothing is known at first; from six stones on, the first player is as good as sure to win."""
    own, other = planes[:, 0].sum((1, 2)), planes[:, 1].sum((1, 2))
    values = np.where(own + other < 6, 0.0, np.where(own == other, 0.95, -0.95))
    return np.zeros((len(planes), 7), np.float32), values.astype(np.float32)


RESIGNING = SelfplayConfig(
    search=SearchConfig("puct", 4, noise=0.25), random_share=0.0, resign_below=-0.9, played_on=0.25
)


def test_a_player_resigns_who_is_as_good_as_lost_and_has_lost():
    played = games(RESIGNING, 140, 140, evaluator=lost_for_second).values()
    resigned = [one for one in played if one.is_resigned]
    assert len(resigned) > 80
    for one in resigned:
        assert one.is_over
        assert not one.position.is_over
        assert one.resigner == one.position.mover == 1
        assert one.returns == (1.0, -1.0)
        assert len(one.position.moves) == 7, "the first position in which the second player knows"
        assert len(one.lessons) == 8, "the one in which it resigned teaches too"


def test_the_first_player_may_resign_as_well():
    def lost_for_first(planes):
        logits, values = lost_for_second(planes)
        return logits, -values

    played = games(dataclasses.replace(RESIGNING, played_on=0.0), 20, evaluator=lost_for_first).values()
    resigned = [one for one in played if one.is_resigned]
    assert resigned
    assert {(one.resigner, one.returns, len(one.position.moves)) for one in resigned} == {
        (0, (-1.0, 1.0), 6)
    }


def test_a_share_of_the_games_is_played_on_and_its_result_is_that_of_the_board():
    played = games(RESIGNING, 140, 140, evaluator=lost_for_second).values()
    would = [one for one in played if one.resigner is not None]
    on = [one for one in would if not one.is_resigned]
    assert len(on) / len(would) == pytest.approx(0.25, abs=0.1)
    for one in on:
        assert one.resigner == 1
        assert one.returns == one.position.returns
    assert len({one.returns for one in on}) > 1, "the evaluator knows nothing, so some are not lost"


@pytest.mark.parametrize(("played_on", "kinds"), [(0.0, {True}), (1.0, {False})])
def test_all_or_none_may_be_played_on(played_on, kinds):
    config = dataclasses.replace(RESIGNING, played_on=played_on)
    played = games(config, 30, 30, evaluator=lost_for_second).values()
    assert {one.is_resigned for one in played if one.resigner is not None} == kinds


def test_nobody_resigns_unless_told_to():
    config = dataclasses.replace(RESIGNING, resign_below=-1.0)
    for one in games(config, 30, 30, evaluator=lost_for_second).values():
        assert one.resigner is None
        assert one.position.is_over


def test_who_would_have_resigned_is_kept_with_the_games_under_way():
    config = dataclasses.replace(RESIGNING, played_on=1.0)
    one, other = (Selfplay(Pool(CONNECT4, 6), config, 3) for _ in range(2))
    some_of(one, 5, lost_for_second)
    other.restore(one.state())
    would = {number: game.resigner for number, game in one.under_way.items()}
    assert set(would.values()) == {None, 1}
    assert {number: game.resigner for number, game in other.under_way.items()} == would


# The first games.


def test_a_warm_start_plays_by_random_playouts():
    config = dataclasses.replace(DRAWN, warm_simulations=25)
    _, seen = watched(config, 6, evaluator=ROLLOUTS, search=config.warm_search)
    assert {job.config for job, _ in seen} == {SearchConfig("uct", 25, exploration=1.0)}
    job, found = seen[-1]
    plain = Job(job.position, SearchConfig("uct", 25, exploration=1.0), ROLLOUTS, seed=job.seed)
    (again,) = Pool(CONNECT4).search([plain])
    assert again.visits.tolist() == found.visits.tolist()
    assert found.priors == pytest.approx(1 / len(found.priors))


def test_a_random_game_teaches_its_result_and_that_all_moves_are_alike():
    """With values alone, a policy turned into noise, and self-play began with it."""
    one = random_game(CONNECT4, 7, 0)
    replay = CONNECT4.position()
    for taught, move in zip(one.lessons, one.position.moves, strict=True):
        legal = list(replay.legal_actions)
        assert taught.full
        assert taught.policy[legal] == pytest.approx(1 / len(legal))
        assert taught.policy.sum() == pytest.approx(1)
        assert taught.value == one.returns[taught.mover]
        replay = replay.play(move)


def test_a_game_of_ones_own_plays_itself():
    kalah = zermelo.game("examples/kalah.py:houses=3,seeds=2")
    assert len(games(QUICK, 4, game=kalah)) == 4


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("random_share", 1.5), ("full_share", -0.1), ("uneven_share", 1.1), ("played_on", 2.0),
        ("random_plies", -1), ("drawn_plies", -1), ("final_simulations", -1), ("cached", -1),
        ("warm_games", -1), ("parallel", 0), ("quick_simulations", 0), ("warm_simulations", -1),
        ("resign_below", 0.0), ("resign_below", -1.1),
        ("temperature", -0.5), ("temperature", float("nan")), ("reuse", True),
    ],
)  # fmt: skip
def test_wrong_numbers_are_named(option, value):
    with pytest.raises(BadParameter, match=option):
        SelfplayConfig(**{option: value})


def test_a_lesson_whose_move_was_not_played_is_not_written():
    selfplay = Selfplay(Pool(CONNECT4, 5), QUICK, 3)
    some_of(selfplay, 3)
    one = next(iter(selfplay.under_way.values()))
    before = len(one.lessons)
    one.lessons.append(dataclasses.replace(one.lessons[-1], state=one.position.state))
    (again,) = read(CONNECT4, written(CONNECT4, [one]))
    assert len(again.lessons) == before
    assert again.position.moves == one.position.moves

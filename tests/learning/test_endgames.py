import dataclasses

import numpy as np
import pytest

from exact.test_generic import Sprint, Walk
from learning.test_selfplay import CONNECT4, QUICK, games, told
from zermelo.exact.connect4 import Connect4Solver
from zermelo.games.position import Position
from zermelo.learning.endgames import Endgames
from zermelo.learning.targets import Lesson


def test_ends_of_games_are_proven_as_far_as_positions_reach():
    config = dataclasses.replace(QUICK, endgame_positions=3000)
    solver, longer = Connect4Solver(CONNECT4), 0
    for number, one in games(config).items():
        before = games(QUICK)[number]
        assert one.position == before.position
        for ply, (proven, played) in enumerate(zip(one.lessons, before.lessons, strict=True)):
            longer += proven.exact and not played.exact
            assert proven.exact >= played.exact
            if proven.exact:
                ahead = one.position.moves[: len(one.position.moves) - len(one.lessons) + ply]
                assert proven.value == np.sign(solver.score(CONNECT4.position(ahead)))
            else:
                assert proven.value == played.value
                assert (proven.policy == played.policy).all()
    assert longer > 12


def test_policies_of_proven_positions_keep_their_value():
    """With enough positions for all of them, a move that spoils what is proven is in no policy."""
    config = dataclasses.replace(QUICK, endgame_positions=300_000)
    solver, mended = Connect4Solver(CONNECT4), 0
    for number, one in games(config).items():
        for proven, played in zip(one.lessons, games(QUICK)[number].lessons, strict=True):
            position = Position(CONNECT4, proven.state)
            if not proven.exact or len(position.legal_actions) == 0 or stones(position) < 20:
                continue
            values = {action: np.sign(score) for action, score in solver.scores(position).items()}
            assert {values[action] for action in np.flatnonzero(proven.policy)} == {max(values.values())}
            assert proven.policy.sum() == pytest.approx(1)
            right = [action for action, value in values.items() if value == max(values.values())]
            mended += played.policy[right].sum() < 0.9
    assert mended > 3


def stones(position: Position) -> int:
    return sum(cell > 0 for cell in CONNECT4.cells(position))


@pytest.mark.parametrize("positions", [200, 2000, 20_000])
def test_a_game_has_so_many_positions_of_the_solver_and_no_more(positions):
    endgames = Endgames(CONNECT4, positions)
    for one in list(games(QUICK).values())[:4]:
        unproven = [dataclasses.replace(lesson, exact=False) for lesson in one.lessons]
        solver, within = Connect4Solver(CONNECT4, megabytes=32), 0
        for lesson in reversed(unproven):
            solver.value_within(Position(CONNECT4, lesson.state), 10**7)
            if solver.searched > positions:
                break
            within += 1
        for _ in range(2):  # what an earlier game has taught the solver does not count
            lessons = list(unproven)
            endgames.prove(lessons)
            assert sum(lesson.exact for lesson in lessons) == within


def test_what_is_proven_of_a_game_does_not_depend_on_others():
    config = dataclasses.replace(QUICK, endgame_positions=3000)
    assert told(games(config, 3, slots=1).values()) == told([games(config)[i] for i in range(3)])


@pytest.mark.parametrize("game", [Walk(), Sprint()], ids=["repeats", "other results"])
def test_nothing_is_proven_in_a_game_that_solvers_do_not_take(game):
    lessons = [Lesson(game.position().state, 0, np.ones(1, np.float32), 0.2, exact=False)]
    endgames = Endgames(game, 1000)
    for _ in range(2):
        endgames.prove(lessons)
        assert (lessons[0].value, lessons[0].exact) == (0.2, False)

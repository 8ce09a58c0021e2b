"""Selection, edge numbers and final moves by functions of one's own."""

import math

import numpy as np
import pytest

import zermelo
from search.searching import search
from search.test_reference import Hashed, positions, visits
from zermelo.errors import BadParameter
from zermelo.players.tree import UctPlayer
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.decision import decide
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool

CONNECT4 = zermelo.game("connect4")


def own_puct(N, Q, P, own, total):
    best, best_score = 0, -math.inf
    for i in range(len(N)):
        q = 0.0 if N[i] == 0 else Q[i]
        score = q + 1.25 * math.sqrt(total) * P[i] / (1 + N[i])
        if score > best_score:
            best, best_score = i, score
    return best


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "python"])
def test_puct_as_a_function_of_ones_own_gives_the_visits_of_puct(compile):
    evaluator, mine = Hashed(CONNECT4), Selection(own_puct, compile=compile)
    for position in positions(CONNECT4, 4):
        for proofs in (False, True):
            expected = search(CONNECT4, position, evaluator, proofs=proofs)
            result = search(CONNECT4, position, evaluator, variant=mine, proofs=proofs)
            assert visits(result) == visits(expected)


def most_extreme(N, Q, P, own, total):
    """Choose the move whose values lie farthest apart, by numbers kept on the edges."""
    best, best_score = 0, -math.inf
    for i in range(len(N)):
        score = 10.0 if N[i] == 0 else own[i, 0] - own[i, 1] + 1.0 / N[i]
        if score > best_score:
            best, best_score = i, score
    return best


def keep_extremes(own, value):
    own[0] = max(own[0], value)
    own[1] = min(own[1], value)


def test_numbers_of_ones_own_are_kept_on_every_edge():
    results = [
        search(
            CONNECT4,
            CONNECT4.position(),
            Hashed(CONNECT4),
            variant=Selection(most_extreme, keep_extremes, numbers=2, compile=machine_code),
        )
        for machine_code in (True, False)
    ]
    assert visits(results[0]) == visits(results[1])
    assert results[0].own.tolist() == results[1].own.tolist()
    assert results[0].own.shape == (7, 2)
    tried = results[0].visits > 0
    assert (results[0].own[tried, 0] >= results[0].values[tried]).all()
    assert (results[0].own[tried, 1] <= results[0].values[tried]).all()


def test_own_selection_shares_a_pool_with_others():
    evaluator, start = Hashed(CONNECT4), CONNECT4.position()
    configs = [
        SearchConfig("puct", 60),
        SearchConfig(Selection(most_extreme, keep_extremes, numbers=2), 60),
        SearchConfig("pbbm", 60, graph=True),
        SearchConfig(Selection(own_puct), 60),
    ]
    together = Pool(CONNECT4, 4).search([Job(start, config, evaluator) for config in configs])
    alone = [Pool(CONNECT4).search([Job(start, config, evaluator)])[0] for config in configs]
    assert [visits(result) for result in together] == [visits(result) for result in alone]


def raises(N, Q, P, own, total):
    if total > 3:
        raise ZeroDivisionError("on purpose")
    return 0


def chooses_nothing(N, Q, P, own, total):
    return len(N)


def is_not_python(N, Q, P, own, total):
    return undefined_name  # noqa: F821


def calls_python(N, Q, P, own, total):
    best = 0
    return best + sorted_by_nobody(N)


def sorted_by_nobody(N):
    return 0


def takes_too_few(N, Q, P, own):
    return 0


def opens_a_file(N, Q, P, own, total):
    with open("x") as file:
        return len(file.read())


def returns_nothing(N, Q, P, own, total):
    N.argmax()


@pytest.mark.parametrize(
    ("function", "line", "reason"),
    [
        (is_not_python, 1, "name 'undefined_name' is not defined"),
        (calls_python, 2, "Untyped global name 'sorted_by_nobody'"),
        (takes_too_few, 0, "5 argument types given, but function takes 4"),
        (opens_a_file, 0, "is not supported"),
    ],
)
def test_a_selection_function_that_does_not_compile_is_told_with_its_line(function, line, reason):
    code = function.__code__
    place = f"{code.co_filename}:{code.co_firstlineno + line}"
    with pytest.raises(BadParameter) as error:
        Selection(function).addresses  # noqa: B018
    assert str(error.value).startswith(f"{function.__name__} does not compile ({place}): ")
    assert reason in str(error.value)
    assert str(error.value).endswith(" compile=False runs it as plain Python")


def test_a_selection_function_must_return_an_index():
    with pytest.raises(BadParameter, match="must return the index of a move; it returns none"):
        Selection(returns_nothing).addresses  # noqa: B018


def test_a_selection_function_that_fails_is_named():
    start = CONNECT4.position()
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        search(CONNECT4, start, ROLLOUTS, variant=Selection(raises, compile=False))
    for function in (raises, chooses_nothing):
        with pytest.raises(BadParameter, match=f"{function.__name__} failed, or chose a move"):
            search(CONNECT4, start, ROLLOUTS, variant=Selection(function))
    with pytest.raises(BadParameter, match="is_not_python does not compile"):
        search(CONNECT4, start, ROLLOUTS, variant=Selection(is_not_python))
    with pytest.raises(BadParameter, match="numbers"):
        Selection(own_puct, numbers=-1)
    with pytest.raises(BadParameter, match="nothing to change"):
        Selection(own_puct, keep_extremes)


def test_a_final_move_function_of_ones_own():
    result = search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4))
    assert decide(result, lambda r: int(np.argmin(r.visits))) == result.actions[np.argmin(result.visits)]
    with pytest.raises(BadParameter, match="chose move 7 of 7"):
        decide(result, lambda r: 7)


def fails_later(own, value):
    if value < 0:
        raise ValueError("on purpose")


def interrupted(N, Q, P, own, total):
    raise KeyboardInterrupt


def test_an_update_that_fails_is_told():
    start, evaluator = CONNECT4.position(), Hashed(CONNECT4)
    with pytest.raises(ValueError, match="on purpose"):
        search(
            CONNECT4, start, evaluator, variant=Selection(own_puct, fails_later, numbers=1, compile=False)
        )
    for source in (evaluator, ROLLOUTS):
        with pytest.raises(BadParameter, match="own_puct failed"):
            search(CONNECT4, start, source, variant=Selection(own_puct, fails_later, numbers=1))


def test_ctrl_c_in_a_function_of_ones_own_is_heard():
    with pytest.raises(KeyboardInterrupt):
        search(CONNECT4, CONNECT4.position(), ROLLOUTS, variant=Selection(interrupted, compile=False))


def test_a_player_with_functions_has_a_readable_name():
    player = UctPlayer(variant=Selection(own_puct), final=chooses_nothing)
    assert player.name == "uct:final=chooses_nothing,variant=own_puct"

"""Every fault that `zermelo check` names is found in a game that has it, and in no sound game."""

import itertools

import numpy as np
import pytest

import zermelo
from games.mini_draughts import MiniDraughts
from zermelo.compilation import compiled
from zermelo.games import Board, PythonGame, Symmetry, grid
from zermelo.games.abi import GOING, ILLEGAL, OVER
from zermelo.games.contract import check
from zermelo.games.grid import MOVER, RESULT
from zermelo.games.lines import threats
from zermelo.games.tictactoe import TicTacToe

SOUND = [
    "tictactoe",
    "connect4",
    "connect:rows=4,cols=5,n=3",
    "connect:rows=10,cols=9,n=5",
    "gomoku:size=6,n=4",
    "gomoku:size=9,exact=1",
    "othello:size=4",
    "othello:size=6",
    "othello:size=10",
    "examples/nim.py",
    "examples/kalah.py:houses=3,seeds=2",
    "src/zermelo/cli/templates/plain.py",
    "src/zermelo/cli/templates/compiled.py:size=4",
]


@pytest.mark.parametrize("name", SOUND)
def test_sound_games_pass(name):
    report = check(zermelo.game(name), games=60)
    assert [str(problem) for problem in report.problems] == []
    assert report.games == 60


class Race(PythonGame):
    """Add 1 or 2 to a count; who reaches 10 wins. Sound; the games below each break one thing."""

    family = "race"
    acyclic = True
    num_actions = 2
    max_length = 10
    input_shape = (11,)

    def start(self):
        return (0, 0)

    def mover(self, state):
        return state[1]

    def legal(self, state):
        return [0, 1] if state[0] < 9 else [0]

    def play(self, state, action):
        return (state[0] + action + 1, 1 - state[1])

    def returns(self, state):
        if state[0] < 10:
            return None
        return (-1.0, 1.0) if state[1] == 0 else (1.0, -1.0)

    def encode(self, state):
        return [float(state[0] == i) for i in range(11)]


def kinds(game, games=200):
    return {problem.kind for problem in check(game, games=games).problems}


def only_problem(game, games=200):
    problems = check(game, games=games).problems
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "`num_actions` (=0) must be a whole number of at least 1"),
        (2.5, "`num_actions` (=2.5) must be a whole number of at least 1"),
        (lambda self: 2, "`num_actions` is a method; write @property above it"),
    ],
)
def test_a_size_that_is_none(value, told):
    wrong = type("Wrong", (Race,), {"family": "wrong", "num_actions": value})
    problem = only_problem(wrong())
    assert (problem.kind, problem.message) == ("declaration", told)


def test_the_sound_race_passes():
    assert kinds(Race()) == set()


def test_a_query_that_changes_the_python_state():
    class Popping(Race):
        family = "popping"

        def start(self):
            return [[0, 1], 0, 0]

        def mover(self, state):
            return state[2]

        def legal(self, state):
            return [state[0].pop()] if len(state[0]) > 1 else [0]

        def play(self, state, action):
            return [[0, 1], state[1] + action + 1, 1 - state[2]]

        def returns(self, state):
            return super().returns((state[1], state[2]))

        def encode(self, state):
            return super().encode((state[1], state[2]))

    assert "changes the state it is asked about" in only_problem(Popping()).message


def test_a_query_that_changes_the_vector():
    @compiled
    def mover(params, state):
        state[MOVER] = 1 - state[MOVER]
        return state[MOVER]

    class Spinning(TicTacToe):
        family = "spinning"
        kernels = TicTacToe.kernels._replace(mover=mover)

    assert only_problem(Spinning()).message == "`mover` changes the state it is asked about"


def test_play_that_changes_the_state_it_starts_from():
    class InPlace(Race):
        family = "in_place"

        def start(self):
            return [0, 0]

        def play(self, state, action):
            state[0] += action + 1
            state[1] = 1 - state[1]
            return state

    assert only_problem(InPlace()).kind == "query"


def test_play_that_is_not_repeatable():
    class Dice(Race):
        family = "dice"
        rolls = itertools.cycle([1, 2])

        def play(self, state, action):
            return (min(10, state[0] + next(self.rolls)), 1 - state[1])

    problem = only_problem(Dice())
    assert problem.kind == "play not repeatable"


def test_a_legal_action_that_is_refused():
    @compiled
    def play(params, state, action):
        return -1 if action == 4 else grid.play_on_empty(params, state, action)

    class NoCentre(TicTacToe):
        family = "no_centre"
        kernels = TicTacToe.kernels._replace(play=play)

    assert "action 4 is listed as legal, but `play` refuses it" in only_problem(NoCentre()).message


def test_an_illegal_action_that_is_accepted():
    @compiled
    def play(params, state, action):
        if 0 <= action < 9 and not grid.is_empty(params, state, action):
            state[MOVER] = 1 - state[MOVER]
            return GOING
        return grid.play_on_empty(params, state, action)

    class Lenient(TicTacToe):
        family = "lenient"
        kernels = TicTacToe.kernels._replace(play=play)

    assert "is not legal, but `play` accepts it" in str(check(Lenient(), games=50).problems[0])


def test_moves_after_the_end():
    @compiled
    def play(params, state, action):
        if state[RESULT] != 0 and 0 <= action < 9 and grid.is_empty(params, state, action):
            return GOING
        return grid.play_on_empty(params, state, action)

    class Endless(TicTacToe):
        family = "endless"
        kernels = TicTacToe.kernels._replace(play=play)

    assert kinds(Endless()) == {"moves after the end"}


def test_a_result_that_is_not_zero_sum():
    class Generous(Race):
        family = "generous"

        def returns(self, state):
            return None if state[0] < 10 else (1.0, 1.0)

    assert only_problem(Generous()).message == "the result (1.0, 1.0) does not add up to 0"


def test_a_result_told_for_the_player_to_move():
    class Relative(Race):
        family = "relative"

        def returns(self, state):
            return None if state[0] < 10 else (-1.0, 1.0)  # "the player to move has lost"

    assert only_problem(Relative()).kind == "wrong player"


def test_equal_vectors_with_different_futures():
    class Forgetful(Race):
        family = "forgetful"

        def key(self, state):
            return state[0]  # whose turn it is belongs to the position

    assert only_problem(Forgetful()).kind == "equal keys"


def test_equal_compiled_vectors_with_different_futures():
    class Forgetful(TicTacToe):
        family = "forgetful2"
        key_words = 3  # mover, result and number of stones, but no stones

    problem = only_problem(Forgetful())
    assert problem.kind == "equal keys"
    assert problem.message.startswith("the key is the same as after ")
    assert problem.moves


def test_a_symmetry_that_does_not_permute_legal_moves():
    class Lopsided(TicTacToe):
        family = "lopsided"

        def symmetries_of_rules(self):
            one, two = self.board.symmetries(9)[:2]
            return (one, Symmetry("crooked", two.cells, one.actions))

    assert kinds(Lopsided()) == {"symmetry"}


def test_a_symmetry_of_the_board_that_is_none_of_the_rules():
    class Falling(PythonGame):
        family = "falling"
        acyclic = True
        num_actions = 4
        max_length = 4
        board = Board(2, 2)

        def start(self):
            return (0, 0, 0, 0)

        def mover(self, state):
            return sum(1 for cell in state if cell) % 2

        def legal(self, state):  # the lower row first
            lower = [cell for cell in (2, 3) if not state[cell]]
            return lower or [cell for cell in (0, 1) if not state[cell]]

        def play(self, state, action):
            return tuple(1 + self.mover(state) if i == action else c for i, c in enumerate(state))

        def returns(self, state):
            return (0.0, 0.0) if all(state) else None

        def cells_of(self, state):
            return state

        def symmetries_of_rules(self):
            return self.board.symmetries(4)

    problem = only_problem(Falling())
    assert problem.kind == "symmetry"
    assert "which is not legal there" in problem.message or "should become" in problem.message


def test_planes_outside_their_range():
    class Loud(Race):
        family = "loud"

        def encode(self, state):
            return [state[0]] * 11

    assert "leave their range, 0 to 1" in only_problem(Loud()).message


def test_planes_that_are_not_written():
    @compiled
    def encode(params, state, planes):
        planes[0] = 1.0
        return GOING

    class Lazy(TicTacToe):
        family = "lazy"

        @property
        def encodings(self):
            known = super().encodings["own-other"]
            return {"own-other": zermelo.Encoding(known.shape, encode, known.planes)}

    assert only_problem(Lazy()).message == "`encode` leaves 17 inputs unwritten or NaN"


def test_a_game_longer_than_its_bound():
    class Short(Race):
        family = "short"
        max_length = 6

    assert "max_length (=6)" in only_problem(Short()).message


def test_move_names_that_do_not_parse_back():
    class Nameless(Race):
        family = "nameless"

        def name_action(self, state, action):
            return "go"

    assert "are both called `go`" in only_problem(Nameless()).message

    class Spaced(Race):
        family = "spaced"

        def name_action(self, state, action):
            return f"add {action + 1}"

    assert "spaces and commas separate moves" in only_problem(Spaced()).message


def test_a_position_that_returns_in_a_game_that_says_acyclic():
    class Circle(Race):
        family = "circle"
        max_length = 100

        def play(self, state, action):
            return ((state[0] + action) % 9 + action, 1 - state[1])

    assert "acyclic" in kinds(Circle())


def test_rules_that_raise():
    class Raising(Race):
        family = "raising"

        def legal(self, state):
            return [0, 1] if state[0] < 5 else [1 // 0]

    problem = only_problem(Raising())
    assert problem.kind == "rules failed"
    assert "`legal` of raising raised ZeroDivisionError" in problem.message
    assert problem.moves


def test_a_legal_list_out_of_order():
    @compiled
    def legal(params, state, actions):
        count = grid.legal_empty(params, state, actions)
        if count > 1:
            actions[0], actions[1] = actions[1], actions[0]
        return count

    class Shuffled(TicTacToe):
        family = "shuffled"
        kernels = TicTacToe.kernels._replace(legal=legal)

    assert only_problem(Shuffled()).kind == "legal list"


def test_no_moves_before_the_end():
    class Stuck(Race):
        family = "stuck"

        def legal(self, state):
            return [] if state[0] == 5 else super().legal(state)

    assert only_problem(Stuck()).kind == "no moves"


def test_figures_of_the_game():
    report = check(zermelo.game("tictactoe"), games=400)
    assert 5 <= min(report.lengths) <= max(report.lengths) == 9
    assert max(report.branching) == 9
    shares = [report.share(result) for result in ("first", "draw", "second")]
    # The exact shares of uniformly random games: 0.5849, 0.1270, 0.2881.
    assert np.allclose(shares, [0.585, 0.127, 0.288], atol=0.09)
    assert sum(shares) == pytest.approx(1.0)


def test_a_check_stops_in_time():
    assert check(zermelo.game("connect4"), games=10**6, seconds=0.5).games < 10_000


def compiled_variant(name, **kernels):
    """Tic-Tac-Toe with some of its functions replaced."""

    class Variant(TicTacToe):
        family = name
        kernels_of = TicTacToe.kernels

    Variant.kernels = TicTacToe.kernels._replace(**kernels)
    return Variant()


def test_writing_past_the_end_of_a_vector():
    @compiled
    def play(params, state, action):
        state[5 + 1] = 1  # six words: 0 to 5
        return grid.play_on_empty(params, state, action)

    problem = only_problem(compiled_variant("past_the_end", play=play))
    assert problem.kind == "out of bounds"
    assert problem.message == "`play` writes outside its vector"


def test_a_start_that_leaves_words_as_they_were():
    @compiled
    def start(params, state):
        state[MOVER] = 0
        return GOING

    assert not check(compiled_variant("half_a_start", start=start), games=3).passed


def test_legal_moves_after_the_end():
    @compiled
    def legal(params, state, actions):
        actions[0] = 0
        return 1 if state[RESULT] != 0 else grid.legal_empty(params, state, actions)

    assert "moves after the end" in kinds(compiled_variant("one_more", legal=legal))


def test_play_and_returns_that_disagree_about_the_end():
    @compiled
    def play(params, state, action):
        status = grid.play_on_empty(params, state, action)
        return GOING if status == OVER else status

    assert only_problem(compiled_variant("never_over", play=play)).kind == "end"


def test_an_illegal_move_that_is_refused_but_changes_the_state():
    @compiled
    def play(params, state, action):
        status = grid.play_on_empty(params, state, action)
        if status == ILLEGAL:
            state[3] ^= 1
        return status

    assert "refused, but changes" in only_problem(compiled_variant("grudge", play=play)).message


def test_a_transform_that_forgets_the_last_move():
    @compiled
    def transform(params, state, k, image):
        grid.transform(params, state, k, image)
        image[MOVER] = 1 - image[MOVER]
        return GOING

    assert (
        "mover or the result changes"
        in only_problem(compiled_variant("other_mover", transform=transform)).message
    )


def test_a_result_out_of_range_and_a_mover_that_is_nobody():
    class Rich(Race):
        family = "rich"

        def returns(self, state):
            if state[0] < 10:
                return None
            return (2.0, -2.0) if state[1] else (-2.0, 2.0)

    assert "outside -1 to 1" in only_problem(Rich()).message

    class Third(Race):
        family = "third"

        def mover(self, state):
            return 2

    assert "the mover is 2, not one of the players 0 and 1" in only_problem(Third()).message


def test_rules_that_end_the_program_are_reported():
    class Quitting(Race):
        family = "quitting"

        def play(self, state, action):
            raise SystemExit(0)

    assert "raised SystemExit" in only_problem(Quitting()).message


def test_names_drawings_and_planes_that_fail_later():
    class Late(Race):
        family = "late"

        def name_action(self, state, action):
            return str(action) if state[0] < 4 else 1 // 0

        def draw_state(self, state):
            return "ok" if state[0] < 4 else [][0]

    assert kinds(Late()) == {"names", "drawing"}

    class Noisy(Race):
        family = "noisy"
        random = np.random.default_rng(0)

        def encode(self, state):
            return self.random.uniform(size=11)

    assert "something else when it is asked again" in str(check(Noisy(), games=3).problems[0])


def test_sizes_that_are_no_numbers():
    class Wide(Race):
        family = "wide"
        max_length = 10.5

    with pytest.raises((TypeError, zermelo.ZermeloError)):
        Wide().position()


def test_no_game_in_time_is_no_pass():
    assert not check(zermelo.game("othello"), games=5, seconds=0.0).passed


def test_threats_that_are_not_what_the_rules_say():
    @compiled
    def silent(params, state, player, missing, actions):
        return 0

    class Silent(TicTacToe):
        family = "silent"
        kernels = TicTacToe.kernels._replace(threats=silent)

    assert (
        "says that these actions win at once: none; by the rules it is:" in only_problem(Silent()).message
    )


def test_threats_that_leave_out_a_move_that_threatens():
    @compiled
    def narrow(params, state, player, missing, actions):
        return threats(params, state, player, missing, actions) if missing == 1 else 0

    class Narrow(TicTacToe):
        family = "narrow"
        kernels = TicTacToe.kernels._replace(threats=narrow)

    assert "after which a win is threatened" in only_problem(Narrow()).message


# What a network sees must decide what can be played.


def told_planes(game, games=300):
    found = [problem for problem in check(game, games=games).problems if problem.kind == "equal planes"]
    assert len(found) == 1
    return found[0]


def same_planes(game, problem):
    """The two positions of a problem of equal planes, after checking that their planes are equal."""
    before = problem.message.removeprefix("the planes are the same as after ").partition(", but ")[0]
    moves = ["" if words == "no moves" else words for words in (" ".join(problem.moves), before)]
    one, two = (game.position(words) for words in moves)
    assert np.array_equal(one.planes(), two.planes())
    return one, two


def test_planes_that_hide_kings():
    class Crownless(MiniDraughts):
        family = "crownless"
        input_shape = (3, 6, 6)

        def encode(self, state):
            cells, own = np.array(state[0]), 1 + state[1]
            planes = [(cells == own) | (cells == own + 2), (cells == 3 - own) | (cells == 5 - own)]
            return np.stack([*planes, np.full(36, state[1])])

    problem = told_planes(Crownless(), games=60)
    one, two = same_planes(Crownless(), problem)
    assert "the legal moves differ: " in problem.message
    assert one.legal_actions != two.legal_actions
    assert problem.drawing == str(one)


def test_planes_that_hide_who_moves():
    class OneHanded(Race):
        """Only the first player may add 2."""

        family = "one_handed"

        def legal(self, state):
            return super().legal(state)[: 2 - state[1]]

    problem = told_planes(OneHanded())
    one, two = same_planes(OneHanded(), problem)
    assert "but the mover differs, and the legal moves differ: 1 is legal " in problem.message
    assert one.mover != two.mover


def test_planes_that_hide_a_counter_that_ends_the_game():
    class Tired(Race):
        """Drawn after 7 moves, which no input shows."""

        family = "tired"

        def start(self):
            return (0, 0, 0)

        def play(self, state, action):
            return (*super().play(state, action), state[2] + 1)

        def returns(self, state):
            result = super().returns(state)
            return (0.0, 0.0) if result is None and state[2] == 7 else result

    problem = told_planes(Tired())
    one, two = same_planes(Tired(), problem)
    assert problem.message.endswith(" they differ in the end of the game")
    assert {len(one.moves), len(two.moves)} != {6}


def test_planes_that_hide_which_player_may_go_two_steps():
    class Handicap(Race):
        """The second player's second action adds 3: legal actions alone do not tell it."""

        family = "handicap"

        def play(self, state, action):
            return (min(10, state[0] + action + 1 + (state[1] if action else 0)), 1 - state[1])

    assert "but the mover differs, and " in told_planes(Handicap()).message


def test_planes_that_hide_whom_the_end_is_good_for():
    class Favoured(Race):
        """To reach 10 wins for the first player alone, which no input shows."""

        family = "favoured"

        def returns(self, state):
            return None if state[0] < 10 else (0.0, 0.0) if state[1] == 0 else (1.0, -1.0)

    problem = told_planes(Favoured())
    one, two = same_planes(Favoured(), problem)
    assert problem.message.endswith(" they differ in the result")
    assert one.mover != two.mover


# A game that says that it is the same for both sides.


def test_draughts_is_the_same_for_both_sides():
    assert kinds(MiniDraughts(), games=40) == set()


def test_a_wrong_crowning_row():
    class Early(MiniDraughts):
        family = "early"

        def crowning_row(self, player):
            return 0 if player == 0 else 4

    problem = only_problem(Early(), games=20)
    assert problem.kind == "side swap"
    assert "with the players exchanged, `" in problem.message
    assert problem.drawing == str(Early().position(" ".join(problem.moves)))


def test_kings_that_cannot_go_back():
    class Stiff(MiniDraughts):
        family = "stiff"

        def steps(self, value):
            return (2, 3) if value == 4 else super().steps(value)

    problem = only_problem(Stiff(), games=20)
    assert problem.kind == "side swap"
    assert "the legal actions should be " in problem.message


def test_a_result_for_one_side_only():
    class Mercy(MiniDraughts):
        family = "mercy"

        def returns(self, state):
            result = super().returns(state)
            return (0.0, 0.0) if result == (1.0, -1.0) else result

    assert "the result " in only_problem(Mercy(), games=20).message


def test_a_side_swap_without_swapped_states():
    class Unwritten(type(zermelo.game("src/zermelo/cli/templates/plain.py"))):
        family = "unwritten"
        swapped = PythonGame.swapped

    assert "unwritten has a `side_swap`, so it needs `swapped(state)`" in only_problem(Unwritten()).message


def test_a_problem_is_drawn():
    class Drawn(type(zermelo.game("src/zermelo/cli/templates/plain.py"))):
        family = "drawn"
        side_swap = None

        def returns(self, state):
            result = super().returns(state)
            return result if result is None else (result[0], 0.5)

    problem = only_problem(Drawn())
    assert problem.drawing == str(Drawn().position(" ".join(problem.moves)))
    assert problem.drawing.startswith("  a b c\n1 ")

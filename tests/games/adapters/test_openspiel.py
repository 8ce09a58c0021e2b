"""OpenSpiel's own answers are what its games are compared with here."""

import random
import sys

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadParameter, IllegalMove, MissingExtra, UnknownName, UnsuitableGame
from zermelo.search.perft import perft
from zermelo.search.rollouts import random_games

pyspiel = pytest.importorskip("pyspiel")

from zermelo.games.adapters.openspiel import LONGEST_GAME, suitable_games  # noqa: E402


def test_a_game_is_asked_for_by_name_and_gives_its_name_back():
    game = zermelo.game("openspiel:hex(board_size=5)")

    assert game.name == "openspiel:hex(board_size=5)"
    assert zermelo.game(game.name) == game
    assert (game.num_actions, game.max_length) == (25, 25)
    assert str(game.position("a1 b2")).splitlines()[1].split() == [".", "o", ".", ".", "."]


def test_the_order_of_parameters_and_empty_brackets_make_no_difference():
    game = zermelo.game("openspiel:go(komi=6.5,board_size=5)")

    assert game == zermelo.game("openspiel:go(board_size=5,komi=6.5)")
    assert zermelo.game("openspiel:tic_tac_toe()") == zermelo.game("openspiel:tic_tac_toe")


def test_a_game_may_be_made_from_another():
    game = zermelo.game("openspiel:misere(game=tic_tac_toe())")

    assert zermelo.game(game.name) == game
    assert game.position([0, 3, 1, 4, 2]).returns == (-1.0, 1.0)


def test_thirty_games_of_openspiel_fit():
    assert {"chess", "go", "hex", "othello", "oware", "y"} <= set(suitable_games())
    assert len(suitable_games()) >= 30


@pytest.mark.parametrize("name", suitable_games())
def test_a_random_game_goes_as_in_openspiel(name):
    theirs_game = pyspiel.load_game(name)
    game = zermelo.game(f"openspiel:{name}")
    position, theirs = game.position(), theirs_game.new_initial_state()
    dice = random.Random(name)

    players = [0, 1] if theirs.current_player() == 0 else [1, 0]  # who begins is player 0 here

    while not theirs.is_terminal() and len(theirs.history()) < LONGEST_GAME:
        assert position.returns is None
        assert players[position.mover] == theirs.current_player()
        assert list(position.legal_actions) == theirs.legal_actions()
        action = dice.choice(position.legal_actions)
        position = position.play(action)
        theirs.apply_action(action)

    assert zermelo.game(game.name) == game
    assert position.legal_actions == ()
    returns = [theirs.returns()[player] for player in players]
    assert position.returns == (tuple(returns) if theirs.is_terminal() else (0.0, 0.0))
    assert str(position) == str(theirs)


@pytest.mark.parametrize("name", suitable_games())
def test_a_network_sees_the_observation_of_the_player_to_move(name):
    game = zermelo.game(f"openspiel:{name}")
    position = game.position()
    for _ in range(5):
        theirs = game.state_of(position)
        assert np.array_equal(position.planes().ravel(), theirs.observation_tensor(theirs.current_player()))
        position = position.play(position.legal_actions[0])

    shape = pyspiel.load_game(name).observation_tensor_shape()
    assert position.planes().shape == (tuple(shape) if len(shape) == 3 else (np.prod(shape),))


@pytest.mark.parametrize("name", suitable_games())
def test_moves_have_names_that_can_be_written_in_a_list(name):
    game = zermelo.game(f"openspiel:{name}")
    position, dice = game.position(), random.Random(name)
    for _ in range(30):
        if position.is_over:
            break
        names = [position.name(action) for action in position.legal_actions]
        assert len(set(names)) == len(names)
        assert all(name and name == "".join(name.replace(",", " ").split()) for name in names)
        action = dice.choice(position.legal_actions)
        assert position.parse(position.name(action)) == action
        position = position.play(action)

    assert game.position(" ".join(position.move_names)) == position


def test_names_keep_what_openspiel_calls_a_move():
    assert zermelo.game("openspiel:tic_tac_toe").position().name(4) == "x(1_1)"
    assert zermelo.game("openspiel:go(board_size=5)").position().name(0) == "B_a1"
    assert zermelo.game("openspiel:nim").position().name(0) == "pile:1_take:1;"


def test_moves_that_differ_only_in_case_are_told_apart():
    position = zermelo.game("openspiel:chess").position("b4 a6 d3 a5 Be3 c5")
    pawn, bishop = (a for a in position.legal_actions if position.name(a).casefold().startswith("bxc5"))

    assert {position.name(pawn), position.name(bishop)} == {"bxc5", "Bxc5"}
    assert {position.parse("bxc5"), position.parse("Bxc5")} == {pawn, bishop}
    with pytest.raises(IllegalMove):
        position.parse("BXC5")
    assert position.parse("nF3") == position.parse("Nf3")


def test_the_player_who_begins_is_the_first():
    chess = zermelo.game("openspiel:chess")
    assert pyspiel.load_game("chess").new_initial_state().current_player() == 1  # white

    assert chess.position().mover == 0
    assert chess.position("f3 e5 g4 Qh4#").returns == (-1.0, 1.0)


def test_chess_has_the_known_number_of_lines_of_three_moves():
    assert perft(zermelo.game("openspiel:chess"), 3).nodes == 8902


def test_results_are_scaled_to_wins_and_losses():
    game = zermelo.game("openspiel:add_noise(epsilon=1.0,game=tic_tac_toe(),seed=1)")

    first, second = game.position([0, 3, 1, 4, 2]).returns

    assert pyspiel.load_game(game.spec).max_utility() == 2.0
    assert -1.0 <= second < 0.0 < first <= 1.0


def test_a_game_without_end_is_drawn_after_1024_moves():
    assert pyspiel.load_game("chess").max_game_length() == 17695
    assert zermelo.game("openspiel:chess").max_length == LONGEST_GAME == 1024

    walk = zermelo.game("openspiel:cursor_go(max_cursor_moves=2000)").position()
    while not walk.is_over:
        walk = walk.play("Up" if len(walk.moves) % 2 else "Down")
    assert len(walk.moves) == 1024
    assert walk.returns == (0.0, 0.0)


def test_positions_are_the_same_if_the_same_moves_led_to_them():
    game = zermelo.game("openspiel:tic_tac_toe")

    assert game.position([0, 1, 2]) == game.position([0, 1, 2])
    assert game.position([0, 1, 2]) != game.position([2, 1, 0])


def test_random_games_are_won_as_often_as_in_tic_tac_toe():
    played = random_games(zermelo.game("openspiel:tic_tac_toe"), 1000)

    # Of random games the first player wins 58.5% and loses 28.8%; 0.12 is four standard errors.
    assert played.mean_returns[0] == pytest.approx(0.297, abs=0.12)
    assert played.mean_returns[1] == -played.mean_returns[0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker", "has hidden information"),
        ("backgammon", "has chance"),
        ("goofspiel", "has simultaneous moves"),
        ("chinese_checkers(players=3)", "has 3 players"),
        ("cliff_walking", "has 1 player"),
        ("mfg_garnet", "is a mean-field game"),
    ],
)
def test_other_games_are_refused_with_the_reason(name, reason):
    with pytest.raises(UnsuitableGame) as refusal:
        zermelo.game(f"openspiel:{name}")
    assert str(refusal.value) == (
        f"openspiel:{name} {reason}; Zermelo plays two-player games of perfect information without chance"
    )


def test_an_unknown_name_brings_the_closest_and_the_list():
    with pytest.raises(
        UnknownName, match=r"no game `hexx`; did you mean `openspiel:hex`\? There are: amazons "
    ):
        zermelo.game("openspiel:hexx")
    with pytest.raises(UnknownName, match=r"no game `zzzzzz`\. There are: amazons "):
        zermelo.game("openspiel:zzzzzz")


def test_bad_parameters_are_told_in_openspiels_words():
    with pytest.raises(BadParameter, match=r"openspiel:hex\(foo=1\) .*Unknown parameter 'foo'.*board_size"):
        zermelo.game("openspiel:hex(foo=1)")
    with pytest.raises(BadParameter, match="has no move to begin with"):
        zermelo.game("openspiel:hex(board_size=0)")


def test_without_openspiel_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"pip install 'zermelo\[openspiel\]'"):
        zermelo.game("openspiel:hex")

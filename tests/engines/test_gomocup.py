"""Our side of the protocol of Gomocup, command by command."""

import pytest

import zermelo
from engines.talking import Listed
from zermelo.engines.gomocup import GomocupServer


def talk(*texts, player="uct:sims=30"):
    """The lines that were answered."""
    answers = []
    GomocupServer(lambda _: zermelo.player(player), 0, Listed(texts), answers.append).run()
    return [answer.rstrip("\n") for answer in answers]


def test_the_example_of_the_protocol():
    """Four on a row, open at one end: the fifth wins."""
    answers = talk(
        "START 20", "INFO timeout_turn 1000", "INFO game_type 1", "INFO rule 0", "BOARD", "10,10,1",
        "10,11,2", "11,10,1", "9,11,2", "12,10,1", "9,12,2", "13,10,1", "9,10,2", "DONE",
    )  # fmt: skip
    assert answers == ["OK", "14,10"]


def test_x_is_the_column_from_the_left_and_y_the_row_from_the_top():
    server = GomocupServer(lambda _: zermelo.player("random"), 0, Listed(()), lambda _: None)
    server._start("15")
    server._play("2,0")
    assert server._position.move_names == ("c15",)


def test_turns_follow_each_other():
    ok, first, second = talk("START 6", "BEGIN", "TURN 0,0")
    assert ok == "OK"
    assert first != second
    assert all(0 <= int(number) < 6 for move in (first, second) for number in move.split(","))


def test_an_opponent_may_begin_and_small_letters_do():
    ok, move = talk("start 8\r", "turn 3,3\r")
    assert ok == "OK"
    assert move != "3,3"


def test_what_is_taken_is_refused_and_the_board_stays():
    answers = talk("START 8", "TURN 3,3", "TURN 3,3", "TAKEBACK 3,3")
    assert answers[2].startswith("ERROR action 27 is not legal")
    assert answers[3] == "ERROR 3,3 was not the last move"


def test_moves_are_taken_back_one_by_one():
    ok, move, *rest = talk("START 8", "PLAY 1,1", "TAKEBACK 1,1", "TAKEBACK 1,1", "PLAY 1,1")
    assert (ok, move) == ("OK", "1,1")
    assert rest == ["OK", "ERROR 1,1 was not the last move", "1,1"]


def test_restart_empties_the_board():
    answers = talk("START 8", "PLAY 1,1", "BEGIN", "RESTART", "PLAY 1,1")
    assert answers[2] == "ERROR the board is not empty: RESTART comes first"
    assert answers[3:] == ["OK", "1,1"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["BEGIN"], "ERROR no game has begun: START comes first"),
        (["START"], "ERROR START takes the size of the board"),
        (["START 4"], "ERROR `size` (=4) of gomoku must be from 5 to 20"),
        (["START 30"], "ERROR `size` (=30) of gomoku must be from 5 to 20"),
        (["RECTSTART 10,12"], "ERROR rectangular board is not supported"),
        (["START 8", "TURN 8,1"], "ERROR coordinates must be x,y from 0 to 7, not 8,1"),
        (["START 8", "TURN here"], "ERROR coordinates must be x,y"),
        (["START 8", "BOARD", "1,1,3", "DONE"], "ERROR a stone must be x,y,1 or x,y,2"),
        (["START 8", "BOARD", "1,1,1", "DONE"], "ERROR 1 own stones and 0 others: it is not our turn"),
        (["START 8", "BOARD", "1,1,1"], "ERROR the input ended before DONE"),
        (["FLY 1"], "UNKNOWN command FLY"),
        (["START 8", "SWAP2BOARD", "1,1", "DONE"], "ERROR SWAP2BOARD has 0, 3 or 5 stones, not 1"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said(lines, message):
    assert talk(*lines)[-1].startswith(message)


@pytest.mark.parametrize(("rule", "name"), [(2, "continuous games"), (4, "renju"), (9, "caro")])
def test_rules_that_are_not_played_are_refused_when_a_move_is_wanted(rule, name):
    answers = talk("START 8", f"INFO rule {rule}", "BEGIN", "RESTART", "INFO rule 0", "BEGIN")
    assert answers[1] == answers[2] == f"ERROR rule not supported: {name}; 0 and 1 are played"
    assert len(answers) == 4


FOUR_AND_ONE = ["0,0,1", "0,7,2", "1,0,1", "2,7,2", "2,0,1", "4,7,2", "3,0,1", "6,7,2", "5,0,1", "1,6,2"]


def test_six_in_a_row_win_unless_the_rule_is_exactly_five():
    """Between four stones and one more, the free cell makes six: a win, or nothing."""
    *_, move = talk("START 8", "BOARD", *FOUR_AND_ONE, "DONE", player="uct:sims=300")
    assert move == "4,0"
    server = GomocupServer(lambda _: zermelo.player("random"), 0, Listed(()), lambda _: None)
    server._info("rule 1")
    server._start("8")
    server._set_board(FOUR_AND_ONE)
    assert server._position.game.name == "gomoku:size=8,exact=1"
    assert not server._position.play(4).is_over


def test_info_is_never_answered():
    limits = ["timeout_turn", "timeout_match", "time_left", "max_memory"]
    keys = [*limits, "game_type", "rule", "evaluate", "folder", "nothing"]
    assert talk(*(f"INFO {key} {value}" for key in keys for value in ("1", "x", "", "-1"))) == []


def test_about_tells_name_and_version():
    (about,) = talk("ABOUT", "END", "ABOUT")
    assert about.startswith(f'name="Zermelo", version="{zermelo.__version__}", ')


def test_a_board_without_an_answer():
    assert talk("START 8", "YXBOARD", "1,1,2", "DONE", "TAKEBACK 1,1") == ["OK", "OK"]


def test_swap2():
    three, choice = (
        talk("START 8", "SWAP2BOARD", *stones, "DONE")[1] for stones in ([], ["1,1", "4,4", "6,1"])
    )
    assert len({*three.split()}) == 3
    assert choice == "SWAP" or "," in choice
    # three black stones against none that matter: whoever is to move as white would rather be black
    won = ["2,3", "0,0", "3,3", "7,0", "4,3"]
    assert talk("START 8", "SWAP2BOARD", *won, "DONE", player="uct:sims=3000")[1] == "SWAP"


def test_memory_is_what_the_manager_allows():
    server = GomocupServer(lambda _: zermelo.player("uct:sims=10"), 0, Listed(()), lambda _: None)
    server._info(f"max_memory {2 << 30}")
    server._start("8")
    assert 16 <= server._brain.player.memory <= 1024


def test_a_player_that_cannot_keep_time_says_so_when_it_has_to():
    answers = talk("START 5", "INFO timeout_turn 1000", "BEGIN", player="perfect:limit=10")
    assert answers[1].startswith("ERROR perfect:limit=10 cannot keep time")

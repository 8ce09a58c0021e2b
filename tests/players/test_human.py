import io

import pytest

import zermelo
from zermelo.errors import BadParameter, InputEnded
from zermelo.players.human import asking

TICTACTOE = zermelo.game("tictactoe")


@pytest.fixture
def type_in(monkeypatch):
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_person_is_asked_with_the_board_until_the_move_is_legal(type_in, capsys):
    type_in("0\n5\n1\n")
    human = zermelo.player("human:called=Anna")
    assert human.choose([TICTACTOE.position()], [0]) == [4]
    assert capsys.readouterr().out == (
        "1 2 3\n4 5 6\n7 8 9\nAnna> `0` is not legal in tictactoe; legal: 1 2 3 4 5 6 7 8 9\nAnna> "
    )
    assert zermelo.player("human").choose([TICTACTOE.position("5")], [0]) == [0]
    assert capsys.readouterr().out.endswith("player 2> ")


def test_people_play_matches(type_in):
    type_in("1\n2\n3\n4\n5\n6\n7\n" * 2)
    result = zermelo.match(TICTACTOE, zermelo.player("human"), zermelo.player("human"), games=2, openings=0)
    assert [position.move_names for position in result.positions] == [tuple("1234567")] * 2


def test_there_are_other_ways_to_ask():
    asked = []

    def ask(position, called, trouble):
        asked.append((called, trouble))
        return "5" if trouble else "x"

    with asking(ask):
        assert zermelo.player("human:called=Berta").choose([TICTACTOE.position()], [0]) == [4]
    assert asked == [("Berta", ""), ("Berta", "`x` is not legal in tictactoe; legal: 1 2 3 4 5 6 7 8 9")]


def test_wrong_input_is_named(type_in):
    type_in("")
    with pytest.raises(InputEnded, match="the input ended when a person was to move"):
        zermelo.player("human").choose([TICTACTOE.position()], [0])
    with pytest.raises(BadParameter, match="the game is over"):
        zermelo.player("human").choose([TICTACTOE.position("1 4 2 5 3")], [0])

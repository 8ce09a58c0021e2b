"""What the server refuses: with a short answer, logged once, and nobody else is disturbed."""

import asyncio
import http.client
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import websockets

from web.conftest import Running
from zermelo.web.fields import MOST_BYTES


class Talk:
    """A connection as a program makes it."""

    def __init__(self, socket):
        self.socket = socket

    async def ask(self, **message):
        await self.socket.send(json.dumps(message))

    async def hear(self, kind=None):
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
            if kind is None or message["type"] == kind:
                return message


def connect(server, **options):
    options.setdefault("origin", f"http://{server.host}")
    return websockets.connect(f"ws://{server.host}/ws", proxy=None, **options)


def talked(server, conversation, **options):
    async def run():
        async with connect(server, **options) as socket:
            return await conversation(Talk(socket))

    return elsewhere(run)


def elsewhere(run):
    """In a thread of its own: in this one, a browser may have its loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


def get(server, path, **headers):
    name, port = server.host.split(":")
    connection = http.client.HTTPConnection(name, int(port), timeout=10)
    with closing(connection):
        connection.putrequest("GET", path, skip_host=True)
        for key, value in {"Host": server.host, **headers}.items():
            connection.putheader(key, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers


HUMANS = ["human", "human"]
REFUSED = {
    "not JSON": ("{", "JSON"),
    "not an object": ("[1]", "JSON object"),
    "deep": ("[" * 30_000, "JSON"),
    "nothing to do": ({}, "`do`"),
    "an unknown word": ({"do": "fly"}, "`do` (=fly)"),
    "an unknown game": ({"do": "new", "game": "chess", "seats": HUMANS}, "no game is called `chess`"),
    "a game file": ({"do": "new", "game": "examples/nim.py", "seats": HUMANS}, "no game is called"),
    "another library": ({"do": "new", "game": "openspiel:hex", "seats": HUMANS}, "no game is called"),
    "a board too large": ({"do": "new", "game": "gomoku:size=99", "seats": HUMANS}, "from 5 to 20"),
    "a game too large": ({"do": "new", "game": "kalah:houses=10,seeds=10", "seats": HUMANS}, "too large"),
    "a command": ({"do": "new", "game": "connect4", "seats": ["human", "gtp:rm -rf /"]}, "no opponent"),
    "a model by path": (
        {"do": "new", "game": "connect4", "seats": ["human", "az:model=/etc/passwd"]}, "no network"),
    "no network": ({"do": "new", "game": "gomoku:size=7", "seats": ["human", "az"]}, "ships"),
    "too many simulations": (
        {"do": "new", "game": "connect4", "seats": ["human", "uct:sims=999999999"]}, "at most 200000"),
    "for ever": ({"do": "new", "game": "connect4", "seats": ["human", "uct:time=inf"]}, "at most 30"),
    "no number": ({"do": "new", "game": "connect4", "seats": ["human", "uct:time=nan"]}, "at most 30"),
    "three players": ({"do": "new", "game": "connect4", "seats": ["human"] * 3}, "list of 2"),
    "moves of another game": (
        {"do": "new", "game": "tictactoe", "seats": HUMANS, "moves": ["d3"]}, "`d3` is not legal"),
    "moves of another game, from a file": (
        {"do": "new", "game": "nim", "seats": HUMANS, "moves": ["d3"]}, "`d3` is not legal in nim; legal"),
    "a move without a game": ({"do": "move", "move": "4"}, "no game is open"),
    "a run by path": ({"do": "run", "labels": ["../../etc"]}, "no run is called"),
    "a record of another kind": ({"do": "import", "text": "hello"}, "no game as JSON"),
    "a puzzle of another game": ({"do": "puzzle", "game": "gomoku"}, "puzzles of"),
    "a puzzle of another kind": ({"do": "puzzle", "kind": "az:model=/etc/passwd"}, "must be one of"),
    "a variation without a game": ({"do": "try", "moves": ["4"]}, "no game is open"),
    "an engine on another device": (
        {"do": "new", "game": "connect4", "seats": ["human", "random"], "apart": 0}, "two people"),
    "a record of a file": (
        {"do": "import", "text": json.dumps({"game": "/etc/passwd", "players": ["a", "b"], "moves": [],
                                             "returns": None, "result": ""})}, "no game is called"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refused_with_a_short_answer_and_the_connection_goes_on(server, what):
    message, expected = REFUSED[what]

    async def conversation(talk):
        await talk.socket.send(message if isinstance(message, str) else json.dumps(message))
        answer = await talk.hear()
        await talk.ask(do="hello")
        return answer, await talk.hear()

    answer, after = talked(server, conversation)
    assert answer["type"] == "error"
    assert expected in answer["error"]
    assert len(answer["error"]) <= 300
    assert after["type"] == "hello"


def test_moves_that_are_illegal_out_of_turn_or_of_another_table(server):
    async def conversation(talk):
        await talk.ask(do="new", game="connect4", seats=["human", "uct:sims=20000"])
        table = (await talk.hear("game"))["table"]
        answers = []
        for message in ({"move": "8"}, {"move": "4", "ply": 7}, {"move": "4", "table": "x"}, {"move": 4},
                        {"move": "4", "ply": 10**30}):  # fmt: skip
            await talk.ask(do="move", **message)
            answers.append((await talk.hear("error"))["error"])
        await talk.ask(do="move", move="4", table=table)
        await talk.ask(do="move", move="4", table=table)
        answers.append((await talk.hear("error"))["error"])
        return answers

    answers = talked(server, conversation)
    assert "`8` is not legal in connect4; legal: 1 2 3 4 5 6 7" in answers[0]
    assert "`ply`" in answers[1]
    assert "another game" in answers[2]
    assert "`move` must be a text" in answers[3]
    assert "whole number" in answers[4]
    assert "not your turn" in answers[5]


def test_a_huge_message_ends_its_connection_alone(server):
    async def conversation(talk):
        await talk.socket.send("x" * (MOST_BYTES + 1))
        with pytest.raises(websockets.ConnectionClosed):
            await talk.hear()

    talked(server, conversation)
    assert get(server, "/")[0] == 200


def test_a_thousand_moves_a_second_are_slowed_down_and_others_play_on(server):
    async def run():
        async with connect(server) as loud, connect(server) as calm:
            loud, calm = Talk(loud), Talk(calm)
            await loud.ask(do="new", game="connect4", seats=HUMANS)
            await loud.hear("game")
            for _ in range(1000):
                await loud.ask(do="move", move="4")
            await calm.ask(do="new", game="tictactoe", seats=HUMANS)
            await calm.ask(do="move", move="5")
            await calm.hear("game")
            assert (await calm.hear("game"))["moves"] == ["5"]
            said = []
            while not any("too many messages" in one for one in said):
                said.append((await loud.hear("error"))["error"])

    elsewhere(run)


def test_nothing_but_the_page_can_be_read(server):
    paths = (
        "/../app.py", "/%2e%2e/app.py", "/static/../../app.py", "/etc/passwd", "/ws", "//etc/passwd",
        "/..%2fapp.py", "/index.html/../../app.py",
    )  # fmt: skip
    for path in paths:
        status, body, _ = get(server, path)
        assert status == 404, path
        assert "import" not in body
    status, body, headers = get(server, "/main.js")
    assert status == 200
    assert headers["content-type"].startswith("text/javascript")
    assert "default-src 'none'" in headers["content-security-policy"]


def test_another_host_and_another_site_are_refused(server):
    assert get(server, "/", Host="evil.example")[0] == 403

    async def conversation(_):
        raise AssertionError("it was let in")

    for origin in ("http://evil.example", "null", None):
        with pytest.raises(websockets.InvalidStatus, match="403"):
            talked(server, conversation, origin=origin)


def test_outside_this_computer_the_token_is_asked_for(monkeypatch):
    monkeypatch.setattr("zermelo.web.serving.LOOPBACK", ())  # as if its address were not loopback
    server = Running(host="127.0.0.1")
    try:
        token = server.address.partition("token=")[2]
        assert len(token) >= 16
        assert get(server, "/")[0] == 403
        assert get(server, "/main.js?token=wrong")[0] == 403
        assert get(server, "/", Cookie="zermelo=wrong; ;;=")[0] == 403
        status, _, headers = get(server, f"/?token={token}")
        assert status == 303
        assert headers["location"] == "/", "the token does not stay in the address"
        cookie = headers["set-cookie"].partition(";")[0]
        assert "HttpOnly" in headers["set-cookie"]
        assert get(server, "/", Cookie=cookie)[0] == 200

        async def conversation(talk):
            await talk.ask(do="hello")
            return await talk.hear()

        with pytest.raises(websockets.InvalidStatus, match="403"):
            talked(server, conversation)
        hello = talked(server, conversation, additional_headers={"Cookie": cookie})
        assert hello["elsewhere"].endswith(f"token={token}")
    finally:
        server.stop()


def test_what_is_refused_is_logged_once(caplog):
    server = Running()
    try:
        with caplog.at_level(logging.WARNING, "zermelo.web"):
            for _ in range(3):
                get(server, "/", Host="evil.example")
        assert len([one for one in caplog.records if "refused" in one.message]) == 1
    finally:
        server.stop()


def test_an_error_inside_a_player_tells_no_path(server):
    """A network that was there when it was chosen, and is not there any more."""

    async def conversation(talk):
        await talk.ask(do="new", game="connect4", seats=["az:model=gone@3", "human"])
        first = (await talk.hear("error"))["error"]
        await talk.ask(do="new", game="connect4", seats=["human", "human"])
        await talk.hear("game")
        await talk.ask(do="tree", simulations=3, by="az:model=../../secret")
        return first, (await talk.hear("error"))["error"]

    for answer in talked(server, conversation):
        assert "no network is called" in answer
        assert "safetensors" not in answer


def test_a_seat_on_another_device_is_not_for_others(server):
    async def run():
        async with connect(server) as one, connect(server) as two:
            host, guest = Talk(one), Talk(two)
            await host.ask(do="new", game="tictactoe", seats=HUMANS, apart=0)
            table = (await host.hear("game"))["table"]
            await guest.ask(do="open", table=f"{table}.wrongkey")
            assert (await guest.hear("game"))["you"] is None
            answers = []
            for word in ("undo", "redo", "resign", "adopt"):
                await guest.ask(do=word)
                answers.append((await guest.hear("error"))["error"])
            await guest.ask(do="move", move="5")
            answers.append((await guest.hear("error"))["error"])
            return answers

    answers = elsewhere(run)
    assert all("look on" in answer or "two people" in answer for answer in answers)


def test_a_visitor_who_begins_many_games_loses_their_own_and_nobody_elses(server, monkeypatch):
    monkeypatch.setattr("zermelo.web.hub.MOST_OF_ONE", 3)

    async def run():
        async with connect(server) as one, connect(server) as two:
            calm, busy = Talk(one), Talk(two)
            await calm.ask(do="new", game="tictactoe", seats=HUMANS)
            mine = (await calm.hear("game"))["table"]
            begun = []
            for _ in range(5):
                await busy.ask(do="new", game="tictactoe", seats=HUMANS)
                begun.append((await busy.hear("game"))["table"])
            return mine, begun

    mine, begun = elsewhere(run)
    assert mine in server.hub.tables
    assert [name in server.hub.tables for name in begun] == [False, False, True, True, True]


def test_many_odd_boards_push_no_usual_one_out_for_good(server, monkeypatch):
    monkeypatch.setattr("zermelo.web.catalogue._MOST_GAMES", 3)
    catalogue = server.hub.catalogue
    for size in range(5, 12):
        catalogue.game(f"gomoku:size={size}")
    assert len(catalogue._games) == 3
    assert catalogue.game("connect4").name == "connect4"


def test_the_page_is_not_sent_again_when_it_has_not_changed(server):
    _, _, headers = get(server, "/main.js")
    assert get(server, "/main.js", **{"If-None-Match": headers["etag"]})[:2] == (304, "")


def test_old_games_are_forgotten(server, monkeypatch):
    monkeypatch.setattr("zermelo.web.hub.MOST_TABLES", len(server.hub.tables) + 1)

    async def conversation(talk):
        tables = []
        for _ in range(3):
            await talk.ask(do="new", game="tictactoe", seats=HUMANS)
            tables.append((await talk.hear("game"))["table"])
        return tables

    talked(server, conversation)
    from zermelo.web import hub

    assert len(server.hub.tables) <= hub.MOST_TABLES

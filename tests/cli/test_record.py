import builtins
import json

import pytest

import zermelo
from zermelo.cli import record as records
from zermelo.errors import BadParameter

TICTACTOE = zermelo.game("tictactoe")
GAME = records.record(TICTACTOE.position("5 1"), ["human", "random"])


def test_what_is_written_can_be_read(tmp_path):
    path = tmp_path / "games.jsonl"
    records.append(path, [GAME, {**GAME, "game": "connect4"}])
    position, players = records.last(path, TICTACTOE)
    assert position == TICTACTOE.position("5 1")
    assert players == ["human", "random"]


def test_blank_lines_are_nothing(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(f"\n{json.dumps(GAME)}\n  \n\n")
    assert records.last(path, TICTACTOE)[0] == TICTACTOE.position("5 1")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"game": "tictactoe"}', "it has no `players`"),
        (b'{"game": "ticta', "it is not JSON, or was cut"),
        (b"\xff\xfe\x00", "it is not JSON, or was cut"),
        (b'["tictactoe"]', "it is not a JSON object"),
        ({"game": 3}, "its `game` (=3) must be a name"),
        ({"players": ["human"]}, 'its `players` (=["human"]) must be two names'),
        ({"moves": [4, 0]}, "its `moves` (=[4, 0]) must be a list of moves as players write them"),
        ({"moves": "5 1"}, 'its `moves` (="5 1") must be a list of moves as players write them'),
        ({"returns": 1.0}, "its `returns` (=1.0) must be null or two numbers"),
        ({"result": None}, "its `result` (=null) must be a text"),
    ],
    ids=str,
)
def test_a_line_that_is_not_a_game_is_named(line, message, tmp_path):
    path = tmp_path / "games.jsonl"
    spoilt = line if isinstance(line, bytes) else json.dumps({**GAME, **line}).encode()
    path.write_bytes(json.dumps(GAME).encode() + b"\n" + spoilt + b"\n")
    with pytest.raises(BadParameter) as error:
        records.last(path, TICTACTOE)
    assert str(error.value) == f"line 2 of {path} is not a game: {message}"


def test_nothing_is_added_to_a_line_that_was_cut(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text('{"game": "ticta')
    records.append(path, [GAME])
    records.append(path, [GAME])
    assert path.read_text().splitlines()[1:] == 2 * [json.dumps(GAME)]


def test_a_system_that_writes_little_at_a_time_gets_the_rest_too(tmp_path, monkeypatch):
    class Slow:
        def __init__(self, file):
            self._file = file

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self._file.close()

        def write(self, data):
            return self._file.write(data[:10])

    path = tmp_path / "games.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(
            builtins, "open", lambda *words, _open=open, **options: Slow(_open(*words, **options))
        )
        records.append(path, [GAME])
    assert json.loads(path.read_text()) == {**GAME, "returns": None}

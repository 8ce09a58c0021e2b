from pathlib import Path

import pytest

import zermelo
from zermelo.exact import Book, Connect4Solver
from zermelo.exact.book import RECORD_SIZE, SHIPPED, cache_directory, read_records

CONNECT4 = zermelo.game("connect4")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache" / "connect4_book.bin"


def test_what_was_added_is_there_the_next_time(path):
    book = Book(path, shipped=None)
    assert book.score(6, 7, 12345) is None
    book.add(6, 7, 12345, -3)
    book.add(5, 5, 12345, 2)
    again = Book(path, shipped=None)
    assert len(again) == 2
    assert again.score(6, 7, 12345) == -3
    assert again.score(5, 5, 12345) == 2


def test_two_programs_may_write_at_the_same_time(path):
    first, second = Book(path, shipped=None), Book(path, shipped=None)
    for key in range(10):
        (first if key % 2 else second).add(6, 7, key, key)
    assert [Book(path, shipped=None).score(6, 7, key) for key in range(10)] == list(range(10))


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-5], lambda data: b"?" + data[1:], lambda data: b"text"]
)
def test_a_damaged_file_is_set_aside_and_its_good_records_are_kept(path, damage):
    book = Book(path, shipped=None)
    for key in range(3):
        book.add(6, 7, key, 1)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    good = len(read_records(damaged)[0])
    assert len(Book(path, shipped=None)) == good
    assert path.with_suffix(".damaged1").read_bytes() == damaged
    Book(path, shipped=None).add(6, 7, 99, 1)
    assert len(Book(path, shipped=None)) == good + 1


def test_a_place_that_cannot_be_written_costs_only_the_memory(tmp_path):
    (tmp_path / "file").write_text("in the way")
    book = Book(tmp_path / "file" / "book.bin", shipped=None)
    book.add(6, 7, 1, 1)
    assert book.score(6, 7, 1) == 1


def test_the_solver_adds_what_took_long_and_answers_from_the_book(path):
    position = CONNECT4.position("4 4 4 4 4 4 1 2 1 7")
    solver = Connect4Solver(CONNECT4, book=Book(path, shipped=None), book_seconds=0.0)
    score = solver.score(position)
    assert solver.searched > 0
    next_time = Connect4Solver(CONNECT4, book=Book(path, shipped=None))
    assert next_time.score(position) == score
    assert next_time.score(position.transformed(1)) == score
    assert next_time.searched == 0


def test_quick_answers_are_not_kept(path):
    solver = Connect4Solver(CONNECT4, book=Book(path, shipped=None), book_seconds=1000.0)
    solver.score(CONNECT4.position("4 4 4 4 4 4 1 2 1 7"))
    assert not path.exists()


def test_the_shipped_part_is_whole_and_small():
    entries, whole = read_records(SHIPPED.read_bytes())
    assert whole
    assert len(entries) >= 5
    assert len({entry[:3] for entry in entries}) == len(entries)
    assert SHIPPED.stat().st_size == RECORD_SIZE * len(entries) < 300_000


def test_the_directory_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "own"))
    assert cache_directory() == tmp_path / "own"
    monkeypatch.delenv("ZERMELO_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg" / "zermelo"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_directory() == Path.home() / ".cache" / "zermelo"


def test_the_shipped_book_knows_every_opening_of_four_moves_and_agrees_with_itself(tmp_path):
    game = zermelo.game("connect4")
    solver = Connect4Solver(game, megabytes=32, book=Book(tmp_path / "book.bin"))
    layer = {game.position()}
    for _ in range(4):
        for position in layer:
            assert solver.score(position) == max(solver.scores(position).values())
        layer = {position.play(action) for position in layer for action in position.legal_actions}
    assert solver.searched == 0, "nothing had to be searched"

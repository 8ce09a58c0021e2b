"""Engines that others wrote: those of Debian, each skipped where it is not installed."""

import shutil

import pytest

import zermelo

PATH = "/usr/local/games:/usr/games:/usr/local/bin:/usr/bin:/bin"


def engine(program, package):
    if shutil.which(program, path=PATH) is None:
        pytest.skip(f"{program} is not installed: apt-get install {package}")
    return program


def test_grhino_plays_othello():
    rhino = zermelo.player(f"gtp:{engine('gtp-rhino', 'grhino')} --level 1")
    result = zermelo.match(zermelo.game("othello:size=8"), zermelo.player("greedy"), rhino, games=4)
    assert not [position.forfeit for position in result.positions if position.forfeit]
    assert result.losses >= 3  # a greedy player has no chance
    assert all(len(position.moves) > 50 for position in result.positions)


def test_gnugo_knows_the_go_of_openspiel():
    gnugo = zermelo.player(f"gtp:{engine('gnugo', 'gnugo')} --mode gtp --level 1 --chinese-rules")
    game = zermelo.game("openspiel:go(board_size=5)")
    result = zermelo.match(game, gnugo, zermelo.player("random"), games=2)
    assert not [position.forfeit for position in result.positions if position.forfeit]


def test_fairy_stockfish_plays_breakthrough():
    fairy = zermelo.player(f"uci:time=0.02 {engine('fairy-stockfish', 'fairy-stockfish')}")
    result = zermelo.match(zermelo.game("openspiel:breakthrough"), fairy, zermelo.player("random"), games=2)
    assert not [position.forfeit for position in result.positions if position.forfeit]
    assert result.wins == 2


def test_fairy_stockfish_plays_chess():
    fairy = zermelo.player(f"uci:time=0.02 {engine('fairy-stockfish', 'fairy-stockfish')}")
    result = zermelo.match(zermelo.game("openspiel:chess"), fairy, zermelo.player("random"), games=1)
    assert not result.positions[0].forfeit
    assert result.wins == 1

"""Names of players: `random`, `uct:sims=400,c=1.41`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from zermelo.errors import UnknownName, listed
from zermelo.naming import did_you_mean
from zermelo.players.base import Player

_BUILT_IN = {
    "az": "zermelo.players.az:AzPlayer",
    "greedy": "zermelo.players.minimax:GreedyPlayer",
    "gomocup": "zermelo.engines.gomocup_player:GomocupPlayer",
    "gtp": "zermelo.engines.gtp_player:GtpPlayer",
    "human": "zermelo.players.human:HumanPlayer",
    "minimax": "zermelo.players.minimax:MinimaxPlayer",
    "perfect": "zermelo.players.perfect:PerfectPlayer",
    "random": "zermelo.players.simple:RandomPlayer",
    "uci": "zermelo.engines.uci_player:UciPlayer",
    "uct": "zermelo.players.tree:UctPlayer",
}
_registered: dict[str, type[Player]] = {}


def register_player(kind: type[Player]) -> type[Player]:
    """Make a player known by its name; a decorator. An installed package does the same with entry
    points of the group `zermelo.players`."""
    _registered[kind.kind] = kind
    return kind


def names() -> list[str]:
    """The words that name players."""
    return sorted({*_BUILT_IN, *(entry.name for entry in _installed()), *_registered})


@cache
def _installed() -> tuple[EntryPoint, ...]:
    """Players of installed packages; looking them up takes milliseconds."""
    return tuple(entry_points(group="zermelo.players"))


def kind(word: str) -> type[Player]:
    """The player that this word names; only its own module is imported."""
    if word in _registered:
        return _registered[word]
    for entry in _installed():
        if entry.name == word:
            loaded: type[Player] = entry.load()
            return loaded
    if word not in _BUILT_IN:
        hint = did_you_mean(word, names())
        raise UnknownName(f"no player is called `{word}`.{hint} There are: {listed(names())}")
    module, _, name = _BUILT_IN[word].partition(":")
    found: type[Player] = getattr(import_module(module), name)
    return found


def player(name: str) -> Player:
    """The player of this name."""
    word, _, parameters = name.partition(":")
    return kind(word).named(parameters, name)

"""Names of players: `random`, `uct:sims=400,c=1.41`."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from zermelo.errors import UnknownName, listed
from zermelo.naming import did_you_mean, read_fields
from zermelo.players.base import Player

_BUILT_IN = {
    "az": "zermelo.players.az:AzPlayer",
    "greedy": "zermelo.players.minimax:GreedyPlayer",
    "human": "zermelo.players.human:HumanPlayer",
    "minimax": "zermelo.players.minimax:MinimaxPlayer",
    "perfect": "zermelo.players.perfect:PerfectPlayer",
    "random": "zermelo.players.simple:RandomPlayer",
    "uct": "zermelo.players.tree:UctPlayer",
}
_registered: dict[str, type[Player]] = {}


def register_player(kind: type[Player]) -> type[Player]:
    """Make a player known by its name; a decorator. An installed package does the same with entry
    points of the group `zermelo.players`."""
    _registered[kind.kind] = kind
    return kind


def kinds() -> dict[str, type[Player]]:
    """Every player known by name."""
    found: dict[str, type[Player]] = {}
    for word, target in _BUILT_IN.items():
        module, _, name = target.partition(":")
        found[word] = getattr(import_module(module), name)
    for entry in entry_points(group="zermelo.players"):
        found[entry.name] = entry.load()
    return {**found, **_registered}


def player(name: str) -> Player:
    """The player of this name."""
    word, _, parameters = name.partition(":")
    known = kinds()
    if word not in known:
        hint = did_you_mean(word, known)
        raise UnknownName(f"no player is called `{word}`.{hint} There are: {listed(sorted(known))}")
    return known[word](**read_fields(known[word], parameters, name, word))

"""Names of players: `random`, `uct:sims=400,c=1.41`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from zermelo.errors import BadParameter, UnknownName, listed
from zermelo.naming import did_you_mean
from zermelo.players.base import HasPlayer, Player

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
    """Make a class of players known by its `kind`; a decorator.

    An installed package does the same with entry points of the group `zermelo.players`.

    Examples
    --------
    >>> import zermelo as zm
    >>> from zermelo.players.base import Player
    >>> @zm.register_player
    ... class FirstPlayer(Player):
    ...     '''Plays the first legal move after some others.'''
    ...     kind = "first"
    ...     skip: int = 0
    ...     def choose(self, positions, seeds):
    ...         return [p.legal_actions[min(self.skip, len(p.legal_actions) - 1)] for p in positions]
    >>> zm.player("first:skip=2").choose([zm.game("connect4").position()], [0])
    [2]
    """
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
        if Path(word).exists():
            hint = f" A trained player is named with its run or model file: az:model={word}."
        raise UnknownName(f"no player is called `{word}`.{hint} There are: {listed(names())}")
    module, _, name = _BUILT_IN[word].partition(":")
    found: type[Player] = getattr(import_module(module), name)
    return found


def player(name: str | Player | HasPlayer) -> Player:
    """Find a player by its name. A player itself is returned as it is; a training run gives its own.

    A name is a word with parameters: `random`, `uct:sims=400`, `az:model=runs/connect4,sims=200`.

    Examples
    --------
    >>> import zermelo as zm
    >>> uct = zm.player("uct:sims=100")
    >>> uct.sims
    100
    >>> position = zm.game("connect4").position("4 1 4 1 4 1")
    >>> position.name(uct.choose([position], seeds=[0])[0])
    '4'
    """
    if isinstance(name, Player):
        return name
    if isinstance(name, HasPlayer):
        return name.player()
    if not isinstance(name, str):
        raise BadParameter(f"{name!r} is no player; give a player, its name, or a training run")
    word, _, parameters = name.partition(":")
    return kind(word).named(parameters, name)

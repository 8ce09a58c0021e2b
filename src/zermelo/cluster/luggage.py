"""Games and players as they travel: by name, with the files that names stand for.

A worker builds its own of them. It may be on a machine without these files, so their bytes go with them,
through the object store, once for each file.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from zermelo.cluster.connection import own_directory
from zermelo.engines.client import EnginePlayer
from zermelo.errors import BadParameter, ClusterError, UnknownName
from zermelo.games import registry as games
from zermelo.games.base import Game
from zermelo.players import registry as players
from zermelo.players.az import AzPlayer, model_path
from zermelo.players.base import Player
from zermelo.players.human import HumanPlayer

_AT_HAND = 8
"""Players that a worker keeps, with their networks and what they remember."""


@dataclass(frozen=True)
class File:
    """A file as it was where it was packed."""

    path: str
    digest: str
    content: tuple[Any] = field(compare=False)
    """A reference to its bytes, in a tuple so that they are fetched only where they are missing."""

    def here(self) -> str:
        """Where it is on this machine: in its place, if the same is there, else in a copy."""
        try:
            if _digest(Path(self.path).read_bytes()) == self.digest:
                return self.path
        except OSError:
            pass
        return _copy(self)


@dataclass(frozen=True)
class NamedGame:
    """A game by its name; with its file, if it is in one."""

    name: str
    file: File | None

    def build(self) -> Game:
        place = self.name.removeprefix(self.file.path) if self.file is not None else self.name
        try:
            return games.game((self.file.here() if self.file is not None else "") + place)
        except UnknownName as error:
            raise ClusterError(
                f"workers know no game `{self.name}`: a game of one's own is named by its file, or is "
                "installed there, with an entry point of the group `zermelo.games`"
            ) from error


@dataclass(frozen=True)
class NamedPlayer:
    """A player by its word and its parameters; with its network, if that is in a file of the user."""

    kind: str
    parameters: tuple[tuple[str, int | float | str], ...]
    file: File | None

    def build(self) -> Player:
        own = {"model": self.file.here()} if self.file is not None else {}
        try:
            return players.kind(self.kind)(**dict(self.parameters) | own)
        except UnknownName as error:
            raise ClusterError(
                f"workers know no player `{self.kind}`: a player of one's own is installed there, with an "
                "entry point of the group `zermelo.players`"
            ) from error


def check_player(player: Player) -> None:
    """Raise an error if workers could not build this player, or it could not play there."""
    if isinstance(player, HumanPlayer | EnginePlayer):
        raise BadParameter(
            f"`{player.name}` does not play on workers: it is a person, or a program of this machine; "
            "leave --ray out"
        )
    known = player.kind in players.names() and players.kind(player.kind) is type(player)
    if not known or not all(isinstance(value, int | float | str) for value in _parameters(player).values()):
        raise BadParameter(
            f"`{player.name}` does not play on workers: they build players by their names, and this one "
            "has none, or a parameter that is neither text nor a number"
        )


def _parameters(player: Player) -> dict[str, Any]:
    return {one.name: getattr(player, one.name) for one in dataclasses.fields(player)}  # type: ignore[arg-type]


class Packer:
    """Packs games and players; `put` takes bytes to the object store and gives a reference to them."""

    def __init__(self, put: Callable[[bytes], Any]) -> None:
        self._put = put
        self._files: dict[str, File] = {}
        self._games: dict[Game, NamedGame] = {}

    def game(self, game: Game) -> NamedGame:
        if game not in self._games:
            file = self._file(game.source) if game.source is not None else None
            self._games[game] = NamedGame(game.name, file)
        return self._games[game]

    def player(self, player: Player) -> NamedPlayer:
        check_player(player)
        file = None
        if isinstance(player, AzPlayer) and player.model:
            file = self._file(str(model_path(player.model)))
        return NamedPlayer(player.kind, tuple(_parameters(player).items()), file)

    def _file(self, path: str) -> File:
        if path not in self._files:
            try:
                data = Path(path).read_bytes()
            except OSError as error:
                raise BadParameter(f"{path} cannot be read: {error.strerror}") from error
            self._files[path] = File(path, _digest(data), (self._put(data),))
        return self._files[path]


@lru_cache(_AT_HAND)
def built_player(named: NamedPlayer) -> Player:
    """The player of this name, with what it remembers of earlier games."""
    return named.build()


@lru_cache(_AT_HAND)
def built_game(named: NamedGame) -> Game:
    return named.build()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@cache
def _copy(file: File) -> str:
    """A copy of a file for this process, under its own name, by which the networks of a game in a file know
    it."""
    import ray

    path = _directory() / file.digest / Path(file.path).name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(ray.get(file.content[0]))
    return str(path)


_directory = cache(own_directory)

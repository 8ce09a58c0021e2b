"""What may be named from the page: games, their parameters, and opponents within limits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from zermelo.errors import BadParameter, UnknownName, listed
from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.naming import read_fields
from zermelo.players.base import Player
from zermelo.players.registry import kind as player_kind
from zermelo.web.dials import deepest, depths, levels, opponent, simulations, times, with_a_network
from zermelo.web.models import Models

HUMAN = "human"
MOST_SIMULATIONS = {"az": 20_000, "uct": 200_000}
MOST_SECONDS = 30.0
_MOST_GAMES = 300
_MOST_WORDS = 1024
"""Of the state of a game, so that a visitor's game stays small."""
_PARAMETERS = {
    "az": ("model", "level", "sims", "time"),
    "uct": ("sims", "time"),
    "minimax": ("depth", "time"),
    "greedy": (),
    "random": (),
    "perfect": (),
    HUMAN: (),
}
_TITLES = {
    "connect4": "Connect 4",
    "connect": "Connect",
    "gomoku": "Gomoku",
    "othello": "Othello",
    "tictactoe": "Tic-Tac-Toe",
}


class Catalogue:
    """Games that were known when serving began, files of the command line among them."""

    def __init__(self, models: Models, files: Sequence[str] = ()) -> None:
        self.models = models
        self._families: dict[str, type[Game]] = dict(registry.families())
        for file in files:
            found = type(registry.game(file))
            self._families[found.family] = found
        self._games: dict[str, Game] = {}

    def game(self, name: str) -> Game:
        """The game of this name; never a file, and never one of another library."""
        game = self._games.pop(name, None) or self._build(name)
        self._games[name] = game  # those asked for last come last
        while len(self._games) > _MOST_GAMES:
            del self._games[next(iter(self._games))]
        return game

    def _build(self, name: str) -> Game:
        word, _, parameters = name.partition(":")
        for family in self._families.values():
            if word in family.aliases and not parameters:
                return family(**family.aliases[word])
        if word not in self._families:
            raise UnknownName(f"no game is called `{word[:40]}` here; there are: {listed(self._families)}")
        family = self._families[word]
        game = family(**read_fields(family, parameters, name, word))
        if game.state_words > _MOST_WORDS or game.num_players != 2:
            raise BadParameter(f"`{name[:60]}` is too large to be played in the browser")
        return game

    def name(self, game: Game) -> str:
        return page_name(game)

    def without_paths(self, text: str) -> str:
        """A text in which games that come from a file go by the name of their family."""
        for family in self._families.values():
            if family.source is not None:
                text = text.replace(family.source, family.family)
        return text

    def families(self) -> list[type[Game]]:
        return list(self._families.values())

    def listing(self) -> list[dict[str, Any]]:
        """Every game, with its parameters."""
        return [self._listed(family) for family in self._families.values()]

    def _listed(self, family: type[Game]) -> dict[str, Any]:
        alias = next(iter(family.aliases), family.family)
        fields = dataclasses.fields(family)  # type: ignore[arg-type]
        return {
            "family": family.family,
            "title": _TITLES.get(alias, title_of(family)),
            "summary": family.summary(),
            "look": _look(family),
            "parameters": [
                {
                    "name": field.name,
                    "value": int(field.default),
                    "switch": isinstance(field.default, bool),
                    "low": field.metadata.get("low"),
                    "high": field.metadata.get("high"),
                    "help": field.metadata.get("help", ""),
                }
                for field in fields
                if isinstance(field.default, int)
            ],
        }

    def title(self, game: Game) -> str:
        name = self.name(game)
        if name in _TITLES:
            return _TITLES[name]
        sizes = ", ".join(f"{key} {value}" for key, value in _changed(game).items())
        return title_of(type(game)) + (f" ({sizes})" if sizes else "")

    # Opponents.

    def player(self, name: str, game: Game) -> Player:
        """An opponent, if it may be asked for from the page, within the limits of this server."""
        word, _, parameters = name.partition(":")
        if word not in _PARAMETERS:
            raise UnknownName(f"no opponent is called `{word[:40]}` here; there are: {listed(_PARAMETERS)}")
        kind = player_kind(word)
        values = read_fields(kind, parameters, name, word)
        for key, value in values.items():
            if key not in _PARAMETERS[word]:
                raise BadParameter(f"`{key}` of {word} cannot be chosen from the page")
            most = self._most(word, key, game)
            if most is not None and not 0 < value + (key == "sims") <= most + (key == "sims"):
                raise BadParameter(f"`{key}` (={value}) of {word} must be at most {most:g} here")
        if word == "az":
            if values.get("model"):
                self.models.path(values["model"])
            elif not self.models.ships(game):
                raise BadParameter(
                    f"no trained player for {self.name(game)} ships; choose another opponent"
                )
        return kind(**values)

    def _most(self, word: str, key: str, game: Game) -> float | None:
        if key == "sims":
            return MOST_SIMULATIONS[word]
        if key == "time":
            return MOST_SECONDS
        return deepest(game) if key == "depth" else None

    def opponents(self, game: Game, solvable: bool) -> list[dict[str, Any]]:
        """Whom a visitor may play against, the most interesting first."""
        found: list[dict[str, Any]] = []
        if self.models.ships(game):
            hint = "the network that ships with this game"
            found.append(opponent("Trained network", "az", hint, with_a_network(levels())))
        counts = simulations((50, 200, 1000, 5000, 20_000, 100_000), 2)
        found.append(opponent("Tree search", "uct", "search without a network", [counts, times()]))
        found.append(opponent("Minimax", "minimax", "looks ahead by so many moves", [depths(game)]))
        if solvable:
            found.append(opponent("Perfect", "perfect", "never errs: the game is solved"))
        found.append(opponent("Random", "random", "any legal move"))
        found.append(opponent("A person here", HUMAN, "two people at this screen, in turn"))
        found.append(opponent("A person elsewhere", HUMAN, "on another device: you get a link to send"))
        return found

    def first(self) -> dict[str, Any]:
        """The game that a new visitor sees."""
        opponent = "az:level=5" if self.models.ships(self.game("connect4")) else "uct:sims=1000"
        return {"game": "connect4", "seats": [HUMAN, opponent]}


def page_name(game: Game) -> str:
    """As the page names a game: a file goes by the name of its family."""
    return game.name if game.source is None else game.family + game.name.removeprefix(game.source)


def _look(family: type[Game]) -> str:
    """How its board looks: paper where cells are numbered, a list where there is none."""
    board = family().board
    if board is None:
        return "list"
    return "paper" if board.look == "squares" and board.labels == "numbered" else board.look


def title_of(family: type[Game]) -> str:
    return _TITLES.get(family.family, family.__name__)


def _changed(game: Game) -> dict[str, int]:
    defaults = game.defaults()
    return {key: value for key, value in game.parameters.items() if value != defaults.get(key)}

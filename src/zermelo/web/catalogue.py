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
from zermelo.players.levels import LEVELS
from zermelo.players.registry import kind as player_kind
from zermelo.web.models import Models

HUMAN = "human"
MOST_SIMULATIONS = {"az": 20_000, "uct": 200_000}
MOST_SECONDS = 30.0
TIMES = (2, 5, 15)
"""Seconds for a move, as the page offers them."""
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
        if name not in self._games:
            if len(self._games) >= _MOST_GAMES:
                raise BadParameter("too many different games are being played here; choose a usual board")
            self._games[name] = self._build(name)
        return self._games[name]

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
        """As the page names a game: a file goes by the name of its family."""
        if game.source is None:
            return game.name
        return game.family + game.name.removeprefix(game.source)

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
        """Whom a visitor may play against, the most interesting first; `values` are steps of a dial."""
        found: list[dict[str, Any]] = []
        if self.models.ships(game):
            levels = [f"az:level={level}" for level in range(1, len(LEVELS) + 1)]
            names = [*levels, "az:sims=2000", *(f"az:time={seconds}" for seconds in TIMES)]
            labels = [*_levels(), "2,000 simulations", *_times()]
            found.append({"title": "Trained network", "names": names, "labels": labels, "start": 4})
        sims = (50, 200, 1000, 5000, 20_000)
        names = [*(f"uct:sims={count}" for count in sims), *(f"uct:time={seconds}" for seconds in TIMES)]
        labels = [*(f"{count:,} simulations" for count in sims), *_times()]
        found.append({"title": "Tree search", "names": names, "labels": labels, "start": 2})
        depths = range(1, deepest(game) + 1)
        ahead = [f"{depth} move{'s' * (depth > 1)} ahead" for depth in depths]
        found.append({"title": "Minimax", "names": [f"minimax:depth={d}" for d in depths],
                      "labels": ahead, "start": len(depths) // 2})  # fmt: skip
        if solvable:
            found.append({"title": "Perfect", "names": ["perfect"], "labels": ["never errs"], "start": 0})
        found.append({"title": "Random", "names": ["random"], "labels": ["any legal move"], "start": 0})
        found.append({"title": "A person here", "names": [HUMAN], "labels": ["on this device"], "start": 0})
        return found

    def first(self) -> dict[str, Any]:
        """The game that a new visitor sees."""
        opponent = "az:level=5" if self.models.ships(self.game("connect4")) else "uct:sims=1000"
        return {"game": "connect4", "seats": [HUMAN, opponent]}


def deepest(game: Game) -> int:
    """How many moves ahead minimax may look."""
    return (
        8 if game.num_actions <= 9 else 6 if game.num_actions <= 40 else 4 if game.num_actions <= 120 else 3
    )


def title_of(family: type[Game]) -> str:
    return _TITLES.get(family.family, family.__name__)


def _levels() -> list[str]:
    words = [
        "beginner",
        "easy",
        "casual",
        "friendly",
        "steady",
        "solid",
        "sharp",
        "strong",
        "expert",
        "best",
    ]
    return [f"level {number}, {word}" for number, word in enumerate(words, 1)]


def _times() -> list[str]:
    return [f"{seconds} seconds for a move" for seconds in TIMES]


def _changed(game: Game) -> dict[str, int]:
    defaults = game.defaults()
    return {key: value for key, value in game.parameters.items() if value != defaults.get(key)}

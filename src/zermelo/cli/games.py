"""`zermelo games`: what there is to play."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from rich.table import Table

from zermelo.cli.arguments import GameName
from zermelo.cli.output import compiling, out, print_json

if TYPE_CHECKING:
    from zermelo.games.base import Game


def games(name: GameName | None = None, /, *, json: bool = False) -> None:
    """List the games, or describe one.

    Parameters
    ----------
    name
        Game to describe, such as othello:size=6.
    json
        Print JSON.
    """
    from zermelo.games.registry import families, game

    if name is not None:
        with compiling():
            _tell(game(name), json)
        return
    known = sorted(families().items())
    if json:
        print_json({"games": [_family(family) for _, family in known]})
        return
    table = Table("game", "parameters", "what it is", box=None, pad_edge=False, header_style="bold")
    for family_name, family in known:
        names = ", ".join([family_name, *family.aliases])
        table.add_row(names, _parameters(family), family.summary())
    out.print(table)
    out.print(
        "\nAlso your own files (zermelo new mygame), openspiel:NAME and pettingzoo:NAME. "
        "More about a game: zermelo games connect4"
    )


def _parameters(family: type[Game]) -> str:
    return " ".join(f"{key}={int(value)}" for key, value in family.defaults().items())


def _family(family: type[Game]) -> dict[str, object]:
    fields = {field.name: dict(field.metadata) for field in dataclasses.fields(family)}  # type: ignore[arg-type]
    defaults = family.defaults()
    return {
        "name": family.family,
        "aliases": list(family.aliases),
        "summary": family.summary(),
        "parameters": {key: {"default": defaults[key], **fields[key]} for key in fields},
    }


def _tell(game: Game, json: bool) -> None:
    facts = {
        "game": game.name,
        "summary": game.summary(),
        "parameters": game.parameters,
        "actions": game.num_actions,
        "max_length": game.max_length,
        "acyclic": game.acyclic,
        "symmetries": [symmetry.name for symmetry in game.symmetries],
        "encodings": {name: list(encoding.shape) for name, encoding in game.encodings.items()},
        "state_bytes": 8 * game.state_words,
    }
    if json:
        print_json(facts)
        return
    position = game.position()
    out.print(str(position), markup=False)
    out.print()
    table = Table.grid(padding=(0, 2))
    for key, value in facts.items():
        shown = value
        if isinstance(value, dict):
            shown = ", ".join(f"{k}={int(v) if isinstance(v, bool) else v}" for k, v in value.items())
        elif isinstance(value, list):
            shown = ", ".join(map(str, value))
        table.add_row(key.replace("_", " "), str(shown))
    out.print(table)

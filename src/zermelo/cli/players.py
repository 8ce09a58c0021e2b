"""`zermelo players`: who there is to play against."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from zermelo.cli.arguments import PlayerName
from zermelo.cli.output import out, print_json

if TYPE_CHECKING:
    from zermelo.players.base import Player


def players(name: PlayerName | None = None, /, *, json: bool = False) -> None:
    """List the players, or the options of one.

    Parameters
    ----------
    name
        Player to describe, such as az.
    json
        Print JSON.
    """
    from zermelo.players import registry

    if name is not None:
        word = name.partition(":")[0]
        facts = _facts(word, registry.kind(word))
        if json:
            print_json(facts)
        else:
            _describe(facts)
        return
    found = [_facts(word, registry.kind(word)) for word in registry.names()]
    if json:
        print_json({"players": found})
        return
    table = Table("player", "what it is, and its options", box=None, pad_edge=False, header_style="bold")
    for facts in found:
        table.add_row(facts["name"], Text(facts["summary"]))
        if options := " ".join(_options(facts)):
            table.add_row("", Text(options, "dim"))
    out.print(table)
    out.print("\nWhat the options of one mean: zermelo players az")


def _facts(word: str, kind: type[Player]) -> dict[str, Any]:
    helps = _help(kind)
    return {
        "name": word,
        "summary": kind.summary(),
        "parameters": {
            field.name: {"default": _default(field), "help": helps.get(field.name, "")}
            for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        },
    }


def _default(field: dataclasses.Field[Any]) -> str | float | bool | None:
    """The default of a parameter; None if it has none that can be written."""
    return field.default if isinstance(field.default, str | int | float) else None


def _help(kind: type[Player]) -> dict[str, str]:
    """What the fields of a player mean: the docstrings below them, those of its own class last."""
    from docstring_parser import parse_from_object

    found: dict[str, str] = {}
    for cls in reversed(kind.__mro__[:-1]):
        for field in parse_from_object(cls).params:
            if field.description:
                found[field.arg_name] = " ".join(field.description.split())
    return found


def _written(default: str | float | bool | None) -> str:
    """A default as it is written in the name of a player."""
    if default is None:
        return ""
    if isinstance(default, float):
        return f"{default:g}"
    return str(int(default) if isinstance(default, bool) else default)


def _options(facts: dict[str, Any]) -> list[str]:
    return [f"{key}={_written(one['default'])}" for key, one in facts["parameters"].items()]


def _describe(facts: dict[str, Any]) -> None:
    out.print(f"[bold]{facts['name']}[/]:", Text(facts["summary"]))
    if not facts["parameters"]:
        out.print("It has no options.")
        return
    table = Table("option", "default", "meaning", box=None, pad_edge=False, header_style="bold")
    for key, one in facts["parameters"].items():
        table.add_row(key, _written(one["default"]), Text(one["help"]))
    out.print()
    out.print(table)

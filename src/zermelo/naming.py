"""How things are named in text: `connect:rows=6,cols=7`, `uct:sims=400,c=1.41`.

One mechanism for games and players: a word, then values for the fields of a dataclass.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable
from typing import Any

from zermelo.errors import BadParameter, listed

_SWITCH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_fields(owner: type, text: str, name: str, family: str) -> dict[str, Any]:
    """Values for fields of a dataclass from `key=value,key=value`; each has the type of its default. A
    text, such as a path, may have commas in it."""
    fields = {field.name: field.default for field in dataclasses.fields(owner)}
    values: dict[str, Any] = {}
    parts = list[str]()
    for part in text.split(",") if text else []:
        before = parts[-1].partition("=")[0].strip() if parts else ""
        if "=" not in part and isinstance(fields.get(before), str):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    for part in parts:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or key not in fields:
            allowed = listed(fields) or "none"
            raise BadParameter(f"`{part}` in `{name}` is not a parameter of {family}; it has: {allowed}")
        if key in values:
            raise BadParameter(f"`{key}` is given twice in `{name}`")
        values[key] = _value(key, value, name, fields[key])
    return values


def _value(key: str, value: str, name: str, default: object) -> object:
    if isinstance(default, bool):
        if value.lower() not in _SWITCH:
            raise BadParameter(f"`{key}` (={value}) in `{name}` must be true or false")
        return _SWITCH[value.lower()]
    if isinstance(default, str):
        return value
    kind, words = (int, "a whole number") if isinstance(default, int) else (float, "a number")
    try:
        return kind(value)
    except ValueError:
        raise BadParameter(f"`{key}` (={value}) in `{name}` must be {words}") from None


def write_fields(thing: object, family: str) -> str:
    """The shortest text that `read_fields` turns back into this thing: only what is not the default."""
    changed = [
        f"{field.name}={_text(value)}"
        for field in dataclasses.fields(thing)  # type: ignore[arg-type]
        if (value := getattr(thing, field.name)) != field.default
    ]
    return f"{family}:{','.join(changed)}" if changed else family


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return str(value) if isinstance(value, int | float | str) else name_of(value)


def name_of(thing: object) -> str:
    """What a function, or anything else that a user brings, is called."""
    for attribute in ("name", "__name__"):
        if isinstance(name := getattr(thing, attribute, None), str):
            return name
    return type(thing).__name__


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the closest known word, or nothing."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f" Did you mean `{close[0]}`?" if close else ""

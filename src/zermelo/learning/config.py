"""A training run as data: everything that decides how it goes, as one readable TOML file."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from zermelo.errors import BadParameter, listed
from zermelo.learning.learner_config import LearnerConfig
from zermelo.learning.selfplay import SelfplayConfig
from zermelo.network.architecture import Architecture


@dataclass(frozen=True)
class TrainConfig:
    """What is learnt, and how."""

    game: str
    encoding: str = ""
    """How the network sees positions; empty: as the game does by default."""
    seed: int = 0
    games_per_round: int = 256
    """A round: so many games, then learning from them, then new weights for the next."""
    parallel: int = 256
    """How many games are played at once."""
    uses: float = 6.0
    """How often a position is learnt from, on average."""
    window: int = 200_000
    """The latest positions, from which is learnt."""
    search_weight: float = 0.5
    """How much of the value target is the search's value rather than the result of the game."""
    cached: int = 200_000
    """Answers of the network that are remembered while it plays."""
    network: Architecture = field(default_factory=lambda: Architecture.preset("small"))
    selfplay: SelfplayConfig = field(default_factory=SelfplayConfig)
    learner: LearnerConfig = field(default_factory=LearnerConfig)

    def __post_init__(self) -> None:
        for name in ("games_per_round", "parallel", "window"):
            if getattr(self, name) < 1:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be at least 1")
        if not 0 < self.uses <= 100:
            raise BadParameter(f"`uses` (={self.uses}) must be above 0 and at most 100")
        if not 0 <= self.search_weight <= 1:
            raise BadParameter(f"`search_weight` (={self.search_weight}) must be from 0 to 1")


def write_toml(config: Any, prefix: str = "") -> str:
    """All fields of a dataclass, those of inner ones as tables."""
    lines, tables = [], []
    for one in dataclasses.fields(config):
        value = getattr(config, one.name)
        if dataclasses.is_dataclass(value):
            name = f"{prefix}{one.name}"
            tables.append(f"\n[{name}]\n{write_toml(value, name + '.')}")
        elif value is not None:
            lines.append(f"{one.name} = {_text(value)}\n")
    return "".join(lines + tables)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value)


def read_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadParameter(f"the configuration is not TOML: {error}") from None


def build(kind: type[Any], values: Mapping[str, Any], where: str = "") -> Any:
    """A dataclass from a table: unknown keys and values of the wrong kind are named."""
    hints, known = get_type_hints(kind), {one.name: one for one in dataclasses.fields(kind)}
    found = {}
    for key, value in values.items():
        name = f"{where}{key}"
        if key not in known:
            raise BadParameter(f"`{name}` is not a part of the configuration; there are: {listed(known)}")
        hint = hints[key]
        if dataclasses.is_dataclass(hint):
            if not isinstance(value, Mapping):
                raise BadParameter(f"`{name}` must be a table")
            found[key] = build(hint, value, f"{name}.")  # type: ignore[arg-type]
        else:
            found[key] = _value(name, value, hint)
    return kind(**found)


def _value(name: str, value: Any, hint: Any) -> Any:
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    for kind, words in wanted.items():
        if hint is kind or (hint not in wanted and kind in getattr(hint, "__args__", ())):
            if kind is float and type(value) is int:
                return float(value)
            if type(value) is not kind:
                raise BadParameter(f"`{name}` (={value}) must be {words}")
            return value
    raise BadParameter(f"`{name}` cannot be set in a file")


def completed(values: Mapping[str, Any], changes: Mapping[str, str]) -> TrainConfig:
    """The defaults with these values, of which only some need be there, and then with some changed:
    `learner.rate` to `0.001`, and so on."""
    if not isinstance(values.get("game"), str):
        raise BadParameter("`game` is missing in the configuration")
    defaults = _without_none(dataclasses.asdict(TrainConfig(values["game"])))
    found: TrainConfig = build(TrainConfig, _changed(_over(defaults, values), changes))
    return found


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_none(value) if isinstance(value, Mapping) else value
        for key, value in values.items()
        if value is not None
    }


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The values of both; where both have one, that of `above`."""
    result = dict(below)
    for key, value in above.items():
        inner = result.get(key)
        both = isinstance(inner, Mapping) and isinstance(value, Mapping)
        result[key] = _over(inner, value) if both else value  # type: ignore[arg-type]
    return result


def _changed(result: dict[str, Any], changes: Mapping[str, str]) -> dict[str, Any]:
    for path, text in changes.items():
        table = result
        *outer, last = path.split(".")
        for part in outer:
            inner = table.setdefault(part, {})
            if not isinstance(inner, dict):
                raise BadParameter(f"`{path}` is not a part of the configuration")
            table = inner
        table[last] = _parsed(text)
    return result


def _parsed(text: str) -> Any:
    """A value as TOML writes it; anything else is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def differences(one: TrainConfig, other: TrainConfig) -> list[str]:
    """The fields in which two configurations differ, as `learner.rate: 0.002, not 0.001`."""
    first, second = (_flat(dataclasses.asdict(config)) for config in (one, other))
    return [
        f"{key}: {first.get(key)}, not {second.get(key)}"
        for key in sorted({**first, **second})
        if not _same(first.get(key), second.get(key))
    ]


def _same(one: Any, other: Any) -> bool:
    both = isinstance(one, float) and isinstance(other, float)
    return (both and math.isnan(one) and math.isnan(other)) or one == other


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found

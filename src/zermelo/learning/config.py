"""A training run as data: everything that decides how it goes, as one readable TOML file."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin, get_type_hints

from zermelo.errors import BadParameter, listed
from zermelo.games.registry import game
from zermelo.learning.gate import GateConfig
from zermelo.learning.learner_config import LearnerConfig
from zermelo.learning.presets import preset
from zermelo.learning.replay import ReplayConfig
from zermelo.learning.selfplay import SelfplayConfig
from zermelo.learning.start import StartConfig
from zermelo.network.architecture import Architecture


@dataclass(frozen=True)
class RoundsConfig:
    """How playing and learning take turns: so many games, then learning, then new weights for the next."""

    count: int = 0
    """How many rounds the run has; 0: as many as its limits allow."""
    games: int = 256
    """Games that end in a round."""
    positions: int = 0
    """A round has more games until it has so many positions."""
    whole: bool = False
    """Whether a round begins its games itself and plays them to their end; else those under way go on
    in the next round, with its weights."""
    uses: float = 6.0
    """How often a position is learnt from, on average."""
    epochs: int = 0
    """How often a round goes through its samples, instead of `uses`; 0: not at all."""
    samples: int = 0
    """How many positions of the window are gone through in a round with epochs; 0: all."""
    steps: int = 0
    """How many batches are learnt from in a round, instead of `uses`; 0: it is not said so."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise BadParameter(f"`games` (={self.games}) must be at least 1")
        if not 0 < self.uses <= 100:
            raise BadParameter(f"`uses` (={self.uses}) must be above 0 and at most 100")
        for name in ("count", "positions", "epochs", "samples", "steps"):
            if getattr(self, name) < 0:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must not be negative")
        if self.epochs and self.steps:
            raise BadParameter("`epochs` and `steps` cannot both say how long a round learns")


@dataclass(frozen=True)
class WatchConfig:
    """What is measured and kept along the way. It changes nothing of what is learnt, and may be another
    when a run goes on."""

    against: tuple[str, ...] = ("uct:sims=200",)
    """The players that it is measured against."""
    games: int = 20
    """Of each match."""
    simulations: int = 50
    """With which it is measured, for each move."""
    graded: int = 0
    """In how many positions mistakes are counted, where a game can be solved; of a small game in all of
    them. 0: they are not."""
    share: float = 0.05
    """Of the time of the run, for measuring, at most."""
    versions: int = 10
    """Every so many rounds the network is kept; 0: never."""

    def __post_init__(self) -> None:
        for name in ("games", "simulations", "graded", "versions"):
            if getattr(self, name) < 0:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must not be negative")
        if not 0 <= self.share <= 1:
            raise BadParameter(f"`share` (={self.share}) must be from 0 to 1")


@dataclass(frozen=True)
class TrainConfig:
    """What is learnt, and how."""

    game: str
    encoding: str = ""
    """How the network sees positions; empty: as the game does by default."""
    seed: int = 0
    network: Architecture = field(default_factory=lambda: Architecture.preset("small"))
    start: StartConfig = field(default_factory=StartConfig)
    selfplay: SelfplayConfig = field(default_factory=SelfplayConfig)
    replay: ReplayConfig = field(default_factory=ReplayConfig)
    learner: LearnerConfig = field(default_factory=LearnerConfig)
    rounds: RoundsConfig = field(default_factory=RoundsConfig)
    gate: GateConfig = field(default_factory=GateConfig)
    watch: WatchConfig = field(default_factory=WatchConfig)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise BadParameter(f"`seed` (={self.seed}) must not be negative")

    @property
    def warm_games(self) -> int:
        """Games with random playouts at first: none where the network knows something already."""
        return 0 if self.start.is_given else self.selfplay.warm_games


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
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
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
    try:
        return kind(**found)
    except BadParameter as error:
        raise BadParameter(str(error).replace("`", f"`{where}", 1)) from error


def _value(name: str, value: Any, hint: Any) -> Any:
    if get_origin(hint) is tuple:
        if not isinstance(value, (list, tuple)):
            raise BadParameter(f"`{name}` (={value}) must be a list")
        return tuple(_value(name, one, get_args(hint)[0]) for one in value)
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    for kind, words in wanted.items():
        if hint is kind or (hint not in wanted and kind in getattr(hint, "__args__", ())):
            if kind is float and type(value) is int:
                return float(value)
            if type(value) is not kind:
                raise BadParameter(f"`{name}` (={value}) must be {words}")
            return value
    raise BadParameter(f"`{name}` cannot be set in a file")


def completed(values: Mapping[str, Any], changes: Mapping[str, str], presets: bool = True) -> TrainConfig:
    """The defaults of the game with these values, of which only some need be there, and then with some
    changed: `learner.rate` to `0.001`, and so on. Without presets, as for a run that was begun before there
    were some, what is missing has the default of all games."""
    if not isinstance(values.get("game"), str):
        raise BadParameter("`game` is missing in the configuration")
    defaults = _without_none(dataclasses.asdict(TrainConfig(values["game"])))
    if presets:
        defaults = _over(defaults, preset(game(values["game"])))
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
    """A value as TOML writes it, or a number such as .8 or 1e-3; anything else is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        with suppress(ValueError):
            return float(text)
        return text


def differences(one: TrainConfig, other: TrainConfig) -> list[str]:
    """The fields in which two configurations differ, as `learner.rate: 0.002, not 0.001`."""
    first, second = (_flat(dataclasses.asdict(config)) for config in (one, other))
    return [
        f"{key}: {_shortened(first.get(key))}, not {_shortened(second.get(key))}"
        for key in sorted({**first, **second})
        if not _same(first.get(key), second.get(key))
    ]


def _shortened(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 100 else f"{text[:100]} ..."


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

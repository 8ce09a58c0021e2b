"""Names of games: `connect4`, `othello:size=6`, `path/to/mygame.py`, `openspiel:hex(board_size=5)`."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from contextlib import suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType

from zermelo.errors import BadParameter, GameFileError, MissingExtra, UnknownName, ZermeloError, listed
from zermelo.games.base import Game
from zermelo.naming import read_fields

_BUILT_IN = {
    "tictactoe": "zermelo.games.tictactoe:TicTacToe",
    "connect": "zermelo.games.connect:Connect",
    "gomoku": "zermelo.games.gomoku:Gomoku",
    "othello": "zermelo.games.othello:Othello",
}
_registered: dict[str, type[Game]] = {}


def register(game: type[Game]) -> type[Game]:
    """Make a class of games known by its `family`; a decorator.

    An installed package does the same with entry points of the group `zermelo.games`.

    Examples
    --------
    >>> import zermelo as zm
    >>> from zermelo.games.tictactoe import TicTacToe
    >>> @zm.register
    ... class Noughts(TicTacToe):
    ...     family = "noughts"
    >>> zm.game("noughts").position("5").mover
    1
    """
    _registered[game.family] = game
    return game


def families() -> dict[str, type[Game]]:
    """Every game known by name."""
    found = {name: _load(target) for name, target in _BUILT_IN.items()}
    for entry in _installed():
        found[entry.name] = entry.load()
    return {**found, **_registered}


def names() -> set[str]:
    """What a name may begin with that needs neither a file nor another library."""
    known = families()
    return {*known, *(alias for family in known.values() for alias in family.aliases)}


@cache
def _installed() -> tuple[EntryPoint, ...]:
    """Games of installed packages; looking them up takes milliseconds."""
    return tuple(entry_points(group="zermelo.games"))


def is_known_elsewhere(found: Game) -> bool:
    """Whether another process finds this game by its name: not one whose class is in a notebook."""
    return found.source is not None or found.family not in _registered


def _load(target: str) -> type[Game]:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]


def game(name: str | Game) -> Game:
    """Find a game by its name. A game itself is returned as it is.

    A name is that of a built-in or registered game with its parameters, a Python file, or a game of
    another library: `connect4`, `othello:size=6`, `path/to/mygame.py`, `openspiel:hex(board_size=5)`.

    Examples
    --------
    >>> import zermelo as zm
    >>> zm.game("othello:size=6").num_actions
    37
    >>> zm.game("connect:rows=6,cols=7")
    zermelo.game('connect4')
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        hint = f"; did you mean {name.__name__}()?" if isinstance(name, type) else ""
        raise BadParameter(f"{name!r} is no game; give a game, or its name{hint}")
    prefix, _, rest = name.partition(":")
    if prefix == "openspiel":
        from zermelo.games.adapters.openspiel import openspiel_game

        return openspiel_game(rest)
    if prefix == "pettingzoo":
        from zermelo.games.adapters.pettingzoo import pettingzoo_game

        return pettingzoo_game(rest)
    if file := re.match(r"(.+\.py)(?::(.*))?$", name):
        return _build(game_in_file(file[1]), file[2] or "", name)
    known = families()
    aliases = {
        alias: (family, values) for family in known.values() for alias, values in family.aliases.items()
    }
    if prefix in aliases:
        family, values = aliases[prefix]
        if rest:
            raise BadParameter(f"`{prefix}` takes no parameters; use {family.family}:{rest}")
        return family(**values)
    if prefix not in known:
        names = [*known, *aliases]
        raise UnknownName(
            f"no game is called `{prefix}`.{_hint(prefix, names)} There are: {listed(sorted(names))}, "
            "a file path/to/game.py, openspiel:NAME and pettingzoo:NAME"
        )
    return _build(known[prefix], rest, name)


def _hint(name: str, names: list[str]) -> str:
    """What somebody may have meant who wrote this name of a game."""
    if Path(f"{name}.py").is_file():
        return f" Did you mean the file `{name}.py`?"
    word, bracket, parameters = name.partition("(")
    bare, elsewhere = re.sub(r"_v\d+$", "", word.lower().replace("-", "_")), _elsewhere()
    meant = difflib.get_close_matches(word, names, 1)
    meant += [full + bracket + parameters for full in elsewhere.get(bare, ())]
    if not meant and (near := difflib.get_close_matches(bare, elsewhere, 1)):
        meant = elsewhere[near[0]]
    *others, last = [f"`{one}`" for one in meant] or [""]
    return f" Did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""


def _elsewhere() -> dict[str, list[str]]:
    """The games of other libraries that are installed, by their bare names: `chess` is `openspiel:chess`
    and `pettingzoo:chess_v6`."""
    from zermelo.games.adapters.openspiel import suitable_games

    found: dict[str, list[str]] = {}
    with suppress(MissingExtra):
        found = {name: [f"openspiel:{name}"] for name in suitable_games()}
    pettingzoo = importlib.util.find_spec("pettingzoo")  # to import it would take half a second
    for folder in (pettingzoo and pettingzoo.submodule_search_locations) or ():
        for file in sorted(Path(folder, "classic").glob("*_v*.py")):
            found.setdefault(file.stem.rpartition("_v")[0], []).append(f"pettingzoo:{file.stem}")
    return found


def _build(family: type[Game], parameters: str, name: str) -> Game:
    return family(**read_fields(family, parameters, name, family.family))


def game_in_file(path: str) -> type[Game]:
    """The one game that a Python file defines."""
    file = Path(path)
    if not file.is_file():
        raise GameFileError(f"{path} is not a file; `zermelo new {file.stem}` writes one to start from")
    module = _import(file)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        names = listed(cls.__name__ for cls in found) or "none"
        raise GameFileError(
            f"{path} must define exactly one game (a subclass of PythonGame or ArrayGame); it has: {names}"
        )
    family = found[0]
    if inspect.isabstract(family):
        raise GameFileError(
            f"{family.__name__} in {path} lacks: {listed(sorted(family.__abstractmethods__))}"
        )
    if not getattr(family, "family", None):
        raise GameFileError(f'{family.__name__} in {path} has no name: give it family = "{file.stem}"')
    family.source = path
    return family


class _Fresh(SourceFileLoader):
    """Reads source only: bytecode on disk would hide a change of the same size in the same second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _import(file: Path) -> ModuleType:
    file = file.resolve()
    # The cache of compiled rules refers to the module by name: the same one in every process.
    digest = hashlib.blake2b(str(file).encode(), digest_size=8).hexdigest()
    name = f"zermelo_game_{file.stem}_{digest}"
    if name in sys.modules and getattr(sys.modules[name], "stamp", None) == file.stat().st_mtime_ns:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file, loader=_Fresh(name, str(file)))
    if spec is None or spec.loader is None:
        raise GameFileError(f"{file} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (ZermeloError, KeyboardInterrupt):
        del sys.modules[name]
        raise
    except BaseException as error:  # SystemExit too: a file must not end the program
        del sys.modules[name]
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
        line = getattr(error, "lineno", None) or (frames[-1].lineno if frames else None)
        where = f"{file}, line {line}" if line else str(file)
        raise GameFileError(f"{where}: {type(error).__name__}: {error}") from error
    vars(module)["stamp"] = file.stat().st_mtime_ns
    return module

"""A file for the compiled form of a game in plain Python, with the plain rules beside each function."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent, indent

from zermelo.games.adapters.python import PythonGame

_COMPILED = {
    "start": ("(self, state: State) -> None", "Write the first state; all fields are 0 before."),
    "mover": ("(self, state: State) -> int", ""),
    "legal": ("(self, state: State, action: int) -> bool", "Whether this one action is legal."),
    "play": ("(self, state: State, action: int) -> None", "Change the state by a legal action."),
    "returns": ("(self, state: State) -> tuple[float, float] | None", ""),
    "heuristic": ("(self, state: State) -> float", ""),
    "encode": ("(self, state: State, planes) -> None", "Write every number of the array `planes`."),
}
"""The methods that Numba compiles, with their signatures and what is different about them."""
_DONE = {
    "key": "All fields together are the key.",
    "cells_of": "The field `cells` shows them.",
    "swapped": "`cells` and `mover` are exchanged by themselves; write it for other fields of a player.",
}
"""Methods that the compiled form does without."""
_OF_A_STATE = {*_COMPILED, *_DONE, "name_action", "draw_state"} - {"start"}
_PLAIN_ONLY = {"family", "reads_context", "keyed_by_moves", "states_at_hand"}
"""Attributes that the compiled form has otherwise, or not."""


def skeleton(plain: type[PythonGame], path: Path, name: str) -> str:
    """The text of a file for `name`, the compiled form of a class in the file `path`."""
    text = path.read_text()
    tree = ast.parse(text)
    cls = next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == plain.__name__)
    states = {"state"}  # whatever the author calls it
    for one in cls.body:
        if isinstance(one, ast.FunctionDef) and one.name in _OF_A_STATE:
            states.update(argument.arg for argument in one.args.args[1:2])
    parts = [_Part(text, one, states) for one in cls.body]
    names = "ArrayGame, Board, State, Symmetry, array, parameter"
    head = [
        f'"""The rules of {path.name}, compiled.\n\nWrite the functions that raise NotImplementedError, '
        f"each beside its plain form. Then run `zermelo check\n{name}.py`, which plays both forms against "
        'each other.\n"""',
        "\n".join([*_imports(text, tree), f"from zermelo.games import {names}"]),
        *_definitions(text, tree, cls),
    ]
    values = [part.text for part in parts if part.is_copied and not part.name]
    body = [
        f'"""{(ast.get_docstring(cls) or plain.family).splitlines()[0]}"""',
        "\n".join([f'family = "{name}"', f'plain = "{path.name}"', *values]),
        *(part.text for part in parts if part.is_copied and part.name),
        _fields(plain),
        *(part.as_rule() for part in parts if part.name in _COMPILED),
        *(part.as_rest() for part in parts if part.takes_state and part.name not in _COMPILED),
    ]
    title = "".join(word.capitalize() for word in name.split("_"))
    game = f"class {title}(ArrayGame):\n" + indent("\n\n".join(body), "    ")
    return "\n\n".join(head) + "\n\n\n" + game + "\n"


class _Part:
    """A statement in the body of the class."""

    def __init__(self, text: str, node: ast.stmt, states: set[str]) -> None:
        self.text, self.node = _text(text, node), node
        self.name = node.name if isinstance(node, ast.FunctionDef) else ""
        arguments = {one.arg for one in node.args.args} if isinstance(node, ast.FunctionDef) else set()
        self.takes_state = self.name in _OF_A_STATE or bool(states & arguments)
        if _PLAIN_ONLY & _assigned(node):
            self.text = _without_plain(node)

    @property
    def is_copied(self) -> bool:
        """Whether the compiled form has the same."""
        if isinstance(self.node, ast.FunctionDef):
            return self.name not in _COMPILED and not self.takes_state and bool(self.text)
        return bool(self.text) and not isinstance(self.node, ast.Expr)  # the docstring

    def as_rule(self) -> str:
        """A function to be written, beside the plain one."""
        signature, advice = _COMPILED[self.name]
        lines = [f"def {self.name}{signature}:"]
        lines += [f'    """{advice}"""'] if advice else []
        lines += [indent(self.text, "    # ", lambda _line: True)]
        body = "return state.mover" if self.name == "mover" else "raise NotImplementedError"
        return "\n".join([*lines, f"    {body}"])

    def as_rest(self) -> str:
        """What is not compiled, and may be needed in other words: a state has fields here."""
        advice = _DONE.get(self.name, "Not compiled. In plain Python:")
        return f"# {advice}\n" + indent(self.text, "# ", lambda _line: True)


def _imports(text: str, tree: ast.Module) -> list[str]:
    """What the plain file imports, but for what is imported here anyway."""
    found = ["from __future__ import annotations\n"]
    for node in tree.body:
        module = node.module if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.Import | ast.ImportFrom) and module not in ("__future__", "zermelo.games"):
            found.append(ast.get_source_segment(text, node) or "")
    return found


def _definitions(text: str, tree: ast.Module, cls: ast.ClassDef) -> list[str]:
    """What else the plain file holds, which both forms may use."""
    found, last, is_copied = list[str](), 0, False
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef)
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if not is_text:  # which belongs to what is before it
            is_copied = (
                node is not cls
                and not isinstance(node, ast.Import | ast.ImportFrom)
                and "State" not in _assigned(node)
                and (is_definition or names.isdisjoint({cls.name, "__name__"}))
            )
        if not is_copied:
            continue
        if found and not is_definition and node.lineno <= last + 1:
            found[-1] += "\n" + _text(text, node)
        else:
            found.append(_text(text, node))
        last = node.end_lineno or 0
    return found


def _text(text: str, node: ast.stmt) -> str:
    """A statement with its decorators and the comment after it."""
    lines = text.splitlines()
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    before = lines[node.lineno - 1].encode()[: node.col_offset].strip()
    after = lines[(node.end_lineno or 0) - 1].encode()[node.end_col_offset :].strip()
    if before or not (after == b"" or after.startswith(b"#")):  # several statements in a line
        return ast.get_source_segment(text, node) or ""
    return dedent("\n".join(lines[first - 1 : node.end_lineno]))


def _assigned(node: ast.stmt) -> set[str]:
    """The names that a statement gives a meaning."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    inner = [one for target in targets if target is not None for one in ast.walk(target)]
    return {one.id for one in inner if isinstance(one, ast.Name)}


def _without_plain(node: ast.stmt) -> str:
    """The rest of an assignment to several names, one in each line."""
    target, value = getattr(node, "targets", [None])[0], getattr(node, "value", None)
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
        return ""
    pairs = zip(map(ast.unparse, target.elts), map(ast.unparse, value.elts), strict=True)
    return "\n".join(f"{name} = {what}" for name, what in pairs if name not in _PLAIN_ONLY)


def _fields(plain: type[PythonGame]) -> str:
    game = plain()
    example = " ".join(repr(game.start()).split())
    example = example if len(example) <= 60 else example[:57] + "..."
    cells = '"cells": array(self.board.num_cells), ' if game.board is not None else ""
    return (
        "@property\n"
        "def fields(self) -> dict[str, object]:\n"
        '    """What a state holds: `int` for a number, `array(...)` for an array."""\n'
        f"    # The first state in plain Python: {example}\n"
        f'    return {{{cells}"mover": int}}'
    )

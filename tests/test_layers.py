"""A package imports only packages above it in this list."""

import ast
from pathlib import Path

import pytest

import zermelo

SOURCE = Path(zermelo.__file__).parent
LAYERS = [
    "errors", "compilation", "files", "naming", "machine", "figures", "pictures", "games", "records",
    "search", "exact", "network", "players", "arena", "learning", "report", "engines", "cluster", "web",
    "models", "cli", "api", "__main__",
]  # fmt: skip
FILES = sorted(path for path in SOURCE.rglob("*.py") if "templates" not in path.parts)


def layer(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The packages of zermelo that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names = [node.module] if node.module != "zermelo" else [f"zermelo.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name and name.startswith("zermelo.")}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_up_the_list(path):
    if path.name == "__init__.py" and path.parent == SOURCE:
        return
    here = LAYERS.index(layer(path))
    below = [name for name in imported(path) if LAYERS.index(name) > here]
    assert not below, f"{layer(path)} may not import {below}"


def test_only_the_command_line_prints():
    for path in FILES:
        if layer(path) == "cli" or path.stem in ("pettingzoo", "gymnasium"):  # their render("human") prints
            continue
        calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"], path


def test_at_most_24_public_names_all_there():
    assert len(zermelo.__all__) <= 24
    for name in zermelo.__all__:
        assert getattr(zermelo, name) is not None
    assert set(zermelo.__all__) == set(zermelo._HOMES)

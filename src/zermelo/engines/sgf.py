"""The moves of a game that is stored as SGF."""

from __future__ import annotations

from pathlib import Path

from sgfmill import sgf_grammar

from zermelo.errors import BadParameter

_LARGEST = 1 << 20


def moves_in_sgf(path: Path) -> list[tuple[str, str]]:
    """Colour (`b` or `w`) and text of each move of the main line of the first game in a file."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BadParameter(f"{path} is too large to be a game")
        tree = sgf_grammar.parse_sgf_game(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadParameter(f"{path} cannot be read as SGF: {error}") from None
    nodes = sgf_grammar.main_sequence_iter(tree)
    if any(key in properties for properties in nodes for key in ("AB", "AW", "AE")):
        raise BadParameter(f"{path} begins with stones that nobody played")
    return [
        (key.lower(), values[0].decode("ascii", "replace").strip())
        for properties in sgf_grammar.main_sequence_iter(tree)
        for key, values in properties.items()
        if key in ("B", "W") and values
    ]

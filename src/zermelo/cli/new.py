"""`zermelo new`: a game file to start from."""

from __future__ import annotations

from pathlib import Path

from zermelo.cli.output import out
from zermelo.errors import BadParameter, GameFileError

_TEMPLATES = Path(__file__).parent / "templates"


def new(name: str, /, *, compiled: bool = False) -> None:
    """Write NAME.py, a small, complete and commented game for you to change.

    Parameters
    ----------
    name
        Name of the game: small letters, digits and underscores.
    compiled
        Write compiled rules (Numba) instead of plain Python: about 100 times as fast.
    """
    stem = name.removesuffix(".py")
    if not stem.isidentifier() or not stem.islower():
        raise BadParameter(f"`{name}` cannot name a game: use small letters, digits and underscores")
    path = Path(f"{stem}.py")
    template = _TEMPLATES / ("compiled.py" if compiled else "plain.py")
    text = template.read_text().replace("mygame", stem)
    text = text.replace("MyGame", "".join(part.capitalize() for part in stem.split("_")))
    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise GameFileError(f"{path} exists already; choose another name or move it away") from None
    out.print(f"wrote {path}. Change its rules, then: zermelo check {path}")

"""`zermelo new`: a game file to start from."""

from __future__ import annotations

from pathlib import Path

from zermelo.cli.output import out
from zermelo.errors import BadParameter, GameFileError

_TEMPLATES = Path(__file__).parent / "templates"


def new(name: str | None = None, /, *, compiled: bool = False, from_plain: Path | None = None) -> None:
    """Write NAME.py, a small, complete and commented game for you to change.

    Parameters
    ----------
    name
        Name of the game: small letters, digits and underscores.
    compiled
        Write compiled rules (Numba) instead of plain Python: about 100 times as fast.
    from_plain
        Write the functions of the compiled form of this game, each beside its plain rules, for you to fill
        in. The file is called GAME_compiled.py unless NAME is given.
    """
    if name is None and from_plain is None:
        raise BadParameter("give the game a name: zermelo new mygame")
    stem = (name or f"{from_plain.stem}_compiled" if from_plain else str(name)).removesuffix(".py")
    if not stem.isidentifier() or not stem.islower():
        raise BadParameter(f"`{stem}` cannot name a game: use small letters, digits and underscores")
    path = Path(f"{stem}.py")
    if from_plain is not None:
        text = _from_plain(from_plain, stem)
    else:
        text = (
            (_TEMPLATES / ("compiled.py" if compiled else "plain.py")).read_text().replace("mygame", stem)
        )
        text = text.replace("MyGame", "".join(part.capitalize() for part in stem.split("_")))
    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise GameFileError(f"{path} exists already; choose another name or move it away") from None
    do = "Write its functions" if from_plain is not None else "Change its rules"
    out.print(f"wrote {path}. {do}, then: zermelo check {path}")


def _from_plain(path: Path, name: str) -> str:
    from zermelo.cli.skeleton import skeleton
    from zermelo.games.adapters.python import PythonGame
    from zermelo.games.registry import game_in_file

    family = game_in_file(str(path))
    if not issubclass(family, PythonGame):
        raise BadParameter(f"{path} is compiled already; --from-plain takes a game in plain Python")
    if path.resolve().parent != Path.cwd():
        raise BadParameter(f"`plain` names a file beside the new one: run this in {path.resolve().parent}")
    return skeleton(family, path, name)

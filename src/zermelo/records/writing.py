"""Games to files of any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from zermelo.errors import RecordError
from zermelo.files import replace_file
from zermelo.records.formats import Format
from zermelo.records.reading import Problem
from zermelo.records.replay import Replay


def write(
    path: Path,
    games: Iterable[Replay],
    format: Format,
    tell: Callable[[Problem], None],
    replace: bool = False,
) -> tuple[list[Path], int]:
    """Write games; the files, and how many games are in them. `tell` hears of games that do not fit.

    A format of one game for a file gives files with a number before the ending, if there are several.
    Nothing is written over unless it may be replaced.
    """
    _check_free([path], replace)
    texts, last = list[bytes](), None
    for game in games:
        trouble = format.hindrance(game) or (_mixed(last, game) if format.head else "")
        if trouble:
            tell(Problem(game.source, game.number, None, trouble))
        else:
            texts.append(format.write(game))
            last = game
    if last is None:
        raise RecordError(f"there is no game to write to {path}")
    if format.head is not None:
        texts.insert(0, format.head(len(texts), last))
    several = format.single and len(texts) > 1
    paths = [_numbered(path, number, len(texts)) for number in range(len(texts))] if several else [path]
    _check_free(paths, replace)
    for place, data in zip(paths, texts if several else [b"".join(texts)], strict=True):
        replace_file(place, data)
    return paths, len(texts) - (format.head is not None)


def _check_free(paths: Sequence[Path], replace: bool) -> None:
    taken = next((path for path in paths if path.exists()), None)
    if taken is not None and not replace:
        raise RecordError(f"{taken} exists; --replace writes over it")


def _mixed(last: Replay | None, game: Replay) -> str:
    """What stands before the games tells the size of their board."""
    if last is None or last.game == game.game:
        return ""
    return f"the games of such a file have one board, and this is {game.game.name} after {last.game.name}"


def _numbered(path: Path, number: int, count: int) -> Path:
    return path.with_stem(f"{path.stem}-{number + 1:0{len(str(count))}}")

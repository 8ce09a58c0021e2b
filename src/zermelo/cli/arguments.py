"""The numbers that commands take, with their bounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators

from zermelo.errors import BadParameter

if TYPE_CHECKING:
    from cyclopts.completion import CompletionContext


def _games(context: CompletionContext) -> list[str]:
    """The games that a word on the command line may become: names, and files."""
    from zermelo.games.registry import names

    head = context.incomplete.rpartition("/")[0]
    files = Path(head).glob("*.py")
    return [*sorted(names()), *sorted(str(file) for file in files)]


def _players(_: CompletionContext) -> list[str]:
    from zermelo.players.registry import names

    return names()


GameName = Annotated[str, Parameter(completer=_games)]
PlayerName = Annotated[str, Parameter(completer=_players)]
Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]
Positive = Annotated[int, Parameter(validator=validators.Number(gte=1))]
Seconds = Annotated[float, Parameter(validator=validators.Number(gt=0))]
Seed = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=2**63 - 1))]


def check_workers(ray: str | None, workers: int | None) -> None:
    """Raise an error at once if `--ray` and `--workers` cannot be meant."""
    if ray == "off":
        return
    if ray is not None:
        from zermelo.cluster.connection import check

        check(ray)
    elif workers is not None:
        raise BadParameter(f"--workers {workers} is for processes of Ray; give --ray local too")

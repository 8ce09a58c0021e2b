"""The numbers that commands take, with their bounds."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter, validators

from zermelo.errors import BadParameter

Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]
Positive = Annotated[int, Parameter(validator=validators.Number(gte=1))]
Seconds = Annotated[float, Parameter(validator=validators.Number(gt=0))]
Seed = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=2**63 - 1))]


def check_workers(ray: str | None, workers: int | None) -> None:
    """Raise an error at once if `--ray` and `--workers` cannot be meant."""
    if ray is not None:
        from zermelo.cluster.connection import check

        check(ray)
    elif workers is not None:
        raise BadParameter(f"--workers {workers} is for processes of Ray; give --ray local too")

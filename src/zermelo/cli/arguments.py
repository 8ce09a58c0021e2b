"""The numbers that commands take, with their bounds."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter, validators

Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]
Positive = Annotated[int, Parameter(validator=validators.Number(gte=1))]
Seconds = Annotated[float, Parameter(validator=validators.Number(gt=0))]
Seed = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=2**63 - 1))]

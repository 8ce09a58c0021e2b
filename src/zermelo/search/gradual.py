"""A search that its owner drives, some simulations at a time, and looks at meanwhile."""

from __future__ import annotations

from types import TracebackType

from zermelo.errors import BadParameter
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.result import SearchResult


class GradualSearch:
    """One search in a pool that has no other; it is given up at the end of a `with` block."""

    def __init__(self, pool: Pool, job: Job) -> None:
        if pool.is_busy:
            raise BadParameter("this pool has searches under way: a gradual search wants it for itself")
        self._pool, self._job = pool, job
        pool.add(job)
        self.advance()

    def advance(self) -> bool:
        """Make some simulations; whether the search goes on."""
        self._pool.round()
        return self._pool.is_busy

    def look(self, lines: int = 8) -> tuple[SearchResult, dict[int, tuple[int, ...]]]:
        """What has been found so far, and what is expected to follow the moves that were visited most."""
        found = self._pool.look(self._job, lines)
        assert found is not None
        return found

    def __enter__(self) -> GradualSearch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.clear()

"""Reading messages of the page: nothing in them is believed."""

from __future__ import annotations

import json
from typing import Any

from zermelo.errors import BadParameter

MOST_BYTES = 65_536
_LONGEST_TEXT = 20_000


class Fields:
    """A message, read field by field."""

    def __init__(self, text: str | bytes) -> None:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise BadParameter("a message must be JSON") from None
        if not isinstance(found, dict):
            raise BadParameter("a message must be a JSON object")
        self._found: dict[str, Any] = found

    def text(self, name: str, default: str | None = None, most: int = 200) -> str:
        value = self._found.get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise BadParameter(f"`{name}` must be a text of at most {most} letters")
        return value

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self._found.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadParameter(f"`{name}` must be a whole number from {low} to {high}")
        return value

    def has(self, name: str) -> bool:
        return self._found.get(name) is not None

    def texts(self, name: str, count: int | None = None, most: int = 2000) -> list[str]:
        value = self._found.get(name, [])
        right = isinstance(value, list) and all(isinstance(one, str) and len(one) <= 100 for one in value)
        if not right or len(value) > most or (count is not None and len(value) != count):
            raise BadParameter(f"`{name}` must be a list of {count or f'at most {most}'} short texts")
        return list(value)

    def long_text(self, name: str) -> str:
        return self.text(name, most=_LONGEST_TEXT)

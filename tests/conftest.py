from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch):
    """Tests name example files as people do: from the root of the repository."""
    monkeypatch.chdir(ROOT)

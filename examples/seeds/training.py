"""Training by the configurations of the texts, for experiments."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from zermelo.errors import BadParameter
from zermelo.learning.config import TrainConfig, completed, read_toml
from zermelo.learning.run import Run

CONFIGS = Path(__file__).parents[2] / "configs" / "seeds"
THESIS = CONFIGS / "000-tictactoe.toml"
SMALL = {
    "selfplay.search.simulations": "8",
    "selfplay.parallel": "16",
    "rounds.games": "16",
}
"""What makes rounds a matter of a second, for --quick."""


def configured(path: Path, changes: Mapping[str, str]) -> TrainConfig:
    """The configuration in a file, with some values changed."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadParameter(f"{path} cannot be read as a configuration: {error}") from error
    return completed(read_toml(text), changes)


def begun(path: Path, new: bool) -> Path:
    """Where a run is to go on, or to begin anew."""
    if new and (path / "manifest.json").exists():
        shutil.rmtree(path)
    return path


@contextmanager
def new_run(config: TrainConfig) -> Iterator[Run]:
    """A run whose directory is gone afterwards."""
    with tempfile.TemporaryDirectory() as directory:
        yield Run(Path(directory) / "run", config)

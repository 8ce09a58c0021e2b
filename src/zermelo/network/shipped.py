"""The trained networks that ship with the package, by their games."""

from __future__ import annotations

from pathlib import Path

from zermelo.errors import ModelError, listed
from zermelo.games.base import Game

DIRECTORY = Path(__file__).parents[1] / "models"
NAMES = {
    "tictactoe": "tictactoe",
    "connect4": "connect4",
    "gomoku:size=8": "gomoku8",
    "gomoku": "gomoku15",
    "othello:size=6": "othello6",
    "othello": "othello8",
}
"""By the name of the game: that of the file."""


def shipped_models() -> dict[str, Path]:
    """The model files that there are, by the names of their games."""
    files = {game: DIRECTORY / f"{name}.safetensors" for game, name in NAMES.items()}
    return {game: path for game, path in files.items() if path.exists()}


def shipped_model(game: Game) -> Path:
    """The model file for this game and its parameters."""
    files = shipped_models()
    if game.name not in files:
        raise ModelError(
            f"no trained player for {game.name} ships with Zermelo; there are: {listed(files)}. "
            f"Train one (zermelo train {game.name}) and name it: az:model=runs/..."
        )
    return files[game.name]

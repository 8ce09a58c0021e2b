"""Networks that were trained, as objects that play and analyse; none of this needs PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.registry import game as named_game
from zermelo.learning.history import History
from zermelo.network.model import Model, read_model
from zermelo.network.shipped import shipped_models
from zermelo.players.analysis import Analysis, analyse
from zermelo.players.az import AzPlayer, network_file


class TrainedModel:
    """A network in a model file. Give it wherever a player is wanted."""

    def __init__(self, best: Path) -> None:
        self.best = best
        """The model file."""

    @property
    def model(self) -> Model:
        """What the file holds: architecture, weights and provenance."""
        return read_model(self.best)

    @property
    def game(self) -> Game:
        return named_game(self.model.game)

    def player(self, sims: int = AzPlayer.sims, **options: Any) -> AzPlayer:
        """The player `az` with this network; `options` are its other parameters, such as `temperature`."""
        return AzPlayer(model=str(self.best), sims=sims, **options)

    def analyse(self, moves: str | Sequence[int] = "", sims: int = AzPlayer.sims) -> Analysis:
        """What the network thinks of a position, after a search."""
        return analyse(self.game, moves, self.player(sims))

    def __repr__(self) -> str:
        shipped = {path: path.stem for path in shipped_models().values()}
        return f"zermelo.load({shipped.get(self.best, str(self.best))!r})"


class TrainedRun(TrainedModel):
    """A training run and its network, read from the directory whenever you ask."""

    def __init__(self, path: Path) -> None:
        super().__init__(path / "best.safetensors")
        self.path = path
        """The directory."""

    @property
    def game(self) -> Game:
        return self._read.game

    @property
    def history(self) -> list[dict[str, Any]]:
        """A dictionary of metrics for each iteration: losses, games, positions, seconds and more."""
        return self._read.rounds

    @property
    def measures(self) -> list[dict[str, Any]]:
        """What was measured along the way: scores against players, and mistakes by exact solvers."""
        return self._read.measures

    @property
    def _read(self) -> History:
        return History.read(self.path)

    def player(self, sims: int = AzPlayer.sims, **options: Any) -> AzPlayer:
        return AzPlayer(model=str(self.path), sims=sims, **options)

    def __repr__(self) -> str:
        return f"zermelo.load({str(self.path)!r})"


def load(name: str | Path) -> TrainedModel:
    """Load a trained network: a run directory, a model file, or a network that ships.

    Parameters
    ----------
    name
        A directory of `zermelo train`, a `.safetensors` file, or a name such as `connect4` or `gomoku8`.

    Returns
    -------
    TrainedModel
        `player(sims=...)`, `analyse(moves)`, `game` and `best`, the model file. A run directory gives a
        `TrainedRun`, with its `path`, `history` and `measures` too.

    Examples
    --------
    >>> import zermelo as zm
    >>> network = zm.load("connect4")
    >>> network
    zermelo.load('connect4')
    >>> network.analyse("4 1 4 1 4", sims=50).best.move
    '4'
    >>> network.player(sims=50).choose([network.game.position("1 2 1 2 1")], seeds=[0])
    [0]
    """
    path = Path(name)
    if (path / "manifest.json").exists():
        return TrainedRun(path)
    if path.suffix == ".onnx":
        raise BadParameter(f"{path} does not say its game; name it as a player: az:model={path}")
    found = TrainedModel(network_file(str(name)))
    found.model  # noqa: B018  # a file that is no model is refused here, not at the first move
    return found

"""Whether a new network is better than the one that plays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zermelo.arena.match import MatchResult, match
from zermelo.errors import BadParameter, listed
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.az import AzPlayer
from zermelo.search.config import SearchConfig

COUNTED = ("points", "decided")


@dataclass(frozen=True)
class GateConfig:
    """A match that a new network must win to play the next games."""

    games: int = 0
    """Of the match; 0: there is none, and the newest network plays."""
    share: float = 0.55
    """What the new network must have more of. AlphaGo Zero: 55 %. That it wins 1.3 times as often as it
    loses is 0.5652 of the decided games."""
    counted: str = "points"
    """The share of what: points (a draw is half a point), or decided games."""
    goes_on: bool = False
    """Whether a network that is refused goes on learning; else it is dropped."""
    simulations: int = 0
    """For each move; 0: as many as in self-play."""
    drawn_plies: int = 4
    """How many moves of a game are drawn by their visits, so that games differ."""
    openings: int = 0
    """How many random moves games begin with."""

    def __post_init__(self) -> None:
        if self.counted not in COUNTED:
            raise BadParameter(f"`counted` (={self.counted}) must be one of: {listed(COUNTED)}")
        if not 0 <= self.share < 1:
            raise BadParameter(f"`share` (={self.share}) must be from 0 to below 1")
        for name in ("games", "simulations", "drawn_plies", "openings"):
            if getattr(self, name) < 0:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must not be negative")

    def accepts(self, result: MatchResult) -> bool:
        """Whether the first player of a match is the better one."""
        if self.counted == "points":
            return result.score > self.share
        decided = result.wins + result.losses
        return decided > 0 and result.wins > self.share * decided


class Contestant(AzPlayer):
    """A network that searches as in self-play, without noise."""

    kind = "contestant"
    way: SearchConfig
    """How it searches."""

    def config(self) -> SearchConfig:
        return self.way


def contest(
    game: Game, candidate: Path, best: Path, config: GateConfig, search: SearchConfig, seed: int,
    progress: Callable[[Sequence[Position]], None], deadline: float = math.inf,
) -> MatchResult:  # fmt: skip
    """The match of a new network against the one that plays; `progress` may raise to stop it, and no search
    goes on beyond the deadline."""
    simulations = config.simulations or search.simulations
    new, old = (
        Contestant(
            model=str(path),
            way=search.but(simulations=simulations, noise=0.0, gumbel_noise=False),
            final="semi-stochastic" if config.drawn_plies else "robust",
            drawn_plies=config.drawn_plies,
        ).until(deadline)
        for path in (candidate, best)
    )
    return match(game, new, old, config.games, seed, config.openings, progress)

"""What a player thinks of a position, in words, as a table and as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from zermelo.cli.output import out

if TYPE_CHECKING:
    from zermelo.exact import Outcome
    from zermelo.games.base import Game
    from zermelo.games.position import Position
    from zermelo.players.base import Player
    from zermelo.players.minimax import LookaheadPlayer
    from zermelo.players.perfect import PerfectPlayer
    from zermelo.players.tree import TreePlayer
    from zermelo.search.alphabeta import AlphaBetaResult
    from zermelo.search.result import SearchResult

ADVISER = "uct:sims=20000"
_TRAINED_ADVISER = "az:sims=2000"


def adviser_for(game: Game) -> str:
    """Who is asked what it thinks where nobody else is named, or can tell: the trained player that ships
    for the game, or a search without a network."""
    from zermelo.network.shipped import shipped_models

    return _TRAINED_ADVISER if game.name in shipped_models() else ADVISER


@dataclass(frozen=True)
class Candidate:
    """A move; what is not known of it is None. All is told for the player to move."""

    action: int
    value: float | None
    """From -1, a loss, to 1, a win."""
    proven: bool
    """Whether the value is exact."""
    outcome: Outcome | None
    """Of a proven win, draw or loss; a game may have other results too."""
    visits: int | None = None
    prior: float | None = None

    @property
    def words(self) -> str:
        if self.outcome is not None:
            return told(self.outcome)
        return "" if self.value is None else chance(self.value)


@dataclass(frozen=True)
class Opinion:
    """Every move with what is thought of it, best first."""

    position: Position
    candidates: tuple[Candidate, ...]
    value: float
    proven: bool
    line: tuple[int, ...] = ()
    """The moves that are expected."""
    simulations: int | None = None

    def of(self, action: int) -> str:
        """What is thought of a move, in a few words."""
        (candidate,) = (c for c in self.candidates if c.action == action)
        expected = self._names(self.line)[1:4] if self.line[:1] == (action,) else []
        words = [candidate.words, f"expects {' '.join(expected)}" if expected else ""]
        return ", ".join(filter(None, words))

    def show(self, most: int = 10) -> None:
        """Print the best moves."""
        searched = self.simulations is not None
        titles = ["move", "visits", "chance", "prior"] if searched else ["move", "outcome"]
        table = Table(*titles, box=None, pad_edge=False, header_style="bold")
        for row in self.candidates[:most]:
            known = [_coloured(row)]
            if searched:
                known = [f"{row.visits:,}", *known, f"{row.prior:.0%}"]
            table.add_row(escape(self.position.name(row.action)), *known)
        out.print(table)
        best = self.candidates[0]
        verdict = _coloured(best) if self.proven else chance(self.value)
        line = " ".join(self._names(self.line)[:12])
        expected = f"; expects {escape(line)}" if line else ""
        out.print(f"player {1 + self.position.mover} to move: {verdict}{expected}")

    def json(self) -> dict[str, Any]:
        return _known(
            game=self.position.game.name,
            moves=list(self.position.move_names),
            mover=self.position.mover,
            simulations=self.simulations,
            value=self.value,
            proven=self.proven,
            line=self._names(self.line),
            candidates=[
                {
                    "move": self.position.name(row.action),
                    "value": row.value,
                    "proven": row.proven,
                    **_known(
                        plies=row.outcome.plies if row.outcome is not None else None,
                        visits=row.visits,
                        prior=row.prior,
                    ),
                }
                for row in self.candidates
            ],
        )

    def _names(self, line: tuple[int, ...]) -> list[str]:
        position, names = self.position, []
        for action in line:
            names.append(position.name(action))
            position = position.play(action)
        return names


def _known(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def chance(value: float) -> str:
    """A value as points that are expected, in percent: a draw is 50 %."""
    return f"{(1 + value) / 2:.0%}"


def told(outcome: Outcome) -> str:
    if outcome.value == 0:
        return "draws"
    word = "wins" if outcome.value > 0 else "loses"
    return f"{word} in {outcome.plies} move{'s' if outcome.plies != 1 else ''}"


def _coloured(candidate: Candidate) -> str:
    outcome = candidate.outcome
    colour = {1: "green", -1: "red"}.get(outcome.value) if outcome is not None else None
    return f"[{colour}]{candidate.words}[/]" if colour else candidate.words


def way_to_think(player: Player) -> Callable[[Position, int], tuple[int, Opinion]] | None:
    """How a player chooses a move, by a seed, and tells what it thinks; None if it cannot tell."""
    from zermelo.players.minimax import LookaheadPlayer
    from zermelo.players.perfect import PerfectPlayer
    from zermelo.players.tree import TreePlayer

    if isinstance(player, PerfectPlayer):
        return partial(_solve, player)
    if isinstance(player, TreePlayer):
        return partial(_search, player)
    if isinstance(player, LookaheadPlayer):
        return partial(_look_ahead, player)
    return None


def _solve(player: PerfectPlayer, position: Position, seed: int) -> tuple[int, Opinion]:
    outcomes = player.outcomes(position)
    return player.decide(outcomes, seed), _exact(position, outcomes)


def _search(player: TreePlayer, position: Position, seed: int) -> tuple[int, Opinion]:
    (result,) = player.search([position], [seed])
    return player.decide(result, seed), _searched(result)


def _look_ahead(player: LookaheadPlayer, position: Position, seed: int) -> tuple[int, Opinion]:
    (result,) = player.search([position])
    return player.decide(result, seed), _looked_ahead(result)


def _exact(position: Position, outcomes: dict[int, Outcome]) -> Opinion:
    best_first = sorted(outcomes, key=lambda action: outcomes[action], reverse=True)
    rows = tuple(Candidate(action, outcomes[action].value, True, outcomes[action]) for action in best_first)
    return Opinion(position, rows, float(outcomes[best_first[0]].value), proven=True)


def _looked_ahead(result: AlphaBetaResult) -> Opinion:
    """The best moves alone: of the others it is only known that they are not better."""
    outcome = _outcome(result.value, result.plies) if result.is_proven else None
    rows = tuple(Candidate(action, result.value, result.is_proven, outcome) for action in result.actions)
    return Opinion(result.position, rows, result.value, result.is_proven, result.line)


def _searched(result: SearchResult) -> Opinion:
    from zermelo.search.tree import UNPROVEN

    rows = []
    for i in sorted(range(len(result.actions)), key=lambda i: -int(result.visits[i])):
        proof, value = int(result.proofs[i]), float(result.values[i])
        proven = proof != UNPROVEN
        rows.append(
            Candidate(
                int(result.actions[i]),
                None if math.isnan(value) else value,
                proven,
                _outcome(proof, int(result.plies[i])) if proven else None,
                int(result.visits[i]),
                float(result.priors[i]),
            )
        )
    best_first = sorted(rows, key=_rank, reverse=True)
    return Opinion(
        result.position,
        tuple(best_first),
        result.value,
        result.is_proven,
        result.line,
        result.simulations,
    )


def _outcome(value: float, plies: int) -> Outcome | None:
    """A proven value as the end it stands for, if that is a win, a draw or a loss."""
    from zermelo.exact import Outcome

    if value not in (-1, 0, 1):
        return None
    return Outcome(int(value), plies if value else 0)


def _rank(candidate: Candidate) -> tuple[int, int, int]:
    """Proven wins first, the fastest before all, and proven losses last; between them, by visits."""
    outcome = candidate.outcome
    if outcome is None or outcome.value == 0:
        return 0, 0, candidate.visits or 0
    return outcome.value, -outcome.value * outcome.plies, 0

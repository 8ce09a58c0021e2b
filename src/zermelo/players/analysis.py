"""One position, as a player that searches or solves sees it: every move with its value."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from zermelo.errors import BadParameter, IllegalMove
from zermelo.exact import Outcome
from zermelo.games.base import Game
from zermelo.games.diagrams import heat_map
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game
from zermelo.network.shipped import shipped_models
from zermelo.players.base import HasPlayer, Player
from zermelo.players.minimax import LookaheadPlayer
from zermelo.players.perfect import PerfectPlayer
from zermelo.players.registry import player as named_player
from zermelo.players.tree import TreePlayer
from zermelo.search.alphabeta import AlphaBetaResult
from zermelo.search.result import SearchResult
from zermelo.search.tree import UNPROVEN

ADVISER = "uct:sims=20000"
_TRAINED_ADVISER = "az:sims=2000"
_MOST_SHOWN = 10


def adviser_for(game: Game) -> str:
    """The player that analyses a game by default: the trained player that ships for it, or a search
    without a network."""
    return _TRAINED_ADVISER if game.name in shipped_models() else ADVISER


@dataclass(frozen=True)
class MoveAnalysis:
    """A move, from the mover's perspective. What the player does not know is None."""

    move: str
    """As players write it."""
    action: int
    value: float | None
    """The expected result, from -1 (a loss) to 1 (a win)."""
    proven: bool
    """Whether the value is exact."""
    outcome: Outcome | None
    """Of a proven win, draw or loss, with the number of moves to the end."""
    visits: int | None = None
    policy: float | None = None
    """The fraction of the visits; of a network without search, its prior."""
    prior: float | None = None

    @property
    def words(self) -> str:
        """The outcome, or the expected points in percent: a draw is 50 %."""
        if self.outcome is None:
            return "" if self.value is None else percent(self.value)
        if self.outcome.value == 0:
            return "draws"
        plies = f"{self.outcome.plies} move{'s' if self.outcome.plies != 1 else ''}"
        return f"{'wins' if self.outcome.value > 0 else 'loses'} in {plies}"


@dataclass(frozen=True, repr=False)
class Analysis:
    """What a player thinks of a position; `analysis["4"]` is the move of that name."""

    position: Position
    player: str
    """The name of the player that was asked."""
    moves: tuple[MoveAnalysis, ...]
    """Best first. Alpha-beta search knows the best moves only."""
    value: float
    """Of the position, from the mover's perspective."""
    proven: bool
    line: tuple[int, ...] = ()
    """The actions that are expected."""
    simulations: int | None = None
    """None where no tree is searched."""

    @property
    def best(self) -> MoveAnalysis:
        return self.moves[0]

    def __getitem__(self, move: str | int) -> MoveAnalysis:
        action = self.position.parse(move) if isinstance(move, str) else move
        for known in self.moves:
            if known.action == action:
                return known
        raise IllegalMove(f"`{move}` is not one of the moves of this analysis; see .moves")

    @property
    def line_names(self) -> list[str]:
        """The moves that are expected, as players write them."""
        position, names = self.position, []
        for action in self.line:
            names.append(position.name(action))
            position = position.play(action)
        return names

    def of(self, action: int) -> str:
        """What is thought of a move, in a few words."""
        expected = self.line_names[1:4] if self.line[:1] == (action,) else []
        words = [self[action].words, f"expects {' '.join(expected)}" if expected else ""]
        return ", ".join(filter(None, words))

    @property
    def verdict(self) -> str:
        """The value of the position in words, and the moves that are expected."""
        words = self.best.words if self.proven else percent(self.value)
        line = " ".join(self.line_names[:12])
        return f"player {1 + self.position.mover} to move: {words}{f'; expects {line}' if line else ''}"

    def rows(self, most: int = _MOST_SHOWN) -> Iterator[tuple[str, ...]]:
        """The best moves as a table: its headings, then a row for each move."""
        searched = self.simulations is not None
        yield ("move", "visits", "chance", "prior") if searched else ("move", "outcome")
        for move in self.moves[:most]:
            if searched:
                yield move.move, f"{move.visits:,}", move.words, f"{move.prior:.0%}"
            else:
                yield move.move, move.words

    def json(self) -> dict[str, Any]:
        return _known(
            game=self.position.game.name,
            moves=list(self.position.move_names),
            mover=self.position.mover,
            simulations=self.simulations,
            value=self.value,
            proven=self.proven,
            line=self.line_names,
            candidates=[
                {
                    "move": move.move,
                    "value": move.value,
                    "proven": move.proven,
                    **_known(
                        plies=move.outcome.plies if move.outcome is not None else None,
                        visits=move.visits,
                        prior=move.prior,
                    ),
                }
                for move in self.moves
            ],
        )

    def __repr__(self) -> str:
        rows = list(self.rows())
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
        )
        return "\n".join([str(self.position), *(line.rstrip() for line in lines), self.verdict])

    def _repr_html_(self) -> str:
        """For notebooks: the board, on which the moves glow by their policy, beside the table."""
        headings, *rows = self.rows()
        head = "".join(f"<th>{heading}</th>" for heading in headings)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        # As an image, so that the styles of the picture stay inside it.
        picture = b64encode(self._repr_svg_().encode()).decode()
        return (
            '<div style="display:flex;gap:2em;align-items:center;flex-wrap:wrap">'
            f'<img alt="" src="data:image/svg+xml;base64,{picture}">'
            f"<div><table><tr>{head}</tr>{body}</table><p>{escape(self.verdict)}</p></div></div>"
        )

    def _repr_svg_(self) -> str:
        """The board alone; moves glow by their policy or, where there is none, if they are the best."""
        best, position = self.best.value, self.position
        shares = {
            move.action: float(move.value == best) if move.policy is None else move.policy
            for move in self.moves
        }
        words = {move.action: percent(move.value) for move in self.moves if move.value is not None}
        return heat_map(position, shares, words) or position.game.svg(position)


def _known(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def percent(value: float) -> str:
    """A value as expected points, in percent: a draw is 50 %."""
    return f"{(1 + value) / 2:.0%}"


def analyse(
    game: Game | Position | str,
    moves: str | Sequence[int] = "",
    player: Player | HasPlayer | str | None = None,
    seed: int = 0,
) -> Analysis:
    """Ask a player what it thinks of every move in one position.

    Parameters
    ----------
    game
        A game or its name, or the position itself.
    moves
        The moves that lead to the position, such as `"4 4 3"`, or as actions.
    player
        A player that searches a tree, solves or looks ahead: an object, its name, or a training run.
        By default the trained player that ships for the game (`az:sims=2000`), or `uct:sims=20000`.
    seed
        The random seed.

    Returns
    -------
    Analysis
        `moves`, best first, each with `value`, `visits`, `policy` and `prior`; `best`; the `value` of
        the position; `line`, the moves that are expected. A notebook shows it as a picture.

    Examples
    --------
    >>> import zermelo as zm
    >>> analysis = zm.analyse("tictactoe", "5 1 2", player="perfect")
    >>> analysis
    O X 3
    4 X 6
    7 8 9
    move  outcome
    8     draws
    3     loses in 2 moves
    4     loses in 2 moves
    6     loses in 2 moves
    7     loses in 2 moves
    9     loses in 2 moves
    player 2 to move: draws
    >>> analysis.best.move, analysis.value
    ('8', 0.0)
    >>> analysis["7"].value
    -1
    >>> zm.analyse("connect4", "4 1 4 1 4", player="az:sims=50").best.visits
    50
    """
    position = game if isinstance(game, Position) else named_game(game).position()
    position = position.play_all(moves)
    thinker = named_player(adviser_for(position.game) if player is None else player)
    think = way_to_think(thinker)
    if think is None:
        raise BadParameter(f"`{thinker.name}` cannot tell what it thinks; try {ADVISER} or perfect")
    if position.is_over:
        raise BadParameter(f"there is nothing to analyse in {position!r}: the game is over")
    thinker.check(position)
    return think(position, seed)[1]


def way_to_think(player: Player) -> Callable[[Position, int], tuple[int, Analysis]] | None:
    """How a player chooses a move, by a seed, and tells what it thinks; None if it cannot tell."""
    if isinstance(player, PerfectPlayer):
        return partial(_solve, player)
    if isinstance(player, TreePlayer):
        return partial(_search, player)
    if isinstance(player, LookaheadPlayer):
        return partial(_look_ahead, player)
    return None


def _solve(player: PerfectPlayer, position: Position, seed: int) -> tuple[int, Analysis]:
    outcomes = player.outcomes(position)
    best_first = sorted(outcomes, key=lambda action: outcomes[action], reverse=True)
    moves = tuple(
        MoveAnalysis(position.name(action), action, outcomes[action].value, True, outcomes[action])
        for action in best_first
    )
    value = float(outcomes[best_first[0]].value)
    return player.decide(outcomes, seed), Analysis(position, player.name, moves, value, proven=True)


def _look_ahead(player: LookaheadPlayer, position: Position, seed: int) -> tuple[int, Analysis]:
    (result,) = player.search([position])
    return player.decide(result, seed), _looked_ahead(player, result)


def _looked_ahead(player: LookaheadPlayer, result: AlphaBetaResult) -> Analysis:
    """The best moves alone: of the others it is only known that they are not better."""
    outcome = _outcome(result.value, result.plies) if result.is_proven else None
    moves = tuple(
        MoveAnalysis(result.position.name(action), action, result.value, result.is_proven, outcome)
        for action in result.actions
    )
    return Analysis(result.position, player.name, moves, result.value, result.is_proven, result.line)


def _search(player: TreePlayer, position: Position, seed: int) -> tuple[int, Analysis]:
    (result,) = player.search([position], [seed])
    return player.decide(result, seed), _searched(player, result)


def _searched(player: TreePlayer, result: SearchResult) -> Analysis:
    visits, moves = int(result.visits.sum()), []
    for i, action in enumerate(result.actions.tolist()):
        proof, value, prior = int(result.proofs[i]), float(result.values[i]), float(result.priors[i])
        proven = proof != UNPROVEN
        moves.append(
            MoveAnalysis(
                result.position.name(action),
                action,
                None if math.isnan(value) else value,
                proven,
                _outcome(proof, int(result.plies[i])) if proven else None,
                int(result.visits[i]),
                int(result.visits[i]) / visits if visits else prior,
                prior,
            )
        )
    best_first = tuple(sorted(moves, key=_rank, reverse=True))
    return Analysis(
        result.position, player.name, best_first, result.value, result.is_proven, result.line,
        result.simulations,
    )  # fmt: skip


def _outcome(value: float, plies: int) -> Outcome | None:
    """A proven value as the end it stands for, if that is a win, a draw or a loss."""
    if value not in (-1, 0, 1):
        return None
    return Outcome(int(value), plies if value else 0)


def _rank(move: MoveAnalysis) -> tuple[int, int, int, float]:
    """Proven wins first, the fastest before all, and proven losses last; between them, by visits."""
    outcome = move.outcome
    if outcome is None or outcome.value == 0:
        return 0, 0, move.visits or 0, move.prior or 0.0
    return outcome.value, -outcome.value * outcome.plies, 0, 0.0

"""`zermelo play`: a game in the terminal."""

from __future__ import annotations

import json as json_module
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, validators

from zermelo.cli.output import board, compiling, err, out

if TYPE_CHECKING:
    from zermelo.games.position import Position
    from zermelo.players.base import Player

HELP = "a move, or: undo, hint, moves, save FILE, resign, quit"

Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]


def play(
    game: str,
    /,
    *,
    against: str = "uct:sims=5000",
    side: Literal["first", "second"] = "first",
    moves: str = "",
    seed: Count | None = None,
    record: Path | None = None,
) -> None:
    """Play in the terminal, against a player or (--against human) another person.

    Type moves as players write them; ? shows what else can be typed.

    Parameters
    ----------
    game
        The game.
    against
        The opponent, such as uct:sims=5000, or human.
    side
        Whether you move first or second.
    moves
        Moves already played, such as "4 4 3".
    seed
        Which chance the opponent has; another one each time unless given.
    record
        Where to write the game when it ends: one JSON line, added to the file.
    """
    import secrets

    from zermelo.games import registry
    from zermelo.players.registry import player

    with compiling():
        position = registry.game(game).position(moves)
        opponent = None if against == "human" else player(against)
        if opponent is not None:
            opponent.check(position)
        table = _Table(
            opponent, 0 if side == "first" else 1, seed if seed is not None else secrets.randbits(32)
        )
        position, result = table.play(position)
    out.print(result)
    if record is not None:
        _save(position, result, against, side, record)


class _Table:
    """A game at the terminal: who sits where."""

    def __init__(self, opponent: Player | None, side: int, seed: int) -> None:
        self.opponent, self.side, self.seed = opponent, side, seed

    def play(self, position: Position) -> tuple[Position, str]:
        """Play until the game is over or given up; where it ended, and a sentence about it."""
        board(position)
        while not position.is_over:
            if self.opponent is not None and position.mover != self.side:
                seed = self.seed + len(position.moves)
                action = self.opponent.choose([position], [seed])[0]
                out.print(f"{self.opponent.name} plays [bold]{position.name(action)}[/]")
                position = position.play(action)
                board(position)
                continue
            asked = self._ask(position)
            if asked is None:
                return position, f"player {1 + position.mover} gave up"
            if asked is not position:
                position = asked
                board(position)
        assert position.returns is not None
        return position, self._verdict(position.returns)

    def _verdict(self, returns: tuple[float, ...]) -> str:
        if returns[0] == 0:
            return "a draw"
        winner = 0 if returns[0] > 0 else 1
        if self.opponent is None:
            return f"player {1 + winner} wins"
        return "you win" if winner == self.side else f"{self.opponent.name} wins"

    def _ask(self, position: Position) -> Position | None:
        """The position after what was typed: a move, or one taken back; None to give up."""
        from zermelo.errors import ZermeloError

        out.print(f"player {1 + position.mover} ({'XO'[position.mover]})> ", end="")
        line = sys.stdin.readline()
        if not line:
            out.print()
            return None
        word, _, rest = line.strip().partition(" ")
        try:
            if word in ("quit", "resign"):
                return None
            if word == "undo":
                return self._undone(position)
            if word == "hint":
                self._hint(position)
            elif word == "moves":
                out.print(
                    " ".join(position.name(action) for action in position.legal_actions), markup=False
                )
            elif word == "save":
                path = Path(rest.strip() or "game.jsonl")
                name = self.opponent.name if self.opponent else "human"
                _save(position, "unfinished", name, "first" if self.side == 0 else "second", path)
                out.print(f"saved to {path}")
            elif word == "?":
                out.print(HELP)
            elif word:
                return position.play(line.strip())
        except (ZermeloError, OSError) as error:
            err.print(f"[red]{error}[/]" if "[" not in str(error) else str(error))
        return position

    def _undone(self, position: Position) -> Position:
        """Take back one's last move and what followed it."""
        before = position.before
        while before is not None and self.opponent is not None and before.mover != self.side:
            before = before.before
        if before is None:
            err.print("there is nothing to take back")
            return position
        return before

    def _hint(self, position: Position) -> None:
        from zermelo.cli.analyse import opinion
        from zermelo.players.registry import player
        from zermelo.players.tree import TreePlayer

        thinker = self.opponent if isinstance(self.opponent, TreePlayer) else player("uct:sims=5000")
        assert isinstance(thinker, TreePlayer)
        opinion(thinker.search([position], [self.seed])[0], most=5)


def _save(position: Position, result: str, against: str, side: str, path: Path) -> None:
    players = ["human", against] if side == "first" else [against, "human"]
    record = {
        "game": position.game.name,
        "players": players,
        "moves": list(position.move_names),
        "returns": position.returns,
        "result": result,
        "date": date.today().isoformat(),
    }
    with path.open("a") as file:
        file.write(json_module.dumps(record) + "\n")

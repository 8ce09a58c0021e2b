"""A game at the terminal: who sits where, whose turn it is, and what becomes of the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rich.text import Text

from zermelo.arena.openings import seed_of
from zermelo.cli import record as records
from zermelo.cli.board import board
from zermelo.cli.conversation import Conversation, Word, read_line
from zermelo.cli.leaving import ended_by_the_system
from zermelo.cli.opinion import show
from zermelo.cli.output import complain, err, out, thinking
from zermelo.errors import BadParameter, InputEnded, ZermeloError
from zermelo.players.analysis import ADVISER, adviser_for, way_to_think
from zermelo.players.human import HumanPlayer, asking
from zermelo.players.registry import player as named

if TYPE_CHECKING:
    from zermelo.games.position import Position
    from zermelo.players.analysis import Analysis
    from zermelo.players.base import Player


class _Again(Exception):
    """The turn begins anew, with another position or another player."""


class _Resigned(Exception):
    """The player to move gave up."""


class Table(Conversation):
    """A game between a person and somebody else; whatever happens, it is not lost."""

    def __init__(
        self, position: Position, players: list[Player], seed: int, path: Path | None, waits: bool
    ) -> None:
        super().__init__()
        self.position, self.players, self.seed, self.path = position, players, seed, path
        self.waits = waits
        """Whether the game, as it stood before, is among those that `--resume` finds."""
        self._opinion: tuple[str, Analysis] | None = None
        self._kept = position.moves
        self._trouble: Exception | None = None
        self.words |= {
            "undo": Word("undo", "take your last move back", self._undo),
            "hint": Word("hint [PLAYER]", "what the opponent, or PLAYER, thinks of your moves", self._hint),
            "why": Word("why", "what the opponent thought of its last move", self._why),
            "against": Word("against PLAYER", "play on against somebody else", self._against),
            "save": Word("save [FILE]", "write the game, as it stands, to a file", self._save),
            "resign": Word("resign", "give the game up", self._resign),
            "quit": Word("quit", "leave; the game is saved", self._quit),
        }

    def play(self) -> records.Record | None:
        """Play until the game is over, which gives its record, or left, and then it is saved."""
        try:
            with asking(self.ask), ended_by_the_system():
                return self._turns()
        except InputEnded:
            self._keep()
            if self._trouble is not None:
                raise self._trouble from None
            return None
        except BaseException:
            self._keep()
            raise

    def _turns(self) -> records.Record:
        seats = [f"player {1 + seat} is {name}" for seat, name in enumerate(self._names)]
        out.print(f"{', '.join(seats)}; ? shows what can be typed", style="dim", markup=False)
        board(self.position)
        while not self.position.is_over:
            try:
                self._turn()
            except _Again:
                self._trouble = None
            except _Resigned:
                out.print(f"{self._who(self.position.mover)} resigned", markup=False)
                return records.record(self.position, self._names, resigned=self.position.mover)
        assert self.position.returns is not None
        first, second = self.position.returns
        verdict = "a draw" if first == second else f"{self._who(0 if first > second else 1)} won"
        out.print(verdict, markup=False)
        return records.record(self.position, self._names)

    def _turn(self) -> None:
        player = self.players[self.position.mover]
        if isinstance(player, HumanPlayer):
            (action,) = player.choose([self.position], [0])
            self.position = self.position.play(action)
        else:
            self._answer(player)
        board(self.position)

    def _answer(self, player: Player) -> None:
        """Have the opponent move; if it does not come to that, the person decides what to do."""
        position, think, opinion = self.position, way_to_think(player), None
        try:
            with thinking(f"{player.name} is thinking"):
                if think is None:
                    (action,) = player.choose([position], [self._seed])
                else:
                    action, opinion = think(position, self._seed)
                after = position.play(action)
        except KeyboardInterrupt:
            err.print("stopped")
            self._wait(player)
        except Exception as error:
            self._trouble = error
            complain(_explained(error))
            self._keep()
            self._wait(player)
        self.position = after
        said = Text.assemble(f"{player.name} plays ", (position.name(action), "bold"))
        if opinion is not None:
            self._opinion = player.name, opinion
            said.append(f": {opinion.of(action)}", "dim")
        out.print(said)

    def _wait(self, player: Player) -> NoReturn:
        """At the opponent's turn, until the person wants to go on."""
        while typed := read_line(Text(f"{player.name} is to move; Enter lets it think again> ")):
            if not self.obeyed(self.position, typed):
                complain(f"it is the turn of {player.name}; undo, against PLAYER or quit may help")
        raise _Again

    def prompt(self, position: Position, called: str) -> Text:
        alone = not isinstance(self.players[1 - position.mover], HumanPlayer)
        return super().prompt(position, called or ("your move" if alone else ""))

    @property
    def _seed(self) -> int:
        return seed_of(self.seed, 0, len(self.position.moves))

    @property
    def _names(self) -> list[str]:
        return [player.name for player in self.players]

    def _who(self, seat: int) -> str:
        player, other = self.players[seat], self.players[1 - seat]
        if not isinstance(player, HumanPlayer):
            return player.name
        return player.called or ("you" if not isinstance(other, HumanPlayer) else f"player {1 + seat}")

    def _keep(self) -> None:
        """Save the game as it stands, if something happened since it was saved or loaded."""
        if self.position.moves != self._kept:
            self.waits |= records.keep([records.record(self.position, self._names)], self.path)
            self._kept = self.position.moves

    # What may be typed besides moves.

    def _undo(self, position: Position, _: str) -> None:
        before = position.before
        while before is not None and not isinstance(self.players[before.mover], HumanPlayer):
            before = before.before
        if before is None:
            raise BadParameter("there is nothing to take back")
        self.position = before
        board(before)
        raise _Again

    def _hint(self, position: Position, name: str) -> None:
        adviser = named(name) if name else self.players[self._seat_of_the_other(position)]
        think = way_to_think(adviser)
        if think is None:
            if name:
                raise BadParameter(f"{name} cannot tell what it thinks; try {ADVISER}")
            adviser = named(adviser_for(position.game))
            think = way_to_think(adviser)
            assert think is not None
        adviser.check(position)
        try:
            with thinking(f"{adviser.name} is thinking"):
                _, opinion = think(position, self._seed)
        except KeyboardInterrupt:
            err.print("stopped")
            return
        except Exception as error:
            complain(_explained(error))
            return
        show(opinion, most=5)

    def _why(self, position: Position, _: str) -> None:
        if self._opinion is None:
            raise BadParameter("there is no move yet of an opponent that can tell what it thought")
        name, opinion = self._opinion
        moves = " ".join(opinion.position.move_names) or "no moves"
        out.print(f"{name} thought, after {moves}:", markup=False)
        show(opinion, most=5)

    def _against(self, position: Position, name: str) -> None:
        if not name:
            raise BadParameter("against whom? For example: against uct:sims=1000")
        player = named(name)
        player.check(position)
        self.players[self._seat_of_the_other(position)] = player
        out.print(f"the opponent is {player.name} now", markup=False)
        raise _Again

    def _seat_of_the_other(self, position: Position) -> int:
        """Where the opponent sits of the person who is typing."""
        typing = isinstance(self.players[position.mover], HumanPlayer)
        return 1 - position.mover if typing else position.mover

    def _save(self, position: Position, name: str) -> None:
        path = records.writable(Path(name).expanduser()) if name else self.path
        self.waits |= records.keep([records.record(position, self._names)], path)
        self._kept = position.moves

    def _resign(self, position: Position, _: str) -> None:
        if not isinstance(self.players[position.mover], HumanPlayer):
            raise BadParameter("it is not your turn; undo or quit may help")
        raise _Resigned

    def _quit(self, position: Position, _: str) -> None:
        raise InputEnded("the game was left")


def _explained(error: Exception) -> str:
    return str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}"

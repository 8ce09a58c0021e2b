"""`zermelo match`: who is stronger?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.table import Table

from zermelo.cli import record as records
from zermelo.cli.arguments import Count, GameName, PlayerName, Positive, Seed
from zermelo.cli.board import board
from zermelo.cli.conversation import Conversation, Word
from zermelo.cli.leaving import ended_by_the_system
from zermelo.cli.output import Display, compiling, err, out, print_json, progress
from zermelo.cli.workers import hall_of

if TYPE_CHECKING:
    from zermelo.arena.match import MatchResult
    from zermelo.arena.sprt import Sprt, SprtResult
    from zermelo.games.position import Position


def match(
    game: GameName,
    a: PlayerName,
    b: PlayerName,
    /,
    *,
    games: Positive | None = None,
    seed: Seed = 0,
    openings: Count = 2,
    sprt: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    record: Path | None = None,
    ray: str | None = None,
    workers: Positive | None = None,
    json: bool = False,
) -> None:
    """Play two players against each other, with both colours and from varied openings.

    Parameters
    ----------
    game
        Game, such as connect4, othello:size=6 or mygame.py.
    a
        First player, such as uct:sims=800; the score is from its side.
    b
        Second player.
    games
        Number of games: 100 unless given, 2 if a person plays, at most 1,000 with --sprt. Each opening is
        played twice, with colours swapped.
    seed
        Random seed of openings and players.
    openings
        Random moves at the start of each game.
    sprt
        Stop once it is clear which of two Elo differences fits, such as 0,50 (sequential probability
        ratio test); --games is then the maximum.
    record
        Append finished games to this file, one JSON line each.
    ray
        Play on Ray workers: local, auto (the cluster of this machine) or the HOST:PORT of a cluster.
    workers
        Number of Ray workers; one per core unless given.
    json
        Print JSON.
    """
    from zermelo.arena.contest import Contest, in_turn
    from zermelo.arena.match import MatchResult
    from zermelo.arena.match import match as play
    from zermelo.arena.sprt import SprtResult, sequential_match
    from zermelo.games import registry
    from zermelo.players.human import HumanPlayer, asking
    from zermelo.players.registry import player

    with compiling():
        subject, first, second = registry.game(game), player(a), player(b)
        people = any(isinstance(one, HumanPlayer) for one in (first, second))
        test = _test(sprt) if sprt is not None else None
        games = games or (2 if people else 1000 if test else 100)
        path = records.writable(record) if record is not None else None
        with (
            hall_of(ray, workers, [first, second]) as hall,
            progress(f"{first.name} against {second.name}", games, "games") as display,
        ):
            playing = hall.play if hall else in_turn
            scribe = _Scribe((first.name, second.name), path, display, people)
            begin = perf_counter()
            try:
                with asking(scribe.ask), ended_by_the_system():
                    if test is None:
                        tested = None
                        result = play(
                            subject, first, second, games, seed, openings, scribe.tell, playing=playing
                        )
                    else:
                        tested = sequential_match(
                            subject, first, second, test, games, seed, openings, progress=scribe.tell,
                            playing=playing,
                        )  # fmt: skip
                        result = tested.match
            except BaseException as error:
                scribe.leave(openings)
                if isinstance(error, KeyboardInterrupt):
                    contest = Contest(subject, first, second, games, seed, openings)
                    result = MatchResult.of(contest, scribe.positions, perf_counter() - begin)
                    with display.paused():
                        _tell_so_far(result, SprtResult(result, test) if test else None, games, json)
                raise
    _tell(result, tested, json)


def _tell(result: MatchResult, tested: SprtResult | None, json: bool, **more: object) -> None:
    if json:
        print_json(
            as_json(result)
            | ({"sprt": _test_as_json(tested)} if tested else {})
            | ({"forfeits": forfeits} if (forfeits := _forfeits(result)) else {})
            | more
        )
        return
    _show(result)
    if tested:
        _show_test(tested)
    for one in _forfeits(result):
        out.print(f"game {one['game']}: {one['reason']}", markup=False)


def _tell_so_far(result: MatchResult, tested: SprtResult | None, games: int, json: bool) -> None:
    """The score of a match that was interrupted, of the games that are over."""
    if result.games == 0:
        moves = sum(len(position.moves) for position in result.positions)
        err.print(f"no game is over yet; {moves:,} moves were made in {len(result.positions):,} games")
        return
    _tell(result, tested, json, interrupted=True)
    if not json:
        out.print(f"{result.games:,} of {games:,} games were played")


def _test(text: str) -> Sprt:
    from zermelo.arena.sprt import Sprt
    from zermelo.errors import BadParameter

    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadParameter(f"`{text}` is not of the form ELO0,ELO1, such as 0,50") from None
    return Sprt(low, high)


def as_json(result: MatchResult) -> dict[str, object]:
    return {
        "game": result.game,
        "a": result.a,
        "b": result.b,
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "first": dict(zip(("wins", "draws", "losses"), result.seated(0), strict=True)),
        "second": dict(zip(("wins", "draws", "losses"), result.seated(1), strict=True)),
        "score": result.score,
        "interval": list(result.interval),
        "moves": sum(len(position.moves) for position in result.positions if position.is_over),
        "seconds": result.seconds,
    }


def _forfeits(result: MatchResult) -> list[dict[str, object]]:
    """The games that were lost by something else than the rules, counted from 1, and why."""
    return [
        {"game": number, "reason": position.forfeit}
        for number, position in enumerate(result.positions, 1)
        if position.forfeit
    ]


def _show(result: MatchResult) -> None:
    out.print(f"{result.a} against {result.b} at {result.game}", markup=False, style="bold")
    table = Table("", "games", "won", "drawn", "lost", box=None, pad_edge=False, header_style="bold")
    both = result.wins, result.draws, result.losses
    for title, (won, drawn, lost) in [
        ("as first player", result.seated(0)),
        ("as second player", result.seated(1)),
        ("together", both),
    ]:
        table.add_row(title, str(won + drawn + lost), f"[green]{won}[/]", str(drawn), f"[red]{lost}[/]")
    out.print(table)
    low, high = result.interval
    out.print(
        f"score {result.score:.1%} (95 %: {low:.1%} to {high:.1%}), "
        f"{result.games / result.seconds:.1f} games per second"
    )


def _test_as_json(tested: SprtResult) -> dict[str, object]:
    test = tested.test
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "ratio": tested.ratio,
        "bounds": list(test.bounds),
        "pairs": list(tested.pairs),
        "verdict": tested.verdict,
    }


def _show_test(tested: SprtResult) -> None:
    test, (low, high) = tested.test, tested.test.bounds
    verdict = {
        "elo0": f"accepted: {test.elo0:g} Elo, rather than {test.elo1:g}",
        "elo1": f"accepted: {test.elo1:g} Elo, rather than {test.elo0:g}",
        "open": f"open: {test.elo0:g} or {test.elo1:g} Elo, {tested.match.games} games do not tell",
    }
    ratio = f"log likelihood ratio {tested.ratio:.2f}, bounds {low:.2f} and {high:.2f}"
    out.print(f"{verdict[tested.verdict]}; {ratio}")


class _Scribe(Conversation):
    """Writes games down as they end, and asks people who play for their moves."""

    def __init__(self, names: tuple[str, str], path: Path | None, display: Display, people: bool) -> None:
        super().__init__()
        self._names, self._path, self._display, self._people = names, path, display, people
        self.positions: Sequence[Position] = ()
        self._written: set[int] = set()
        self.words["quit"] = Word("quit", "leave the match", self._quit)

    def ask(self, position: Position, called: str, trouble: str) -> str:
        with self._display.paused():
            if not trouble:
                board(position)
            return super().ask(position, called, trouble)

    def tell(self, positions: Sequence[Position]) -> None:
        """Where the games stand."""
        self.positions = tuple(positions)
        over = [number for number, position in enumerate(positions) if position.is_over]
        new = [number for number in over if number not in self._written]
        self._written.update(new)
        self._display(len(over))
        self._display.note(f"{sum(len(position.moves) for position in positions):,} moves")
        if self._path is not None and new:
            records.append(self._path, [self._record(number) for number in new])
        if self._people:
            with self._display.paused():
                for number in new:
                    board(positions[number])
                    out.print(f"game {1 + number}: {records.result(positions[number])}")

    def leave(self, openings: int) -> None:
        """Write down what is not finished, if anybody wants to see it again."""
        begun = [
            self._record(number)
            for number, position in enumerate(self.positions)
            if not position.is_over and len(position.moves) > openings
        ]
        if begun and (self._people or self._path is not None):
            records.keep(begun, self._path, resumable=self._people)

    def _record(self, number: int) -> records.Record:
        players = self._names if number % 2 == 0 else self._names[::-1]
        return records.record(self.positions[number], players)

    def _quit(self, position: Position, _: str) -> None:
        raise KeyboardInterrupt

"""`zermelo play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from zermelo.cli.arguments import GameName, PlayerName, Seed
from zermelo.cli.output import compiling

if TYPE_CHECKING:
    from zermelo.games.base import Game
    from zermelo.games.position import Position

TRAINED, UNTRAINED = "az", "uct:sims=5000"
"""The opponent where a trained network ships for the game, and where none does."""


def play(
    game: GameName,
    /,
    *,
    against: PlayerName | None = None,
    level: int | None = None,
    side: Literal["first", "second", "random"] | None = None,
    moves: str = "",
    load: Path | None = None,
    resume: bool = False,
    seed: Seed | None = None,
    record: Path | None = None,
) -> None:
    """Play in the terminal, against the computer or another person.

    Parameters
    ----------
    game
        Game, such as connect4, othello:size=6 or mygame.py.
    against
        Opponent, such as uct:sims=5000, perfect or human. Unless given, the network that ships with the
        game, or uct:sims=5000.
    level
        Strength of that network, from 1 (a beginner) to 10.
    side
        Who moves first: first (you, the default), second or random.
    moves
        Moves already played, such as "4 4 3".
    load
        Continue the last game in this file, against the same opponent unless --against is given.
    resume
        Continue the game that you left last.
    seed
        Random seed of the opponent; a new one each time unless given.
    record
        Append the game to this file when it ends, as one JSON line.
    """
    import secrets

    from zermelo.arena.openings import seed_of
    from zermelo.cli import record as records
    from zermelo.cli.table import Table
    from zermelo.errors import BadParameter
    from zermelo.games import registry
    from zermelo.players.registry import player

    if level is not None:
        if against is not None:
            raise BadParameter("`--level` is the trained player's; it cannot be given with `--against`")
        against = f"{TRAINED}:level={level}"
    if resume and load is not None:
        raise BadParameter("`--load` and `--resume` cannot be given together")
    seed = secrets.randbits(32) if seed is None else seed
    with compiling():
        position, names = _beginning(registry.game(game), moves, load, resume)
        if position.is_over:
            raise BadParameter(f"nothing can be played in {position!r}: the game is over")
        if side == "random":
            side = "second" if seed_of(seed, 0, 0) % 2 else "first"
        players = [player(name) for name in _seats(names, against, side)]
        for one in players:
            one.check(position)
        path = records.writable(record) if record is not None else None
        waits = resume or (load is not None and records.waits(position))
        table = Table(position, players, seed, path, waits)
        ended = table.play()
    if ended is None:
        return
    if record is not None:
        records.append(record, [ended])
    if table.waits:
        records.append(records.unfinished_games(), [ended])


def opponent_for(game: Game) -> str:
    """The player that plays a game unless another is named."""
    from zermelo.network.shipped import shipped_models

    return TRAINED if game.name in shipped_models() else UNTRAINED


def _beginning(game: Game, moves: str, load: Path | None, resume: bool) -> tuple[Position, list[str]]:
    """Where the game begins, and who sits where."""
    from zermelo.cli import record as records
    from zermelo.errors import BadParameter

    if load is None and not resume:
        return game.position(moves), ["human", opponent_for(game)]
    if moves:
        raise BadParameter("`--moves` cannot be given for a game that is loaded")
    return records.left_last(game) if load is None else records.last(load, game)


def _seats(names: list[str], against: str | None, side: str | None) -> list[str]:
    """Who sits where; `names` say it unless something else is wanted."""
    people = [seat for seat, name in enumerate(names) if name.partition(":")[0] == "human"]
    yours = people[0] if people else 0
    you, opponent = names[yours] if people else "human", against or names[1 - yours]
    second = side == "second" if side is not None else yours == 1
    return [opponent, you] if second else [you, opponent]

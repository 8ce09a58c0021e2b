"""`zermelo tournament`: what is everybody worth?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from zermelo.cli.arguments import Count, GameName, PlayerName, Positive, Seed
from zermelo.cli.leaving import ended_by_the_system
from zermelo.cli.output import compiling, err, out, print_json, progress
from zermelo.cli.workers import hall_of

if TYPE_CHECKING:
    from zermelo.arena.tournament import Entry, TournamentResult
    from zermelo.arena.trend import Trend
    from zermelo.games.base import Game

_CHECKPOINTS, _SIMULATIONS = 10, 50
_KEPT = "tournament.jsonl"
_WIDEST = 1000


def tournament(
    game: GameName,
    run: Path | None = None,
    /,
    *,
    checkpoints: Positive | None = None,
    with_: Annotated[list[PlayerName] | None, Parameter(name="--with", negative="")] = None,
    games: Positive = 20,
    sims: Count | None = None,
    seed: Seed = 0,
    openings: Count = 2,
    gauntlet: Annotated[bool, Parameter(negative="")] = False,
    anchor: str | None = None,
    picture: Path | None = None,
    record: Path | None = None,
    ray: str | None = None,
    workers: Positive | None = None,
    json: bool = False,
) -> None:
    """Rate several players, or the checkpoints of a run, by a round-robin.

    Parameters
    ----------
    game
        Game, such as connect4, othello:size=6 or mygame.py.
    run
        Run directory. Its checkpoints take part as v10, v20 ..., with the untrained network as v0.
    checkpoints
        Number of checkpoints besides v0, evenly spaced; 10 unless given.
    with_
        Player that takes part, such as uct:sims=1000; repeatable.
    games
        Games per pairing, an even number.
    sims
        Simulations per move of the checkpoints; 50 unless given.
    seed
        Random seed of openings and players.
    openings
        Random moves at the start of each game.
    gauntlet
        Let the checkpoints (without a run: the first player) meet all others, but not each other.
    anchor
        Player with a fixed rating, such as random=0. Unless given, v0=100 for a run, else 0 for the first
        player.
    picture
        Draw rating by checkpoint into this file, as PNG and as SVG.
    record
        Keep finished pairings in this file; tournament.jsonl in the run directory unless given.
    ray
        Play on Ray workers: local, auto (the cluster of this machine) or the HOST:PORT of a cluster.
    workers
        Number of Ray workers; one per core unless given.
    json
        Print JSON.
    """
    from zermelo.arena.contest import in_turn
    from zermelo.arena.tournament import tournament as hold
    from zermelo.games import registry

    with compiling():
        subject = registry.game(game)
        if picture is not None:
            _check_picture(picture, run)
        entries = _entries(subject, run, with_ or [], checkpoints, sims)
        own = [entry.name for entry in entries if entry.version is not None]
        challengers = (own or [entries[0].name]) if gauntlet else []
        kept = record if record is not None or run is None else run / _KEPT
        first = _anchor(anchor) if anchor is not None else ("v0", 100.0) if own else None
        count = _pairings(len(entries), len(challengers))
        try:
            with (
                hall_of(ray, workers, [entry.player for entry in entries]) as hall,
                progress(f"{len(entries)} players, {count} pairings", count * games, "games") as display,
            ):

                def tell(done: int, who: str) -> None:
                    display(done)
                    display.note(who)

                with ended_by_the_system():
                    result = hold(
                        subject, entries, games, seed, openings, challengers, first, kept, tell,
                        hall.play if hall else in_turn,
                    )  # fmt: skip
        except KeyboardInterrupt:
            end = "; the same command goes on" if kept is not None else ", nothing was kept: see --record"
            err.print(f"stopped{end}")
            raise SystemExit(130) from None
    if json:
        print_json(as_json(result))
    else:
        _show(result)
    if picture is not None:
        _draw(picture, result)


def _entries(
    game: Game, run: Path | None, others: list[str], checkpoints: int | None, sims: int | None
) -> list[Entry]:
    from zermelo.arena.tournament import Entry
    from zermelo.errors import BadParameter, RunError
    from zermelo.players.human import HumanPlayer
    from zermelo.players.registry import player

    found = []
    if run is not None:
        from zermelo.learning.versions import versions
        from zermelo.players.az import AzPlayer

        if not (run / "config.toml").is_file():
            raise RunError(f"{run} is not the directory of a run; players that are none go after --with")
        own = versions(run, game, checkpoints or _CHECKPOINTS)
        sims = _SIMULATIONS if sims is None else sims
        found = [Entry(f"v{n}", AzPlayer(model=str(path), sims=sims), n) for n, path in own.items()]
    elif checkpoints is not None or sims is not None:
        raise BadParameter("--checkpoints and --sims are for the versions of a run, and there is no run")
    for name in others:
        one = player(name)
        if isinstance(one, HumanPlayer):
            raise BadParameter("people do not take part in tournaments; see `zermelo match`")
        found.append(Entry(one.name, one))
    if len(found) < 2:
        raise BadParameter(
            f"a tournament has at least two players, not {len(found)}; name a run, or players with --with"
        )
    return found


def _anchor(text: str) -> tuple[str, float]:
    from zermelo.errors import BadParameter

    name, _, rating = text.rpartition("=")
    try:
        return name, float(rating)
    except ValueError:
        raise BadParameter(f"`{text}` is not of the form NAME=RATING, such as random=0") from None


def _pairings(players: int, challengers: int) -> int:
    return challengers * (players - challengers) if challengers else players * (players - 1) // 2


def _check_picture(path: Path, run: Path | None) -> None:
    """Before hours of play, not after them."""
    from zermelo.cli.record import writable
    from zermelo.errors import BadParameter
    from zermelo.pictures import check_drawing

    if run is None:
        raise BadParameter("--picture shows the versions of a run, and there is no run")
    check_drawing()
    writable(path)


def _draw(path: Path, result: TournamentResult) -> None:
    from zermelo.arena.chart import draw_ratings

    for one in draw_ratings(path, f"{result.game}: rating by version", result.ratings, result.versions):
        err.print(f"wrote {one}", markup=False)


def as_json(result: TournamentResult) -> dict[str, Any]:
    return {
        "game": result.game,
        "players": [
            {
                "name": one.name,
                "version": result.versions.get(one.name),
                "rating": one.rating,
                "interval": list(one.interval),
                "seed002": one.seed002,
                "games": one.games,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
                "superiority": one.superiority,
            }
            for one in result.standings()
        ],
        "pairs": [
            {"a": one.a, "b": one.b, "wins": one.wins, "draws": one.draws, "losses": one.losses}
            for one in result.pairings
        ],
        "anchor": {"name": result.ratings.anchor, "rating": result.ratings.anchor_rating},
        "fit": _fit(result.trend(), result.trend(result.on_seed_scale)),
        "seconds": result.seconds,
    }


def _fit(usual: Trend | None, other: Trend | None) -> dict[str, Any] | None:
    if usual is None or other is None:
        return None
    return {
        "start": usual.start,
        "per_version": usual.per_version,
        "interval": list(usual.interval),
        "seed002": other.per_version,
    }


def _show(result: TournamentResult) -> None:
    out.print(f"{result.game}: {len(result.ratings.names)} players", markup=False, style="bold")
    standings = result.standings()
    table = Table("", "player", box=None, pad_edge=False, header_style="bold")
    for title in ("rating", "95 %", "games", "points", "W-D-L", "above next", "seed 002"):
        table.add_column(title, justify="right")
    for place, one in enumerate(standings, 1):
        low, high = one.interval
        table.add_row(
            str(place),
            one.name,
            f"{one.rating:.0f}",
            "anchor" if one.name == result.ratings.anchor else f"{low:.0f} to {high:.0f}",
            str(one.games),
            f"{one.points:g}",
            f"{one.wins}-{one.draws}-{one.losses}",
            "" if one.superiority is None else f"{one.superiority:.1%}",
            f"{one.seed002:.0f}",
        )
    _print(table)
    out.print()
    _show_crosstable(result, [one.name for one in standings])
    usual, other = result.trend(), result.trend(result.on_seed_scale)
    if usual is not None and other is not None:
        low, high = usual.interval
        out.print()
        out.print(
            f"fitted increase per version, which is a round: {usual.per_version:.3g} "
            f"(95 %: {low:.3g} to {high:.3g}); on the scale of seed 002: {other.per_version:.3g}"
        )


def _print(table: Table) -> None:
    """Print it as wide as it is: names are long, and must not be cut where a terminal is narrow."""
    Console(width=_WIDEST, highlight=False).print(table, soft_wrap=True)


def _show_crosstable(result: TournamentResult, names: list[str]) -> None:
    """Points of each against each, in the order of the ratings."""
    table = Table("", "points against", box=None, pad_edge=False, header_style="bold")
    for place in range(1, len(names) + 1):
        table.add_column(str(place), justify="right")
    for place, name in enumerate(names, 1):
        met = [result.pairing(name, other) for other in names]
        table.add_row(str(place), name, *(f"{one.points:g}" if one else "." for one in met))
    _print(table)

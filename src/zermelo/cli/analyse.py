"""`zermelo analyse`: what does a player think of a position?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators
from rich.table import Table

from zermelo.cli.output import board, compiling, out, print_json

if TYPE_CHECKING:
    from zermelo.games.position import Position
    from zermelo.search.result import SearchResult

Count = Annotated[int, Parameter(validator=validators.Number(gte=0))]


def analyse(
    game: str, /, *, moves: str = "", player: str = "uct:sims=20000", seed: Count = 0, json: bool = False
) -> None:
    """Show what a player that searches thinks of every move in a position.

    Parameters
    ----------
    game
        The game.
    moves
        The moves that lead to the position, such as "4 4 3".
    player
        A player that searches.
    seed
        Which chance.
    json
        Print JSON instead.
    """
    from zermelo.errors import BadParameter
    from zermelo.games import registry
    from zermelo.players.registry import player as named
    from zermelo.players.tree import TreePlayer

    thinker = named(player)
    if not isinstance(thinker, TreePlayer):
        raise BadParameter(f"`{player}` does not search, so it has nothing to show; try uct:sims=20000")
    with compiling():
        position = registry.game(game).position(moves)
        if position.is_over:
            raise BadParameter(f"nothing can be analysed after {moves}: the game is over")
        (result,) = thinker.search([position], [seed])
    if json:
        print_json(as_json(result))
        return
    board(position)
    opinion(result)


def as_json(result: SearchResult) -> dict[str, object]:
    """Everything a search found out."""
    position = result.position
    rows = [
        {
            "move": position.name(int(action)),
            "visits": int(visits),
            "value": None if value != value else float(value),
            "prior": float(prior),
            "proven": bool(proof != 2),
        }
        for action, visits, value, prior, proof in zip(
            result.actions, result.visits, result.values, result.priors, result.proofs, strict=True
        )
    ]
    return {
        "game": position.game.name,
        "moves": list(position.move_names),
        "mover": position.mover,
        "simulations": result.simulations,
        "value": result.value,
        "proven": result.is_proven,
        "line": line_names(position, result.line),
        "candidates": sorted(rows, key=lambda row: -int(row["visits"] or 0)),
    }


def line_names(position: Position, line: tuple[int, ...]) -> list[str]:
    """The moves of a line as players write them."""
    names = []
    for action in line:
        names.append(position.name(action))
        position = position.play(action)
    return names


def opinion(result: SearchResult, most: int = 10) -> None:
    """Print the moves that were looked at, best first."""
    from zermelo.search.tree import UNPROVEN

    words = {1: "[green]wins[/]", 0: "draws", -1: "[red]loses[/]"}
    table = Table("move", "visits", "value", "prior", box=None, pad_edge=False, header_style="bold")
    for i in sorted(range(len(result.actions)), key=lambda i: -int(result.visits[i]))[:most]:
        proof, value = int(result.proofs[i]), float(result.values[i])
        shown = words[proof] if proof != UNPROVEN else ("" if value != value else f"{value:+.2f}")
        name = result.position.name(int(result.actions[i]))
        table.add_row(name, f"{int(result.visits[i]):,}", shown, f"{result.priors[i]:.0%}")
    out.print(table)
    verdict = words[result.proof] if result.is_proven else f"value {result.value:+.2f}"
    line = " ".join(line_names(result.position, result.line)[:12])
    out.print(f"player {1 + result.position.mover} to move: {verdict}; expects {line}")

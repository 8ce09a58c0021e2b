"""`zermelo model`: what is in a network?"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from zermelo.cli.arguments import GameName
from zermelo.cli.output import compiling, err, out, print_json, thinking

if TYPE_CHECKING:
    from zermelo.network.architecture import Shape
    from zermelo.network.model import Model

_BATCHES = (1, 256)


def model(
    name: str,
    /,
    *,
    game: GameName | None = None,
    encoding: str | None = None,
    svg: Path | None = None,
    export: Path | None = None,
    json: bool = False,
) -> None:
    """Show the layers of a network, its speed on this machine, and its origin.

    Parameters
    ----------
    name
        Model file, run directory, or an architecture such as small (with --game).
    game
        Game; needed for an architecture, and for a network whose game is a file.
    encoding
        Input encoding of an architecture; the first encoding of the game unless given.
    svg
        Draw the network into this SVG file.
    export
        Write the network to this ONNX file.
    json
        Print JSON.
    """
    from zermelo.network import drawing, graph
    from zermelo.network.evaluators import OnnxEvaluator
    from zermelo.network.speed import evaluations_per_second

    with compiling():
        found, shape = _found(name, game, encoding)
        evaluator = OnnxEvaluator(found.architecture, shape, found.weights)
    with thinking("measuring"):
        speeds = {batch: evaluations_per_second(evaluator, shape, batch) for batch in _BATCHES}
    if svg is not None:
        svg.write_text(drawing.network_svg(found.architecture, shape))
        err.print(f"wrote {svg}", markup=False)
    if export is not None:
        export.write_bytes(graph.build(found.architecture, shape, found.weights))
        err.print(f"wrote {export}", markup=False)
    facts = _facts(found, shape, speeds)
    if json:
        print_json(facts)
    else:
        _show(facts)


def _found(name: str, game: str | None, encoding: str | None) -> tuple[Model, Shape]:
    """The model of this name, or an untrained one of this architecture, and what it takes and gives."""
    from zermelo.errors import BadParameter, listed
    from zermelo.games import registry
    from zermelo.network.architecture import NAMED, Architecture, Shape
    from zermelo.network.model import read_model, untrained
    from zermelo.players.az import model_path

    if name in NAMED:
        if game is None:
            raise BadParameter(f"for which game? For example: zermelo model {name} --game connect4")
        subject = registry.game(game)
        return untrained(subject, Architecture.preset(name), encoding), Shape.of(subject, encoding)
    if not Path(name).exists():
        raise BadParameter(f"`{name}` is neither a file nor an architecture; there are: {listed(NAMED)}")
    path = model_path(name)
    found = read_model(path)
    if game is None and ".py" in found.game:
        raise BadParameter(f"its game is the program {found.game}; to run that: --game {found.game}")
    if encoding not in (None, found.encoding):
        raise BadParameter(f"the network in {path} sees {found.encoding}, not {encoding}")
    subject = registry.game(game or found.game)
    found.check(subject, path)
    return found, Shape.of(subject, found.encoding)


def _facts(model: Model, shape: Shape, speeds: dict[int, float]) -> dict[str, Any]:
    from zermelo.network.architecture import layers

    found = layers(model.architecture, shape)
    return {
        "game": model.game,
        "encoding": model.encoding,
        "inputs": list(shape.inputs),
        "actions": shape.actions,
        "architecture": dataclasses.asdict(model.architecture),
        "layers": [
            {
                "name": layer.name,
                "kind": layer.kind,
                "shape": list(shape.after(layer)),
                "parameters": layer.parameters,
                "operations": layer.operations,
            }
            for layer in found
        ],
        "parameters": sum(layer.parameters for layer in found),
        "operations": sum(layer.operations for layer in found),
        "evaluations_per_second": {str(batch): speed for batch, speed in speeds.items()},
        "provenance": model.provenance,
        "results": model.results,
    }


def _show(facts: dict[str, Any]) -> None:
    table = Table("layer", "kind", "shape", box=None, pad_edge=False, header_style="bold")
    table.add_column("parameters", justify="right")
    table.add_column("operations", justify="right")
    for layer in facts["layers"]:
        counts = f"{layer['parameters']:,}", f"{layer['operations']:,}"
        table.add_row(layer["name"], layer["kind"], _size(layer["shape"]), *counts)
    table.add_row("", "", "", f"{facts['parameters']:,}", f"{facts['operations']:,}", style="bold")
    out.print(table)
    out.print()
    rows = {
        "game": facts["game"],
        "encoding": f"{facts['encoding']}, {_size(facts['inputs'])}",
        "architecture": _told(facts["architecture"]),
        "provenance": _told(facts["provenance"]) or "not told",
        "results": _told(facts["results"]) or "none",
    }
    for batch, speed in facts["evaluations_per_second"].items():
        rows[f"batches of {batch}"] = f"{speed:,.0f} evaluations per second here"
    grid = Table.grid(padding=(0, 2))
    for key, value in rows.items():
        grid.add_row(key, escape(value))
    out.print(grid)


def _size(shape: list[int]) -> str:
    return "x".join(map(str, shape))


def _told(known: dict[str, Any]) -> str:
    return ", ".join(f"{key}={int(v) if isinstance(v, bool) else v}" for key, v in known.items())

"""Noise at the root of a search: fresh for each, outside the nodes, so that no tree keeps it."""

from __future__ import annotations

import math

from zermelo.compilation import inlined, internal
from zermelo.search import rng
from zermelo.search.rng import Stream
from zermelo.search.tree import Settings, Tree


@inlined
def normal(stream: Stream) -> float:
    """A standard normal number (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - rng.uniform(stream)))
    return radius * math.cos(2.0 * math.pi * rng.uniform(stream))


@inlined
def gamma(alpha: float, stream: Stream) -> float:
    """A gamma-distributed number of this shape (Marsaglia and Tsang 2000)."""
    boost = 1.0
    if alpha < 1.0:
        boost = math.pow(1.0 - rng.uniform(stream), 1.0 / alpha)
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(stream)
        root = 1.0 + c * x
        v = root * root * root
        if v > 0.0 and math.log(1.0 - rng.uniform(stream)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v


@internal
def add_dirichlet(tree: Tree, slot: int, weight: float, alpha: float, stream: Stream) -> None:
    """root_prior = (1 - weight) P + weight Dirichlet(alpha); alpha 0 means 10 / number of moves."""
    root = tree.root[slot]
    width, first = tree.node[slot, root].width, tree.node[slot, root].first
    shape = alpha if alpha > 0.0 else 10.0 / width
    total = 0.0
    for j in range(width):
        tree.root_prior[slot, j] = gamma(shape, stream)
        total += tree.root_prior[slot, j]
    for j in range(width):
        drawn = tree.root_prior[slot, j] / total if total > 0.0 else 1.0 / width
        tree.root_prior[slot, j] = (1.0 - weight) * float(tree.edge[slot, first + j].P) + weight * drawn


@internal
def draw_gumbel(tree: Tree, slot: int, stream: Stream) -> None:
    """g = -ln(-ln u) for each move of the root."""
    root = tree.root[slot]
    for j in range(tree.node[slot, root].width):
        tree.root_gumbel[slot, j] = -math.log(-math.log(1.0 - rng.uniform(stream) + 2.0**-54))


@internal
def draw(tree: Tree, settings: Settings, slot: int, stream: Stream) -> None:
    """Give an evaluated root the noise of a new search, or none."""
    root = tree.root[slot]
    for j in range(tree.node[slot, root].width):
        tree.root_prior[slot, j] = tree.edge[slot, tree.node[slot, root].first + j].P
        tree.root_gumbel[slot, j] = 0.0
    if settings[slot].noise > 0.0:
        add_dirichlet(tree, slot, settings[slot].noise, settings[slot].noise_alpha, stream)
    if settings[slot].gumbel_noise != 0:
        draw_gumbel(tree, slot, stream)

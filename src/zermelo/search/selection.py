"""Which edge to follow: the variants of tree search, as kernels over the edges of one node.

Values are those of the node's mover. Symbols: N visits of an edge, n the same with visits still
awaited (each counted as a loss: virtual loss), Q = W / n, P the prior, V the best Q. The lowest
action wins ties. Edges with a proof are passed over as long as there is one without.
"""

from __future__ import annotations

import math

from numba import types

from zermelo.compilation import internal
from zermelo.games.abi import Floats, foreign_call
from zermelo.search.tree import (
    GUMBEL,
    NONE,
    OMC,
    OWN,
    PUCT,
    REFUSED,
    UCT,
    UNPROVEN,
    Scratch,
    Settings,
    Tree,
)

_TINY = 1e-30
_FLOATS = types.CPointer(types.float64)  # type: ignore[no-untyped-call]


@internal
def edge_proof(tree: Tree, slot: int, node: int, edge: int) -> int:
    """The exact value of an edge for the mover of its node, or UNPROVEN."""
    child = tree.edge[slot, edge].child
    if child == NONE or tree.node[slot, child].proof == UNPROVEN:
        return UNPROVEN
    proof = int(tree.node[slot, child].proof)
    return proof if tree.node[slot, child].mover == tree.node[slot, node].mover else -proof


@internal
def is_open(tree: Tree, settings: Settings, slot: int, node: int, edge: int) -> bool:
    return settings[slot].proofs == 0 or edge_proof(tree, slot, node, edge) == UNPROVEN


@internal
def count(tree: Tree, slot: int, edge: int) -> int:
    return int(tree.edge[slot, edge].N) + int(tree.edge[slot, edge].pending)


@internal
def mean(tree: Tree, slot: int, edge: int, n: int) -> float:
    return float((tree.edge[slot, edge].W - tree.edge[slot, edge].pending) / n)


@internal
def total_count(tree: Tree, slot: int, node: int) -> int:
    """1 + the visits of all edges, awaited ones too."""
    return int(tree.node[slot, node].visits) + int(tree.node[slot, node].awaited)


@internal
def prior(tree: Tree, slot: int, node: int, edge: int) -> float:
    """P, with the noise of this search at the root."""
    if node == tree.root[slot]:
        return float(tree.root_prior[slot, edge - tree.node[slot, node].first])
    return float(tree.edge[slot, edge].P)


@internal
def first_play_value(tree: Tree, settings: Settings, slot: int, node: int) -> float:
    """What Q is for a move not yet tried: a constant, or V(node) - reduction * sqrt(prior tried).

    Never outside [-1, 1], and without the reduction at the root.
    """
    constant = settings[slot].first_play
    if not math.isnan(constant):
        return float(constant)
    tried = 0.0
    if node != tree.root[slot]:
        here = tree.node[slot, node]
        for edge in range(here.first, here.first + here.width):
            if count(tree, slot, edge) > 0:
                tried += float(tree.edge[slot, edge].P)
    value = tree.node[slot, node].value - settings[slot].reduction * math.sqrt(tried)
    return float(max(-1.0, min(1.0, value)))


@internal
def choose_puct(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """argmax of Q + c_puct P sqrt(N(node)) / (1 + n) (Silver et al. 2017)."""
    c = settings[slot].exploration * math.sqrt(total_count(tree, slot, node))
    untried = first_play_value(tree, settings, slot, node)
    best, best_score = NONE, 0.0
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        if not is_open(tree, settings, slot, node, edge):
            continue
        n = count(tree, slot, edge)
        q = mean(tree, slot, edge, n) if n > 0 else untried
        score = q + c * prior(tree, slot, node, edge) / (1 + n)
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@internal
def choose_uct(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """Untried moves first, then argmax of Q + C sqrt(ln N(node) / n) (Kocsis and Szepesvari 2006)."""
    log_total = math.log(total_count(tree, slot, node))
    best, best_score = NONE, 0.0
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        if not is_open(tree, settings, slot, node, edge):
            continue
        n = count(tree, slot, edge)
        if n == 0:
            return edge
        score = mean(tree, slot, edge, n) + settings[slot].exploration * math.sqrt(log_total / n)
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@internal
def variance(tree: Tree, slot: int, edge: int) -> float:
    """Of the values that came by way of an edge; in a graph, around a Q that other ways share."""
    n = tree.edge[slot, edge].N
    q = tree.edge[slot, edge].W / n
    return float(max(0.0, tree.W2[slot, edge] / n - q * q))


@internal
def urgency(tree: Tree, settings: Settings, slot: int, edge: int, best: float, best_var: float) -> float:
    """How likely a move is to be better than the best one; 1 below two visits, where sigma is unknown.

    OMC (Chaslot et al. 2006): erfc((V - Q) / (sqrt 2 sigma)).
    PBBM (Coulom 2006): exp(-2.4 (V - Q) / sqrt(2 (Sigma^2 + sigma^2))), Sigma of the best move.
    """
    n = count(tree, slot, edge)
    if tree.edge[slot, edge].N < 2:
        return 1.0
    behind = best - mean(tree, slot, edge, n)
    if settings[slot].variant == OMC:
        spread = math.sqrt(2.0 * variance(tree, slot, edge))
        return math.erfc(behind / spread) if spread > 0.0 else (1.0 if behind <= 0.0 else 0.0)
    spread = math.sqrt(2.0 * (best_var + variance(tree, slot, edge)))
    return math.exp(-2.4 * behind / spread) if spread > 0.0 else (1.0 if behind <= 0.0 else 0.0)


@internal
def choose_urgent(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """OMC and PBBM: argmax of the fairness N(node) U(i) / ((n(i) + 1) sum of U(j), j other than i)."""
    first, last = tree.node[slot, node].first, tree.node[slot, node].first + tree.node[slot, node].width
    best_value, best_var = -2.0, 0.0
    for edge in range(first, last):
        n = count(tree, slot, edge)
        if tree.edge[slot, edge].N > 0 and mean(tree, slot, edge, n) > best_value:
            best_value, best_var = mean(tree, slot, edge, n), variance(tree, slot, edge)
    total = 0.0
    for edge in range(first, last):
        total += urgency(tree, settings, slot, edge, best_value, best_var)
    visits = total_count(tree, slot, node)
    best, best_score = NONE, 0.0
    for edge in range(first, last):
        if not is_open(tree, settings, slot, node, edge):
            continue
        u = urgency(tree, settings, slot, edge, best_value, best_var)
        score = visits * u / ((count(tree, slot, edge) + 1) * max(total - u, _TINY))
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@internal
def completed_value(tree: Tree, settings: Settings, slot: int, node: int, edge: int, mixed: float) -> float:
    """Q of a move in [-1, 1]: exact if proven, the mean if tried, else `mixed`."""
    if settings[slot].proofs != 0:
        proof = edge_proof(tree, slot, node, edge)
        if proof != UNPROVEN:
            return float(proof)
    n = count(tree, slot, edge)
    return mean(tree, slot, edge, n) if n > 0 else mixed


@internal
def survey(tree: Tree, settings: Settings, slot: int, node: int) -> tuple[float, float, int]:
    """v_mix = (v + sum N * sum over tried of P Q / sum over tried of P) / (1 + sum N), the value of moves
    not yet tried; the greatest completed Q; and the greatest N."""
    visits, tried, weighted, highest, most = 0, 0.0, 0.0, -1.0, 0
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        q = completed_value(tree, settings, slot, node, edge, -1.0)
        highest = max(highest, q)
        n = count(tree, slot, edge)
        if n > 0:
            visits += n
            most = max(most, n)
            tried += float(tree.edge[slot, edge].P)
            weighted += float(tree.edge[slot, edge].P) * q
    mixed = float(tree.node[slot, node].value)
    if visits > 0:
        mixed = (mixed + visits * weighted / max(tried, _TINY)) / (1 + visits)
    return mixed, max(highest, mixed), most


@internal
def transformed_value(settings: Settings, slot: int, value: float, most: int) -> float:
    """sigma(q) = (50 + max N) c_scale q, with q scaled from [-1, 1] to [0, 1]."""
    return float((50.0 + most) * settings[slot].value_scale * (0.5 * value + 0.5))


@internal
def improve_policy(tree: Tree, settings: Settings, slot: int, node: int, weights: Floats) -> float:
    """Write the weight P exp(sigma(completed Q)) of each edge, but for a common factor; their sum.

    In proportion to them is Gumbel's improved policy, the softmax of logit + sigma. Weights of moves not
    yet tried differ in P alone, which on a wide board is nearly all of them.
    """
    first = int(tree.node[slot, node].first)
    mixed, best, most = survey(tree, settings, slot, node)
    highest = transformed_value(settings, slot, best, most)
    untried = math.exp(transformed_value(settings, slot, mixed, most) - highest)
    total = 0.0
    for i in range(tree.node[slot, node].width):
        q = completed_value(tree, settings, slot, node, first + i, math.nan)
        rise = untried
        if not math.isnan(q):
            rise = math.exp(transformed_value(settings, slot, q, most) - highest)
        weights[i] = max(float(tree.edge[slot, first + i].P), _TINY) * rise
        total += weights[i]
    return total


@internal
def choose_improved(tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch) -> int:
    """Gumbel below the root: argmax of pi'(a) - n(a) / (1 + sum n) (Danihelka et al. 2022)."""
    first = int(tree.node[slot, node].first)
    total = improve_policy(tree, settings, slot, node, scratch.weights)
    visits = total_count(tree, slot, node)
    best, best_score = NONE, 0.0
    for i in range(tree.node[slot, node].width):
        if not is_open(tree, settings, slot, node, first + i):
            continue
        score = scratch.weights[i] / total - count(tree, slot, first + i) / visits
        if best == NONE or score > best_score:
            best, best_score = first + i, score
    return best


@internal
def halving_visits(budget: int, considered: int, simulation: int) -> int:
    """Sequential halving: how often the moves still considered were visited before this simulation.

    Of m moves, each phase gives each of k survivors max(1, floor(n / (ceil(log2 m) k))) visits and
    keeps the better half, at least two.
    """
    phases = 1
    for power in range(1, 31):
        if (1 << power) < considered:
            phases = power + 1
    survivors, visits, spent = considered, 0, 0
    for _ in range(phases):
        each = max(1, budget // (phases * survivors))
        if simulation < spent + each * survivors:
            break
        spent += each * survivors
        visits += each
        survivors = max(min(2, considered), survivors // 2)
    return visits + (simulation - spent) // survivors


@internal
def choose_gumbel_root(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """Of the moves with the visits that sequential halving asks for, the best by g + logit + sigma(q)."""
    first, width = int(tree.node[slot, node].first), int(tree.node[slot, node].width)
    considered = max(1, min(settings[slot].considered, width, settings[slot].budget))
    simulation = int(tree.simulations[slot]) + int(tree.node[slot, node].awaited)
    wanted = halving_visits(settings[slot].budget, considered, simulation)
    mixed, _, most = survey(tree, settings, slot, node)
    best, best_score, nearest = NONE, 0.0, 0
    for i in range(width):
        if not is_open(tree, settings, slot, node, first + i):
            continue
        distance = abs(count(tree, slot, first + i) - wanted)
        if best != NONE and distance > nearest:
            continue
        q = completed_value(tree, settings, slot, node, first + i, mixed)
        logit = math.log(max(float(tree.edge[slot, first + i].P), _TINY))
        score = tree.root_gumbel[slot, i] + logit + transformed_value(settings, slot, q, most)
        if best == NONE or distance < nearest or score > best_score:
            best, best_score, nearest = first + i, score, distance
    return best


_call_select = foreign_call(types.int64(types.int64, types.int64, _FLOATS, _FLOATS, _FLOATS, _FLOATS))


@internal
def choose_own(tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch) -> int:
    """What a user's function chooses of the edges without a proof, or REFUSED."""
    width, numbers = 0, settings[slot].numbers
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        if not is_open(tree, settings, slot, node, edge):
            continue
        n = count(tree, slot, edge)
        scratch.edges[width] = edge
        scratch.N[width] = n
        scratch.Q[width] = mean(tree, slot, edge, n) if n > 0 else math.nan
        scratch.P[width] = prior(tree, slot, node, edge)
        for j in range(numbers):
            scratch.own[width * numbers + j] = tree.own[slot, edge, j]
        width += 1
    if width == 0:
        return NONE
    total = total_count(tree, slot, node)
    chosen = _call_select(settings[slot].select, width, total, scratch.N, scratch.Q, scratch.P, scratch.own)
    return int(scratch.edges[chosen]) if 0 <= chosen < width else REFUSED


@internal
def choose(tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch) -> int:
    """The edge to follow; NONE if every edge is proven, REFUSED if a user's function chose none."""
    variant = settings[slot].variant
    if variant == PUCT:
        return choose_puct(tree, settings, slot, node)
    if variant == UCT:
        return choose_uct(tree, settings, slot, node)
    if variant == GUMBEL:
        if node == tree.root[slot]:
            return choose_gumbel_root(tree, settings, slot, node)
        return choose_improved(tree, settings, slot, node, scratch)
    if variant == OWN:
        return choose_own(tree, settings, slot, node, scratch)
    return choose_urgent(tree, settings, slot, node)

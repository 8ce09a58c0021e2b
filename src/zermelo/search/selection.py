"""Which edge to follow: the variants of tree search, as kernels over the edges of one node.

Values are those of the node's mover. Symbols: N visits of an edge, n the same with visits still
awaited (each counted as a loss: virtual loss), Q = W / n, P the prior, V the best Q. The lowest
action wins ties. Edges with a proof are passed over as long as there is one without.
"""

from __future__ import annotations

import math

from zermelo.compilation import inlined
from zermelo.search.tree import GUMBEL, NONE, OMC, PUCT, UCT, UNPROVEN, Settings, Tree

_TINY = 1e-30


@inlined
def edge_proof(tree: Tree, slot: int, node: int, edge: int) -> int:
    """The exact value of an edge for the mover of its node, or UNPROVEN."""
    child = tree.child[slot, edge]
    if child == NONE or tree.proof[slot, child] == UNPROVEN:
        return UNPROVEN
    proof = int(tree.proof[slot, child])
    return proof if tree.mover[slot, child] == tree.mover[slot, node] else -proof


@inlined
def is_open(tree: Tree, settings: Settings, slot: int, node: int, edge: int) -> bool:
    return settings.proofs[slot] == 0 or edge_proof(tree, slot, node, edge) == UNPROVEN


@inlined
def count(tree: Tree, slot: int, edge: int) -> int:
    return int(tree.N[slot, edge]) + int(tree.pending[slot, edge])


@inlined
def mean(tree: Tree, slot: int, edge: int, n: int) -> float:
    return float((tree.W[slot, edge] - tree.pending[slot, edge]) / n)


@inlined
def total_count(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """1 + the visits of all edges, awaited ones too."""
    total = int(tree.visits[slot, node])
    if settings.leaves[slot] == 1:
        return total
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        total += int(tree.pending[slot, edge])
    return total


@inlined
def prior(tree: Tree, slot: int, node: int, edge: int) -> float:
    """P, with the noise of this search at the root."""
    if node == tree.root[slot]:
        return float(tree.root_prior[slot, edge - tree.first[slot, node]])
    return float(tree.P[slot, edge])


@inlined
def first_play_value(tree: Tree, settings: Settings, slot: int, node: int) -> float:
    """What Q is for a move not yet tried: a constant, or V(node) - reduction * sqrt(prior tried).

    Never outside [-1, 1], and without the reduction at the root.
    """
    constant = settings.first_play[slot]
    if not math.isnan(constant):
        return float(constant)
    tried = 0.0
    if node != tree.root[slot]:
        for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
            if count(tree, slot, edge) > 0:
                tried += tree.P[slot, edge]
    value = tree.value[slot, node] - settings.reduction[slot] * math.sqrt(tried)
    return float(max(-1.0, min(1.0, value)))


@inlined
def choose_puct(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """argmax of Q + c_puct P sqrt(N(node)) / (1 + n) (Silver et al. 2017)."""
    c = settings.exploration[slot] * math.sqrt(total_count(tree, settings, slot, node))
    untried = first_play_value(tree, settings, slot, node)
    best, best_score = NONE, 0.0
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        if not is_open(tree, settings, slot, node, edge):
            continue
        n = count(tree, slot, edge)
        q = mean(tree, slot, edge, n) if n > 0 else untried
        score = q + c * prior(tree, slot, node, edge) / (1 + n)
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@inlined
def choose_uct(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """Untried moves first, then argmax of Q + C sqrt(ln N(node) / n) (Kocsis and Szepesvari 2006)."""
    log_total = math.log(total_count(tree, settings, slot, node))
    best, best_score = NONE, 0.0
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        if not is_open(tree, settings, slot, node, edge):
            continue
        n = count(tree, slot, edge)
        if n == 0:
            return edge
        score = mean(tree, slot, edge, n) + settings.exploration[slot] * math.sqrt(log_total / n)
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@inlined
def variance(tree: Tree, slot: int, edge: int) -> float:
    """Of the values of an edge."""
    n = tree.N[slot, edge]
    q = tree.W[slot, edge] / n
    return float(max(0.0, tree.W2[slot, edge] / n - q * q))


@inlined
def urgency(tree: Tree, settings: Settings, slot: int, edge: int, best: float, best_var: float) -> float:
    """How likely a move is to be better than the best one; 1 below two visits, where sigma is unknown.

    OMC (Chaslot et al. 2006): erfc((V - Q) / (sqrt 2 sigma)).
    PBBM (Coulom 2006): exp(-2.4 (V - Q) / sqrt(2 (Sigma^2 + sigma^2))), Sigma of the best move.
    """
    n = count(tree, slot, edge)
    if tree.N[slot, edge] < 2:
        return 1.0
    behind = best - mean(tree, slot, edge, n)
    if settings.variant[slot] == OMC:
        spread = math.sqrt(2.0 * variance(tree, slot, edge))
        return math.erfc(behind / spread) if spread > 0.0 else (1.0 if behind <= 0.0 else 0.0)
    spread = math.sqrt(2.0 * (best_var + variance(tree, slot, edge)))
    return math.exp(-2.4 * behind / spread) if spread > 0.0 else (1.0 if behind <= 0.0 else 0.0)


@inlined
def choose_urgent(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """OMC and PBBM: argmax of the fairness N(node) U(i) / ((n(i) + 1) sum of U(j), j other than i)."""
    first, last = tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]
    best_value, best_var = -2.0, 0.0
    for edge in range(first, last):
        n = count(tree, slot, edge)
        if tree.N[slot, edge] > 0 and mean(tree, slot, edge, n) > best_value:
            best_value, best_var = mean(tree, slot, edge, n), variance(tree, slot, edge)
    total = 0.0
    for edge in range(first, last):
        total += urgency(tree, settings, slot, edge, best_value, best_var)
    visits = total_count(tree, settings, slot, node)
    best, best_score = NONE, 0.0
    for edge in range(first, last):
        if not is_open(tree, settings, slot, node, edge):
            continue
        u = urgency(tree, settings, slot, edge, best_value, best_var)
        score = visits * u / ((count(tree, slot, edge) + 1) * max(total - u, _TINY))
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@inlined
def completed_value(tree: Tree, settings: Settings, slot: int, node: int, edge: int, mixed: float) -> float:
    """Q of a move in [-1, 1]: exact if proven, the mean if tried, else `mixed`."""
    if settings.proofs[slot] != 0:
        proof = edge_proof(tree, slot, node, edge)
        if proof != UNPROVEN:
            return float(proof)
    n = count(tree, slot, edge)
    return mean(tree, slot, edge, n) if n > 0 else mixed


@inlined
def mixed_value(tree: Tree, settings: Settings, slot: int, node: int) -> float:
    """v_mix = (v + sum N * sum over tried of P Q / sum over tried of P) / (1 + sum N)."""
    visits, tried, weighted = 0, 0.0, 0.0
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        n = count(tree, slot, edge)
        if n > 0:
            visits += n
            tried += tree.P[slot, edge]
            weighted += tree.P[slot, edge] * completed_value(tree, settings, slot, node, edge, 0.0)
    if visits == 0:
        return float(tree.value[slot, node])
    return float((tree.value[slot, node] + visits * weighted / max(tried, _TINY)) / (1 + visits))


@inlined
def most_visits(tree: Tree, slot: int, node: int) -> int:
    most = 0
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        most = max(most, count(tree, slot, edge))
    return most


@inlined
def transformed_value(settings: Settings, slot: int, value: float, most: int) -> float:
    """sigma(q) = (50 + max N) c_scale q, with q scaled from [-1, 1] to [0, 1]."""
    return float((50.0 + most) * settings.value_scale[slot] * (0.5 * value + 0.5))


@inlined
def improved_logit(
    tree: Tree, settings: Settings, slot: int, node: int, edge: int, mixed: float, most: int
) -> float:
    """logit + sigma(completed q), of which the improved policy is the softmax."""
    q = completed_value(tree, settings, slot, node, edge, mixed)
    return math.log(max(float(tree.P[slot, edge]), _TINY)) + transformed_value(settings, slot, q, most)


@inlined
def choose_improved(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """Gumbel below the root: argmax of pi'(a) - n(a) / (1 + sum n) (Danihelka et al. 2022)."""
    first, last = tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]
    mixed, most = mixed_value(tree, settings, slot, node), most_visits(tree, slot, node)
    highest = -math.inf
    for edge in range(first, last):
        highest = max(highest, improved_logit(tree, settings, slot, node, edge, mixed, most))
    total = 0.0
    for edge in range(first, last):
        total += math.exp(improved_logit(tree, settings, slot, node, edge, mixed, most) - highest)
    visits = total_count(tree, settings, slot, node)
    best, best_score = NONE, 0.0
    for edge in range(first, last):
        if not is_open(tree, settings, slot, node, edge):
            continue
        p = math.exp(improved_logit(tree, settings, slot, node, edge, mixed, most) - highest) / total
        score = p - count(tree, slot, edge) / visits
        if best == NONE or score > best_score:
            best, best_score = edge, score
    return best


@inlined
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


@inlined
def choose_gumbel_root(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """Of the moves with the visits that sequential halving asks for, the best by g + logit + sigma(q)."""
    first, last = tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]
    width = int(tree.width[slot, node])
    considered = max(1, min(settings.considered[slot], width, settings.budget[slot]))
    awaited = total_count(tree, settings, slot, node) - int(tree.visits[slot, node])
    simulation = int(tree.simulations[slot]) + awaited
    wanted = halving_visits(settings.budget[slot], considered, simulation)
    mixed, most = mixed_value(tree, settings, slot, node), most_visits(tree, slot, node)
    best, best_score, nearest = NONE, 0.0, 0
    for edge in range(first, last):
        if not is_open(tree, settings, slot, node, edge):
            continue
        n = count(tree, slot, edge)
        distance = abs(n - wanted)
        score = tree.root_gumbel[slot, edge - first]
        score += improved_logit(tree, settings, slot, node, edge, mixed, most)
        if best == NONE or distance < nearest or (distance == nearest and score > best_score):
            best, best_score, nearest = edge, score, distance
    return best


@inlined
def choose(tree: Tree, settings: Settings, slot: int, node: int) -> int:
    """The edge to follow, or NONE if every edge is proven."""
    variant = settings.variant[slot]
    if variant == PUCT:
        return choose_puct(tree, settings, slot, node)
    if variant == UCT:
        return choose_uct(tree, settings, slot, node)
    if variant == GUMBEL:
        if node == tree.root[slot]:
            return choose_gumbel_root(tree, settings, slot, node)
        return choose_improved(tree, settings, slot, node)
    return choose_urgent(tree, settings, slot, node)

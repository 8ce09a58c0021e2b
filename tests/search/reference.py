"""Tree search as one would write it first: dictionaries, one tree, one simulation after another.

It must give exactly the visit counts of the kernels. Priors are kept as float32, as they are there.
"""

import math

import numpy as np

from zermelo.search import rng


class Edge:
    def __init__(self, prior):
        self.N, self.W, self.W2, self.P, self.child = 0, 0.0, 0.0, float(np.float32(prior)), None

    @property
    def Q(self):
        return self.W / self.N


class Node:
    def __init__(self, position):
        self.position = position
        self.edges = {}
        self.value = None  # for the mover
        self.mean = None  # Q, in a graph
        self.proof = None

    @property
    def N(self):
        return 1 + sum(edge.N for edge in self.edges.values())


def softmax(logits):
    highest = max(logits)
    exponentials = [math.exp(logit - highest) for logit in logits]
    total = 0.0
    for value in exponentials:
        total += value
    return [value / total for value in exponentials]


class Reference:
    """`evaluate(position)` gives logits of all actions and the value of the mover; or "rollout"."""

    def __init__(self, position, evaluate, variant, budget, **options):
        self.evaluate, self.variant, self.budget = evaluate, variant, budget
        self.c = options.get("exploration", 1.25)
        self.first_play = options.get("first_play", 0.0)
        self.reduction = options.get("reduction", 0.0)
        self.scale = options.get("value_scale", 0.1)
        self.considered = options.get("considered", 16)
        self.proofs = options.get("proofs", False)
        self.lookahead = options.get("lookahead", 0) if self.proofs else 0
        self.graph = options.get("graph", False)
        self.stream = options.get("stream")
        self.nodes = {}
        self.root, _ = self.node(position)
        self.win_at_once(self.root)
        self.evaluate_node(self.root)
        self.gumbel = options.get("gumbel") or dict.fromkeys(self.root.edges, 0.0)
        self.prior = options.get("prior") or {a: edge.P for a, edge in self.root.edges.items()}
        self.simulations = 0
        while self.simulations < budget and not (self.proofs and self.root.proof is not None):
            self.simulate()

    @property
    def visits(self):
        return {action: edge.N for action, edge in self.root.edges.items()}

    # Expansion and evaluation.

    def node(self, position):
        """The node of a position, and whether it is new."""
        if self.graph and position.key in self.nodes:
            return self.nodes[position.key], False
        node = self.nodes[position.key] = Node(position)
        if position.is_over:
            node.value = node.mean = position.returns[0]  # a finished game has no mover: player 0
            node.proof = int(node.value) if node.value in (-1, 0, 1) else None
        else:
            count = len(position.legal_actions)
            node.edges = {action: Edge(1.0 / count) for action in position.legal_actions}
        return node, True

    def win_at_once(self, node):
        """Whether a move wins at once."""
        if not self.lookahead or node.position.is_over:
            return False
        for action, edge in node.edges.items():
            after = node.position.play(action)
            if after.is_over and after.returns[node.position.mover] == 1:
                edge.child, _ = self.node(after)
                node.value, node.mean, node.proof = 1.0, 1.0, 1
                return True
        return False

    def look_ahead(self, node):
        """Whether the mover is seen to win in 1, 3, ... plies, or to lose in 2, 4, ..."""
        if self.win_at_once(node):
            return True
        for plies in range(2, self.lookahead + 1):
            mover = node.position.mover
            if forces(node.position, mover if plies % 2 else 1 - mover, plies):
                node.proof = 1 if plies % 2 else -1
                node.value = node.mean = float(node.proof)
                return True
        return False

    def evaluate_node(self, node):
        position = node.position
        if self.evaluate == "rollout":
            node.value = self.rollout(position)
        else:
            logits, node.value = self.evaluate(position)
            priors = softmax([float(logits[action]) for action in position.legal_actions])
            for edge, prior in zip(node.edges.values(), priors, strict=True):
                edge.P = float(np.float32(prior))
        node.mean = node.value

    def rollout(self, position):
        mover = position.mover
        while not position.is_over:
            word = np.uint64(rng.next_word(self.stream))
            legal = position.legal_actions
            position = position.play(legal[rng.scaled(word, len(legal))])
        return position.returns[mover]

    # One simulation.

    def simulate(self):
        node, path = self.root, []
        while True:
            if self.proofs and self.graph and node.proof is None:
                node.proof = self.settled(node)
                node.mean = node.mean if node.proof is None else float(node.proof)
            if node.position.is_over or (self.proofs and node.proof is not None):
                break
            action = self.choose(node)
            edge = node.edges[action]
            path.append((node, edge))
            new = False
            if edge.child is None:
                edge.child, new = self.node(node.position.play(action))
            node = edge.child
            if new:
                if not node.position.is_over and not self.look_ahead(node):
                    self.evaluate_node(node)
                break
        value = float(node.proof) if self.proofs and node.proof is not None else node.value
        self.back_up(path, value if self.mover(node) == 0 else -value)
        self.simulations += 1

    def back_up(self, path, for_first):
        proving = self.proofs
        for node, edge in reversed(path):
            signed = for_first if self.mover(node) == 0 else -for_first
            edge.N += 1
            edge.W += signed
            edge.W2 += signed * signed
            if self.graph:
                self.refresh(node)
            if proving and node.proof is None:
                if self.edge_proof(node, edge) is not None:
                    node.proof = self.settled(node)
                proving = node.proof is not None
                node.mean = node.mean if node.proof is None else float(node.proof)

    def refresh(self, node):
        total = node.value
        for edge in node.edges.values():
            if edge.N:
                same = self.mover(edge.child) == self.mover(node)
                edge.W = edge.N * (edge.child.mean if same else -edge.child.mean)
                total += edge.W
        if node.proof is None:
            node.mean = total / node.N

    def mover(self, node):
        return 0 if node.position.is_over else node.position.mover

    def edge_proof(self, node, edge):
        if edge.child is None or edge.child.proof is None:
            return None
        return edge.child.proof if self.mover(edge.child) == self.mover(node) else -edge.child.proof

    def settled(self, node):
        proofs = [self.edge_proof(node, edge) for edge in node.edges.values()]
        if 1 in proofs:
            return 1
        return None if None in proofs else max(proofs)

    # Selection.

    def choose(self, node):
        edges = node.edges
        if self.proofs:
            edges = {a: e for a, e in edges.items() if self.edge_proof(node, e) is None}
        score = getattr(self, f"score_{self.variant}")(node)
        return max(edges, key=lambda action: (score(action), -action))

    def score_puct(self, node):
        untried = self.first_play
        if math.isnan(untried):
            tried = 0.0
            if node is not self.root:
                for edge in node.edges.values():
                    tried += edge.P if edge.N else 0.0
            untried = max(-1.0, min(1.0, node.value - self.reduction * math.sqrt(tried)))

        def score(action):
            edge = node.edges[action]
            prior = self.prior[action] if node is self.root else edge.P
            q = edge.Q if edge.N else untried
            return q + self.c * math.sqrt(node.N) * prior / (1 + edge.N)

        return score

    def score_uct(self, node):
        def score(action):
            edge = node.edges[action]
            if edge.N == 0:
                return math.inf
            return edge.Q + self.c * math.sqrt(math.log(node.N) / edge.N)

        return score

    def score_urgent(self, node, urgency):
        tried = [edge for edge in node.edges.values() if edge.N]
        best = max(tried, key=lambda edge: edge.Q, default=None)
        U = {a: urgency(edge, best) if edge.N >= 2 else 1.0 for a, edge in node.edges.items()}
        total = 0.0
        for value in U.values():
            total += value
        return lambda a: node.N * U[a] / ((node.edges[a].N + 1) * max(total - U[a], 1e-30))

    def score_omc(self, node):
        def urgency(edge, best):
            spread = math.sqrt(2.0 * variance(edge))
            behind = best.Q - edge.Q
            return math.erfc(behind / spread) if spread > 0 else float(behind <= 0)

        return self.score_urgent(node, urgency)

    def score_pbbm(self, node):
        def urgency(edge, best):
            spread = math.sqrt(2.0 * (variance(best) + variance(edge)))
            behind = best.Q - edge.Q
            return math.exp(-2.4 * behind / spread) if spread > 0 else float(behind <= 0)

        return self.score_urgent(node, urgency)

    def completed(self, node):
        """Q of every move, exact if proven, v_mix if not tried; and the greatest number of visits."""
        visits, tried, weighted, completed = 0, 0.0, 0.0, {}
        for action, edge in node.edges.items():
            proof = self.edge_proof(node, edge) if self.proofs else None
            completed[action] = float(proof) if proof is not None else edge.Q if edge.N else None
            if edge.N:
                visits += edge.N
                tried += edge.P
                weighted += edge.P * completed[action]
        mixed = node.value
        if visits:
            mixed = (node.value + visits * weighted / max(tried, 1e-30)) / (1 + visits)
        most = max(edge.N for edge in node.edges.values())
        return {action: mixed if q is None else q for action, q in completed.items()}, most

    def sigma(self, q, most):
        return (50.0 + most) * self.scale * (0.5 * q + 0.5)

    def score_gumbel(self, node):
        completed, most = self.completed(node)
        sigma = {action: self.sigma(q, most) for action, q in completed.items()}
        if node is self.root:
            m = max(1, min(self.considered, len(node.edges), self.budget))
            wanted = considered_visits(self.budget, m)[self.simulations]
            logits = {action: math.log(max(edge.P, 1e-30)) for action, edge in node.edges.items()}
            return lambda a: (-abs(node.edges[a].N - wanted), self.gumbel[a] + logits[a] + sigma[a])
        highest = max(sigma.values())
        weights = {a: max(edge.P, 1e-30) * math.exp(sigma[a] - highest) for a, edge in node.edges.items()}
        total = 0.0
        for weight in weights.values():
            total += weight
        return lambda a: weights[a] / total - node.edges[a].N / node.N


def forces(position, attacker, plies):
    """Whether the attacker wins within so many plies, by trying everything."""
    if position.is_over:
        return position.returns[attacker] == 1
    if plies == 0:
        return False
    after = (forces(position.play(action), attacker, plies - 1) for action in position.legal_actions)
    return any(after) if position.mover == attacker else all(after)


def variance(edge):
    return max(0.0, edge.W2 / edge.N - edge.Q * edge.Q)


def considered_visits(budget, m):
    """The sequence of sequential halving, written out."""
    sequence, visits, k = [], 0, m
    phases = max(1, math.ceil(math.log2(m)))
    while len(sequence) < budget:
        for _ in range(max(1, budget // (phases * k))):
            sequence += [visits] * k
            visits += 1
        k = max(2, k // 2) if m > 1 else 1
    return sequence

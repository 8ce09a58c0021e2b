"""A solver that is too simple to be wrong: recursion, a dictionary, no pruning."""

from zermelo.exact import Outcome


def solve(position, memory):
    """The outcome for the player to move; `memory` is a dictionary for one game."""
    if position.returns is not None:
        return Outcome(int(position.returns[position.mover]))
    if position.key not in memory:
        memory[position.key] = max(outcomes(position, memory).values())
    return memory[position.key]


def outcomes(position, memory):
    found = {}
    for action in position.legal_actions:
        child = position.play(action)
        outcome = solve(child, memory)
        sign = 1 if child.mover == position.mover else -1
        plies = outcome.plies + 1 if outcome.value else 0
        found[action] = Outcome(sign * outcome.value, plies)
    return found

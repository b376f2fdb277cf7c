"""Transition systems written out naively, to hold the parser's against: states are tuples.

`moves` gives all that is possible in a state: the name of each transition, the state behind it, and
the arc it makes, (child, head), if any. A state without moves is an end.
"""

from functools import cache
from itertools import product


class Hybrid:
    """Arc-hybrid: a state is the stack and the buffer."""

    swaps = False

    def __init__(self, several):
        self.several = several

    def start(self, n):
        return (0,), tuple(range(1, n + 1))

    def moves(self, state):
        stack, buffer = state
        found = {}
        if buffer:
            found["shift"] = (stack + buffer[:1], buffer[1:]), None
        if buffer and len(stack) > 1:
            found["left"] = (stack[:-1], buffer), (stack[-1], buffer[0])
        if len(stack) > 2 or (len(stack) == 2 and (self.several or not buffer)):
            found["right"] = (stack[:-1], buffer), (stack[-1], stack[-2])
        if self.swaps and buffer and 0 < stack[-1] < buffer[0]:
            found["swap"] = (stack[:-1], (buffer[0], stack[-1], *buffer[1:])), None
        return found


class Swap(Hybrid):
    """Arc-hybrid, and words can be swapped that were not yet."""

    swaps = True


class Standard(Hybrid):
    """Arc-standard, in the same states."""

    def moves(self, state):
        stack, buffer = state
        found = {}
        if buffer:
            found["shift"] = (stack + buffer[:1], buffer[1:]), None
        if len(stack) > 2:
            found["left"] = ((*stack[:-2], stack[-1]), buffer), (stack[-2], stack[-1])
        if len(stack) > 2 or (len(stack) == 2 and (self.several or not buffer)):
            found["right"] = (stack[:-1], buffer), (stack[-1], stack[-2])
        return found


class Eager(Hybrid):
    """Arc-eager: on the stack stand words and whether they have a head."""

    def start(self, n):
        return ((0, False),), tuple(range(1, n + 1))

    def moves(self, state):
        stack, buffer = state
        (word, headed), below = stack[-1], stack[:-1]
        found = {}
        if buffer:
            found["shift"] = ((*stack, (buffer[0], False)), buffer[1:]), None
        if not below:
            return found
        if headed:
            found["reduce"] = (below, buffer), None
        if buffer:
            found["right"] = ((*stack, (buffer[0], True)), buffer[1:]), (buffer[0], word)
            if not headed:
                found["left"] = (below, buffer), (word, buffer[0])
        elif not headed:
            found["right"] = (below, buffer), (word, below[-1][0])
            if self.several and len(below) > 1:
                found["left"] = (below, buffer), (word, 0)
        return found


def reachable(system, n):
    """Give all states that runs on so many words pass through."""
    seen, new = set(), [system.start(n)]
    while new:
        state = new.pop()
        if state not in seen:
            seen.add(state)
            new += [after for after, _ in system.moves(state).values()]
    return seen


def most_right(system, gold):
    """Make the function that says how many right arcs a state can still get, by trying it all."""

    @cache
    def best(state):
        return max(
            (best(after) + is_right(arc, gold) for after, arc in system.moves(state).values()),
            default=0,
        )

    return best


def true_costs(system, state, gold, best):
    """Say for every possible transition how many right arcs it loses, counted twice."""
    return {
        name: 2 * (best(state) - is_right(arc, gold) - best(after))
        for name, (after, arc) in system.moves(state).items()
    }


def arcs_in_reach(system):
    """Make the function that says which arcs a state can still get, each by itself."""

    @cache
    def arcs(state):
        found = set()
        for after, arc in system.moves(state).values():
            found |= arcs(after) | ({arc} if arc else set())
        return frozenset(found)

    return arcs


def is_right(arc, gold):
    return arc is not None and gold[arc[0]] == arc[1]


def is_tree(heads):
    """Say whether every word (heads[0] is the root's, whatever it is) comes to the root."""
    n = len(heads) - 1
    for word in range(1, n + 1):
        seen = set()
        while word != 0:
            if word in seen or not 0 <= heads[word] <= n:
                return False
            seen.add(word)
            word = heads[word]
    return True


def all_trees(n):
    """Give every tree of n words as heads, the root's being -1."""
    candidates = ((-1, *heads) for heads in product(range(n + 1), repeat=n))
    return [heads for heads in candidates if is_tree(heads)]


def crosses(heads):
    """Say whether two arcs cross."""
    arcs = [sorted((word, head)) for word, head in enumerate(heads) if word and head >= 0]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def roots(heads):
    return sum(head == 0 for head in heads[1:])

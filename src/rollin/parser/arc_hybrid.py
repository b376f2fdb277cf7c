"""The paper's parser: arc-hybrid transitions and the exact cost of each.

Words are numbered from 1; 0 is the root, which lies at the bottom of the stack. A transition is

    SHIFT   puts the first word of the buffer, b1, on the stack
    LEFT    makes b1 the head of the top of the stack, s1, and takes s1 off
    RIGHT   makes the word below it, s2, the head of s1, and takes s1 off

(Kuhlmann, Gomez-Rodriguez and Satta 2011.) It makes every tree without crossing arcs, and no other.
"""

import numpy as np

from rollin.decisions.schema import NOTHING
from rollin.parser.choosing import loss_of
from rollin.parser.tree import HEAD, LABEL, attach, empty_tree
from rollin.parser.view import see

TRANSITIONS = ("shift", "left", "right")
SHIFT, LEFT, RIGHT = range(3)


def arc_hybrid(choose):
    """Make the decoder, with one of the ways of choosing."""

    def parse(search, sentence):
        n = len(sentence.heads) - 1
        tree = empty_tree(n)
        stack = np.zeros(n + 1, np.int32)
        depth, b1 = 1, 1
        allowed, costs = np.empty(3, np.bool_), np.zeros(3, np.float64)
        heads, children = np.empty(2, np.int32), np.empty(2, np.int32)
        sure = np.ones((2, n + 1), np.float64)
        while depth > 1 or b1 <= n:
            see(search, tree, stack, depth, up_to(b1, n), up_to(b1 + 1, n), up_to(b1 + 2, n))
            allow(allowed, depth, b1, n, sentence.several_roots)
            if search.needs_reference or sentence.keep:
                cost(costs, sentence.heads, stack, depth, b1, n, sentence.several_roots)
            children[0] = children[1] = stack[depth - 1]
            heads[0], heads[1] = b1, stack[max(depth - 2, 0)]
            transition, label = choose(search, sentence, heads, children, costs, allowed, sure)
            if transition == SHIFT:
                stack[depth] = b1
                depth += 1
                b1 += 1
            else:
                child, head = children[0], heads[transition - LEFT]
                attach(tree, child, head, label)
                depth -= 1
                search.loss(loss_of(sentence, child, head, label))
        return tree[:, HEAD].copy(), tree[:, LABEL].copy(), sure[0].copy(), sure[1].copy()

    return parse


def up_to(word, n):
    """Give a word of the buffer, or NOTHING behind its end."""
    return word if word <= n else NOTHING


def allow(allowed, depth, b1, n, several_roots):
    """Say which transitions are possible. Where one root is wanted, it gets its child last."""
    allowed[SHIFT] = b1 <= n
    allowed[LEFT] = depth > 1 and b1 <= n
    allowed[RIGHT] = depth > 2 or (depth == 2 and (several_roots or b1 > n))


def cost(costs, gold, stack, depth, b1, n, several_roots):
    """Count twice the right arcs that each transition puts out of reach (Goldberg, Nivre 2013).

    Exact for trees without crossing arcs; of arcs that cross it counts each as if it were alone.
    """
    costs[:] = 0.0
    s1 = stack[depth - 1]
    if depth > 1:
        for word in range(b1, n + 1):
            if gold[word] == s1:  # s1 is taken off, and this word loses its head
                costs[LEFT] += 2.0
                costs[RIGHT] += 2.0
        if gold[s1] >= b1:
            costs[RIGHT] += 2.0
            costs[LEFT] += 2.0 if gold[s1] != b1 else 0.0
        elif gold[s1] == stack[depth - 2]:
            costs[LEFT] += 2.0
    if b1 <= n:
        for place in range(1, depth):
            if gold[stack[place]] == b1:  # b1 can't become its head any more
                costs[SHIFT] += 2.0
        for place in range(depth - 1):
            if gold[b1] == stack[place]:
                costs[SHIFT] += 2.0
    if not several_roots and depth > 1:
        forgive_root(costs, gold, stack, depth, b1, n)


def forgive_root(costs, gold, stack, depth, b1, n):
    """Where one root is wanted but several words have it: losing it is nothing if others are left.

    It can be had by the lowest word on the stack, and by those in the buffer.
    """
    left = 1 if gold[stack[1]] == 0 else 0
    for word in range(b1, n + 1):
        left += gold[word] == 0
    if left > 1 and depth == 2 and gold[stack[1]] == 0:
        costs[LEFT] -= 2.0
    if left > 1 and b1 <= n and gold[b1] == 0:
        costs[SHIFT] -= 2.0

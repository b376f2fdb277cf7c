"""Arc-eager transitions and the exact cost of each.

A word gets its right children as early as can be, before they have children of their own:

    SHIFT    puts the first word of the buffer, b1, on the stack
    REDUCE   takes the top of the stack, s1, off, if it has a head
    LEFT     makes b1 the head of s1, which has none yet, and takes s1 off
    RIGHT    makes s1 the head of b1, and puts b1 on the stack

(Nivre 2003.) Left to themselves these leave words without a head. Here the root makes no arc
before the buffer is empty, as if it stood behind the last word (Ballesteros and Nivre 2013), and
then every word that still waits on the stack gets a head in one of two ways:

    LEFT     makes the root its head, where several roots are allowed
    RIGHT    makes the word below it on the stack its head, and for the lowest word that is the root

The second is what comes of moving the word back to the buffer (Nivre and Fernandez-Gonzalez 2014)
and attaching it at once. The lowest word on the stack never has a head, so exactly one word gets
the root by RIGHT, and every output is a tree.
"""

import numpy as np

from rollin.parser.arc_hybrid import up_to
from rollin.parser.choosing import loss_of
from rollin.parser.tree import HEAD, LABEL, attach, empty_tree
from rollin.parser.view import see

TRANSITIONS = ("shift", "reduce", "left", "right")
SHIFT, REDUCE, LEFT, RIGHT = range(4)


def arc_eager(choose):
    """Make the decoder, with one of the ways of choosing."""

    def parse(search, sentence):
        n = len(sentence.heads) - 1
        tree = empty_tree(n)
        stack, headed = np.zeros(n + 1, np.int32), np.zeros(n + 1, np.bool_)
        depth, b1 = 1, 1
        allowed, costs = np.empty(4, np.bool_), np.zeros(4, np.float64)
        heads, children = np.empty(2, np.int32), np.empty(2, np.int32)
        sure = np.ones((2, n + 1), np.float64)
        while depth > 1 or b1 <= n:
            s1 = stack[depth - 1]
            see(search, tree, stack, depth, up_to(b1, n), up_to(b1 + 1, n), up_to(b1 + 2, n))
            allow(allowed, headed[s1], depth, b1, n, sentence.several_roots)
            if search.needs_reference or sentence.keep:
                cost(costs, sentence.heads, headed, stack, depth, b1, n, sentence.several_roots)
            if b1 <= n:
                heads[0], children[0] = b1, s1
                heads[1], children[1] = s1, b1
            else:
                heads[0], heads[1] = 0, stack[max(depth - 2, 0)]
                children[0] = children[1] = s1
            transition, label = choose(search, sentence, heads, children, costs, allowed, sure)
            if transition >= LEFT:
                child, head = children[transition - LEFT], heads[transition - LEFT]
                attach(tree, child, head, label)
                headed[child] = True
                search.loss(loss_of(sentence, child, head, label))
            if transition in (SHIFT, RIGHT) and b1 <= n:
                stack[depth] = b1
                depth += 1
                b1 += 1
            else:
                depth -= 1
        return tree[:, HEAD].copy(), tree[:, LABEL].copy(), sure[0].copy(), sure[1].copy()

    return parse


def allow(allowed, headed, depth, b1, n, several_roots):
    """Say which transitions are possible; `headed` says whether s1 has a head."""
    allowed[SHIFT] = b1 <= n
    allowed[REDUCE] = headed
    if b1 <= n:
        allowed[LEFT] = depth > 1 and not headed
        allowed[RIGHT] = depth > 1
    else:
        allowed[LEFT] = not headed and several_roots and depth > 2
        allowed[RIGHT] = not headed


def cost(costs, gold, headed, stack, depth, b1, n, several_roots):
    """Count twice by how many right arcs each transition makes the best outcome worse.

    The arcs of the plain system are lost or kept one by one (Goldberg and Nivre 2013); those made
    when the buffer is empty are not, so `within_reach` looks before and after.
    """
    costs[:] = 0.0
    s1 = stack[depth - 1]
    waiting = np.zeros(n + 1, np.int32)  # for every word: its right children in the buffer
    for word in range(b1, n + 1):
        if gold[word] >= 0:
            waiting[gold[word]] += 1
    before = within_reach(gold, headed, waiting, stack, depth, b1, several_roots)
    if depth > 1:
        popped = within_reach(gold, headed, waiting, stack, depth - 1, b1, several_roots)
        costs[REDUCE] = costs[LEFT] = costs[RIGHT] = 2.0 * (before - popped)
        costs[LEFT] -= 2.0 if gold[s1] == (b1 if b1 <= n else 0) else 0.0
        costs[RIGHT] -= 2.0 if gold[s1] == stack[depth - 2] else 0.0
    if b1 <= n:
        before += waiting[b1] + (gold[b1] > b1)  # so far counted as arcs within the buffer
        if gold[b1] >= 0:
            waiting[gold[b1]] -= 1
        stack[depth] = b1
        after = within_reach(gold, headed, waiting, stack, depth + 1, b1 + 1, several_roots)
        costs[SHIFT] = 2.0 * (before - after)
        headed[b1] = True
        after = within_reach(gold, headed, waiting, stack, depth + 1, b1 + 1, several_roots)
        headed[b1] = False
        costs[RIGHT] = 2.0 * (before - after - (gold[b1] == s1))


def within_reach(gold, headed, waiting, stack, depth, b1, several_roots):
    """Count the right arcs of words on the stack (and of the root) that one outcome can still have.

    A word without a head may stay to the end and get the word below it then, or the root. But
    nothing below it can have anything to do with the buffer any more. So this is the best over all
    heights up to which words stay: below it the arcs made at the end count, above it all others,
    and at it both.
    """
    early = 0
    for place in range(1, depth):
        word = stack[place]
        early += waiting[word] + (not headed[word] and gold[word] >= b1)
    # where there is one root, a word of the buffer can only be it if no word of the stack stays
    best = early + (0 if several_roots else min(waiting[0], 1))
    late = 0
    for place in range(1, depth):
        word, below = stack[place], stack[place - 1]
        if not headed[word] and (gold[word] == below or (several_roots and gold[word] == 0)):
            late += 1
        best = max(best, late + early)
        early -= waiting[word] + (not headed[word] and gold[word] >= b1)
    return best + (waiting[0] if several_roots else 0)

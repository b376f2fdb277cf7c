"""Arc-standard transitions, with a reference that is good but not perfect.

Both words of an arc are on the stack: s1 on top, s2 below it.

    SHIFT   puts the first word of the buffer, b1, on the stack
    LEFT    makes s1 the head of s2, and takes s2 off
    RIGHT   makes s2 the head of s1, and takes s1 off

(Nivre 2004.) Here two right arcs may each be within reach, but not both, so costs can't be counted
arc by arc (Goldberg and Nivre 2013), and finding them out takes time that is cubic or worse
(Goldberg, Sartorio and Satta 2014). The reference counts all the same. From the start it leads to
the right tree; in the wake of mistakes it may be short-sighted; methods that
try actions out (`paper`, `lols`) need not trust it.
"""

import numpy as np

from rollin.parser.arc_hybrid import up_to
from rollin.parser.choosing import loss_of
from rollin.parser.tree import HEAD, LABEL, attach, empty_tree
from rollin.parser.view import see

TRANSITIONS = ("shift", "left", "right")
SHIFT, LEFT, RIGHT = range(3)


def arc_standard(choose):
    """Make the decoder, with one of the ways of choosing that tell a reference."""

    def parse(search, sentence):
        n = len(sentence.heads) - 1
        tree = empty_tree(n)
        stack = np.zeros(n + 1, np.int32)
        depth, b1 = 1, 1
        allowed, losses = np.empty(3, np.bool_), np.zeros(3, np.float64)
        heads, children = np.empty(2, np.int32), np.empty(2, np.int32)
        sure = np.ones((2, n + 1), np.float64)
        while depth > 1 or b1 <= n:
            see(search, tree, stack, depth, up_to(b1, n), up_to(b1 + 1, n), up_to(b1 + 2, n))
            allow(allowed, depth, b1, n, sentence.several_roots)
            if search.needs_reference or sentence.keep:
                estimate(losses, sentence.heads, stack, depth, b1, n)
            s1, s2 = stack[depth - 1], stack[max(depth - 2, 0)]
            children[0], heads[0] = s2, s1
            children[1], heads[1] = s1, s2
            transition, label = choose(search, sentence, heads, children, losses, allowed, sure)
            if transition == SHIFT:
                stack[depth] = b1
                depth += 1
                b1 += 1
            else:
                child, head = children[transition - LEFT], heads[transition - LEFT]
                attach(tree, child, head, label)
                depth -= 1
                stack[depth - 1] = head
                search.loss(loss_of(sentence, child, head, label))
        return tree[:, HEAD].copy(), tree[:, LABEL].copy(), sure[0].copy(), sure[1].copy()

    return parse


def allow(allowed, depth, b1, n, several_roots):
    """Say which transitions are possible. Where one root is wanted, it gets its child last."""
    allowed[SHIFT] = b1 <= n
    allowed[LEFT] = depth > 2
    allowed[RIGHT] = depth > 2 or (depth == 2 and (several_roots or b1 > n))


def estimate(losses, gold, stack, depth, b1, n):
    """Count twice the right arcs that a transition cuts off; and two if SHIFT comes too early.

    That is where s1 still has a right child on the stack, or has its head there and no child left
    in the buffer: what comes on top of it now would have to become a part of it.
    """
    losses[:] = 0.0
    if depth < 2:
        return
    s1, s2 = stack[depth - 1], stack[depth - 2]
    losses[LEFT] = cut_off(gold, stack, depth, b1, n, s2, s1)
    losses[RIGHT] = cut_off(gold, stack, depth, b1, n, s1, s2)
    head_waits = child_waits = child_comes = False
    for place in range(depth - 1):
        head_waits = head_waits or gold[s1] == stack[place]
        child_waits = child_waits or gold[stack[place]] == s1
    for word in range(b1, n + 1):
        child_comes = child_comes or gold[word] == s1
    if child_waits or (head_waits and not child_comes):
        losses[SHIFT] = 2.0


def cut_off(gold, stack, depth, b1, n, child, head):
    """Count twice the right arcs between a word that is taken off and others that are there."""
    lost = 0.0
    for place in range(depth):
        word = stack[place]
        if gold[word] == child or (gold[child] == word and word != head):
            lost += 2.0
    for word in range(b1, n + 1):
        if gold[word] == child or gold[child] == word:
            lost += 2.0
    return lost

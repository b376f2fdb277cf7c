"""The paper's parser: arc-hybrid transitions, the exact cost of each, and what a decision sees.

Words are numbered from 1; 0 is the root, which lies at the bottom of the stack. A transition is

    SHIFT   puts the first word of the buffer, b1, on the stack
    LEFT    makes b1 the head of the top of the stack, s1, and takes s1 off
    RIGHT   makes the word below it, s2, the head of s1, and takes s1 off

(Kuhlmann, Gomez-Rodriguez and Satta 2011.) LEFT and RIGHT are followed by a decision on the label.
"""

from typing import NamedTuple

import numpy as np

from rollin.decisions.schema import NOTHING

SHIFT, LEFT, RIGHT = range(3)
TRANSITIONS = ("shift", "left", "right")

HEAD, LABEL, L1, L2, R1, R2, LEFTS, RIGHTS = range(8)
"""The columns of a tree in the making: of each word its head, its label (-1: none yet), its
outermost and second outermost child on each side (0: none), and how many children it has there."""

SLOTS = "s1 s2 s3 b1 b2 b3 s1l1 s1l2 s1r1 s1r2 s2l1 s2r1 b1l1 b1l2"
NOTES = (
    "distance s1lefts s1rights b1lefts s1l1label s1l2label s1r1label s1r2label b1l1label b1l2label"
)


class Sentence(NamedTuple):
    """What the decoder is given. Entry 0 of the first two is the root's and means nothing."""

    heads: np.ndarray
    """The right head of each word; UNKNOWN where nobody knows it."""
    labels: np.ndarray
    """The right label of each word; UNKNOWN where nobody knows it."""
    below_root: np.ndarray
    """For each label whether a word below the root can have it."""
    below_word: np.ndarray
    """For each label whether a word below another can have it."""
    several_roots: bool


def parse(search, sentence):
    """Find the tree of a sentence: heads and labels, entry 0 being the root's."""
    gold = sentence.heads
    n = len(gold) - 1
    tree = np.zeros((n + 1, 8), np.int32)
    tree[:, LABEL] = -1
    stack = np.zeros(n + 1, np.int32)
    depth, b1 = 1, 1
    allowed = np.empty(3, np.bool_)
    costs = np.zeros(3, np.float64)
    label_costs = np.zeros(len(sentence.below_root), np.float64)
    while depth > 1 or b1 <= n:
        s1, s2 = stack[depth - 1], stack[max(depth - 2, 0)]
        see(search, tree, stack, depth, b1, n)
        allow(allowed, depth, b1, n, sentence.several_roots)
        if search.needs_reference:
            cost(costs, gold, stack, depth, b1, n)
        transition = search.predict("transition", costs=costs, allowed=allowed)
        if transition == SHIFT:
            stack[depth] = b1
            depth += 1
            b1 += 1
        else:
            head = b1 if transition == LEFT else s2
            fitting = sentence.below_root if head == 0 else sentence.below_word
            right = sentence.labels[s1]
            if search.needs_reference:
                cost_of_labels(label_costs, right if gold[s1] == head else -1)
            if transition == LEFT:
                label = search.predict("left label", costs=label_costs, allowed=fitting)
            else:
                label = search.predict("right label", costs=label_costs, allowed=fitting)
            attach(tree, s1, head, label)
            depth -= 1
            if gold[s1] >= 0:
                search.loss(2 if gold[s1] != head else right >= 0 and right != label)
    return tree[:, HEAD], tree[:, LABEL]


def allow(allowed, depth, b1, n, several_roots):
    """Say which transitions are possible. Where one root is wanted, it gets its child last."""
    allowed[SHIFT] = b1 <= n
    allowed[LEFT] = depth > 1 and b1 <= n
    allowed[RIGHT] = depth > 2 or (depth == 2 and (several_roots or b1 > n))


def cost(costs, gold, stack, depth, b1, n):
    """Count the right arcs that each transition puts out of reach (Goldberg and Nivre 2013)."""
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
        for place in range(depth):
            if place > 0 and gold[stack[place]] == b1:  # b1 can't become its head any more
                costs[SHIFT] += 2.0
            if place < depth - 1 and gold[b1] == stack[place]:
                costs[SHIFT] += 2.0


def cost_of_labels(costs, right):
    """Every label but the right one costs one; where the head is wrong, none matters."""
    for label in range(len(costs)):
        costs[label] = 1.0 if right >= 0 and label != right else 0.0


def attach(tree, word, head, label):
    """Add an arc. Children come from the inside out, so the last on a side is the outermost."""
    tree[word, HEAD], tree[word, LABEL] = head, label
    if word < head:
        tree[head, L2], tree[head, L1] = tree[head, L1], word
        tree[head, LEFTS] += 1
    else:
        tree[head, R2], tree[head, R1] = tree[head, R1], word
        tree[head, RIGHTS] += 1


def see(search, tree, stack, depth, b1, n):
    """Show a decision the words around the two places where arcs are made."""
    s1, s2, s3 = stack[depth - 1], 0, 0
    if depth > 1:
        s2 = stack[depth - 2]
    if depth > 2:
        s3 = stack[depth - 3]
    b = b1 if b1 <= n else 0
    search.look("s1", s1)
    search.look("s2", s2 if depth > 1 else NOTHING)
    search.look("s3", s3 if depth > 2 else NOTHING)
    search.look("b1", b1)
    search.look("b2", b1 + 1)
    search.look("b3", b1 + 2)
    search.look("s1l1", child(tree[s1, L1]))
    search.look("s1l2", child(tree[s1, L2]))
    search.look("s1r1", child(tree[s1, R1]))
    search.look("s1r2", child(tree[s1, R2]))
    search.look("s2l1", child(tree[s2, L1]))
    search.look("s2r1", child(tree[s2, R1]))
    search.look("b1l1", child(tree[b, L1]))
    search.look("b1l2", child(tree[b, L2]))
    search.note("distance", min(b1 - s1, 7) if s1 > 0 and b > 0 else 0)
    search.note("s1lefts", min(tree[s1, LEFTS], 5))
    search.note("s1rights", min(tree[s1, RIGHTS], 5))
    search.note("b1lefts", min(tree[b, LEFTS], 5))
    search.note("s1l1label", tree[tree[s1, L1], LABEL])
    search.note("s1l2label", tree[tree[s1, L2], LABEL])
    search.note("s1r1label", tree[tree[s1, R1], LABEL])
    search.note("s1r2label", tree[tree[s1, R2], LABEL])
    search.note("b1l1label", tree[tree[b, L1], LABEL])
    search.note("b1l2label", tree[tree[b, L2], LABEL])


def child(word):
    """Say where a child stands: word 0 stands for none."""
    return word if word > 0 else NOTHING


BIGRAMS = (
    "s1 * s1", "s2 * s2", "s3 * s3", "b1 * b1", "b2 * b2", "b3 * b3",
    "s1 * b1", "s1 * s2", "b1 * b2", "s1 * s1l1", "s1 * s1r1", "b1 * b1l1",
)  # fmt: skip
TRIGRAMS = (
    "s1 * s2 * s3", "s1 * b1 * b2", "s1 * s2 * b1", "s1 * b1 * b3", "b1 * b2 * b3",
    "s1 * s1r1 * s2r1", "s1 * s1l1 * s1l2", "s1 * s1r1 * s1r2", "b1 * b1l1 * b1l2",
    "s1 * s2 * b1l1", "s1 * b1 * s1l1", "s1 * b1 * s2l1", "s1 * b1 * b1l1", "s1 * b1 * s1r1",
)  # fmt: skip
FACTS = tuple(
    f"{note} * {slot}" for note in NOTES.split() for slot in ("s1", "s2", "s3", "b1", "b2", "b3")
)

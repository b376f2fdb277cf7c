"""A tree in the making: an array with a row for every word, row 0 being the root's."""

import numpy as np

from rollin.decisions.schema import NOTHING

HEAD, LABEL, L1, L2, R1, R2, LEFTS, RIGHTS = range(8)
"""The columns: a word's head and label (-1: none yet), its outermost and second outermost child on
each side (0: none), and how many children it has there."""


def empty_tree(words):
    """Make a tree of so many words, none of which has a head."""
    tree = np.zeros((words + 1, 8), np.int32)
    for word in range(words + 1):
        tree[word, HEAD] = tree[word, LABEL] = -1
    return tree


def attach(tree, word, head, label):
    """Add an arc. Without crossing arcs children come from the inside out, the outermost last."""
    tree[word, HEAD], tree[word, LABEL] = head, label
    if word < head:
        if tree[head, L1] == 0 or word < tree[head, L1]:
            tree[head, L2], tree[head, L1] = tree[head, L1], word
        elif tree[head, L2] == 0 or word < tree[head, L2]:
            tree[head, L2] = word
        tree[head, LEFTS] += 1
    else:
        if word > tree[head, R1]:
            tree[head, R2], tree[head, R1] = tree[head, R1], word
        elif word > tree[head, R2]:
            tree[head, R2] = word
        tree[head, RIGHTS] += 1


def place_of(child):
    """Say where a child is to be looked at: where there is none, nowhere."""
    return child if child > 0 else NOTHING

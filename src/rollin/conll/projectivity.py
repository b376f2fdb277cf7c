"""Arcs that cross: an arc is projective if its head dominates every word between its ends."""

import numpy as np

from rollin.conll.blocks import Block
from rollin.native.kernels import kernel


def crossing_arcs(block: Block) -> np.ndarray:
    """Tell for every word whether the arc to its head is non-projective (bool[words])."""
    found = np.zeros(block.words, bool)
    longest = int(block.lengths.max(initial=0))
    before, after, left, right = np.empty((4, longest + 1), np.int32)
    _find_crossing(block.heads, block.starts, before, after, left, right, found)
    return found


@kernel
def _find_crossing(heads, starts, before, after, left, right, found):
    """Number the words of each tree so that what a word dominates is an interval of numbers.

    How far to the left and right a word dominates every other is kept, so that no word is looked at
    twice for the same head.
    """
    for sentence in range(len(starts) - 1):
        first = starts[sentence]
        length = starts[sentence + 1] - first
        _number(heads, first, length, before, after)
        for word in range(1, length + 1):
            left[word] = right[word] = word
        for word in range(1, length + 1):
            head = heads[first + word - 1]
            if 0 < head < word and before[word] >= 0:
                reach = right[head]
                while reach + 1 < word and before[head] <= before[reach + 1] < after[head]:
                    reach += 1
                right[head] = reach
                found[first + word - 1] = reach + 1 < word
        for word in range(length, 0, -1):
            head = heads[first + word - 1]
            if head > word and before[word] >= 0:
                reach = left[head]
                while reach - 1 > word and before[head] <= before[reach - 1] < after[head]:
                    reach -= 1
                left[head] = reach
                found[first + word - 1] = reach - 1 > word


@kernel
def _number(heads, first, length, before, after):
    """Give each word a number: those that word w dominates have numbers in before[w]:after[w].

    Sizes of subtrees are summed from the leaves up; then every word takes its numbers out of its
    head's. A word in a cycle or without a head gets none (-1).
    """
    children = np.zeros(length + 1, np.int32)
    size = np.ones(length + 1, np.int32)
    order = np.empty(length, np.int32)
    for word in range(1, length + 1):
        head = heads[first + word - 1]
        before[word] = -1
        if head >= 0:
            children[head] += 1
    done = 0
    for word in range(1, length + 1):
        if children[word] == 0:
            order[done] = word
            done += 1
    at = 0
    while at < done:  # a word follows when all of its children are there
        word = order[at]
        at += 1
        head = heads[first + word - 1]
        if head > 0:
            size[head] += size[word]
            children[head] -= 1
            if children[head] == 0:
                order[done] = head
                done += 1
    before[0], after[0] = 0, length + 1
    next_free = np.ones(length + 1, np.int32)
    for place in range(done - 1, -1, -1):
        word = order[place]
        head = heads[first + word - 1]
        if head < 0 or before[head] < 0:
            continue
        before[word] = next_free[head]
        after[word] = before[word] + size[word]
        next_free[head] += size[word]
        next_free[word] = before[word] + 1

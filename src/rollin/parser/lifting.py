"""Trees whose arcs cross for decoders that make none: lift arcs, mark labels, put arcs back.

An arc that crosses others is lifted: the head of its head takes its place, as often as need be
(Nivre and Nilsson 2005). The label of a lifted word tells, beside its own, that of its right head.
So a parser learns which words were lifted; and where it finds one, the right head is looked for
below the one it found: the first word with that label, from the top down.

Where heads are given and to be kept, they are lifted likewise, and put back as they were.
"""

import numpy as np

from rollin.conll.projectivity import find_crossing
from rollin.native.kernels import kernel


@kernel
def lift(heads, starts, lifted):
    """Write into `lifted` the heads of trees, lifted until no arcs cross.

    Args:
        heads: for each word the number of its head in its sentence, 0 for the root.
        starts: where the words of each sentence begin.
        lifted: overwritten.
    """
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        words = last - first
        for word in range(first, last):
            lifted[word] = heads[word]
        here, alone = lifted[first:last], np.zeros(2, np.int64)
        alone[1] = words
        before, after = np.empty(words + 1, np.int32), np.empty(words + 1, np.int32)
        left, right = np.empty(words + 1, np.int32), np.empty(words + 1, np.int32)
        crossing = np.empty(words, np.bool_)
        while True:
            for word in range(words):
                crossing[word] = False
            find_crossing(here, alone, before, after, left, right, crossing)
            shortest = -1
            for word in range(words):
                if crossing[word]:
                    length = abs(here[word] - word - 1)
                    if shortest < 0 or length < abs(here[shortest] - shortest - 1):
                        shortest = word
            if shortest < 0:
                break
            here[shortest] = here[here[shortest] - 1]


@kernel
def lift_given(heads):
    """Lift the heads of one sentence, some of them unknown, until no arcs cross (row 0: the root).

    Where a head has no head that is known, the word gets none either.
    """
    while True:
        word = shortest_crossing(heads)
        if word == 0:
            break
        heads[word] = heads[heads[word]]


@kernel
def shortest_crossing(heads):
    """Give the word with the shortest arc that crosses another and can be lifted (0: none)."""
    found, shortest = 0, len(heads)
    for word in range(1, len(heads)):
        low, high = min(word, heads[word]), max(word, heads[word])
        if heads[word] > 0 and high - low < shortest:
            for inner in range(low + 1, high):
                if inner != word and heads[inner] >= 0 and not low <= heads[inner] <= high:
                    found, shortest = word, high - low
                    break
            for other in range(1, len(heads)):  # an arc from outside to one between them
                if low < heads[other] < high and not low <= other <= high:
                    found, shortest = word, high - low
                    break
    return found


@kernel
def put_back(heads, labels, starts, of_label, of_head, given):
    """Put lifted words where they belong, in place; then all labels are plain.

    Args:
        heads: of all sentences, each with its root first.
        labels: likewise.
        starts: where each sentence begins.
        of_label: for each label, the plain one.
        of_head: for each label, that of the right head; -1 if it is not that of a lifted word.
        given: heads that must not change, below zero where there are none.
    """
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        size = last - first
        marks = np.empty(size, np.int32)
        marked = False
        for word in range(size):
            label = labels[first + word]
            marks[word] = of_head[label] if label >= 0 else -1
            marked = marked or marks[word] >= 0
            labels[first + word] = of_label[label] if label >= 0 else label
        if marked:
            here = heads[first:last]
            for word in range(1, size):
                if marks[word] >= 0 and given[first + word] < 0:
                    new = highest(here, labels[first:last], here[word], marks[word], word)
                    if new > 0:
                        here[word] = new


@kernel
def highest(heads, labels, top, label, without):
    """Give the highest word below `top` with a label (0: none), but not `without` or below it."""
    size = len(heads)
    child, sibling = np.zeros(size, np.int32), np.zeros(size, np.int32)
    for word in range(size - 1, 0, -1):
        sibling[word], child[heads[word]] = child[heads[word]], word
    waiting, done, count = np.empty(size, np.int32), 0, 1
    waiting[0] = top
    while done < count:
        word = child[waiting[done]]
        done += 1
        while word > 0:
            if word != without:
                if labels[word] == label:
                    return word
                waiting[count] = word
                count += 1
            word = sibling[word]
    return 0


@kernel
def restore_given(heads, given, starts):
    """Give words their given heads back, in place, where no cycle comes of it."""
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        for word in range(1, last - first):
            head = given[first + word]
            if head > 0 and heads[first + word] > 0 and heads[first + word] != head:
                above = head
                while above > 0 and above != word:
                    above = heads[first + above]
                if above == 0:
                    heads[first + word] = head

"""Trees whose arcs cross for decoders that make none: move arcs, mark labels, put arcs back.

Of arcs that cross, the one that crosses most is moved: its lower end gets the nearest other head
under which less crosses, as a rule one above its head or below it. Its label then tells, beside its
own, that of its right head, and whether that is below or above the new one. So a parser learns
which words were moved; and where it finds one, it goes from the head it found up or down to the
first word with that label.

(Nivre and Nilsson 2005 lift the shortest arcs that are not projective, always upwards. Where commas
hang high in the tree and so cross what is around them, that would move everything but the commas.)

Where heads are given and to be kept, those that cross are lifted, and put back as they were.
"""

import numpy as np

from rollin.native.kernels import kernel

NOWHERE, BELOW, ABOVE = range(3)
"""Where the right head of a moved word is, seen from its new one."""


@kernel
def uncross(heads, starts, moved, where):
    """Move arcs of trees until none cross, as far as that can be done.

    Args:
        heads: for each word the number of its head in its sentence, 0 for the root.
        starts: where the words of each sentence begin.
        moved: overwritten: the heads then.
        where: overwritten: for each moved word where its right head is.
    """
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        tree = np.full(last - first + 1, -1, np.int32)
        for word in range(first, last):
            tree[word - first + 1] = heads[word]
        stuck = np.zeros(len(tree), np.bool_)
        while True:
            word = most_crossed(tree, stuck, np.sum(tree == 0) > 1)
            if word == 0:
                break
            place = nearest_place(tree, word)
            if place > 0:
                tree[word] = place
            else:
                stuck[word] = True
        for word in range(1, len(tree)):
            right = heads[first + word - 1]
            moved[first + word - 1], where[first + word - 1] = tree[word], NOWHERE
            if tree[word] != right:
                if is_above(tree, tree[word], right):
                    where[first + word - 1] = BELOW
                elif is_above(tree, right, tree[word]):
                    where[first + word - 1] = ABOVE


@kernel
def most_crossed(tree, stuck, several_roots):
    """Give the word whose arc crosses most others (0: none); of equals, the one with less below it.

    The only root stays, and so do words that are stuck.
    """
    found, most, least = 0, 0, 0
    for word in range(1, len(tree)):
        if (tree[word] > 0 or several_roots) and not stuck[word]:
            count = crossings(tree, word, tree[word])
            if count > 0 and count >= most:
                below = 0
                for other in range(1, len(tree)):
                    below += is_above(tree, word, other)
                if count > most or below < least:
                    found, most, least = word, count, below
    return found


@kernel
def crossings(tree, word, head):
    """Count the arcs that one between a word and a head would cross."""
    low, high, count = min(word, head), max(word, head), 0
    for other in range(1, len(tree)):
        if other != word:
            start, end = min(other, tree[other]), max(other, tree[other])
            count += start < low < end < high or low < start < high < end
    return count


@kernel
def nearest_place(tree, word):
    """Give the head under which the arc of a word crosses least, less than now (0: there is none).

    Of equals, the one that is nearest to the right head going up, or going down.
    """
    right = tree[word]
    found, least, nearest = 0, crossings(tree, word, right), 0
    for head in range(1, len(tree)):
        if head != right and head != word and not is_above(tree, word, head):
            count = crossings(tree, word, head)
            if count <= least:
                away = steps_up(tree, right, head)
                if away < 0:
                    away = steps_up(tree, head, right)
                if away < 0:
                    away = len(tree)
                if count < least or (found > 0 and away < nearest):
                    found, least, nearest = head, count, away
    return found


@kernel
def is_above(tree, above, word):
    """Say whether one word is above another in the tree."""
    return word != above and steps_up(tree, word, above) >= 0


@kernel
def steps_up(tree, word, above):
    """Count the steps from a word up to another (-1: it is not there)."""
    steps = 0
    while word > 0 and word != above:
        word = tree[word]
        steps += 1
    return steps if word == above else -1


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
def put_back(heads, labels, starts, of_label, of_head, where, given):
    """Put moved words where they belong, in place; then all labels are plain.

    Args:
        heads: of all sentences, each with its root first.
        labels: likewise.
        starts: where each sentence begins.
        of_label: for each label, the plain one.
        of_head: for each label of moved words, that of the right head; -1 if that is the root.
        where: for each label, where that is; NOWHERE if it is not a moved word's.
        given: heads that must not change, below zero where there are none.
    """
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        marks = labels[first:last].copy()
        marked = False
        for word in range(1, last - first):
            if marks[word] >= 0:
                labels[first + word] = of_label[marks[word]]
                marked = marked or where[marks[word]] != NOWHERE
        if marked:
            tree, plain = heads[first:last], labels[first:last]
            for word in range(1, last - first):
                mark, new = marks[word], 0
                if mark >= 0 and given[first + word] < 0:
                    if where[mark] == ABOVE and of_head[mark] < 0:
                        tree[word] = 0
                    elif where[mark] == BELOW:
                        new = highest(tree, plain, tree[word], of_head[mark], word)
                    elif where[mark] == ABOVE and tree[word] > 0:
                        new = tree[tree[word]]
                        while new > 0 and plain[new] != of_head[mark]:
                            new = tree[new]
                if new > 0:
                    tree[word] = new


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
def restore_given(heads, labels, given, starts):
    """Give words their given heads back, in place.

    Where the head is below the word, one that was not given is on the way down to it; that one
    comes to where the word was.
    """
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        tree, fixed, named = heads[first:last], given[first:last], labels[first:last]
        for word in range(1, last - first):
            if fixed[word] > 0 and tree[word] != fixed[word]:
                on_way, above = -1, fixed[word]
                while above > 0 and above != word:
                    if tree[above] != fixed[above]:
                        on_way = above
                    above = tree[above]
                if above == word and on_way > 0:
                    tree[on_way] = tree[word]
                    named[on_way], named[word] = named[word], named[on_way]
                tree[word] = fixed[word]

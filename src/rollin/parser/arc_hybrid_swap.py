"""Arc-hybrid transitions and SWAP: every tree can be made, with crossing arcs too.

To the three transitions of arc-hybrid comes

    SWAP    takes the top of the stack, s1, off and puts it into the buffer, behind b1

(de Lhoneux, Stymne and Nivre 2017; Nivre 2009.) It is possible where s1 stands before b1 in the
sentence, so a pair of words is swapped once at most, and every run comes to an end.

A tree with crossing arcs has none if its words are put in another order: every word's children on
their sides of it, each with all that is below it. The oracle is static about SWAP: it is right
where s1 comes behind b1 in that order, and nowhere else. About the other transitions it is dynamic:
it counts the right arcs they put out of reach, knowing which words will come back to the buffer.
Where no word will (in a sentence without crossing arcs: everywhere) the count is that of
arc-hybrid, and exact as long as nothing is swapped.
"""

import numpy as np

from rollin.decisions.schema import NOTHING
from rollin.parser.choosing import loss_of
from rollin.parser.tree import HEAD, LABEL, attach, empty_tree
from rollin.parser.view import see

TRANSITIONS = ("shift", "swap", "left", "right")
SHIFT, SWAP, LEFT, RIGHT = range(4)

SWAPS = 20
"""So many swaps a word are possible at most, so that parsing time grows with length, not with its
square. (Kept arcs may need more, and get them.)"""

NEAR = 3
"""What is learned is to swap a word with so many others at most."""


def arc_hybrid_swap(choose):
    """Make the decoder, with one of the ways of choosing."""

    def parse(search, sentence):
        n = len(sentence.heads) - 1
        tree = empty_tree(n)
        stack, buffer = np.zeros(n + 1, np.int32), np.zeros(n + 1, np.int32)
        for word in range(1, n + 1):
            buffer[n - word] = word  # its first word is the last of the array
        order = np.empty(0, np.int32)
        depth, left, swaps = 1, n, SWAPS * n
        allowed, costs = np.empty(4, np.bool_), np.zeros(4, np.float64)
        heads, children = np.empty(2, np.int32), np.empty(2, np.int32)
        sure = np.ones((2, n + 1), np.float64)
        while depth > 1 or left > 0:
            s1, b1 = stack[depth - 1], nth(buffer, left, 1)
            see(search, tree, stack, depth, b1, nth(buffer, left, 2), nth(buffer, left, 3))
            allow(allowed, depth, left, sentence.several_roots)
            allowed[SWAP] = 0 < s1 < b1 and (swaps > 0 or sentence.keep)
            if search.needs_reference or sentence.keep:
                if len(order) == 0 and sentence.keep:
                    order = projective_order(sentence.heads)
                elif len(order) == 0:
                    order = near_order(sentence.heads, NEAR)
                cost(costs, sentence.heads, order, stack, depth, buffer, left)
                if sentence.keep and allowed[SWAP] and costs[SWAP] > 0.0 and swaps > 0:
                    free = free_to_swap(sentence.heads, stack, depth, buffer, left)
                    costs[SWAP] = 0.0 if free > 0 else 2.0
            children[0] = children[1] = s1
            heads[0], heads[1] = b1, stack[max(depth - 2, 0)]
            transition, label = choose(search, sentence, heads, children, costs, allowed, sure)
            if transition == SHIFT:
                stack[depth] = b1
                depth += 1
                left -= 1
            elif transition == SWAP:
                if sentence.keep and order[s1] < order[b1]:
                    free = free_to_swap(sentence.heads, stack, depth, buffer, left)
                    if free > 0:
                        reorder(order, free, s1 + b1 - free)
                buffer[left - 1], buffer[left] = s1, b1
                depth -= 1
                left += 1
                swaps -= 1
            else:
                head = heads[transition - LEFT]
                attach(tree, s1, head, label)
                depth -= 1
                search.loss(loss_of(sentence, s1, head, label))
        return tree[:, HEAD].copy(), tree[:, LABEL].copy(), sure[0].copy(), sure[1].copy()

    return parse


def nth(buffer, left, number):
    """Give the first, second, ... word of the buffer, or NOTHING behind its end."""
    return buffer[left - number] if left >= number else NOTHING


def allow(allowed, depth, left, several_roots):
    """Say which transitions make a tree; about SWAP the decoder decides itself."""
    allowed[SHIFT] = left > 0
    allowed[LEFT] = depth > 1 and left > 0
    allowed[RIGHT] = depth > 2 or (depth == 2 and (several_roots or left == 0))


def cost(costs, gold, order, stack, depth, buffer, left):
    """Count twice the right arcs that each transition puts out of reach; a wrong swap costs two.

    (de Lhoneux, Stymne and Nivre 2017. Theirs says that SHIFT costs nothing if the word comes back;
    here the same goes for the words on the stack.)
    """
    costs[:] = 0.0
    s1, b1 = stack[depth - 1], nth(buffer, left, 1)
    lowest = len(order)  # the first of the words behind b1, in the projective order
    for place in range(left - 1):
        lowest = min(lowest, order[buffer[place]])
    if depth > 1:
        for place in range(left):
            word = buffer[place]
            if gold[word] == s1:
                costs[LEFT] += 2.0
                costs[RIGHT] += 2.0
            if gold[s1] == word:
                costs[LEFT] += 2.0 if word != b1 else 0.0
                costs[RIGHT] += 2.0
        s1_returns = returns(s1, order, lowest, buffer, left)
        for place in range(depth - 1):
            word = stack[place]
            if gold[s1] == word and place == depth - 2:
                costs[LEFT] += 2.0
            elif gold[s1] == word or gold[word] == s1:
                if s1_returns or returns(word, order, lowest, buffer, left):
                    costs[LEFT] += 2.0
                    costs[RIGHT] += 2.0
    if left > 0 and not returns(b1, order, lowest, buffer, left):
        for place in range(depth):
            word = stack[place]
            if gold[word] == b1 or (gold[b1] == word and place < depth - 1):
                if not returns(word, order, lowest, buffer, left):
                    costs[SHIFT] += 2.0
    if 0 < s1 < b1:
        if order[s1] < order[b1]:
            costs[SWAP] = 2.0
        else:
            costs[SHIFT] += 2.0
            costs[LEFT] += 2.0
            costs[RIGHT] += 2.0


def returns(word, order, lowest, buffer, left):
    """Say whether a word is still to be swapped with one of those behind b1."""
    if order[word] > lowest:
        for place in range(left - 1):
            if word < buffer[place] and order[word] > order[buffer[place]]:
                return True
    return False


def projective_order(gold):
    """Number the words so that no right arcs cross if they stand in this order.

    Where the head of a word is unknown, the word and all below it go where the word before them is:
    so nothing moves unless arcs cross.
    """
    n = len(gold) - 1
    heads = gold.astype(np.int32)
    top = np.zeros(n + 1, np.int32)  # of each word: the last one above it but the root (0: not yet)
    for word in range(1, n + 1):
        last = word
        for _ in range(n):  # (a cycle must not keep us for ever)
            if gold[last] <= 0 or top[last] > 0:
                break
            last = gold[last]
        last = top[last] if top[last] > 0 else last
        if heads[last] < 0:  # this word is the first of those below it
            heads[last] = word - 1
        above = word
        while top[above] == 0:
            top[above] = last
            above = gold[above] if gold[above] > 0 else above
    return in_order(heads)


def near_order(gold, most):
    """Give the projective order, but with no word moved behind more than `most` others.

    Where an arc asks for more, its lower end is put below the head of its head instead, as often as
    need be (Nivre and Nilsson 2005). Then that arc is out of reach, but there are not dozens of
    swaps to get right for it: in Danish it is 29 swaps a sentence, if they are not few.
    """
    heads = gold.astype(np.int32)
    order = projective_order(heads)
    for _ in range(len(gold)):
        if furthest(order) <= most:
            break
        word = longest_crossing(heads)
        if word == 0:
            break
        heads[word] = heads[heads[word]]
        order = projective_order(heads)
    return order


def furthest(order):
    """Say behind how many others a word is moved, at most."""
    most = 0
    for word in range(1, len(order)):
        passed = 0
        for later in range(word + 1, len(order)):
            passed += order[later] < order[word]
        most = max(most, passed)
    return most


def longest_crossing(heads):
    """Give the word with the longest arc that is not projective (0: there is none)."""
    found, longest = 0, 0
    for word in range(1, len(heads)):
        head = heads[word]
        if head > 0 and abs(head - word) > longest:
            for between in range(min(head, word) + 1, max(head, word)):
                above = between
                while above > 0 and above != head:
                    above = heads[above]
                if above != head:
                    found, longest = word, abs(head - word)
                    break
    return found


def in_order(heads):
    """Number the words of a tree: each behind its left children and all below them."""
    n = len(heads) - 1
    child, sibling = np.zeros(n + 1, np.int32), np.zeros(n + 1, np.int32)
    for word in range(n, 0, -1):
        sibling[word], child[heads[word]] = child[heads[word]], word
    order = np.full(n + 1, -1, np.int32)
    count, word = 0, 0
    while word > 0 or order[0] < 0 or child[0] > 0:
        if order[word] < 0 and (child[word] == 0 or child[word] > word):
            order[word] = count
            count += 1
        elif child[word] > 0:
            child[word], word = sibling[child[word]], child[word]
        else:
            word = heads[word]
    return order


def free_to_swap(gold, stack, depth, buffer, left):
    """Give s1 or b1 if it can go anywhere without harm to what is kept; 0 if neither can."""
    s1, b1 = stack[depth - 1], buffer[left - 1]
    if is_free(gold, s1, stack, depth, buffer, left):
        return s1
    return b1 if is_free(gold, b1, stack, depth, buffer, left) else 0


def is_free(gold, word, stack, depth, buffer, left):
    """Say whether a word has no kept arcs any more that are still to be made."""
    if gold[word] >= 0:
        return False
    for place in range(depth):
        if gold[stack[place]] == word:
            return False
    for place in range(left):
        if gold[buffer[place]] == word:
            return False
    return True


def reorder(order, word, other):
    """Give a word the place of another in the projective order, which moves by one."""
    start, end = order[word], order[other]
    for each in range(len(order)):
        if start < order[each] <= end:
            order[each] -= 1
        elif end <= order[each] < start:
            order[each] += 1
    order[word] = end

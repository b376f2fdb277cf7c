"""Arcs that cross: moved for decoders that make none, and put back."""

import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_parsing import all_trees, crosses, is_tree, roots

from rollin.conll.reading import read_blocks
from rollin.native.kernels import COMPILED
from rollin.parser.crossing import (
    ABOVE,
    BELOW,
    NOWHERE,
    lift_given,
    put_back,
    restore_given,
    uncross,
)
from rollin.parser.treebank import Layout, learn_facts, with_moved

SIZES = range(1, 6 if COMPILED else 5)
some = settings(max_examples=100, deadline=None)


def moved(heads):
    """Give heads (the root's first) without crossing arcs, and where the right ones are."""
    words = np.array(heads[1:], np.int32)
    found, where = np.empty((2, len(words)), np.int32)
    uncross(words, np.array([0, len(words)]), found, where)
    return (-1, *found.tolist()), (NOWHERE, *where.tolist())


def above(heads, word):
    """Give all above a word, the root too."""
    found = []
    while word > 0:
        word = heads[word]
        found.append(word)
    return found


def test_no_arcs_cross_in_any_tree_and_it_is_said_where_the_right_heads_are():
    for n in SIZES:
        for heads in all_trees(n):
            found, where = moved(heads)
            assert is_tree(found) and not crosses(found), (heads, found)
            assert (roots(heads) == 1) <= (roots(found) == 1)
            if not crosses(heads):
                assert found == heads
            for word in range(1, n + 1):
                right, new = heads[word], found[word]
                if where[word] == BELOW:
                    assert new in above(found, right)
                elif where[word] == ABOVE:
                    assert right in above(found, new)
                assert where[word] == NOWHERE or right != new


def test_of_arcs_that_cross_the_one_with_least_below_is_moved():
    """Arc 1-3 and the comma's, 2-5: the comma moves, and finds its head again above."""
    found, where = moved((-1, 5, 5, 1, 3, 0))
    assert found == (-1, 5, 1, 1, 3, 0) and where[2] == ABOVE


LINES = ((-1, 5, 5, 1, 3, 0), (-1, 2, 0, 5, 2, 1, 2))
"""A comma that hangs high, and a clause far behind its noun."""


def test_words_find_their_heads_again_by_their_labels():
    text = "".join(
        "".join(
            f"{n}\tw\t_\tX\t_\t_\t{head}\tlabel{n}\t_\t_\n" for n, head in enumerate(heads) if n
        )
        + "\n"
        for heads in LINES
        for _ in range(10)
    )
    blocks = list(read_blocks(io.BytesIO(text.encode())))
    labels = with_moved(learn_facts(blocks).labels, blocks, False)
    layout = Layout(labels, ("form",), False)
    plain = layout.batch(blocks, known=True)
    batch = layout.batch(blocks, known=True, uncrossed=True)
    heads, names = batch.along["heads"].copy(), batch.along["labels"].copy()
    assert names.max() >= len(labels.names), "there are words with labels of moved ones"
    assert not any(crosses(tuple(sentence.heads)) for sentence in batch)
    layout.finish(heads, names, batch.starts, None)
    assert np.array_equal(heads, plain.along["heads"])
    assert np.array_equal(names, plain.along["labels"])


@st.composite
def half_known(draw):
    """Draw a tree, and a part of its heads."""
    n = draw(st.integers(1, 9))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    heads, joined = [-1] * (n + 1), [0]
    for word in chance.permutation(np.arange(1, n + 1)).tolist():
        heads[word] = int(chance.choice(joined[1:] or joined))
        joined.append(word)
    return tuple(heads), tuple(h if chance.random() < 0.6 else -1 for h in heads)


@given(half_known())
@some
def test_given_heads_are_lifted_until_none_cross(drawn):
    heads, known = drawn
    lifted = np.array(known, np.int32)
    lift_given(lifted)
    for word in range(1, len(heads)):
        assert lifted[word] in (-1, *above(heads, word))
        assert known[word] >= 0 or lifted[word] == -1
        if known[word] == 0:
            assert lifted[word] == 0
    assert not crosses(tuple(lifted.tolist()))
    if not crosses(known):
        assert tuple(lifted.tolist()) == known


@given(half_known(), half_known())
@some
def test_given_heads_come_back_and_a_tree_stays_a_tree(drawn, other):
    """Whatever tree was found: also one in which a given head is below its word."""
    (_, known), (found, _) = drawn, other
    size = min(len(known), len(found))
    known = tuple(head if head < size else -1 for head in known[:size])
    tree = np.array([head if head < size else 0 for head in found[:size]], np.int32)
    if not is_tree(tree.tolist()):
        return
    before, labels = roots(tree.tolist()), np.arange(size, dtype=np.int32)
    restore_given(tree, labels, np.array(known, np.int32), np.array([0, size]))
    assert is_tree(tree.tolist()) and 1 <= roots(tree.tolist()) <= before
    assert sorted(labels.tolist()) == list(range(size))
    for word in range(1, size):
        assert known[word] <= 0 or tree[word] == known[word]


def test_words_with_unknown_marks_stay():
    heads, labels = np.array([-1, 2, 0], np.int32), np.array([-1, 1, 0], np.int32)
    none = np.full(3, -1, np.int32)
    of_label, of_head, where = np.array([[0, 0], [0, 5], [NOWHERE, BELOW]], np.int32)
    put_back(heads, labels, np.array([0, 3]), of_label, of_head, where, none)
    assert heads.tolist() == [-1, 2, 0] and labels.tolist() == [-1, 0, 0]

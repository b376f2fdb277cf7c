"""What a parser's decisions go by: the paper's slots, notes and templates.

`s1 s2 s3` are the words on top of the stack, `b1 b2 b3` the next ones in the buffer, `s1l1` the
leftmost child of s1, `s1r2` its second child from the right. Every slot shows all input columns of
its word; the labels of children are notes.
"""

from rollin.decisions.schema import NOTHING
from rollin.parser.tree import L1, L2, LABEL, LEFTS, R1, R2, RIGHTS, place_of

SLOTS = "s1 s2 s3 b1 b2 b3 s1l1 s1l2 s1r1 s1r2 s2l1 s2r1 b1l1 b1l2"
NOTES = (
    "distance s1lefts s1rights b1lefts s1l1label s1l2label s1r1label s1r2label b1l1label b1l2label"
)


def see(search, tree, stack, depth, b1, b2, b3):
    """Show a decision the words around the places where arcs are made (NOTHING: no such word)."""
    s1 = stack[depth - 1] if depth > 0 else NOTHING
    s2 = stack[depth - 2] if depth > 1 else NOTHING
    s, b = max(s1, 0), max(b1, 0)
    search.look("s1", s1)
    search.look("s2", s2)
    search.look("s3", stack[depth - 3] if depth > 2 else NOTHING)
    search.look("b1", b1)
    search.look("b2", b2)
    search.look("b3", b3)
    search.look("s1l1", place_of(tree[s, L1]))
    search.look("s1l2", place_of(tree[s, L2]))
    search.look("s1r1", place_of(tree[s, R1]))
    search.look("s1r2", place_of(tree[s, R2]))
    search.look("s2l1", place_of(tree[max(s2, 0), L1]))
    search.look("s2r1", place_of(tree[max(s2, 0), R1]))
    search.look("b1l1", place_of(tree[b, L1]))
    search.look("b1l2", place_of(tree[b, L2]))
    distance = min(abs(b1 - s1), 7) if s1 > 0 and b1 > 0 else 0
    search.note("distance", 7 + distance if s1 > b1 > 0 else distance)  # beyond 7: swapped
    search.note("s1lefts", min(tree[s, LEFTS], 5))
    search.note("s1rights", min(tree[s, RIGHTS], 5))
    search.note("b1lefts", min(tree[b, LEFTS], 5))
    search.note("s1l1label", tree[tree[s, L1], LABEL])
    search.note("s1l2label", tree[tree[s, L2], LABEL])
    search.note("s1r1label", tree[tree[s, R1], LABEL])
    search.note("s1r2label", tree[tree[s, R2], LABEL])
    search.note("b1l1label", tree[tree[b, L1], LABEL])
    search.note("b1l2label", tree[tree[b, L2], LABEL])


UNIGRAMS = (*SLOTS.split(), *NOTES.split())
BIGRAMS = (
    "s1 * s1", "s2 * s2", "s3 * s3", "b1 * b1", "b2 * b2", "b3 * b3", "s1 * b1", "s1 * s2",
    "b1 * b2",
)  # fmt: skip
TRIGRAMS = (
    "s1 * s2 * s3", "s1 * b1 * b2", "s1 * s2 * b1", "s1 * b1 * b3", "b1 * b2 * b3",
    "s1 * s1r1 * s2r1", "s1 * s1l2 * b1l2", "b1 * b1l1 * b1l2", "s1 * s2 * b1l1",
    "s1 * b1 * s1l1", "s1 * b1 * s2l1", "s1 * b1 * b1l1",
)  # fmt: skip
FACTS = tuple(
    f"{note} * {slot}" for note in NOTES.split() for slot in ("s1", "s2", "s3", "b1", "b2", "b3")
)
"""What the paper's library crosses beside its table: notes with words."""

"""Templates selected for the sparse parser, and those that fit a treebank.

Half as many features as the paper's templates make, and better ones. After Zhang and Nivre 2011:
three words are crossed by their tags and two forms at most, a word with its children by all
columns; and what an arc's label goes by is the words of the arc more than those around it. The
paper's own are in view.py.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from rollin.parser.view import BIGRAMS, FACTS, TRIGRAMS, UNIGRAMS


def _crossed(column: str, *slots: str) -> tuple[str, ...]:
    """Write templates that cross one column of several slots: "s1 b1 b2" is of three."""
    return tuple(" * ".join(f"{slot}.{column}" for slot in each.split()) for each in slots)


_THREES = (
    "s1 b1 b2", "s1 s2 b1", "s1 s2 s3", "b1 b2 b3", "s1 b1 b3", "s1 s2 b2",
    "s1 b1 s1l1", "s1 b1 s1r1", "s1 b1 b1l1",
    "s1 s2 s1l1", "s1 s2 s1r1", "s1 s2 s2l1", "s1 s2 s2r1",
)  # fmt: skip

_FOR_TRANSITIONS = (
    *UNIGRAMS,
    "s1 * s1", "s2 * s2", "b1 * b1", "s1 * b1", "s1 * s2", "s2 * b1", "b1 * b2",
    "s1 * s1l1", "s1 * s1r1", "b1 * b1l1", "s2 * s2r1", "s1l1 * b1", "s1r1 * b1", "s1 * b1l1",
    *_crossed("upos", *_THREES), *_crossed("xpos", *_THREES),
    "s1.form * b1.upos * s2.upos", "s1.upos * b1.form * s2.upos", "s1.upos * b1.upos * s2.form",
    "s1.form * b1.upos * b2.upos", "s1.upos * b1.form * b2.upos", "s1.upos * b1.upos * b2.form",
    "s1.form * b1.form * s2.upos", "s1.form * b1.form * b2.upos", "s1.form * s2.form * b1.upos",
    "s1.form * b1.form * s1r1.upos", "s1.form * b1.form * b1l1.upos",
    "distance * s1", "distance * b1", "distance * s1.upos * b1.upos",
    "distance * s1.xpos * b1.xpos", "distance * s1.form * b1.form",
    "distance * s1.form * b1.upos", "distance * s1.upos * b1.form",
    "distance * s1.upos * s2.upos",
    "s1lefts * s1", "s1rights * s1", "b1lefts * b1",
    "s1rights * s1.upos * b1.upos", "b1lefts * s1.upos * b1.upos",
    "s1l1label * s1", "s1r1label * s1", "b1l1label * b1", "s1r1label * s1.form * b1.upos",
    "s1l1label * s1l2label * s1.upos", "s1r1label * s1r2label * s1.upos",
    "b1l1label * b1l2label * b1.upos",
)  # fmt: skip

_FOR_LABELS = (
    "s1", "s2", "b1", "b2", "s1l1", "s1l2", "s1r1",
    "distance", "s1lefts", "s1rights", "s1l1label", "s1r1label",
    "s1.form * s1.?pos", "s1l1.form * s1.upos", "s1l1label * s1.upos", "s1r1label * s1.upos",
)  # fmt: skip

_FOR_LEFT_LABELS = (  # b1 is the head
    "s1 * b1", "b1l1", "b1l1label", "b1lefts", "s1l1.form * b1.upos",
    *_crossed("upos", "s1 b1 s1l1", "s1 b1 s2", "s1 b1 b2"),
    "distance * s1.upos * b1.upos", "b1lefts * s1.upos * b1.upos", "s1.upos * b1.upos * b1l1label",
)  # fmt: skip

_FOR_RIGHT_LABELS = (  # s2 is the head
    "s1 * s2", "s2l1", "s2r1", "s1l1.form * s2.upos", "s1l1.form * s2.form",
    *_crossed("upos", "s1 s2 s1l1", "s1 s2 s1r1", "s1 s2 s2r1", "s1 s2 b1"),
    "s1.upos * s2.upos * s1l1.form", "s1.upos * s2.upos * s1l1label",
    "s1.upos * s2.upos * s1r1label",
)  # fmt: skip

SELECTED = (
    *(f"transition: {each}" for each in _FOR_TRANSITIONS),
    *(f"*label: {each}" for each in _FOR_LABELS),
    *(f"left label: {each}" for each in _FOR_LEFT_LABELS),
    *(f"right label: {each}" for each in _FOR_RIGHT_LABELS),
)


TEMPLATES = {
    "unigrams": UNIGRAMS,
    "bigrams": BIGRAMS,
    "trigrams": TRIGRAMS,
    "facts": FACTS,
    "selected": SELECTED,
}
"""Sets of templates by name: the paper's table by its parts, what its library crosses beside it
(notes with words), and the ones selected here."""


def templates_from(described: Iterable[str]) -> tuple[str, ...]:
    """Write out templates: the name of a set stands for all that is in it."""
    parts = [TEMPLATES.get(template, (template,)) for template in described]
    return tuple(dict.fromkeys(template for part in parts for template in part))


def fitting(templates: Iterable[str], columns: Iterable[str], labels: str) -> tuple[str, ...]:
    """Leave out templates of a treebank's columns that are not in use, or of labels if there are
    none to be chosen by themselves. (Names that nothing has are left, to be complained of.)"""
    unused = [name for name in FIELDS if name not in columns]
    kept = []
    for template in templates:
        decision, _, crossed = template.rpartition(": ")
        seen = [factor.partition(".")[2] for factor in crossed.split(" * ")]
        missing = any(_names(name, unused) and not _names(name, columns) for name in seen)
        if not missing and (labels == "after" or not decision.endswith("label")):
            kept.append(template)
    return tuple(kept)


def _names(pattern: str, columns: Iterable[str]) -> bool:
    return any(fnmatchcase(column, pattern) for column in columns)


FIELDS = ("form", "lemma", "upos", "xpos", "feats")
"""The columns of a treebank that a decision can look at."""

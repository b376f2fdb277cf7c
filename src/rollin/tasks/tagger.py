"""The sequence tagger, Algorithm 1 of the paper: left to right, one tag a word, Hamming loss.

This is the whole of it. Everything about learning is a matter of how `fit` is called.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rollin.training.task import Task


@dataclass
class TaggedSentence:
    """A sentence: its words, and the numbers of their tags (UNKNOWN where there are none)."""

    words: Sequence[str]
    tags: np.ndarray


def tagger(tags: Iterable[str], templates: Iterable[str] | None = None) -> Task:
    """Make a tagger for a set of tags."""
    return Task(
        tag,
        slots="here left right left2 right2",
        notes="previous before",
        decisions={"tag": tuple(tags)},
        inputs=word_columns,
        templates=TEMPLATES if templates is None else templates,
        name="tagger",
    )


def tag(search, sentence):
    """Tag a sentence."""
    gold = sentence.tags
    tags = np.empty(len(gold), np.int64)
    previous, before = -1, -1
    for n in range(len(gold)):
        search.look("here", n)
        search.look("left", n - 1)
        search.look("right", n + 1)
        search.look("left2", n - 2)
        search.look("right2", n + 2)
        search.note("previous", previous)
        search.note("before", before)
        tags[n] = search.predict("tag", reference=gold[n])
        search.loss(tags[n] != gold[n])
        previous, before = tags[n], previous
    return tags


TEMPLATES = (
    "here",
    "left.word",
    "right.word",
    "left2.word",
    "right2.word",
    "left.suffix3",
    "right.suffix3",
    "left.suffix2",
    "right.suffix2",
    "left.shape",
    "right.shape",
    "previous",
    "previous * before",
    "here.lower * previous",
    "here.suffix3 * previous",
    "here.lower * left.lower",
    "here.lower * right.lower",
    "here.suffix2 * right.suffix2",
    "left.lower * right.lower",
)


def word_columns(sentence: TaggedSentence) -> dict[str, Iterable]:
    """Give what a tagger can see of each word."""
    words = sentence.words
    lower = [word.lower() for word in words]
    return {
        "word": words,
        "lower": lower,
        "suffix1": [word[-1:] for word in lower],
        "suffix2": [word[-2:] for word in lower],
        "suffix3": [word[-3:] for word in lower],
        "suffix4": [word[-4:] for word in lower],
        "prefix1": [word[:1] for word in lower],
        "prefix2": [word[:2] for word in lower],
        "prefix3": [word[:3] for word in lower],
        "shape": [shape(word) for word in words],
        "first": [n == 0 for n in range(len(words))],
    }


def shape(word: str) -> str:
    """Reduce a word to its kinds of letters: 'McDonald-7' to 'XxXxx-d'."""
    kinds = ""
    for letter in word:
        kind = "X" if letter.isupper() else "x" if letter.islower() else letter
        kind = "d" if letter.isdigit() else kind
        if kinds[-2:] != kind + kind:
            kinds += kind
    return kinds

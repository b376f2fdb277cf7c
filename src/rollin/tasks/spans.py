"""Spans (names in a text, say), labelled B, I and O, and learned for the number that is right.

A span is right as a whole or not at all: that is the loss. What each label would cost is known
exactly, from what has been labelled so far; `rollin.check` confirms it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rollin.tasks.tagger import word_columns
from rollin.training.task import Task

OUTSIDE = 0
"""The label of what is in no span. Behind it come, for each type, the one that begins a span and
the one that goes on with it: 1 and 2 for the first type, 3 and 4 for the second."""


@dataclass
class LabelledSentence:
    """A sentence: its words, and the number of each word's label."""

    words: Sequence[str]
    labels: np.ndarray


def span_labeller(types: Iterable[str], templates: Iterable[str] | None = None) -> Task:
    """Make a task that finds spans of some types."""
    labels = bio_labels(types)
    count = len(labels)

    def decoder(search, sentence):
        return label_spans(search, sentence, count)

    return Task(
        decoder,
        slots="here left right left2 right2",
        notes="previous length",
        decisions={"label": labels},
        inputs=word_columns,
        templates=TEMPLATES if templates is None else templates,
        name="spans",
    )


def bio_labels(types: Iterable[str]) -> tuple[str, ...]:
    """Name the labels of some types of spans."""
    return ("O", *(f"{part}-{name}" for name in types for part in "BI"))


def label_spans(search, sentence, count):
    """Label a sentence; count is the number of labels."""
    gold = sentence.labels
    labels = np.zeros(len(gold), np.int64)
    allowed = np.ones(count, np.bool_)
    costs = np.zeros(count, np.float64)
    previous, length = OUTSIDE, 0
    for n in range(len(gold)):
        for label in range(count):
            allowed[label] = not goes_on(label) or previous in (label - 1, label)
        if search.needs_reference:
            cost_labels(costs, labels, gold, n)
        search.look("here", n)
        search.look("left", n - 1)
        search.look("right", n + 1)
        search.look("left2", n - 2)
        search.look("right2", n + 2)
        search.note("previous", previous)
        search.note("length", min(length, 5))
        previous = search.predict("label", costs=costs, allowed=allowed)
        labels[n] = previous
        length = 0 if previous == OUTSIDE else length + 1 if goes_on(previous) else 1
    search.loss(wrong_spans(labels, gold))
    return labels


def goes_on(label):
    """Say whether a label goes on with a span."""
    return label > 0 and label % 2 == 0


def cost_labels(costs, labels, gold, n):
    """Say how many more spans come to be wrong if word n gets each label, and all goes well behind.

    A span that can't be right any more costs nothing more, however it goes on.
    """
    right, inside = right_so_far(labels, gold, n), goes_on(gold[n])
    for label in range(len(costs)):
        cost = 0.0
        if label != gold[n]:
            cost += begins(label)  # a span that should not be
            cost += begins(gold[n])  # a span that is missed
        if right and goes_on(label) != inside:
            cost += 2.0  # the open span becomes one that should not be, and the right one is missed
        costs[label] = cost


def begins(label):
    """Say whether a label begins a span."""
    return label % 2 == 1


def right_so_far(labels, gold, n):
    """Say whether the span open before word n, if one is, is a right one or its beginning."""
    if n == 0 or labels[n - 1] == OUTSIDE:
        return False
    start = n - 1
    while goes_on(labels[start]) and labels[start] == gold[start]:
        start -= 1
    return labels[start] == gold[start]


def wrong_spans(labels, gold):
    """Count the spans that are there but should not be, and those that should be but are not."""
    wrong = 0
    for n in range(len(gold)):
        wrong += int(begins(labels[n])) + int(begins(gold[n]))
        if begins(gold[n]) and labels[n] == gold[n] and end_of(labels, n) == end_of(gold, n):
            wrong -= 2
    return wrong


def end_of(labels, start):
    """Find the end of the span that begins at a word."""
    end = start + 1
    while end < len(labels) and goes_on(labels[end]):
        end += 1
    return end


def spans_of(labels: Sequence[int]) -> set[tuple[int, int, int]]:
    """Give the spans that labels stand for: start, end, and the number of the type."""
    return {(n, end_of(labels, n), label // 2) for n, label in enumerate(labels) if begins(label)}


def f1(gold: Iterable[Sequence[int]], found: Iterable[Sequence[int]]) -> float:
    """Score labelled sentences: the harmonic mean of precision and recall of spans, in percent."""
    right = all_spans = 0
    for one, other in zip(gold, found, strict=True):
        ours, theirs = spans_of(one), spans_of(other)
        right += len(ours & theirs)
        all_spans += len(ours) + len(theirs)
    return 200.0 * right / all_spans if all_spans else 100.0


TEMPLATES = (
    "here",
    "left.word",
    "right.word",
    "left.lower",
    "right.lower",
    "left2.lower",
    "right2.lower",
    "left.shape",
    "right.shape",
    "previous",
    "previous * length",
    "here.lower * previous",
    "here.shape * previous",
    "here.suffix3 * previous",
    "left.lower * previous",
    "right.lower * previous",
    "here.lower * left.lower",
    "here.lower * right.lower",
    "left.shape * here.shape * right.shape",
)

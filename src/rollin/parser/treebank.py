"""From blocks of a treebank to what decoders take, and back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rollin.conll.blocks import Block
from rollin.conll.words import SEEN, places_with_roots, word_columns
from rollin.decisions.batch import Batch
from rollin.decisions.schema import UNKNOWN
from rollin.errors import RollinError
from rollin.native.hashing import hash_text
from rollin.native.kernels import kernel
from rollin.parser.crossing import NOWHERE, put_back, restore_given, uncross
from rollin.parser.sentence import Sentence


@dataclass(frozen=True)
class Labels:
    """The labels of a treebank, and what they may label."""

    names: tuple[str, ...]
    below_root: tuple[bool, ...]
    """For each label, and then for each of moved words, whether a word below the root has it."""
    below_word: tuple[bool, ...]
    moved: tuple[tuple[int, int, int], ...] = ()
    """Labels of moved words: their own, that of their right head, and where that is."""

    @property
    def actions(self) -> list[str]:
        """Name all that a decoder chooses from."""
        sides = ("", "below", "above")
        heads = (*self.names, "the root")  # whose number is -1
        moved = (f"{heads[a]} of {heads[b]} {sides[side]}" for a, b, side in self.moved)
        return [*self.names, *moved]

    def numbers(self, block: Block) -> np.ndarray:
        """Give the number of each word's label in a block, UNKNOWN for others."""
        known = np.array([hash_text(name) for name in self.names], np.uint64)
        order = np.argsort(known)
        hashed = block.hashes("deprel")
        place = order[np.searchsorted(known, hashed, sorter=order).clip(max=len(known) - 1)]
        return np.where(known[place] == hashed, place, UNKNOWN).astype(np.int32)


@dataclass(frozen=True)
class Facts:
    """What a training treebank is like: what a parser has to be able to do."""

    sentences: int
    words: int
    labels: Labels
    several_roots: float
    """The part of its sentences that have more than one root."""
    crossing: float
    """The part of its sentences that have crossing arcs."""


def learn_facts(blocks: Sequence[Block]) -> Facts:
    """Look through a treebank."""
    below_root: dict[str, None] = {}
    below_word: dict[str, None] = {}
    sentences = words = roots = crossing = 0
    for block in blocks:
        labels = block.texts("deprel")
        for label, head in zip(labels, block.heads.tolist(), strict=True):
            (below_root if head == 0 else below_word)[label] = None
        sentences += block.sentences
        words += block.words
        several, crossed = count_trees(block.heads, block.starts)
        roots += int(several)
        crossing += int(crossed)
    if not sentences:
        raise RollinError("the training data has no sentences")
    names = tuple(sorted({**below_root, **below_word}))
    return Facts(
        sentences,
        words,
        Labels(
            names,
            tuple(name in below_root for name in names),
            tuple(name in below_word for name in names),
        ),
        several_roots=roots / sentences,
        crossing=crossing / sentences,
    )


@kernel
def count_trees(heads, starts):
    """Count the sentences with several roots, and those with crossing arcs."""
    several = crossing = 0
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        roots = 0
        for word in range(first, last):
            roots += heads[word] == 0
        several += roots > 1
        crossing += has_crossing(heads[first:last])
    return several, crossing


@kernel
def has_crossing(heads):
    """Say whether two arcs cross (those of the root too: it stands before the first word)."""
    for word in range(1, len(heads) + 1):
        low, high = min(word, heads[word - 1]), max(word, heads[word - 1])
        for inner in range(low + 1, high):
            head = heads[inner - 1]
            if head < low or head > high:
                return True
    return False


def columns_for(use: Iterable[str], derived: bool) -> tuple[str, ...]:
    """Name the input columns: those of the file, and with `derived` what is seen of the form."""
    columns: list[str] = []
    for name in use:
        columns += SEEN if derived and name == "form" else (name,)
    return tuple(columns)


def with_moved(labels: Labels, blocks: Sequence[Block], several_roots: bool) -> Labels:
    """Add labels for the moved words of a treebank, but for those that hardly come up."""
    seen: dict[tuple[int, int, int], int] = {}
    for block in blocks:
        _, marks = moved_words(labels, block)
        for mark in marks.values():
            seen[mark] = seen.get(mark, 0) + 1
    moved = tuple(
        mark
        for mark, count in sorted(seen.items())
        if count >= _OFTEN and (several_roots or mark[1] >= 0)
    )
    return Labels(
        labels.names,
        (*labels.below_root, *(False for _ in moved)),
        (*labels.below_word, *(True for _ in moved)),
        moved,
    )


_OFTEN = 10  # what comes up less often is not learned, and words with it stay where they are


def moved_words(labels: Labels, block: Block) -> tuple[np.ndarray, dict[int, tuple[int, int, int]]]:
    """Give the heads of a block when no arcs cross, and of moved words what their labels tell."""
    heads, where = np.empty((2, block.words), np.int32)
    uncross(block.heads, block.starts, heads, where)
    numbers = labels.numbers(block)
    right = np.repeat(block.starts[:-1], block.lengths) + block.heads - 1
    return heads, {
        word: (
            int(numbers[word]),
            int(numbers[right[word]]) if block.heads[word] > 0 else -1,
            int(where[word]),
        )
        for word in np.flatnonzero(where).tolist()
    }


@dataclass(frozen=True)
class Layout:
    """How sentences are laid out for a decoder."""

    labels: Labels
    columns: tuple[str, ...]
    several_roots: bool

    def batch(
        self, blocks: Sequence[Block], known: bool, keep: bool = False, uncrossed: bool = False
    ) -> Batch:
        """Lay blocks out.

        Args:
            known: heads and labels are those that stand there, or else nothing.
            keep: they must come out as they are.
            uncrossed: arcs that cross are moved, and the labels of moved words say where from (the
                trees must be whole); but for those moves that hardly come up.
        """
        heads = [self._with_roots(block, block.heads if known else None) for block in blocks]
        labels = [
            self._with_roots(block, self.labels.numbers(block) if known else None)
            for block in blocks
        ]
        if uncrossed:
            known_marks = {
                mark: len(self.labels.names) + n for n, mark in enumerate(self.labels.moved)
            }
            for number, block in enumerate(blocks):
                places = places_with_roots(block)
                moved, marks = moved_words(self.labels, block)
                for word, mark in marks.items():
                    if mark in known_marks:
                        heads[number][places[word]] = moved[word]
                        labels[number][places[word]] = known_marks[mark]
        features = [word_columns(block, self.columns) for block in blocks]
        sizes = [block.lengths + 1 for block in blocks]
        return Batch(
            Sentence,
            {"heads": np.concatenate(heads), "labels": np.concatenate(labels)},
            {
                "below_root": np.array(self.labels.below_root, np.bool_),
                "below_word": np.array(self.labels.below_word, np.bool_),
                "several_roots": self.several_roots,
                "keep": keep,
            },
            np.concatenate(sizes),
            self.columns,
            np.concatenate(features),
        )

    def finish(
        self, heads: np.ndarray, labels: np.ndarray, starts: np.ndarray, given: np.ndarray | None
    ) -> None:
        """Put what a decoder made in its final form, in place.

        Args:
            heads: of all sentences, each with its root first.
            labels: likewise.
            starts: where each sentence begins.
            given: heads to be kept, below zero where there are none; or nothing.
        """
        if self.labels.moved:
            plain = [(label, 0, NOWHERE) for label in range(len(self.labels.names))]
            marks = np.array([*plain, *self.labels.moved], np.int32)
            fixed = np.full(len(heads), UNKNOWN, np.int32) if given is None else given
            put_back(heads, labels, starts, *np.ascontiguousarray(marks.T), fixed)
        if given is not None:
            restore_given(heads, labels, given, starts)

    @staticmethod
    def _with_roots(block: Block, values: np.ndarray | None) -> np.ndarray:
        filled = np.full(block.words + block.sentences, UNKNOWN, np.int32)
        if values is not None:
            filled[places_with_roots(block)] = values
        return filled

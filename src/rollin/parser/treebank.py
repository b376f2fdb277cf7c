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
from rollin.parser.lifting import lift, put_back, restore_given
from rollin.parser.sentence import Sentence


@dataclass(frozen=True)
class Labels:
    """The labels of a treebank, and what they may label."""

    names: tuple[str, ...]
    below_root: tuple[bool, ...]
    """For each label, and then for each of lifted words, whether a word below the root has it."""
    below_word: tuple[bool, ...]
    lifted: tuple[tuple[int, int], ...] = ()
    """Labels of lifted words: the number of their own label and that of their right head."""

    @property
    def actions(self) -> list[str]:
        """Name all that a decoder chooses from."""
        return [*self.names, *(f"{self.names[a]} of {self.names[b]}" for a, b in self.lifted)]

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
        roots += several
        crossing += crossed
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


def with_lifted(labels: Labels, blocks: Sequence[Block]) -> Labels:
    """Add labels for the lifted words of a treebank, but for those that hardly come up."""
    seen: dict[tuple[int, int], list[int]] = {}
    for block in blocks:
        heads, pairs = lifted_words(labels, block)
        for word in np.flatnonzero(pairs[:, 0] >= 0).tolist():
            count = seen.setdefault((int(pairs[word, 0]), int(pairs[word, 1])), [0, 0, 0])
            count[0] += 1
            count[1 if heads[word] == 0 else 2] += 1
    lifted = {pair: count for pair, count in sorted(seen.items()) if count[0] >= _OFTEN}
    return Labels(
        labels.names,
        (*labels.below_root, *(bool(count[1]) for count in lifted.values())),
        (*labels.below_word, *(bool(count[2]) for count in lifted.values())),
        tuple(lifted),
    )


_OFTEN = 2


def lifted_words(labels: Labels, block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Give the lifted heads of a block, and for lifted words their label and that of their head."""
    heads = np.empty(block.words, np.int32)
    lift(block.heads, block.starts, heads)
    changed = np.flatnonzero(heads != block.heads)
    pairs = np.full((block.words, 2), -1, np.int32)
    numbers = labels.numbers(block)
    first = np.repeat(block.starts[:-1], block.lengths)
    pairs[changed, 0] = numbers[changed]
    pairs[changed, 1] = numbers[first[changed] + block.heads[changed] - 1]
    return heads, pairs


@dataclass(frozen=True)
class Layout:
    """How sentences are laid out for a decoder."""

    labels: Labels
    columns: tuple[str, ...]
    several_roots: bool

    def batch(
        self, blocks: Sequence[Block], known: bool, keep: bool = False, lifted: bool = False
    ) -> Batch:
        """Lay blocks out.

        Args:
            known: heads and labels are those that stand there, or else nothing.
            keep: they must come out as they are.
            lifted: arcs that cross are lifted, and the labels of lifted words say where from (the
                trees must be whole).
        """
        heads = [self._with_roots(block, block.heads if known else None) for block in blocks]
        labels = [
            self._with_roots(block, self.labels.numbers(block) if known else None)
            for block in blocks
        ]
        if lifted:
            marks = {pair: len(self.labels.names) + n for n, pair in enumerate(self.labels.lifted)}
            for number, block in enumerate(blocks):
                places = places_with_roots(block)
                heads[number][places], pairs = lifted_words(self.labels, block)
                for word in np.flatnonzero(pairs[:, 0] >= 0).tolist():
                    mark = marks.get((int(pairs[word, 0]), int(pairs[word, 1])))
                    if mark is not None:
                        labels[number][places[word]] = mark
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
        if self.labels.lifted:
            plain = np.arange(len(self.labels.names))
            pairs = np.array(self.labels.lifted, np.int32)
            of_label = np.concatenate([plain, pairs[:, 0]]).astype(np.int32)
            of_head = np.concatenate([0 * plain - 1, pairs[:, 1]]).astype(np.int32)
            fixed = np.full(len(heads), UNKNOWN, np.int32) if given is None else given
            put_back(heads, labels, starts, of_label, of_head, fixed)
        if given is not None:
            restore_given(heads, given, starts)

    @staticmethod
    def _with_roots(block: Block, values: np.ndarray | None) -> np.ndarray:
        filled = np.full(block.words + block.sentences, UNKNOWN, np.int32)
        if values is not None:
            filled[places_with_roots(block)] = values
        return filled

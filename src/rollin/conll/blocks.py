"""A block: some whole sentences of a file as bytes, and where in them everything stands."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rollin.conll.comments import comment_value
from rollin.conll.splicing import Change, splice
from rollin.errors import RollinError
from rollin.native.hashing import hash_bytes
from rollin.native.kernels import kernel

if TYPE_CHECKING:
    from rollin.conll.trees import Sentence

NAMES = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
# CoNLL-X has other names for some columns; what they hold is the same or near it.
X_NAMES = {"cpostag": 3, "postag": 4, "phead": 8, "pdeprel": 9}
COLUMNS = {name: number for number, name in enumerate(NAMES)} | X_NAMES


class Block:
    """Whole sentences of a file: their bytes, and arrays that say where everything stands.

    Words are numbered through the block. Multiword ranges, empty nodes, comments and sentences that
    were left out for their errors are among the bytes but not among the words.
    """

    def __init__(
        self,
        raw: bytes,
        *,
        path: str,
        format: str,
        edges: np.ndarray,
        heads: np.ndarray,
        lines: np.ndarray,
        starts: np.ndarray,
        spans: np.ndarray,
        others: np.ndarray,
        problems: np.ndarray,
        first_line: int,
        first_sentence: int,
        left_out: int,
    ) -> None:
        self.raw, self.path, self.format = raw, path, format
        self.data = np.frombuffer(raw, np.uint8)
        """uint8: the bytes of the block, exactly those of the input (unpacked)."""
        self.edges = edges
        """int32[words, 11]: field c of word w is data[edges[w, c] : edges[w, c + 1] - 1]."""
        self.heads = heads
        """int32[words]: HEAD as a number; 0 is the root, -1 stands for `_`."""
        self.lines = lines
        """int32[words]: the line of each word, in the block; `line` gives that in the file."""
        self.starts = starts
        """int64[sentences + 1]: the words of sentence s are starts[s] to starts[s + 1]."""
        self.spans = spans
        """int64[sentences, 4]: the first byte of a sentence (or its comments), the byte after its
        blank line, its number in the block (with those left out, from 1), its first line."""
        self.others = others
        """int32[., 8]: ranges and empty nodes, a row each (see scanning.scan)."""
        self.problems = problems
        """int64[., 7]: what was found to be wrong (see messages.describe)."""
        self.first_line, self.first_sentence = first_line, first_sentence
        """How many lines and sentences of the file stand before the block."""
        self.left_out = left_out
        """How many sentences were left out for their errors."""

    @property
    def words(self) -> int:
        return len(self.edges)

    @property
    def sentences(self) -> int:
        return len(self.spans)

    def hashes(self, column: str) -> np.ndarray:
        """Give the hash (`rollin.native.hashing.hash_bytes`) of a column's field for every word."""
        number = column_number(column)
        hashed = np.empty(self.words, np.uint64)
        _hash_fields(self.data, self.edges, number, hashed)
        return hashed

    def text(self, column: str, word: int) -> str:
        """Give the field of one word as text."""
        number = column_number(column)
        start, end = int(self.edges[word, number]), int(self.edges[word, number + 1]) - 1
        return self.raw[start:end].decode("utf-8", "surrogateescape")

    def texts(self, column: str) -> list[str]:
        """Give the fields of all words as text."""
        number = column_number(column)
        raw = self.raw
        starts = self.edges[:, number].tolist()
        ends = self.edges[:, number + 1].tolist()
        known: dict[bytes, str] = {}
        fields = []
        for start, end in zip(starts, ends, strict=True):
            field = raw[start : end - 1]
            text = known.get(field)
            if text is None:
                text = known[field] = field.decode("utf-8", "surrogateescape")
            fields.append(text)
        return fields

    def encoded(self, column: str) -> tuple[np.ndarray, list[str]]:
        """Give a column as numbers (int32[words]) and the different fields that they stand for.

        The fields are in the order in which they come first.
        """
        _, first, numbers = np.unique(self.hashes(column), return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order))
        return rank[numbers], [self.text(column, word) for word in first[order].tolist()]

    def replaced(self, changes: Mapping[str, Change]) -> bytes:
        """Give the block's bytes with columns replaced; nothing else changes by one byte.

        Args:
            changes: for a column's name either a number for every word, or a pair of such numbers
                and the list of names that they stand for. A number below 0 leaves the field of
                that word as it is.
        """
        numbered = {column_number(column): change for column, change in changes.items()}
        if len(numbered) < len(changes):
            raise RollinError(f"one column is named twice: {', '.join(changes)}")
        return splice(self.data, self.edges, numbered)

    def line(self, word: int) -> int:
        """Give the number of a word's line in the file."""
        return self.first_line + int(self.lines[word])

    def sentence_of(self, word: int) -> int:
        """Give the sentence (its number in the block) that a word stands in."""
        return int(np.searchsorted(self.starts, word, "right")) - 1

    def sentence_bytes(self, sentence: int) -> bytes:
        """Give the bytes of a sentence: comments, words and the blank line at its end."""
        start, end = self.spans[sentence, :2].tolist()
        return self.raw[start:end]

    def sent_id(self, sentence: int) -> str | None:
        """Give what stands in the comment `# sent_id = ...` of a sentence."""
        return comment_value(self.sentence_bytes(sentence), b"sent_id")

    def __len__(self) -> int:
        return self.sentences

    def __getitem__(self, sentence: int) -> "Sentence":
        from rollin.conll.trees import Sentence

        index = range(self.sentences)[sentence]
        line = self.first_line + int(self.spans[index, 3])
        return Sentence(self.sentence_bytes(index), path=self.path, line=line)

    def __iter__(self) -> "Iterator[Sentence]":
        return (self[sentence] for sentence in range(self.sentences))

    def __repr__(self) -> str:
        return (
            f"<Block of {self.path}: {self.sentences} sentences, {self.words} words, "
            f"from line {self.first_line + 1}, {self.format}>"
        )

    @cached_property
    def lengths(self) -> np.ndarray:
        """int64[sentences]: how many words each sentence has."""
        return np.diff(self.starts)


def column_number(column: str) -> int:
    """Give the number of a column, 0 to 9, by its name in CoNLL-U or CoNLL-X."""
    number = COLUMNS.get(column.lower())
    if number is None:
        raise RollinError(f"there is no column {column!r}; the columns are {', '.join(NAMES)}")
    return number


@kernel
def _hash_fields(data, edges, column, hashed):
    for word in range(len(edges)):
        hashed[word] = hash_bytes(data, edges[word, column], edges[word, column + 1] - 1)

"""A whole file as arrays, its fields numbered so that equal numbers mean equal text."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rollin.conll.blocks import Block
from rollin.conll.messages import ConllProblem
from rollin.conll.opening import Source, name_of
from rollin.conll.reading import read_blocks
from rollin.conll.scanning import RANGE
from rollin.errors import RollinError

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel")


class Numbering:
    """Numbers for texts, the same for every file that is compared."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, names: list[str]) -> np.ndarray:
        known = self._numbers
        return np.array([known.setdefault(name, len(known)) for name in names], np.int32)

    @property
    def names(self) -> list[str]:
        return list(self._numbers)


@dataclass(frozen=True)
class Treebank:
    """A whole file: for every word a number for each field; heads count within the sentence."""

    path: str
    format: str
    columns: dict[str, np.ndarray]
    heads: np.ndarray
    starts: np.ndarray
    """int64[sentences + 1]: where the words of each sentence begin."""
    lines: np.ndarray
    ranges: list[tuple[int, int, str]]
    """Multiword tokens: their first word, the word after their last one, and their form."""
    blocks: list[Block]

    @property
    def words(self) -> int:
        return len(self.heads)

    @property
    def sentence_of(self) -> np.ndarray:
        """int64[words]: the number of each word's sentence."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def parents(self) -> np.ndarray:
        """int64[words]: each word's head as a number in the whole file; -1 is the root."""
        offset = np.repeat(self.starts[:-1], np.diff(self.starts))
        return np.where(self.heads > 0, offset + self.heads - 1, -1)


def load(source: Source, numbering: Numbering) -> Treebank:
    """Read a file with a tree for every sentence, or say what is wrong with it."""
    columns: dict[str, list[np.ndarray]] = {name: [] for name in _COLUMNS}
    heads, starts, lines = [], [np.zeros(1, np.int64)], []
    ranges: list[tuple[int, int, str]] = []
    blocks = []
    before = 0
    for block in _read(source):
        for name in _COLUMNS:
            numbers, names = block.encoded(name)
            columns[name].append(numbering.of(names)[numbers])
        heads.append(block.heads.copy())
        starts.append(block.starts[1:] + before)
        lines.append(block.first_line + block.lines)
        for kind, first, last, word, _, start, end, _ in block.others.tolist():
            if kind == RANGE:
                form = block.raw[start:end].decode("utf-8", "surrogateescape")
                ranges.append((before + word, before + word + last - first + 1, form))
        blocks.append(block)
        before += block.words
    if not before:
        raise RollinError(f"{name_of(source)} has no words: there is nothing to score")
    return Treebank(
        path=name_of(source),
        format=blocks[0].format,
        columns={name: np.concatenate(parts) for name, parts in columns.items()},
        heads=np.concatenate(heads),
        starts=np.concatenate(starts),
        lines=np.concatenate(lines),
        ranges=ranges,
        blocks=blocks,
    )


def _read(source: Source) -> Iterator[Block]:
    try:
        yield from read_blocks(source, trees="required")
    except ConllProblem as problem:
        raise ConllProblem(problem.problems, "every sentence is scored, so mend them") from None

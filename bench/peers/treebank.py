"""CoNLL-U files as the peers see them: blocks of rows, words alone, trees put in.

A block is one sentence as it stands in the file: every line split into its columns, a comment as
a row of one. `words` gives the rows that take part in the tree; they are the block's own, so a
tree that is put into the words is in the block too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

Row = list[str]
FORM, UPOS, XPOS, FEATS, HEAD, DEPREL = 1, 3, 4, 5, 6, 7


def read_blocks(path: str | Path) -> Iterator[list[Row]]:
    block: list[Row] = []
    with Path(path).open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            line = line.rstrip("\r\n")
            if line:
                block.append([line] if line.startswith("#") else line.split("\t"))
            elif block:
                yield block
                block = []
    if block:
        yield block


def words(block: Iterable[Row]) -> list[Row]:
    """The rows of words: no comments, multiword ranges or empty nodes."""
    return [row for row in block if row[0].isdecimal()]


def write_block(file: TextIO, block: Iterable[Row]) -> None:
    file.write("\n".join("\t".join(row) for row in block) + "\n\n")


def put_tree(sentence: Sequence[Row], heads: Iterable[int], labels: Iterable[str]) -> None:
    for row, head, label in zip(sentence, heads, labels, strict=True):
        row[HEAD], row[DEPREL] = str(head), label


def write_blind(sources: Iterable[str | Path], target: str | Path, *, at_least: int = 0) -> int:
    """Write the sentences of `sources` without heads and labels; the number of words.

    They are repeated, in whole rounds, until there are `at_least` so many words.
    """
    blocks = [block for source in sources for block in read_blocks(source)]
    for block in blocks:
        for row in words(block):
            row[HEAD] = row[DEPREL] = "_"
    size = sum(len(words(block)) for block in blocks)
    rounds = max(1, -(-at_least // size))
    with Path(target).open("w", encoding="utf-8", newline="\n") as file:
        for _ in range(rounds):
            for block in blocks:
                write_block(file, block)
    return rounds * size


def root_label(sentences: Iterable[Sequence[Row]]) -> str:
    """The label that most roots have: `root` in Universal Dependencies, elsewhere its like."""
    labels = Counter(row[DEPREL] for words in sentences for row in words if row[HEAD] == "0")
    if not labels:
        raise ValueError("no word has the head 0: these are not dependency trees")
    return labels.most_common(1)[0][0]

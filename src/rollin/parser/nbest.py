"""The k best trees of a sentence, and how they stand in a file.

A beam ends with as many runs of the decoder as it is wide. Several may have made the same tree, on
different ways: what is counted is trees, each by the best of its ways. In the file a sentence comes
as often as it has trees, the best first, with two comments more:

    # rank = 1
    # score = -0.6931

Scores are those of rollin.compiler.beam.
"""

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rollin.compiler.beam import Output
from rollin.conll.blocks import Block
from rollin.conll.reading import read_blocks
from rollin.conll.trees import Sentence
from rollin.errors import RollinError


class Tree(NamedTuple):
    """A tree of a sentence: heads and labels, the root's first."""

    heads: np.ndarray
    labels: np.ndarray
    score: float


class Parse(NamedTuple):
    """A sentence with one of its best trees."""

    sentence: Sentence
    score: float


def distinct_trees(outputs: list[Output], count: int) -> list[Tree]:
    """Give the best trees, each once."""
    found: dict[bytes, Tree] = {}
    for output in outputs:  # the best first
        heads, labels = output.value[:2]
        key = heads.tobytes() + labels.tobytes()
        if key not in found:
            found[key] = Tree(heads.copy(), labels.copy(), output.score)
    return list(found.values())[:count]


def certainties(
    found: Sequence[Sequence[Output]], greedy: Sequence[np.ndarray], sharpness: float
) -> tuple[np.ndarray, np.ndarray]:
    """Say how certain the heads of best outputs are, and their labels given the heads.

    As much as the beam agrees, each output weighed by its score; but not more than the parser is
    without a beam, or, where that decides otherwise, than it doubts what it decides.

    Args:
        found: for each sentence what the beam ended with.
        greedy: heads, labels and both their certainties without a beam.
        sharpness: what scores are to be multiplied by, to be logarithms.
    """
    parts: list[list[np.ndarray]] = [[], [], [], []]
    for outputs in found:
        scores = np.array([output.score for output in outputs])
        weights = np.exp(sharpness * (scores - scores[0]))
        weights /= weights.sum()
        heads, labels = (np.array([output.value[part] for output in outputs]) for part in (0, 1))
        same_head = heads == heads[0]
        head = weights @ same_head
        label = weights @ (same_head & (labels == labels[0])) / head
        for part, values in zip(parts, (heads[0], labels[0], head, label), strict=True):
            part.append(values)
    heads, labels, head, label = (np.concatenate(part) for part in parts)
    same_head, same_label = heads == greedy[0], labels == greedy[1]
    head = np.minimum(head, np.where(same_head, greedy[2], 1.0 - greedy[2]))
    at_most = np.where(same_label, greedy[3], 1.0 - greedy[3])
    return head, np.minimum(label, np.where(same_head, at_most, 1.0))


def repeated(block: Block, trees: Sequence[Sequence[Tree]]) -> Iterator[Block]:
    """Make blocks in which every sentence comes as often as it has trees, with rank and score."""
    if block.format == "conllx":
        raise RollinError(
            "CoNLL-X has no comments, where ranks and scores would stand: convert the file to "
            "CoNLL-U first (`rollin convert`)"
        )
    parts, done = [], 0
    for (start, end), found in zip(block.spans[:, :2].tolist(), trees, strict=True):
        parts.append(block.raw[done:start])
        parts += _copies(block.raw[start:end], found)
        done = end
    copied = io.BytesIO(b"".join([*parts, block.raw[done:]]))
    return read_blocks(copied, on_error="keep", trees="ignored", format=block.format)


def _copies(sentence: bytes, trees: Sequence[Tree]) -> list[bytes]:
    """Copy a sentence once for every tree."""
    newline = b"\r\n" if b"\r\n" in sentence else b"\n"
    body = 0
    while sentence.startswith(b"#", body):
        body = sentence.index(b"\n", body) + 1
    between = b"" if sentence.endswith((b"\n\n", b"\n\r\n")) else newline
    if not sentence.endswith(b"\n"):
        between += newline
    copies = []
    for rank, tree in enumerate(trees, 1):
        notes = f"# rank = {rank}\n# score = {tree.score:.4f}\n".encode().replace(b"\n", newline)
        copies.append(sentence[:body] + notes + sentence[body:])
    return [copy + between for copy in copies[:-1]] + copies[-1:]

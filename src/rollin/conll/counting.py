"""Counting what is in a file: what `rollin stats` prints."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from rollin.conll.blocks import Block
from rollin.conll.kinds import Kind
from rollin.conll.projectivity import crossing_arcs
from rollin.conll.scanning import EMPTY_NODE, RANGE

_COLUMNS = ("upos", "xpos", "deprel")


def count(blocks: Iterable[Block]) -> dict[str, Any]:
    """Count sentences, words, tags, labels, roots, crossing arcs and lengths."""
    totals: Counter[str] = Counter()
    tables: dict[str, Counter[str]] = {column: Counter() for column in _COLUMNS}
    lengths: Counter[int] = Counter()
    forms: set[int] = set()
    path = format = ""
    for block in blocks:
        path, format = block.path, block.format
        sentence_of = np.repeat(np.arange(block.sentences), block.lengths)
        roots = np.bincount(sentence_of[block.heads == 0], minlength=block.sentences)
        crossing = crossing_arcs(block)
        kinds = block.others[:, 0]
        totals.update(
            {
                "sentences": block.sentences,
                "words": block.words,
                "multiword tokens": int((kinds == RANGE).sum()),
                "empty nodes": int((kinds == EMPTY_NODE).sum()),
                "sentences without a tree": int((roots == 0).sum()),
                "sentences with several roots": int((roots > 1).sum()),
                "non-projective sentences": len(np.unique(sentence_of[crossing])),
                "non-projective arcs": int(crossing.sum()),
                "sentences with errors, left out": block.left_out,
                "errors": int((block.problems[:, 0] <= Kind.LAST_ERROR).sum()),
            }
        )
        lengths.update(block.lengths.tolist())
        forms.update(np.unique(block.hashes("form")).tolist())
        for column in _COLUMNS:
            numbers, names = block.encoded(column)
            counts = np.bincount(numbers, minlength=len(names)).tolist()
            tables[column].update(dict(zip(names, counts, strict=True)))
    return {
        "path": path,
        "format": format,
        **totals,
        "different forms": len(forms),
        "length": _lengths(lengths),
        **{column: dict(table.most_common()) for column, table in tables.items()},
    }


def _lengths(lengths: Counter[int]) -> dict[str, float]:
    """Give the shortest, the middle, the mean and the longest length."""
    if not lengths:
        return {}
    values = np.array(sorted(lengths))
    counts = np.array([lengths[value] for value in values.tolist()])
    middle = values[np.searchsorted(counts.cumsum(), (counts.sum() + 1) // 2)]
    return {
        "shortest": int(values[0]),
        "median": int(middle),
        "mean": float((values * counts).sum() / counts.sum()),
        "longest": int(values[-1]),
    }

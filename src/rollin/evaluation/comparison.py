"""What comes of comparing two files, whatever the protocol."""

from dataclasses import dataclass, field

import numpy as np

from rollin.evaluation.scores import Score
from rollin.evaluation.treebanks import Treebank


@dataclass(frozen=True)
class Comparison:
    """A system against gold: the measures, and what the breakdowns need, word by word.

    Word `gold_words[i]` of gold and word `system_words[i]` of the system are the same word. Only
    words that count are there.
    """

    protocol: str
    described: str
    gold: Treebank
    system: Treebank
    measures: dict[str, Score]
    gold_words: np.ndarray
    system_words: np.ndarray
    right_heads: np.ndarray
    right_labels: np.ndarray
    gold_labels: list[str] = field(repr=False)
    """For every word of gold, its label as it is compared."""
    system_labels: list[str] = field(repr=False)
    gold_counted: np.ndarray
    system_counted: np.ndarray
    system_sentences: np.ndarray
    """int64[words of the system]: the sentence of gold in which each begins."""

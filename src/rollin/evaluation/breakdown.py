"""Where the right and the wrong arcs are: by label, by distance, by the sentence's length."""

from collections.abc import Callable

import numpy as np

from rollin.evaluation.comparison import Comparison
from rollin.evaluation.scores import Score
from rollin.evaluation.treebanks import Treebank

_DISTANCES = ((0, "root"), (1, "1"), (2, "2"), (3, "3-6"), (7, "7-14"), (15, "15 and more"))
_LENGTHS = ((1, "1-10"), (11, "11-20"), (21, "21-30"), (31, "31-50"), (51, "51 and more"))


def by_label(result: Comparison) -> dict[str, Score]:
    """Score heads with labels (LAS) for each label, the most frequent of gold first."""
    gold, system = np.array(result.gold_labels), np.array(result.system_labels)
    found = _scores(result, gold, system)
    return dict(sorted(found.items(), key=lambda item: (-item[1].gold, item[0])))


def by_distance(result: Comparison) -> dict[str, Score]:
    """Score heads (UAS) by how many words lie between a word and its head."""

    def binned(treebank: Treebank) -> np.ndarray:
        position = np.arange(treebank.words) - np.repeat(
            treebank.starts[:-1], np.diff(treebank.starts)
        )
        distance = np.abs(treebank.heads - 1 - position)
        return _bins(np.where(treebank.heads > 0, distance, 0), _DISTANCES)

    found = _scores(result, binned(result.gold), binned(result.system), labelled=False)
    return {name: found[name] for _, name in _DISTANCES if name in found}


def by_length(result: Comparison) -> dict[str, Score]:
    """Score heads with labels (LAS) by the number of words of the sentence in gold."""
    binned = _bins(np.diff(result.gold.starts), _LENGTHS)
    found = _scores(result, binned[result.gold.sentence_of], binned[result.system_sentences])
    return {name: found[name] for _, name in _LENGTHS if name in found}


BREAKDOWNS: dict[str, tuple[str, Callable[[Comparison], dict[str, Score]]]] = {
    "label": ("LAS by label", by_label),
    "distance": ("UAS by distance from the head", by_distance),
    "length": ("LAS by words in the sentence", by_length),
}


def _scores(
    result: Comparison, gold: np.ndarray, system: np.ndarray, labelled: bool = True
) -> dict[str, Score]:
    """Count by a key that every word has in gold, and in the system."""
    right = result.right_heads & result.right_labels if labelled else result.right_heads
    # A right arc has the same key in both files; where an alignment says otherwise, gold's counts.
    correct = _count(gold[result.gold_words[right]])
    expected, given = _count(gold[result.gold_counted]), _count(system[result.system_counted])
    return {
        str(key): Score(correct.get(key, 0), expected.get(key, 0), given.get(key, 0))
        for key in sorted({*expected, *given})
    }


def _count(keys: np.ndarray) -> dict[str, int]:
    names, counts = np.unique(keys, return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def _bins(values: np.ndarray, bins: tuple[tuple[int, str], ...]) -> np.ndarray:
    names = np.array([name for _, name in bins])
    return names[np.searchsorted([start for start, _ in bins], values, "right") - 1]

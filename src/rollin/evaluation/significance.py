"""Whether the difference of two systems means anything: paired tests over sentences.

Approximate randomisation (Noreen 1989; Yeh 2000) asks how often a difference as large as the one
found comes about when, for each sentence, it is left to chance which system gave which tree. The
interval is a bootstrap's (Efron and Tibshirani 1993): the sentences drawn anew, with replacement.
"""

from dataclasses import dataclass

import numpy as np

from rollin.errors import RollinError
from rollin.evaluation.comparison import Comparison

TRIALS = 10_000
_AT_ONCE = 1 << 22  # random numbers drawn at a time


@dataclass(frozen=True)
class Difference:
    """By how much the second system is better than the first, in points."""

    measure: str
    points: float
    low: float
    high: float
    """95 of 100 bootstrap samples lie between low and high."""
    p: float
    """How often chance makes a difference at least as large."""

    @property
    def significant(self) -> bool:
        return self.p < 0.05


def differences(
    first: Comparison, second: Comparison, seed: int = 1, trials: int = TRIALS
) -> list[Difference]:
    """Compare two systems on UAS and LAS, sentence by sentence."""
    if first.gold is not second.gold and first.gold.path != second.gold.path:
        raise RollinError("two systems can be compared only on the same gold file")
    found = []
    for measure in ("UAS", "LAS"):
        one, other = _by_sentence(first, measure), _by_sentence(second, measure)
        found.append(_tested(measure, one, other, np.random.default_rng(seed), trials))
    return found


def _by_sentence(result: Comparison, measure: str) -> np.ndarray:
    """Count for each sentence of gold: what is right; gold's words and the system's together."""
    right = result.right_heads & result.right_labels if measure == "LAS" else result.right_heads
    sentences = len(result.gold.starts) - 1
    sentence = result.gold.sentence_of
    correct = np.bincount(sentence[result.gold_words[right]], minlength=sentences)
    gold = np.bincount(sentence[result.gold_counted], minlength=sentences)
    system = np.bincount(result.system_sentences[result.system_counted], minlength=sentences)
    return np.stack([correct, gold + system], axis=1).astype(float)


def _tested(
    measure: str, first: np.ndarray, second: np.ndarray, random: np.random.Generator, trials: int
) -> Difference:
    sentences = len(first)
    observed = _f1(second.sum(0)) - _f1(first.sum(0))
    change = second - first
    as_large, drawn = 0, []
    chunk = max(1, _AT_ONCE // sentences)
    for start in range(0, trials, chunk):
        size = min(chunk, trials - start)
        moved = random.integers(0, 2, (size, sentences)).astype(float) @ change
        by_chance = _f1(second.sum(0) - moved) - _f1(first.sum(0) + moved)
        as_large += int((np.abs(by_chance) >= abs(observed) - 1e-9).sum())
        times = random.multinomial(sentences, np.full(sentences, 1 / sentences), size)
        drawn.append(_f1(times @ second) - _f1(times @ first))
    low, high = np.percentile(np.concatenate(drawn), [2.5, 97.5])
    p = (as_large + 1) / (trials + 1)
    return Difference(measure, float(observed), float(low), float(high), p)


def _f1(counts: np.ndarray) -> np.ndarray:
    return 200 * counts[..., 0] / np.maximum(counts[..., 1], 1)

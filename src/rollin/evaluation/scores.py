"""Scores: how many are right, of how many."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """One measure: what is right among what gold has and what the system gave, in percent.

    `aligned` counts what could have been right: the words that are the same in both files.
    """

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        return _percent(self.correct, self.system)

    @property
    def recall(self) -> float:
        return _percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        return _percent(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float | None:
        return None if self.aligned is None else _percent(self.correct, self.aligned)


@dataclass(frozen=True)
class Scores:
    """Attachment scores over the counted words: how many have the right head, label, and both."""

    words: int
    heads_right: int
    labels_right: int
    both_right: int

    @property
    def uas(self) -> float:
        """The part of the words with the right head, in percent."""
        return _percent(self.heads_right, self.words)

    @property
    def las(self) -> float:
        """The part of the words with the right head and label, in percent."""
        return _percent(self.both_right, self.words)

    @property
    def label_accuracy(self) -> float:
        """The part of the words with the right label, in percent."""
        return _percent(self.labels_right, self.words)

    def __str__(self) -> str:
        return (
            f"UAS {self.uas:.2f}  LAS {self.las:.2f}  label accuracy {self.label_accuracy:.2f}  "
            f"({self.words} words)"
        )


def _percent(part: int, whole: int) -> float:
    # Divided first, as the reference does: the digits must agree also where rounding is close.
    return 100 * (part / whole) if whole else 0.0

"""Memory for the arrays of one batch, used again for the next.

Arrays of some hundred positions are so large that the system takes their memory back when they are
gone, and hands it out again page by page, cleared: that was a tenth of the time of parsing.
"""

import math

import numpy as np

from rollin.learners.dense.sizes import whole_lines


def fresh(*shape: int) -> np.ndarray:
    """Make an array of its own, where there is no batch."""
    return np.empty(shape, np.float32)


class Room:
    """Gives arrays until it is cleared; then the same memory serves the next ones."""

    def __init__(self) -> None:
        self._flat, self._used, self._wanted = fresh(0), 0, 0

    def clear(self) -> None:
        """Take all back."""
        if self._wanted > len(self._flat):
            self._flat = fresh(self._wanted + self._wanted // 4)
        self._used = self._wanted = 0

    def __call__(self, *shape: int) -> np.ndarray:
        """Give an array. What is in it is left over from others."""
        size = math.prod(shape)
        start, lines = self._used, whole_lines(size)
        self._wanted += lines
        if start + lines > len(self._flat):  # a larger batch than any before
            return fresh(*shape)
        self._used += lines
        return self._flat[start : start + size].reshape(shape)

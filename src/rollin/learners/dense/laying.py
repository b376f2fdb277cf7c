"""Weights laid one behind the other in memory, to be worked on all at once, or in parts."""

import itertools
import math

import numpy as np

from rollin.learners.dense.sizes import whole_lines
from rollin.learners.features import LINE


class Layout:
    """Where each of some arrays lies in a flat one."""

    def __init__(self, shapes: dict[str, tuple[int, ...]]) -> None:
        self._shapes, self._starts, self.size = shapes, {}, 0
        for name, shape in shapes.items():
            self._starts[name] = self.size
            self.size += whole_lines(math.prod(shape))

    def zeros(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Make the flat array, and a view of it for every name."""
        flat = np.zeros(self.size, np.float32)
        views = {}
        for name, shape in self._shapes.items():
            start = self._starts[name]
            views[name] = flat[start : start + math.prod(shape)].reshape(shape)
        return flat, views

    def parts(self, count: int) -> list[slice]:
        """Cut the flat array into so many parts of about equal size."""
        cuts = np.linspace(0, self.size // LINE, count + 1).astype(int) * LINE
        return [slice(first, last) for first, last in itertools.pairwise(cuts)]

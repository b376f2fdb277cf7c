"""Examples laid end to end: the arrays of a whole file at once, and no Python object for each.

Where examples are cut from columns of numbers (the sentences of a treebank, say), making an object
of every one takes longer than deciding about it. A batch holds them as they are: arrays over all
positions of all examples, one behind the other. It is a sequence of examples like any other, and
gives each as an object when it is asked for one; native code never asks.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rollin.errors import RollinError


class Batch(Sequence):
    """Examples laid end to end.

    Args:
        example: what makes an example of its fields, a named tuple's class for one.
        along: fields with a value at every position: arrays over all positions.
        common: fields that are the same for all examples.
        sizes: how many positions each example has.
        columns: the names of the input columns.
        features: their hashes, positions x columns (see rollin.native.hashing).
    """

    def __init__(
        self,
        example: Callable[..., Any],
        along: Mapping[str, np.ndarray],
        common: Mapping[str, Any],
        sizes: np.ndarray,
        columns: Sequence[str],
        features: np.ndarray,
    ) -> None:
        self.example, self.common = example, dict(common)
        self.along = {name: np.ascontiguousarray(array) for name, array in along.items()}
        self.sizes = np.asarray(sizes, np.int64)
        self.columns, self.features = tuple(columns), np.ascontiguousarray(features, np.uint64)
        self.starts = np.cumsum(np.concatenate([[0], self.sizes])).astype(np.int64)
        for name, array in (*self.along.items(), ("features", self.features)):
            if len(array) != self.starts[-1]:
                raise RollinError(
                    f"the examples of a batch have {self.starts[-1]} positions together, but "
                    f"{name} has {len(array)}"
                )

    def __len__(self) -> int:
        return len(self.sizes)

    def __getitem__(self, number: Any) -> Any:
        if not -len(self) <= number < len(self):
            raise IndexError(f"example {number} of {len(self)}")
        place = self.place(number % len(self))
        return self.example(**{name: a[place] for name, a in self.along.items()}, **self.common)

    def cut(self, first: int, last: int) -> "Batch":
        """Give the examples from `first` up to `last`."""
        place = slice(int(self.starts[first]), int(self.starts[last]))
        along = {name: array[place] for name, array in self.along.items()}
        sizes, features = self.sizes[first:last], self.features[place]
        return Batch(self.example, along, self.common, sizes, self.columns, features)

    def place(self, number: int) -> slice:
        """Say which positions are those of an example."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

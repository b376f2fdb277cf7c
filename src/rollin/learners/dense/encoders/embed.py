"""The plainest encoder: a position's vector is the sum of its columns' vectors, normalised."""

from typing import Any, ClassVar

import numpy as np

from rollin.learners.dense.encoders.norm import normalise, pass_back
from rollin.learners.dense.room import fresh


class Embed:
    """Looks nowhere but at the position itself."""

    name: ClassVar[str] = "embed"
    alone: ClassVar[bool] = True

    def __init__(self, layers: int = 0) -> None:
        self.layers = layers

    def shapes(self, width: int) -> dict[str, tuple[int, ...]]:
        """Name the arrays to learn; those of one dimension begin at 1 (gains) or 0."""
        return {"embed gain": (width,), "embed shift": (width,)}

    def forward(
        self, arrays: Any, base: np.ndarray, starts: np.ndarray, room: Any = fresh
    ) -> tuple[np.ndarray, Any]:
        """Give the vectors and the tape."""
        made = room(*base.shape)
        return made, normalise(arrays, "embed", base, made, room)

    def backward(
        self,
        arrays: Any,
        tape: Any,
        starts: np.ndarray,
        slope: np.ndarray,
        into: Any,
        room: Any = fresh,
    ) -> np.ndarray:
        """Turn the gradient of the vectors into that of the base, in place."""
        pass_back(arrays, "embed", tape, slope, into)
        return slope

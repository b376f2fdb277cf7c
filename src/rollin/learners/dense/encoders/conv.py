"""Residual convolutions: every layer lets a position see its neighbours, those ones theirs.

    x <- normalise(x + relu(windows(x) W + b))

The windows of layer l reach to the left and right by 1, 2, 4 ... positions (dilated: van den Oord
and others 2016), so a few layers see most of a sentence.
"""

from typing import Any, ClassVar

import numpy as np

from rollin.learners.dense.encoders.embed import Embed
from rollin.learners.dense.encoders.norm import normalise, pass_back
from rollin.learners.dense.room import fresh
from rollin.native.kernels import kernel


class Conv:
    """Embeddings, then `layers` convolutions over three positions."""

    name: ClassVar[str] = "conv"
    alone: ClassVar[bool] = False

    def __init__(self, layers: int) -> None:
        self.layers, self._embed = layers, Embed()
        self._reach = [1, 1, 2, 4, 2, 1, 4, 2][:layers]

    def shapes(self, width: int) -> dict[str, tuple[int, ...]]:
        """Name the arrays to learn."""
        shapes = self._embed.shapes(width)
        for layer in range(self.layers):
            shapes |= {
                f"conv {layer}": (3 * width, width),
                f"conv {layer} shift": (width,),
                f"norm {layer} gain": (width,),
                f"norm {layer} shift": (width,),
            }
        return shapes

    def forward(
        self, arrays: Any, base: np.ndarray, starts: np.ndarray, room: Any = fresh
    ) -> tuple[np.ndarray, Any]:
        """Give the vectors and the tape."""
        x, first = self._embed.forward(arrays, base, starts, room)
        tapes = [first]
        for layer in range(self.layers):
            seen = room(len(x), 3 * x.shape[1])
            windows(x, starts, self._reach[layer], seen)
            made = np.matmul(seen, arrays[f"conv {layer}"], out=room(*x.shape))
            alive = np.empty(made.shape, np.bool_)
            rectify(made, arrays[f"conv {layer} shift"], alive, x)
            tapes.append((seen, alive, normalise(arrays, f"norm {layer}", x, x, room)))
        return x, tapes

    def backward(
        self,
        arrays: Any,
        tapes: Any,
        starts: np.ndarray,
        slope: np.ndarray,
        into: Any,
        room: Any = fresh,
    ) -> np.ndarray:
        """Turn the gradient of the vectors into that of the base, in place."""
        for layer in reversed(range(self.layers)):
            seen, alive, tape = tapes[layer + 1]
            pass_back(arrays, f"norm {layer}", tape, slope, into)
            inner = room(*slope.shape)
            rectify_back(slope, alive, inner, into[f"conv {layer} shift"])
            np.matmul(seen.T, inner, out=into[f"conv {layer}"])
            seen_slope = np.matmul(inner, arrays[f"conv {layer}"].T, out=room(*seen.shape))
            windows_back(seen_slope, starts, self._reach[layer], slope)
        return self._embed.backward(arrays, tapes[0], starts, slope, into)


@kernel
def rectify(made, shift, alive, x):
    """Add relu(made + shift) to x; keep where it was above zero."""
    for row in range(len(made)):
        source, into, kept = made[row], x[row], alive[row]
        for place in range(len(shift)):
            value = source[place] + shift[place]
            kept[place] = value > np.float32(0.0)
            into[place] += max(value, np.float32(0.0))


@kernel
def rectify_back(slope, alive, inner, shift_slope):
    """Let the gradient through where the sum was above zero."""
    for row in range(len(slope)):
        source, into, kept = slope[row], inner[row], alive[row]
        for place in range(len(shift_slope)):
            value = source[place] if kept[place] else np.float32(0.0)
            into[place] = value
            shift_slope[place] += value


@kernel
def windows(x, starts, reach, seen):
    """Lay each row beside the ones `reach` before and behind it; beyond the ends stand zeros."""
    width = x.shape[1]
    for number in range(len(starts) - 1):
        first, last = starts[number], starts[number + 1]
        for row in range(first, last):
            for part in range(3):
                other = row + (part - 1) * reach
                start = part * width
                if first <= other < last:
                    for place in range(width):
                        seen[row, start + place] = x[other, place]
                else:
                    for place in range(width):
                        seen[row, start + place] = np.float32(0.0)


@kernel
def windows_back(slope, starts, reach, into):
    """Add the gradient of the windows to that of the rows they were made of."""
    width = into.shape[1]
    for number in range(len(starts) - 1):
        first, last = starts[number], starts[number + 1]
        for row in range(first, last):
            for part in range(3):
                other = row + (part - 1) * reach
                start = part * width
                if first <= other < last:
                    for place in range(width):
                        into[other, place] += slope[row, start + place]

"""Gated recurrences in both directions: a position hears from its whole sentence, near and far.

    z, f, r <- x W,  f and r squashed to 0..1
    c_t = f_t c_{t-1} + (1 - f_t) z_t          from the left in one half of the units,
    x  <- normalise(x + r c)                   from the right in the other

(Simple recurrent units: Lei and others 2018; quasi-recurrent networks: Bradbury and others 2017.)
What is passed on from one position to the next is not multiplied by a matrix, so all positions of
all sentences take one matrix product together, and the recurrence itself is a few additions.
The first layer is a convolution: what stands beside a word matters most.
"""

from typing import Any, ClassVar

import numpy as np

from rollin.learners.dense.encoders.conv import Conv
from rollin.learners.dense.encoders.norm import normalise, pass_back
from rollin.learners.dense.room import fresh
from rollin.native.kernels import kernel

_HALF, _ONE, _ZERO = np.float32(0.5), np.float32(1.0), np.float32(0.0)


class Recur:
    """Embeddings, a convolution, then `layers` less one recurrences."""

    name: ClassVar[str] = "recur"
    alone: ClassVar[bool] = False

    def __init__(self, layers: int) -> None:
        self.layers, self._conv = layers, Conv(1)

    def shapes(self, width: int) -> dict[str, tuple[int, ...]]:
        """Name the arrays to learn."""
        shapes = self._conv.shapes(width)
        for layer in range(1, self.layers):
            shapes |= {
                f"recur {layer}": (width, 3 * width),
                f"recur {layer} shift": (2 * width,),
                f"norm {layer} gain": (width,),
                f"norm {layer} shift": (width,),
            }
        return shapes

    def forward(
        self, arrays: Any, base: np.ndarray, starts: np.ndarray, room: Any = fresh
    ) -> tuple[np.ndarray, Any]:
        """Give the vectors and the tape."""
        x, first = self._conv.forward(arrays, base, starts, room)
        tapes = [first]
        for layer in range(1, self.layers):
            seen = x
            rows, width = seen.shape
            gates = np.matmul(seen, arrays[f"recur {layer}"], out=room(rows, 3 * width))
            cells, x = room(rows, width), room(rows, width)
            recur(gates, arrays[f"recur {layer} shift"], starts, seen, cells, x)
            tapes.append((seen, gates, cells, normalise(arrays, f"norm {layer}", x, x, room)))
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
        for layer in reversed(range(1, self.layers)):
            seen, gates, cells, tape = tapes[layer]
            pass_back(arrays, f"norm {layer}", tape, slope, into)
            recur_back(gates, starts, cells, slope, into[f"recur {layer} shift"])
            np.matmul(seen.T, gates, out=into[f"recur {layer}"])
            slope += np.matmul(gates, arrays[f"recur {layer}"].T, out=room(*slope.shape))
        return self._conv.backward(arrays, tapes[0], starts, slope, into, room)


@kernel
def squash(value):
    """Squash a number to 0..1; a curve like the logistic one that needs no exponential."""
    return _HALF + _HALF * value / (_ONE + abs(value))


@kernel
def squash_slope(squashed):
    """Give the slope of the curve where it has this value."""
    away = _ONE - abs(squashed + squashed - _ONE)  # 1 / (1 + |value|)
    return _HALF * away * away


@kernel
def recur(gates, shift, starts, seen, cells, made):
    """Run the recurrence over every sentence; what stood in the gates is squashed in place."""
    width = seen.shape[1]
    half = width // 2
    for number in range(len(starts) - 1):
        first, last = starts[number], starts[number + 1]
        for step in range(last - first):
            for side in range(2):
                row = first + step if side == 0 else last - 1 - step
                low, high = (0, half) if side == 0 else (half, width)
                z, f = gates[row, low:high], gates[row, width + low : width + high]
                r = gates[row, 2 * width + low : 2 * width + high]
                f_shift, r_shift = shift[low:high], shift[width + low : width + high]
                own, cell, result = seen[row, low:high], cells[row, low:high], made[row, low:high]
                for unit in range(len(z)):
                    f[unit] = squash(f[unit] + f_shift[unit])
                    r[unit] = squash(r[unit] + r_shift[unit])
                    cell[unit] = (_ONE - f[unit]) * z[unit]
                if step > 0:
                    before = cells[row - 1 if side == 0 else row + 1, low:high]
                    for unit in range(len(z)):
                        cell[unit] += f[unit] * before[unit]
                for unit in range(len(z)):
                    result[unit] = own[unit] + r[unit] * cell[unit]


@kernel
def recur_back(gates, starts, cells, slope, shift_slope):
    """Turn the gates into their gradient, in place; `slope` is that of what was made."""
    width = slope.shape[1]
    half = width // 2
    behind = np.zeros(width, np.float32)  # the gradient that comes back along the recurrence
    for number in range(len(starts) - 1):
        first, last = starts[number], starts[number + 1]
        behind[:] = _ZERO
        for back in range(last - first):
            step = last - first - 1 - back
            for side in range(2):
                row = first + step if side == 0 else last - 1 - step
                low, high = (0, half) if side == 0 else (half, width)
                z, f = gates[row, low:high], gates[row, width + low : width + high]
                r = gates[row, 2 * width + low : 2 * width + high]
                f_shift = shift_slope[low:high]
                r_shift = shift_slope[width + low : width + high]
                passed, own, cell = behind[low:high], slope[row, low:high], cells[row, low:high]
                # where a sentence begins, the cell before counts as zero: any row times nothing
                before = cells[(row - 1 if side == 0 else row + 1) if step > 0 else row, low:high]
                there = _ONE if step > 0 else _ZERO
                for unit in range(len(z)):
                    inner = passed[unit] + own[unit] * r[unit]
                    r_back = own[unit] * cell[unit] * squash_slope(r[unit])
                    f_back = inner * (there * before[unit] - z[unit]) * squash_slope(f[unit])
                    passed[unit] = inner * f[unit]
                    z[unit] = inner * (_ONE - f[unit])
                    f[unit], r[unit] = f_back, r_back
                    f_shift[unit] += f_back
                    r_shift[unit] += r_back

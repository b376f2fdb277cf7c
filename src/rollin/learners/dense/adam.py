"""Adam (Kingma and Ba 2015), with the rate falling in a straight line to zero.

Tables of vectors get it row by row, only where there is a gradient: of ten thousand words a batch
shows a few hundred.
"""

import math

import numpy as np

from rollin.native.kernels import kernel

_ONE = np.float32(1.0)


def rate_at(rate: float, progress: float, warm: float = 0.02) -> float:
    """Give the rate at a part of the training: up quickly, then down in a straight line."""
    return rate * min(1.0, (progress + 1e-6) / warm) * max(0.0, 1.0 - progress)


def corrected(rate: float, step: int, first: float, second: float) -> float:
    """Make up for moments that began at zero."""
    return rate * math.sqrt(1.0 - second**step) / (1.0 - first**step)


@kernel
def adam(weights, gradient, mean, square, scale, rate, first, second, tiny):
    """Change weights against their gradient (times `scale`), which is set back to zero.

    All arrays are flat and of one length; `mean` and `square` are the moments.
    """
    scale, rate, tiny = np.float32(scale), np.float32(rate), np.float32(tiny)
    b1, b2 = np.float32(first), np.float32(second)
    for place in range(len(weights)):
        slope = gradient[place] * scale
        gradient[place] = np.float32(0.0)
        mean[place] = b1 * mean[place] + (_ONE - b1) * slope
        square[place] = b2 * square[place] + (_ONE - b2) * slope * slope
        weights[place] -= rate * mean[place] / (np.sqrt(square[place]) + tiny)


@kernel
def take_in(gradient, other):
    """Add another gradient, which is set back to zero."""
    for place in range(len(gradient)):
        gradient[place] += other[place]
        other[place] = np.float32(0.0)


@kernel
def adam_rows(table, gradient, mean, square, rows, touched, step, scale, rate, first, second, tiny):
    """Do the same as `adam` for some rows of a table, for each once a step: see `touched`."""
    for row in rows:
        if touched[row] != step:
            touched[row] = step
            adam(
                table[row], gradient[row], mean[row], square[row], scale, rate, first, second, tiny
            )

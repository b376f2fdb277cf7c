"""Layer normalisation (Ba, Kiros and Hinton 2016): every vector to mean 0 and variance 1."""

from typing import Any

import numpy as np

from rollin.native.kernels import kernel

LANES = 16
_TINY = np.float32(1e-5)


class Normalised:
    """What the way back needs to know."""

    def __init__(self, x: np.ndarray, room: Any) -> None:
        self.unit, self.spread = room(*x.shape), room(len(x))


def normalise(arrays: Any, name: str, x: np.ndarray, made: np.ndarray, room: Any) -> Normalised:
    """Normalise the rows of `x` into `made`, by the gain and the shift of a name; give the tape."""
    tape = Normalised(x, room)
    gain, shift = arrays[f"{name} gain"], arrays[f"{name} shift"]
    normalise_rows(x, gain, shift, tape.unit, tape.spread, made)
    return tape


def pass_back(arrays: Any, name: str, tape: Normalised, slope: np.ndarray, into: Any) -> None:
    """Turn the gradient of what was made into that of `x`; add those of the gain and the shift."""
    gain, gain_slope, shift_slope = (
        arrays[f"{name} gain"],
        into[f"{name} gain"],
        into[f"{name} shift"],
    )
    normalise_back(tape.unit, tape.spread, gain, slope, gain_slope, shift_slope)


@kernel
def normalise_rows(x, gain, shift, unit, spread, made):
    """See above. Sums run in lanes side by side: the processor adds sixteen at once."""
    width = x.shape[1]
    lanes = np.zeros(LANES, np.float32)
    for row in range(len(x)):
        source, into, result = x[row], unit[row], made[row]
        mean = lane_sum(source, lanes) / np.float32(width)
        for place in range(width):
            into[place] = source[place] - mean
        root = np.sqrt(lane_product(into, into, lanes) / np.float32(width) + _TINY)
        spread[row] = root
        less = np.float32(1.0) / root
        for place in range(width):
            into[place] *= less
            result[place] = into[place] * gain[place] + shift[place]


@kernel
def normalise_back(unit, spread, gain, slope, gain_slope, shift_slope):
    """See above: `slope` is overwritten."""
    width = unit.shape[1]
    lanes = np.zeros(LANES, np.float32)
    for row in range(len(unit)):
        own, inner = unit[row], slope[row]
        for place in range(width):
            gain_slope[place] += inner[place] * own[place]
            shift_slope[place] += inner[place]
            inner[place] *= gain[place]
        mean = lane_sum(inner, lanes) / np.float32(width)
        along = lane_product(inner, own, lanes) / np.float32(width)
        less = np.float32(1.0) / spread[row]
        for place in range(width):
            inner[place] = (inner[place] - mean - own[place] * along) * less


@kernel
def lane_sum(vector, lanes):
    """Add up a vector in lanes, then the lanes."""
    for lane in range(LANES):
        lanes[lane] = np.float32(0.0)
    whole = len(vector) // LANES * LANES
    for start in range(0, whole, LANES):
        piece = vector[start : start + LANES]
        for lane in range(LANES):
            lanes[lane] += piece[lane]
    total = np.float32(0.0)
    for lane in range(LANES):
        total += lanes[lane]
    for place in range(whole, len(vector)):
        total += vector[place]
    return total


@kernel
def lane_product(one, other, lanes):
    """Add up the products of two vectors in lanes, then the lanes."""
    for lane in range(LANES):
        lanes[lane] = np.float32(0.0)
    whole = len(one) // LANES * LANES
    for start in range(0, whole, LANES):
        left, right = one[start : start + LANES], other[start : start + LANES]
        for lane in range(LANES):
            lanes[lane] += left[lane] * right[lane]
    total = np.float32(0.0)
    for lane in range(LANES):
        total += lanes[lane]
    for place in range(whole, len(one)):
        total += one[place] * other[place]
    return total

"""Layer normalisation (Ba, Kiros and Hinton 2016): every vector to mean 0 and variance 1."""

import numpy as np

_TINY = np.float32(1e-5)


def normalise(x, gain, shift):
    """Normalise the rows of `x`; give the result and the tape."""
    width = np.float32(x.shape[1])
    centred = x - (x.sum(axis=1) / width)[:, None]
    spread = np.sqrt(np.einsum("ij,ij->i", centred, centred) / width + _TINY)
    centred /= spread[:, None]
    return centred * gain + shift, (centred, spread)


def pass_back(tape, gain, slope, gain_slope, shift_slope):
    """Give the gradient of `x`; add those of the gain and the shift to theirs."""
    unit, spread = tape
    width = np.float32(unit.shape[1])
    gain_slope += np.einsum("ij,ij->j", slope, unit)
    shift_slope += slope.sum(axis=0)
    inner = slope * gain
    mean = inner.sum(axis=1) / width
    along = np.einsum("ij,ij->i", inner, unit) / width
    inner -= mean[:, None]
    inner -= unit * along[:, None]
    inner /= spread[:, None]
    return inner

"""Weights as a model file keeps them: tables of vectors in 8 bits, all else in 16.

Every vector of a table is kept as whole numbers from -127 to 127, times a factor of its own. That
is a fourth of the memory, and the scores do not move (docs/parser.md has the measurement). A model
is packed when its training is finished, and what it predicts with is what was packed: so the
scores that are reported are those of the file.
"""

import numpy as np

_MOST = 127.0


def packed(arrays: dict[str, np.ndarray], tables: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Pack weights; `tables` names those that are kept vector by vector in 8 bits."""
    kept = {}
    for name, array in arrays.items():
        if name in tables:
            factors = np.abs(array).max(axis=1, initial=0.0) / _MOST
            factors = np.maximum(factors, np.finfo(np.float32).tiny).astype(np.float32)
            kept[f"{name} factors"] = factors
            kept[f"{name} in 8 bits"] = np.rint(array / factors[:, None]).astype(np.int8)
        else:
            kept[f"{name} in 16 bits"] = array.astype(np.float16)
    return kept


def unpacked(kept: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Unpack weights, to 32 bits."""
    arrays = {}
    for name, array in kept.items():
        if name.endswith(" in 16 bits"):
            arrays[name.removesuffix(" in 16 bits")] = array.astype(np.float32)
        elif name.endswith(" in 8 bits"):
            own = name.removesuffix(" in 8 bits")
            arrays[own] = array.astype(np.float32) * kept[f"{own} factors"][:, None]
    return arrays

"""SGD+: adaptive, normalised and importance-invariant gradient descent.

Every weight has a rate of its own, which falls with the gradients it has seen (Duchi, Hazan and
Singer 2011; McMahan and Streeter 2010). Rates are divided by the root of the mean number of
features, so that `rate` means the same on every task (Ross, Mineiro and Langford 2013; all our
features are 0 or 1, so nothing else is left of their scaling). And a step is what infinitely many
infinitely small steps would come to, so it never overshoots (Karampatziakis and Langford 2011).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rollin.learners.sparse import FEATURES, UPDATES, SparseLearner, linear
from rollin.native.kernels import kernel

_ONE = np.float32(1.0)
_TINY = np.float32(1e-20)


@kernel
def sgd_plus_step(table, found, count, width, planes, gradient, curvature, rates, counts):
    """w_i <- w_i - u / sqrt(G_i), where u makes the whole step just long enough."""
    average = rates[1] > 0.0
    before = np.float32(counts[UPDATES] - 1.0)
    rate = rates[0] / math.sqrt(counts[FEATURES] / counts[UPDATES])
    behind, mean = np.uint64(width), np.uint64((planes - 1) * width)
    for action in range(width):
        slope = gradient[action]
        if slope == 0.0:
            continue
        reach = np.float32(0.0)
        for feature in range(count):
            squares = np.uint64(found[feature] + action) + behind
            table[squares] += slope * slope
            reach += _ONE / np.sqrt(table[squares] + _TINY)
        step = np.float32(-slope * whole_step(rate, curvature, float(reach)))
        for feature in range(count):
            place = np.uint64(found[feature] + action)
            change = step / np.sqrt(table[place + behind] + _TINY)
            table[place] += change
            if average:
                table[place + mean] += before * change


@kernel
def whole_step(rate, curvature, reach):
    """Integrate infinitely small steps over a loss of constant curvature.

    With steps of size r and features whose rates add up to `reach`, the gradient shrinks like
    exp(-r * curvature * reach); what it adds up to is (1 - exp(-r * c * reach)) / (c * reach).
    """
    if curvature == 0.0:
        return rate
    return -math.expm1(-rate * curvature * reach) / (curvature * reach)


_FUNCTIONS = linear(sgd_plus_step)


@dataclass(frozen=True, kw_only=True)
class SGDPlus(SparseLearner):
    """Adaptive, normalised, importance-invariant gradient descent on hashed features."""

    name: ClassVar[str] = "sgd+"
    rule_planes: ClassVar[int] = 1

    rate: float = 0.5

    def rates(self) -> list[float]:
        return [self.rate, float(self.average)]

    def functions(self) -> tuple[Any, Any]:
        return _FUNCTIONS

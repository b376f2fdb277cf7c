"""FTRL-proximal: follow the regularised leader (McMahan and others 2013, algorithm 1).

Beside each weight stand z, the sum of its gradients less what keeps it near where it was, and n,
the sum of their squares. The weight is a function of the two, worked out when they change.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rollin.learners.sparse import UPDATES, SparseLearner, linear
from rollin.native.kernels import kernel


@kernel
def ftrl_step(table, found, count, width, planes, gradient, curvature, rates, counts):
    """z += g - (sqrt(n + g^2) - sqrt(n)) / alpha * w;  n += g^2;  then w from z and n."""
    alpha, beta = np.float32(rates[0]), np.float32(rates[1])
    l1, l2 = np.float32(rates[2]), np.float32(rates[3])
    average = rates[4] > 0.0
    before = np.float32(counts[UPDATES] - 1.0)
    zero = np.float32(0.0)
    behind, mean = np.uint64(width), np.uint64((planes - 1) * width)
    behind_that = np.uint64(2 * width)
    for action in range(width):
        slope = gradient[action]
        if slope == zero:
            continue
        for feature in range(count):
            place = np.uint64(found[feature] + action)
            weight, leader, seen = table[place], table[place + behind], table[place + behind_that]
            root = np.sqrt(seen + slope * slope)
            leader += slope - (root - np.sqrt(seen)) / alpha * weight
            beyond = max(abs(leader) - l1, zero)
            signed = beyond if leader < zero else -beyond
            changed = signed / ((beta + root) / alpha + l2)
            table[place], table[place + behind] = changed, leader
            table[place + behind_that] = seen + slope * slope
            if average:
                table[place + mean] += before * (changed - weight)


_FUNCTIONS = linear(ftrl_step)


@dataclass(frozen=True, kw_only=True)
class FTRL(SparseLearner):
    """FTRL-proximal on hashed features."""

    name: ClassVar[str] = "ftrl"
    rule_planes: ClassVar[int] = 2

    alpha: float = 0.1
    beta: float = 1.0
    l1: float = 0.0
    l2: float = 0.0

    def rates(self) -> list[float]:
        return [self.alpha, self.beta, self.l1, self.l2, float(self.average)]

    def functions(self) -> tuple[Any, Any]:
        return _FUNCTIONS

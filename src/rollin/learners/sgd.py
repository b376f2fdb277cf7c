"""SGD: plain stochastic gradient descent."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rollin.learners.sparse import UPDATES, SparseLearner, linear
from rollin.native.kernels import kernel


@kernel
def sgd_step(table, found, count, width, planes, gradient, curvature, rates, counts):
    """w <- w - rate * (1 / t^power) * g, for each feature alike."""
    rate = np.float32(rates[0] / counts[UPDATES] ** rates[1])
    average = rates[2] > 0.0
    before = np.float32(counts[UPDATES] - 1.0)
    behind = np.uint64((planes - 1) * width)
    for feature in range(count):
        start = np.uint64(found[feature])
        mean = start + behind
        for action in range(np.uint64(width)):
            change = -rate * gradient[action]
            table[start + action] += change
            if average:
                table[mean + action] += before * change


_FUNCTIONS = linear(sgd_step)


@dataclass(frozen=True, kw_only=True)
class SGD(SparseLearner):
    """Stochastic gradient descent on hashed features."""

    name: ClassVar[str] = "sgd"
    rule_planes: ClassVar[int] = 0

    rate: float = 0.02
    power: float = 0.0
    """The rate falls with the number of updates to this power."""

    def rates(self) -> list[float]:
        return [self.rate, self.power, float(self.average)]

    def functions(self) -> tuple[Any, Any]:
        return _FUNCTIONS

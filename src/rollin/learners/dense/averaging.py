"""The average of weights over a training: what a dense learner predicts with.

Single steps of stochastic gradient descent go a little astray, each in its own direction; the mean
of many does not. The mean is a running one that forgets: after t steps it stands, in effect, for
the last fifth of them, whatever t is (polynomial decay: Shamir and Zhang 2013).
"""

import numpy as np

from rollin.native.kernels import kernel

EVERY = 8
"""Weights are taken into the average once in so many steps."""
_DECAY = 4.0


def share_at(step: int) -> float:
    """Say what part of the average the weights after a step get; of the first, all."""
    return (_DECAY + 1.0) / (step / EVERY + _DECAY)


@kernel
def average(mean, weights, share):
    """Move the mean towards the weights by a share of the way. Both are flat."""
    share = np.float32(share)
    for place in range(len(mean)):
        mean[place] += share * (weights[place] - mean[place])

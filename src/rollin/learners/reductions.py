"""Reductions: from the costs of all actions to the gradient of a loss on their scores.

A score is higher for a better action. Each reduction is one way to turn "action a costs c_a" into
a loss that a learner can follow downhill:

    onesided     score_a should be 0 or more for the cheapest actions, and -c_a or less for all
                 others; what falls short counts squared, what goes beyond does not count
                 (Tu and Lin 2010). Vowpal Wabbit comes to nearly the same by clipping predictions
                 to the range of the costs, so this is what the paper ran
    regression   score_a should be -c_a, squared error: cost-sensitive one-against-all by the book
    softmax      -log of the probability of the cheapest actions together
    weighted     the same, times the largest cost: weighted classification
    expected     the expected cost of acting by softmax(score)
    multiclass   ignores costs: score 0 for the reference, -1 for all others, squared error
    perceptron   where a costlier action scores highest: that one down, the cheapest up

Costs are first scaled: as they are (`raw`), no higher than one (`clip`), or one wherever there is
any (`binary`).
"""

import math

import numpy as np

from rollin.native.kernels import kernel

REDUCTIONS = (
    "onesided",
    "regression",
    "softmax",
    "weighted",
    "expected",
    "multiclass",
    "perceptron",
)
ONESIDED, REGRESSION, SOFTMAX, WEIGHTED, EXPECTED, MULTICLASS, PERCEPTRON = range(len(REDUCTIONS))
SCALINGS = ("raw", "clip", "binary")
RAW, CLIP, BINARY = range(len(SCALINGS))


@kernel
def blame(reduction, scaling, actions, allowed, cost, scores, gradient):
    """Write the gradient of the loss with respect to each score; give the loss's curvature.

    Args:
        reduction: one of the numbers above.
        scaling: how costs are scaled, likewise.
        actions: how many actions there are; those not allowed get gradient 0.
        allowed: a truth value for each.
        cost: what each costs, the cheapest 0.
        scores: what the learner says of each.
        gradient: overwritten.
    """
    best = -1
    for action in range(actions):
        gradient[action] = 0.0
        if allowed[action] and (best < 0 or cost[action] < cost[best]):
            best = action
    if reduction == ONESIDED:
        for action in range(actions):
            if allowed[action]:
                off = float(scores[action]) + scaled(scaling, cost[action])
                short = off < 0.0 if cost[action] == cost[best] else off > 0.0
                gradient[action] = off if short else 0.0
        return 1.0
    if reduction == REGRESSION:
        for action in range(actions):
            if allowed[action]:
                gradient[action] = float(scores[action]) + scaled(scaling, cost[action])
        return 1.0
    if reduction == MULTICLASS:
        for action in range(actions):
            if allowed[action]:
                gradient[action] = float(scores[action]) + (0.0 if action == best else 1.0)
        return 1.0
    if reduction == PERCEPTRON:
        top = -1
        for action in range(actions):
            if allowed[action] and (top < 0 or scores[action] > scores[top]):
                top = action
        if cost[top] > cost[best]:
            gradient[top], gradient[best] = 1.0, -1.0
        return 0.0
    # np.int64, for a plain -1 is a type of its own, and it would be compiled for that too
    good = np.int64(best)
    return _blame_by_chance(reduction, scaling, actions, allowed, cost, scores, good, gradient)


@kernel
def _blame_by_chance(reduction, scaling, actions, allowed, cost, scores, best, gradient):
    """Softmax and its relatives: first the probability of every action, in `gradient`."""
    top = -np.inf
    top_good = -np.inf
    for action in range(actions):
        if allowed[action]:
            top = max(top, float(scores[action]))
            if cost[action] == cost[best]:
                top_good = max(top_good, float(scores[action]))
    total = 0.0
    good = 0.0  # counted from the best of them, for beside a far better action it would vanish
    worst = 0.0
    for action in range(actions):
        if allowed[action]:
            chance = math.exp(float(scores[action]) - top)
            gradient[action] = chance
            total += chance
            worst = max(worst, scaled(scaling, cost[action]))
            if cost[action] == cost[best]:
                good += math.exp(float(scores[action]) - top_good)
    if reduction == EXPECTED:
        expected = 0.0
        for action in range(actions):
            if allowed[action]:
                expected += float(gradient[action]) / total * scaled(scaling, cost[action])
        for action in range(actions):
            if allowed[action]:
                chance = float(gradient[action]) / total
                gradient[action] = chance * (scaled(scaling, cost[action]) - expected)
        return 0.25 * worst
    weight = worst if reduction == WEIGHTED else 1.0
    for action in range(actions):
        if allowed[action]:
            wanted = 0.0
            if cost[action] == cost[best]:
                wanted = math.exp(float(scores[action]) - top_good) / good
            gradient[action] = weight * (float(gradient[action]) / total - wanted)
    return 0.25 * weight


@kernel
def scaled(scaling, cost):
    """Scale one cost."""
    if scaling == CLIP:
        return min(float(cost), 1.0)
    if scaling == BINARY:
        return 1.0 if cost > 0.0 else 0.0
    return float(cost)

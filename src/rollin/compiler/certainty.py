"""What scores are worth: to a path of a beam, and as the certainty of a decision.

Learners trained by softmax and its relatives have scores that are logarithms of probabilities, up
to a constant. All others predict costs: a score is a cost with a minus sign, and no cost is below
zero.
"""

import math

import numpy as np

from rollin.native.structs import shared

BY_CHANCE = ("softmax", "weighted", "expected")
"""The reductions that make a learner give probabilities."""

SURE = 5.0
"""How predicted costs become probabilities: where one action is to cost nothing and all others
one, these together get exp(-SURE) of its probability, 0.7 %, however many they are.

So costs are multiplied by SURE + log(others) before the softmax. On two very different kinds of
decision, a tagger's and a parser's, trained on costs of zero and one, what made the right actions
of held-out English most likely was 5 where two or three actions were allowed, and 8 to 12 with 45
of them; this gives 5 to 5.7, and 8.8. Where costs go beyond one, certainties are too high.
"""


@shared
def weigh(search, gains):
    """Say what each action adds to the score of a path: 0 at best."""
    row = search.capacity
    whole = log_of_sum(search, row, 1.0) if search.by_chance else 0.0
    for action in range(search.actions_of[search.kind[row]]):
        gains[action] = worth(search, row, action) - whole


@shared
def certainty_of(search, row, action):
    """Give the probability of an action among those allowed."""
    others = -1
    for each in range(search.actions_of[search.kind[row]]):
        others += search.allowed[row, each]
    if others == 0:
        return 1.0
    sharpness = 1.0 if search.by_chance else SURE + math.log(others)
    return math.exp(sharpness * worth(search, row, action) - log_of_sum(search, row, sharpness))


@shared
def worth(search, row, action):
    """Give the score of an action, or its predicted cost with a minus sign."""
    score = float(search.scores[row, action])
    return score if search.by_chance else min(score, 0.0)


@shared
def log_of_sum(search, row, sharpness):
    """Give the logarithm of what the exponentials of all allowed actions sum up to."""
    actions = search.actions_of[search.kind[row]]
    top = -np.inf
    for action in range(actions):
        if search.allowed[row, action]:
            top = max(top, sharpness * worth(search, row, action))
    total = 0.0
    for action in range(actions):
        if search.allowed[row, action]:
            total += math.exp(sharpness * worth(search, row, action) - top)
    return top + math.log(total)

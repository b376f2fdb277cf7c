"""NN and NN+FTRL: one hidden layer over the sparse features.

As in the paper, every action has hidden units of its own, 5 by default: its score is a weighted sum
of their tanh. (With `shared`, the same units serve all actions: cheaper, and weaker at equal
number.) The first layer is a table like a linear learner's, with a sum for each unit in place of
each action. The second layer is a small table: for every kind of decision a row for each unit and
one for the biases, by action. The same rule changes both, its features in the second being what the
units say.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rollin.decisions.schema import Schema
from rollin.decisions.state import as_search
from rollin.learners.ftrl import FTRL, ftrl_step
from rollin.learners.reductions import blame
from rollin.learners.sgd_plus import SGDPlus, sgd_plus_step
from rollin.learners.sparse import FEATURES, UPDATES, add_up, as_sparse, find_features, moves
from rollin.native.kernels import kernel
from rollin.native.structs import shared


@kernel
def second_layer(outer, start, stride, units, own, actions, hidden, scores):
    """Squash the sums of the first layer, and score every action.

    Args:
        outer: the second layer; the row of unit u begins at start + u * stride, the biases last.
        units: how many units a score has.
        own: how many sums a unit has: one for every action, or one.
        hidden: the sums, unit by unit; overwritten by their tanh.
        scores: overwritten.
    """
    for place in range(units * own):
        hidden[place] = math.tanh(float(hidden[place]))
    for action in range(actions):
        total = float(outer[start + units * stride + action])
        for unit in range(units):
            place = unit * own + (action if own > 1 else 0)
            total += float(outer[start + unit * stride + action]) * float(hidden[place])
        scores[action] = total


@kernel
def pass_back(outer, start, stride, units, own, actions, hidden, gradient, blamed):
    """Write the gradient of the loss with respect to the sums of the first layer."""
    for place in range(units * own):
        blamed[place] = 0.0
    for unit in range(units):
        for action in range(actions):
            place = unit * own + (action if own > 1 else 0)
            blamed[place] += gradient[action] * outer[start + unit * stride + action]
    for place in range(units * own):
        blamed[place] *= np.float32(1.0) - hidden[place] * hidden[place]


def network(step: Any) -> tuple[Any, Any]:
    """Make the functions (score, update) of a network from the rule for its weights."""

    @kernel
    def second_step(
        outer, start, stride, planes, units, own, actions, hidden, gradient, rates, counts
    ):
        scaled = np.empty(actions, np.float32)
        place = np.empty(1, np.int64)
        for unit in range(units + 1):
            for action in range(actions):
                said = np.float32(1.0)
                if unit < units:
                    said = hidden[unit * own + (action if own > 1 else 0)]
                scaled[action] = gradient[action] * said
            place[0] = start + unit * stride
            step(outer, place, 1, actions, planes, scaled, 0.0, rates, counts)

    @shared
    def forward(search, model, row):
        kind = search.kind[row]
        count = find_features(search, model, row)
        width, units, actions = model.width[kind], model.units, search.actions_of[kind]
        add_up(model.table, model.found, count, width, model.hidden)
        second_layer(
            model.outer, model.outer_first[kind], model.planes * actions,
            units, width // units, actions, model.hidden, search.scores[row],
        )  # fmt: skip
        return count

    @shared
    def score(lent_search, row):
        search = as_search(lent_search)
        forward(search, as_sparse(search.model), row)

    @shared
    def update(lent_search, row):
        search = as_search(lent_search)
        model = as_sparse(search.model)
        kind = search.kind[row]
        count = forward(search, model, row)
        width, units, actions = model.width[kind], model.units, search.actions_of[kind]
        start, stride, own = model.outer_first[kind], model.planes * actions, width // units
        curvature = blame(
            model.reduction, model.scaling, actions,
            search.allowed[row], search.cost[row], search.scores[row], model.gradient,
        )  # fmt: skip
        model.counts[UPDATES] += 1.0
        model.counts[FEATURES] += count
        model.outer_counts[UPDATES] += 1.0
        model.outer_counts[FEATURES] += units + 1
        if not moves(model.gradient, actions):
            return
        pass_back(
            model.outer, start, stride, units, own, actions,
            model.hidden, model.gradient, model.blamed,
        )  # fmt: skip
        second_step(
            model.outer, start, stride, model.planes, units, own, actions,
            model.hidden, model.gradient, model.rates, model.outer_counts,
        )  # fmt: skip
        step(
            model.table, model.found, count, width, model.planes,
            model.blamed, curvature, model.rates, model.counts,
        )  # fmt: skip

    return score, update


@dataclass(frozen=True, kw_only=True)
class _Network:
    """What the two networks have beyond their rules."""

    units: int = 5
    """Hidden units; with `shared`, of all actions together, otherwise of each."""
    shared: bool = False

    def width(self, actions: int) -> int:
        return self.units * (1 if self.shared else actions)

    def second_layer(self, schema: Schema, planes: int, seed: int) -> np.ndarray:
        """Draw the second layer: small random weights, so that the units grow apart."""
        chance = np.random.default_rng([seed, 1])
        layers = []
        for actions in schema.decisions.values():
            layer = np.zeros((self.units + 1, planes, len(actions)), np.float32)
            drawn = chance.uniform(-0.5, 0.5, (self.units, len(actions))) / math.sqrt(self.units)
            layer[:-1, 0] = drawn
            if planes > 1:  # a finished model has the weights alone
                self.settle(layer)
            layers.append(layer.ravel())
        return np.concatenate(layers)

    def settle(self, layer: np.ndarray) -> None:
        """Bring what the rule keeps beside the weights in line with them."""


@dataclass(frozen=True, kw_only=True)
class NN(_Network, SGDPlus):
    """A hidden layer, trained by adaptive, normalised gradient descent."""

    name: ClassVar[str] = "nn"

    rate: float = 0.5

    def functions(self) -> tuple[Any, Any]:
        return _NN


@dataclass(frozen=True, kw_only=True)
class NNFTRL(_Network, FTRL):
    """A hidden layer, trained by FTRL-proximal."""

    name: ClassVar[str] = "nn+ftrl"

    def functions(self) -> tuple[Any, Any]:
        return _NN_FTRL

    def settle(self, layer: np.ndarray) -> None:
        weights = layer[:, 0]
        layer[:, 1] = -weights * (self.beta / self.alpha + self.l2) - np.sign(weights) * self.l1


_NN = network(sgd_plus_step)
_NN_FTRL = network(ftrl_step)

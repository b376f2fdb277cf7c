"""Slow, obvious twins of the kernels: dicts and floats, after the formulas of the papers."""

import math
from collections import defaultdict
from itertools import product

# --- features --------------------------------------------------------------------------------


def parts_of(sentence_columns, slots, looked, notes):
    """What a decision sees, by the name of the part: every column of every slot, every note."""
    seen = {}
    for slot, position in zip(slots, looked, strict=True):
        for column, values in sentence_columns.items():
            if position < 0:
                value = "before"
            elif position >= len(values):
                value = "behind"
            else:
                value = ("is", values[position])
            seen[f"{slot}.{column}"] = value
    return {**seen, **notes}


def features(seen, templates):
    """The features of a decision: the constant, then one for every template."""
    return ["constant"] + [tuple((part, seen[part]) for part in parts) for parts in templates]


def expanded(templates, names):
    """Templates written out: sets of one to three part names, in no order."""
    found = set()
    for template in templates:
        factors = template.split(" * ")
        for chosen in product(names, repeat=len(factors)):
            if len(set(chosen)) == len(chosen) and all(map(names_part, factors, chosen)):
                found.add(frozenset(chosen))
    if all(len(parts) > 1 for parts in found):
        found |= {frozenset([name]) for name in names}
    return found


def names_part(factor, name):
    """`*` stands for anything; a slot's name alone for all of its columns."""
    return _same(factor, name) or _same(factor, name.split(".")[0])


def _same(pattern, text):
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(_same(pattern[1:], text[start:]) for start in range(len(text) + 1))
    return bool(text) and pattern[0] == text[0] and _same(pattern[1:], text[1:])


# --- reductions ------------------------------------------------------------------------------


def scaled(scaling, cost):
    return {"raw": cost, "clip": min(cost, 1.0), "binary": float(cost > 0)}[scaling]


def loss(reduction, scaling, scores, costs, allowed):
    """What each reduction makes small, of the scores of all actions."""
    actions = [a for a in range(len(scores)) if allowed[a]]
    least = min(costs[a] for a in actions)
    good = [a for a in actions if costs[a] == least]
    cost = {a: scaled(scaling, costs[a]) for a in actions}
    if reduction == "onesided":
        return (
            sum(
                max(0.0, -scores[a] - cost[a]) ** 2
                if a in good
                else max(0.0, scores[a] + cost[a]) ** 2
                for a in actions
            )
            / 2
        )
    if reduction == "regression":
        return sum((scores[a] + cost[a]) ** 2 for a in actions) / 2
    if reduction == "multiclass":
        return sum((scores[a] + (a != good[0])) ** 2 for a in actions) / 2
    if reduction == "perceptron":
        top = max(actions, key=lambda a: (scores[a], -a))
        return 0.0 if top in good else scores[top] - scores[good[0]]
    total = sum(math.exp(scores[a]) for a in actions)
    if reduction == "expected":
        return sum(math.exp(scores[a]) / total * cost[a] for a in actions)
    surprise = -math.log(sum(math.exp(scores[a]) for a in good) / total)
    return surprise * (max(cost.values()) if reduction == "weighted" else 1.0)


def curvature(reduction, scaling, costs, allowed):
    """How much the loss bends in one score, at most."""
    if reduction in ("onesided", "regression", "multiclass"):
        return 1.0
    if reduction == "perceptron":
        return 0.0
    if reduction == "softmax":
        return 0.25
    return 0.25 * max(scaled(scaling, c) for c, ok in zip(costs, allowed, strict=True) if ok)


def gradient(reduction, scaling, scores, costs, allowed, width=1e-5):
    """The slope of the loss in every score, by central differences."""
    if reduction == "perceptron":
        return perceptron(scores, costs, allowed)
    if reduction == "onesided":
        return onesided(scaling, scores, costs, allowed)
    slopes = []
    for action in range(len(scores)):
        ends = []
        for side in (width, -width):
            moved = [score + side * (a == action) for a, score in enumerate(scores)]
            ends.append(loss(reduction, scaling, moved, costs, allowed))
        slopes.append((ends[0] - ends[1]) / (2 * width))
    return slopes


def perceptron(scores, costs, allowed):
    """Collins 2002: where the best score is wrong, that action down and the right one up.

    Its loss has a kink where two scores are equal, as all are in the beginning.
    """
    actions = [a for a in range(len(scores)) if allowed[a]]
    good = min(actions, key=lambda a: (costs[a], a))
    top = max(actions, key=lambda a: (scores[a], -a))
    slopes = [0.0] * len(scores)
    if costs[top] > costs[good]:
        slopes[top], slopes[good] = 1.0, -1.0
    return slopes


def onesided(scaling, scores, costs, allowed):
    """Its loss bends suddenly at 0, where all scores begin: differences are not exact there."""
    least = min(cost for cost, ok in zip(costs, allowed, strict=True) if ok)
    off = [score + scaled(scaling, cost) for score, cost in zip(scores, costs, strict=True)]
    slopes = [min(x, 0.0) if c == least else max(x, 0.0) for x, c in zip(off, costs, strict=True)]
    return [slope if ok else 0.0 for slope, ok in zip(slopes, allowed, strict=True)]


# --- rules: how one weight, or the weights of one sum, change ------------------------------------


class SGD:
    """w <- w - rate / t^power * g."""

    def __init__(self, rate=0.02, power=0.0):
        self.rate, self.power = rate, power

    def step(self, weights, keys, values, slope, bend, time, mean_features):
        for key, value in zip(keys, values, strict=True):
            weights[key] -= self.rate / time**self.power * slope * value


class SGDPlus:
    """Adaptive (Duchi and others 2011), normalised (Ross and others 2013), and invariant to
    importance (Karampatziakis and Langford 2011, section 3: the squared loss)."""

    def __init__(self, rate=0.5):
        self.rate, self.squares = rate, defaultdict(float)

    def step(self, weights, keys, values, slope, bend, time, mean_features):
        if slope == 0:
            return
        rate = self.rate / math.sqrt(mean_features)
        for key, value in zip(keys, values, strict=True):
            self.squares[key] += (slope * value) ** 2
        live = [(key, value) for key, value in zip(keys, values, strict=True) if value != 0]
        reach = sum(value**2 / math.sqrt(self.squares[key]) for key, value in live)
        length = rate if bend == 0 else (1 - math.exp(-rate * bend * reach)) / (bend * reach)
        for key, value in live:
            weights[key] -= length * slope * value / math.sqrt(self.squares[key])


class FTRL:
    """McMahan and others 2013, algorithm 1, coordinate by coordinate."""

    def __init__(self, alpha=0.1, beta=1.0, l1=0.0, l2=0.0):
        self.alpha, self.beta, self.l1, self.l2 = alpha, beta, l1, l2
        self.z, self.n = defaultdict(float), defaultdict(float)

    def begin_at(self, key, weight):
        """The z that has this weight, before any gradient."""
        self.z[key] = -weight * (self.beta / self.alpha + self.l2)
        self.z[key] -= math.copysign(self.l1, weight) if weight else 0.0

    def step(self, weights, keys, values, slope, bend, time, mean_features):
        for key, value in zip(keys, values, strict=True):
            g = slope * value
            if g == 0:
                continue
            sigma = (math.sqrt(self.n[key] + g * g) - math.sqrt(self.n[key])) / self.alpha
            self.z[key] += g - sigma * weights[key]
            self.n[key] += g * g
            z, bottom = self.z[key], (self.beta + math.sqrt(self.n[key])) / self.alpha + self.l2
            weights[key] = 0.0
            if abs(z) > self.l1:
                weights[key] = -(z - math.copysign(self.l1, z)) / bottom


# --- learners --------------------------------------------------------------------------------


class Linear:
    """A weight for every feature and action; a score is the sum of those of its action."""

    def __init__(self, rule, actions):
        self.rule, self.actions = rule, range(actions)
        self.weights, self.sums = defaultdict(float), defaultdict(float)
        self.updates = self.features = 0

    def scores(self, found, weights=None):
        weights = self.weights if weights is None else weights
        return [sum(weights[feature, a] for feature in found) for a in self.actions]

    def learn(self, found, slopes_at, bend):
        slopes = slopes_at(self.scores(found))
        self.updates += 1
        self.features += len(found)
        for a in self.actions:
            keys = [(feature, a) for feature in found]
            self.rule.step(
                self.weights, keys, [1.0] * len(keys), slopes[a], bend,
                self.updates, self.features / self.updates,
            )  # fmt: skip
        self.add_to_mean()

    def add_to_mean(self):
        for key, weight in self.weights.items():
            self.sums[key] += weight

    def mean(self):
        """The mean of the weights over all updates."""
        return defaultdict(float, {k: total / self.updates for k, total in self.sums.items()})


class Network(Linear):
    """Tanh units between the features and the scores: of every action its own, or shared.

    The second layer is learned by the same rule, with what the units say for its features; there
    the rule takes plain steps. For the first layer the loss is taken to bend in a unit's sum as it
    does in a score.
    """

    def __init__(self, rule, outer_rule, actions, units, shared, start):
        super().__init__(rule, actions)
        self.outer_rule, self.units, self.shared = outer_rule, range(units), shared
        for unit in range(units + 1):
            for a in self.actions:
                weight = float(start[unit][a])
                self.weights["outer", unit, a] = weight
                if hasattr(outer_rule, "begin_at"):
                    outer_rule.begin_at(("outer", unit, a), weight)

    def unit_of(self, unit, action):
        return (unit,) if self.shared else (unit, action)

    def hidden(self, found, weights):
        places = {self.unit_of(u, a) for u in self.units for a in self.actions}
        return {p: math.tanh(sum(weights[feature, p] for feature in found)) for p in places}

    def scores(self, found, weights=None):
        weights = self.weights if weights is None else weights
        hidden = self.hidden(found, weights)
        return [
            weights["outer", len(self.units), a]
            + sum(weights["outer", u, a] * hidden[self.unit_of(u, a)] for u in self.units)
            for a in self.actions
        ]

    def learn(self, found, slopes_at, bend):
        hidden = self.hidden(found, self.weights)
        slopes = slopes_at(self.scores(found))
        self.updates += 1
        self.features += len(found)
        blamed = defaultdict(float)
        for u in self.units:
            for a in self.actions:
                blamed[self.unit_of(u, a)] += slopes[a] * self.weights["outer", u, a]
        outputs = len(self.units) + 1
        for a in self.actions:
            for u in range(outputs):
                said = hidden[self.unit_of(u, a)] if u < len(self.units) else 1.0
                self.outer_rule.step(
                    self.weights, [("outer", u, a)], [said], slopes[a], 0.0, self.updates, outputs
                )
        for place, slope in blamed.items():
            keys = [(feature, place) for feature in found]
            self.rule.step(
                self.weights, keys, [1.0] * len(keys), slope * (1 - hidden[place] ** 2), bend,
                self.updates, self.features / self.updates,
            )  # fmt: skip
        self.add_to_mean()

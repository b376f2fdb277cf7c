"""How to learn: roll-in, roll-out, where to deviate, and what to make of the costs.

A method is a value. The algorithms of the literature are methods too, at the end of this file, each
short enough to be held against its paper. `method_from("lols sample=3")` reads one from text.
"""

from dataclasses import dataclass, replace
from typing import Any

from rollin.compiler.policies import LEARNED, REFERENCE, Policy, mixture
from rollin.errors import RollinError
from rollin.learners.reductions import REDUCTIONS, SCALINGS


@dataclass(frozen=True)
class Deviations:
    """Which steps of a run to deviate at. Decisions without a choice are never among them."""

    sample: int = 0
    """Only so many steps a run, drawn at random (0: all)."""
    margin: float | None = None
    """Only where the best score leads the second by less than this, or the reference disagrees."""
    until_mistake: bool = False
    """None behind the first mistake."""

    def __post_init__(self) -> None:
        if self.sample < 0 or (self.margin is not None and not self.margin >= 0.0):
            raise RollinError(
                f"sample={self.sample}, margin={self.margin}: expected a number of steps (0: all), "
                "and a difference of scores, at least 0"
            )


EVERY_STEP = Deviations()


@dataclass(frozen=True)
class Method:
    """A way to learn to search.

    With `roll_out=None` costs come from the task: what it says every action costs, or else one for
    every action but the reference. With a policy, they come from trying: each action's cost is the
    loss that the run comes to when that policy acts behind it.
    """

    roll_in: Policy = LEARNED
    roll_out: Policy | None = None
    deviations: Deviations = EVERY_STEP
    reduction: str | None = None
    """What to make of costs (see rollin.learners.reductions); None: what suits the learner."""
    scaling: str = "raw"

    def __post_init__(self) -> None:
        for given, known, what in (
            (self.reduction or REDUCTIONS[0], REDUCTIONS, "reduction"),
            (self.scaling, SCALINGS, "scaling of costs"),
        ):
            if given not in known:
                raise RollinError(f"there is no {what} {given!r}: choose from {', '.join(known)}")

    def but(self, **changes: Any) -> "Method":
        """Give the same method with some things changed."""
        return replace(self, **changes)


def method_from(described: "str | Method") -> Method:
    """Read a method from a value, or from text such as 'lols' or 'paper sample=3 scaling=clip'.

    Settings are those of `Deviations`, `reduction` and `scaling`; `roll_in` and `roll_out`, each
    `learned`, `reference` or a number, the share of decisions that are the reference's (roll-outs
    also `none`); and `decay`, the part of that share that every decision trained on takes away.
    """
    if isinstance(described, Method):
        return described
    name, *settings = described.replace(",", " ").split() or [""]
    if name not in METHODS:
        raise RollinError(f"there is no method {name!r}: choose from {', '.join(METHODS)}")
    method = METHODS[name]
    for setting in settings:
        key, _, text = setting.partition("=")
        if key not in SETTINGS:
            raise RollinError(f"method {name!r} has no setting {key!r}: {', '.join(SETTINGS)}")
        try:
            method = _changed(method, key, text)
        except ValueError:
            raise RollinError(f"method {name!r}: {key}={text!r} can't be read") from None
    return method


SETTINGS = (
    "sample", "margin", "until_mistake", "reduction", "scaling", "roll_in", "roll_out", "decay",
)  # fmt: skip


def _changed(method: Method, key: str, text: str) -> Method:
    if key in ("reduction", "scaling"):
        return method.but(**{key: text})
    if key == "roll_out" and text == "none":
        return method.but(roll_out=None)
    if key in ("roll_in", "roll_out"):
        named = {"learned": LEARNED, "reference": REFERENCE}
        return method.but(**{key: named[text] if text in named else mixture(float(text))})
    if key == "decay":
        roll_in = replace(method.roll_in, decay=float(text))
        roll_out = method.roll_out and replace(method.roll_out, decay=float(text))
        return method.but(roll_in=roll_in, roll_out=roll_out)
    wanted = {"sample": int, "margin": float}.get(key, _yes)(text)
    return method.but(deviations=replace(method.deviations, **{key: wanted}))


def _yes(text: str) -> bool:
    answers = {"": True, "yes": True, "no": False}
    if text not in answers:
        raise ValueError
    return answers[text]


PAPER = Method(roll_in=mixture(decay=1e-5), roll_out=REFERENCE)
"""Chang, He, Daume and Langford 2014: mixed roll-in, roll-out with the dynamic oracle."""

DAGGER = Method(roll_in=Policy(reference=1.0, later=0.0))
"""Ross, Gordon and Bagnell 2011: the reference rolls in first, the learned policy ever after; the
learner imitates the reference in the states that come up."""

AGGREVATE = Method(
    roll_in=Policy(reference=1.0, later=0.0),
    roll_out=REFERENCE,
    deviations=Deviations(sample=1),
)
"""Ross and Bagnell 2014: at one random step of a run, what does each action cost if the reference
takes over behind it?"""

SEARN = Method(
    roll_in=mixture(decay=1e-5),
    roll_out=mixture(decay=1e-5),
)
"""Daume, Langford and Marcu 2009: roll in and out with one stochastic mixture, which moves from the
reference to the learned policy. (Theirs mixes whole classifiers, ours one that learns online.)"""

LOLS = Method(
    roll_in=LEARNED,
    roll_out=mixture(reference=0.5, by_run=True),
)
"""Chang and others 2015: the learned policy rolls in; the roll-out is the reference's or the
learned policy's, by a coin tossed for every step. It can come to beat a bad reference."""

PERCEPTRON = Method(
    roll_in=LEARNED,
    deviations=Deviations(until_mistake=True),
    reduction="perceptron",
)
"""Collins and Roark 2004: follow the learned policy to its first mistake, and update there (early
update). Average the weights, as they do: learner='sgd rate=1 average'."""

METHODS: dict[str, Method] = {
    "paper": PAPER,
    "dagger": DAGGER,
    "aggrevate": AGGREVATE,
    "searn": SEARN,
    "lols": LOLS,
    "perceptron": PERCEPTRON,
}

"""Tracing one example: every decision, what was known, what was possible, what it would cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rollin.compiler.observe import try_out, watch
from rollin.decisions.schema import UNKNOWN
from rollin.decisions.state import NOTHING_TOLD
from rollin.errors import RollinError

if TYPE_CHECKING:
    from rollin.training.model import Model


@dataclass
class Step:
    """One decision."""

    number: int
    decision: str
    chosen: str
    reference: str | None
    looked: dict[str, Any]
    noted: dict[str, int]
    scores: dict[str, float]
    """By allowed action."""
    losses: dict[str, float]
    """The loss that each allowed action leads to, with the roll-out policy behind it."""


@dataclass
class Trace:
    """All decisions of a run. It prints as a table."""

    loss: float
    steps: list[Step]

    def __str__(self) -> str:
        lines = [f"loss {self.loss:g} after {len(self.steps)} decisions"]
        for step in self.steps:
            wrong = step.reference is not None and step.reference != step.chosen
            told = f"  (reference: {step.reference})" if wrong else ""
            lines.append(f"{step.number:4}  {step.decision} = {step.chosen}{told}")
            lines.append("      looks  " + _pairs(step.looked))
            if step.noted:
                lines.append("      notes  " + _pairs(step.noted))
            best = sorted(step.scores, key=lambda action: -step.scores[action])[:5]
            lines.append("      scores " + _pairs({a: f"{step.scores[a]:.3f}" for a in best}))
            if step.losses:
                least = min(step.losses.values())
                costs = {a: f"+{step.losses[a] - least:g}" for a in best if a in step.losses}
                lines.append("      costs  " + _pairs(costs))
        return "\n".join(lines)


def _pairs(facts: dict) -> str:
    return "  ".join(f"{name}={value}" for name, value in facts.items())


_SHARES = {"learned": 0.0, "reference": 1.0}  # of the reference among who acts


def trace(
    model: "Model", example: Any, *, deviations: bool = True, roll_out: str = "learned"
) -> Trace:
    """Run a model on an example and show every decision.

    Args:
        model: a trained model.
        example: one example.
        deviations: try out every action that was allowed, and show the loss it leads to.
        roll_out: who finishes those runs: the "learned" policy or the "reference".
    """
    if roll_out not in _SHARES:
        raise RollinError(f"there is no roll-out {roll_out!r}: choose from {', '.join(_SHARES)}")
    task, schema = model.task, model.task.schema
    data = model.load_examples([example])
    bound = model.bind(data)
    run = watch(bound, 0, 0.0, 0)
    shown = task.inputs(example) if task.inputs is not None else {}
    first = list(next(iter(shown.values()))) if shown else []
    share = _SHARES[roll_out]
    steps = []
    for number in range(len(run)):
        decision, names = list(schema.decisions.items())[int(run.kind[number])]
        allowed = [int(action) for action in np.flatnonzero(run.allowed[number])]
        known = run.told[number] != NOTHING_TOLD and run.reference[number] != UNKNOWN
        losses = {}
        if deviations:
            losses = {names[a]: try_out(bound, 0, run, number, a, share) for a in allowed}
        steps.append(
            Step(
                number,
                decision,
                names[int(run.chosen[number])],
                names[int(run.reference[number])] if known else None,
                {
                    slot: first[place] if 0 <= place < len(first) else None
                    for slot, place in zip(schema.slots, run.looked[number], strict=True)
                },
                dict(zip(schema.facts, run.noted[number].tolist(), strict=True)),
                {names[action]: float(run.scores[number, action]) for action in allowed},
                losses,
            )
        )
    return Trace(run.loss, steps)

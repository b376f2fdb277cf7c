"""Checking a task: is its decoder what learning to search takes it to be?

`check` runs the decoder on examples and reports, in words, whether it is deterministic, whether its
reference is one-step optimal (no single other action, with the reference acting behind it, leads to
a smaller loss), whether the costs it tells agree with trying the actions out, whether it runs the
same natively and as plain Python, and whether it leaves something it declared unused.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rollin.compiler.observe import Run, try_out, watch
from rollin.decisions.schema import Schema
from rollin.decisions.state import COSTS_TOLD, NOTHING_TOLD
from rollin.errors import RollinError
from rollin.learners.protocol import Use
from rollin.learners.sgd import SGD

if TYPE_CHECKING:
    from rollin.compiler.running import Bound
    from rollin.training.task import Task

_CLOSE = 1e-9


@dataclass
class Finding:
    """One thing that was checked: whether it holds, and what was seen."""

    name: str
    holds: bool | None
    """None where there was nothing to check."""
    seen: str


class _Watched(NamedTuple):
    """A run, and how it came about."""

    number: int
    share: float
    run: Run


@dataclass
class Report:
    """What a check found. It prints as text; `ok` says whether everything holds."""

    task: str
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return all(finding.holds is not False for finding in self.findings)

    def __str__(self) -> str:
        marks = {True: "ok  ", False: "FAIL", None: "  - "}
        lines = [f"task {self.task!r}:"]
        lines += [f"  {marks[each.holds]}  {each.name}: {each.seen}" for each in self.findings]
        return "\n".join(lines)

    def __getitem__(self, name: str) -> Finding:
        return next(finding for finding in self.findings if finding.name == name)


def check(
    task: "Task", examples: Sequence[Any], *, most: int = 20, compiled: bool = True, seed: int = 1
) -> Report:
    """Check a task on examples (at most `most` of them, and every deviation in each)."""
    examples = list(examples[:most])
    if not examples:
        raise RollinError(f"there are no examples to check task {task.schema.task!r} on")
    native, plain = _bind(task, examples, compiled, seed), _bind(task, examples, False, seed)
    runs = [
        _Watched(number, share, watch(native, number, share, seed + number))
        for number in range(len(examples))
        for share in ((1.0, 0.5) if _has_reference(native, number, seed) else (0.0,))
    ]
    report = Report(task.schema.task)
    report.findings += [
        _deterministic(native, runs, seed),
        _same_interpreted(native, plain, runs, compiled, seed),
        *_reference_and_costs(task.schema, native, runs),
        _all_used(task.schema, [each.run for each in runs]),
    ]
    return report


def _bind(task: "Task", examples: list[Any], compiled: bool, seed: int) -> "Bound":
    """Join the task to a model whose policy acts at random, so that odd states come up too."""
    runner = task.runner(compiled)
    data = runner.load(examples, task.inputs)
    learned = SGD(bits=8).build(Use(task.schema, data.columns, task.templates), seed)
    chance = np.random.default_rng(seed)
    table = learned.arrays["table"]
    table[:] = chance.normal(size=len(table)).astype(np.float32)
    return runner.bind(learned, data)


def _has_reference(bound: "Bound", number: int, seed: int) -> bool:
    return bool((watch(bound, number, 0.0, seed).told != NOTHING_TOLD).all())


def _deterministic(bound: "Bound", runs: list[_Watched], seed: int) -> Finding:
    for number, share, run in runs:
        again = watch(bound, number, share, seed + number)
        what = _difference(run, again)
        if what:
            return Finding(
                "deterministic", False,
                f"two runs on example {number} with the same policy differ in {what}. The decoder "
                "must depend on nothing but its example and what predict answers: is something "
                "kept between runs, or drawn at random?",
            )  # fmt: skip
    return Finding("deterministic", True, f"{len(runs)} runs came out the same twice")


def _same_interpreted(
    native: "Bound", plain: "Bound", runs: list[_Watched], compiled: bool, seed: int
) -> Finding:
    name = "compiled and interpreted agree"
    if not compiled:
        return Finding(name, None, "not checked: compiled=False")
    for number, share, run in runs:
        what = _difference(run, watch(plain, number, share, seed + number))
        if what:
            return Finding(
                name, False,
                f"on example {number} they differ in {what}. Usual reasons: whole numbers beyond "
                "64 bits, an index below zero or past the end, a variable that changes its type",
            )  # fmt: skip
    return Finding(name, True, f"{len(runs)} runs came out the same both ways")


def _difference(one: Run, other: Run) -> str:
    if len(one) != len(other):
        return f"the number of decisions ({len(one)} and {len(other)})"
    for name in ("kind", "allowed", "reference", "told", "chosen", "looked", "noted"):
        a, b = getattr(one, name), getattr(other, name)
        if not np.array_equal(a, b):
            step = int(np.flatnonzero((a != b).reshape(len(a), -1).any(axis=1))[0])
            return f"'{name}' of decision {step}"
    if one.loss != other.loss:
        return f"the loss ({one.loss} and {other.loss})"
    return ""


def _reference_and_costs(schema: Schema, bound: "Bound", runs: list[_Watched]) -> list[Finding]:
    better: list[str] = []
    disagree: list[str] = []
    tried = costed = 0
    count = [len(actions) for actions in schema.decisions.values()]
    for number, _, run in runs:
        if (run.told == NOTHING_TOLD).any():
            continue
        for step in range(len(run)):
            actions = np.flatnonzero(run.allowed[step, : count[run.kind[step]]])
            if len(actions) < 2:
                continue
            losses = {int(a): try_out(bound, number, run, step, int(a), 1.0) for a in actions}
            tried += 1
            reference = int(run.reference[step])
            best = min(losses, key=lambda action: losses[action])
            where = f"example {number}, decision {step}"
            if losses[best] < losses[reference] - _CLOSE:
                better.append(
                    f"{where}: {_action(schema, run, step, best)} leads to a loss of "
                    f"{losses[best]:g}, the reference {_action(schema, run, step, reference)} to "
                    f"{losses[reference]:g}"
                )
            if run.told[step] == COSTS_TOLD:
                costed += 1
                least = min(run.cost[step, a] for a in actions)
                for action, loss in losses.items():
                    told = run.cost[step, action] - least
                    if abs(told - (loss - losses[best])) > _CLOSE:
                        disagree.append(
                            f"{where}: {_action(schema, run, step, action)} is told to cost "
                            f"{told:g}, trying it out costs {loss - losses[best]:g}"
                        )
    return [
        _verdict("reference one-step optimal", better, tried, "decisions"),
        _verdict("costs agree with roll-outs", disagree, costed, "decisions with costs"),
    ]


def _verdict(name: str, against: list[str], tried: int, what: str) -> Finding:
    if not tried:
        return Finding(name, None, f"no {what} to check")
    if not against:
        return Finding(name, True, f"at all {tried} {what} tried")
    return Finding(name, False, f"{len(against)} cases at {tried} {what}. First: {against[0]}")


def _action(schema: Schema, run: Run, step: int, action: int) -> str:
    decision, actions = list(schema.decisions.items())[int(run.kind[step])]
    return f"{decision}={actions[action]}"


def _all_used(schema: Schema, runs: list[Run]) -> Finding:
    unused: list[str] = []

    def missing(what: str, names: Sequence[str], used: Callable[[Run, int], bool]) -> None:
        for number, name in enumerate(names):
            if not any(used(run, number) for run in runs):
                unused.append(f"{what} {name!r}")

    missing("slot", schema.slots, lambda run, slot: bool((run.looked[:, slot] >= 0).any()))
    missing("note", schema.notes, lambda run, note: bool((run.noted[:, note] != 0).any()))
    missing("decision", tuple(schema.decisions), lambda run, kind: bool((run.kind == kind).any()))
    if unused:
        return Finding("all declared names used", False, f"never used: {', '.join(unused)}")
    return Finding("all declared names used", True, "slots, notes and decisions all came up")

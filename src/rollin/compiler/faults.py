"""What can go wrong while a decoder runs, in words."""

from rollin.decisions import state
from rollin.decisions.schema import Schema
from rollin.errors import RollinError


class TaskProblem(RollinError):
    """A decoder asked for something impossible."""


def words_for(schema: Schema, fault: int, value: float, example: int, step: int, kind: int) -> str:
    """Say what stopped a run, where, and what to do."""
    decision, actions = list(schema.decisions.items())[kind]
    where = f"task {schema.task!r}, example {example}, decision {step} ({decision!r})"
    range_of = f"the actions of {decision!r} are 0 to {len(actions) - 1}"
    text = {
        state.TOO_LONG: (
            f"the run has come to {value:.0f} decisions, the most allowed. Does its loop end "
            "whatever is predicted? If so, raise the task's limit="
        ),
        state.NOTHING_ALLOWED: (
            "no action is allowed. Allow at least one, or take no decision here"
        ),
        state.NOT_AN_ACTION: f"the reference is {value:.0f}, but {range_of}",
        state.NOT_ALLOWED: (
            f"the reference is {value:.0f} ({_name(actions, value)}), which allowed= forbids. "
            "A reference has to be an allowed action"
        ),
        state.NO_REFERENCE: (
            "the reference is to act, but the task gave neither reference= nor costs= here. Give "
            "one, or choose a method in which only the learned policy acts"
        ),
        state.BAD_COST: (
            f"the cost of action {value:.0f} ({_name(actions, value)}) is not a finite number"
        ),
        state.BAD_LOSS: f"the loss of this run is {value}, not a finite number",
        state.BAD_SCORE: (
            f"the learner's score of action {value:.0f} ({_name(actions, value)}) is not a finite "
            "number: its weights ran away. Lower its rate"
        ),
        state.WRONG_SIZE: (
            f"allowed= or costs= has {value:.0f} entries; one for each of {len(actions)} actions "
            "is expected"
        ),
    }[fault]
    if fault == state.BAD_LOSS:
        where = f"task {schema.task!r}, example {example}"
    return f"{where}: {text}."


def _name(actions: tuple[str, ...], value: float) -> str:
    return repr(actions[int(value)]) if 0 <= value < len(actions) else "unknown"

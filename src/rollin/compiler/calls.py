"""The calls a decoder makes: look, note, predict, loss. First as native code, then in Python.

Both say the same: a replayed decision is answered from the path at once; anything else goes through
`decide`. Names are resolved while a task is compiled, so in native code a slot is a constant.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import errors, types
from numba.extending import overload, overload_attribute, overload_method

from rollin.compiler.acting import decide, offer, tell_costs
from rollin.decisions.schema import UNKNOWN, NameProblem, Schema
from rollin.decisions.state import (
    COSTS_TOLD,
    FIELDS,
    NOTHING_TOLD,
    REFERENCE_TOLD,
    as_search,
    search_type,
)
from rollin.native.structs import define_borrowed, lend, plain


class TaskSearchType(types.Type):
    """The search as the decoder of one task sees it: with the names of that task, and borrowed."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        super().__init__(f"search of {schema.task} {digest_of_names(schema)}")


def digest_of_names(schema: Schema) -> str:
    """Digest all that native code takes from a schema: names, not the number of actions."""
    names = (schema.task, schema.slots, schema.notes, tuple(schema.decisions))
    return hashlib.blake2b(repr(names).encode(), digest_size=8).hexdigest()


define_borrowed(TaskSearchType, search_type)


def _number(search: Any, what: str, name: Any) -> int:
    if not isinstance(name, types.StringLiteral):
        raise errors.TypingError(
            f"the name of the {what} must be written out as text, as in "
            f"{example_call(search.schema, what)}; here it is a variable of type {name}"
        )
    try:
        return search.schema.number(what, name.literal_value)
    except NameProblem as problem:
        raise errors.TypingError(str(problem)) from None


def example_call(schema: Schema, what: str) -> str:
    """Show a call that would be right."""
    if what == "decision":
        return f'search.predict("{next(iter(schema.decisions))}", reference=...)'
    names = schema.slots if what == "slot" else schema.notes
    call = "look" if what == "slot" else "note"
    return f'search.{call}("{names[0] if names else "name"}", ...)'


@overload_method(TaskSearchType, "look", prefer_literal=True)
def _look(search, slot, position):
    number = _number(search, "slot", slot)

    def look(search, slot, position):
        search.looking[number] = position

    return look


@overload_method(TaskSearchType, "note", prefer_literal=True)
def _note(search, note, value):
    number = _number(search, "note", note)

    def record(search, note, value):
        search.noting[number] = value

    return record


# Inlined whatever its size, so that a replayed decision costs no call.
@overload_method(TaskSearchType, "predict", prefer_literal=True, jit_options={"forceinline": True})
def _predict(search, decision, reference=None, costs=None, allowed=None):
    # np.int64, for a plain int is a type of its own, and everything called would be compiled anew
    kind = np.int64(_number(search, "decision", decision))
    if not _is_none(costs):

        def predict(search, decision, reference=None, costs=None, allowed=None):
            step = search.step
            if step < search.replay:
                search.step = step + 1
                return np.int64(search.path[step])
            offer(as_search(search), kind, allowed)
            if search.needs_reference:
                best = tell_costs(as_search(search), kind, costs)
                return search.decide(lend(search), kind, best, COSTS_TOLD, False)
            return search.decide(lend(search), kind, np.int64(UNKNOWN), NOTHING_TOLD, False)

    elif not _is_none(reference):

        def predict(search, decision, reference=None, costs=None, allowed=None):
            step = search.step
            if step < search.replay:
                search.step = step + 1
                return np.int64(search.path[step])
            known = np.int64(reference)
            actions = search.actions_of[kind]
            if search.relying and step < search.capacity and 0 <= known < actions:
                if allowed is None or (len(allowed) == actions and allowed[known]):
                    search.path[step] = known
                    search.step = step + 1
                    return known
            if allowed is not None:
                offer(as_search(search), kind, allowed)
            told = NOTHING_TOLD if known == UNKNOWN else REFERENCE_TOLD
            return search.decide(lend(search), kind, known, told, allowed is None)

    else:

        def predict(search, decision, reference=None, costs=None, allowed=None):
            step = search.step
            if step < search.replay:
                search.step = step + 1
                return np.int64(search.path[step])
            if allowed is not None:
                offer(as_search(search), kind, allowed)
            free = allowed is None
            return search.decide(lend(search), kind, np.int64(UNKNOWN), NOTHING_TOLD, free)

    return predict


def _is_none(value: Any) -> bool:
    given = value.value if isinstance(value, types.Omitted) else value
    return given is None or isinstance(given, types.NoneType)


@overload_method(TaskSearchType, "loss")
def _loss(search, amount):
    def loss(search, amount):
        search.total += amount

    return loss


@overload_attribute(TaskSearchType, "needs_reference")
def _needs_reference(search):
    def needs_reference(search):
        return search.step >= search.replay and (search.recording or search.reference_share > 0.0)

    return needs_reference


@overload(len)
def _length(search):
    if isinstance(search, TaskSearchType):
        return lambda search: search.size


class PlainSearch:
    """The search of an interpreted run: the same calls, on the same fields, as Python."""

    __slots__ = (*FIELDS, "result", "schema")

    if TYPE_CHECKING:
        step: Any

        def __getattr__(self, field: str) -> Any: ...
        def __setattr__(self, field: str, value: Any) -> None: ...

    def __init__(self, schema: Schema) -> None:
        for field in FIELDS:
            setattr(self, field, 0)
        self.schema = schema

    def look(self, slot: str, position: int) -> None:
        """Let the next decisions look at an input position through a slot (NOTHING: at none)."""
        self.looking[self.schema.number("slot", slot)] = position

    def note(self, note: str, value: int) -> None:
        """Let the next decisions know a small fact about what was done so far."""
        self.noting[self.schema.number("note", note)] = value

    def predict(
        self,
        decision: str,
        reference: int | None = None,
        costs: Sequence[float] | None = None,
        allowed: Sequence[bool] | None = None,
    ) -> int:
        """Take a decision.

        Args:
            decision: which kind of decision, by the name the task declared.
            reference: a good action, for training (UNKNOWN where nobody knows one).
            costs: what every action would cost from here to the end, in place of a reference.
            allowed: which actions are allowed now, a truth value for each (None: all).
        """
        kind = self.schema.number("decision", decision)
        step = self.step
        if step < self.replay:
            self.step = step + 1
            return int(self.path[step])
        _plain_offer(self, kind, allowed)
        if costs is not None and self.needs_reference:
            best = _plain_tell_costs(self, kind, costs)
            return int(_plain_decide(self, kind, best, COSTS_TOLD, False))
        known = UNKNOWN if reference is None else int(reference)
        told = NOTHING_TOLD if known == UNKNOWN else REFERENCE_TOLD
        return int(_plain_decide(self, kind, known, told, False))

    def loss(self, amount: float) -> None:
        """Add to the loss of this run."""
        self.total += float(amount)

    @property
    def needs_reference(self) -> bool:
        """Whether the next decision makes use of a reference: if not, skip working it out."""
        return bool(self.step >= self.replay and (self.recording or self.reference_share > 0.0))

    def __len__(self) -> int:
        return self.size


_plain_offer, _plain_decide, _plain_tell_costs = plain(offer), plain(decide), plain(tell_costs)

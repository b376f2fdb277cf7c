"""The state of a search: where a run of a decoder stands, and what is written down of it.

Everything above works on this one struct: the calls of a decoder fill in the decision in the
making; the compiler decides who acts; the learner reads a row (what was looked at, noted, allowed)
and writes scores. A `recording` run keeps a row for every decision, so that the learner can be
trained on it afterwards; other runs use one row over and over, the last.

Everything is `shared` (see native/structs.py): the same lines run natively and as plain Python.
"""

import numpy as np
from numba import types
from numba.core.types import StructRef

from rollin.native.kernels import kernel
from rollin.native.structs import (
    array_type,
    bare,
    caster,
    define,
    define_borrowed,
    lend,
    lent,
    pointer,
    shared,
)

# What stopped a run (`fault`), for compiler/faults.py to put into words.
FINE, TOO_LONG, NOTHING_ALLOWED, NOT_AN_ACTION, NOT_ALLOWED, NO_REFERENCE = range(6)
BAD_COST, BAD_LOSS, BAD_SCORE, WRONG_SIZE = range(6, 10)

# What a decoder told of a decision (`told`).
NOTHING_TOLD, REFERENCE_TOLD, COSTS_TOLD = np.int64(0), np.int64(1), np.int64(2)

CAPACITY = 128
MEMO = 2048
LOCAL = types.FunctionType(types.void(lent, types.int64))
"""The type of a learner's two functions, `score` and `update`: a search and the row to work on."""
ACT = types.FunctionType(types.int64(lent, types.int64, types.int64, types.int64, types.boolean))
"""The type of what takes a decision: a search, the kind, the reference, what was told, and whether
all actions are allowed."""

_i8, _f8 = types.int64, types.float64
_FIELDS = [
    # the example
    ("features", array_type(np.uint64, 2)),  # all positions of all examples, by column
    ("origin", _i8),  # where this example's positions begin
    ("size", _i8),  # how many they are
    ("current", _i8),  # the number of this example
    # the task
    ("actions_of", pointer(types.int64)),  # how many actions each kind of decision has
    ("slots", _i8),
    ("notes", _i8),
    ("history", _i8),
    # the decision in the making
    ("looking", pointer(types.int32)),
    ("noting", pointer(types.int32)),
    ("offer", pointer(types.uint8)),
    ("price", array_type(np.float64, 1)),
    # the run
    ("step", _i8),
    ("replay", _i8),
    ("path", pointer(types.int32)),
    ("total", _f8),
    ("limit", _i8),
    ("halt_at", _i8),  # stop the run before this decision is taken (for the beam)
    ("halted", types.boolean),
    ("weighing", types.boolean),  # work out how certain each decision is (only while predicting)
    ("certainty", _f8),  # of the last decision: its probability, or 1 where the learner had no say
    # who acts
    ("decide", ACT),
    ("reference_share", _f8),
    ("relying", types.boolean),  # the reference takes every decision, and nothing is written down
    ("chance", types.uint64),
    ("recording", types.boolean),
    ("scoring", types.boolean),  # score every decision of this run, even where the reference acts
    ("remembering", types.boolean),
    ("memo_stamp", _i8),
    ("memo", pointer(types.uint64)),  # views, each with the action chosen there behind it
    ("rolled_in", _i8),  # so many rows hold the roll-in of this example, under weights of now
    # the rows, one more than `capacity`: the last is for runs that are not recorded
    ("capacity", _i8),
    ("path_memory", array_type(np.int32, 1)),
    ("kind", array_type(np.int32, 1)),
    ("chosen", array_type(np.int32, 1)),
    ("learned", array_type(np.int32, 1)),  # what the learned policy would choose, -1: not asked
    ("free", array_type(np.bool_, 1)),  # all actions are allowed
    ("reference", array_type(np.int32, 1)),
    ("told", array_type(np.int32, 1)),
    ("looked", array_type(np.int32, 2)),
    ("noted", array_type(np.int32, 2)),
    ("allowed", array_type(np.bool_, 2)),
    ("cost", array_type(np.float64, 2)),
    ("scores", array_type(np.float32, 2)),
    # the learner
    ("score", LOCAL),
    ("update", LOCAL),
    ("model", lent),
    ("by_chance", types.boolean),  # its scores are logarithms of probabilities, up to a constant
    # what went wrong, and what was done
    ("fault", _i8),
    ("fault_at", _i8),
    ("fault_kind", _i8),
    ("fault_value", _f8),
    ("trained", _i8),  # decisions trained on so far, over all passes
    ("scored", _i8),
    ("remembered", _i8),
]
FIELDS = tuple(name for name, _ in _FIELDS)


class SearchType(StructRef):
    """The native search as the library sees it."""

    def __init__(self, name: str = "search") -> None:
        super().__init__(_FIELDS)
        self.name = name  # short: it is part of the name of every function over it


define(SearchType)
search_type = SearchType()


class LentSearchType(types.Type):
    """The same search, lent: what a decision calls takes it along without counting references."""


define_borrowed(LentSearchType, search_type)
as_search = caster(LentSearchType("lent search"))
owned_search = caster(search_type)


class DecisionFault(Exception):
    """A decoder asked for something impossible; the search's fault fields say what."""


class Halt(Exception):
    """The run came to where it was to be halted."""


def empty_search(schema, limit):
    """Give the fields of a search for a task, and the arrays to be kept alive beside it."""
    rows, most = CAPACITY + 1, schema.most_actions
    fields = {
        "slots": len(schema.slots),
        "notes": len(schema.notes),
        "history": schema.history,
        "limit": limit,
        "halt_at": -1,
        "price": np.zeros(most, np.float64),
        "memo_stamp": 1,
        "capacity": CAPACITY,
        "path_memory": np.zeros(rows, np.int32),
        "kind": np.zeros(rows, np.int32),
        "chosen": np.zeros(rows, np.int32),
        "learned": np.zeros(rows, np.int32),
        "free": np.zeros(rows, np.bool_),
        "reference": np.zeros(rows, np.int32),
        "told": np.zeros(rows, np.int32),
        "looked": np.zeros((rows, len(schema.slots)), np.int32),
        "noted": np.zeros((rows, len(schema.facts)), np.int32),
        "allowed": np.zeros((rows, most), np.bool_),
        "cost": np.zeros((rows, most), np.float64),
        "scores": np.zeros((rows, most), np.float32),
    }
    kept = (
        np.array([len(actions) for actions in schema.decisions.values()], np.int64),
        np.zeros(len(schema.slots), np.int32),
        np.zeros(len(schema.notes), np.int32),
        np.ones(most, np.uint8),
        np.zeros(2 * MEMO, np.uint64),
    )
    return fields, kept


@shared
def prepare(search, model, actions_of, looking, noting, offer, memo):
    """Point a new search at the model and the arrays that its owner keeps alive."""
    search.model = lend(model)
    search.actions_of = bare(actions_of)
    search.looking, search.noting, search.offer = bare(looking), bare(noting), bare(offer)
    search.memo = bare(memo)
    search.path = bare(search.path_memory)


@shared
def what_failed(search):
    """Give what stopped a run: the fault, its number, and where: example, decision, kind."""
    return search.fault, search.fault_value, search.current, search.fault_at, search.fault_kind


@shared
def make_room(search):
    """Double the number of rows."""
    rows = 2 * search.capacity + 1
    search.path_memory = longer(search.path_memory, rows)
    search.kind = longer(search.kind, rows)
    search.chosen = longer(search.chosen, rows)
    search.learned = longer(search.learned, rows)
    search.free = longer(search.free, rows)
    search.reference = longer(search.reference, rows)
    search.told = longer(search.told, rows)
    search.looked = taller(search.looked, rows)
    search.noted = taller(search.noted, rows)
    search.allowed = taller(search.allowed, rows)
    search.cost = taller(search.cost, rows)
    search.scores = taller(search.scores, rows)
    search.path = bare(search.path_memory)
    search.capacity = rows - 1


@kernel
def longer(old, length):
    """Copy an array into a longer one. (Loops: numba compiles slice assignments slowly.)"""
    new = np.empty(length, old.dtype)
    for place in range(len(old)):
        new[place] = old[place]
    return new


@kernel
def taller(old, rows):
    """Copy a two-dimensional array into one of more rows."""
    new = np.empty((rows, old.shape[1]), old.dtype)
    for row in range(old.shape[0]):
        for column in range(old.shape[1]):
            new[row, column] = old[row, column]
    return new


@shared
def begin(search):
    """Put the search before its first decision."""
    search.step = 0
    search.total = 0.0
    search.certainty = 1.0  # so it stays where decisions are replayed
    for slot in range(search.slots):
        search.looking[slot] = -1
    for note in range(search.notes):
        search.noting[note] = 0


@shared
def show_example(search, number, origin, size):
    """Turn to another example; nothing remembered of the last one holds."""
    search.current, search.origin, search.size = number, origin, size
    forget(search)


@shared
def forget(search):
    """Forget what the learned policy chose: another example comes, or the weights change."""
    search.memo_stamp += 1
    search.rolled_in = 0


@shared
def fail(search, fault, value):
    """Stop the run."""
    search.fault = fault
    search.fault_at = search.step
    search.fault_value = value
    raise DecisionFault

"""The search: one run of a decoder, who acts in it, and what is written down of it.

A decoder runs from its first decision to its last. The first `replay` decisions repeat what `path`
says; from there on a policy acts: the reference with probability `reference_share`, else the
learned one. A `recording` run keeps a row for every decision (what was looked at, noted, allowed,
...), so that the learner can be trained on it afterwards; other runs use one row over and over.

Everything is `shared` (see structs.py): the same lines run natively and as plain Python.
"""

import numpy as np
from numba import types
from numba.core.types import StructRef

from rollin.hashing import mix, spread
from rollin.native import kernel
from rollin.structs import (
    array_type,
    bare,
    caster,
    define,
    erase,
    erased,
    pointer,
    shared,
)

# What stopped a run (`fault`), for messages.py to put into words.
FINE, TOO_LONG, NOTHING_ALLOWED, NOT_AN_ACTION, NOT_ALLOWED, NO_REFERENCE = range(6)
BAD_COST, BAD_LOSS, BAD_SCORE, WRONG_SIZE = range(6, 10)

# What a decoder told of a decision (`told`).
NOTHING_TOLD, REFERENCE_TOLD, COSTS_TOLD = 0, 1, 2

_SPREAD = np.uint64(0x9E3779B97F4A7C15)

CAPACITY = 128
MEMO = 2048
LOCAL = types.FunctionType(types.void(erased, types.int64))
"""The type of a learner's two functions, `score` and `update`: a search and the row to work on."""

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
    # who acts
    ("reference_share", _f8),
    ("relying", types.boolean),  # the reference takes every decision, and nothing is written down
    ("chance", types.uint64),
    ("recording", types.boolean),
    ("scoring", types.boolean),  # score every decision of this run, even where the reference acts
    ("remembering", types.boolean),
    ("memo_stamp", _i8),
    ("memo_stamps", pointer(types.int64)),
    ("memo_views", pointer(types.uint64)),
    ("memo_actions", pointer(types.int32)),
    # the rows, one more than `capacity`: the last is for runs that are not recorded
    ("capacity", _i8),
    ("path_memory", array_type(np.int32, 1)),
    ("kind", array_type(np.int32, 1)),
    ("chosen", array_type(np.int32, 1)),
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
    ("model", erased),
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
as_search = caster(search_type)


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
        np.zeros(MEMO, np.int64),
        np.zeros(MEMO, np.uint64),
        np.zeros(MEMO, np.int32),
    )
    return fields, kept


@shared
def prepare(search, actions_of, looking, noting, offer, stamps, views, actions):
    """Point a new search at the arrays that its owner keeps alive."""
    search.actions_of = bare(actions_of)
    search.looking, search.noting, search.offer = bare(looking), bare(noting), bare(offer)
    search.memo_stamps, search.memo_views = bare(stamps), bare(views)
    search.memo_actions = bare(actions)
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
    for slot in range(search.slots):
        search.looking[slot] = -1
    for note in range(search.notes):
        search.noting[note] = 0


@shared
def show_example(search, number, origin, size):
    """Turn to another example; nothing remembered of the last one holds."""
    search.current, search.origin, search.size = number, origin, size
    search.memo_stamp += 1


@shared
def fail(search, fault, value):
    """Stop the run."""
    search.fault = fault
    search.fault_at = search.step
    search.fault_value = value
    raise DecisionFault


@shared
def decide_freely(search, kind, reference):
    """Take a decision among all actions, with a reference (-1: with none)."""
    search.fault_kind = kind
    for action in range(search.actions_of[kind]):
        search.offer[action] = 1
    return decide(search, kind, reference, REFERENCE_TOLD if reference != -1 else NOTHING_TOLD)


@shared
def offer(search, kind, allowed):
    """Take down which actions are allowed now (None: all of them)."""
    search.fault_kind = kind
    count = search.actions_of[kind]
    if allowed is None:
        for action in range(count):
            search.offer[action] = 1
    else:
        if len(allowed) != count:
            fail(search, WRONG_SIZE, float(len(allowed)))
        possible = 0
        for action in range(count):
            search.offer[action] = 1 if allowed[action] else 0
            possible += search.offer[action]
        if possible == 0:
            fail(search, NOTHING_ALLOWED, 0.0)


@shared
def tell_costs(search, kind, costs):
    """Take down what every action would cost; the cheapest allowed one is the reference."""
    count = search.actions_of[kind]
    if len(costs) != count:
        fail(search, WRONG_SIZE, float(len(costs)))
    best = -1
    for action in range(count):
        search.price[action] = costs[action]
        if search.offer[action] != 0:
            if not np.isfinite(search.price[action]):
                fail(search, BAD_COST, float(action))
            if best < 0 or search.price[action] < search.price[best]:
                best = action
    return best


@shared
def let_act(search, reference_share):
    """Set how likely it is that the reference takes a decision."""
    search.reference_share = reference_share
    search.relying = reference_share >= 1.0 and not search.recording and not search.scoring


@shared
def decide(search, kind, reference, told):
    """Take a decision that is not a replay, and write it down if the run is recorded."""
    step = search.step
    if step == search.halt_at:
        _write_row(search, search.capacity, kind, reference, told)
        search.halted = True
        raise Halt
    if step >= search.limit:
        fail(search, TOO_LONG, float(step))
    if step >= search.capacity:
        make_room(search)
    if told != NOTHING_TOLD:
        _check_reference(search, kind, reference)
    share = search.reference_share
    by_reference = share > 0.0 and (share >= 1.0 or draw(search.chance, step) < share)
    if by_reference and told == NOTHING_TOLD:
        fail(search, NO_REFERENCE, 0.0)
    action = reference
    if search.recording:
        _write_row(search, step, kind, reference, told)
        if search.scoring or not by_reference:
            learned = _best(search, step)
            action = reference if by_reference else learned
            if search.remembering:
                _remember(search, view(search, kind), learned)
        search.chosen[step] = action
    elif not by_reference:
        action = _choose_again(search, kind, reference, told)
    search.path[step] = action
    search.step = step + 1
    return action


@shared
def _check_reference(search, kind, reference):
    if reference < 0 or reference >= search.actions_of[kind]:
        fail(search, NOT_AN_ACTION, float(reference))
    if search.offer[reference] == 0:
        fail(search, NOT_ALLOWED, float(reference))


@shared
def draw(chance, step):
    """Draw a number from [0, 1) that depends on nothing but the key and the step.

    So two runs that differ in one action meet the same luck everywhere else, and a training that
    is resumed in the middle goes on as if it had never stopped.
    """
    bits = mix(chance, np.uint64(step))
    return float(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@shared
def _write_row(search, row, kind, reference, told):
    search.kind[row] = kind
    search.reference[row] = reference
    search.told[row] = told
    looked, noted = search.looked[row], search.noted[row]
    for slot in range(search.slots):
        looked[slot] = search.looking[slot]
    for note in range(search.notes):
        noted[note] = search.noting[note]
    for back in range(search.history):
        before = search.step - 1 - back
        noted[search.notes + back] = search.path[before] if before >= 0 else -1
    allowed, cost = search.allowed[row], search.cost[row]
    for action in range(search.actions_of[kind]):
        allowed[action] = search.offer[action] != 0
        if told == COSTS_TOLD:
            cost[action] = search.price[action]


@shared
def _choose_again(search, kind, reference, told):
    """Let the learned policy choose; within an example, it remembers what it chose in a view."""
    if not search.remembering:
        _write_row(search, search.capacity, kind, reference, told)
        return _best(search, search.capacity)
    seen = view(search, kind)
    place = np.int64(seen & np.uint64(MEMO - 1))
    if search.memo_stamps[place] == search.memo_stamp and search.memo_views[place] == seen:
        search.remembered += 1
        return np.int64(search.memo_actions[place])
    _write_row(search, search.capacity, kind, reference, told)
    action = _best(search, search.capacity)
    _remember(search, seen, action)
    return action


@shared
def _remember(search, seen, action):
    place = np.int64(seen & np.uint64(MEMO - 1))
    search.memo_stamps[place] = search.memo_stamp
    search.memo_views[place] = seen
    search.memo_actions[place] = action


@shared
def view(search, kind):
    """Hash all that a policy can know of the decision in the making."""
    seen = np.uint64(kind)
    for slot in range(search.slots):
        seen = seen * _SPREAD + _bits(search.looking[slot])
    for note in range(search.notes):
        seen = seen * _SPREAD + _bits(search.noting[note])
    for back in range(search.history):
        before = search.step - 1 - back
        seen = seen * _SPREAD + _bits(search.path[before] if before >= 0 else -1)
    for action in range(search.actions_of[kind]):
        if search.offer[action] == 0:
            seen = seen * _SPREAD + np.uint64(action + 1)
    return spread(seen)


@shared
def _bits(value):
    return np.uint64(np.int64(value) & 0xFFFFFFFF)


@shared
def _best(search, row):
    search.score(erase(search), row)
    search.scored += 1
    allowed, scores = search.allowed[row], search.scores[row]
    best = -1
    for action in range(search.actions_of[search.kind[row]]):
        if allowed[action]:
            if not np.isfinite(scores[action]):
                fail(search, BAD_SCORE, float(action))
            if best < 0 or scores[action] > scores[best]:
                best = action
    return best

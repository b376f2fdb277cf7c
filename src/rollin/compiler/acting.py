"""Who acts: every decision of a run is taken here.

The first `replay` decisions of a run repeat what `path` says (that is answered in calls.py, at
once). From there on a policy acts: the reference with probability `reference_share`, else the
learned one, which remembers within an example what it chose in a view that it has seen before.
"""

import numpy as np

from rollin.compiler.certainty import certainty_of
from rollin.decisions.state import (
    BAD_COST,
    BAD_SCORE,
    COSTS_TOLD,
    MEMO,
    NO_REFERENCE,
    NOT_ALLOWED,
    NOT_AN_ACTION,
    NOTHING_ALLOWED,
    NOTHING_TOLD,
    TOO_LONG,
    WRONG_SIZE,
    Halt,
    as_search,
    fail,
    make_room,
    owned_search,
)
from rollin.native.hashing import mix, spread
from rollin.native.structs import lend, shared, unowned

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
RUN_OUT = 10_000
"""So many decisions more, and four times as many as before, a halted run may take to its end."""


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
def decide(lent_search, kind, reference, told, free):
    """Take a decision that is not a replay, and write it down if the run is recorded.

    Decoders call this through the search (`search.decide`): so it is compiled once, and not anew as
    a part of every decoder. In a `free` decision all actions are allowed, which is taken down where
    it is asked for: often it is not.
    """
    search = as_search(lent_search)
    step = search.step
    if step < search.rolled_in and search.reference_share <= 0.0:
        if _as_rolled_in(search, step, kind, free):
            search.remembered += 1
            action = np.int64(search.learned[step])
            search.path[step] = action
            search.step = step + 1
            return action
    search.fault_kind = kind
    if 0 <= search.halt_at <= step:
        return run_out(search, kind, reference, told, free)
    if step >= search.limit:
        fail(search, TOO_LONG, float(step))
    if step >= search.capacity:
        make_room(owned_search(search))
    if told != NOTHING_TOLD:
        _check_reference(search, kind, reference, free)
    share = search.reference_share
    by_reference = share > 0.0 and (share >= 1.0 or draw(search.chance, step) < share)
    if by_reference and told == NOTHING_TOLD:
        fail(search, NO_REFERENCE, 0.0)
    action = reference
    if search.recording:
        _write_row(search, step, kind, reference, told, free)
        search.learned[step] = -1
        if search.scoring or not by_reference:
            learned = _best(search, step)
            search.learned[step] = learned
            action = reference if by_reference else learned
            if search.remembering:
                _remember(search, view(search, kind, free), learned)
        search.chosen[step] = action
    elif not by_reference:
        action = _choose_again(search, kind, reference, told, free)
    search.path[step] = action
    search.step = step + 1
    return action


@shared
def _as_rolled_in(search, step, kind, free):
    """Say whether the decision is, to a policy, the roll-in's at this step, and was asked then.

    That is so for most of what a roll-out sees, and is found out sooner than a view is hashed.
    """
    if search.learned[step] < 0 or search.kind[step] != kind:
        return False
    looked, noted = unowned(search.looked[step]), unowned(search.noted[step])
    for note in range(search.notes):
        if noted[note] != search.noting[note]:
            return False
    for slot in range(search.slots):
        if looked[slot] != search.looking[slot]:
            return False
    for back in range(search.history):
        before = step - 1 - back
        if before >= 0 and noted[search.notes + back] != search.path[before]:
            return False
    if free and search.free[step]:
        return True
    for action in range(search.actions_of[kind]):
        if search.allowed[step, action] != (free or search.offer[action] != 0):
            return False
    return True


@shared
def run_out(search, kind, reference, told, free):
    """Write down the decision at which a run was to be halted; behind it, let the run end somehow.

    Stopping it at once, by an exception, would be quicker; but native code then loses the memory of
    all arrays that the decoder has made. So that is done only if no end comes.
    """
    if search.step == search.halt_at:
        _write_row(search, search.capacity, kind, reference, told, free)
        search.halted = True
    elif search.step > 4 * search.halt_at + RUN_OUT:
        raise Halt
    search.step += 1
    for action in range(search.actions_of[kind]):
        if free or search.offer[action] != 0:
            return action
    return np.int64(0)


@shared
def _check_reference(search, kind, reference, free):
    if reference < 0 or reference >= search.actions_of[kind]:
        fail(search, NOT_AN_ACTION, float(reference))
    if not free and search.offer[reference] == 0:
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
def _write_row(search, row, kind, reference, told, free):
    search.kind[row] = kind
    search.reference[row] = reference
    search.told[row] = told
    search.free[row] = free
    looked, noted = unowned(search.looked[row]), unowned(search.noted[row])
    for slot in range(search.slots):
        looked[slot] = search.looking[slot]
    for note in range(search.notes):
        noted[note] = search.noting[note]
    for back in range(search.history):
        before = search.step - 1 - back
        noted[search.notes + back] = search.path[before] if before >= 0 else -1
    allowed, cost = unowned(search.allowed[row]), unowned(search.cost[row])
    for action in range(search.actions_of[kind]):
        allowed[action] = free or search.offer[action] != 0
        if told == COSTS_TOLD:
            cost[action] = search.price[action]


@shared
def _choose_again(search, kind, reference, told, free):
    """Let the learned policy choose; within an example, it remembers what it chose in a view."""
    if not search.remembering:
        _write_row(search, search.capacity, kind, reference, told, free)
        return _best(search, search.capacity)
    seen = view(search, kind, free)
    place = _place(seen)
    if search.memo[place] == seen:
        search.remembered += 1
        return np.int64(search.memo[place + 1])
    _write_row(search, search.capacity, kind, reference, told, free)
    action = _best(search, search.capacity)
    _remember(search, seen, action)
    return action


@shared
def _remember(search, seen, action):
    place = _place(seen)
    search.memo[place] = seen
    search.memo[place + 1] = np.uint64(action)


@shared
def _place(seen):
    return 2 * np.int64(seen & np.uint64(MEMO - 1))


@shared
def view(search, kind, free):
    """Hash all that a policy can know of the decision in the making, and the stamp of now."""
    seen = np.uint64(search.memo_stamp) * _SPREAD + np.uint64(kind)
    for slot in range(search.slots):
        seen = seen * _SPREAD + _bits(search.looking[slot])
    for note in range(search.notes):
        seen = seen * _SPREAD + _bits(search.noting[note])
    for back in range(search.history):
        before = search.step - 1 - back
        seen = seen * _SPREAD + _bits(search.path[before] if before >= 0 else -1)
    for action in range(0 if free else search.actions_of[kind]):
        if search.offer[action] == 0:
            seen = seen * _SPREAD + np.uint64(action + 1)
    return spread(seen)


@shared
def _bits(value):
    return np.uint64(np.int64(value) & 0xFFFFFFFF)


@shared
def _best(search, row):
    search.score(lend(search), row)
    search.scored += 1
    allowed, scores = unowned(search.allowed[row]), unowned(search.scores[row])
    best = -1
    for action in range(search.actions_of[search.kind[row]]):
        if allowed[action]:
            if not np.isfinite(scores[action]):
                fail(search, BAD_SCORE, float(action))
            if best < 0 or scores[action] > scores[best]:
                best = action
    if search.weighing:
        # np.int64, for a plain -1 is a type of its own, and it would be compiled for that too
        search.certainty = certainty_of(search, row, np.int64(best))
    return best

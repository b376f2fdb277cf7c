"""One decision of a dense model, natively: what its scores are, and how they are to change."""

import numpy as np
from numba import types
from numba.core.types import StructRef

from rollin.decisions.state import as_search
from rollin.learners.reductions import blame
from rollin.native.hashing import mix
from rollin.native.kernels import kernel
from rollin.native.structs import (
    array_type,
    caster,
    define,
    define_borrowed,
    maker,
    shared,
    unowned,
)

FEW = 6
"""Up to so many actions a product for each is quicker than to leave out the units that are zero."""
_f4, _i8 = array_type(np.float32, 1), types.int64


class DenseType(StructRef):
    """A dense model as native code sees it, with the work space of one thread."""

    def __init__(self) -> None:
        super().__init__(list(_FIELDS.items()))
        self.name = "dense"


_FIELDS = {
    "hidden": _i8,
    "slots": array_type(np.int64, 1),  # the numbers of those that are seen
    "fact_rows": _i8,
    "places": array_type(np.int64, 1),  # by example: where its positions begin in `where`
    "where": array_type(np.int32, 1),  # by position: its row of `products`
    # rows of slots x hidden; the first two are for nothing and for beyond the end
    "products": array_type(np.float32, 2),
    "facts": array_type(np.float32, 2),  # per note a block of rows, one a value
    "kinds": array_type(np.float32, 2),
    "out": _f4,  # per kind hidden x lanes
    "out_back": _f4,  # the same turned: per kind lanes x hidden
    "out_first": array_type(np.int64, 1),
    "lanes": array_type(np.int64, 1),
    "out_shift": array_type(np.float32, 2),
    # the last view, and its sum
    "seen": array_type(np.int32, 1),
    "rows": array_type(np.int64, 1),
    "total": _f4,
    "active": _f4,
    "units": array_type(np.int64, 1),  # those that are active
    "sums": _f4,  # of the output layer, while it is added up
    # learning
    "reduction": _i8,
    "scaling": _i8,
    "dropout": types.float64,
    "chance": types.uint64,
    "gradient": _f4,
    "blamed": _f4,
    "pending": _f4,  # the gradient of the last view's sum, while decisions share it
    "waiting": types.boolean,
    "counts": array_type(np.float64, 1),
    "products_slope": array_type(np.float32, 2),
    "facts_slope": array_type(np.float32, 2),
    "kinds_slope": array_type(np.float32, 2),
    "out_slope": _f4,  # turned, like `out_back`
    "out_shift_slope": array_type(np.float32, 2),
}
define(DenseType)
dense_type = DenseType()


class LentDenseType(types.Type):
    """The same, lent."""


define_borrowed(LentDenseType, dense_type)
as_dense = caster(LentDenseType("lent dense"))
make_dense = maker("dense", dense_type)


@shared
def set_products(model, places, where, products, slope, chance):
    """Turn to other examples."""
    model.places, model.where = unowned(places), unowned(where)
    model.products, model.products_slope = unowned(products), unowned(slope)
    model.chance = chance
    model.seen[0] = -2


# --- a decision ----------------------------------------------------------------------------------


@shared
def score(lent_search, row):
    """Score the actions of a recorded decision."""
    search = as_search(lent_search)
    model = as_dense(search.model)
    kind = search.kind[row]
    sum_view(search, model, row)
    active = unowned(model.active)
    activate(unowned(model.total), unowned(model.kinds[kind]), active)
    answer(model, kind, active, search.actions_of[kind], unowned(search.scores[row]))


@shared
def answer(model, kind, active, actions, scores):
    """Run the output layer."""
    first, shift = model.out_first[kind], unowned(model.out_shift[kind])
    if actions <= FEW:
        say_few(unowned(model.out_back), first, shift, active, unowned(model.sums), actions, scores)
    else:
        say(
            unowned(model.out), first, model.lanes[kind], shift, active,
            unowned(model.units), unowned(model.sums), actions, scores,
        )  # fmt: skip


@shared
def sum_view(search, model, row):
    """Add up what a decision looks at and notes, unless that is what the last one did."""
    current, size = search.current, search.size
    looked, noted = unowned(search.looked[row]), unowned(search.noted[row])
    if view_changed(unowned(model.seen), current, looked, noted):
        finish_view(model)
        start, slots, rows = model.places[current], unowned(model.slots), unowned(model.rows)
        where = unowned(model.where)
        find_rows(where, start, size, slots, looked, noted, model.fact_rows, rows)
        products, facts = unowned(model.products), unowned(model.facts)
        add_view(products, facts, len(slots), rows, unowned(model.total))


@kernel
def view_changed(seen, current, looked, noted):
    """Compare a view with the last one, and keep it."""
    changed = seen[0] != current
    seen[0] = current
    place = 1
    for slot in range(len(looked)):
        changed = changed or seen[place] != looked[slot]
        seen[place] = looked[slot]
        place += 1
    for note in range(len(noted)):
        changed = changed or seen[place] != noted[note]
        seen[place] = noted[note]
        place += 1
    return changed


@kernel
def find_rows(where, start, size, slots, looked, noted, fact_rows, rows):
    """Find the rows of a view: for each slot in `products`, for each note in `facts`."""
    for place in range(len(slots)):
        position = looked[slots[place]]
        if 0 <= position < size:
            rows[place] = where[start + position]
        else:
            rows[place] = 0 if position < 0 else 1
    for note in range(len(noted)):
        rows[len(slots) + note] = note * fact_rows + ((noted[note] + 1) & (fact_rows - 1))


@kernel
def add_view(products, facts, slots, rows, total):
    """Sum the rows of a view, four at a time: so the sum is read and written less often."""
    hidden = len(total)
    for unit in range(hidden):
        total[unit] = np.float32(0.0)
    whole = slots // 4 * 4
    for slot in range(0, whole, 4):
        first = slot * hidden
        one = products[rows[slot], first : first + hidden]
        two = products[rows[slot + 1], first + hidden : first + 2 * hidden]
        three = products[rows[slot + 2], first + 2 * hidden : first + 3 * hidden]
        four = products[rows[slot + 3], first + 3 * hidden : first + 4 * hidden]
        for unit in range(hidden):
            total[unit] += (one[unit] + two[unit]) + (three[unit] + four[unit])
    for slot in range(whole, slots):
        one = products[rows[slot], slot * hidden : (slot + 1) * hidden]
        for unit in range(hidden):
            total[unit] += one[unit]
    notes = len(rows) - slots
    whole = slots + notes // 4 * 4
    for place in range(slots, whole, 4):
        one, two = facts[rows[place]], facts[rows[place + 1]]
        three, four = facts[rows[place + 2]], facts[rows[place + 3]]
        for unit in range(hidden):
            total[unit] += (one[unit] + two[unit]) + (three[unit] + four[unit])
    for place in range(whole, slots + notes):
        one = facts[rows[place]]
        for unit in range(hidden):
            total[unit] += one[unit]


@kernel
def activate(total, shift, active):
    """ReLU, with a shift of its own for every kind of decision."""
    for unit in range(len(total)):
        active[unit] = max(total[unit] + shift[unit], np.float32(0.0))


@kernel
def say_few(back, first, shift, active, sums, actions, scores):
    """The output layer for few actions: for each the product of its weights with all units.

    It is added up in 64 lanes beside each other, then these: that takes the processor 50 ns.
    """
    hidden = len(active)
    whole = hidden // 64 * 64
    for action in range(actions):
        weights = back[first + action * hidden : first + (action + 1) * hidden]
        for lane in range(64):
            sums[lane] = np.float32(0.0)
        for start in range(0, whole, 64):
            left, right = active[start : start + 64], weights[start : start + 64]
            for lane in range(64):
                sums[lane] += left[lane] * right[lane]
        for lane in range(16):
            sums[lane] = (sums[lane] + sums[lane + 16]) + (sums[lane + 32] + sums[lane + 48])
        for lane in range(4):
            sums[lane] = (sums[lane] + sums[lane + 4]) + (sums[lane + 8] + sums[lane + 12])
        total = (sums[0] + sums[1]) + (sums[2] + sums[3]) + shift[action]
        for unit in range(whole, hidden):
            total += active[unit] * weights[unit]
        scores[action] = total


@kernel
def say(out, first, lanes, shift, active, units, sums, actions, scores):
    """The output layer, over the units that are not zero, four at a time."""
    count = 0
    for unit in range(len(active)):
        units[count] = unit
        count += active[unit] != np.float32(0.0)
    for lane in range(lanes):
        sums[lane] = shift[lane]
    whole = count // 4 * 4
    for place in range(0, whole, 4):
        a, b, c, d = units[place], units[place + 1], units[place + 2], units[place + 3]
        one, two = out[first + a * lanes :], out[first + b * lanes :]
        three, four = out[first + c * lanes :], out[first + d * lanes :]
        for lane in range(lanes):
            sums[lane] += (active[a] * one[lane] + active[b] * two[lane]) + (
                active[c] * three[lane] + active[d] * four[lane]
            )
    for place in range(whole, count):
        one = out[first + units[place] * lanes :]
        for lane in range(lanes):
            sums[lane] += active[units[place]] * one[lane]
    for action in range(actions):
        scores[action] = sums[action]


# --- and how it learns ---------------------------------------------------------------------------


@shared
def update(lent_search, row):
    """Add the gradient of a recorded decision to what is gathered."""
    search = as_search(lent_search)
    model = as_dense(search.model)
    kind = search.kind[row]
    actions = search.actions_of[kind]
    sum_view(search, model, row)
    active, gradient = unowned(model.active), unowned(model.gradient)
    scores, first = unowned(search.scores[row]), model.out_first[kind]
    activate(unowned(model.total), unowned(model.kinds[kind]), active)
    if model.dropout > 0.0:
        example = mix(model.chance, np.uint64(search.current))
        drop(active, model.dropout, mix(example, np.uint64(row)))
    answer(model, kind, active, actions, scores)
    blame(
        model.reduction, model.scaling, actions,
        unowned(search.allowed[row]), unowned(search.cost[row]), scores, gradient,
    )  # fmt: skip
    model.counts[0] += 1.0
    head_back(
        unowned(model.out_back), unowned(model.out_slope), first, actions, model.dropout,
        active, gradient, unowned(model.out_shift_slope[kind]), unowned(model.kinds_slope[kind]),
        unowned(model.blamed), unowned(model.pending),
    )  # fmt: skip
    model.waiting = True


@shared
def finish_view(model):
    """Pass the gradient of the last view on to what it was the sum of."""
    if model.waiting:
        slots = model.products_slope.shape[1] // model.hidden
        view_back(
            unowned(model.products_slope), unowned(model.facts_slope), slots,
            unowned(model.rows), unowned(model.pending),
        )  # fmt: skip
        model.waiting = False


@kernel
def drop(active, rate, chance):
    """Drop hidden units at random, and make up for it with the others: inverted dropout."""
    kept = np.float32(1.0 / (1.0 - rate))
    least = np.uint64(rate * 65536.0)
    bits = chance
    for unit in range(len(active)):
        if unit & 3 == 0:
            bits = mix(chance, np.uint64(unit))
        if (bits & np.uint64(0xFFFF)) < least:
            active[unit] = np.float32(0.0)
        else:
            active[unit] *= kept
        bits >>= np.uint64(16)


@kernel
def head_back(
    out_back, out_slope, first, actions, dropout, active, gradient, shift_slope, kind_slope,
    blamed, pending,
):  # fmt: skip
    """Back through the output layer and the ReLU; `pending` gathers the gradient of the sum."""
    hidden = len(active)
    for unit in range(hidden):
        blamed[unit] = np.float32(0.0)
    for action in range(actions):
        slope = gradient[action]
        if slope != np.float32(0.0):
            shift_slope[action] += slope
            place = first + action * hidden
            weights, weights_slope = (
                out_back[place : place + hidden],
                out_slope[place : place + hidden],
            )
            for unit in range(hidden):
                blamed[unit] += slope * weights[unit]
                weights_slope[unit] += slope * active[unit]
    kept = np.float32(1.0 / (1.0 - dropout))
    for unit in range(hidden):
        passed = blamed[unit] * kept if active[unit] > np.float32(0.0) else np.float32(0.0)
        kind_slope[unit] += passed
        pending[unit] += passed


@kernel
def view_back(products_slope, facts_slope, slots, rows, pending):
    """Give every row that was added up its gradient; nothing is pending any more."""
    hidden = len(pending)
    for slot in range(slots):
        into = products_slope[rows[slot], slot * hidden : (slot + 1) * hidden]
        for unit in range(hidden):
            into[unit] += pending[unit]
    for place in range(slots, len(rows)):
        into = facts_slope[rows[place]]
        for unit in range(hidden):
            into[unit] += pending[unit]
    for unit in range(hidden):
        pending[unit] = np.float32(0.0)

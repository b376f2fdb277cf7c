"""The dense learner: a vector for every position, and decisions that add up rows.

An encoder gives every position of a batch of examples a vector. One matrix product makes of all of
them what each would add to the hidden layer, were it seen through each slot: a row of `products`.
A decision is then the sum of a dozen such rows and of a row for every note, a ReLU, and a small
output layer for its kind (Chen and Manning 2014, with the product moved out of the decisions). The
gradient comes back as that of `products`, and one more product turns it into those of the vectors
and of the first layer.

Decisions one after the other that look at and note the same (a label after its arc) share the sum.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import types
from numba.core.types import StructRef

from rollin.decisions.schema import Schema
from rollin.decisions.state import as_search
from rollin.errors import RollinError
from rollin.learners.adam import adam, adam_rows, corrected, rate_at
from rollin.learners.averaging import EVERY, average, share_at
from rollin.learners.encoders import encoder_from
from rollin.learners.packing import packed, unpacked
from rollin.learners.protocol import Shown, Use
from rollin.learners.reductions import REDUCTIONS, SCALINGS, blame
from rollin.learners.vocabulary import Vocabulary
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

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.98, 1e-8
_LANES = 16  # output rows are padded to whole vector registers
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
    "places": array_type(np.int64, 1),  # by example: where its positions begin in `products`
    # (2 + positions) x (slots x hidden); the first two are for nothing and for beyond the end
    "products": array_type(np.float32, 2),
    "facts": array_type(np.float32, 2),  # per note a block of rows, one a value
    "kinds": array_type(np.float32, 2),
    "out": _f4,  # per kind hidden x lanes
    "out_first": array_type(np.int64, 1),
    "lanes": array_type(np.int64, 1),
    "out_shift": array_type(np.float32, 2),
    # the last view, and its sum
    "seen": array_type(np.int32, 1),
    "rows": array_type(np.int64, 1),
    "total": _f4,
    "active": _f4,
    "units": array_type(np.int64, 1),  # those that are active
    # learning
    "reduction": _i8,
    "scaling": _i8,
    "dropout": types.float64,
    "chance": types.uint64,
    "out_back": _f4,  # `out` turned: per kind lanes x hidden
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
_TABLES = ("table", "facts")
_NONE = np.zeros(0, np.int64)
_BESIDE = ("mean ", "square ", "average ")  # what training keeps beside each array of weights
_HEAD = ("facts", "kinds", "out_shift")  # arrays that kernels and gradients share by name


@dataclass(frozen=True, kw_only=True)
class Dense:
    """A dense model over slots: vectors for words, one hidden layer for decisions."""

    name: ClassVar[str] = "dense"
    reduction: ClassVar[str] = "softmax"

    encoder: str = "recur"
    """What gives a position its vector: embed (itself alone), conv (with its neighbours), recur
    (with all of its sentence)."""
    layers: int = 3
    """Of the encoder."""
    width: int = 128
    """Of a position's vector."""
    hidden: int = 192
    """Units of the hidden layer."""
    rate: float = 0.002
    batch: int = 16
    """Examples between two changes of the weights."""
    dropout: float = 0.2
    """Of the numbers in a vector, and of hidden units, while learning."""
    slots: str = ""
    """Which slots are seen, joined by +: "here+left" (all, if none is named)."""
    forget: float = 0.25
    """A value seen n times counts as unknown with probability forget / (forget + n)."""
    least: int = 2
    """How often a value must be seen to have a vector of its own."""

    def build(self, use: Use, seed: int, features: np.ndarray) -> "DenseModel":
        """Make an untrained model; the features of the training data decide what it knows."""
        for name in ("width", "hidden", "batch", "least"):
            if getattr(self, name) < 1:
                raise RollinError(f"dense: {name}={getattr(self, name)}, expected 1 or more")
        vocabulary, counts = Vocabulary.of(use.columns, features, self.least)
        arrays = _fresh(self, use.schema, vocabulary, seed)
        return DenseModel(self, use, seed, vocabulary, counts, arrays)

    def revive(self, use: Use, seed: int, stored: dict[str, np.ndarray], finished: bool) -> Any:
        """Make a model again from what `stored` gave."""
        arrays = dict(stored)
        vocabulary = Vocabulary(use.columns, np.array(arrays.pop("keys")))
        if finished:
            return DenseModel.of_packed(self, use, seed, vocabulary, arrays)
        counts, steps = np.array(arrays.pop("counts")), int(arrays.pop("steps")[0])
        owned = {name: np.array(array) for name, array in arrays.items()}
        return DenseModel(self, use, seed, vocabulary, counts, owned, steps=steps)


def _fresh(dense: Dense, schema: Schema, vocabulary: Vocabulary, seed: int) -> dict[str, Any]:
    """Draw the weights to begin with."""
    chance = np.random.default_rng([seed, 7])
    width, hidden, slots = dense.width, dense.hidden, len(chosen_slots(dense, schema))

    def drawn(*shape: int, spread: float) -> np.ndarray:
        return (chance.standard_normal(shape) * spread).astype(np.float32)

    encoder = encoder_from(dense.encoder, dense.layers)
    arrays = {"table": drawn(vocabulary.rows, width, spread=0.1)}
    for name, shape in encoder.shapes(width).items():
        if len(shape) == 1:
            arrays[name] = np.full(shape, name.endswith("gain"), np.float32)
        else:
            arrays[name] = drawn(*shape, spread=(2.0 / sum(shape)) ** 0.5)
    lanes = sum(_lanes(len(actions)) for actions in schema.decisions.values())
    return arrays | {
        "first": drawn(width, slots * hidden, spread=(2.0 / (width * max(slots, 1))) ** 0.5),
        "blank": drawn(2, slots * hidden, spread=0.1),
        "facts": drawn(len(schema.facts) * fact_rows(schema), hidden, spread=0.1),
        "kinds": np.zeros((len(schema.decisions), hidden), np.float32),
        "out": drawn(lanes * hidden, spread=0.5 / hidden**0.5),
        "out_shift": np.zeros((len(schema.decisions), _lanes(schema.most_actions)), np.float32),
    }


def chosen_slots(dense: Dense, schema: Schema) -> list[int]:
    """Give the numbers of the slots that are seen."""
    names = [name for name in dense.slots.split("+") if name]
    return [schema.number("slot", name) for name in names] or list(range(len(schema.slots)))


def _lanes(actions: int) -> int:
    return -(-actions // _LANES) * _LANES


def fact_rows(schema: Schema) -> int:
    """Say how many values of a note are told apart; others fall together with one of these."""
    return max(32, 1 << (schema.most_actions + 1).bit_length())


class DenseModel:
    """The weights of a dense learner for one task, while it learns or when it has."""

    online = False
    positions = 512

    def __init__(
        self,
        learner: Dense,
        use: Use,
        seed: int,
        vocabulary: Vocabulary,
        counts: np.ndarray,
        arrays: dict[str, np.ndarray],
        finished: bool = False,
        steps: int = 0,
    ) -> None:
        self.learner, self.use, self.seed, self.finished = learner, use, seed, finished
        self.vocabulary, self.counts, self.arrays, self.steps = vocabulary, counts, arrays, steps
        self.encoder = encoder_from(learner.encoder, learner.layers)
        self.batch = learner.batch
        self._packed: dict[str, np.ndarray] = {}
        self.progress = 0.0
        self.lanes = np.array([_lanes(len(a)) for a in use.schema.decisions.values()], np.int64)
        self.out_first = np.cumsum(np.concatenate([[0], self.lanes[:-1]])) * learner.hidden
        if not finished:
            for name in self.weights():
                for beside in _BESIDE:
                    self.arrays.setdefault(beside + name, np.zeros_like(self.arrays[name]))
            self.turned = np.empty_like(self.arrays["out"])
            self._table_slope = np.zeros_like(self.arrays["table"])
            self._turn()

    def weights(self) -> list[str]:
        """Name the arrays that are learned."""
        return [name for name in self.arrays if not name.startswith(_BESIDE)]

    def workspace(
        self, make: Callable[..., Any] | None, call: Callable[..., Any]
    ) -> "DenseWorkspace":
        """Make what one thread works with."""
        return DenseWorkspace(self, make or make_dense, call)

    def functions(self) -> tuple[Any, Any]:
        """Give the shared functions (score, update)."""
        return score, update

    def finish(self) -> "DenseModel":
        """Give the model to predict with."""
        if self.finished:
            return self
        beside = "average " if self.steps >= EVERY else ""
        kept = packed({name: self.arrays[beside + name] for name in self.weights()}, _TABLES)
        return self.of_packed(self.learner, self.use, self.seed, self.vocabulary, kept)

    @classmethod
    def of_packed(
        cls,
        learner: Dense,
        use: Use,
        seed: int,
        vocabulary: Vocabulary,
        kept: dict[str, np.ndarray],
    ) -> "DenseModel":
        """Make a finished model of packed weights."""
        model = cls(learner, use, seed, vocabulary, _NONE, unpacked(kept), finished=True)
        model._packed = kept
        return model

    def stored(self) -> dict[str, np.ndarray]:
        """Give what a file keeps."""
        if self.finished:
            return {**self._packed, "keys": self.vocabulary.keys}
        kept = {**self.arrays, "keys": self.vocabulary.keys}
        return kept | {"counts": self.counts, "steps": np.array([self.steps])}

    def restore(self, stored: dict[str, np.ndarray]) -> None:
        """Take back what `stored` gave."""
        for name in self.arrays:
            self.arrays[name][:] = stored[name]
        self.steps = int(stored["steps"][0])
        self._turn()

    def change(self, spaces: Sequence["DenseWorkspace"]) -> None:
        """Change the weights by what the workspaces have gathered, in their order."""
        decisions = sum(float(space.counts[0]) for space in spaces)
        if decisions == 0.0:
            return
        self.steps += 1
        rate = rate_at(self.learner.rate, self.progress)
        rate = corrected(rate, self.steps, FIRST_MOMENT, SECOND_MOMENT)
        how = (1.0 / decisions, rate, FIRST_MOMENT, SECOND_MOMENT, TINY)
        first, *others = spaces
        for name, slope in first.slopes.items():
            for other in others:
                slope += other.slopes[name]
                other.slopes[name][:] = 0.0
            adam(*(each.ravel() for each in self._with_moments(name, slope)), *how)
        for space in spaces:
            add_rows_to(self._table_slope, space.rows, space.base_slope)
        touched = np.unique(np.concatenate([space.rows.ravel() for space in spaces]))
        adam_rows(*self._with_moments("table", self._table_slope), touched, *how)
        if self.steps % EVERY == 0:
            share = share_at(self.steps)
            for name in self.weights():
                average(self.arrays[f"average {name}"].ravel(), self.arrays[name].ravel(), share)
        self._turn()
        for space in spaces:
            space.counts[0] = 0.0

    def _with_moments(self, name: str, slope: np.ndarray) -> tuple[np.ndarray, ...]:
        return self.arrays[name], slope, self.arrays[f"mean {name}"], self.arrays[f"square {name}"]

    def _turn(self) -> None:
        """Keep the output layer the other way round too, for the way back."""
        hidden = self.learner.hidden
        for start, lanes in zip(self.out_first, self.lanes, strict=True):
            place = slice(start, start + hidden * lanes)
            out = self.arrays["out"][place].reshape(hidden, lanes)
            self.turned[place].reshape(lanes, hidden)[:] = out.T


class DenseWorkspace:
    """What one thread needs to decide with a dense model, and to learn."""

    def __init__(
        self, model: DenseModel, make: Callable[..., Any], call: Callable[..., Any]
    ) -> None:
        self.model, self._call, schema = model, call, model.use.schema
        arrays, hidden = model.arrays, model.learner.hidden
        slots = chosen_slots(model.learner, schema)
        learning = not model.finished
        self._memory: dict[str, np.ndarray] = {}
        self.places = np.zeros(0, np.int64)
        self.counts = np.zeros(1, np.float64)
        most = int(model.lanes.max())
        nothing = np.zeros(0, np.float32)
        out_slope = np.zeros_like(arrays["out"]) if learning else nothing
        slopes = {
            f"{name}_slope": np.zeros(arrays[name].shape if learning else (0, 0), np.float32)
            for name in _HEAD
        }
        self.slopes = {name: slopes[f"{name}_slope"] for name in _HEAD}
        self.slopes |= {
            name: np.zeros_like(arrays[name])
            for name in ("blank", "first", *model.encoder.shapes(model.learner.width))
            if learning
        }
        self._out_slope = out_slope
        self.slopes["out"] = np.zeros_like(out_slope)
        self.struct = make(
            hidden=hidden,
            slots=np.array(slots, np.int64),
            fact_rows=fact_rows(schema),
            places=self.places,
            products=np.zeros((0, 0), np.float32),
            **{name: arrays[name] for name in _HEAD},
            out=arrays["out"],
            out_first=model.out_first,
            lanes=model.lanes,
            seen=np.full(1 + len(schema.slots) + len(schema.facts), -2, np.int32),
            rows=np.zeros(len(slots) + len(schema.facts), np.int64),
            total=np.zeros(hidden, np.float32),
            active=np.zeros(hidden, np.float32),
            units=np.zeros(hidden + 1, np.int64),
            reduction=REDUCTIONS.index(model.use.reduction),
            scaling=SCALINGS.index(model.use.scaling),
            dropout=model.learner.dropout,
            chance=np.uint64(0),
            out_back=model.turned if learning else nothing,
            gradient=np.zeros(most, np.float32),
            blamed=np.zeros(hidden, np.float32),
            pending=np.zeros(hidden, np.float32),
            waiting=False,
            counts=self.counts,
            products_slope=np.zeros((0, 0), np.float32),
            **slopes,
            out_slope=out_slope,
        )

    def show(self, data: Shown, numbers: np.ndarray, learning: bool) -> None:
        """Encode some examples: decisions are about these until others are shown."""
        model = self.model
        chance = None
        if learning:
            chance = np.random.default_rng([model.seed, model.steps, int(numbers[0])])
        rows, starts = self.look_up(data, numbers)
        if chance is not None:
            forget = model.learner.forget
            unlikely = (forget / (forget + np.maximum(model.counts, 1))).astype(np.float32)
            unlikely[: len(model.use.columns)] = 0.0  # these stand for what is unknown anyway
            forget_some(rows, unlikely, chance.random(len(rows), np.float32))
        x = self.encode(rows, starts, chance)
        products = self.multiply(x)
        self.rows, self._starts, self._x = rows, starts, x
        self._slope = self._room("slope", len(products) if learning else 0)
        self._slope[:] = 0.0
        if len(self.places) != len(data):
            self.places = np.zeros(len(data), np.int64)
        self.places[numbers] = starts[:-1] + 2
        seed = np.uint64(chance.integers(1 << 63)) if chance is not None else np.uint64(0)
        self._call(set_products, self.struct, self.places, products, self._slope, seed)

    def look_up(self, data: Shown, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the vectors' rows for all columns of all positions, and where examples begin."""
        sizes = data.sizes[numbers]
        starts = np.zeros(len(numbers) + 1, np.int64)
        np.cumsum(sizes, out=starts[1:])
        positions = np.repeat(data.origins[numbers] - starts[:-1], sizes) + np.arange(starts[-1])
        return self.model.vocabulary.find(data.features[positions]), starts

    def encode(self, rows: np.ndarray, starts: np.ndarray, chance: Any = None) -> np.ndarray:
        """Give every position its vector; with `chance`, some of its numbers are dropped."""
        model = self.model
        base = np.empty((len(rows), model.learner.width), np.float32)
        add_up_rows(model.arrays["table"], rows, base)
        self._base_mask = self._mask(base, chance)
        x, self._tape = model.encoder.forward(model.arrays, base, starts)
        self._mask_out = self._mask(x, chance)
        return x

    def multiply(self, x: np.ndarray) -> np.ndarray:
        """Give what each position would add to the hidden layer, seen through each slot."""
        products = self._room("products", 2 + len(x))
        products[:2] = self.model.arrays["blank"]
        np.matmul(x, self.model.arrays["first"], out=products[2:])
        return products

    def _room(self, name: str, rows: int) -> np.ndarray:
        """Give an array of so many rows as wide as `products`, from memory used before."""
        if len(self._memory.get(name, ())) < rows:
            width = self.model.arrays["first"].shape[1]
            self._memory[name] = np.empty((rows + rows // 4, width), np.float32)
        return self._memory[name][:rows] if rows else np.zeros((0, 0), np.float32)

    def _mask(self, x: np.ndarray, chance: Any) -> np.ndarray | None:
        rate = self.model.learner.dropout
        if chance is None or rate == 0.0:
            return None
        mask = (chance.random(x.shape, np.float32) >= rate).astype(np.float32)
        mask /= np.float32(1.0 - rate)
        x *= mask
        return mask

    def pass_back(self) -> None:
        """Bring the gradients of the decisions since `show` down to the input's vectors."""
        model, arrays = self.model, self.model.arrays
        slope = self._slope
        self._call(finish_view, self.struct)
        self.slopes["blank"] += slope[:2]
        self.slopes["first"] += self._x.T @ slope[2:]
        inner = slope[2:] @ arrays["first"].T
        if self._mask_out is not None:
            inner *= self._mask_out
        inner = model.encoder.backward(arrays, self._tape, self._starts, inner, self.slopes)
        if self._base_mask is not None:
            inner *= self._base_mask
        self.base_slope = inner
        hidden = model.learner.hidden
        for start, lanes in zip(model.out_first, model.lanes, strict=True):
            place = slice(start, start + hidden * lanes)
            turned = self._out_slope[place].reshape(lanes, hidden)
            self.slopes["out"][place].reshape(hidden, lanes)[:] += turned.T
        self._out_slope[:] = 0.0


@shared
def set_products(model, places, products, slope, chance):
    """Turn to other examples."""
    model.places = unowned(places)
    model.products, model.products_slope = unowned(products), unowned(slope)
    model.chance = chance
    model.seen[0] = -2


@kernel
def add_up_rows(table, rows, base):
    """Add up the vectors of a position's columns."""
    for position in range(len(rows)):
        for place in range(base.shape[1]):
            base[position, place] = np.float32(0.0)
        for column in range(rows.shape[1]):
            row = rows[position, column]
            for place in range(base.shape[1]):
                base[position, place] += table[row, place]


@kernel
def add_rows_to(table, rows, slope):
    """Give every vector that was added up its gradient."""
    for position in range(len(rows)):
        for column in range(rows.shape[1]):
            row = rows[position, column]
            for place in range(slope.shape[1]):
                table[row, place] += slope[position, place]


@kernel
def forget_some(rows, unlikely, drawn):
    """Take rare values for unknown ones, all of a position by one draw: the rarer go first."""
    for position in range(len(rows)):
        for column in range(rows.shape[1]):
            if drawn[position] < unlikely[rows[position, column]]:
                rows[position, column] = column


# --- a decision ----------------------------------------------------------------------------------


@shared
def score(lent_search, row):
    """Score the actions of a recorded decision."""
    search = as_search(lent_search)
    model = as_dense(search.model)
    kind = search.kind[row]
    sum_view(search, model, row)
    activate(model.total, model.kinds[kind], model.active)
    say(
        model.out, model.out_first[kind], model.lanes[kind], model.out_shift[kind],
        model.active, model.units, model.gradient, search.actions_of[kind], search.scores[row],
    )  # fmt: skip


@shared
def sum_view(search, model, row):
    """Add up what a decision looks at and notes, unless that is what the last one did."""
    current, size = search.current, search.size
    looked, noted = search.looked[row], search.noted[row]
    if view_changed(model.seen, current, looked, noted):
        finish_view(model)
        start, slots = model.places[current], model.slots
        find_rows(start, size, slots, looked, noted, model.fact_rows, model.rows)
        add_view(model.products, model.facts, len(slots), model.rows, model.total)


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
def find_rows(start, size, slots, looked, noted, fact_rows, rows):
    """Find the rows of a view: for each slot in `products`, for each note in `facts`."""
    for place in range(len(slots)):
        position = looked[slots[place]]
        if 0 <= position < size:
            rows[place] = start + position
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
    activate(model.total, model.kinds[kind], model.active)
    if model.dropout > 0.0:
        example = mix(model.chance, np.uint64(search.current))
        drop(model.active, model.dropout, mix(example, np.uint64(row)))
    say(
        model.out, model.out_first[kind], model.lanes[kind], model.out_shift[kind],
        model.active, model.units, model.gradient, actions, search.scores[row],
    )  # fmt: skip
    blame(
        model.reduction, model.scaling, actions,
        search.allowed[row], search.cost[row], search.scores[row], model.gradient,
    )  # fmt: skip
    model.counts[0] += 1.0
    head_back(
        model.out_back, model.out_slope, model.out_first[kind], actions, model.dropout,
        model.active, model.gradient, model.out_shift_slope[kind], model.kinds_slope[kind],
        model.blamed, model.pending,
    )  # fmt: skip
    model.waiting = True


@shared
def finish_view(model):
    """Pass the gradient of the last view on to what it was the sum of."""
    if model.waiting:
        slots = model.products_slope.shape[1] // model.hidden
        view_back(model.products_slope, model.facts_slope, slots, model.rows, model.pending)
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

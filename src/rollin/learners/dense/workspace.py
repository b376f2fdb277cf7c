"""What one thread needs to decide with a dense model, and to learn."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rollin.learners.dense.decision import finish_view, set_products
from rollin.learners.dense.room import Room
from rollin.learners.dense.sizes import chosen_slots, fact_rows
from rollin.learners.protocol import Shown
from rollin.learners.reductions import REDUCTIONS, SCALINGS
from rollin.native.kernels import kernel

if TYPE_CHECKING:
    from rollin.learners.dense.model import DenseModel

_HEAD = ("facts", "kinds", "out_shift")  # arrays that kernels and gradients share by name


class DenseWorkspace:
    """Examples encoded, work space for decisions about them, and the gradients of these."""

    def __init__(
        self, model: "DenseModel", make: Callable[..., Any], call: Callable[..., Any]
    ) -> None:
        self.model, self._call, schema = model, call, model.use.schema
        arrays, hidden = model.arrays, model.learner.hidden
        slots = chosen_slots(model.learner, schema)
        learning = not model.finished
        self._room = Room()
        self.places, self.where = np.zeros(0, np.int64), np.zeros(0, np.int32)
        self.counts = np.zeros(1, np.float64)
        most = int(model.lanes.max())
        nothing = np.zeros(0, np.float32)
        out_slope = np.zeros_like(arrays["out"]) if learning else nothing
        self._out_slope = out_slope
        self.slopes: dict[str, np.ndarray] = {}
        if learning:
            self.gathered, self.slopes = model.layout.zeros()
        slopes = {
            f"{name}_slope": self.slopes.get(name, np.zeros((0, 0), np.float32)) for name in _HEAD
        }
        self.struct = make(
            hidden=hidden,
            slots=np.array(slots, np.int64),
            fact_rows=fact_rows(schema),
            places=self.places,
            where=self.where,
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
            out_back=model.turned,
            sums=np.zeros(max(most, 64), np.float32),
            gradient=np.zeros(most, np.float32),
            blamed=np.zeros(hidden, np.float32),
            pending=np.zeros(hidden, np.float32),
            waiting=False,
            counts=self.counts,
            products_slope=np.zeros((0, 0), np.float32),
            **slopes,
            out_slope=out_slope,
        )

    @property
    def lost(self) -> bool:
        """Whether another workspace of this thread was shown something since this one was."""
        return self.model.remembers and self.model.memory().user is not self

    def show(self, data: Shown, numbers: np.ndarray, learning: bool) -> None:
        """Encode some examples: decisions are about these until others are shown."""
        model = self.model
        self._room.clear()
        chance = None
        if learning:
            chance = np.random.default_rng([model.seed, model.steps, int(numbers[0])])
        rows, starts = self.look_up(data, numbers)
        if chance is not None:
            forget = model.learner.forget
            unlikely = (forget / (forget + np.maximum(model.counts, 1))).astype(np.float32)
            unlikely[: len(model.use.columns)] = 0.0  # these stand for what is unknown anyway
            forget_some(rows, unlikely, chance.random(len(rows), np.float32))
        wanted = self.recall(rows) if model.remembers else slice(None)
        x = self.encode(rows[wanted], starts, chance)
        products = self._products = self.multiply(x)  # native code does not keep it alive
        self.rows, self._starts, self._x = rows, starts, x
        self._slope = self._room(*products.shape) if learning else self._room(0, 0)
        self._slope[:] = 0.0
        if len(self.places) != len(data):
            self.places = np.zeros(len(data), np.int64)
        self.places[numbers] = starts[:-1]
        seed = np.uint64(chance.integers(1 << 63)) if chance is not None else np.uint64(0)
        if not model.remembers:
            self.where = np.arange(2, 2 + len(x), dtype=np.int32)
        self._call(set_products, self.struct, self.places, self.where, products, self._slope, seed)

    def look_up(self, data: Shown, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the vectors' rows for all columns of all positions, and where examples begin."""
        sizes = data.sizes[numbers]
        starts = np.zeros(len(numbers) + 1, np.int64)
        np.cumsum(sizes, out=starts[1:])
        positions = np.repeat(data.origins[numbers] - starts[:-1], sizes) + np.arange(starts[-1])
        return self.model.vocabulary.find(data.features[positions]), starts

    def recall(self, rows: np.ndarray) -> np.ndarray:
        """Give the positions whose products are not known yet: these alone are to be encoded."""
        memory = self.model.memory()
        memory.user = self
        self.where, wanted = memory.recall(rows)
        return wanted

    def encode(self, rows: np.ndarray, starts: np.ndarray, chance: Any = None) -> np.ndarray:
        """Give every position its vector; with `chance`, some of its numbers are dropped."""
        model = self.model
        base = self._room(len(rows), model.learner.width)
        if model.finished:
            kept = model.packed
            add_up_packed_rows(kept["table in 8 bits"], kept["table factors"], rows, base)
        else:
            add_up_rows(model.arrays["table"], rows, base)
        self._base_mask = self._mask(base, chance)
        x, self._tape = model.encoder.forward(model.arrays, base, starts, self._room)
        self._mask_out = self._mask(x, chance)
        return x

    def multiply(self, x: np.ndarray) -> np.ndarray:
        """Give what each position would add to the hidden layer, seen through each slot."""
        if self.model.remembers:
            return self.model.memory().make(x)
        first = self.model.arrays["first"]
        products = self._room(2 + len(x), first.shape[1])
        products[:2] = self.model.arrays["blank"]
        np.matmul(x, first, out=products[2:])
        return products

    def _mask(self, x: np.ndarray, chance: Any) -> np.ndarray | None:
        rate = self.model.learner.dropout
        if chance is None or rate == 0.0:
            return None
        mask = self._room(*x.shape)
        chance.random(dtype=np.float32, out=mask)
        drop_some(x.ravel(), mask.ravel(), np.float32(rate), np.float32(1.0 - rate))
        return mask

    def pass_back(self) -> None:
        """Bring the gradients of the decisions since `show` down to the input's vectors."""
        model, arrays = self.model, self.model.arrays
        slope = self._slope
        self._call(finish_view, self.struct)
        self.slopes["blank"][:] = slope[:2]
        np.matmul(self._x.T, slope[2:], out=self.slopes["first"])
        inner = np.matmul(slope[2:], arrays["first"].T, out=self._room(*self._x.shape))
        if self._mask_out is not None:
            inner *= self._mask_out
        inner = model.encoder.backward(
            arrays, self._tape, self._starts, inner, self.slopes, self._room
        )
        if self._base_mask is not None:
            inner *= self._base_mask
        self.base_slope = inner
        hidden = model.learner.hidden
        for start, lanes in zip(model.out_first, model.lanes, strict=True):
            place = slice(start, start + hidden * lanes)
            turned = self._out_slope[place].reshape(lanes, hidden)
            self.slopes["out"][place].reshape(hidden, lanes)[:] = turned.T
        self._out_slope[:] = 0.0


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
def add_up_packed_rows(table, factors, rows, base):
    """Do the same with a packed table: a fourth of the memory to wait for."""
    for position in range(len(rows)):
        for place in range(base.shape[1]):
            base[position, place] = np.float32(0.0)
        for column in range(rows.shape[1]):
            row = rows[position, column]
            factor = factors[row]
            for place in range(base.shape[1]):
                base[position, place] += factor * np.float32(table[row, place])


@kernel
def add_rows_to(table, rows, slope):
    """Give every vector that was added up its gradient."""
    for position in range(len(rows)):
        for column in range(rows.shape[1]):
            row = rows[position, column]
            for place in range(slope.shape[1]):
                table[row, place] += slope[position, place]


@kernel
def drop_some(x, mask, rate, kept):
    """Drop the numbers for which less than the rate was drawn; the mask says by what factor."""
    for place in range(len(x)):
        mask[place] = np.float32(1.0) / kept if mask[place] >= rate else np.float32(0.0)
        x[place] *= mask[place]


@kernel
def forget_some(rows, unlikely, drawn):
    """Take rare values for unknown ones, all of a position by one draw: the rarer go first."""
    for position in range(len(rows)):
        for column in range(rows.shape[1]):
            if drawn[position] < unlikely[rows[position, column]]:
                rows[position, column] = column

"""What all sparse learners share: a table of weights, and a rule that changes it.

The table holds, for every kind of decision, a row for every hash of a feature. A row has `planes`
of `width` numbers each: the weights themselves, then what the rule keeps beside them (sums of
squared gradients, say), then the sum for the average if one is wanted. So one feature is one place
in memory, and one pass over its row serves all actions at once.

A rule is a kernel

    step(table, found, count, width, planes, gradient, curvature, rates, counts)

that changes the weights of the `count` rows in `found`, all of whose features are 1, against the
gradient of the loss with respect to the sums of their weights. Places in the table are unsigned
numbers there: a negative index would count from the end, and for the mere possibility the compiler
makes of a run of weights a gathering of single ones, several times as slow.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import types
from numba.core.types import StructRef

from rollin.decisions.schema import Schema
from rollin.decisions.state import as_search
from rollin.errors import RollinError
from rollin.learners.features import LINE, expand, gather, part_names, salts
from rollin.learners.protocol import Shown, Use
from rollin.learners.reductions import REDUCTIONS, SCALINGS, blame
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

UPDATES, FEATURES = 0, 1  # in `counts`: how many updates there were, how many features they had


class SparseType(StructRef):
    """A sparse model as native code sees it."""

    def __init__(self) -> None:
        super().__init__(list(_FIELDS.items()))
        self.name = "sparse"


_FIELDS = {
    "part_salts": array_type(np.uint64, 1),
    "templates": array_type(np.int32, 2),  # those of the first kind of decision, then the others
    "from_template": array_type(np.int64, 1),
    "shift": array_type(np.uint64, 1),
    "first": array_type(np.int64, 1),
    "stride": array_type(np.int64, 1),
    "width": array_type(np.int64, 1),
    "planes": types.int64,
    "table": array_type(np.float32, 1),
    "units": types.int64,  # of networks, as the next three
    "outer": array_type(np.float32, 1),
    "outer_first": array_type(np.int64, 1),
    "outer_counts": array_type(np.float64, 1),
    "reduction": types.int64,
    "scaling": types.int64,
    "rates": array_type(np.float64, 1),
    "counts": array_type(np.float64, 1),
    "parts": array_type(np.uint64, 1),
    "found": array_type(np.int64, 1),
    "gradient": array_type(np.float32, 1),
    "hidden": array_type(np.float32, 1),
    "blamed": array_type(np.float32, 1),
}
define(SparseType)
sparse_type = SparseType()


class LentSparseType(types.Type):
    """The same, lent."""


define_borrowed(LentSparseType, sparse_type)
as_sparse = caster(LentSparseType("lent sparse"))
make_sparse = maker("sparse", sparse_type)


@dataclass(frozen=True, kw_only=True)
class SparseLearner:
    """The settings of a sparse learner; `build` makes one for a task."""

    name: ClassVar[str]
    reduction: ClassVar[str] = "onesided"
    rule_planes: ClassVar[int]

    bits: int = 18
    """The table has 2^bits rows for every kind of decision, fewer for those among many actions."""
    average: bool = False
    """Predict with the mean of the weights over all updates."""

    def rates(self) -> list[float]:
        """Give the numbers that the rule reads."""
        raise NotImplementedError

    def functions(self) -> tuple[Any, Any]:
        """Give the shared functions (score, update)."""
        raise NotImplementedError

    def width(self, actions: int) -> int:
        """Say how many sums a decision between so many actions needs."""
        return actions

    def second_layer(self, schema: Schema, planes: int, seed: int) -> np.ndarray:
        """Give the weights behind the table, for networks."""
        return np.zeros(0, np.float32)

    def build(self, use: Use, seed: int, features: np.ndarray | None = None) -> "SparseModel":
        """Make an empty model."""
        if not 1 <= self.bits <= 32:
            raise RollinError(f"{self.name}: bits={self.bits}, expected 1 to 32")
        return SparseModel(self, use, seed)

    def revive(
        self, use: Use, seed: int, stored: dict[str, np.ndarray], finished: bool
    ) -> "SparseModel":
        """Make a model again from what `stored` gave."""
        learned = SparseModel(self, use, seed, finished)
        learned.restore(stored)
        return learned


class SparseModel:
    """The weights of a sparse learner for one task, while it learns or when it has."""

    online = True
    batch = 128
    positions = 0
    progress = 0.0

    def __init__(
        self,
        learner: SparseLearner,
        use: Use,
        seed: int,
        finished: bool = False,
        arrays: dict[str, np.ndarray] | None = None,
    ) -> None:
        self.learner, self.use, self.seed, self.finished = learner, use, seed, finished
        self.planes = 1 if finished else 1 + learner.rule_planes + learner.average
        self._actions = np.array([len(a) for a in use.schema.decisions.values()], np.int64)
        self._width = np.array([learner.width(int(a)) for a in self._actions], np.int64)
        self._units = getattr(learner, "units", 0)
        self.arrays = arrays or {
            "table": aligned_zeros(sum(rows * size for rows, size in self._table())),
            "outer": learner.second_layer(use.schema, self.planes, seed),
            "counts": np.zeros(2, np.float64),
            "outer_counts": np.zeros(2, np.float64),
        }

    def _table(self) -> list[tuple[int, int]]:
        """Give (rows, numbers in a row) of the table, for each kind of decision."""
        return [
            (1 << bits, room_for(self.planes * int(width)))
            for bits, width in zip(self._bits(), self._width, strict=True)
        ]

    def _bits(self) -> list[int]:
        """Say how many rows each kind of decision has, as powers of two."""
        return [rows_for(self.learner.bits, int(width)) for width in self._width]

    def _outer(self) -> list[tuple[int, int]]:
        """Give the same of the second layer."""
        rows = self._units + 1 if self._units else 0
        return [(rows, self.planes * int(actions)) for actions in self._actions]

    def workspace(
        self, make: Callable[..., Any] | None, call: Callable[..., Any]
    ) -> "SparseWorkspace":
        """Make what one thread works with."""
        return SparseWorkspace(self._struct(make or make_sparse))

    def change(self, spaces: Sequence["SparseWorkspace"], each: Callable[..., Any] = map) -> None:
        """Do nothing: every update has changed the weights at once."""

    def _struct(self, make: Callable[..., Any]) -> Any:
        """Give what the kernels see: the shared weights, and work space for one thread."""
        schema, columns = self.use.schema, self.use.columns
        templates = [expand(self.use.templates, schema, columns, kind) for kind in schema.decisions]
        counts = [len(each) for each in templates]
        parts = len(part_names(schema, columns))
        widest = max(self._width.max(), self._actions.max())
        return make(
            part_salts=salts(schema, columns),
            templates=np.concatenate(templates),
            from_template=np.cumsum([0, *counts]).astype(np.int64),
            shift=np.array([64 - bits for bits in self._bits()], np.uint64),
            first=_starts(self._table()),
            stride=np.array([size for _, size in self._table()], np.int64),
            width=self._width,
            planes=self.planes,
            units=self._units,
            outer_first=_starts(self._outer()),
            **self.arrays,
            reduction=REDUCTIONS.index(self.use.reduction),
            scaling=SCALINGS.index(self.use.scaling),
            rates=np.array(self.learner.rates(), np.float64),
            parts=np.zeros(parts, np.uint64),
            found=np.zeros(1 + max(counts), np.int64),
            gradient=np.zeros(widest, np.float32),
            hidden=np.zeros(widest, np.float32),
            blamed=np.zeros(widest, np.float32),
        )

    def functions(self) -> tuple[Any, Any]:
        """Give the shared functions (score, update)."""
        return self.learner.functions()

    def finish(self) -> "SparseModel":
        """Give the model to predict with: the (averaged) weights alone."""
        if self.finished:
            return self
        arrays = {name: array for name, array in self.arrays.items() if "counts" in name}
        arrays = {name: array.copy() for name, array in arrays.items()}
        done = SparseModel(self.learner, self.use, self.seed, True, {**self.arrays, **arrays})
        for name, ours, theirs, width in (
            ("table", self._table(), done._table(), self._width),
            ("outer", self._outer(), done._outer(), self._actions),
        ):
            done.arrays[name] = aligned_zeros(sum(rows * size for rows, size in theirs))
            learned = _blocks(self.arrays[name], ours)
            finished = _blocks(done.arrays[name], theirs)
            updates = max(float(self.arrays["counts"][UPDATES]), 1.0)
            for rows, weights, many in zip(learned, finished, width, strict=True):
                mean = (self.planes - 1) * many if self.learner.average else 0
                finish_rows(rows, weights, many, mean, updates)
        return done

    def stored(self) -> dict[str, np.ndarray]:
        """Give what a file keeps: of the table only the rows that anything was learned for."""
        kept = {name: array for name, array in self.arrays.items() if name != "table"}
        for kind, rows in enumerate(_blocks(self.arrays["table"], self._table())):
            used = np.flatnonzero(rows_in_use(rows))
            kept[f"used-{kind}"] = used.astype(np.uint32)
            kept[f"rows-{kind}"] = rows[used]
        return kept

    def restore(self, stored: dict[str, np.ndarray]) -> None:
        """Take back what `stored` gave."""
        for name in self.arrays:
            if name != "table":
                self.arrays[name] = np.array(stored[name])
        for kind, rows in enumerate(_blocks(self.arrays["table"], self._table())):
            rows[:] = 0.0
            rows[stored[f"used-{kind}"]] = stored[f"rows-{kind}"]


@dataclass
class SparseWorkspace:
    """What one thread works with: features are found where a decision is made, not before."""

    struct: Any
    lost: ClassVar[bool] = False

    def show(self, data: Shown, numbers: np.ndarray, learning: bool) -> None:
        """Do nothing."""

    def pass_back(self) -> None:
        """Do nothing."""


def _starts(blocks: list[tuple[int, int]]) -> np.ndarray:
    sizes = [rows * size for rows, size in blocks]
    return np.cumsum([0, *sizes[:-1]]).astype(np.int64)


def _blocks(flat: np.ndarray, blocks: list[tuple[int, int]]) -> Iterator[np.ndarray]:
    """Cut a flat array into its blocks, each a view of rows x numbers."""
    for start, (rows, size) in zip(_starts(blocks), blocks, strict=True):
        yield flat[start : start + rows * size].reshape(rows, size)


def room_for(numbers: int) -> int:
    """Say how far apart rows of so many numbers are."""
    return -(-numbers // NARROW) * NARROW


def rows_for(bits: int, width: int) -> int:
    """Say how many rows a decision has, as a power of two: wide ones have fewer."""
    return max(1, bits - max(0, (width // _WIDE).bit_length() - 1))


_WIDE = 4  # from here on, twice as wide is half as many rows
NARROW = 4  # sums that are added up beside each other; rows are multiples of so many numbers


def aligned_zeros(count: int) -> np.ndarray:
    """Make an array that begins with a line of the cache."""
    array = np.zeros(count + LINE, np.float32)
    skipped = -array.ctypes.data // array.itemsize % LINE
    return array[skipped : skipped + count]


@kernel
def finish_rows(rows, weights, width, mean, updates):
    """Copy weights, less their sum for the average; rows never used stay untouched memory."""
    for row in range(len(rows)):
        for action in range(width):
            weight = rows[row, action]
            if mean > 0:
                weight -= rows[row, mean + action] / np.float32(updates)
            if weight != 0.0:
                weights[row, action] = weight


@kernel
def rows_in_use(rows):
    """Say which rows have anything in them."""
    used = np.zeros(len(rows), np.bool_)
    for row in range(len(rows)):
        for place in range(rows.shape[1]):
            if rows[row, place] != 0.0:
                used[row] = True
                break
    return used


@kernel
def add_up(table, found, count, width, sums):
    """Add up the weights of all features, for every action."""
    if width <= NARROW:
        _add_narrow(table, found, count, width, sums)
        return
    for action in range(width):
        sums[action] = 0.0
    fours = count - count % 4
    for feature in range(0, fours, 4):
        first, second = np.uint64(found[feature]), np.uint64(found[feature + 1])
        third, fourth = np.uint64(found[feature + 2]), np.uint64(found[feature + 3])
        for action in range(np.uint64(width)):
            sums[action] = (
                sums[action]
                + table[first + action]
                + table[second + action]
                + table[third + action]
                + table[fourth + action]
            )
    for feature in range(fours, count):
        start = np.uint64(found[feature])
        for action in range(np.uint64(width)):
            sums[action] += table[start + action]


@kernel
def _add_narrow(table, found, count, width, sums):
    """The same for few actions, the sums in registers; what stands behind the row goes nowhere."""
    a = b = c = d = np.float32(0.0)
    for feature in range(count):
        start = np.uint64(found[feature])
        a += table[start]
        b += table[start + np.uint64(1)]
        c += table[start + np.uint64(2)]
        d += table[start + np.uint64(3)]
    sums[0] = a
    if width > 1:
        sums[1] = b
    if width > 2:
        sums[2] = c
    if width > 3:
        sums[3] = d


@kernel
def moves(gradient, actions):
    """Say whether there is anything to learn: often there is not, and the step can be saved."""
    for action in range(actions):
        if gradient[action] != 0.0:
            return True
    return False


@shared
def find_features(search, model, row):
    """Find the features of a recorded decision; give how many there are."""
    kind = search.kind[row]
    from_template, to_template = model.from_template[kind], model.from_template[kind + 1]
    return gather(
        unowned(search.features), search.origin, search.size,
        unowned(search.looked[row]), unowned(search.noted[row]),
        unowned(model.part_salts), unowned(model.templates[from_template:to_template]),
        unowned(model.table), model.first[kind], model.stride[kind], model.shift[kind],
        unowned(model.parts), unowned(model.found),
    )  # fmt: skip


def linear(step: Any) -> tuple[Any, Any]:
    """Make the functions (score, update) of a linear learner from its rule."""

    @shared
    def score(lent_search, row):
        search = as_search(lent_search)
        model = as_sparse(search.model)
        count = find_features(search, model, row)
        width = model.width[search.kind[row]]
        add_up(
            unowned(model.table), unowned(model.found), count, width, unowned(search.scores[row])
        )

    @shared
    def update(lent_search, row):
        search = as_search(lent_search)
        model = as_sparse(search.model)
        count = find_features(search, model, row)
        width = model.width[search.kind[row]]
        table, found = unowned(model.table), unowned(model.found)
        scores, gradient = unowned(search.scores[row]), unowned(model.gradient)
        add_up(table, found, count, width, scores)
        curvature = blame(
            model.reduction, model.scaling, width,
            unowned(search.allowed[row]), unowned(search.cost[row]), scores, gradient,
        )  # fmt: skip
        model.counts[UPDATES] += 1.0
        model.counts[FEATURES] += count
        if not moves(gradient, width):
            return
        step(
            table, found, count, width, model.planes,
            gradient, curvature, unowned(model.rates), unowned(model.counts),
        )  # fmt: skip

    return score, update

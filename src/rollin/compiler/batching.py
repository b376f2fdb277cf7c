"""Running a native decoder over a batch: examples cut from its arrays, results put back into such.

One box serves all examples: before each run the fields of the example at hand are sliced from the
batch's arrays, natively, and what the decoder returns (an array with a value at every position, or
several) is copied to its place among the results.
"""

from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.experimental import structref

from rollin.compiler.compiling import CompileProblem, NativeDecoder, Record, recorder, type_of
from rollin.decisions.batch import Batch
from rollin.decisions.state import search_type
from rollin.native.structs import array_type, caster, define, erase, erased, unowned


class _BatchBoxType(types.StructRef):
    """The arrays of a batch, and those for the results."""


define(_BatchBoxType)


class BatchDecoder:
    """A native decoder for the batches of one kind of example."""

    def __init__(self, native: NativeDecoder, batch: Batch) -> None:
        self.task, self.example = native.schema.task, batch.example
        if not isinstance(native.kind, Record):
            raise CompileProblem(f"task {self.task!r}: the examples of a batch need named fields")
        self.names = tuple(name for name, _ in native.kind.fields)
        self.results = _result_types(native)
        self._compile(native, batch)

    def _compile(self, native: NativeDecoder, batch: Batch) -> None:
        kinds = [type_of(self._field(batch, name)) for name in self.names]
        outputs = [f"out{place}" for place in range(len(self.results))]
        fields = [*(f"in_{name}" for name in self.names), *outputs]
        box_type = _BatchBoxType([*zip(fields, [*kinds, *self.results], strict=True)])
        self.many = isinstance(native.returns, types.BaseTuple)
        cut = [
            f"unowned(box.in_{name}[first:last])" if name in batch.along else f"box.in_{name}"
            for name in self.names
        ]
        made = [f"made[{place}]" if self.many else "made" for place in range(len(outputs))]
        kept = [
            f"    keep_result(box.{output}, {value}, first, last)"
            for output, value in zip(outputs, made, strict=True)
        ]
        given = [f"in_{name}" for name in self.names] + outputs
        source = [
            "def run(search, boxed):",
            "    box = open_box(boxed)",
            "    first = search.origin",
            "    last = first + search.size",
            f"    made = decoder(as_task(search), as_record(({', '.join(cut)},)))",
            *kept,
            f"def fill({', '.join(given)}):",
            "    box = new(box_type)",
            *[f"    box.{name} = {name}" for name in given],
            "    return erase(box)",
        ]
        scope: dict[str, Any] = {
            "__name__": __name__,
            "open_box": caster(box_type),
            "as_task": caster(native.task_search),
            "decoder": native.decoder,
            "as_record": recorder(native.kind),
            "keep_result": numba.njit(nogil=True)(_keep_result),
            "new": structref.new,
            "box_type": box_type,
            "erase": erase,
            "unowned": unowned,
        }
        exec("\n".join(source), scope)
        name = f"{self.task} batch {native.kind} {sorted(batch.along)} {native.digest}"
        self.run = native.ready(scope["run"], f"run {name}", (search_type, erased))
        self._fill = native.ready(scope["fill"], f"fill {name}", (*kinds, *self.results))

    def box(self, batch: Batch) -> tuple[Any, list[np.ndarray]]:
        """Put a batch where native code finds it; give the box and the arrays for the results."""
        size = int(batch.starts[-1])
        outputs = [np.zeros(size, _dtype(kind)) for kind in self.results]
        return self._fill(*(self._field(batch, name) for name in self.names), *outputs), outputs

    @staticmethod
    def _field(batch: Batch, name: str) -> Any:
        return batch.along[name] if name in batch.along else batch.common[name]


def _keep_result(output, made, first, last):
    if len(made) != last - first:
        raise ValueError("in a batch, a decoder returns one value for every position")
    for place in range(last - first):
        output[first + place] = made[place]


def _result_types(native: NativeDecoder) -> list[types.Array]:
    returns = native.returns
    parts = list(returns) if isinstance(returns, types.BaseTuple) else [returns]
    for part in parts:
        if not (isinstance(part, types.Array) and part.ndim == 1):
            raise CompileProblem(
                f"task {native.schema.task!r}: for a batch the decoder returns an array with a "
                f"value at every position, or a tuple of such; it returns {returns}"
            )
    return [array_type(_dtype(part), 1) for part in parts]


def _dtype(array: types.Array) -> np.dtype:
    return np.dtype(numba.np.numpy_support.as_dtype(array.dtype))

"""Running a task natively or as plain Python, behind one interface.

A runner knows a decoder. `load` lays examples out for it, `bind` joins it to a model, and the bound
search predicts and learns.
"""

import functools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba import types

from rollin.compiler import beam, drive, observe
from rollin.compiler.acting import decide
from rollin.compiler.calls import PlainSearch
from rollin.compiler.certainty import BY_CHANCE
from rollin.compiler.faults import TaskProblem, words_for
from rollin.decisions.batch import Batch
from rollin.decisions.schema import Schema
from rollin.decisions.state import DecisionFault, empty_search, prepare, search_type, what_failed
from rollin.errors import RollinError
from rollin.learners.features import hash_columns
from rollin.native.structs import address_of, array_type, maker, plain, shared


@dataclass
class Data:
    """Examples, laid out for a runner."""

    examples: Sequence[Any]
    boxes: Any
    origins: np.ndarray
    sizes: np.ndarray
    features: np.ndarray
    columns: tuple[str, ...]
    kept: list[Any]
    outputs: list[np.ndarray] | None = None
    """Of a batch: the arrays in which native results are put."""
    results: list[Any] = field(default_factory=list)
    """What interpreted runs returned, in whichever thread."""

    def __len__(self) -> int:
        return len(self.sizes)


class Runner:
    """A decoder, ready to run."""

    def __init__(
        self, schema: Schema, function: Callable, limit: int, checked: bool = True
    ) -> None:
        self.schema, self.function, self.limit, self.checked = schema, function, limit, checked

    def load(self, examples: Sequence[Any], inputs: Callable[[Any], Any] | None) -> Data:
        """Lay examples out."""
        if isinstance(examples, Batch):
            return self._load_batch(examples)
        columns, features, sizes = _features(self.schema, examples, inputs)
        boxes, kept = self._boxes(examples)
        origins = np.cumsum(np.concatenate([[0], sizes]))[:-1].astype(np.int64)
        return Data(examples, boxes, origins, sizes, features, columns, kept)

    def bind(self, model: Any, data: Data) -> "Bound":
        """Join the decoder to a model and to the data it is to run on."""
        raise NotImplementedError

    def _load_batch(self, batch: Batch) -> Data:
        boxes, kept = self._boxes(batch)
        origins = batch.starts[:-1]
        return Data(batch, boxes, origins, batch.sizes, batch.features, batch.columns, kept)

    def _boxes(self, examples: Sequence[Any]) -> tuple[Any, list[Any]]:
        raise NotImplementedError


def _features(
    schema: Schema, examples: Sequence[Any], inputs: Callable[[Any], Any] | None
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Hash the input columns of all examples, one behind the other."""
    if inputs is None:
        return (), np.zeros((0, 0), np.uint64), np.zeros(len(examples), np.int64)
    columns: tuple[str, ...] | None = None
    hashed = []
    for number, example in enumerate(examples):
        given = inputs(example)
        if not isinstance(given, dict):
            raise RollinError(
                f"inputs= of task {schema.task!r} gave a {type(given).__name__} for example "
                f"{number}; expected a dict: the name of a column, its value at every position"
            )
        if columns is None:
            columns = tuple(given)
        elif columns != tuple(given):
            raise RollinError(
                f"inputs= of task {schema.task!r} gave the columns {', '.join(given)} for example "
                f"{number}, but {', '.join(columns)} for the first"
            )
        hashed.append(hash_columns(given))
    sizes = np.array([len(each) for each in hashed], np.int64)
    together = np.concatenate(hashed) if hashed else np.zeros((0, 0), np.uint64)
    return columns or (), np.ascontiguousarray(together), sizes


class Bound:
    """A search joined to a decoder, a model and data."""

    def __init__(
        self, runner: Runner, search: Any, run: Any, learned: Any, space: Any, data: Data
    ) -> None:
        self.runner, self.search, self.run, self.data = runner, search, run, data
        self.learned, self.space = learned, space
        self._shown = range(0)

    def call(self, function: Any, *arguments: Any) -> Any:
        """Call a shared function on the search, and put its faults into words."""
        try:
            return self._call(function, *arguments)
        except DecisionFault:
            facts = self._call(what_failed)
            raise TaskProblem(words_for(self.runner.schema, *facts)) from None
        except RollinError:
            raise
        except Exception as problem:
            current = self._call(what_failed)[2]
            problem.add_note(f"(task {self.runner.schema.task!r}, example {current})")
            raise

    def _call(self, function: Any, *arguments: Any) -> Any:
        return function(self.search, *arguments)

    def predict(self, first: int, last: int, losses: np.ndarray, certainty: bool = False) -> None:
        """Run the learned policy on some examples, if asked with the certainty of decisions."""
        for start, end in self.batches(first, last):
            self._show(start, end)
            self.decide(start, end, losses, certainty)

    def decide(self, first: int, last: int, losses: np.ndarray, certainty: bool) -> None:
        """Run the learned policy on examples that are shown."""
        data = self.data
        self.call(
            drive.predict, self.run, data.boxes, data.origins, data.sizes,
            first, last, losses, certainty,
        )  # fmt: skip

    def learn(
        self, order: np.ndarray, first: int, last: int, plan: drive.Plan, tally: np.ndarray
    ) -> None:
        """Train on the examples order[first:last]; the learner's `change` is left to the caller."""
        data = self.data
        self._shown = range(0)
        self.space.show(data, order[first:last], True)
        self.call(
            drive.learn, self.run, data.boxes, data.origins, data.sizes,
            order, first, last, plan, tally,
        )  # fmt: skip
        self.space.pass_back()

    def turn_to(self, number: int) -> None:
        """Prepare for runs on one example (as a rule those behind it come next)."""
        if number not in self._shown or self.space.lost:
            self._show(*next(self.batches(number, len(self.data))))

    def _show(self, first: int, last: int) -> None:
        self.space.show(self.data, np.arange(first, last), False)
        self._shown = range(first, last)

    def batches(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Cut examples into batches of as many positions as the learner likes to see at once."""
        wanted = self.learned.positions
        while first < last:
            end = last
            if wanted:
                sizes = self.data.sizes[first : first + wanted]
                end = first + max(1, int(np.searchsorted(np.cumsum(sizes), wanted, "right")))
            yield first, min(end, last)
            first = end

    def trained(self) -> int:
        """Say how many decisions were trained on so far."""
        return int(self.call(drive.trained))

    def set_trained(self, count: int) -> None:
        """Go on counting from there."""
        self.call(drive.set_trained, count)

    def result(self, number: int) -> Any:
        """Give what the decoder last returned for an example."""
        raise NotImplementedError

    def outputs(self) -> list[np.ndarray]:
        """Give what the decoder returned for a batch: each of its arrays over all positions."""
        raise NotImplementedError


# --- as plain Python ---------------------------------------------------------------------------


class PlainRunner(Runner):
    """Runs the decoder as the Python function it is."""

    def _boxes(self, examples: Sequence[Any]) -> tuple[Any, list[Any]]:
        # native code sees a dict as a record with its keys for fields, so Python does too
        seen = [SimpleNamespace(**e) if isinstance(e, Mapping) else e for e in examples]
        return list(range(len(examples))), seen

    def bind(self, model: Any, data: Data) -> "PlainBound":
        search = PlainSearch(self.schema)
        empty, arrays = empty_search(self.schema, self.limit)
        for name, value in {**empty, "features": data.features}.items():
            setattr(search, name, value)
        space = model.workspace(SimpleNamespace, _call_plain)
        plain(prepare)(search, space.struct, *arrays)
        score, update = model.functions()
        search.score, search.update = plain(score), plain(update)
        search.by_chance = model.use.reduction in BY_CHANCE
        data.results = data.results or [None] * len(data)

        def run(search: PlainSearch, number: int) -> None:
            data.results[number] = self.function(search, data.kept[number])

        return PlainBound(self, search, run, model, space, data)


class PlainBound(Bound):
    """See Bound."""

    def _call(self, function: Any, *arguments: Any) -> Any:
        return _call_plain(function, self.search, *arguments)

    def result(self, number: int) -> Any:
        return self.data.results[number]

    def outputs(self) -> list[np.ndarray]:
        made = [each if isinstance(each, tuple) else (each,) for each in self.data.results]
        return [np.concatenate(parts) for parts in zip(*made, strict=True)]


def _call_plain(function: Any, *arguments: Any) -> Any:
    with np.errstate(over="ignore"):
        return plain(function)(*arguments)


# --- as native code ----------------------------------------------------------------------------


make_search = maker("search", search_type)


@shared
def place_of(box):
    """Give the address of an example's box."""
    return address_of(box)


def _call_native(function: Any, *arguments: Any) -> Any:
    return function(*arguments)


_ENTERING = threading.Lock()


def entry(function: Any) -> Any:
    """Compile a function that takes a decoder once, for decoders of every task.

    Without a signature numba would compile it anew for each function it is given.
    """
    with _ENTERING:  # threads that learn ask all at once
        return _entry(function)


@functools.cache
def _entry(function: Any) -> Any:
    ints, floats, i8 = array_type(np.int64, 1), array_type(np.float64, 1), types.int64
    one = (search_type, drive.RUN, ints, i8, i8, i8)
    fields = drive.Plan.__annotations__.values()
    plan = types.NamedTuple([numba.typeof(kind(1)) for kind in fields], drive.Plan)
    examples = (search_type, drive.RUN, ints, ints, ints)
    arguments = {
        drive.predict: (*examples, i8, i8, floats, types.boolean),
        drive.learn: (*examples, ints, i8, i8, plan, floats),
        beam.beam: (*one, i8),
        beam.follow: (*one, array_type(np.int32, 1), i8),
        observe.record: (*one, types.float64, i8),
        observe.deviate_from: (*one, array_type(np.int32, 1), types.float64, i8),
    }[function]
    function.compile(arguments)
    function.disable_compile()
    return function


class NativeRunner(Runner):
    """Runs the decoder as native code, compiled for the type of the first example it meets."""

    decoder: Any = None
    batch_decoder: Any = None

    def _load_batch(self, batch: Batch) -> Data:
        from rollin.compiler.batching import BatchDecoder

        data = Data(
            batch, np.zeros(0, np.int64), batch.starts[:-1], batch.sizes, batch.features,
            batch.columns, [],
        )  # fmt: skip
        if len(batch):
            if self.decoder is None:
                self.decoder = self._decoder(batch[0])
            if self.batch_decoder is None:
                self.batch_decoder = BatchDecoder(self.decoder, batch)
            box, data.outputs = self.batch_decoder.box(batch)
            data.kept, data.boxes = [box], np.full(len(batch), place_of(box), np.int64)
        return data

    def _decoder(self, example: Any) -> Any:
        from rollin.compiler.compiling import NativeDecoder

        return NativeDecoder(self.schema, self.function, example, self.checked)

    def _boxes(self, examples: Sequence[Any]) -> tuple[Any, list[Any]]:
        if self.decoder is None and len(examples):
            self.decoder = self._decoder(examples[0])
        kept = [self.decoder.box(example, number) for number, example in enumerate(examples)]
        return np.array([place_of(box) for box in kept], np.int64), kept

    def bind(self, model: Any, data: Data) -> "NativeBound":
        score, update = model.functions()
        space = model.workspace(None, _call_native)
        empty, arrays = empty_search(self.schema, self.limit)
        search = make_search(
            features=data.features,
            decide=decide,
            score=score,
            update=update,
            by_chance=model.use.reduction in BY_CHANCE,
            **empty,
        )
        prepare(search, space.struct, *arrays)
        decoder = self.decoder if data.outputs is None else self.batch_decoder
        bound = NativeBound(self, search, decoder.run if decoder else None, model, space, data)
        bound.kept = arrays
        return bound


class NativeBound(Bound):
    """See Bound."""

    runner: Any
    kept: Any

    def _call(self, function: Any, *arguments: Any) -> Any:
        if arguments and arguments[0] is self.run:
            function = entry(function)
        return function(self.search, *arguments)

    def result(self, number: int) -> Any:
        if self.data.outputs is None:
            return self.runner.decoder.result(self.data.kept[number])
        assert isinstance(self.data.examples, Batch)
        place = self.data.examples.place(number)
        parts = tuple(array[place].copy() for array in self.data.outputs)
        return parts if self.runner.batch_decoder.many else parts[0]

    def outputs(self) -> list[np.ndarray]:
        return self.data.outputs or []

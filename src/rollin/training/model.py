"""A trained model: predict with it, measure it, save it, load it."""

import dataclasses
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rollin
from rollin.compiler.beam import Output, search_beam
from rollin.decisions.batch import Batch
from rollin.decisions.schema import Schema
from rollin.errors import RollinError
from rollin.learners import LEARNERS
from rollin.learners.protocol import Learned, Use
from rollin.native.cores import one_core_each
from rollin.training import storage

if TYPE_CHECKING:
    from rollin.compiler.running import Bound, Data
    from rollin.training.task import Task


class Model:
    """What was learned for a task."""

    def __init__(self, task: "Task", learned: Learned, facts: dict[str, Any], runner: Any):
        self.task, self.learned, self.facts, self._runner = task, learned, facts, runner

    def predict(
        self, examples: Sequence[Any], *, beam: int = 1, threads: int = 1, certainty: bool = False
    ) -> list[Any]:
        """Run the decoder on examples with the learned policy; give what it returns for each.

        With `certainty` the decoder can read in `search.certainty` how certain the last decision
        was, a probability; without, and in a beam, that is always 1.
        """
        if beam != 1:
            return [best[0].value for best in self.nbest(examples, beam=beam, count=1)]
        data, bounds, _ = self._run(examples, threads, certainty)
        return [bounds[0].result(number) for number in range(len(data))]

    def arrays(
        self, batch: Batch, *, beam: int = 1, threads: int = 1, certainty: bool = False
    ) -> list[np.ndarray]:
        """Run the decoder on a batch; give each array that it returns, over all positions."""
        if beam != 1:
            best = [outputs[0].value for outputs in self.nbest(batch, beam=beam, count=1)]
            parts = [each if isinstance(each, tuple) else (each,) for each in best]
            return [np.concatenate(column) for column in zip(*parts, strict=True)]
        return self._run(batch, threads, certainty)[1][0].outputs()

    def losses(self, examples: Sequence[Any], *, threads: int = 1) -> np.ndarray:
        """Run the decoder on examples with the learned policy; give the loss of each."""
        return self._run(examples, threads)[2]

    def nbest(
        self, examples: Sequence[Any], *, beam: int = 8, count: int | None = None
    ) -> list[list[Output]]:
        """Search with a beam: for each example up to `count` outputs, the best first."""
        if beam < 1:
            raise RollinError(f"beam={beam}: expected how many hypotheses to keep, at least 1")
        bound = self.bind(self.load_examples(examples))
        return [
            search_beam(bound, number, beam, beam if count is None else count)
            for number in range(len(examples))
        ]

    def bind(self, data: "Data") -> "Bound":
        """Join the model to data, to run on it."""
        if data.columns != self.learned.use.columns and len(data):
            raise RollinError(
                f"the model of task {self.task.schema.task!r} was trained with the input columns "
                f"{', '.join(self.learned.use.columns)}; now inputs= gives "
                f"{', '.join(data.columns)}"
            )
        return self._runner.bind(self.learned, data)

    def load_examples(self, examples: Sequence[Any]) -> "Data":
        """Lay examples out, to bind the model to them."""
        return self._runner.load(examples, self.task.inputs)

    def _run(
        self, examples: Sequence[Any], threads: int, certainty: bool = False
    ) -> tuple["Data", list["Bound"], Any]:
        data = self.load_examples(examples)
        losses = np.zeros(len(data))
        if not len(data):
            return data, [], losses
        bounds = [self.bind(data) for _ in range(max(1, min(threads, len(data))))]
        ends = np.cumsum(data.sizes + 1) * len(bounds)
        cuts = [0, *np.searchsorted(ends, ends[-1] / len(bounds) * np.arange(1, len(bounds) + 1))]
        cuts[-1] = len(data)
        if len(bounds) == 1:
            with one_core_each():
                bounds[0].predict(0, len(data), losses, certainty)
        else:
            with one_core_each(), ThreadPoolExecutor(len(bounds)) as pool:
                spans = zip(bounds, cuts, cuts[1:], strict=False)
                jobs = [pool.submit(each.predict, a, b, losses, certainty) for each, a, b in spans]
                for job in jobs:
                    job.result()
        return data, bounds, losses

    def save(self, path: str | Path) -> None:
        """Write the model to a file, whole or not at all."""
        storage.save(path, describe(self.learned, self.facts), self.learned.stored())

    @classmethod
    def load(cls, task: "Task", path: str | Path, *, compiled: bool = True) -> "Model":
        """Read a model of a task."""
        return cls.revived(task, path, *storage.load(path, "model"), compiled=compiled)

    @classmethod
    def revived(
        cls,
        task: "Task",
        path: str | Path,
        described: dict[str, Any],
        arrays: dict[str, np.ndarray],
        *,
        compiled: bool = True,
    ) -> "Model":
        """Make a model of what a file held."""
        stored = Schema.from_json(described["schema"])
        if stored != task.schema:
            raise RollinError(
                f"{path} is no model of this task: {_difference(stored, task.schema)}"
            )
        learned = revive(described, task.schema, arrays, finished=True)
        return cls(task, learned, described["facts"], task.runner(compiled))


def describe(learned: Learned, facts: dict[str, Any]) -> dict[str, Any]:
    """Give all that is to be known of a model beside its weights."""
    learner = learned.learner
    return {
        "kind": "model" if learned.finished else "training",
        "made by": f"rollin {rollin.__version__}",
        "schema": learned.use.schema.as_json(),
        "columns": list(learned.use.columns),
        "templates": list(learned.use.templates),
        "reduction": learned.use.reduction,
        "scaling": learned.use.scaling,
        "learner": {"name": learner.name, **dataclasses.asdict(learner)},
        "seed": learned.seed,
        "facts": facts,
    }


def revive(
    described: dict[str, Any], schema: Schema, arrays: dict[str, np.ndarray], finished: bool
) -> Learned:
    """Make a learner's model again from what `describe` and `stored` gave."""
    settings = dict(described["learner"])
    learner = LEARNERS[settings.pop("name")](**settings)
    use = Use(
        schema,
        tuple(described["columns"]),
        tuple(described["templates"]),
        described["reduction"],
        described["scaling"],
    )
    return learner.revive(use, described["seed"], arrays, finished)


def _difference(stored: Schema, ours: Schema) -> str:
    for field in dataclasses.fields(Schema):
        theirs, own = getattr(stored, field.name), getattr(ours, field.name)
        if theirs != own:
            return f"its {field.name} is {theirs!r}, the task's is {own!r}"
    return "they differ"

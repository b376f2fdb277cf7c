"""The weights of a dense learner for one task, while it learns or when it has."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rollin.learners.dense.adam import adam, adam_rows, corrected, rate_at, take_in
from rollin.learners.dense.averaging import EVERY, average, share_at
from rollin.learners.dense.decision import make_dense, score, update
from rollin.learners.dense.encoders import encoder_from
from rollin.learners.dense.laying import Layout
from rollin.learners.dense.packing import packed, unpacked
from rollin.learners.dense.remembering import Remembered
from rollin.learners.dense.sizes import lanes_for
from rollin.learners.dense.vocabulary import Vocabulary
from rollin.learners.dense.workspace import DenseWorkspace, add_rows_to
from rollin.learners.protocol import Use

if TYPE_CHECKING:
    from rollin.learners.dense.learner import Dense

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.98, 1e-8
_TABLES = ("table", "facts")
_TABLE = ("table in 8 bits", "table factors")  # used as they are, where the file is mapped
_NONE = np.zeros(0, np.int64)
_BESIDE = ("mean ", "square ", "average ")  # what training keeps beside each array of weights


class DenseModel:
    """The weights of a dense learner for one task, while it learns or when it has."""

    online = False
    positions = 512

    def __init__(
        self,
        learner: "Dense",
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
        self._memories = threading.local()
        self.packed: dict[str, np.ndarray] = {}
        self.progress = 0.0
        self.lanes = np.array([lanes_for(len(a)) for a in use.schema.decisions.values()], np.int64)
        self.out_first = np.cumsum(np.concatenate([[0], self.lanes[:-1]])) * learner.hidden
        if not finished:
            self._lay_out()
            self._table_slope = np.zeros_like(self.arrays["table"])
            self._touched = np.zeros(len(self._table_slope), np.int64)
        self.turned = np.empty_like(self.arrays["out"])
        self._turn()

    def _lay_out(self) -> None:
        """Lay all weights but the table one behind the other, and likewise what stands beside."""
        names = self.weights()
        self.layout = Layout({n: self.arrays[n].shape for n in names if n != "table"})
        self._flat = {}
        for beside in ("", *_BESIDE):
            self._flat[beside], views = self.layout.zeros()
            for name, view in views.items():
                view[:] = self.arrays.get(beside + name, 0.0)
                self.arrays[beside + name] = view
            self.arrays.setdefault(f"{beside}table", np.zeros_like(self.arrays["table"]))

    @property
    def remembers(self) -> bool:
        """Whether products are kept for when the same values come up again."""
        return self.finished and self.encoder.alone

    def memory(self) -> Remembered:
        """Give the products that this thread remembers."""
        if not hasattr(self._memories, "own"):
            self._memories.own = Remembered(self.arrays["blank"], self.arrays["first"])
        return self._memories.own

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
        learner: "Dense",
        use: Use,
        seed: int,
        vocabulary: Vocabulary,
        kept: dict[str, np.ndarray],
    ) -> "DenseModel":
        """Make a finished model of packed weights."""
        arrays = unpacked({name: each for name, each in kept.items() if name not in _TABLE})
        model = cls(learner, use, seed, vocabulary, _NONE, arrays, finished=True)
        model.packed = kept
        return model

    def stored(self) -> dict[str, np.ndarray]:
        """Give what a file keeps."""
        if self.finished:
            return {**self.packed, "keys": self.vocabulary.keys}
        kept = {**self.arrays, "keys": self.vocabulary.keys}
        return kept | {"counts": self.counts, "steps": np.array([self.steps])}

    def restore(self, stored: dict[str, np.ndarray]) -> None:
        """Take back what `stored` gave."""
        for name in self.arrays:
            self.arrays[name][:] = stored[name]
        self.steps = int(stored["steps"][0])
        self._touched[:] = 0
        self._turn()

    def change(self, spaces: Sequence["DenseWorkspace"], each: Callable[..., Any] = map) -> None:
        """Change the weights by what the workspaces have gathered, in their order."""
        decisions = sum(float(space.counts[0]) for space in spaces)
        if decisions == 0.0:
            return
        self.steps += 1
        rate = rate_at(self.learner.rate, self.progress)
        rate = corrected(rate, self.steps, FIRST_MOMENT, SECOND_MOMENT)
        how = (1.0 / decisions, rate, FIRST_MOMENT, SECOND_MOMENT, TINY)
        parts = self.layout.parts(max(1, len(spaces) - 1))
        jobs = [partial(self._change_table, spaces, how)]
        jobs += [partial(self._change_part, part, spaces, how) for part in parts]
        list(each(_call, jobs))
        self._turn()
        for space in spaces:
            space.counts[0] = 0.0

    def _change_part(
        self, part: slice, spaces: Sequence["DenseWorkspace"], how: tuple[float, ...]
    ) -> None:
        """Change a part of all weights but the table."""
        first, *others = (space.gathered[part] for space in spaces)
        for other in others:
            take_in(first, other)
        weights, mean, square, averaged = (flat[part] for flat in self._flat.values())
        adam(weights, first, mean, square, *how)
        if self.steps % EVERY == 0:
            average(averaged, weights, share_at(self.steps))

    def _change_table(self, spaces: Sequence["DenseWorkspace"], how: tuple[float, ...]) -> None:
        """Change the rows of the table that were looked up."""
        table, mean, square, averaged = (self.arrays[f"{beside}table"] for beside in ("", *_BESIDE))
        for space in spaces:
            add_rows_to(self._table_slope, space.rows, space.base_slope)
        for space in spaces:
            rows, slope = space.rows.ravel(), self._table_slope
            adam_rows(table, slope, mean, square, rows, self._touched, self.steps, *how)
        if self.steps % EVERY == 0:
            average(averaged.ravel(), table.ravel(), share_at(self.steps))

    def _turn(self) -> None:
        """Keep the output layer the other way round too: for few actions, and for the way back."""
        hidden = self.learner.hidden
        for start, lanes in zip(self.out_first, self.lanes, strict=True):
            place = slice(start, start + hidden * lanes)
            out = self.arrays["out"][place].reshape(hidden, lanes)
            self.turned[place].reshape(lanes, hidden)[:] = out.T


def _call(job: Callable[[], None]) -> None:
    job()

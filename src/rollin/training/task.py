"""Tasks: a decoder and what it declares. This is where a user's code meets the library."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollin.decisions.schema import declare

if TYPE_CHECKING:
    import numpy as np

    from rollin.compiler.methods import Method
    from rollin.training.model import Model


class Task:
    """A decoder with its declarations: train it with `fit`, read a trained one with `load`.

    Args:
        decoder: a function of a search and an example. It takes decisions with `search.predict`,
            shows them what they may go by with `search.look` and `search.note`, and says with
            `search.loss` how wrong it went. What it returns is the output.
        slots: names of the places in the input that decisions look at.
        notes: names of the small facts about earlier decisions.
        decisions: for each kind of decision its name, and its actions: their names or their number.
        inputs: a function from an example to its input columns: a dict from the name of a column to
            the values at every position, texts or whole numbers.
        templates: which parts the sparse learners multiply, such as "here * left".
        history: how many actions before this one every decision knows of.
        limit: the most decisions that a run may take.
        checked: whether native code catches an index beyond an array's end in the decoder; without,
            a decoder that is known to keep to its arrays runs a little faster.
        name: the task's name; the decoder's unless it is given.
    """

    def __init__(
        self,
        decoder: Callable[[Any, Any], Any],
        *,
        slots: str | Iterable[str] = (),
        notes: str | Iterable[str] = (),
        decisions: Mapping[str, int | Iterable[str]],
        inputs: Callable[[Any], dict[str, Iterable]] | None = None,
        templates: Iterable[str] = (),
        history: int = 0,
        limit: int = 1_000_000,
        checked: bool = True,
        name: str | None = None,
    ) -> None:
        self.decoder, self.inputs, self.limit, self.checked = decoder, inputs, limit, checked
        self.templates = tuple(templates)
        self.schema = declare(name or decoder.__name__, slots, notes, decisions, history)
        self._runners: dict[bool, Any] = {}
        self.__doc__ = decoder.__doc__
        self.__name__ = self.schema.task

    def __call__(self, search: Any, example: Any) -> Any:
        """Run the decoder itself."""
        return self.decoder(search, example)

    def but(self, **changes: Any) -> "Task":
        """Give the same task with some declarations changed."""
        kept: dict[str, Any] = {
            "slots": self.schema.slots,
            "notes": self.schema.notes,
            "decisions": self.schema.decisions,
            "inputs": self.inputs,
            "templates": self.templates,
            "history": self.schema.history,
            "limit": self.limit,
            "checked": self.checked,
            "name": self.schema.task,
        }
        return Task(self.decoder, **{**kept, **changes})

    def fit(
        self,
        examples: Sequence[Any],
        *,
        dev: Sequence[Any] | None = None,
        learner: Any = "sgd+",
        method: "str | Method" = "dagger",
        passes: int = 5,
        patience: int | None = None,
        seed: int = 1,
        threads: int = 1,
        compiled: bool = True,
        progress: bool | None = None,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        report: Callable[[dict[str, Any]], None] | None = None,
        judge: "Callable[[list[np.ndarray]], dict[str, float]] | None" = None,
        facts: dict[str, Any] | None = None,
        log: str | Path | None = None,
    ) -> "Model":
        """Learn from examples.

        Args:
            examples: what the decoder takes, each with all that its references and losses need.
            dev: other examples; the model of the pass with the least loss on them is kept.
            learner: a base learner, as a value or as text ("nn units=8 average").
            method: how to learn to search, as a value or by name (see rollin.compiler.methods).
            passes: how often to go through the examples.
            patience: stop when so many passes in a row brought nothing on dev.
            seed: where all chance comes from; the same seed gives the same model.
            threads: how many cores to learn with, where the learner can (dense); the model depends
                on the number, in its last digits.
            compiled: False runs the decoder as plain Python: slower, under a debugger if you like.
            progress: show a progress bar; by default where a person is watching.
            checkpoint: a file that keeps an unfinished training after every pass, and when it is
                interrupted with Ctrl-C.
            resume: go on from the checkpoint if there is one; it ends in the same model.
            report: is called after every pass with what there is to report.
            judge: where `dev` is a Batch: scores what the decoder returned for it (its arrays over
                all positions). The scores are reported; one is "dev loss", the less the better.
            facts: what the model file is to say of it, in JSON.
            log: a file for what is reported, a line of JSON for every pass. Where a training is
                resumed, those before are in it too.
        """
        from rollin.training.loop import Training

        training = Training(
            self, examples, dev, learner, method, seed, self.runner(compiled), checkpoint,
            judge, facts, log,
        )  # fmt: skip
        if resume and checkpoint is not None and Path(checkpoint).exists():
            training.resume(passes)
        return training.run(passes, patience, progress, report, threads)

    def load(self, path: str | Path, *, compiled: bool = True) -> "Model":
        """Read a model of this task from a file."""
        from rollin.training.model import Model

        return Model.load(self, path, compiled=compiled)

    def runner(self, compiled: bool = True) -> Any:
        """Give what runs this task, natively or as plain Python."""
        from rollin.compiler.running import NativeRunner, PlainRunner
        from rollin.native.kernels import COMPILED

        kind = NativeRunner if compiled and COMPILED else PlainRunner
        if compiled not in self._runners:
            self._runners[compiled] = kind(self.schema, self.decoder, self.limit, self.checked)
        return self._runners[compiled]


def task(**declarations: Any) -> Callable[[Callable[[Any, Any], Any]], Task]:
    """Declare a decoder to be a task: a decorator with the arguments of `Task`."""

    def declared(decoder: Callable[[Any, Any], Any]) -> Task:
        return Task(decoder, **declarations)

    return declared

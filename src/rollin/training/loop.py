"""Training: passes over examples, the best pass kept, to be interrupted and resumed at any time."""

import hashlib
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from rollin.compiler.drive import COUNTS, Plan
from rollin.compiler.methods import Method, method_from
from rollin.decisions.schema import Schema
from rollin.errors import RollinError
from rollin.learners import learner_from
from rollin.learners.protocol import Learned, Use
from rollin.native.cores import one_core_each
from rollin.output import writing
from rollin.training import storage
from rollin.training.model import Model, describe, revive

if TYPE_CHECKING:
    from rollin.training.task import Task


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, between two batches; with the best model so far."""

    def __init__(self, model: Model) -> None:
        super().__init__("the training was interrupted")
        self.model = model


class Training:
    """A training of one task on one set of examples."""

    def __init__(
        self,
        task: "Task",
        examples: Sequence[Any],
        dev: Sequence[Any] | None,
        learner: Any,
        method: str | Method,
        seed: int,
        runner: Any,
        checkpoint: str | Path | None,
        judge: Callable[[list[np.ndarray]], dict[str, float]] | None = None,
        facts: dict[str, Any] | None = None,
        log: str | Path | None = None,
    ) -> None:
        if not len(examples):
            raise RollinError(f"there are no examples to train task {task.schema.task!r} on")
        self.task, self.runner, self.seed = task, runner, seed
        self.method, self._judge, self._facts = method_from(method), judge, facts or {}
        self.data = runner.load(examples, task.inputs)
        self.dev = runner.load(dev, task.inputs) if dev is not None and len(dev) else None
        chosen = learner_from(learner)
        use = Use(
            task.schema,
            self.data.columns,
            task.templates,
            self.method.reduction or chosen.reduction,
            self.method.scaling,
        )
        self.learned: Learned = chosen.build(use, seed, self.data.features)
        self.checkpoint = Path(checkpoint) if checkpoint is not None else None
        self.log = log
        self.history: list[dict[str, Any]] = []
        self.epoch = self.place = self.trained = self.best_epoch = self.passes = 0
        self.best: Learned | None = None
        self.dev_losses: list[float] = []
        self.best_scores: dict[str, float] = {}
        self.tally = np.zeros(len(COUNTS))

    def run(
        self,
        passes: int,
        patience: int | None,
        progress: bool | None,
        report: Callable[[dict[str, Any]], None] | None,
        threads: int = 1,
    ) -> Model:
        """Train up to a number of passes; give the best model."""
        if passes < 0 or threads < 1:
            raise RollinError(f"passes={passes}, threads={threads}: expected at least 0, and 1")
        self.passes = passes
        watched = sys.stderr.isatty() if progress is None else progress
        if self.learned.online and threads > 1:
            raise RollinError(
                f"learner {self.learned.learner.name!r} learns from one decision after another, so "
                "one thread is all it can use"
            )
        self._write_log()
        bounds = [self.runner.bind(self.learned, self.data) for _ in range(threads)]
        with (
            _interruptible() as interrupted,
            one_core_each(),
            ThreadPoolExecutor(max(1, threads - 1)) as pool,
        ):
            while self.epoch < passes and not self._exhausted(patience):
                bar = tqdm(
                    total=len(self.data), initial=self.place, disable=not watched, leave=False,
                    unit="ex", desc=f"pass {self.epoch + 1}/{passes}",
                )  # fmt: skip
                started = time.process_time()
                with bar:
                    self._run_pass(bounds, pool, bar, interrupted, passes)
                seconds = time.process_time() - started
                done = self._end_pass(passes)
                self._write_log()
                if watched:
                    tqdm.write(pass_line(done), file=sys.stderr)
                if report is not None:
                    report({**done, "seconds": seconds})
        return self.model()

    def model(self) -> Model:
        """Give the best model so far."""
        learned = self.best if self.best is not None else self.learned.finish()
        facts = {
            "method": repr(self.method),
            "examples": len(self.data),
            "passes": self.epoch,
            "best pass": self.best_epoch if self.best is not None else self.epoch,
            "dev losses": self.dev_losses,
            "scores": self.best_scores,
            **self._facts,
        }
        return Model(self.task, learned, facts, self.runner)

    def _run_pass(
        self,
        bounds: list[Any],
        pool: ThreadPoolExecutor,
        bar: Any,
        interrupted: Callable[[], bool],
        passes: int,
    ) -> None:
        order = np.random.default_rng([self.seed, self.epoch]).permutation(len(self.data))
        plan = self._plan()
        while self.place < len(order):
            end = min(self.place + self.learned.batch, len(order))
            self.learned.progress = (self.epoch + self.place / len(order)) / passes
            self._learn(bounds, pool, order[self.place : end], plan)
            bar.update(end - self.place)
            self.place = end
            bar.set_postfix(loss=f"{self._tallied('loss') / self._tallied('examples'):.4g}")
            if interrupted():
                self._save()
                raise Interrupted(self.model())

    def _learn(
        self, bounds: list[Any], pool: ThreadPoolExecutor, numbers: np.ndarray, plan: Plan
    ) -> None:
        """Learn from a batch, each thread from a part; what they find is added up in order."""
        parts = shares(numbers, self.data.sizes[numbers], min(len(bounds), len(numbers)))
        tallies = [np.zeros(len(COUNTS)) for _ in parts]

        def learn(bound: Any, part: np.ndarray, tally: np.ndarray) -> None:
            bound.set_trained(self.trained)
            bound.learn(part, 0, len(part), plan, tally)

        each = partial(side_by_side, pool) if len(parts) > 1 else map
        list(each(learn, bounds, parts, tallies))
        self.learned.change([bound.space for bound in bounds[: len(parts)]], each)
        for tally in tallies:
            self.tally += tally
            self.trained += int(tally[COUNTS.index("learned_from")])

    def _plan(self) -> Plan:
        method, deviations = self.method, self.method.deviations
        out = method.roll_out
        return Plan(
            seed=self.seed,
            epoch=self.epoch,
            roll_in_share=float(method.roll_in.share(self.epoch)),
            roll_in_decay=float(method.roll_in.decay),
            roll_in_by_run=method.roll_in.by_run,
            roll_out=out is not None,
            roll_out_share=float(out.share(self.epoch)) if out else 0.0,
            roll_out_decay=float(out.decay) if out else 0.0,
            roll_out_by_run=bool(out and out.by_run),
            sample=deviations.sample,
            margin=-1.0 if deviations.margin is None else float(deviations.margin),
            until_mistake=deviations.until_mistake,
        )

    def _end_pass(self, passes: int) -> dict[str, Any]:
        examples = self._tallied("examples")
        counts = {name: self._tallied(name) for name in COUNTS}
        self.epoch, self.place = self.epoch + 1, 0
        done: dict[str, Any] = {"passes": passes, "pass": self.epoch}
        done["loss"] = counts["loss"] / examples
        done |= {name: int(counts[name]) for name in COUNTS if name != "loss"}
        if self.dev is not None:
            finished = self.learned.finish()
            losses = np.zeros(len(self.dev))
            bound = self.runner.bind(finished, self.dev)
            bound.predict(0, len(self.dev), losses)
            done["dev loss"] = float(losses.mean())
            if self._judge is not None:
                done |= self._judge(bound.outputs())
            if not self.dev_losses or done["dev loss"] < min(self.dev_losses):
                self.best, self.best_epoch = finished, self.epoch
                self.best_scores = {
                    key: done[key] for key in ("dev loss", "UAS", "LAS") if key in done
                }
            self.dev_losses.append(done["dev loss"])
            done["best pass"] = self.best_epoch
        self.history.append(done)
        self.tally[:] = 0.0
        self._save()
        return done

    def _exhausted(self, patience: int | None) -> bool:
        return patience is not None and self.epoch - self.best_epoch >= patience > 0

    def _tallied(self, name: str) -> float:
        return float(self.tally[COUNTS.index(name)])

    def _write_log(self) -> None:
        """Write a line for every pass so far; also those before an interruption."""
        if self.log is not None:
            with writing(self.log) as file:
                file.writelines(json.dumps(done).encode() + b"\n" for done in self.history)

    # --- to be resumed -------------------------------------------------------------------------

    def _save(self) -> None:
        """Keep everything that the rest of the training depends on."""
        if self.checkpoint is None:
            return
        facts = {
            "method": repr(self.method),
            "data": self._fingerprint(),
            "epoch": self.epoch,
            "place": self.place,
            "passes": self.passes,
            "trained": self.trained,
            "tally": self.tally.tolist(),
            "dev losses": self.dev_losses,
            "best": self.best_epoch,
            "scores": self.best_scores,
            "history": self.history,
        }
        arrays = self.learned.stored()
        if self.best is not None:
            arrays |= {f"best/{name}": array for name, array in self.best.stored().items()}
        storage.save(self.checkpoint, describe(self.learned, facts), arrays)

    def resume(self, passes: int) -> None:
        """Go on where the checkpoint was written; `passes` is how many are wanted in all."""
        assert self.checkpoint is not None
        described, arrays = storage.load(self.checkpoint, "training")
        facts = described["facts"]
        ours = describe(self.learned, {})
        for what in ("schema", "columns", "templates", "reduction", "scaling", "learner", "seed"):
            if described[what] != ours[what]:
                self._refuse(f"its {what} is {described[what]!r}, not {ours[what]!r}")
        if facts["method"] != repr(self.method):
            self._refuse(f"its method is {facts['method']}, not {self.method!r}")
        if facts["data"] != self._fingerprint():
            self._refuse("it was trained on other examples")
        if facts["passes"] != passes and not self.learned.online:
            self._refuse(f"its rates fall over {facts['passes']} passes, not {passes}")
        schema = Schema.from_json(described["schema"])
        best = {name[5:]: each for name, each in arrays.items() if name.startswith("best/")}
        self.learned.restore(arrays)
        self.best = revive(described, schema, best, finished=True) if best else None
        self.epoch, self.place, self.trained = facts["epoch"], facts["place"], facts["trained"]
        self.tally[:] = facts["tally"]
        self.dev_losses, self.best_epoch = facts["dev losses"], facts["best"]
        self.best_scores, self.history = facts["scores"], facts["history"]

    def _refuse(self, why: str) -> None:
        raise RollinError(
            f"the training in {self.checkpoint} can't be resumed with these settings: {why}. "
            "Resume it with the settings it began with, or remove the file to begin anew"
        )

    def _fingerprint(self) -> str:
        digest = hashlib.blake2b(digest_size=12)
        for data in (self.data, self.dev):
            if data is not None:
                digest.update(data.sizes.tobytes() + data.features.tobytes())
        return digest.hexdigest()


def side_by_side(pool: ThreadPoolExecutor, function: Callable[..., Any], *columns: Any) -> list:
    """Do what `map` does, the first call in this thread and the others in threads of the pool."""
    first, *others = zip(*columns, strict=False)
    waited_for = [pool.submit(function, *each) for each in others]
    try:
        return [function(*first), *(each.result() for each in waited_for)]
    finally:
        wait(waited_for)


def shares(numbers: np.ndarray, sizes: np.ndarray, count: int) -> list[np.ndarray]:
    """Split examples into parts of about equal size, for threads that wait for each other.

    The largest are dealt out first, each to the part that is the smallest so far.
    """
    dealt = np.zeros(count, np.int64)
    part = np.zeros(len(numbers), np.int64)
    for place in np.argsort(-sizes, kind="stable"):
        part[place] = np.argmin(dealt)
        dealt[part[place]] += 1 + sizes[place]
    return [numbers[part == each] for each in range(count)]


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C only raise a flag, so that a training is left between two examples."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: asked.append(number))
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


def pass_line(done: dict[str, Any]) -> str:
    """Say in a line how a pass went."""
    text = f"pass {done['pass']}/{done['passes']}: loss {done['loss']:.4f}"
    if "dev loss" in done:
        scores = [f"{name} {done[name]:.2f}" for name in ("UAS", "LAS") if name in done]
        best = " (best)" if done["best pass"] == done["pass"] else ""
        text += f", dev {' '.join(scores) or 'loss ' + format(done['dev loss'], '.4f')}{best}"
    return text

"""What trying out deviations costs, and what each way of choosing where to deviate gains.

    python -m bench.deviations --treebank path/to/UD_English-EWT --plot deviations.svg

First the cost of all one-step deviations of runs of T decisions between 17 actions, from short runs
to long: re-executing the decoder for each predicts (17 - 1) T roll-outs of T decisions. Then the
strategies of `Deviations`, on the tagger and on scheduling, whose loss only shows at the end: what
each costs and what it comes to on dev. Then how much the memory of views saves.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

import rollin
from bench.setting import setting
from bench.tagger import examples_of, read_words, same_features
from rollin.compiler import drive
from rollin.compiler.drive import COUNTS, learn_from_rows, roll_in
from rollin.compiler.methods import LOLS, Deviations, Method
from rollin.decisions.state import show_example
from rollin.native.structs import struct_at
from rollin.tasks.scheduling import scheduler, some_jobs
from rollin.tasks.tagger import TaggedSentence
from rollin.training.loop import Training

ACTIONS = 17
LENGTHS = (5, 10, 25, 50, 100, 200)
STRATEGIES = {
    "every step": Deviations(),
    "1 step at random": Deviations(sample=1),
    "3 steps at random": Deviations(sample=3),
    "margin < 0.1, or wrong": Deviations(margin=0.1),
    "margin < 0.5, or wrong": Deviations(margin=0.5),
    "margin < 1, or wrong": Deviations(margin=1.0),
    "up to the first mistake": Deviations(until_mistake=True),
}
LEARNER = "sgd+ bits=20"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--treebank", type=Path, help="folder of {train,dev}.conllu")
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=3, help="of each strategy")
    parser.add_argument("--only", choices=["cost", "strategies", "memory"])
    parser.add_argument("--plot", type=Path, help="where to draw cost against T")
    options = parser.parse_args()
    print(f"# Deviations\n\n{setting()}")
    wanted = {options.only} if options.only else {"cost", "strategies", "memory"}
    if "cost" in wanted:
        measured = cost_by_length()
        if options.plot:
            draw(measured, options.plot)
    tasks = {"scheduling": (scheduler(), some_jobs(4000, 1), some_jobs(1000, 2))}
    if options.treebank:
        tasks = {"tagger": tagging(options.treebank), **tasks}
    if "strategies" in wanted:
        for name, (task, train, dev) in tasks.items():
            strategies(name, task, train, dev, options)
    if "memory" in wanted:
        memory(tasks)


class Counted:
    """A training that is run by hand, its clock and its counts in view."""

    def __init__(self, task: rollin.Task, examples: list, method: Method, learner: str) -> None:
        self.training = Training(task, examples, None, learner, method, 1, task.runner(), None)
        self.bound = self.training.runner.bind(self.training.learned, self.training.data)
        self.count = len(examples)

    def seconds(self, learn: Any = None) -> float:
        """Run over all examples once, perhaps with another `drive.learn`; give the CPU time."""
        bound, data, tally = self.bound, self.bound.data, self.training.tally
        order, plan = np.arange(self.count), self.training._plan()
        started = time.process_time()
        if learn is None:
            bound.learn(order, 0, self.count, plan, tally)
        else:
            places = (data.boxes, data.origins, data.sizes, order, 0, self.count)
            learn(bound.search, bound.run, *places, plan, tally)
        return time.process_time() - started

    def weights(self) -> bytes:
        """Give what was learned."""
        return self.training.learned.arrays["table"].tobytes()

    def counted(self, name: str) -> int:
        return int(self.training.tally[COUNTS.index(name)])


# --- cost by length ------------------------------------------------------------------------------


def cost_by_length() -> list[tuple[int, float, float]]:
    """Print the cost of all deviations of runs of T decisions; give (T, measured, predicted)."""
    print("\n## Cost of all one-step deviations of T decisions\n")
    print(
        "The reference rolls in and out. Of each time that of the same training without roll-outs"
    )
    print("is taken off; a decision is one that a roll-out makes, replayed or by its policy.\n")
    print("| T | roll-outs | decisions | ms a run | ns a decision | under 100 |")
    print("|---:|---:|---:|---:|---:|---|")
    rows = []
    for length in LENGTHS:
        examples = runs_of(length)
        times = []
        for roll_out in (rollin.REFERENCE, None):
            method = Method(roll_in=rollin.REFERENCE, roll_out=roll_out)
            counted = Counted(same_features(NAMES), examples, method, "sgd bits=10")
            times.append(min(counted.seconds() for _ in range(4)) / len(examples))
            if roll_out is not None:
                roll_outs = counted.counted("roll_outs") / counted.counted("examples")
        spent, decisions = times[0] - times[1], roll_outs * length
        rows.append((length, spent, decisions))
        nanoseconds = 1e9 * spent / decisions
        print(
            f"| {length} | {roll_outs:,.0f} | {decisions:,.0f} | {1e3 * spent:.3f} "
            f"| {nanoseconds:.1f} | {'reached' if nanoseconds < 100 else 'MISSED'} |",
            flush=True,
        )
    each = sum(spent for _, spent, _ in rows) / sum(decisions for *_, decisions in rows)
    print(f"\nTogether {1e9 * each:.1f} ns a decision.")
    return [(length, spent, each * decisions) for length, spent, decisions in rows]


NAMES = [f"t{number}" for number in range(ACTIONS)]


def runs_of(length: int) -> list[TaggedSentence]:
    """Make sentences of one length, so many that measuring takes a while."""
    chance = np.random.default_rng(length)
    return [
        TaggedSentence([f"w{n}" for n in numbers], numbers % ACTIONS)
        for numbers in chance.integers(0, 50, (max(4, 20_000 // length**2), length))
    ]


def draw(measured: list[tuple[int, float, float]], path: Path) -> None:
    """Draw measured and predicted cost against T."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "rollin"
    from matplotlib import pyplot

    lengths, spent, predicted = zip(*measured, strict=True)
    figure, axes = pyplot.subplots(figsize=(5, 3.5))
    axes.loglog(lengths, [1e3 * s for s in predicted], label="re-execution predicts")
    axes.loglog(lengths, [1e3 * s for s in spent], "o", label="measured")
    axes.set_xlabel("T, decisions of a run")
    axes.set_ylabel("ms for all one-step deviations")
    axes.legend()
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    print(f"\n![cost of all deviations against T]({path.name})")


# --- strategies ----------------------------------------------------------------------------------


def tagging(folder: Path) -> tuple[rollin.Task, list, list]:
    """Give the tagger and the sentences of a treebank."""
    words = {part: read_words(folder / f"{part}.conllu") for part in ("train", "dev")}
    tags = sorted({tag for sentence in words["train"] for _, tag in sentence})
    train, dev = (examples_of(words[part], tags) for part in ("train", "dev"))
    return same_features(tags), train, dev


def strategies(name: str, task: rollin.Task, train: list, dev: list, how: Any) -> None:
    """Print what each strategy costs and comes to: all numbers are means over the seeds."""
    print(f"\n## Where to deviate: {name}, method LOLS, {how.passes} passes, {how.seeds} seeds\n")
    print(
        "| deviations | CPU-seconds | roll-outs | learned from | loss on dev, pass by pass | best |"
    )
    print("|---|---:|---:|---:|---|---:|")
    for described, deviations in STRATEGIES.items():
        method = LOLS.but(deviations=deviations)
        task.fit(train[:20], method=method, learner=LEARNER, passes=1)  # compile everything
        reports: list[dict[str, Any]] = []
        started = time.process_time()
        for seed in range(1, how.seeds + 1):
            task.fit(
                train, dev=dev, method=method, learner=LEARNER, passes=how.passes, seed=seed,
                report=reports.append,
            )  # fmt: skip
        seconds = (time.process_time() - started) / how.seeds
        counted = {
            each: sum(report[each] for report in reports) // how.seeds
            for each in ("roll_outs", "learned_from")
        }
        losses = np.array([report["dev loss"] for report in reports]).reshape(how.seeds, -1)
        best = losses.min(axis=1)
        passes = ", ".join(f"{loss:.3f}" for loss in losses.mean(axis=0))
        print(
            f"| {described} | {seconds:.1f} | {counted['roll_outs']:,} "
            f"| {counted['learned_from']:,} | {passes} "
            f"| {best.mean():.3f} ({best.min():.3f} to {best.max():.3f}) |",
            flush=True,
        )


# --- memory --------------------------------------------------------------------------------------


@numba.njit
def policy_counts(search):
    """Give how often the learned policy scored, and how often it remembered what it chose."""
    return search.scored, search.remembered


@numba.njit(nogil=True, error_model="numpy")
def learn_forgetting(search, run, boxes, origins, sizes, order, first, last, plan, tally):
    """Do what `drive.learn` does, but score every decision of every roll-out."""
    for place in range(first, last):
        number = order[place]
        show_example(search, number, origins[number], sizes[number])
        roll_in(search, run, struct_at(boxes[number]), plan, tally)
        search.remembering, search.rolled_in = False, 0
        learn_from_rows(search, run, struct_at(boxes[number]), plan, tally)


def memory(tasks: dict[str, tuple[rollin.Task, list, list]]) -> None:
    """Print how many of a roll-out's decisions are remembered from another run, and what for."""
    print("\n## Views seen before: roll-in and roll-out learned, second pass\n")
    print("Where a roll-out comes back to a view that was seen before, the policy's choice is")
    print("remembered. Beside it, the same training where everything is scored anew.\n")
    print(
        "| task | roll-outs | decisions of the policy | remembered | CPU-seconds | without memory |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    for name, (task, train, _) in tasks.items():
        method = Method(roll_in=rollin.LEARNED, roll_out=rollin.LEARNED)
        counted = Counted(task, train[:3000], method, LEARNER)
        counted.seconds()
        scored, remembered = counted.bound.call(policy_counts)
        before = counted.counted("roll_outs")
        seconds = counted.seconds()
        now_scored, now_remembered = counted.bound.call(policy_counts)
        remembered = now_remembered - remembered
        decisions = remembered + now_scored - scored
        forgetful = Counted(task, train[:3000], method, LEARNER)
        forgetful.seconds()
        without = forgetful.seconds(forgetting())
        same = forgetful.weights() == counted.weights()
        print(
            f"| {name} | {counted.counted('roll_outs') - before:,} | {decisions:,} "
            f"| {100 * remembered / decisions:.1f}% | {seconds:.2f} | {without:.2f}, "
            f"{'the same weights' if same else 'OTHER WEIGHTS'} |",
            flush=True,
        )


def forgetting() -> Any:
    """Compile `learn_forgetting` for every decoder, as `drive.learn` is."""
    if not learn_forgetting.signatures:
        learn_forgetting.compile(drive.learn.signatures[0])
        learn_forgetting.disable_compile()
    return learn_forgetting


if __name__ == "__main__":
    main()

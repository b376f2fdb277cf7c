"""Words to UPOS with Vowpal Wabbit: its built-in C++ `sequence` task and its Python `SearchTask`.

    python -m bench.peers.vw_tagger --treebank path/to/UD_English-EWT

`measure` trains and tests one variant and returns a dictionary. All times are CPU time of the
process. A rate comes in up to three forms, told apart by where the examples come from:

    text     parsed in every pass: C++ reads a file, Python calls `self.example` in `_run`
    cache    read from VW's binary cache, written by the first pass (C++ only)
    memory   parsed beforehand, outside the clock: nothing but learning or predicting is timed

`train_words_per_second` and `predict_words_per_second` are the fastest of their forms.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from vowpalwabbit import Example, PredictionType, Workspace
from vowpalwabbit.pyvw import SearchTask

from bench.peers import treebank
from bench.peers.vw_text import ESCAPES

Sentence = list[tuple[str, str]]  # (form, upos) of every word

BITS = 24  # of the weight table: 22 loses 0.15 points on EWT dev to collisions, 28 gains nothing
LEARNING_RATE = 0.35  # best on EWT dev of 0.25, 0.35, 0.5, 1
ROLLIN = "ref"  # learned roll-in is no more accurate on EWT dev (93.63; 93.67), and 10% slower
ROLLOUTS = {False: "none", True: "ref"}  # or any name VW knows: learn, mix_per_roll, ...
SLOW_SENTENCES = 200  # enough to time Python with roll-outs, at about 1 ms a word and worse
BATCH = 100  # sentences parsed ahead: VW needs 22 KB for an example, too much for a treebank


def read_words(path: str | Path) -> list[Sentence]:
    """The words of a CoNLL-U file, without multiword ranges and empty nodes."""
    return [
        [(row[treebank.FORM], row[treebank.UPOS]) for row in treebank.words(block)]
        for block in treebank.read_blocks(path)
    ]


def word_features(forms: Sequence[str], i: int) -> list[tuple[str, str]]:
    """What the tagger looks at when it tags word `i`; a neighbour outside is the empty string.

    A learner adds a constant and its own previous prediction, and nothing else.
    """
    form = forms[i]
    return [
        ("word", form),
        ("left", forms[i - 1] if i > 0 else ""),
        ("right", forms[i + 1] if i + 1 < len(forms) else ""),
        ("suffix1", form[-1:]),
        ("suffix2", form[-2:]),
        ("suffix3", form[-3:]),
        ("prefix2", form[:2]),
        ("shape", word_shape(form)),
    ]


def word_shape(form: str) -> str:
    """Letters become X or x, digits d; a run of one character keeps at most two: `Xxx-dd`."""
    shape = "".join(
        "X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else c for c in form
    )
    return re.sub(r"(.)\1{2,}", r"\1\1", shape)


def measure(
    train: list[Sentence],
    dev: list[Sentence],
    test: list[Sentence],
    *,
    api: str = "c++",
    rollouts: bool | str = False,
    passes: int = 3,
    bits: int = BITS,
    learning_rate: float = LEARNING_RATE,
    rollin: str = ROLLIN,
    seed: int | None = 0,
    sentences: int | None = None,
) -> dict:
    """Train on `train`, keep the pass that is best on `dev`, and report it with its speed.

    `rollouts` is a bool or what VW's `--search_rollout` takes. Training sentences are shuffled
    once (`seed=None`: not at all). `sentences` trains on that many, evenly spaced over the
    treebank; by default Python with roll-outs sees `SLOW_SENTENCES`, everything else all.
    """
    tagger = {"c++": BuiltIn, "python": Scripted}[api]
    rollout = ROLLOUTS.get(rollouts, rollouts)
    if sentences is None and api == "python" and rollout != "none":
        sentences = SLOW_SENTENCES
    if sentences is not None and sentences < len(train):
        train = [train[i * len(train) // sentences] for i in range(sentences)]
    if seed is not None:
        train = random.Random(seed).sample(train, len(train))

    tags = {tag: i for i, tag in enumerate(sorted({t for s in train for _, t in s}), start=1)}
    flags = [
        *("--search", str(len(tags)), "--search_task", tagger.task),
        *("--search_rollin", rollin, "--search_rollout", rollout),
        *("-b", str(bits), "-l", str(learning_rate)),
    ]
    started = time.process_time()
    runs = tagger(flags, tags).runs(train, dev, test, passes)
    seconds = time.process_time() - started

    train_rates = _fastest(run["train"] for run in runs)
    predict_rates = _fastest(run["predict"] for run in runs)
    best = max((run for run in runs if "dev" in run), key=lambda run: run["dev"])
    return {
        "api": api,
        "rollouts": rollout,
        "train_words_per_second": max(train_rates.values()),
        "predict_words_per_second": max(predict_rates.values()),
        "train_rates": train_rates,
        "predict_rates": predict_rates,
        "dev_accuracy": best["dev"],
        "test_accuracy": best["test"],
        "best_pass": best["pass"],
        "train_sentences": len(train),
        "train_words": sum(map(len, train)),
        "seconds": seconds,  # everything: parsing, all passes in all forms, all predictions
        "flags": " ".join(flags),
    }


def _fastest(runs: Iterator[dict[str, float]]) -> dict[str, float]:
    """The fastest run of every form: noise only ever slows a run down."""
    fastest: dict[str, float] = {}
    for rates in runs:
        for form, rate in rates.items():
            fastest[form] = max(rate, fastest.get(form, 0.0))
    return fastest


class BuiltIn:
    """The tagger that is part of VW: C++ throughout, fed as its command line feeds it."""

    task = "sequence"

    def __init__(self, flags: list[str], tags: dict[str, int]):
        self.flags = flags
        self.tags = tags

    def runs(
        self, train: list[Sentence], dev: list[Sentence], test: list[Sentence], passes: int
    ) -> list[dict]:
        """One run for every number of passes, and one that only times learning in memory."""
        results = []
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "train.txt"
            data.write_text(
                "".join(f"{_labelled(s, self.tags)}\n\n" for s in train), encoding="utf-8"
            )
            for number in range(1, passes + 1):
                workspace, seconds = self._train_on_file(data, number)
                predict_rates, dev_accuracy = self._test(workspace, dev)
                _, test_accuracy = self._test(workspace, test)
                workspace.finish()
                form = "text" if number == 1 else "cache"  # which the first run has written
                results.append(
                    {
                        "pass": number,
                        "train": {form: number * sum(map(len, train)) / seconds},
                        "predict": predict_rates,
                        "dev": dev_accuracy,
                        "test": test_accuracy,
                    }
                )
        results += self._train_in_memory(train, passes)
        return results

    def _train_on_file(self, data: Path, passes: int) -> tuple[Workspace, float]:
        """Train from scratch; the constructor returns when the last pass is over."""
        arguments = [
            *("--quiet", *self.flags, "--holdout_off", "--passes", str(passes)),
            *("--data", str(data), "--cache_file", str(data.with_suffix(".cache"))),
        ]
        started = time.process_time()
        workspace = Workspace(arg_list=arguments)
        return workspace, time.process_time() - started

    def _train_in_memory(self, train: list[Sentence], passes: int) -> Iterator[dict]:
        workspace = Workspace(arg_list=["--quiet", *self.flags])
        words = sum(map(len, train))
        for _ in range(passes):
            seconds = 0.0
            for batch in _batches(train):
                parsed = [workspace.parse(_labelled(s, self.tags)) for s in batch]
                started = time.process_time()
                for examples in parsed:
                    workspace.learn(examples)
                seconds += time.process_time() - started
                for examples in parsed:
                    workspace.finish_example(examples)
            yield {"train": {"memory": words / seconds}, "predict": {}}
        workspace.finish()

    def _test(
        self, workspace: Workspace, sentences: list[Sentence]
    ) -> tuple[dict[str, float], float]:
        """The two rates of predicting, and the accuracy; VW is not shown the labels."""
        parsing = predicting = 0.0
        words = right = 0
        for batch in _batches(sentences):
            texts = ["\n".join(_lines(s)) for s in batch]
            started = time.process_time()
            parsed = [workspace.parse(text) for text in texts]
            parsing += time.process_time() - started
            started = time.process_time()
            for examples in parsed:
                workspace.predict(examples)
            predicting += time.process_time() - started
            for sentence, examples in zip(batch, parsed, strict=True):
                words += len(sentence)
                right += sum(
                    example.get_prediction(PredictionType.MULTICLASS) == self.tags.get(tag)
                    for example, (_, tag) in zip(examples, sentence, strict=True)
                )
                workspace.finish_example(examples)
        rates = {"text": words / (parsing + predicting), "memory": words / predicting}
        return rates, 100 * right / words


class Scripted:
    """The same tagger written in Python on VW's `SearchTask`."""

    task = "hook"

    def __init__(self, flags: list[str], tags: dict[str, int]):
        self.flags = flags
        self.tags = tags

    def runs(
        self, train: list[Sentence], dev: list[Sentence], test: list[Sentence], passes: int
    ) -> list[dict]:
        """One run for every pass with examples in memory, and one on text for its speed."""
        results = []
        workspace, task = self._start(ParsedTagger)
        for number in range(1, passes + 1):
            train_rate = self._learn(workspace, task, train)
            predict_rate, dev_accuracy = self._test(workspace, task, dev)
            _, test_accuracy = self._test(workspace, task, test)
            results.append(
                {
                    "pass": number,
                    "train": {"memory": train_rate},
                    "predict": {"memory": predict_rate},
                    "dev": dev_accuracy,
                    "test": test_accuracy,
                }
            )
        del task  # it gives an example back to the workspace, so it goes first
        workspace.finish()

        workspace, task = self._start(TextTagger)
        train_rate = self._learn(workspace, task, train)
        predict_rate, _ = self._test(workspace, task, dev)
        results.append({"train": {"text": train_rate}, "predict": {"text": predict_rate}})
        del task
        workspace.finish()
        return results

    def _start(self, tagger: type[ParsedTagger]) -> tuple[Workspace, ParsedTagger]:
        workspace = Workspace(arg_list=["--quiet", *self.flags])
        return workspace, workspace.init_search_task(tagger)

    def _learn(self, workspace: Workspace, task: ParsedTagger, sentences: list[Sentence]) -> float:
        seconds = 0.0
        for batch in _batches(sentences):
            prepared = [task.prepare(s, self.tags) for s in batch]
            started = time.process_time()
            task.learn(prepared)
            seconds += time.process_time() - started
            task.release(prepared)
        return sum(map(len, sentences)) / seconds

    def _test(
        self, workspace: Workspace, task: ParsedTagger, sentences: list[Sentence]
    ) -> tuple[float, float]:
        seconds = 0.0
        words = right = 0
        for batch in _batches(sentences):
            prepared = [task.prepare(s, {}) for s in batch]
            started = time.process_time()
            predicted = [task.predict(sentence) for sentence in prepared]
            seconds += time.process_time() - started
            task.release(prepared)
            for sentence, guesses in zip(batch, predicted, strict=True):
                words += len(sentence)
                right += sum(
                    guess == self.tags.get(tag)
                    for guess, (_, tag) in zip(guesses, sentence, strict=True)
                )
        return words / seconds, 100 * right / words


class ParsedTagger(SearchTask):
    """The tagger on examples that are parsed before the search sees them: VW's best case."""

    def __init__(self, vw: Workspace, sch, num_actions: int):
        super().__init__(vw, sch, num_actions)
        sch.set_options(sch.AUTO_HAMMING_LOSS | sch.AUTO_CONDITION_FEATURES)

    def prepare(self, sentence: Sentence, tags: dict[str, int]) -> list[tuple]:
        """The (example, reference) pairs of a sentence; without `tags` the reference is unknown."""
        return [
            (self.vw.example(line), tags.get(tag))
            for line, (_, tag) in zip(_lines(sentence), sentence, strict=True)
        ]

    def release(self, prepared: list[list[tuple[Example, int | None]]]) -> None:
        for sentence in prepared:
            self.vw.finish_example([example for example, _ in sentence])

    def _run(self, sentence: list[tuple[Example, int | None]]) -> list[int]:
        predict = self.sch.predict
        return [
            predict(examples=example, my_tag=i + 1, oracle=tag, condition=(i, "p"))
            for i, (example, tag) in enumerate(sentence)
        ]


class TextTagger(ParsedTagger):
    """The tagger as VW's documentation writes it: the example is made where it is needed."""

    def prepare(self, sentence: Sentence, tags: dict[str, int]) -> list[tuple]:
        return [
            (line, tags.get(tag)) for line, (_, tag) in zip(_lines(sentence), sentence, strict=True)
        ]

    def release(self, prepared: list[list[tuple[str, int | None]]]) -> None:
        pass

    def _run(self, sentence: list[tuple[str, int | None]]) -> list[int]:
        output = []
        for i, (line, tag) in enumerate(sentence):
            example = self.example(line)
            output.append(
                self.sch.predict(examples=example, my_tag=i + 1, oracle=tag, condition=(i, "p"))
            )
            self.vw.finish_example([example])
        return output


def _batches(sentences: list[Sentence]) -> Iterator[list[Sentence]]:
    for start in range(0, len(sentences), BATCH):
        yield sentences[start : start + BATCH]


def _labelled(sentence: Sentence, tags: dict[str, int]) -> str:
    """A sentence in VW's text format, one word a line."""
    return "\n".join(
        f"{tags[tag]} {line}" for line, (_, tag) in zip(_lines(sentence), sentence, strict=True)
    )


def _lines(sentence: Sentence) -> list[str]:
    """The words of a sentence in VW's text format, unlabelled; numbered slots, to parse fast."""
    forms = [form for form, _ in sentence]
    return [
        "| " + " ".join(f"{slot}={value.translate(ESCAPES)}" for slot, value in enumerate(values))
        for values in ([value for _, value in word_features(forms, i)] for i in range(len(forms)))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--treebank", required=True, type=Path, help="folder of {train,dev,test}")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--bits", type=int, default=BITS)
    parser.add_argument("--learning-rate", type=float, default=LEARNING_RATE)
    parser.add_argument("--rollin", default=ROLLIN)
    parser.add_argument("--sentences", type=int, help="train on so many, evenly spaced")
    parser.add_argument("--api", nargs="+", default=["c++", "python"], choices=["c++", "python"])
    parser.add_argument(
        "--rollouts", nargs="+", default=["none", "ref", "learn"], help="as --search_rollout"
    )
    options = vars(parser.parse_args())
    folder, apis, rollouts = (options.pop(name) for name in ("treebank", "api", "rollouts"))
    data = [read_words(folder / f"{part}.conllu") for part in ("train", "dev", "test")]
    for api in apis:
        for rollout in rollouts:
            _report(measure(*data, api=api, rollouts=rollout, **options))


def _report(result: dict) -> None:
    print(f"{result['api']}, roll-outs: {result['rollouts']}")
    for name in ("train", "predict"):
        rates = ", ".join(f"{form} {rate:,.0f}" for form, rate in result[f"{name}_rates"].items())
        print(f"  {name:8} words/CPU-second: {rates}")
    print(
        f"  accuracy dev {result['dev_accuracy']:.2f}, test {result['test_accuracy']:.2f}"
        f" (pass {result['best_pass']}, {result['train_sentences']:,} sentences,"
        f" {result['train_words']:,} words)"
    )
    print(f"  {result['seconds']:.0f} CPU-seconds in all; vw {result['flags']}", flush=True)


if __name__ == "__main__":
    main()

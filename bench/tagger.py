"""Words to UPOS: the tagger of rollin beside Vowpal Wabbit, with the same features and with more.

    python -m bench.tagger --treebank path/to/UD_English-EWT

First rollin and VW see the same: the word, its neighbours, suffixes of 1 to 3 letters, the prefix
of 2, the shape, the previous prediction. Each makes 3 passes, and the one best on dev counts. Rates
are words a CPU-second, of learning or predicting alone (VW has its examples parsed, rollin its
columns hashed); of several passes the fastest. Then the tagger that ships with rollin, with richer
features.
"""

import argparse
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import rollin
from bench.setting import setting
from rollin.compiler.methods import DAGGER, Method
from rollin.tasks.tagger import TaggedSentence, shape, tagger

SAME_TEMPLATES = ("here", "left.word", "right.word", "previous")
ROLLOUTS = {"none": None, "ref": rollin.REFERENCE, "learn": rollin.LEARNED}
WANTED = {  # at least so many times as fast as VW: (roll-outs, its API): (training, predicting)
    ("none", "c++"): (1, 1),
    ("ref", "c++"): (1, 1),
    ("learn", "c++"): (1, 1),
    ("none", "python"): (4, 4),
    ("ref", "python"): (100, 4),
    ("learn", "python"): (100, 4),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--treebank", required=True, type=Path, help="folder of {train,dev,test}")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--bits", type=int, default=22, help="of rollin's table with VW's features")
    parser.add_argument("--rate", type=float, default=0.5, help="of rollin's learner likewise")
    parser.add_argument("--rollouts", nargs="*", default=list(ROLLOUTS), choices=list(ROLLOUTS))
    parser.add_argument(
        "--api", nargs="*", default=["c++", "python"], help="of VW, none to omit it"
    )
    parser.add_argument("--learner", default="sgd+ bits=20 average", help="with richer features")
    parser.add_argument("--rich-passes", type=int, default=8)
    options = parser.parse_args()
    words = {part: read_words(options.treebank / f"{part}.conllu") for part in PARTS}
    tags = sorted({tag for sentence in words["train"] for _, tag in sentence})
    print(f"# Words to UPOS on {options.treebank.name}\n\n{setting()}")
    for rollouts in options.rollouts:
        compare(options, words, tags, rollouts)
    rich(options, words, tags)


PARTS = ("train", "dev", "test")


def read_words(path: Path) -> list[list[tuple[str, str]]]:
    """Give (word, tag) of every word of a treebank, sentence by sentence."""
    sentences: list[list[tuple[str, str]]] = [[]]
    for line in path.read_text(encoding="utf-8").split("\n"):
        cells = line.split("\t")
        if not line:
            sentences.append([])
        elif cells[0].isdecimal():
            sentences[-1].append((cells[1], cells[3]))
    return [sentence for sentence in sentences if sentence]


# --- the same features ---------------------------------------------------------------------------


def compare(options: argparse.Namespace, words: dict, tags: list[str], rollouts: str) -> None:
    """Print a table: rollin and VW with one kind of roll-outs."""
    print(f"\n## The same features, roll-outs: {rollouts}\n")
    print("| | training, words/s | predicting, words/s | dev | test | pass |")
    print("|---|---:|---:|---:|---:|---:|")
    method = Method(roll_in=DAGGER.roll_in, roll_out=ROLLOUTS[rollouts])
    learner = f"sgd+ bits={options.bits} rate={options.rate}"
    ours = measure(same_features(tags), words, tags, learner, method, options.passes)
    show("rollin", ours)
    for api in options.api:
        from bench.peers.vw_tagger import measure as measure_vw

        found = measure_vw(
            *(words[part] for part in PARTS), api=api, rollouts=rollouts, passes=options.passes
        )
        theirs = {
            "train": found["train_words_per_second"],
            "predict": found["predict_words_per_second"],
            "dev": found["dev_accuracy"],
            "test": found["test_accuracy"],
            "pass": found["best_pass"],
        }
        show(f"VW, {'C++' if api == 'c++' else 'Python'}", theirs)
        wanted = WANTED[rollouts, api]
        for what, least in zip(("train", "predict"), wanted, strict=True):
            times = ours[what] / theirs[what]
            verdict = "reached" if times >= least else "MISSED"
            print(f"| {what}: {times:.1f} times as fast ({least} wanted: {verdict}) | | | | | |")
    print(flush=True)


def show(name: str, found: dict[str, float]) -> None:
    """Print a row."""
    print(
        f"| {name} | {found['train']:,.0f} | {found['predict']:,.0f} | {found['dev']:.2f} "
        f"| {found['test']:.2f} | {found['pass']} |",
        flush=True,
    )


def same_features(tags: list[str]) -> rollin.Task:
    """Make the tagger of the paper, with VW's features."""
    return rollin.Task(
        tag_like_vw,
        slots="here left right",
        notes="previous",
        decisions={"tag": tags},
        inputs=same_columns,
        templates=SAME_TEMPLATES,
        name="tagger",
    )


def same_columns(sentence: TaggedSentence) -> dict[str, list[str]]:
    """Give what VW is given of each word (see bench/peers/vw_tagger.py), letters as they are."""
    words = list(sentence.words)
    return {
        "word": words,
        "suffix1": [word[-1:] for word in words],
        "suffix2": [word[-2:] for word in words],
        "suffix3": [word[-3:] for word in words],
        "prefix2": [word[:2] for word in words],
        "shape": [shape(word) for word in words],
    }


def tag_like_vw(search, sentence):
    """Tag a sentence."""
    gold = sentence.tags
    tags = np.empty(len(gold), np.int64)
    previous = -1
    for n in range(len(gold)):
        search.look("here", n)
        search.look("left", n - 1)
        search.look("right", n + 1)
        search.note("previous", previous)
        previous = search.predict("tag", reference=gold[n])
        tags[n] = previous
        search.loss(previous != gold[n])
    return tags


def measure(
    task: rollin.Task, words: dict, tags: list[str], learner: str, method: Any, passes: int
) -> dict[str, Any]:
    """Train; give rates, the accuracy of the best pass, and its number."""
    examples = {part: examples_of(words[part], tags) for part in PARTS}
    count = {part: sum(map(len, words[part])) for part in PARTS}
    clock: list[float] = []

    def tick(_: dict) -> None:
        clock.append(time.process_time())

    how = {"learner": learner, "method": method, "passes": passes}
    task.fit(examples["train"][:100], **{**how, "passes": 1})  # compile everything
    task.fit(examples["train"], **{**how, "passes": max(passes, 3)}, report=tick)
    model = task.fit(examples["train"], dev=examples["dev"], **how)
    seconds = min(later - earlier for earlier, later in pairwise(clock))
    return {
        "train": count["train"] / seconds,
        "predict": predicting_rate(model, examples["dev"], count["dev"]),
        "pass": model.facts["best pass"],
        "model": model,
        **{part: accuracy(model, examples[part]) for part in ("dev", "test")},
    }


def examples_of(words: list, tags: list[str]) -> list[TaggedSentence]:
    """Make examples of sentences; a tag that is not among those to choose from is unknown."""
    number = {name: place for place, name in enumerate(tags)}
    return [
        TaggedSentence(
            [word for word, _ in sentence],
            np.array([number.get(name, rollin.UNKNOWN) for _, name in sentence], np.int64),
        )
        for sentence in words
    ]


def predicting_rate(model: rollin.Model, examples: list, count: int) -> float:
    """Give words a second, of the fastest of some runs over columns that are hashed already."""
    data = model.load_examples(examples)
    bound, losses = model.bind(data), np.zeros(len(data))
    seconds = []
    for _ in range(7):
        started = time.process_time()
        bound.predict(0, len(data), losses)
        seconds.append(time.process_time() - started)
    return count / min(seconds)


def accuracy(model: rollin.Model, examples: list) -> float:
    """Give the percentage of words with the right tag."""
    right = total = 0
    for example, found in zip(examples, model.predict(examples), strict=True):
        right += int((found == example.tags).sum())
        total += len(found)
    return 100 * right / total


# --- richer features -----------------------------------------------------------------------------


def rich(options: argparse.Namespace, words: dict, tags: list[str]) -> None:
    """Print what the shipped tagger comes to."""
    task = tagger(tags)
    found = measure(task, words, tags, options.learner, DAGGER, options.rich_passes)
    print(f"\n## Richer features: rollin.tasks.tagger, learner '{options.learner}'\n")
    print("| | training, words/s | predicting, words/s | dev | test | pass |")
    print("|---|---:|---:|---:|---:|---:|")
    show("rollin", found)
    print(f"\n94.5 wanted on dev: {'reached' if found['dev'] >= 94.5 else 'MISSED'}")


if __name__ == "__main__":
    main()

"""Vowpal Wabbit's own arc-hybrid parser, `--search_task dep_parser`: the paper's, in C++.

Base learners are the paper's, by VW's names of them:

    sgd       --sgd, learning rate 0.05: 1.6 UAS better than 0.01 on PTB-sample's dev set
    sgd+      VW's default: adaptive, normalised, importance-invariant
    nn+ftrl   --nn 5 --ftrl

Roll-outs: `none` trains every decision on costs of 0 (what the reference does) and 1 (all else);
`ref` completes the tree by the reference and takes the loss as it is. The peer `vw-demo` is what
VW's own demonstration of the parser does (demo/dependencyparsing). vw_text.py says what is done so
that the last word of a sentence gets a head.

Training goes as VW's own loop would, sentence by sentence in the order of the file, and a model is
saved after every pass, off the clock of that pass; the best on dev is kept.
"""

from __future__ import annotations

import json
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from bench.peers import require, vw_text
from bench.peers.measuring import measure_peer
from bench.peers.treebank import (
    DEPREL,
    Row,
    put_tree,
    read_blocks,
    root_label,
    words,
    write_block,
)

LEARNERS = {
    "sgd": ["--sgd", "--learning_rate", "0.05"],
    "sgd+": [],
    "nn+ftrl": ["--nn", "5", "--ftrl"],
}


def measure(
    folder: Path,
    *,
    work: Path,
    quick: bool = False,
    reuse: bool = False,
    learner: str = "sgd+",
    rollout: str = "none",
    passes: int = 5,
    bits: int = 26,
    history: int = 3,
    flags: str = "",
    name: str | None = None,
) -> dict:
    """`flags` are further flags for VW, as on its command line."""
    require("vowpalwabbit")
    settings = {
        "flags": [
            *LEARNERS[learner],
            *("--search_rollout", rollout, "--search_history_length", str(history)),
            *("--bit_precision", str(min(bits, 22) if quick else bits)),
            *flags.split(),
        ],
        "passes": 1 if quick else passes,
    }
    result = measure_peer(__name__, folder, work=work, settings=settings, quick=quick, reuse=reuse)
    name = name or f"Vowpal Wabbit, {learner}, roll-outs: {rollout}"
    return {"name": name, "version": version("vowpalwabbit"), **result}


def train(train: str, dev: str, model: str, flags: list[str], passes: int) -> dict:
    from vowpalwabbit import Workspace

    sentences = [words(block) for block in read_blocks(train)]
    labels = sorted({row[DEPREL] for sentence in sentences for row in sentence})
    root = root_label(sentences)
    numbers = {label: i for i, label in enumerate(labels, start=1)}
    texts = [vw_text.labelled(sentence, numbers) for sentence in sentences]
    del sentences
    workspace = Workspace(
        arg_list=[
            *("--quiet", "--search_task", "dep_parser", "--search", str(max(len(labels), 3))),
            *("--num_label", str(len(labels)), "--root_label", str(numbers[root]), *flags),
        ]
    )
    pass_seconds, candidates = [], []
    for number in range(1, passes + 1):
        started = time.process_time()
        for text in texts:
            examples = workspace.parse(text)
            workspace.learn(examples)
            workspace.finish_example(examples)
        pass_seconds.append(time.process_time() - started)
        folder = Path(model) / f"pass-{number}"
        folder.mkdir(exist_ok=True)
        workspace.save(str(folder / "weights.vw"))
        names = json.dumps({"labels": labels, "root": root})
        (folder / "labels.json").write_text(names, encoding="utf-8")
        candidates.append(str(folder))
    return {"passes": passes, "pass_seconds": pass_seconds, "candidates": candidates}


class Parser:
    def __init__(self, model: str):
        from vowpalwabbit import Workspace

        names = json.loads((Path(model) / "labels.json").read_text(encoding="utf-8"))
        self.labels = dict(enumerate(names["labels"], start=1))
        self.root = names["root"]
        # VW gives the trees of this task to a file and to nothing else, sentence by sentence.
        self.output = tempfile.NamedTemporaryFile(mode="r", encoding="utf-8")  # noqa: SIM115
        weights = str(Path(model) / "weights.vw")
        self.workspace = Workspace(
            arg_list=["--quiet", "-t", "-i", weights, "-p", self.output.name]
        )
        self.trees = vw_text.sentences(self.output)

    def prepare(self, sentences: list[list[Row]]) -> list:
        return [self.workspace.parse(vw_text.plain(sentence)) for sentence in sentences]

    def parse(self, prepared: list) -> None:
        for examples in prepared:
            self.workspace.predict(examples)

    def release(self, prepared: list) -> None:
        """This is where VW writes the trees."""
        for examples in prepared:
            self.workspace.finish_example(examples)

    def parse_file(self, source: str, target: str) -> None:
        with Path(target).open("w", encoding="utf-8", newline="\n") as file:
            for block in read_blocks(source):
                sentence = words(block)
                prepared = self.prepare([sentence])
                self.parse(prepared)
                self.release(prepared)
                put_tree(sentence, *vw_text.tree(next(self.trees), self.labels, self.root))
                write_block(file, block)

"""rollin's sparse parsers beside Vowpal Wabbit's `dep_parser`, base learner by base learner.

    python -m bench.parser path/to/UD_English-EWT path/to/PTB-sample --work models

For each treebank: what both come to with the same base learner, and whether rollin is more accurate
on test, learns 3 times as fast a pass, parses 4 times as fast, and learns in less than 2 GB; then
rollin's learners in the paper's order. `--reuse` does not train again what the folder of `--work`
has.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench.peers import measure
from bench.setting import setting

PAIRS = (
    ("SGD", "rollin-sgd", "vw-sgd"),
    ("SGD+", "rollin-sgd-plus", "vw"),
    ("NN+FTRL", "rollin-nn-ftrl", "vw-nn-ftrl"),
)
BITS = 28  # VW's best: with fewer, 51 labels meet in one weight too often
VW_PASSES = {"vw": 4, "vw-sgd": 4, "vw-nn-ftrl": 2}  # with a network, each takes some minutes
FASTER_LEARNING, FASTER_PARSING, LESS_MB = 3.0, 4.0, 2000.0
ORDER = (
    ("SGD", "rollin-sgd"),
    ("SGD+", "rollin-sgd-plus"),
    ("NN", "rollin-nn"),
    ("NN+FTRL", "rollin-nn-ftrl"),
    ("NN+FTRL, multiclass", "rollin-nn-ftrl-multiclass"),
)
WANTED = {  # of test, in UAS and LAS
    "UD_English-EWT": {"rollin-sparse": (87.5, 85.5), "rollin-sparse-beam": (88.5, 86.5)},
}
BEST = (("greedy", "rollin-sparse"), ("beam of 8", "rollin-sparse-beam"))


def main() -> None:
    options = _options()
    print("# The sparse parser beside Vowpal Wabbit\n")
    print(setting())
    print(NOTES)
    for folder in options.treebanks:
        with tempfile.TemporaryDirectory() as temporary:
            work = (options.work or Path(temporary)) / folder.resolve().name
            found = Found(folder, work, options)
            print(f"## {folder.resolve().name}\n")
            for part in (pairs, best, order):
                if part.__name__ in options.parts:
                    print("\n".join(part(found)) + "\n", flush=True)


NOTES = """\
Gold tokens and tags, punctuation left out, whole labels; the pass is chosen on dev. *Pass* is the
mean CPU time of a pass of training, without reading and without what is done on dev; *words/s* is
parsing alone, the sentences in memory in the tool's own form, by CPU time; *MB* is the most memory
training took. One thread each. Both see forms and tags (UPOS, XPOS); the best sparse parser sees
FEATS as well. VW has 2^28 weights and makes 4 passes, with a network 2.
"""


class Found:
    """What was measured on a treebank; each peer is measured when it is first asked for."""

    def __init__(self, folder: Path, work: Path, options: argparse.Namespace) -> None:
        self.folder, self.work, self.options = folder, work, options
        self.results: dict[str, dict] = {}

    def __getitem__(self, peer: str) -> dict:
        if peer not in self.results:
            print(f"{self.folder.name}: {peer}", file=sys.stderr, flush=True)
            how: dict = {"quick": self.options.quick, "reuse": self.options.reuse}
            if peer.startswith("vw"):
                how |= {"bits": BITS, "passes": VW_PASSES[peer]}
            found = measure(peer, self.folder, work=self.work / peer, **how)
            self.results[peer] = found
            (self.work / peer / "found.json").write_text(json.dumps(found, indent=1))
        return self.results[peer]


def pairs(found: Found) -> list[str]:
    """Say what both come to with each base learner, and what of the aims is reached."""
    chosen = [pair for pair in PAIRS if pair[0] in found.options.learners]
    lines = [
        "| learner | parser | dev UAS | dev LAS | test UAS | test LAS | pass, s | words/s | MB |",
        "| --- | --- |" + " ---: |" * 7,
    ]
    for learner, ours, theirs in chosen:
        for peer, name in ((ours, "rollin"), (theirs, "VW")):
            lines.append(f"| {learner} | {name} | {_scores(found[peer])} | {_costs(found[peer])} |")
    lines += [
        "",
        "| learner | test UAS | test LAS | learning | parsing | memory |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for learner, ours, theirs in chosen:
        lines.append(f"| {learner} | " + " | ".join(_aims(found[ours], found[theirs])) + " |")
    return lines


def _aims(ours: dict, theirs: dict) -> list[str]:
    learning = theirs["train_seconds_per_pass"] / ours["train_seconds_per_pass"]
    parsing = ours["parse_words_per_second"] / theirs["parse_words_per_second"]
    cells = []
    for key in ("test_uas", "test_las"):
        more = ours[key] - theirs[key]
        cells.append(_verdict(f"{more:+.2f}", more > 0.0))
    cells.append(_verdict(f"{learning:.1f} times as fast", learning >= FASTER_LEARNING))
    cells.append(_verdict(f"{parsing:.1f} times as fast", parsing >= FASTER_PARSING))
    cells.append(_verdict(f"{ours['train_peak_mb']:,.0f} MB", ours["train_peak_mb"] < LESS_MB))
    return cells


def best(found: Found) -> list[str]:
    """Say what the best sparse parsers come to."""
    wanted = WANTED.get(found.folder.resolve().name, {})
    lines = [
        "| the best | dev UAS | dev LAS | test UAS | test LAS | pass, s | words/s | MB | aim |",
        "| --- |" + " ---: |" * 7 + " --- |",
    ]
    for name, peer in BEST:
        result, verdict = found[peer], ""
        if peer in wanted:
            uas, las = wanted[peer]
            reached = result["test_uas"] >= uas and result["test_las"] >= las
            verdict = _verdict(f"{uas} / {las}", reached)
        lines.append(f"| {name} | {_scores(result)} | {_costs(result)} | {verdict} |")
    return lines


def order(found: Found) -> list[str]:
    """Put rollin's learners in the paper's order; multiclass goes by the reference alone."""
    lines = [
        "| the paper's order | dev UAS | dev LAS | test UAS | test LAS | pass, s | words/s | MB |",
        "| --- |" + " ---: |" * 7,
    ]
    for learner, peer in ORDER:
        lines.append(f"| {learner} | {_scores(found[peer])} | {_costs(found[peer])} |")
    return lines


def _scores(result: dict) -> str:
    keys = ("dev_uas", "dev_las", "test_uas", "test_las")
    return " | ".join(f"{result[key]:.2f}" for key in keys)


def _costs(result: dict) -> str:
    return (
        f"{result['train_seconds_per_pass']:.1f} | {result['parse_words_per_second']:,.0f} "
        f"| {result['train_peak_mb']:,.0f}"
    )


def _verdict(text: str, reached: bool) -> str:
    return f"{text}: {'reached' if reached else '**MISSED**'}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.parser", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "treebanks", nargs="+", type=Path, help="each a folder of {train,dev,test}.conllu"
    )
    parser.add_argument(
        "--parts", nargs="+", default=["pairs", "best", "order"], choices=["pairs", "best", "order"]
    )
    parser.add_argument(
        "--learners",
        nargs="+",
        default=[name for name, _, _ in PAIRS],
        choices=[name for name, _, _ in PAIRS],
        help="the base learners to compare with VW",
    )
    parser.add_argument("--quick", action="store_true", help="as little training as there can be")
    parser.add_argument("--work", type=Path, help="keep models and parsed files in this folder")
    parser.add_argument("--reuse", action="store_true", help="don't train what --work has")
    return parser.parse_args()


if __name__ == "__main__":
    main()

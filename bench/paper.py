"""The paper's tables, and what it only says, on treebanks that can be had.

    python -m bench.paper learners path/to/PTB-sample --seeds 3 -o docs/results/paper-learners.json
    python -m bench.paper languages path/to/treebanks/* -o docs/results/paper-languages.json
    python -m bench.paper --list

Each study trains parsers that differ in one thing, all else as the study says, on gold tokens and
tags; the best pass on dev is kept, and scores leave out punctuation. It prints Markdown; `-o`
writes that beside the JSON, under the same name with `.md`. The paper's own numbers, where it has
such a table, stand beside ours: they are of other data, so what can be compared is the order.
"""

import argparse
import json
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.setting import commit, setting
from bench.systems import measured, parts_of
from rollin.errors import RollinError
from rollin.output import writing
from rollin.parser.presets import PRESETS, preset_from

_SCORES = ("dev UAS", "dev LAS", "test UAS", "test LAS")
_IMITATING = "dagger scaling=binary"


@dataclass(frozen=True)
class Study:
    """A table: parsers that differ in one thing."""

    title: str
    says: str
    """What the paper says, or what is asked."""
    rows: dict[str, dict[str, str]]
    """By what stands in the table: the settings of `rollin train parser` that make the row."""
    common: dict[str, str] = field(default_factory=dict)
    paper: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    """The paper's dev UAS, dev LAS, test UAS, test LAS (on the whole Penn Treebank)."""


_PAPER = {"preset": "paper", "passes": "5"}
_QUICK = {"preset": "paper", "passes": "5", "learner": "sgd+ bits=22"}

STUDIES = {
    "languages": Study(
        "By language",
        "The paper's parser (NN+FTRL, its features, roll-outs by the dynamic oracle) and ours. The "
        "paper reports 86.81 UAS and 81.34 LAS on average over ten languages.",
        {
            "paper": {"preset": "paper"},
            "sparse": {"preset": "sparse"},
            **{
                f"sparse, {name}": {
                    "preset": "sparse",
                    "learner": learner,
                    "method": "dagger scaling=binary",
                }
                for name, learner in (
                    ("SGD+", "sgd+ bits=22 average"),
                    ("NN", "nn bits=22"),
                    ("NN+FTRL", "nn+ftrl bits=22"),
                )
            },
            "fast": {"preset": "fast"},
            "default": {"preset": "default"},
            "accurate": {"preset": "accurate"},
        },
    ),
    "learners": Study(
        "Base learners",
        "The paper finds that better learners make better parsers, in this order, and the best "
        "loses when it ignores costs (multiclass).",
        {
            "SGD": {"learner": "sgd bits=22 rate=0.0005"},  # with 0.02 its weights run away
            "SGD+": {"learner": "sgd+ bits=22"},
            "NN": {"learner": "nn bits=22"},
            "NN+FTRL": {"learner": "nn+ftrl bits=22"},
            "Multiclass": {"learner": "nn+ftrl bits=22", "method": "paper reduction=multiclass"},
        },
        _PAPER,
        {
            "SGD": (89.34, 88.03, 89.34, 87.89),
            "SGD+": (91.0, 89.5, 91.0, 89.6),
            "NN": (92.02, 90.78, 91.97, 90.84),
            "NN+FTRL": (92.27, 91.04, 92.30, 91.09),
            "Multiclass": (91.7, 90.6, 91.3, 90.2),
        },
    ),
    "features": Study(
        "Feature templates",
        "The paper finds that crossing features is what matters most.",
        {
            "unigrams": {"templates": "unigrams"},
            "with bigrams": {"templates": "unigrams+bigrams"},
            "with trigrams": {"templates": "unigrams+bigrams+trigrams"},
            "with notes crossed": {"templates": "unigrams+bigrams+trigrams+facts"},
        },
        {"preset": "paper", "passes": "5", "learner": "nn+ftrl bits=22"},
        {
            "unigrams": (80.41, 78.01, 80.97, 78.65),
            "with bigrams": (90.73, 89.46, 91.08, 89.81),
            "with trigrams": (92.27, 91.04, 92.30, 91.09),
        },
    ),
    "policies": Study(
        "Who rolls in, who rolls out",
        "The paper mixes policies to roll in and rolls out with the reference. Where all costs are "
        "known exactly, as here, roll-outs by the reference find out what was known.",
        {
            f"in {inward}, out {outward}": {
                "method": f"dagger roll_in={roll_in} roll_out={roll_out}"
            }
            for inward, roll_in in (("reference", "reference"), ("learned", "learned"))
            for outward, roll_out in (
                ("none: costs are told", "none"),
                ("reference", "reference"),
                ("learned", "learned"),
            )
        }
        | {
            "the paper's": {"method": "paper"},
            "DAgger": {"method": "dagger"},
            "LOLS": {"method": "lols"},
            "SEARN": {"method": "searn"},
        },
        _QUICK,
    ),
    "systems": Study(
        "Transition systems",
        "The paper's is arc-hybrid. Arc-standard has no exact costs: it imitates a reference, or "
        "tries actions out.",
        {
            "arc-hybrid": {"system": "arc-hybrid"},
            "arc-eager": {"system": "arc-eager"},
            "arc-standard, imitating": {"system": "arc-standard"},
            "arc-standard, only on right paths": {
                "system": "arc-standard",
                "method": f"{_IMITATING} roll_in=reference",
            },
            "arc-standard, trying actions out": {
                "system": "arc-standard",
                "method": f"{_IMITATING} roll_out=reference",
            },
            "arc-standard, LOLS": {"system": "arc-standard", "method": "lols scaling=binary"},
            "swap": {"system": "swap"},
            "moved": {"system": "moved"},
        },
        {**_QUICK, "method": _IMITATING},
    ),
    "oracles": Study(
        "Dynamic against static oracle",
        "With a static oracle the parser only ever sees states that the right actions lead to.",
        {
            "static": {"method": "dagger roll_in=reference"},
            "dynamic": {"method": "dagger"},
        },
        {"preset": "paper", "passes": "8", "learner": "sgd+ bits=22"},
    ),
    "reductions": Study(
        "What the dense learner makes of costs",
        "Log-loss of the least costly actions, expected cost, or regression of costs.",
        {
            each: {"method": f"dagger reduction={each}"}
            for each in ("softmax", "weighted", "expected", "regression", "onesided", "multiclass")
        },
        {"preset": "fast", "passes": "6"},
    ),
    "encoders": Study(
        "Encoders of the dense learner",
        "All else as in the default preset.",
        {
            name: {"learner": f"{PRESETS['default'].learner} encoder={encoder} layers={layers}"}
            for name, encoder, layers in (
                ("embed", "embed", 0),
                ("conv, 3 layers", "conv", 3),
                ("recur, 3 layers", "recur", 3),
            )
        },
        {"preset": "default", "passes": "12"},
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog=__doc__.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("study", nargs="?", choices=list(STUDIES))
    parser.add_argument("treebanks", nargs="*", type=Path, help="folders of train, dev and test")
    parser.add_argument("--list", action="store_true", help="list the studies")
    parser.add_argument("--seeds", type=int, default=1, help="how many (default: 1)")
    parser.add_argument("--rows", nargs="+", help="only these rows of the table")
    parser.add_argument("--passes", help="so many in place of the study's")
    parser.add_argument("-o", "--output", type=Path, help="JSON; Markdown goes beside it")
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="do not measure again what OUTPUT has, if made the same",
    )
    options = parser.parse_args()
    if options.list or options.study is None:
        for name, study in STUDIES.items():
            print(f"{name:<12} {study.title}: {', '.join(study.rows)}")
        return
    if not options.treebanks:
        parser.error("name a treebank: a folder of train, dev and test")
    study = STUDIES[options.study]
    known = []
    if options.reuse and options.output is not None and options.output.exists():
        known = json.loads(options.output.read_text(encoding="utf-8"))
    told = Told(options.output, f"# {study.title}\n\n{setting()}\n{study.says}\n", known)
    with tempfile.TemporaryDirectory() as folder:
        for treebank in options.treebanks:
            run(study, treebank, options, told, Path(folder))
    if options.study == "languages" and len(options.treebanks) > 1:
        told.say(average(told.results))


class Told:
    """What was found: printed as it comes, and kept in files that are whole after every row."""

    def __init__(self, output: Path | None, head: str, known: list[dict[str, Any]]) -> None:
        self.output, self.text, self._known = output, "", known
        self.results: list[dict[str, Any]] = []
        self.say(head)

    def known(self, about: dict[str, Any]) -> dict[str, Any] | None:
        """Give what an earlier run has measured under the same conditions."""
        return next((each for each in self._known if about.items() <= each.items()), None)

    def say(self, text: str) -> None:
        """Print text, and keep it."""
        print(text, flush=True)
        self.text += text + "\n"
        if self.output is not None:
            for path, kept in (
                (self.output, json.dumps(self.results, indent=1) + "\n"),
                (self.output.with_suffix(".md"), self.text),
            ):
                path.parent.mkdir(parents=True, exist_ok=True)
                with writing(path) as file:
                    file.write(kept.encode())


def run(study: Study, treebank: Path, options: argparse.Namespace, told: Told, work: Path) -> None:
    """Print the table of one treebank."""
    files = parts_of(treebank, work)
    paper = "".join(f" {name} |" for name in ("paper's test UAS", "LAS")) if study.paper else ""
    told.say(f"## {treebank.resolve().name}\n")
    told.say(f"| | {' | '.join(_SCORES)} |{paper} s a pass | words/s |")
    told.say("|---|" + "---:|" * (len(_SCORES) + 2 + 2 * bool(study.paper)))
    for name, settings in study.rows.items():
        if options.rows and name not in options.rows:
            continue
        settings = {**study.common, **settings}
        if options.passes:
            settings["passes"] = options.passes
        preset = settings.pop("preset")
        runs = []
        for seed in range(1, options.seeds + 1):
            about = {
                "treebank": treebank.resolve().name, "row": name, "seed": seed, "preset": preset,
                **settings, "preset is": repr(preset_from(preset)),
            }  # fmt: skip
            found = told.known(about)
            if found is None:
                try:
                    measures = measured(files, preset, dict(settings), seed, 1, work)
                except RollinError as problem:  # the other rows are worth having
                    told.say(f"| {name}, seed {seed}: {problem} |")
                    continue
                found = {**about, "commit": commit(), **measures}
            runs.append(found)
            told.results.append(found)
        if runs:
            told.say(f"| {name} | {_cells(runs)} |{_of_paper(study, name)} {_costs(runs)} |")
    told.say("")


def _cells(runs: list[dict[str, float]]) -> str:
    return " | ".join(_mean([run[name] for run in runs]) for name in _SCORES)


def _mean(values: list[float]) -> str:
    spread = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread}"


def _of_paper(study: Study, name: str) -> str:
    if not study.paper:
        return ""
    return (
        "".join(f" {each:.2f} |" for each in study.paper[name][2:])
        if name in study.paper
        else " | |"
    )


def _costs(runs: list[dict[str, float]]) -> str:
    seconds, rate = (statistics.mean(run[name] for run in runs) for name in ("seconds", "rate"))
    return f"{seconds:.1f} | {rate:,.0f}"


def average(results: list[dict[str, Any]]) -> str:
    """Give the table of averages over treebanks."""
    lines = ["## Average\n", f"| | {' | '.join(_SCORES)} |", "|---|" + "---:|" * len(_SCORES)]
    for name in dict.fromkeys(result["row"] for result in results):
        own = [result for result in results if result["row"] == name]
        scores = (statistics.mean(result[score] for result in own) for score in _SCORES)
        lines.append(f"| {name} | {' | '.join(f'{score:.2f}' for score in scores)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

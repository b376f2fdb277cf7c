"""Parsers that differ in one setting or a few: what each comes to, and what it costs.

    python -m bench.systems path/to/UD_Dutch-LassySmall --vary system=arc-hybrid,swap
    python -m bench.systems path/to/PTB-sample --vary system=arc-standard \\
        --vary method=dagger,lols --set learner="sgd+ bits=20" --seeds 3

Every way to combine what varies is trained on each treebank. The best pass on dev is kept, and dev
and test are scored with gold tags, without punctuation. A treebank without dev lends the last tenth
of its training data. Of arcs that cross, recall and precision are told. CPU-seconds are those of a
pass, the median; with several seeds, mean and standard deviation over them.
"""

import argparse
import itertools
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import rollin
from bench.setting import setting
from rollin.conll.projectivity import crossing_arcs
from rollin.conll.reading import read_blocks
from rollin.evaluation.comparing import compare

_PARTS = ("train", "dev", "test")
_ENDINGS = (".conllu", ".conll")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog=__doc__.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("treebanks", nargs="+", type=Path, help="folders of train, dev and test")
    parser.add_argument(
        "--vary", action="append", default=[], metavar="NAME=VALUE,VALUE",
        help="a setting of `rollin train parser`, and what to try for it",
    )  # fmt: skip
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="the same for all"
    )
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds (default: 1)")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--title", default="Settings side by side")
    options = parser.parse_args()
    print(f"# {options.title}\n\n{setting()}")
    varied = {name: values.split(",") for name, values in map(_pair, options.vary)}
    fixed = dict(map(_pair, options.set))
    with tempfile.TemporaryDirectory() as folder:
        for treebank in options.treebanks:
            files = parts_of(treebank, Path(folder))
            print(f"## {treebank.name}\n\n{_header(varied)}", flush=True)
            for values in itertools.product(*varied.values()):
                settings = {**fixed, **dict(zip(varied, values, strict=True))}
                runs = [
                    measured(files, options.preset, settings, seed, options.beam, Path(folder))
                    for seed in range(1, options.seeds + 1)
                ]
                print(_row(values, runs), flush=True)
            print()


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise SystemExit(f"expected NAME=VALUE, found {text!r}")
    return name, value


def parts_of(treebank: Path, spare: Path) -> dict[str, Path]:
    """Find train, dev and test; where there is no dev, keep the last tenth of train back for it."""
    files = {
        part: path
        for part in _PARTS
        for ending in _ENDINGS
        if (path := treebank / (part + ending)).exists()
    }
    if "dev" not in files:
        sentences = [s.raw for s in rollin.read(files["train"])]
        cut = len(sentences) - len(sentences) // 10
        for part, some in (("train", sentences[:cut]), ("dev", sentences[cut:])):
            files[part] = spare / f"{treebank.name}-{part}.conllu"
            files[part].write_bytes(b"".join(some))
    return files


def measured(
    files: dict[str, Path],
    preset: str,
    settings: dict[str, Any],
    seed: int,
    beam: int,
    folder: Path,
) -> dict[str, float]:
    """Train one parser and score it."""
    settings = {
        name: int(value) if name in ("passes", "patience") else _several(name, value)
        for name, value in settings.items()
    }
    ends = [time.process_time()]
    parser = rollin.Parser.train(
        files["train"], dev=files["dev"], preset=preset, seed=seed, progress=False,
        report=lambda done: ends.append(time.process_time()), **settings,
    )  # fmt: skip
    passes = [later - before for before, later in itertools.pairwise(ends)]
    found = {"seconds": statistics.median(passes), "pass": parser.model.facts["best pass"]}
    words = parsing = 0.0
    parsed = folder / "parsed.conllu"
    parser.parse_file(files["dev"], parsed, beam=beam)  # what is compiled late is compiled now
    for part in ("dev", "test"):
        started = time.process_time()
        parser.parse_file(files[part], parsed, beam=beam)
        parsing += time.process_time() - started
        (scores,) = compare(files[part], [parsed], "conllx")
        found |= {f"{part} {name}": scores.measures[name].f1 for name in ("UAS", "LAS")}
        found |= _crossing(files[part], parsed, part)
        words += scores.gold.words
    return {**found, "rate": words / parsing}


def _several(name: str, value: str) -> Any:
    return tuple(value.replace("+", ",").split(",")) if name in ("use", "templates") else value


def _crossing(gold: Path, parsed: Path, part: str) -> dict[str, float]:
    """Say how many of the arcs that cross were found, and how many of those made are right."""
    right = made = both = 0
    pairs = zip(_blocks(gold), _blocks(parsed), strict=True)
    for ours, theirs in pairs:
        crossing, found = crossing_arcs(ours), crossing_arcs(theirs)
        same = ours.heads == theirs.heads
        right, made = right + int(crossing.sum()), made + int(found.sum())
        both += int((crossing & found & same).sum())
    return {
        f"{part} recall": 100 * both / right if right else np.nan,
        f"{part} precision": 100 * both / made if made else np.nan,
    }


def _blocks(path: Path) -> Any:
    """Read in sentences, not bytes: two files of the same sentences differ in length."""
    return read_blocks(path, block_bytes=1 << 30)


_COLUMNS = (
    ("dev UAS", "dev LAS", "test UAS", "test LAS"),
    (("dev recall", "dev precision"), ("test recall", "test precision")),
)


def _header(varied: dict[str, list[str]]) -> str:
    names = [*varied, *_COLUMNS[0], "crossing arcs, dev R / P", "test R / P"]
    names += ["best pass", "CPU-seconds a pass", "words parsed a CPU-second"]
    rule = ["---"] * len(varied) + ["---:"] * (len(names) - len(varied))
    return f"| {' | '.join(names)} |\n|{'|'.join(rule)}|"


def _row(values: tuple[str, ...], runs: list[dict[str, float]]) -> str:
    def told(name: str, form: str = ".2f") -> str:
        numbers = [run[name] for run in runs]
        if any(np.isnan(number) for number in numbers):
            return "–"
        mean = format(statistics.mean(numbers), form)
        return mean + (f" ± {statistics.stdev(numbers):.2f}" if len(numbers) > 1 else "")

    def plain(name: str, form: str) -> str:
        return format(statistics.mean(run[name] for run in runs), form)

    scores = [told(name) for name in _COLUMNS[0]]
    crossing = [f"{told(a, '.1f')} / {told(b, '.1f')}" for a, b in _COLUMNS[1]]
    costs = [plain("pass", ".0f"), plain("seconds", ".1f"), plain("rate", ",.0f")]
    return f"| {' | '.join([*values, *scores, *crossing, *costs])} |"


if __name__ == "__main__":
    main()

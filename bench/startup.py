"""What starting costs: importing, `rollin --help`, the first compilation of the tagger, and later.

    python -m bench.startup

Every number is the CPU time of a process of its own, the least of some runs; the first compilation
begins with an empty folder for compiled code.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

from bench.setting import setting

TRAIN = """
import numpy as np
from rollin.tasks.tagger import TaggedSentence, tagger
examples = [TaggedSentence(["a", "word"], np.array([0, 1])) for _ in range(10)]
model = tagger(["A", "B"]).fit(examples, method={method!r}, passes=1)
model.predict(examples)
"""

HEADER = "| | CPU-seconds | wanted, less than | |\n|---|---:|---:|---|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--method", default="dagger", help="how the tagger is trained")
    options = parser.parse_args()
    train = [sys.executable, "-c", TRAIN.format(method=options.method)]
    print(f"# Starting\n\n{setting()}\n{HEADER}")
    with tempfile.TemporaryDirectory() as cache:
        show("`import rollin`", [sys.executable, "-c", "import rollin"], 0.15, options.runs, cache)
        show(
            "`rollin --help`",
            [sys.executable, "-m", "rollin.cli", "--help"],
            0.2,
            options.runs,
            cache,
        )
        show(
            "`python -c pass`, for comparison",
            [sys.executable, "-c", "pass"],
            None,
            options.runs,
            cache,
        )
        show("a tagger's first training and prediction", train, 20, 1, cache)
        show("the same in a later process", train, 1.5, options.runs, cache)


def show(what: str, command: list[str], wanted: float | None, runs: int, cache: str) -> None:
    """Print a row."""
    seconds = min(cpu_seconds(command, cache) for _ in range(runs))
    verdict = "" if wanted is None else "reached" if seconds < wanted else "MISSED"
    print(f"| {what} | {seconds:.3f} | {wanted or ''} | {verdict} |", flush=True)


def cpu_seconds(command: list[str], cache: str) -> float:
    """Run a command; give the CPU time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "ROLLIN_CACHE": cache}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()

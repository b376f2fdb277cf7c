"""What to make of costs: every reduction, with costs as they are, clipped at one, or made binary.

    python -m bench.reductions --treebank path/to/UD_English-EWT

On scheduling, where roll-outs find costs of all sizes; and on the tagger, where a wrong tag may
lead to others, so that costs are 0, 1, 2, ... (a part of the training sentences). Both are learned
by LOLS; what counts is the loss on dev of the best pass, as a mean over the seeds.
"""

import argparse
from pathlib import Path

import numpy as np

import rollin
from bench.deviations import LEARNER, tagging
from bench.setting import setting
from rollin.compiler.methods import LOLS
from rollin.learners.reductions import REDUCTIONS, SCALINGS
from rollin.tasks.scheduling import scheduler, some_jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--treebank", type=Path, help="folder of {train,dev}.conllu")
    parser.add_argument("--sentences", type=int, default=3000, help="of it to train on")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    print(f"# Costs into gradients\n\n{setting()}")
    print(f"Learner '{LEARNER}', method LOLS, {options.passes} passes, {options.seeds} seeds.")
    compare("scheduling", scheduler(), some_jobs(4000, 1), some_jobs(1000, 2), options)
    if options.treebank:
        task, train, dev = tagging(options.treebank)
        step = max(1, len(train) // options.sentences)
        compare("tagger", task, train[::step], dev, options)


def compare(
    name: str, task: rollin.Task, train: list, dev: list, options: argparse.Namespace
) -> None:
    """Print a table: a row for every reduction, a column for every scaling."""
    print(f"\n## {name}: loss on dev, {len(train):,} examples\n")
    print(f"| | {' | '.join(SCALINGS)} |\n|---|{'---:|' * len(SCALINGS)}")
    for reduction in REDUCTIONS:
        cells = []
        for scaling in SCALINGS:
            method = LOLS.but(reduction=reduction, scaling=scaling)
            losses = []
            for seed in range(1, options.seeds + 1):
                how = {"method": method, "learner": LEARNER, "passes": options.passes}
                model = task.fit(train, dev=dev, seed=seed, **how)
                losses.append(min(model.facts["dev losses"]))
            cells.append(f"{np.mean(losses):.3f}")
        print(f"| {reduction} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

"""`rollin train`: a parser from a treebank."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

EXAMPLES = """\
examples:
  rollin train parser train.conllu --dev dev.conllu -o english.rollin
  rollin train parser train.conllu -o quick.rollin --preset fast --threads 2
  rollin train parser train.conllu --dev dev.conllu -o plain.rollin --use form
  rollin train parser train.conllu --dev dev.conllu -o paper.rollin --preset paper
  rollin train parser train.conllu -o m.rollin --learner "sgd+ bits=24 average" --method lols \\
      --templates "s1.form * b1.form, s1.upos * b1.upos * s2.upos"
  rollin train parser train.conllu --dev dev.conllu -o english.rollin --resume

While it trains, everything needed to go on stands in MODEL.training (with Ctrl-C, too), and a line
of JSON for every pass in MODEL.jsonl. The pass that is best on the development set is kept; without
--dev the last tenth of the training data is kept back to choose by.
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument("what", choices=["parser"], help="what to train")
    parser.add_argument("train", metavar="TRAIN", help="the treebank: CoNLL-U or CoNLL-X")
    parser.add_argument("--dev", metavar="DEV", help="the treebank to choose the best pass by")
    parser.add_argument("-o", "--output", metavar="MODEL", required=True, help="the model file")
    parser.add_argument(
        "--preset",
        default="default",
        help="fast, default, accurate (dense); sparse, paper (default: default)",
    )
    parser.add_argument("--threads", type=int, default=1, help="cores to learn with (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same model")
    parser.add_argument("--resume", action="store_true", help="go on with an unfinished training")
    parser.add_argument(
        "--on-error",
        choices=["stop", "skip"],
        default="stop",
        help="what to do with sentences that have errors (default: stop)",
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing while it trains")
    changes = parser.add_argument_group("settings", "what to change in the preset")
    changes.add_argument("--passes", type=int, help="how often to go through the treebank")
    changes.add_argument(
        "--patience", type=int, help="stop after so many passes that brought nothing on dev"
    )
    changes.add_argument(
        "--system", help="transitions: auto, arc-hybrid, arc-hybrid-swap, arc-eager, arc-standard"
    )
    changes.add_argument(
        "--labels",
        choices=["after", "joint", "bare"],
        help="labels chosen after the transition, joint with it, or not at all",
    )
    changes.add_argument(
        "--roots", choices=["auto", "one", "several"], help="how many words may be below the root"
    )
    changes.add_argument(
        "--use", metavar="COLUMNS", help="the columns to look at, such as form,upos,xpos,feats"
    )
    changes.add_argument(
        "--learner",
        help='dense, sgd, sgd+, ftrl, nn, nn+ftrl, with settings: "dense width=160 dropout=0.3"',
    )
    changes.add_argument(
        "--method", help="how to learn to search: dagger, paper, aggrevate, searn, lols, perceptron"
    )
    changes.add_argument(
        "--templates", help="what sparse learners cross, as a list: 's1 * b1, s1.upos * s2.upos'"
    )


def run(arguments: argparse.Namespace) -> int:
    """Train, and say how it went."""
    from rollin.parser.learning import train_parser
    from rollin.training.loop import pass_line

    log = Path(f"{arguments.output}.jsonl")
    if not arguments.resume:
        log.unlink(missing_ok=True)
    skipped = 0

    def report(done: dict[str, Any]) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(done) + "\n")
        if not arguments.quiet and not sys.stderr.isatty():
            print(pass_line(done), file=sys.stderr, flush=True)

    def problem(found: Any) -> None:
        nonlocal skipped
        skipped += 1
        print(f"rollin: skipped: {found}", file=sys.stderr)

    if arguments.dev is None and not arguments.quiet:
        print("no --dev: the last tenth of the training data is kept back", file=sys.stderr)
    parser = train_parser(
        arguments.train,
        dev=arguments.dev,
        preset=arguments.preset,
        output=arguments.output,
        seed=arguments.seed,
        threads=arguments.threads,
        resume=arguments.resume,
        on_error=arguments.on_error,
        problem=problem,
        progress=False if arguments.quiet else None,
        report=report,
        passes=arguments.passes,
        patience=arguments.patience,
        system=arguments.system,
        labels=arguments.labels,
        roots=arguments.roots,
        use=_listed(arguments.use),
        learner=arguments.learner,
        method=arguments.method,
        templates=_listed(arguments.templates),
    )
    if skipped:
        print(f"rollin: {skipped} problems in what was skipped", file=sys.stderr)
    if not arguments.quiet:
        facts = parser.model.facts
        print(
            f"{arguments.output}: pass {facts['best pass']} of {facts['passes']}", file=sys.stderr
        )
    return 0


def _listed(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())

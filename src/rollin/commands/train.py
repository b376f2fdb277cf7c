"""`rollin train`: a parser from a treebank."""

import argparse
import sys
from typing import Any

from rollin.errors import INTERRUPTED
from rollin.parser import choices

_SETTINGS = (
    "passes",
    "patience",
    "system",
    "labels",
    "roots",
    "use",
    "learner",
    "method",
    "templates",
)

EXAMPLES = """\
examples:
  rollin train parser train.conllu --dev dev.conllu -o english.rollin
  rollin train parser train.conllu -o quick.rollin --preset fast --threads 2
  rollin train parser train.conllu --dev dev.conllu -o plain.rollin --use form
  rollin train parser train.conllu --dev dev.conllu -o paper.rollin --preset paper
  rollin train parser train.conllu -o m.rollin --learner "sgd+ bits=24 average" --method lols \\
      --templates "unigrams, bigrams, s1.upos * b1.upos * s2.upos"
  rollin train parser train.conllu --dev dev.conllu -o english.rollin --resume

While it trains, everything needed to go on stands in MODEL.training, and a line of JSON for every
pass in MODEL.jsonl. The pass that is best on the development set is kept; without --dev the last
tenth of the training data is kept back to choose by. Ctrl-C leaves the best model so far in MODEL,
and --resume goes on, to the same bytes as without the interruption.

templates: a list of what to cross, 's1.form * b1.form', with wildcards '*.upos * *.upos'; or parts
of the paper's table by name: unigrams, bigrams, trigrams, and facts (distance, numbers and labels
of children, each with the words on the stack and in the buffer).
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
        "--patience",
        type=int,
        help="stop after so many passes that brought nothing on dev (default: a third of the "
        "passes, at least 3; 0: never)",
    )
    changes.add_argument(
        "--system",
        choices=["auto", *choices.SYSTEMS],
        help=f"{choices.listed(choices.SYSTEMS)}. By default what the treebank needs",
    )
    changes.add_argument(
        "--labels",
        choices=list(choices.LABELS),
        help=f"when labels are chosen: {choices.listed(choices.LABELS)}",
    )
    changes.add_argument("--roots", choices=list(choices.ROOTS), help=choices.listed(choices.ROOTS))
    changes.add_argument(
        "--use",
        metavar="COLUMNS",
        help=f"the columns to look at, of {', '.join(choices.COLUMNS)}: such as form,upos",
    )
    changes.add_argument(
        "--learner",
        help='dense, sgd, sgd+, ftrl, nn, nn+ftrl, with settings: "dense width=160 dropout=0.3"',
    )
    changes.add_argument(
        "--method", help="how to learn to search: dagger, paper, aggrevate, searn, lols, perceptron"
    )
    changes.add_argument("--templates", help="what sparse learners cross (see below)")


def run(arguments: argparse.Namespace) -> int:
    """Train, and say how it went."""
    from rollin.parser.learning import train_parser
    from rollin.training.loop import Interrupted, pass_line

    skipped = 0

    def say(text: str) -> None:
        if not arguments.quiet:
            print(text, file=sys.stderr, flush=True)

    def report(done: dict[str, Any]) -> None:
        if not sys.stderr.isatty():
            say(pass_line(done))

    def problem(found: Any) -> None:
        nonlocal skipped
        skipped += 1
        print(f"rollin: skipped: {found}", file=sys.stderr)

    settings = {name: getattr(arguments, name) for name in _SETTINGS}
    settings |= {name: _listed(settings[name]) for name in ("use", "templates")}
    try:
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
            note=say,
            log=f"{arguments.output}.jsonl",
            **settings,
        )
    except Interrupted as interrupted:
        facts = interrupted.model.facts
        say(
            f"\nrollin: interrupted in pass {facts['passes'] + 1}. The best model so far is in "
            f"{arguments.output}; the same command with --resume goes on"
        )
        return INTERRUPTED
    if skipped:
        print(f"rollin: {skipped} problems in what was skipped", file=sys.stderr)
    facts = parser.model.facts
    say(f"{arguments.output}: pass {facts['best pass']} of {facts['passes']}")
    return 0


def _listed(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())

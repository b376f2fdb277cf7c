"""`rollin parse`: trees for sentences."""

import argparse
import sys
from typing import Any

EXAMPLES = """\
The output is the input with HEAD and DEPREL replaced, and not one byte else
(but for what --nbest and --certainty add).

examples:
  rollin parse english.rollin < tagged.conllu > parsed.conllu
  rollin parse english.rollin tagged.conllu.gz -o parsed.conllu.gz --threads 2
  rollin parse english.rollin partly.conllu --keep -o complete.conllu
  rollin parse english.rollin tagged.conllu --beam 8 | rollin evaluate gold.conllu -
  rollin parse english.rollin tagged.conllu --nbest 5 -o five-trees-each.conllu
  rollin parse english.rollin tagged.conllu --certainty -o doubted.conllu
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument("model", metavar="MODEL", help="a parser, from `rollin train parser`")
    parser.add_argument(
        "input", metavar="INPUT", nargs="?", default="-",
        help="CoNLL-U or CoNLL-X, also packed (default: standard input)",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="OUTPUT", default="-", help="default: standard output"
    )
    parser.add_argument("--threads", type=int, default=1, help="cores to use (default: 1)")
    parser.add_argument(
        "--beam", type=int, metavar="K", help="keep the K best ways at every step (default: 1)"
    )
    parser.add_argument(
        "--nbest",
        type=int,
        metavar="K",
        help="write up to K trees for every sentence, the best first, with rank and score in "
        "comments (the beam is 2 K wide unless told)",
    )
    parser.add_argument(
        "--keep", action="store_true", help="keep heads and labels that are given (all but _)"
    )
    parser.add_argument(
        "--certainty",
        action="store_true",
        help="note in MISC how certain each head is, and each label given the head",
    )
    parser.add_argument(
        "--on-error",
        choices=["stop", "skip"],
        default="stop",
        help="what to do with sentences that can't be read: stop, or let them through unparsed",
    )


def run(arguments: argparse.Namespace) -> int:
    """Parse."""
    from tqdm import tqdm

    from rollin.parser.parser import Parser

    parser = Parser.load(arguments.model)
    watched = sys.stderr.isatty() and arguments.output != "-"
    with tqdm(unit=" words", unit_scale=True, disable=not watched, leave=False) as bar:

        def problem(found: Any) -> None:
            bar.write(f"rollin: left as it is: {found}", file=sys.stderr)

        parser.parse_file(
            arguments.input,
            arguments.output,
            beam=arguments.beam,
            nbest=arguments.nbest,
            keep=arguments.keep,
            certainty=arguments.certainty,
            threads=arguments.threads,
            on_error=arguments.on_error,
            problem=problem,
            parsed=lambda block: bar.update(block.words),
            note=lambda text: bar.write(f"rollin: {text}", file=sys.stderr),
        )
    return 0

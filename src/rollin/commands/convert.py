"""`rollin convert`: CoNLL-X to CoNLL-U and back."""

import argparse
import sys
from pathlib import Path
from typing import Any

EXAMPLES = """\
What only CoNLL-X has (PHEAD, PDEPREL, features without a value) goes into MISC, so that the way
back gives the same bytes. What only CoNLL-U has (comments, multiword ranges, empty nodes, DEPS,
MISC) is left out on the way to CoNLL-X. All that is not as it was is counted.

examples:
  rollin convert train.conll -o train.conllu
  rollin convert train.conllu --to conllx > train.conll
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument("file", metavar="FILE", help="the file to convert; - is stdin")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to write (default: standard output)"
    )
    parser.add_argument(
        "--to",
        choices=["conllu", "conllx"],
        help="the format to write (default: what OUTPUT's name says, .conllu or .conll; else the "
        "one that FILE does not have)",
    )
    parser.add_argument(
        "--from",
        dest="format",
        choices=["conllu", "conllx"],
        help="the format of FILE (default: recognised by content)",
    )
    parser.add_argument(
        "--on-error",
        choices=["stop", "skip"],
        default="stop",
        help="stop at a sentence with errors (the default), or leave it out",
    )


def run(arguments: argparse.Namespace) -> int:
    """Convert; say on standard error what is not as it was."""
    from rollin.conll.converting import Conversion
    from rollin.conll.reading import read_blocks
    from rollin.output import writing

    def report(problem: Any) -> None:
        print(f"rollin: left out: {problem}", file=sys.stderr)

    conversion = None
    blocks = read_blocks(
        arguments.file,
        on_error=arguments.on_error,
        report=report,
        trees="ignored",
        format=arguments.format,
    )
    with writing(arguments.output) as file:
        for block in blocks:
            if conversion is None:
                other = "conllx" if block.format == "conllu" else "conllu"
                conversion = Conversion(arguments.to or _named(arguments.output) or other)
            file.write(conversion.convert(block))
    if conversion is not None:
        print(f"{conversion.sentences} sentences to {conversion.to}", file=sys.stderr)
        for change, times in sorted(conversion.changes.items()):
            if times:
                print(f"  {times} {change}", file=sys.stderr)
    return 0


def _named(output: str | None) -> str | None:
    """Give the format that a file's name stands for."""
    names = {".conllu": "conllu", ".conll": "conllx", ".conllx": "conllx"}
    return next((names[part] for part in Path(output or "").suffixes[::-1] if part in names), None)

"""`rollin stats`: what is in a CoNLL file."""

import argparse
import json
import sys
from typing import Any

EXAMPLES = """\
examples:
  rollin stats train.conllu dev.conllu
  rollin stats --json train.conllu
"""

_MOST = 20  # tags of a column that are listed without --all


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument("files", metavar="FILE", nargs="+", help="CoNLL-U or CoNLL-X; - is stdin")
    parser.add_argument("--all", action="store_true", help="list every tag and label")
    parser.add_argument(
        "--on-error",
        choices=["stop", "skip"],
        default="stop",
        help="stop at a sentence with errors (the default), or leave it out",
    )
    parser.add_argument("--json", action="store_true", help="write JSON, with every tag and label")


def run(arguments: argparse.Namespace) -> int:
    """Count, and print what was counted."""
    from rollin.conll.counting import count
    from rollin.conll.reading import read_blocks

    def report(problem: Any) -> None:
        print(f"rollin: left out: {problem}", file=sys.stderr)

    found = [
        count(read_blocks(path, on_error=arguments.on_error, report=report))
        for path in arguments.files
    ]
    if arguments.json:
        print(json.dumps({"files": found}, indent=2, ensure_ascii=False))
        return 0
    for number, counts in enumerate(found):
        if number:
            print()
        _print(counts, arguments.all)
    return 0


def _print(counts: dict[str, Any], every: bool) -> None:
    sentences, words = max(counts["sentences"], 1), max(counts["words"], 1)
    print(f"{counts['path']} ({counts['format']})")
    for name, value in counts.items():
        if not isinstance(value, int):
            continue
        whole = words if name == "non-projective arcs" else sentences
        of_all = "sentences " in name or name.startswith("non-projective")
        part = f"  ({100 * value / whole:.2f} %)" if of_all and name != "sentences" else ""
        print(f"  {name:32}{value:10}{part}")
    lengths = ", ".join(
        f"{name} {value:.1f}" if isinstance(value, float) else f"{name} {value}"
        for name, value in counts["length"].items()
    )
    print(f"  words in a sentence: {lengths}")
    for column in ("upos", "xpos", "deprel"):
        table = counts[column]
        shown = list(table.items())[: None if every else _MOST]
        print(f"  {column}: {len(table)} different")
        for name, times in shown:
            print(f"    {name:30}{times:10}  {100 * times / words:6.2f} %")
        if len(shown) < len(table):
            print(f"    ... and {len(table) - len(shown)} more (--all)")

"""`rollin check`: all that is wrong with CoNLL files, where it is, and how to mend it."""

import argparse
import json
import os
import sys
from collections import Counter
from typing import Any

EXAMPLES = """\
An error means that a sentence can't be read, trained on or scored as it stands. A remark is about
something that can be read, but that other programs may refuse (several roots, a missing last
newline) or that was perhaps not intended (a tag outside of the scheme).

exit status: 0 no errors, 1 errors (with --strict: or remarks), 2 a file can't be read

examples:
  rollin check train.conllu dev.conllu
  rollin check --all train.conllu          every remark, not only the first of each kind
  rollin check --json train.conllu.gz
  parser < text | rollin check -
"""

_SHOWN = 3  # remarks of a kind that are shown


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="CoNLL-U or CoNLL-X, also packed; - is stdin"
    )
    parser.add_argument("--all", action="store_true", help="show every remark")
    parser.add_argument("--strict", action="store_true", help="let remarks count as errors")
    parser.add_argument(
        "--format",
        choices=["conllu", "conllx"],
        help="which format it is meant to be (default: recognised by content)",
    )
    parser.add_argument("--json", action="store_true", help="write JSON, with every remark")


def run(arguments: argparse.Namespace) -> int:
    """Check the files, print the problems, and tell whether there were any."""
    from rollin.errors import RollinError

    reports = []
    unreadable = False
    for path in arguments.files:
        try:
            reports.append(_check(path, arguments))
        except RollinError as problem:
            print(f"rollin: {problem}", file=sys.stderr)
            unreadable = True
    if arguments.json:
        print(json.dumps({"files": reports}, indent=2))
    if unreadable:
        return 2
    counted = sum(
        report["errors"] + (report["remarks"] if arguments.strict else 0) for report in reports
    )
    return 1 if counted else 0


def _check(path: str, arguments: argparse.Namespace) -> dict[str, Any]:
    import numpy as np

    from rollin.conll.inspecting import check_blocks
    from rollin.conll.kinds import Kind
    from rollin.conll.messages import describe, name_of_kind

    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    kinds: Counter[int] = Counter()
    listed: list[dict[str, Any]] = []
    sentences = words = 0
    name = format = ""
    for block, rows in check_blocks(path, arguments.format):
        name, format = block.path, block.format
        keep = np.ones(len(rows), bool)
        for place, kind in enumerate(rows[:, 0].tolist()):
            kinds[kind] += 1
            few = kinds[kind] <= _SHOWN or kind <= Kind.LAST_ERROR
            keep[place] = few or arguments.all or arguments.json
        for problem in describe(block, rows[keep]):
            if arguments.json:
                listed.append(problem.as_json())
            else:
                print(_shown(problem, colours))
        sentences, words = sentences + block.sentences, words + block.words
    errors = sum(count for kind, count in kinds.items() if kind <= Kind.LAST_ERROR)
    remarks = sum(kinds.values()) - errors
    if not arguments.json:
        for kind, count in sorted(kinds.items()):
            if kind > Kind.LAST_ERROR and count > _SHOWN and not arguments.all:
                print(f"{name}: {count - _SHOWN} more remarks [{name_of_kind(kind)}] (--all)")
        print(
            f"{name}: {errors} errors, {remarks} remarks; {sentences} sentences and {words} words "
            f"without errors ({format})"
        )
    return {
        "path": name,
        "format": format,
        "errors": errors,
        "remarks": remarks,
        "sentences": sentences,
        "words": words,
        "kinds": {name_of_kind(kind): count for kind, count in sorted(kinds.items())},
        "problems": listed,
    }


def _shown(problem: Any, colours: bool) -> str:
    level, colour = ("error", "\x1b[31m") if problem.error else ("remark", "\x1b[33m")
    if colours:
        level = f"{colour}{level}\x1b[0m"
    return f"{level}: {problem} [{problem.kind}]"

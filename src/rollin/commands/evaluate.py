"""`rollin evaluate`: how good a system's trees are, and whether it is better than another's."""

import argparse
import itertools
import json
from typing import Any

EXAMPLES = """\
protocols:
  ud      the measures of the CoNLL 2018 shared task: words are aligned by their characters,
          so tokenisation may differ; labels without subtypes; only universal features.
          The default if GOLD is CoNLL-U
  conllx  attachment scores on the words of GOLD, with full labels and without punctuation.
          The default if GOLD is CoNLL-X

examples:
  rollin evaluate gold.conllu parsed.conllu
  rollin evaluate gold.conllu a.conllu b.conllu         which is better, and does it mean anything
  rollin evaluate gold.conllu parsed.conllu --by label --by length
  rollin evaluate gold.conll parsed.conll --protocol conllx --json
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument("gold", metavar="GOLD", help="the file with the right trees")
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="files to be scored")
    parser.add_argument("--protocol", choices=["ud", "conllx"], help="how to score (see below)")
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        choices=["label", "distance", "length"],
        help="also score by label, by distance from the head, by words in the sentence",
    )
    parser.add_argument(
        "--punctuation",
        choices=["tags", "forms", "none"],
        help="what conllx leaves out: words whose UPOS is PUNCT or a Penn punctuation tag, words "
        "of punctuation characters only, or nothing (default: by tags if GOLD has such tags)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="of the test that compares systems (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="write JSON")


def run(arguments: argparse.Namespace) -> int:
    """Score, and print what was found."""
    from rollin.evaluation.breakdown import BREAKDOWNS
    from rollin.evaluation.comparing import compare
    from rollin.evaluation.significance import differences

    results = compare(arguments.gold, arguments.systems, arguments.protocol, arguments.punctuation)
    parts = [
        {key: BREAKDOWNS[key][1](result) for key in dict.fromkeys(arguments.by)}
        for result in results
    ]
    compared = [
        (first, second, differences(first, second, arguments.seed))
        for first, second in itertools.combinations(results, 2)
    ]
    if arguments.json:
        print(json.dumps(_as_json(results, parts, compared, arguments.seed), indent=2))
    else:
        _print(results, parts, compared, arguments.seed)
    return 0


def _print(results: list, parts: list, compared: list, seed: int) -> None:
    from rollin.evaluation.breakdown import BREAKDOWNS
    from rollin.evaluation.tables import (
        breakdown_table,
        difference_line,
        side_by_side,
        ud_table,
    )

    first = results[0]
    print(f"protocol {first.protocol} ({first.described})")
    print(f"gold     {first.gold.path}: {len(first.gold.starts) - 1} sentences, ", end="")
    print(f"{first.gold.words} words, {int(first.gold_counted.sum())} counted\n")
    if len(results) == 1 and first.protocol == "ud":
        print(ud_table(first.measures))
    else:
        print(side_by_side(results))
    for result, tables in zip(results, parts, strict=True):
        for key, scores in tables.items():
            named = f", {result.system.path}" if len(results) > 1 else ""
            print("\n" + breakdown_table(BREAKDOWNS[key][0] + named, scores))
    if compared:
        print(f"\npaired by sentence, approximate randomisation and bootstrap, seed {seed}:")
    for one, other, found in compared:
        for difference in found:
            print(difference_line(one.system.path, other.system.path, difference))


def _as_json(results: list, parts: list, compared: list, seed: int) -> dict[str, Any]:
    from dataclasses import asdict

    from rollin.evaluation.tables import as_json

    def table(scores: dict) -> dict[str, Any]:
        return {name: as_json(score) for name, score in scores.items()}

    first = results[0]
    return {
        "protocol": first.protocol,
        "described": first.described,
        "gold": first.gold.path,
        "sentences": len(first.gold.starts) - 1,
        "words": first.gold.words,
        "counted": int(first.gold_counted.sum()),
        "systems": [
            {
                "system": result.system.path,
                "measures": table(result.measures),
                **{f"by {key}": table(scores) for key, scores in tables.items()},
            }
            for result, tables in zip(results, parts, strict=True)
        ],
        "seed": seed,
        "differences": [
            {
                "from": one.system.path,
                "to": other.system.path,
                **asdict(found),
                "significant": found.significant,
            }
            for one, other, both in compared
            for found in both
        ],
    }

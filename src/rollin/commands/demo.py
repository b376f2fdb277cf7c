"""`rollin demo`: from nothing to a parsed sentence, on a small treebank that comes along."""

import argparse
import os
import sys
from pathlib import Path

EXAMPLES = """examples:
  rollin demo                  train and parse in ./demo/
  rollin demo --folder /tmp/x  do it elsewhere
"""
SENTENCE_SHOWN = 8
"""About as many words as the sentence that is drawn should at least have."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Say what arguments the command takes."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--folder", type=Path, default=Path("demo"), help="where everything goes (default: ./demo/)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the treebank, train a parser, score it, and draw a sentence it has parsed."""
    import rollin
    from rollin.demo.treebank import write_treebank

    paths = write_treebank(arguments.folder)
    model, parsed = arguments.folder / "parser.model", arguments.folder / "parsed.conllu"
    print(f"A small English treebank is in {arguments.folder}/: look at {paths['train']}.")

    parser = rollin.Parser.train(  # type: ignore[attr-defined]
        paths["train"], dev=paths["dev"], output=model, preset="fast"
    )
    parser.parse(paths["test"], output=parsed)
    scores = parser.evaluate(paths["test"])
    print(f"\nOn the {scores.words} words of {paths['test']}, none of which it has learned from:")
    print(f"  right heads (UAS) {scores.uas:.1%}, right heads and labels (LAS) {scores.las:.1%}")
    print(f"\n{drawn(parsed, paths['test'], colours=sys.stdout.isatty())}\n")
    print(f"The whole output is in {parsed}, the parser in {model}. Try it on a file of yours:")
    print(f"  rollin parse {model} FILE.conllu")
    return os.EX_OK


def drawn(parsed: Path, right: Path, colours: bool = False) -> str:
    """Draw a sentence of a parsed file: of those with a mistake the first, for they teach most.

    Where a head or label is wrong, what is right stands beside it.
    """
    import rollin
    from rollin.conll.drawing import draw

    pairs = list(zip(rollin.read(parsed), rollin.read(right), strict=True))
    long_enough = [pair for pair in pairs if len(pair[0]) >= SENTENCE_SHOWN] or pairs
    sentence, truth = next((p for p in long_enough if _mistakes(*p)), long_enough[0])
    mistakes = _mistakes(sentence, truth)
    rows = []
    for word, known in zip(sentence.words, truth.words, strict=True):
        note = ""
        if word.number in mistakes:
            head = truth[known.head - 1].form if known.head else "nothing"
            note = f"← should be {known.deprel} of {head}"
        rows.append([word.form, word.upos, word.deprel, note])
    how = f"{len(mistakes)} of {len(rows)} arcs are wrong" if mistakes else "every arc is right"
    return f"{sentence.text}  ({how})\n\n" + draw(sentence.heads, rows, colours)


def _mistakes(sentence, truth) -> set[int]:
    """Give the numbers of the words with a wrong head or label."""
    return {
        word.number
        for word, known in zip(sentence.words, truth.words, strict=True)
        if (word.head, word.deprel) != (known.head, known.deprel)
    }

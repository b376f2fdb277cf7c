"""`rollin demo`: from nothing to a parsed sentence, on a small treebank that comes along."""

import argparse
import sys
from pathlib import Path

EXAMPLES = """examples:
  rollin demo                  train and parse in ./demo/
  rollin demo --folder /tmp/x  do it elsewhere
"""
WORDS_SHOWN = range(9, 17)
"""How many words the sentence that is drawn has, if there is one of that length."""


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
    from rollin.evaluation.comparing import evaluate

    paths = write_treebank(arguments.folder)
    model, parsed = arguments.folder / "parser.rollin", arguments.folder / "parsed.conllu"
    print(f"A small English treebank is in {arguments.folder}. Training on {paths['train']} ...")
    parser = rollin.Parser.train(paths["train"], dev=paths["dev"], output=model, preset="fast")
    parser.parse_file(paths["test"], parsed)

    scores = evaluate(paths["test"], parsed, "conllx").measures
    print(f"\nOn {paths['test']}, sentences that it has never seen:")
    print(f"  {scores['UAS'].f1:.1f} % of the words have the right head,")
    print(f"  {scores['LAS'].f1:.1f} % the right head and label. This is one of them:\n")
    print(drawn(parsed, paths["test"], colours=sys.stdout.isatty()))
    print(f"\nAll of them are in {parsed}. Try the parser on sentences of yours:")
    print(f"  rollin parse {model} FILE.conllu")
    return 0


def drawn(parsed: Path, right: Path, colours: bool = False) -> str:
    """Draw a sentence of a parsed file: the first one with a mistake, for it teaches most.

    Where a head or label is wrong, what is right stands beside it.
    """
    import rollin
    from rollin.conll.drawing import draw

    pairs = list(zip(rollin.read(parsed), rollin.read(right), strict=True))
    handy = [pair for pair in pairs if len(pair[0]) in WORDS_SHOWN] or pairs
    sentence, truth = next((pair for pair in handy if _mistakes(*pair)), handy[0])
    mistakes = _mistakes(sentence, truth)
    rows = []
    for word, known in zip(sentence.words, truth.words, strict=True):
        note = ""
        if word.number in mistakes:
            head = truth[known.head - 1].form if known.head else "nothing"
            note = f"← should be {known.deprel} of {head}"
        rows.append([word.form, word.upos, word.deprel, note])
    how = f"wrong arcs: {len(mistakes)} of {len(rows)}" if mistakes else "every arc is right"
    return f"{sentence.text}  ({how})\n\n" + draw(sentence.heads, rows, colours)


def _mistakes(sentence, truth) -> set[int]:
    """Give the numbers of the words with a wrong head or label."""
    return {
        word.number
        for word, known in zip(sentence.words, truth.words, strict=True)
        if (word.head, word.deprel) != (known.head, known.deprel)
    }

"""Protocol `conllx`: attachment scores on the words of gold, as in the shared task of 2006."""

import numpy as np

from rollin.errors import RollinError
from rollin.evaluation.attachment import attachment, punctuation
from rollin.evaluation.comparison import Comparison
from rollin.evaluation.scores import Score
from rollin.evaluation.treebanks import Treebank


def compare_conllx(gold: Treebank, system: Treebank, names: list[str], rule: str) -> Comparison:
    """Score a system that has gold's words; `rule` says what is left out as punctuation."""
    _check_same_words(gold, system, names)
    counted = ~np.concatenate([punctuation(block, rule) for block in gold.blocks])
    gold_labels, labels = gold.columns["deprel"], system.columns["deprel"]
    scores = attachment(gold.heads, gold_labels, system.heads, labels, counted)
    words = np.flatnonzero(counted)
    left_out = {
        "tags": "punctuation left out (UPOS PUNCT, or a Penn punctuation tag)",
        "forms": "punctuation left out (forms of punctuation characters only)",
        "none": "punctuation counted",
    }[rule]

    def score(correct: int) -> Score:
        return Score(correct, scores.words, scores.words, scores.words)

    return Comparison(
        protocol="conllx",
        described=f"gold words, full labels, {left_out}",
        gold=gold,
        system=system,
        measures={
            "UAS": score(scores.heads_right),
            "LAS": score(scores.both_right),
            "Label accuracy": score(scores.labels_right),
        },
        gold_words=words,
        system_words=words,
        right_heads=(gold.heads == system.heads)[words],
        right_labels=(gold_labels == labels)[words],
        gold_labels=[names[label] for label in gold_labels.tolist()],
        system_labels=[names[label] for label in labels.tolist()],
        gold_counted=counted,
        system_counted=counted,
        system_sentences=gold.sentence_of,
    )


def _check_same_words(gold: Treebank, system: Treebank, names: list[str]) -> None:
    """See that both files have the same sentences of the same words."""
    words = min(gold.words, system.words)
    forms, found = gold.columns["form"][:words], system.columns["form"][:words]
    sentences = min(len(gold.starts), len(system.starts))
    shorter = np.flatnonzero(gold.starts[:sentences] != system.starts[:sentences])
    other = np.flatnonzero(forms != found)
    place = min([words, *other[:1].tolist(), *(gold.starts[shorter[:1]] - 1).tolist()])
    if not len(other) and not len(shorter) and gold.words == system.words:
        return
    if len(other) and place == other[0]:
        told = (
            f"{gold.path}:{gold.lines[place]} has the word {names[forms[place]]!r} where "
            f"{system.path}:{system.lines[place]} has {names[found[place]]!r}"
        )
    elif place < words:
        told = f"sentences end at different words near {gold.path}:{gold.lines[place]}"
    else:
        told = f"{gold.path} has {gold.words} words, {system.path} has {system.words}"
    raise RollinError(
        f"the two files must have the same words for protocol conllx, but {told}. Give the gold "
        "file to the parser as it is; for other tokenisations there is --protocol ud"
    )

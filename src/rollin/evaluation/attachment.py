"""Attachment scores on arrays, and which words they leave out."""

import unicodedata
from collections.abc import Iterable

import numpy as np

from rollin.conll.blocks import Block
from rollin.errors import RollinError
from rollin.evaluation.scores import Scores
from rollin.native.hashing import hash_text

PENN_PUNCTUATION = ("``", "''", ":", ",", ".")
RULES = ("tags", "forms", "none")


def attachment(
    gold_heads: np.ndarray,
    gold_labels: np.ndarray,
    heads: np.ndarray,
    labels: np.ndarray,
    counted: np.ndarray | None = None,
) -> Scores:
    """Score heads and labels, word by word, on the words that are counted (all, if not given).

    Labels may be numbers or hashes; what is equal is right.
    """
    if len({len(gold_heads), len(gold_labels), len(heads), len(labels)}) > 1:
        raise RollinError(
            f"heads and labels must be given for the same words; found {len(gold_heads)} and "
            f"{len(gold_labels)} of gold, {len(heads)} and {len(labels)} of the system"
        )
    all_words = np.ones(len(gold_heads), bool)
    taken = all_words if counted is None else np.asarray(counted, bool)
    head = (np.asarray(gold_heads) == np.asarray(heads)) & taken
    label = (np.asarray(gold_labels) == np.asarray(labels)) & taken
    return Scores(int(taken.sum()), int(head.sum()), int(label.sum()), int((head & label).sum()))


def punctuation(block: Block, rule: str = "tags") -> np.ndarray:
    """Tell for every word whether it is punctuation (bool[words]).

    Args:
        rule: `tags`: its UPOS (CPOSTAG) is PUNCT or one of the Penn tags `` '' : , . which stand
            there in treebanks converted from the Penn Treebank. `forms`: its form has no character
            that is not punctuation in Unicode, as the scorer of CoNLL-X had it; for treebanks with
            other tags. `none`: nothing is punctuation.
    """
    if rule == "tags":
        tags = [hash_text(tag) for tag in ("PUNCT", *PENN_PUNCTUATION)]
        return np.isin(block.hashes("upos"), np.array(tags, np.uint64))
    if rule == "forms":
        numbers, forms = block.encoded("form")
        return np.array([*map(_only_punctuation, forms), False])[numbers]
    if rule == "none":
        return np.zeros(block.words, bool)
    raise RollinError(f"punctuation by {rule!r}? Expected one of {', '.join(RULES)}")


def punctuation_rule(blocks: Iterable[Block]) -> str:
    """Choose `tags` if any word of the treebank has a punctuation tag, else `forms`."""
    return "tags" if any(punctuation(block).any() for block in blocks) else "forms"


def _only_punctuation(form: str) -> bool:
    return all(unicodedata.category(each).startswith("P") for each in form)

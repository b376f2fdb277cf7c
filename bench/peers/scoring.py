"""Attachment scores with punctuation left out: gold tokens, whole labels."""

from __future__ import annotations

from pathlib import Path

from bench.peers.treebank import DEPREL, FORM, HEAD, UPOS, read_blocks, words

PUNCTUATION = {
    "PUNCT",
    "``",
    "''",
    ":",
    ",",
    ".",
}  # of Universal Dependencies; of the Penn Treebank


def score(gold: str | Path, parsed: str | Path) -> dict[str, float]:
    """UAS and LAS of `parsed` in percent, and the number of words they are a part of."""
    scored = attached = labelled = 0
    pairs = zip(read_blocks(gold), read_blocks(parsed), strict=True)
    for number, (right, found) in enumerate(pairs, start=1):
        right, found = words(right), words(found)
        if [row[FORM] for row in right] != [row[FORM] for row in found]:
            raise ValueError(f"sentence {number} of {parsed} has not the words it has in {gold}")
        for one, other in zip(right, found, strict=True):
            if one[UPOS] in PUNCTUATION:
                continue
            scored += 1
            attached += one[HEAD] == other[HEAD]
            labelled += one[HEAD] == other[HEAD] and one[DEPREL] == other[DEPREL]
    return {
        "uas": 100 * attached / max(scored, 1),
        "las": 100 * labelled / max(scored, 1),
        "words": scored,
    }

"""Trees as Vowpal Wabbit's `dep_parser` takes and gives them.

A word is a line `head,label |w form |p upos |x xpos`, the label as a number from 1; without a tree
the line begins at the bar. The label must be followed by a space, or the number before the bar is
taken for the line's name; XPOS is left out where it is `_` or the same as UPOS. A parsed word comes
back as `head:label`.

The released builds (9.x) leave the last word of most sentences without a head: they stop once the
last word is next in the buffer and one word is on the stack, where the algorithm of the paper goes
on until the buffer is empty. So every sentence gets one more word, `</s>`, that stands for the end
of the buffer. In training its head is the root, which makes shifting it a mistake as long as
anything but the root is on the stack. A word that is attached to it all the same is given to the
root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

from bench.peers.treebank import DEPREL, FORM, HEAD, UPOS, XPOS, Row

END = "|w </s> |p </s>"
ESCAPES = str.maketrans({"%": "%25", " ": "%20", "\t": "%09", ":": "%3A", "|": "%7C"})


def plain(sentence: Sequence[Row]) -> str:
    """A sentence without its tree."""
    return "\n".join([*map(_features, sentence), END])


def labelled(sentence: Sequence[Row], labels: Mapping[str, int]) -> str:
    """A sentence with its tree. Where there are several roots the end hangs on the first."""
    lines = [f"{row[HEAD]},{labels[row[DEPREL]]} {_features(row)}" for row in sentence]
    root = next((row for row in sentence if row[HEAD] == "0"), None)
    if root is None:
        raise ValueError(f"a sentence of {len(sentence)} words has no root")
    return "\n".join([*lines, f"{root[0]},{labels[root[DEPREL]]} {END}"])


def tree(lines: Sequence[str], labels: Mapping[int, str], root: str) -> tuple[list[int], list[str]]:
    """Heads and labels out of the lines of a parsed sentence, which end with the added word."""
    size = len(lines) - 1
    pairs = [line.split(":") for line in lines[:size]]
    heads = [int(head) for head, _ in pairs]
    names = [labels.get(int(label), root) for _, label in pairs]
    if 0 not in heads and size:
        first = next((i for i, head in enumerate(heads) if head > size), 0)
        heads[first], names[first] = 0, root
    top = heads.index(0) + 1 if size else 0
    return [top if head > size else head for head in heads], names


def sentences(file: TextIO) -> Iterator[list[str]]:
    """The sentences of what VW has written: lines up to an empty one."""
    lines: list[str] = []
    for line in file:
        line = line.rstrip("\n")
        if line:
            lines.append(line)
        elif lines:
            yield lines
            lines = []


def _features(row: Row) -> str:
    upos, xpos = row[UPOS], row[XPOS]
    extra = "" if xpos in ("_", upos) else f" |x {xpos.translate(ESCAPES)}"
    return f"|w {row[FORM].translate(ESCAPES)} |p {upos.translate(ESCAPES)}{extra}"

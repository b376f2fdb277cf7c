"""A small treebank for the parser's tests: some sentences of the demo's, and what disturbs them."""

import io

import rollin
from rollin.demo.treebank import shipped

SMALL = {"learner": "sgd+ bits=12", "templates": ("s1 * b1", "s1.upos * s2.upos"), "passes": 2}
"""Settings under which a parser is trained in a moment, also as plain Python."""

TRAIN_SENTENCES, DEV_SENTENCES = 40, 12


def some(part, count, longest=9):
    """Give the bytes of the first short sentences."""
    every = rollin.read(io.BytesIO(shipped(part)))
    short = [sentence.raw for sentence in every if len(sentence) <= longest]
    return b"".join(short[:count])


def write_small(folder):
    """Write train.conllu and dev.conllu; give their paths."""
    paths = {"train": folder / "train.conllu", "dev": folder / "dev.conllu"}
    paths["train"].write_bytes(some("train", TRAIN_SENTENCES))
    paths["dev"].write_bytes(some("dev", DEV_SENTENCES))
    return paths


def changed(raw, change):
    """Change the fields of every word: `change(fields)` gives the new ones."""
    lines = []
    for line in raw.decode().split("\n"):
        fields = line.split("\t")
        lines.append(
            "\t".join(change(fields)) if fields[0].isdigit() and len(fields) == 10 else line
        )
    return "\n".join(lines).encode()


def blind(fields):
    """Take out head and label."""
    return [*fields[:6], "_", "_", *fields[8:]]


def rows(raw):
    """Give the fields of all words."""
    lines = (line.split("\t") for line in raw.decode().split("\n"))
    return [fields for fields in lines if fields[0].isdigit()]


def heads_of(raw):
    """Give heads for each sentence, the root's (-1) first."""
    sentences = rollin.read(io.BytesIO(raw))
    return [(-1, *(word.head for word in sentence)) for sentence in sentences]

"""What can be chosen for a parser, by name: the lists that the command line shows.

Nothing is imported here, so that `--help` is instant.
"""

SYSTEMS = {
    "arc-hybrid": "the paper's: a word gets its head when all its children are there",
    "arc-eager": "a word gets its right children as early as can be",
    "arc-standard": "from the leaves up; its reference is good but not perfect",
    "moved": "arc-hybrid; arcs that cross are moved out of the way, and labels tell where from",
    "swap": "arc-hybrid, and words can be swapped, so that arcs come to cross",
}

LABELS = {
    "after": "behind the transition, by learners of their own for left and right",
    "joint": "at once with the transition",
    "bare": "not at all",
}

ROOTS = {
    "auto": "as in the training data",
    "one": "one word of a sentence is below the root",
    "several": "any number of words are",
}

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "misc")
"""The columns that a parser may look at. The others hold what it is to find out."""


def listed(choices: dict[str, str]) -> str:
    """Write choices in one line."""
    return "; ".join(f"{name} ({what})" for name, what in choices.items())

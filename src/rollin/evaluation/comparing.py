"""Scoring whole files: a gold file against what systems made of it."""

from rollin.conll.opening import Source
from rollin.errors import RollinError
from rollin.evaluation.attachment import punctuation_rule
from rollin.evaluation.comparison import Comparison
from rollin.evaluation.conllx import compare_conllx
from rollin.evaluation.treebanks import Numbering, load
from rollin.evaluation.ud import compare_ud

PROTOCOLS = ("ud", "conllx")


def evaluate(
    gold: Source,
    system: Source,
    protocol: str | None = None,
    punctuation: str | None = None,
) -> Comparison:
    """Score one system; the arguments are those of `compare`."""
    return compare(gold, [system], protocol, punctuation)[0]


def compare(
    gold: Source,
    systems: list[Source],
    protocol: str | None = None,
    punctuation: str | None = None,
) -> list[Comparison]:
    """Score systems against the same gold file.

    Args:
        gold: the file with the right trees.
        systems: the files to score.
        protocol: `ud`: the measures of the CoNLL 2018 shared task, words aligned by characters,
            labels without subtypes. `conllx`: gold words, full labels, punctuation left out. If it
            isn't given, the one of gold's format.
        punctuation: what `conllx` leaves out (see `attachment.punctuation`); if it isn't given,
            by tags if gold has punctuation tags, else by forms.
    """
    numbering = Numbering()
    right = load(gold, numbering)
    protocol = protocol or ("ud" if right.format == "conllu" else "conllx")
    if protocol not in PROTOCOLS:
        raise RollinError(f"protocol {protocol!r}? Expected one of {', '.join(PROTOCOLS)}")
    given = [load(system, numbering) for system in systems]
    names = numbering.names
    if protocol == "ud":
        return [compare_ud(right, each, names) for each in given]
    rule = punctuation or punctuation_rule(right.blocks)
    return [compare_conllx(right, each, names, rule) for each in given]

"""Protocol `ud`: the measures of the CoNLL 2018 shared task (Zeman et al. 2018).

Words are aligned by the characters they stand on (alignment.py). Subtypes of labels do not count,
and of the features only the universal ones.
"""

from dataclasses import dataclass

import numpy as np

from rollin.evaluation.alignment import Spans, aligned, spans_of
from rollin.evaluation.comparison import Comparison
from rollin.evaluation.scores import Score
from rollin.evaluation.treebanks import Treebank

CONTENT = frozenset({
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
    "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
    "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
})  # fmt: skip
FUNCTIONAL = frozenset({
    "aux", "cop", "mark", "det", "clf", "case", "cc",
})  # fmt: skip
UNIVERSAL_FEATURES = frozenset({
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
    "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
    "Polarity", "Person", "Polite",
})  # fmt: skip
_ROOT, _NOT_ALIGNED = -1, -2


@dataclass(frozen=True)
class _Side:
    """One file as the measures see it; texts are numbers that both sides share."""

    spans: Spans
    parents: np.ndarray
    labels: np.ndarray
    features: np.ndarray
    content: np.ndarray
    functional: np.ndarray
    columns: dict[str, np.ndarray]

    def functional_children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        words = np.flatnonzero(self.functional & (self.parents >= 0))
        for word, parent in zip(words.tolist(), self.parents[words].tolist(), strict=True):
            children.setdefault(parent, []).append(word)
        return children


def compare_ud(gold: Treebank, system: Treebank, names: list[str]) -> Comparison:
    """Score a system; `names` are the texts that the numbers in both treebanks stand for."""
    labels, features = _without_subtypes(names), _universal(names)
    right, given = (_side(each, names, labels, features) for each in (gold, system))
    pairs = aligned(right.spans, given.spans)
    g, s = pairs[:, 0], pairs[:, 1]
    same = np.full(len(given.parents) + 1, _NOT_ALIGNED)  # the word of gold; the last one: root
    same[s] = g
    same[-1] = _ROOT
    heads = right.parents[g] == same[given.parents[s]]
    label = right.labels[g] == given.labels[s]

    def equal(column: str) -> np.ndarray:
        return right.columns[column][g] == given.columns[column][s]

    upos, xpos, feats = equal("upos"), equal("xpos"), right.features[g] == given.features[s]
    lemmas = equal("lemma") | (right.columns["lemma"][g] == _number_of("_", names))
    content = right.content[g]
    both = heads & label
    morphology = both & content & upos & feats
    morphology[morphology] = _same_children(right, given, pairs[morphology], same)

    def score(correct: np.ndarray) -> Score:
        return Score(int(correct.sum()), gold.words, system.words, len(pairs))

    def content_score(correct: np.ndarray) -> Score:
        return Score(
            int((correct & content).sum()),
            int(right.content.sum()),
            int(given.content.sum()),
            int(content.sum()),
        )

    return Comparison(
        protocol="ud",
        described="CoNLL 2018: words aligned by characters, labels without subtypes",
        gold=gold,
        system=system,
        measures={
            "Tokens": _spans_score(right.spans.tokens, given.spans.tokens),
            "Sentences": _spans_score(right.spans.sentences, given.spans.sentences),
            "Words": Score(len(pairs), gold.words, system.words),
            "UPOS": score(upos),
            "XPOS": score(xpos),
            "UFeats": score(feats),
            "AllTags": score(upos & xpos & feats),
            "Lemmas": score(lemmas),
            "UAS": score(heads),
            "LAS": score(both),
            "CLAS": content_score(both),
            "MLAS": content_score(morphology),
            "BLEX": content_score(both & lemmas),
        },
        gold_words=g,
        system_words=s,
        right_heads=heads,
        right_labels=label,
        gold_labels=[labels[each] for each in gold.columns["deprel"].tolist()],
        system_labels=[labels[each] for each in system.columns["deprel"].tolist()],
        gold_counted=np.ones(gold.words, bool),
        system_counted=np.ones(system.words, bool),
        system_sentences=np.searchsorted(
            right.spans.sentences[:, 0], given.spans.words[:, 0], "right"
        )
        - 1,
    )


def _side(treebank: Treebank, names: list[str], labels: list[str], features: list[str]) -> _Side:
    deprel = treebank.columns["deprel"]
    return _Side(
        spans=spans_of(treebank, names),
        parents=treebank.parents,
        labels=_numbered(labels)[deprel],
        features=_numbered(features)[treebank.columns["feats"]],
        content=np.array([label in CONTENT for label in labels])[deprel],
        functional=np.array([label in FUNCTIONAL for label in labels])[deprel],
        columns=treebank.columns,
    )


def _without_subtypes(names: list[str]) -> list[str]:
    return [name.partition(":")[0] for name in names]


def _universal(names: list[str]) -> list[str]:
    """Keep the universal features of each text, sorted."""
    return [
        "|".join(
            sorted(
                feature
                for feature in name.split("|")
                if feature.partition("=")[0] in UNIVERSAL_FEATURES
            )
        )
        for name in names
    ]


def _numbered(texts: list[str]) -> np.ndarray:
    known: dict[str, int] = {}
    return np.array([known.setdefault(text, len(known)) for text in texts])


def _number_of(name: str, names: list[str]) -> int:
    return names.index(name) if name in names else -1


def _same_children(right: _Side, given: _Side, pairs: np.ndarray, same: np.ndarray) -> np.ndarray:
    """Tell for pairs of words whether their functional children agree in all that MLAS asks."""
    gold_children, children = right.functional_children(), given.functional_children()
    found = np.zeros(len(pairs), bool)
    for place, (gold, word) in enumerate(pairs.tolist()):
        expected, there = gold_children.get(gold, []), children.get(word, [])
        found[place] = len(expected) == len(there) and all(
            same[b] == a
            and right.labels[a] == given.labels[b]
            and right.columns["upos"][a] == given.columns["upos"][b]
            and right.features[a] == given.features[b]
            for a, b in zip(expected, there, strict=True)
        )
    return found


def _spans_score(gold: np.ndarray, system: np.ndarray) -> Score:
    """Count the spans that are in both: their starts are in order and all different."""
    _, a, b = np.intersect1d(gold[:, 0], system[:, 0], assume_unique=True, return_indices=True)
    correct = int((gold[a, 1] == system[b, 1]).sum())
    return Score(correct, len(gold), len(system))

"""Words and phrases in the making, and how English inflects them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(eq=False)
class Word:
    """A word of a sentence, which points to its head."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str = "_"
    glued: bool = False
    """Whether it makes one multiword token with the word before."""
    tight: bool = False
    """Whether there is no space before it."""
    head: "Word | None" = None
    relation: str = "root"


@dataclass
class Phrase:
    """Words in order, one of which is the head of all."""

    head: Word
    words: list[Word]
    person: int = 3
    plural: bool = False


Part = tuple[str, "Phrase | Word"]


def grow(head: "Phrase | Word", before: Iterable[Part] = (), after: Iterable[Part] = ()) -> Phrase:
    """Put dependents before and after a head, each with its relation."""
    whole = head if isinstance(head, Phrase) else Phrase(head, [head])
    first: list[Word] = []
    last: list[Word] = []
    for parts, words in ((before, first), (after, last)):
        for relation, part in parts:
            phrase = part if isinstance(part, Phrase) else Phrase(part, [part])
            phrase.head.head, phrase.head.relation = whole.head, relation
            words += phrase.words
    return Phrase(whole.head, first + whole.words + last, whole.person, whole.plural)


def join(first: Phrase, second: Phrase, word: str, comma: bool = False) -> Phrase:
    """Coordinate two phrases."""
    before: list[Part] = [("punct", punctuation(","))] if comma else []
    return grow(first, after=[("conj", grow(second, [*before, ("cc", conjunction(word))]))])


# --- inflection ----------------------------------------------------------------------------------


class Verb(NamedTuple):
    """The forms of a verb."""

    base: str
    past: str
    participle: str
    gerund: str


def verb_of(entry: Sequence[str]) -> Verb:
    """Complete an entry of the lexicon by the regular forms."""
    base, *irregular = entry
    regular = base + ("d" if base.endswith("e") else "ed")
    if base.endswith("y") and base[-2] not in "aeou":
        regular = base[:-1] + "ied"
    past = irregular[0] if irregular else regular
    participle = irregular[1] if len(irregular) > 1 else past
    stem = base[:-2] + "y" if base.endswith("ie") else base
    stem = stem[:-1] if stem.endswith("e") and not stem.endswith(("ee", "oe")) else stem
    return Verb(base, past, participle, irregular[2] if len(irregular) > 2 else stem + "ing")


def with_s(word: str) -> str:
    """Add the -s of plurals and of verbs."""
    if word.endswith("y") and word[-2] not in "aeou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh", "to")) or word in ("go", "veto"):
        return word + ("zes" if word == "quiz" else "es")
    return word + "s"


def noun(entry: Sequence[str], plural: bool = False) -> Word:
    """Make a common noun."""
    if plural:
        form = entry[1] if len(entry) > 1 else with_s(entry[0])
        return Word(form, entry[0], "NOUN", "NNS", "Number=Plur")
    return Word(entry[0], entry[0], "NOUN", "NN", "Number=Sing")


def name(form: str) -> Word:
    """Make a word of a name."""
    return Word(form, form, "PROPN", "NNP", "Number=Sing")


def adjective(form: str) -> Word:
    """Make an adjective."""
    return Word(form, form, "ADJ", "JJ", "Degree=Pos")


def adverb(form: str) -> Word:
    """Make an adverb."""
    return Word(form, form, "ADV", "RB")


def preposition(form: str) -> Word:
    """Make a preposition."""
    return Word(form, form, "ADP", "TO" if form == "to" else "IN")


def punctuation(form: str) -> Word:
    """Make a comma or what ends a sentence."""
    return Word(form, form, "PUNCT", "," if form == "," else ".", tight=True)


def conjunction(form: str) -> Word:
    """Make a coordinating conjunction."""
    return Word(form, form, "CCONJ", "CC")


def subordinator(form: str) -> Word:
    """Make what opens a subordinate clause."""
    return Word(form, form, "SCONJ", "IN")


def to_infinitive() -> Word:
    """Make the "to" before an infinitive."""
    return Word("to", "to", "PART", "TO")


def negation(contracted: bool) -> Word:
    """Make "not", or the "n't" that is glued to a verb."""
    return Word("n't" if contracted else "not", "not", "PART", "RB", "Polarity=Neg", contracted)


# --- verbs in their forms ------------------------------------------------------------------------

MODALS = ("can", "will", "should", "must", "could", "would", "may", "might")
BE = Verb("be", "was", "been", "being")
HAVE = Verb("have", "had", "had", "having")
DO = Verb("do", "did", "done", "doing")


def finite(verb: Verb, upos: str, past: bool, subject: Phrase) -> Word:
    """Make a verb in the present or past tense, to agree with its subject."""
    person, plural = subject.person, subject.plural
    number = "Plur" if plural else "Sing"
    feats = f"Mood=Ind|Number={number}|Person={person}|Tense={'Past' if past else 'Pres'}"
    feats += "|VerbForm=Fin"
    singular = person == 3 and not plural
    if verb is BE:
        if plural or person == 2:
            form = "were" if past else "are"
        else:
            form = "was" if past else "am" if person == 1 else "is"
    elif past:
        form = verb.past
    elif singular:
        form = {"have": "has", "do": "does"}.get(verb.base) or with_s(verb.base)
    else:
        form = verb.base
    return Word(form, verb.base, upos, "VBD" if past else "VBZ" if singular else "VBP", feats)


def modal(form: str) -> Word:
    """Make a modal verb."""
    return Word(form, form, "AUX", "MD", "Mood=Ind|VerbForm=Fin")


def infinitive(verb: Verb, upos: str = "VERB") -> Word:
    """Make the base form."""
    return Word(verb.base, verb.base, upos, "VB", "VerbForm=Inf")


def imperative(verb: Verb, upos: str = "VERB") -> Word:
    """Make the form of orders."""
    return Word(verb.base, verb.base, upos, "VB", "Mood=Imp|Person=2|VerbForm=Fin")


def ing(verb: Verb, upos: str = "VERB", participle: bool = True) -> Word:
    """Make the -ing form, as a participle or as a gerund."""
    feats = "Tense=Pres|VerbForm=Part" if participle else "VerbForm=Ger"
    return Word(verb.gerund, verb.base, upos, "VBG", feats)


def participle(verb: Verb, upos: str = "VERB", passive: bool = False) -> Word:
    """Make the past participle."""
    feats = "Tense=Past|VerbForm=Part" + ("|Voice=Pass" if passive else "")
    return Word(verb.participle, verb.base, upos, "VBN", feats)


def contract(auxiliary: Word) -> bool:
    """Make an auxiliary ready for an "n't" glued to it, if it can have one."""
    auxiliary.form = {"can": "ca", "will": "wo"}.get(auxiliary.form, auxiliary.form)
    return auxiliary.form not in ("am", "may", "might")


def lean(auxiliary: Word) -> None:
    """Glue an auxiliary to the pronoun before it, if it can be: "she is" to "she's"."""
    short = {
        "am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "had": "'d",
        "will": "'ll", "would": "'d",
    }.get(auxiliary.form)  # fmt: skip
    if short:
        auxiliary.form, auxiliary.glued = short, True

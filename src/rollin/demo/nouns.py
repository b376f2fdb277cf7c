"""Noun phrases, and the times and places that are made of them."""

import random
from collections.abc import Sequence
from typing import TypeVar

from rollin.demo import lexicon as lex
from rollin.demo.lexicon import Nouns
from rollin.demo.words import (
    Part,
    Phrase,
    Word,
    adjective,
    adverb,
    grow,
    ing,
    join,
    name,
    noun,
    participle,
    preposition,
    punctuation,
    verb_of,
)

Choice = TypeVar("Choice")

# nominative, accusative, possessive, person, plural, the rest of its features
_PRONOUNS = {
    "I": ("I", "me", "my", 1, False, ""),
    "you": ("you", "you", "your", 2, False, ""),
    "he": ("he", "him", "his", 3, False, "Gender=Masc"),
    "she": ("she", "her", "her", 3, False, "Gender=Fem"),
    "it": ("it", "it", "its", 3, False, "Gender=Neut"),
    "we": ("we", "us", "our", 1, True, ""),
    "they": ("they", "them", "their", 3, True, ""),
}
_FREQUENT = ("he", "she", "I", "they", "we", "you", "it")


class NounPhrases:
    """The part of the grammar that is about nouns. What is chosen depends on the seed alone."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def happens(self, probability: float) -> bool:
        """Toss a coin."""
        return self._chance.random() < probability

    def pick(self, options: Sequence[Choice]) -> Choice:
        """Pick one; the first ones come up far more often than the last."""
        return options[int(len(options) * self._chance.random() ** 1.8)]

    def weighed(self, **weights: float) -> str:
        """Pick a name with a probability in proportion to its weight."""
        point = self._chance.random() * sum(weights.values())
        for option, weight in weights.items():
            point -= weight
            if point < 0:
                return option
        return next(iter(weights))  # reached by rounding alone

    def relative_clause(
        self, nouns: Nouns, plural: bool, depth: int, named: bool = False
    ) -> Phrase:
        """Make a relative clause for a noun."""
        raise NotImplementedError

    def infinitive_phrase(self, depth: int) -> Phrase:
        """Make an infinitive with "to" and what belongs to it."""
        raise NotImplementedError

    # --- who and what

    def subject(self, depth: int) -> Phrase:
        """Make a subject."""
        kind = self.weighed(pronoun=30, name=24, person=35, animal=9, company=2)
        if kind == "pronoun":
            return self.pronoun(self.pick(_FREQUENT))
        if kind == "company":
            return grow(name(self.pick(lex.COMPANIES)))
        if kind == "name":
            return self.name(depth)
        return self.noun_phrase(lex.PEOPLE if kind == "person" else lex.ANIMALS, depth)

    def person(self, depth: int) -> Phrase:
        """Make a person who is no subject."""
        kind = self.weighed(pronoun=25, name=30, common=45)
        if kind == "pronoun":
            return self.pronoun(self.pick(_FREQUENT), subject=False)
        return self.name(depth) if kind == "name" else self.noun_phrase(lex.PEOPLE, depth)

    @staticmethod
    def pronoun(which: str, subject: bool = True) -> Phrase:
        """Make a personal pronoun."""
        nominative, accusative, _, person, plural, gender = _PRONOUNS[which]
        number = "" if which == "you" else "Number=" + ("Plur" if plural else "Sing")
        case = "" if which in ("you", "it") else "Case=" + ("Nom" if subject else "Acc")
        feats = (case, gender, number, f"Person={person}", "PronType=Prs")
        form = nominative if subject else accusative
        word = Word(form, which, "PRON", "PRP", "|".join(filter(None, feats)))
        return Phrase(word, [word], person, plural)

    def name(self, depth: int) -> Phrase:
        """Make a person's name, sometimes with more about them, or two of them."""
        whole = grow(name(self.pick(lex.FIRST_NAMES)))
        if self.happens(0.3):
            whole = grow(whole, after=[("flat", name(self.pick(lex.LAST_NAMES)))])
        comma = ("punct", punctuation(",")), ("punct", punctuation(","))
        if depth < 2 and self.happens(0.07):
            who = self.noun_phrase(lex.PEOPLE, 2, plural=False, determiner="a")
            return grow(whole, after=[("appos", grow(who, comma[:1], comma[1:]))])
        if depth < 2 and self.happens(0.05):
            more = grow(self.relative_clause(lex.PEOPLE, False, 2, True), comma[:1], comma[1:])
            return grow(whole, after=[("acl:relcl", more)])
        if self.happens(0.1):
            whole = join(whole, grow(name(self.pick(lex.FIRST_NAMES))), "and")
            whole.plural = True
        return whole

    def noun_phrase(
        self, nouns: Nouns, depth: int, plural: bool | None = None, determiner: str = ""
    ) -> Phrase:
        """Make a phrase around one of these nouns."""
        mass = nouns is lex.STUFF
        if plural is None:
            plural = not mass and self.happens(0.28)
        if mass and self.happens(0.4):
            return self._amount(depth)
        entry = self.pick(nouns)
        first = self._determiner(plural, mass, depth, determiner)
        whole = grow(noun(entry, plural), [*first, *self._described(nouns, first)])
        whole.plural = plural
        after = self._modifiers(nouns, plural, depth)
        whole = grow(whole, after=after)
        if depth < 3 and not after and not determiner and self.happens(0.07):
            whole = self._listed(whole, nouns)
        return whole

    def _amount(self, depth: int) -> Phrase:
        """Make "a cup of tea"."""
        stuff = grow(noun(self.pick(lex.STUFF)), [("case", preposition("of"))])
        plural = self.happens(0.3)
        first = self._determiner(plural, False, depth, "")
        whole = grow(noun(self.pick(lex.CONTAINERS), plural), first, [("nmod", stuff)])
        whole.plural = plural
        return whole

    def _listed(self, first: Phrase, nouns: Nouns) -> Phrase:
        """Add a second phrase, and sometimes put a third between them."""
        last = self.noun_phrase(nouns, 3)
        if self.happens(0.2):
            between = grow(self.noun_phrase(nouns, 3), [("punct", punctuation(","))])
            first = grow(first, after=[("conj", between)])
        whole = join(first, last, self.pick(("and", "or")))
        whole.plural = True
        return whole

    # --- what stands before a noun

    def _determiner(self, plural: bool, mass: bool, depth: int, wanted: str) -> list[Part]:
        if wanted == "a" and plural:
            wanted = self.pick(("number", "some"))
        kind = wanted or self.weighed(
            the=42, a=0 if plural or mass else 24, none=14 if plural or mass else 0, owner=16,
            demonstrative=6, some=6 if plural or mass else 0, every=0 if plural or mass else 3,
            number=12 if plural else 0, no=2,
        )  # fmt: skip
        match kind:
            case "the":
                return [("det", Word("the", "the", "DET", "DT", "Definite=Def|PronType=Art"))]
            case "a":
                return [("det", Word("a", "a", "DET", "DT", "Definite=Ind|PronType=Art"))]
            case "owner":
                return [("nmod:poss", self._owner(depth))]
            case "demonstrative":
                near = self.happens(0.6)
                form = ("these" if plural else "this") if near else "those" if plural else "that"
                number = "Plur" if plural else "Sing"
                feats = f"Number={number}|PronType=Dem"
                return [("det", Word(form, "this" if near else "that", "DET", "DT", feats))]
            case "some" | "every" | "no":
                type_of = {"some": "Ind", "every": "Tot", "no": "Neg"}[kind]
                return [("det", Word(kind, kind, "DET", "DT", f"PronType={type_of}"))]
            case "number":
                return self._number()
        return []

    def _number(self) -> list[Part]:
        if self.happens(0.25):
            digits = str(self._between(13, 990))
            number = grow(Word(digits, digits, "NUM", "CD", "NumForm=Digit|NumType=Card"))
        else:
            form = self.pick(lex.NUMBERS)
            number = grow(Word(form, form, "NUM", "CD", "NumForm=Word|NumType=Card"))
        if self.happens(0.15):
            number = grow(number, [("advmod", adverb(self.pick(("about", "only", "almost"))))])
        return [("nummod", number)]

    def _between(self, least: int, most: int) -> int:
        return least + int((most - least + 1) * self._chance.random())

    def _owner(self, depth: int) -> "Phrase | Word":
        """Make whose it is: a pronoun, a name or a noun with 's."""
        if depth > 2 or self.happens(0.6):
            which = self.pick(_FREQUENT)
            _, _, form, person, plural, gender = _PRONOUNS[which]
            number = "" if which == "you" else "Number=" + ("Plur" if plural else "Sing")
            feats = ("Case=Gen", gender, number, f"Person={person}", "Poss=Yes", "PronType=Prs")
            return Word(form, form, "PRON", "PRP$", "|".join(filter(None, feats)))
        owner = (
            grow(name(self.pick(lex.FIRST_NAMES)))
            if self.happens(0.6)
            else grow(noun(self.pick(lex.PEOPLE)), self._determiner(False, False, 3, ""))
        )
        return grow(owner, after=[("case", Word("'s", "'s", "PART", "POS", tight=True))])

    def _described(self, nouns: Nouns, before: list[Part]) -> list[Part]:
        """Make the adjectives and nouns between determiner and noun."""
        found: list[Part] = []
        fitting = lex.adjectives_for(nouns)
        with_the = any(isinstance(part, Word) and part.form == "the" for _, part in before)
        if with_the and self.happens(0.04):
            form = self.pick(lex.ORDINALS)
            feats = "Degree=Pos|NumForm=Word|NumType=Ord"
            found.append(("amod", Word(form, form, "ADJ", "JJ", feats)))
        if self.happens(0.3):
            one = self.pick(fitting)
            if one in lex.COMPARED and with_the and self.happens(0.15):
                found.append(("amod", self.compared(one, self.happens(0.4))))
            elif self.happens(0.12):
                how = adverb(self.pick(("very", "rather", "extremely", "quite")))
                found.append(("amod", grow(adjective(one), [("advmod", how)])))
            else:
                found.append(("amod", adjective(one)))
                other = self.pick(fitting)
                if other != one and self.happens(0.15):
                    found.append(("amod", adjective(other)))
                elif other != one and self.happens(0.08):
                    pair = join(grow(adjective(one)), grow(adjective(other)), "and")
                    found[-1] = ("amod", pair)
        if nouns in (lex.THINGS, lex.TEXTS, lex.IDEAS) and self.happens(0.09):
            kind = self.pick((lex.PLACES, lex.STUFF, lex.ANIMALS, lex.PEOPLE))
            found.append(("compound", noun(self.pick(kind))))
        return found

    @staticmethod
    def compared(form: str, comparative: bool) -> Word:
        """Make a comparative or superlative."""
        forms = lex.COMPARED[form].split()
        if comparative:
            return Word(forms[0], form, "ADJ", "JJR", "Degree=Cmp")
        return Word(forms[1], form, "ADJ", "JJS", "Degree=Sup")

    # --- what stands behind a noun

    def _modifiers(self, nouns: Nouns, plural: bool, depth: int) -> list[Part]:
        share = 0.5**depth
        kind = self.weighed(
            phrase=0.30 * share, clause=0.16 * share, reduced=0.07 * share, none=1 - 0.53 * share
        )
        if kind == "phrase":
            return [("nmod", self._complement(nouns, depth + 1))]
        if kind == "clause":
            return [("acl:relcl", self.relative_clause(nouns, plural, depth + 1))]
        if kind == "reduced":
            return [("acl", self._reduced(nouns, depth + 1))]
        return []

    def _complement(self, nouns: Nouns, depth: int) -> Phrase:
        """Make the phrase with a preposition that goes with a noun of this kind."""
        about = self.pick((lex.PEOPLE, lex.ANIMALS, lex.PLACES, lex.IDEAS))
        if nouns is lex.TEXTS:
            return self.with_case(self.pick(("about", "from")), self.noun_phrase(about, depth))
        if nouns is lex.IDEAS:
            form = self.pick(("of", "about", "for", "behind", "against"))
            return self.with_case(form, self.noun_phrase(about, depth))
        if nouns is lex.PEOPLE:
            form = self.pick(("from", "with", "in"))
            if form == "from":
                return self.with_case(form, grow(name(self.pick(lex.CITIES))))
            what = lex.THINGS if form == "with" else lex.PLACES
            return self.with_case(form, self.noun_phrase(what, depth))
        if nouns in (lex.FOOD, lex.STUFF):
            return self.with_case("with", self.noun_phrase(lex.FOOD, depth))
        if nouns is lex.PLACES and self.happens(0.5):
            return self.with_case("in", grow(name(self.pick(lex.CITIES))))
        if self.happens(0.25):
            return self.with_case("of", self.noun_phrase(lex.PEOPLE, depth))
        return self.at_place(depth) if self.happens(0.4) else self.on_object(depth)

    def _reduced(self, nouns: Nouns, depth: int) -> Phrase:
        """Make "sleeping on the sofa", "written by Anna" or "to sell the house"."""
        if nouns in (lex.PEOPLE, lex.ANIMALS):
            verb = verb_of(self.pick(lex.INTRANSITIVE))
            return grow(ing(verb), after=[("obl", self.at_place(depth))])
        if nouns is lex.IDEAS:
            return self.infinitive_phrase(depth)
        made = participle(verb_of(self.pick(lex.verbs_on(nouns))), passive=True)
        return grow(made, after=[("obl:agent", self.with_case("by", self.person(depth)))])

    # --- with prepositions

    @staticmethod
    def with_case(form: str, phrase: Phrase) -> Phrase:
        """Put a preposition before a phrase."""
        return grow(phrase, before=[("case", preposition(form))])

    def at_place(self, depth: int) -> Phrase:
        """Make "in the garden", "near Paris"."""
        form = self.pick(lex.AT_PLACES)
        if form in ("in", "near") and self.happens(0.25):
            return self.with_case(form, grow(name(self.pick(lex.CITIES))))
        return self.with_case(form, self.noun_phrase(lex.PLACES, depth))

    def on_object(self, depth: int) -> Phrase:
        """Make "on the table"."""
        return self.with_case(self.pick(lex.ON_OBJECTS), self.noun_phrase(lex.THINGS, depth))

    def to_place(self, depth: int) -> Phrase:
        """Make "through the forest", "to Vienna"."""
        form = self.pick(lex.TO_PLACES)
        if form in ("to", "from", "through") and self.happens(0.3):
            return self.with_case(form, grow(name(self.pick(lex.CITIES))))
        return self.with_case(form, self.noun_phrase(lex.PLACES, depth))

    def time(self) -> Part:
        """Make when it happens, with its relation."""
        kind = self.weighed(day=4, month=3, part=4, year=2, bare=5, long=3)
        if kind == "day":
            return "obl", self.with_case("on", grow(name(self.pick(lex.DAYS))))
        if kind == "month":
            return "obl", self.with_case("in", grow(name(self.pick(lex.MONTHS))))
        if kind == "year":
            digits = str(self._between(1890, 2020))
            year = Word(digits, digits, "NUM", "CD", "NumForm=Digit|NumType=Card")
            return "obl", self.with_case("in", grow(year))
        unit = self.pick(lex.TIMES)
        if kind == "part":
            the = self._determiner(False, False, 3, "the")
            return "obl", self.with_case("in", grow(noun(self.pick(lex.DAYTIMES)), the))
        if kind == "long":
            return "obl", self.with_case("for", grow(noun(unit, True), self._number()))
        if self.happens(0.5):
            return "obl:unmarked", grow(noun(unit), self._determiner(False, False, 3, "every"))
        which = self.pick(("last", "next"))
        known = Word(which, which, "ADJ", "JJ", "Degree=Pos")
        return "obl:unmarked", grow(noun(self.pick(lex.TIMES[1:])), [("amod", known)])

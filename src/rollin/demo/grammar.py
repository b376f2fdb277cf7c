"""A small probabilistic grammar of English that makes dependency trees.

Every rule is a method that gives a phrase: its words in order, and what depends on what. What goes
where is decided by the words: "put" needs a place, "know" takes none, a book is about something,
one eats with a fork. Some of it is left to chance, so no parser can get all of it right.
"""

from collections.abc import Sequence
from itertools import pairwise

from rollin.demo import lexicon as lex
from rollin.demo.lexicon import Nouns
from rollin.demo.nouns import NounPhrases
from rollin.demo.words import (
    BE,
    DO,
    HAVE,
    MODALS,
    Part,
    Phrase,
    Verb,
    Word,
    adjective,
    adverb,
    contract,
    finite,
    grow,
    imperative,
    infinitive,
    ing,
    join,
    lean,
    modal,
    negation,
    noun,
    participle,
    preposition,
    punctuation,
    subordinator,
    to_infinitive,
    verb_of,
)

_OBJECTS = (lex.THINGS, lex.PEOPLE, lex.FOOD, lex.TEXTS, lex.IDEAS, lex.STUFF, lex.ANIMALS)
_DESCRIBED = (lex.PEOPLE, lex.PEOPLE, lex.THINGS, lex.IDEAS, lex.FOOD, lex.TEXTS, lex.ANIMALS)


class Grammar(NounPhrases):
    """Makes sentences, always the same ones for a seed."""

    def sentence(self) -> list[Word]:
        """Make a whole sentence, with what ends it."""
        kind = self.weighed(statement=66, question=14, joined=8, order=5, there=5, crossing=3)
        if kind == "question":
            whole = self._question()
        elif kind == "joined":
            first = self.clause(depth=1)
            second = self.clause(depth=1)
            whole = join(first, second, self.pick(("and", "but", "or")), comma=True)
        elif kind == "order":
            whole = self._order()
        elif kind == "there":
            whole = self._there()
        elif kind == "crossing":
            whole = self._crossing()
        else:
            whole = self._statement()
        if kind != "order" and self.happens(0.04):
            word = self.pick(lex.EXCLAMATIONS)
            spoken = Word(word, word, "INTJ", "UH")
            whole = grow(whole, before=[("discourse", spoken), ("punct", punctuation(","))])
        end = "?" if kind == "question" else "!" if self.happens(0.06) else "."
        return _tidied(grow(whole, after=[("punct", punctuation(end))]).words)

    # --- kinds of sentences

    def _statement(self) -> Phrase:
        front: list[Part] = []
        if self.happens(0.17):
            kind = self.weighed(adverb=3, time=4, place=2, clause=4)
            if kind == "adverb":
                front = [("advmod", adverb(self.pick(lex.SENTENCE_ADVERBS)))]
            elif kind == "time":
                front = [self.time()]
            elif kind == "place":
                front = [("obl", self.at_place(1))]
            else:
                front = [("advcl", self.adverbial_clause(1))]
            if kind != "time" or self.happens(0.5):
                front.append(("punct", punctuation(",")))
        return self.clause(front=front, depth=0)

    def _order(self) -> Phrase:
        verb, complements = self.verb_phrase(1)
        before: list[Part] = []
        if self.happens(0.35):
            do, no = imperative(DO, "AUX"), negation(contracted=True)
            before = [("aux", do), ("advmod", no)]
        elif self.happens(0.4):
            before = [("discourse", Word("please", "please", "INTJ", "UH"))]
        return grow(imperative(verb), before, complements)

    def _there(self) -> Phrase:
        there = Word("there", "there", "PRON", "EX", "PronType=Dem")
        kind = self.pick((lex.THINGS, lex.ANIMALS, lex.PEOPLE))
        what = self.noun_phrase(kind, 1, self.happens(0.35), "a")
        be = finite(BE, "VERB", self.happens(0.4), what)
        return grow(be, [("expl", there)], [("nsubj", what), ("obl", self.at_place(1))])

    def _question(self) -> Phrase:
        kind = self.weighed(polar=6, who=2, what=4, where=3, stranded=1, extracted=1)
        if kind == "polar":
            return self.clause(inverted=True, depth=1)
        if kind == "who":
            return self.clause(grow(_wh("who", "Int")), depth=1)
        if kind == "where":
            word = self.pick(("where", "why", "when", "how"))
            reason = Word(word, word, "ADV", "WRB", "PronType=Int")
            return self.clause(front=[("advmod", reason)], inverted=True, depth=1)
        if kind == "stranded":
            return self._stranded()
        if kind == "extracted":
            return self._extracted()
        nouns, asked = self.pick(_OBJECTS), grow(_wh("what", "Int"))
        if self.happens(0.4):
            which = Word("which", "which", "DET", "WDT", "PronType=Int")
            asked = grow(noun(self.pick(nouns)), [("det", which)])
        return self.clause(front=[("obj", asked)], inverted=True, missing=nouns, depth=1)

    def _stranded(self) -> Phrase:
        """Make "Who did Ben talk to?": what is asked for stands apart from its preposition."""
        form = self.pick(tuple(lex.WITH_PREPOSITION))
        verb = verb_of(self.pick(lex.WITH_PREPOSITION[form]))
        who = _wh(self.pick(("who", "what")), "Int")
        before, main = self.verb_group(verb, self.subject(2), inverted=True)
        whole = grow(main, [("obl", who), *before])
        return _apart(whole, grow(preposition(form)), who, "case")

    def _extracted(self) -> Phrase:
        """Make "What does Anna think Ben wants?": the object stands before another clause."""
        what = _wh("what", "Int")
        inner = self.clause(missing=self.pick(_OBJECTS), depth=2)
        before, main = self.verb_group(
            verb_of(self.pick(lex.SAYING[:6])), self.subject(2), inverted=True
        )
        whole = grow(main, before, [("ccomp", inner)])
        what.head, what.relation = inner.head, "obj"
        whole.words.insert(0, what)
        return whole

    def _crossing(self) -> Phrase:
        """Make "A man arrived who knew Anna": a clause apart from the noun it belongs to."""
        plural = self.happens(0.3)
        if self.happens(0.5):
            apart = self.noun_phrase(lex.PEOPLE, 3, plural, "a")
            before, main = self.verb_group(verb_of(self.pick(lex.INTRANSITIVE)), apart)
            whole = grow(main, before)
            return _apart(whole, self.relative_clause(lex.PEOPLE, plural, 2), apart.head)
        nouns = self.pick(_OBJECTS[:4])
        apart = self.noun_phrase(nouns, 3, plural, "a")
        before, main = self.verb_group(verb_of(self.pick(lex.verbs_on(nouns))), self.subject(2))
        when = ("advmod", adverb(self.pick(lex.WHENS)))
        whole = grow(main, before, [("obj", apart), when])
        return _apart(whole, self.relative_clause(nouns, plural, 2), apart.head)

    # --- clauses

    def clause(
        self,
        subject: Phrase | None = None,
        *,
        depth: int,
        front: Sequence[Part] = (),
        inverted: bool = False,
        missing: Nouns | None = None,
    ) -> Phrase:
        """Make a finite clause.

        Args:
            subject: what it is about, if that is given.
            depth: how deep it is embedded: the deeper, the simpler it is.
            front: what stands before the subject.
            inverted: an auxiliary stands before the subject.
            missing: its object stands elsewhere, and is a noun of these.
        """
        kind = "active" if missing else self.weighed(active=70, passive=10, copula=20)
        if kind == "copula":
            nouns = self.pick(_DESCRIBED)
            subject = subject or self._subject_of(nouns, depth)
            before, _ = self.verb_group(BE, subject, inverted=inverted, copula=True)
            return grow(self._predicate(nouns, subject.plural, depth), [*front, *before])
        if kind == "passive":
            nouns = self.pick(_OBJECTS)
            subject = subject or self._subject_of(nouns, depth)
            verb = verb_of(self.pick(lex.verbs_on(nouns)))
            after: list[Part] = self._adjuncts(depth)
            if self.happens(0.45):
                agent = self.with_case("by", self.person(depth + 1))
                after.insert(0, ("obl:agent", agent))
        else:
            subject = subject or self.subject(depth)
            verb, after = self.verb_phrase(depth, missing)
        before, main = self.verb_group(verb, subject, kind == "passive", inverted)
        whole = grow(main, [*front, *before], after)
        if main.xpos in ("VBD", "VBZ", "VBP") and not missing and self.happens(0.14 / (depth + 1)):
            other, complements = self.verb_phrase(depth + 1)
            second = finite(other, "VERB", main.xpos == "VBD", subject)
            whole = join(whole, grow(second, (), complements), self.pick(("and", "but")))
        if depth == 0 and self.happens(0.1):
            whole = grow(whole, after=[("advcl", self.adverbial_clause(1))])
        return whole

    def _subject_of(self, nouns: Nouns, depth: int) -> Phrase:
        return self.subject(depth) if nouns is lex.PEOPLE else self.noun_phrase(nouns, depth)

    def _predicate(self, nouns: Nouns, plural: bool, depth: int) -> Phrase:
        """Make what somebody or something is."""
        alive = nouns in (lex.PEOPLE, lex.ANIMALS)
        kind = self.weighed(quality=50, noun=28, place=22, of=6 * alive, more=9 * alive)
        if kind == "noun":
            which = "none" if plural else "a"
            return self.noun_phrase(nouns if alive else lex.IDEAS, depth + 1, plural, which)
        if kind == "place":
            return self.at_place(depth + 1)
        if kind == "of":
            whom = self.noun_phrase(lex.ANIMALS, depth + 1)
            adjunct = ("obl", self.with_case("of", whom))
            return grow(adjective(self.pick(lex.WITH_OF)), after=[adjunct])
        if kind == "more":
            than = ("obl", self.with_case("than", self.person(depth + 1)))
            return grow(self.compared(self.pick(lex.COMPARED_PEOPLE), True), after=[than])
        one, other = self.pick(lex.adjectives_for(nouns)), self.pick(lex.adjectives_for(nouns))
        quality = grow(adjective(one), self._degree())
        if one != other and self.happens(0.1):
            quality = join(quality, grow(adjective(other)), "and")
        return quality

    def _degree(self) -> list[Part]:
        return [("advmod", adverb(self.pick(lex.DEGREES)))] if self.happens(0.25) else []

    def relative_clause(
        self, nouns: Nouns, plural: bool, depth: int, named: bool = False
    ) -> Phrase:
        """Make a relative clause, with or without a pronoun; behind a name it is "who"."""
        human = nouns is lex.PEOPLE
        if nouns is lex.PLACES and self.happens(0.5):
            where = Word("where", "where", "ADV", "WRB", "PronType=Rel")
            return self.clause(front=[("advmod", where)], depth=depth + 1)
        pronouns = ("who",) if named else ("who", "that") if human else ("that", "which")
        pronoun = _wh(self.pick(pronouns), "Rel")
        if self.happens(0.55):
            who = grow(pronoun)
            who.plural = plural
            return self.clause(who, depth=depth + 1)
        front: list[Part] = [] if self.happens(0.45) and not named else [("obj", pronoun)]
        return self.clause(front=front, missing=nouns, depth=depth + 1)

    def adverbial_clause(self, depth: int) -> Phrase:
        """Make a clause that says when or why."""
        form = self.pick(lex.SUBORDINATORS)
        if form in ("before", "after") and self.happens(0.6):
            verb, after = self.verb_phrase(depth + 1)
            return grow(ing(verb, participle=False), [("mark", subordinator(form))], after)
        opening: Part = ("mark", subordinator(form))
        if form == "when":
            opening = ("advmod", Word("when", "when", "ADV", "WRB", "PronType=Int"))
        return self.clause(front=[opening], depth=depth + 1)

    def that_clause(self, depth: int) -> Phrase:
        """Make what somebody says or thinks."""
        front = [("mark", subordinator("that"))] if self.happens(0.55) else []
        return self.clause(front=front, depth=depth + 1)

    def infinitive_phrase(self, depth: int) -> Phrase:
        """Make "to sell the house"."""
        verb, after = self.verb_phrase(depth + 1)
        return grow(infinitive(verb), [("mark", to_infinitive())], after)

    # --- verbs with their auxiliaries

    def verb_group(
        self,
        verb: Verb,
        subject: Phrase,
        passive: bool = False,
        inverted: bool = False,
        copula: bool = False,
    ) -> tuple[list[Part], Word]:
        """Make a verb: what stands before it, subject and auxiliaries, and the verb itself.

        A copula stands itself before what it belongs to.
        """
        kind = self.weighed(simple=62, modal=14, perfect=12, going=12)
        negated = self.happens(0.11)
        chain: list[tuple[str, Verb | str]] = [("cop" if copula else "verb", verb)]
        if passive:
            chain.insert(0, ("aux:pass", BE))
        if kind == "going" and not passive and not copula:
            chain.insert(0, ("aux", BE))
        if kind == "perfect":
            chain.insert(0, ("aux", HAVE))
        if kind == "modal":
            chain.insert(0, ("aux", self.pick(MODALS)))
        if len(chain) == 1 and not copula and (inverted or negated):
            chain.insert(0, ("aux", DO))
        parts: list[Part] = list(_inflected(chain, self.happens(0.55), subject))
        main = parts[-1][1]
        assert isinstance(main, Word)
        if not copula:
            parts.pop()
        role = ("nsubj:pass" if passive else "nsubj", subject)
        if not parts:
            often = self.happens(0.07)
            adverbs = [("advmod", adverb(self.pick(lex.FREQUENCIES)))] if often else []
            return [role, *adverbs], main
        first = parts[0][1]
        assert isinstance(first, Word)
        glued, loose = [], []
        if negated and self.happens(0.7) and contract(first):
            glued = [("advmod", negation(contracted=True))]
        elif negated:
            loose = [("advmod", negation(contracted=False))]
        elif self.happens(0.1):
            loose = [("advmod", adverb(self.pick(lex.FREQUENCIES)))]
        if inverted:
            return [parts[0], *glued, role, *loose, *parts[1:]], main
        if not glued and subject.words[-1].xpos == "PRP" and self.happens(0.45):
            lean(first)
        return [role, parts[0], *glued, *loose, *parts[1:]], main

    # --- what verbs go with

    def verb_phrase(self, depth: int, missing: Nouns | None = None) -> tuple[Verb, list[Part]]:
        """Choose a verb, and make what it goes with."""
        if missing:
            verbs = self.pick((lex.verbs_on(missing), lex.LASTING, lex.SEEING))
            return verb_of(self.pick(verbs)), self._adjuncts(depth + 1)
        deep = 1.0 if depth < 2 else 0.15
        kind = self.weighed(
            acting=34, intransitive=12, moving=10, lasting=8, seeing=5, giving=8, placing=6,
            preposition=9, particle=6, seeming=5, saying=9 * deep, wondering=2 * deep,
            telling=2 * deep, trying=8 * deep, asking=4 * deep,
        )  # fmt: skip
        entry, after = getattr(self, f"_{kind}")(depth + 1)
        return verb_of(entry), after

    def _acting(self, depth):
        nouns = self.pick(_OBJECTS)
        after = [("obj", self._object(nouns, depth))]
        if nouns in (lex.THINGS, lex.FOOD) and self.happens(0.2):
            tool = self.noun_phrase(lex.TOOLS, depth + 1, False)
            after.append(("obl", self.with_case("with", tool)))
        return self.pick(lex.verbs_on(nouns)), after + self._adjuncts(depth)

    def _object(self, nouns: Nouns, depth: int) -> Phrase:
        return self.person(depth) if nouns is lex.PEOPLE else self.noun_phrase(nouns, depth)

    def _intransitive(self, depth):
        return self.pick(lex.INTRANSITIVE), self._adjuncts(depth - 1)

    def _moving(self, depth):
        return self.pick(lex.MOVING), [("obl", self.to_place(depth)), *self._adjuncts(depth)]

    def _lasting(self, depth):
        return self.pick(lex.LASTING), [("obj", self._object(self.pick(_OBJECTS), depth - 1))]

    def _seeing(self, depth):
        nouns = self.pick((lex.PEOPLE, lex.ANIMALS, lex.THINGS))
        after = [("obj", self._object(nouns, depth)), *self._adjuncts(depth)]
        return self.pick(lex.SEEING), after

    def _giving(self, depth):
        who, what = self.person(depth), self.noun_phrase(self.pick((lex.THINGS, lex.TEXTS)), depth)
        if self.happens(0.5):
            return self.pick(lex.GIVING), [("iobj", who), ("obj", what)]
        return self.pick(lex.GIVING), [("obj", what), ("obl", self.with_case("to", who))]

    def _placing(self, depth):
        what = self.noun_phrase(self.pick((lex.THINGS, lex.TEXTS, lex.TOOLS)), depth + 1)
        where = self.on_object(depth) if self.happens(0.7) else self.at_place(depth)
        return self.pick(lex.PLACING), [("obj", what), ("obl", where)]

    def _preposition(self, depth):
        form = self.pick(tuple(lex.WITH_PREPOSITION))
        person = form in ("to", "with", "at") or self.happens(0.3)
        what = self.person(depth) if person else self.noun_phrase(self.pick(_OBJECTS), depth)
        after = [("obl", self.with_case(form, what)), *self._adjuncts(depth)]
        return self.pick(lex.WITH_PREPOSITION[form]), after

    def _particle(self, depth):
        form = self.pick(tuple(lex.WITH_PARTICLE))
        particle = ("compound:prt", Word(form, form, "ADP", "RP"))
        what = ("obj", self.noun_phrase(lex.THINGS, depth))
        after = [particle, what] if self.happens(0.6) else [what, particle]
        return self.pick(lex.WITH_PARTICLE[form]), after

    def _seeming(self, depth):
        quality = grow(adjective(self.pick(lex.OF_PEOPLE)), self._degree())
        return self.pick(lex.SEEMING), [("xcomp", quality)]

    def _saying(self, depth):
        return self.pick(lex.SAYING), [("ccomp", self.that_clause(depth))]

    def _wondering(self, depth):
        front: Part = ("mark", subordinator(self.pick(("if", "whether"))))
        if self.happens(0.4):
            word = self.pick(("why", "where", "how", "when"))
            front = ("advmod", Word(word, word, "ADV", "WRB", "PronType=Int"))
        asked = self.clause(front=[front], depth=depth + 1)
        return self.pick(lex.WONDERING), [("ccomp", asked)]

    def _telling(self, depth):
        after = [("iobj", self.person(depth + 1)), ("ccomp", self.that_clause(depth))]
        return self.pick(lex.TELLING), after

    def _trying(self, depth):
        return self.pick(lex.TRYING), [("xcomp", self.infinitive_phrase(depth))]

    def _asking(self, depth):
        after = [("obj", self.person(depth + 1)), ("xcomp", self.infinitive_phrase(depth))]
        return self.pick(lex.ASKING), after

    def _adjuncts(self, depth: int) -> list[Part]:
        """Make what can be added to any verb: how, where, when, with whom, what for."""
        share = 0.65**depth
        found: list[Part] = []
        if self.happens(0.14 * share):
            found.append(("advmod", adverb(self.pick(lex.MANNERS))))
        if self.happens(0.24 * share):
            found.append(("obl", self.at_place(depth + 1)))
        if self.happens(0.07 * share):
            found.append(("obl", self.with_case("with", self.name(2))))
        if self.happens(0.2 * share):
            found.append(self.time())
        elif self.happens(0.1 * share):
            found.append(("advmod", adverb(self.pick(lex.WHENS))))
        if self.happens(0.05 * share):
            found.append(("advcl", self.infinitive_phrase(depth + 1)))
        return found


# --- words that only clauses have ----------------------------------------------------------------


def _inflected(chain: list, past: bool, subject: Phrase) -> list[tuple[str, Word]]:
    """Give the verbs of a chain their forms: each decides about the next one."""
    words = []
    wanted = "finite"
    for relation, verb in chain:
        upos = "VERB" if relation == "verb" else "AUX"
        if isinstance(verb, str):
            word = modal(verb)
        elif wanted == "finite":
            word = finite(verb, upos, past, subject)
        elif wanted == "ing":
            word = ing(verb, upos)
        elif wanted == "base":
            word = infinitive(verb, upos)
        else:
            word = participle(verb, upos, wanted == "passive")
        words.append((relation, word))
        if relation == "aux:pass":
            wanted = "passive"
        else:
            wanted = {BE: "ing", HAVE: "participle"}.get(verb, "base")
    return words


def _wh(form: str, kind: str) -> Word:
    tag = "WP" if form in ("who", "what") else "WDT"
    return Word(form, form, "PRON", tag, f"PronType={kind}")


def _apart(whole: Phrase, late: Phrase, head: Word, relation: str = "acl:relcl") -> Phrase:
    """Put a phrase at the end, though it belongs to a word before."""
    late.head.head, late.head.relation = head, relation
    return Phrase(whole.head, whole.words + late.words, whole.person, whole.plural)


def _tidied(words: list[Word]) -> list[Word]:
    """Leave out commas beside other punctuation, and choose between "a" and "an"."""
    kept = [
        word
        for word, after in zip(words, [*words[1:], None], strict=True)
        if word.form != "," or after is None or after.upos != "PUNCT"
    ]
    for word, after in pairwise(kept):
        if word.form == "a" and word.upos == "DET":
            vowel = after.form[0].lower() in "aeiou" and not after.form.startswith(("use", "uni"))
            vowel = vowel or after.form.startswith(("honest", "hour", "8"))
            word.form = "an" if vowel else "a"
    return kept

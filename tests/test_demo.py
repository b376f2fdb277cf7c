"""The demo treebank: what ships is what the grammar makes, and good UD; and how it is shown."""

import pytest
from udtools import Validator

import rollin
from rollin.commands.demo import drawn
from rollin.demo import treebank
from rollin.demo.words import Phrase, Word, finite, grow, join, noun, verb_of, with_s


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return treebank.write_treebank(tmp_path_factory.mktemp("demo") / "new")


@pytest.fixture(scope="module")
def sentences(paths):
    return {part: list(rollin.read(path, trees="required")) for part, path in paths.items()}


# --- the treebank --------------------------------------------------------------------------------


def test_files_are_what_the_grammar_makes(paths):
    for part, content in treebank.made().items():
        assert paths[part].read_bytes() == content, "run `python -m rollin.demo.treebank`"


@pytest.mark.parametrize("part", treebank.SENTENCES)
def test_is_valid_universal_dependencies(paths, part):
    state = Validator(lang="en", level=3).validate_files([str(paths[part])])
    assert str(state) == "*** PASSED ***", "there is not even a warning"


def test_has_so_many_different_sentences(sentences):
    every = [sentence for part in sentences.values() for sentence in part]
    assert {part: len(found) for part, found in sentences.items()} == treebank.SENTENCES
    assert len({sentence.text for sentence in every}) == len(every)
    assert len({sentence.sent_id for sentence in every}) == len(every)
    assert len({len(sentence) for sentence in every}) > 20


def test_text_is_what_the_words_spell(sentences):
    for sentence in sentences["train"]:
        assert sentence.text == sentence.spelled
        for token in sentence.ranges:
            first, last = map(int, token.id.split("-"))
            assert token.form == "".join(word.form for word in sentence.words[first - 1 : last])


def test_test_set_has_new_words_and_new_arcs(sentences):
    known = {word.form.lower() for sentence in sentences["train"] for word in sentence}
    words = [word.form.lower() for sentence in sentences["test"] for word in sentence]
    assert 0.04 < sum(word not in known for word in words) / len(words) < 0.2
    assert len(known) > 1000


def test_has_what_a_parser_has_to_know(sentences):
    relations = {word.deprel for sentence in sentences["train"] for word in sentence}
    assert relations >= {
        "acl", "acl:relcl", "advcl", "advmod", "amod", "appos", "aux", "aux:pass", "case", "cc",
        "ccomp", "compound", "compound:prt", "conj", "cop", "det", "discourse", "expl", "flat",
        "iobj", "mark", "nmod", "nmod:poss", "nsubj", "nsubj:pass", "nummod", "obj", "obl",
        "obl:agent", "punct", "root", "xcomp",
    }  # fmt: skip
    assert {token.form for s in sentences["train"] for token in s.ranges} >= {"didn't", "can't"}
    for found in sentences.values():
        assert 0 < sum(map(crosses, found)) < len(found) / 10


def crosses(sentence):
    """Say whether two arcs cross."""
    arcs = [sorted((word.number, word.head)) for word in sentence]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_prepositional_phrases_hang_on_nouns_and_on_verbs(sentences):
    """After an object either can be: what it is must be learned from the words."""
    found = {"nmod": 0, "obl": 0}
    for sentence in sentences["train"]:
        for word in sentence:
            if word.deprel in found:
                of = [w for w in sentence.words if w.deprel == "obj" and w.number < word.number]
                found[word.deprel] += any(word.head in (w.number, w.head) for w in of)
    assert min(found.values()) > 30


# --- its words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "forms"),
    [
        ("walk", "walk walked walked walking walks"),
        ("arrive", "arrive arrived arrived arriving arrives"),
        ("carry", "carry carried carried carrying carries"),
        ("play", "play played played playing plays"),
        ("agree", "agree agreed agreed agreeing agrees"),
        ("wash", "wash washed washed washing washes"),
        ("go went gone", "go went gone going goes"),
        ("hit hit hit hitting", "hit hit hit hitting hits"),
        ("find found found", "find found found finding finds"),
    ],
)
def test_verbs_are_inflected(entry, forms):
    verb = verb_of(entry.split())
    assert [*verb, with_s(verb.base)] == forms.split()


def test_verbs_agree_with_subjects():
    one, many = grow(noun(("dog",))), grow(noun(("dog",), plural=True))
    many.plural = True
    walk = verb_of(["walk"])
    assert [finite(walk, "VERB", False, who).form for who in (one, many)] == ["walks", "walk"]
    both = join(one, grow(noun(("cat",))), "and")
    assert [word.form for word in both.words] == ["dog", "and", "cat"]
    assert [word.relation for word in both.words] == ["root", "cc", "conj"]
    assert both.words[1].head is both.words[2] and both.words[2].head is both.words[0]


def test_glued_words_make_one_token():
    do, no = Word("did", "do", "AUX", "VBD"), Word("n't", "not", "PART", "RB", glued=True)
    stop = Word(".", ".", "PUNCT", ".", tight=True)
    whole = grow(Phrase(go := Word("go", "go", "VERB", "VB"), [go]), [("aux", do), ("advmod", no)])
    lines = treebank.conllu(grow(whole, after=[("punct", stop)]).words).splitlines()
    assert lines[0] == "# text = Didn't go."
    assert [line.split("\t")[0] for line in lines[1:]] == ["1-2", "1", "2", "3", "4"]
    assert [line.split("\t")[6] for line in lines[1:]] == ["_", "3", "3", "0", "3"]
    spaces = ["_", "_", "_", "SpaceAfter=No", "SpaceAfter=No"]
    assert [line.split("\t")[9] for line in lines[1:]] == spaces


# --- what is shown -------------------------------------------------------------------------------

RIGHT = b"""\
1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\teat\teat\tVERB\t_\t_\t0\troot\t_\t_
3\tpie\tpie\tNOUN\t_\t_\t2\tobj\t_\t_
4\twith\twith\tADP\t_\t_\t5\tcase\t_\t_
5\tforks\tfork\tNOUN\t_\t_\t2\tobl\t_\t_

"""


def test_drawn_sentence_tells_what_is_wrong(tmp_path):
    right, parsed = tmp_path / "right.conllu", tmp_path / "parsed.conllu"
    right.write_bytes(RIGHT)
    parsed.write_bytes(RIGHT)
    assert "every arc is right" in drawn(parsed, right)
    parsed.write_bytes(RIGHT.replace(b"2\tobl", b"3\tnmod"))
    shown = drawn(parsed, right)
    assert "We eat pie with forks  (wrong arcs: 1 of 5)" in shown
    assert [line for line in shown.splitlines() if "←" in line] == [
        "  └───┴─► forks  NOUN  nmod   ← should be obl of eat"
    ]

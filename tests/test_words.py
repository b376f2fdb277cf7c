"""What is seen of a word natively is what plain Python says."""

import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rollin.conll.reading import read_blocks
from rollin.conll.words import ROOT, SEEN, read_letter, seen_in_python, word_columns
from rollin.native.hashing import hash_text

FORMS = [
    "It",
    "McDonald's",
    "3.14159",
    "ÉCOLE",
    "straße",
    "İzmir",
    "Ωμέγα",
    "漢字かな",
    "🙂ok",
    "_",
    "…",
]
forms = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=9)


def block_of(sentences):
    lines = []
    for words in sentences:
        lines += [f"{n}\t{form}\t_\tX\t_\t_\t_\t_\t_\t_" for n, form in enumerate(words, 1)] + [""]
    return next(iter(read_blocks(io.BytesIO("\n".join([*lines, ""]).encode()))))


def check(sentences):
    found = word_columns(block_of(sentences), (*SEEN, "upos"))
    row = 0
    for words in sentences:
        assert (found[row] == hash_text(ROOT)).all()
        for form in words:
            row += 1
            expected = [hash_text(text) for text in map(seen_in_python(form).get, SEEN)]
            assert found[row].tolist() == [*expected, hash_text("X")], form
        row += 1
    assert row == len(found)


def test_words_of_many_scripts():
    check([FORMS, FORMS[:1], FORMS[3:5]])


def test_what_python_says_is_what_is_meant():
    seen = seen_in_python("McDonalds-77")
    assert seen["lower"] == "mcdonalds-77" and seen["shape"] == "XxXxx-dd"
    assert seen["prefix3"] == "mcd" and seen["suffix4"] == "s-77" and seen["suffix1"] == "7"
    assert seen_in_python("a")["suffix4"] == "a"


@given(st.lists(st.lists(forms.filter(str.strip), min_size=1, max_size=4), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_letters(sentences):
    check([[form.strip() for form in words] for words in sentences])


def test_bytes_that_are_no_letters():
    """Unknown bytes are taken as they are, one by one, and nothing is read beyond the word."""
    for raw in (b"\xff", b"a\xe2\x82", b"\xc3", b"\xf0\x9f\x99"):
        data = np.frombuffer(raw + b"\t", np.uint8)
        places, place = [], 0
        while place < len(raw):
            code, place = read_letter(data, place, len(raw))
            places.append(code)
        assert len(places) == len(raw)
        assert [abs(code) for code in places] == list(raw)

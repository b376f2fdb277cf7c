"""What can be seen of a word: its form, its letters in lower case, its beginnings and ends.

Each is a column of hashes, found natively: about 0.2 microseconds a word. What a hash is of is also
what `seen_in_python` says, in plain Python and letter by letter; a test holds the two together.
"""

import functools

import numpy as np

from rollin.conll.blocks import Block, column_number
from rollin.native.hashing import hash_bytes, hash_text
from rollin.native.kernels import kernel

PREFIXES, SUFFIXES = 3, 4
SEEN = (
    "form", "lower", "shape",
    *(f"prefix{length}" for length in range(1, PREFIXES + 1)),
    *(f"suffix{length}" for length in range(1, SUFFIXES + 1)),
)  # fmt: skip
"""The columns made of a word's form."""

ROOT = "<root>"
_LETTERS = 1 << 16  # letters beyond these have no case that matters here
_OTHER, _UPPER, _LOWER, _DIGIT = range(4)


def word_columns(block: Block, columns: tuple[str, ...]) -> np.ndarray:
    """Give the hashes of columns for a block: the root of each sentence, then its words.

    A column is one of SEEN or one of the file. The root's value is the same in all.
    """
    places = places_with_roots(block)
    found = np.full((block.words + block.sentences, len(columns)), hash_text(ROOT), np.uint64)
    made = None
    for number, name in enumerate(columns):
        if name == "form" or name not in SEEN:
            values = block.hashes(name)
        else:
            if made is None:
                made = seen_of(block)
            values = made[SEEN.index(name)]
        found[places, number] = values
    return found


def places_with_roots(block: Block) -> np.ndarray:
    """Say where each word of a block stands when every sentence has its root before it."""
    return np.arange(block.words) + np.repeat(np.arange(1, block.sentences + 1), block.lengths)


def seen_of(block: Block) -> np.ndarray:
    """Give the hashes of all of SEEN for the words of a block, a row for each column."""
    form = column_number("form")
    longest = int((block.edges[:, form + 1] - block.edges[:, form]).max(initial=1))
    found = np.zeros((len(SEEN), block.words), np.uint64)
    lower, kinds = _letters()
    hash_words(
        block.data, block.edges, form, lower, kinds, PREFIXES, SUFFIXES,
        np.empty(3 * longest + 8, np.uint8), np.empty(3 * longest + 8, np.uint8),
        np.empty(longest + 2, np.int64), found,
    )  # fmt: skip
    return found


def seen_in_python(form: str) -> dict[str, str]:
    """Give the texts whose hashes stand in the columns of SEEN."""
    lower, kinds = _letters()
    letters = [chr(lower[ord(c)]) if ord(c) < _LETTERS else c for c in form]
    shape: list[str] = []
    for letter in form:
        kind = kinds[ord(letter)] if ord(letter) < _LETTERS else _OTHER
        sign = {_UPPER: "X", _LOWER: "x", _DIGIT: "d"}.get(int(kind), letter)
        if shape[-2:] != [sign, sign]:
            shape.append(sign)
    texts = {"form": form, "lower": "".join(letters), "shape": "".join(shape)}
    texts |= {f"prefix{n}": "".join(letters[:n]) for n in range(1, PREFIXES + 1)}
    return texts | {f"suffix{n}": "".join(letters[-n:]) for n in range(1, SUFFIXES + 1)}


@functools.cache
def _letters() -> tuple[np.ndarray, np.ndarray]:
    """Give for every letter that has a case its lower case, and what kind of letter it is."""
    lower = np.arange(_LETTERS, dtype=np.int32)
    kinds = np.zeros(_LETTERS, np.uint8)
    for code in range(_LETTERS):
        letter = chr(code)
        small = letter.lower()
        if small != letter and len(small) == 1 and ord(small) < _LETTERS:
            lower[code] = ord(small)
        if letter.isupper():
            kinds[code] = _UPPER
        elif letter.islower():
            kinds[code] = _LOWER
        elif letter.isdigit():
            kinds[code] = _DIGIT
    return lower, kinds


@kernel
def hash_words(
    data, edges, column, lower, kinds, prefixes, suffixes, letters, shape, ends, found
):  # fmt: skip
    """Hash what is seen of every word; see SEEN for the order.

    Args:
        data: the bytes of a file.
        edges: where in them the fields of each word stand.
        column: the field that holds the form.
        lower: for each letter its lower case.
        kinds: for each letter what kind it is.
        prefixes: hash the beginnings of 1 to so many letters.
        suffixes: likewise the ends.
        letters: overwritten: the bytes of the word in lower case.
        shape: overwritten: those of its shape.
        ends: overwritten: where in `letters` each letter ends.
        found: overwritten: columns x words.
    """
    for word in range(len(edges)):
        start, end = edges[word, column], edges[word, column + 1] - 1
        count, size, drawn = 0, 0, 0
        ends[0] = 0
        last, before = -1, -1
        place = start
        while place < end:
            code, place = read_letter(data, place, end)
            kind, small = _OTHER, code
            if 0 <= code < len(lower):
                small = lower[code]
                kind = kinds[code]
            size = write_letter(letters, size, small)
            count += 1
            ends[count] = size
            sign = code
            if kind == _UPPER:
                sign = 88
            elif kind == _LOWER:
                sign = 120
            elif kind == _DIGIT:
                sign = 100
            if not (sign == last and sign == before):
                drawn = write_letter(shape, drawn, sign)
                before, last = last, sign
        found[0, word] = hash_bytes(data, start, end)
        found[1, word] = hash_bytes(letters, 0, size)
        found[2, word] = hash_bytes(shape, 0, drawn)
        row = 3
        for length in range(1, prefixes + 1):
            found[row, word] = hash_bytes(letters, 0, ends[min(length, count)])
            row += 1
        for length in range(1, suffixes + 1):
            found[row, word] = hash_bytes(letters, ends[max(count - length, 0)], size)
            row += 1


@kernel
def read_letter(data, place, end):
    """Read one letter of UTF-8: its number, and where the next begins.

    A byte that is no part of a letter counts as one: minus itself.
    """
    first = np.int64(data[place])
    if first < 0x80:
        return first, place + 1
    length = 0
    if 0xC0 <= first < 0xE0:
        length, code = 2, first & 0x1F
    elif 0xE0 <= first < 0xF0:
        length, code = 3, first & 0x0F
    elif 0xF0 <= first < 0xF8:
        length, code = 4, first & 0x07
    else:
        return -first, place + 1
    if place + length > end:
        return -first, place + 1
    for more in range(1, length):
        byte = np.int64(data[place + more])
        if byte & 0xC0 != 0x80:
            return -first, place + 1
        code = (code << 6) | (byte & 0x3F)
    return code, place + length


@kernel
def write_letter(into, place, code):
    """Write one letter as UTF-8 (a byte that was none as it was); give where the next goes."""
    if code < 0:
        into[place] = np.uint8(-code)
        return place + 1
    if code < 0x80:
        into[place] = np.uint8(code)
        return place + 1
    if code < 0x800:
        into[place] = np.uint8(0xC0 | (code >> 6))
        into[place + 1] = np.uint8(0x80 | (code & 0x3F))
        return place + 2
    if code < 0x10000:
        into[place] = np.uint8(0xE0 | (code >> 12))
        into[place + 1] = np.uint8(0x80 | ((code >> 6) & 0x3F))
        into[place + 2] = np.uint8(0x80 | (code & 0x3F))
        return place + 3
    into[place] = np.uint8(0xF0 | (code >> 18))
    into[place + 1] = np.uint8(0x80 | ((code >> 12) & 0x3F))
    into[place + 2] = np.uint8(0x80 | ((code >> 6) & 0x3F))
    into[place + 3] = np.uint8(0x80 | (code & 0x3F))
    return place + 4

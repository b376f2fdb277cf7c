"""Where bytes are not UTF-8."""

import codecs

import numpy as np

from rollin.native.kernels import kernel

_PIECE = 1 << 14
_NOTHING_WRONG = np.zeros(0, np.int64)


def invalid_bytes(data: bytes) -> np.ndarray:
    """Give the places where decoding fails, in order; after one, it goes on at the next byte."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:  # in pieces: one rare letter makes the text that it is in four times as large
        for start in range(0, len(data), _PIECE):
            decoder.decode(view[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _find_invalid(np.frombuffer(data, np.uint8))
    return _NOTHING_WRONG


@kernel
def _find_invalid(data):
    """Find all places that no character begins at (RFC 3629, with its table of first bytes)."""
    found = np.empty(16, np.int64)
    count = place = 0
    size = len(data)
    while place < size:
        length = _character(data, place, size)
        if length > 0:
            place += length
            continue
        if count == len(found):
            longer = np.empty(2 * count, np.int64)
            longer[:count] = found
            found = longer
        found[count] = place
        count += 1
        place += 1
    return found[:count].copy()


@kernel
def _character(data, place, size):
    """Give the number of bytes of the character that begins here; 0 if none does."""
    first = data[place]
    if first < 0x80:
        return 1
    if first < 0xC2 or first > 0xF4:
        return 0
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if place + length > size:
        return 0
    for i in range(place + 1, place + length):
        if data[i] & 0xC0 != 0x80:
            return 0
    second = data[place + 1]
    if first == 0xE0 and second < 0xA0:  # could be written shorter
        return 0
    if first == 0xED and second > 0x9F:  # halves of surrogate pairs
        return 0
    if first == 0xF0 and second < 0x90:
        return 0
    if first == 0xF4 and second > 0x8F:  # beyond the last character
        return 0
    return length

"""The writer: the bytes that were read, with chosen columns replaced and nothing else touched."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rollin.errors import RollinError
from rollin.native.kernels import kernel

# What to put in a column: a number for every word, or numbers of names and the names.
Change = np.ndarray | tuple[np.ndarray, Sequence[str]]

_AS_NUMBER = -1  # in place of where a column's names start: its numbers are written as digits
_ZERO = 48
_LAST = 9  # the column that the end of the line follows


def splice(data: np.ndarray, edges: np.ndarray, changes: Mapping[int, Change]) -> bytes:
    """Give the bytes of `data` with columns replaced; a number below 0 leaves a field as it is."""
    columns = np.array(sorted(changes), np.int64)
    numbers = np.empty((len(columns), len(edges)), np.int32)
    first_name = np.full(len(columns), _AS_NUMBER, np.int64)
    names: list[bytes] = []
    for row, column in enumerate(columns.tolist()):
        change = changes[column]
        if isinstance(change, tuple):
            first_name[row] = len(names)
            numbers[row] = _checked(change[0], len(edges), len(change[1]))
            names += [_name(name, column == _LAST) for name in change[1]]
        else:
            numbers[row] = _checked(change, len(edges), None)
    ends = np.cumsum([0, *map(len, names)], dtype=np.int64)
    text = np.frombuffer(b"".join(names), np.uint8)
    out = np.empty(int(_measure(data, edges, columns, numbers, first_name, ends)), np.uint8)
    _splice(data, edges, columns, numbers, first_name, text, ends, out)
    return out.tobytes()


def _checked(numbers: Any, words: int, names: int | None) -> np.ndarray:
    numbers = np.asarray(numbers)
    if numbers.shape != (words,):
        raise RollinError(
            f"to replace a column, give one number for each of the {words} words of the block; "
            f"found an array of shape {numbers.shape}"
        )
    if names is not None and len(numbers) and numbers.max() >= names:
        raise RollinError(f"number {numbers.max()} has no name: {names} names were given")
    return numbers


def _name(name: str, last: bool) -> bytes:
    if not name or "\t" in name or "\n" in name or (last and name.endswith("\r")):
        raise RollinError(f"{name!r} can't stand in a column: it is empty, or has a tab or newline")
    return name.encode("utf-8", "surrogateescape")


@kernel
def _measure(data, edges, columns, numbers, first_name, ends):
    size = len(data)
    for word in range(len(edges)):
        for row in range(len(columns)):
            number = numbers[row, word]
            if number >= 0:
                column = columns[row]
                size -= edges[word, column + 1] - 1 - edges[word, column]
                if first_name[row] < 0:
                    size += _digits(number)
                else:
                    name = first_name[row] + number
                    size += ends[name + 1] - ends[name]
    return size


@kernel
def _splice(data, edges, columns, numbers, first_name, text, ends, out):
    copied = size = 0
    for word in range(len(edges)):
        for row in range(len(columns)):
            number = numbers[row, word]
            if number < 0:
                continue
            start = edges[word, columns[row]]
            size = _copy(data, copied, start, out, size)
            copied = edges[word, columns[row] + 1] - 1
            if first_name[row] < 0:
                place = size = size + _digits(number)
                while True:
                    place -= 1
                    out[place] = _ZERO + number % 10
                    number //= 10
                    if number == 0:
                        break
            else:
                name = first_name[row] + number
                size = _copy(text, ends[name], ends[name + 1], out, size)
    _copy(data, copied, len(data), out, size)


@kernel
def _digits(number):
    digits = 1
    while number >= 10:
        number //= 10
        digits += 1
    return digits


@kernel
def _copy(source, start, end, out, size):
    # Unsigned numbers can't count from the end of an array, so nothing has to be asked about them,
    # and the loop becomes one of wide moves: 0.1 ns a byte, not 1.
    one, i, length = np.uint64(1), np.uint64(0), np.uint64(end - start)
    read, write = np.uint64(start), np.uint64(size)
    while i < length:
        out[write + i] = source[read + i]
        i += one
    return size + end - start

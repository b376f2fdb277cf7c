"""Sparse features: what a decision looks at and notes, as rows of a table of weights.

Every slot shows all columns of its position, every note its value; templates multiply them. A
template names what it crosses, with wildcards:

    here * left              every column of one slot with every column of the other
    here.word * previous     one column of a slot with a note
    *.tag * *.tag            the tags of all slots, each with each
    s1 * b1 * b2             three of them

    here                     one part alone

Where no template is of one part, all parts count alone too; where some are, only those do. A part
crossed with itself, or a pair met twice, counts once. A template for some kinds of decision only
begins with their name, which may have wildcards as well:

    * label: s1.word
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import product

import numpy as np

from rollin.decisions.schema import Schema
from rollin.errors import RollinError
from rollin.native.hashing import hash_text, spread
from rollin.native.kernels import kernel
from rollin.native.prefetching import prefetch

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_CROSS = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
LINE = 16  # so many weights are in one line of the processor's cache


def part_names(schema: Schema, columns: tuple[str, ...]) -> list[str]:
    """Name the parts that templates cross: each column of each slot, then each note."""
    return [f"{slot}.{column}" for slot in schema.slots for column in columns] + list(schema.facts)


def expand(
    templates: Iterable[str], schema: Schema, columns: tuple[str, ...], decision: str
) -> np.ndarray:
    """Write the templates for a decision out as rows of three part numbers, -1 behind the last."""
    names = part_names(schema, columns)
    found: dict[tuple[int, ...], None] = {}
    for template in _for_decision(templates, schema, decision):
        factors = [_matching(factor, template, names) for factor in _factors(template)]
        if len(factors) > 3:
            raise RollinError(f"template {template!r} crosses {len(factors)} parts; three at most")
        for parts in product(*factors):
            distinct = tuple(sorted(set(parts)))
            if len(distinct) == len(factors):
                found[distinct] = None
    if not any(len(parts) == 1 for parts in found):
        found = {**dict.fromkeys((part,) for part in range(len(names))), **found}
    rows = [parts + (-1,) * (3 - len(parts)) for parts in found]
    return np.array(rows, np.int32).reshape(-1, 3)


def _for_decision(templates: Iterable[str], schema: Schema, decision: str) -> Iterator[str]:
    """Give the templates for a decision, without its name."""
    for template in templates:
        meant, colon, crossed = template.rpartition(": ")
        if colon and not any(fnmatchcase(name, meant) for name in schema.decisions):
            raise RollinError(
                f"{meant!r} in template {template!r} names nothing: the decisions are "
                f"{', '.join(schema.decisions)}"
            )
        if not colon or fnmatchcase(decision, meant):
            yield crossed


def _factors(template: str) -> list[str]:
    """Split at the stars that stand alone: in `*.tag * *.word` that is the middle one."""
    words = template.split()
    factors = [word for place, word in enumerate(words) if place % 2 == 0]
    if len(words) % 2 == 0 or any(word != "*" for word in words[1::2]):
        raise RollinError(
            f"template {template!r} is not of the form 'part * part' or 'part * part * part' "
            "(with a space on both sides of each *)"
        )
    return factors


def _matching(factor: str, template: str, names: list[str]) -> list[int]:
    matches = [
        number
        for number, name in enumerate(names)
        if fnmatchcase(name, factor) or fnmatchcase(name.split(".")[0], factor)
    ]
    if not matches:
        raise RollinError(
            f"{factor!r} in template {template!r} names nothing: the parts are {', '.join(names)}"
        )
    return matches


def salts(schema: Schema, columns: tuple[str, ...]) -> np.ndarray:
    """Give a random-looking number for every part, from its name."""
    return np.array([hash_text(name) for name in part_names(schema, columns)], np.uint64)


@kernel
def gather(
    features, origin, size, looked, noted, part_salts, templates,
    table, first, stride, shift, parts, found,
):  # fmt: skip
    """Find where the weights of a decision's features begin: `found`, and how many there are.

    Args:
        features: hashes of the input, positions x columns.
        origin: where the positions of this example begin; `size` of them are its own.
        looked: the position in each slot.
        noted: the value of each note.
        part_salts: from `salts`.
        templates: from `expand`.
        table: the weights, of which those found are asked for in advance.
        first: where this decision's part of the table begins; its rows are `stride` weights apart.
        shift: 64 less the number of bits of a row number.
        parts: overwritten, room for one number a part.
        found: overwritten, room for all features.
    """
    columns = features.shape[1]
    found[0] = first  # the constant feature
    count = 1
    part = 0
    for slot in range(len(looked)):
        position = looked[slot]
        inside = 0 <= position < size
        for column in range(columns):
            salt = part_salts[part]
            if inside:
                parts[part] = (features[origin + position, column] ^ salt) * _CROSS
            else:
                parts[part] = (salt + np.uint64(1 if position < 0 else 2)) * _CROSS
            part += 1
    for note in range(len(noted)):
        parts[part] = ((np.uint64(np.uint32(noted[note])) * _SPREAD) ^ part_salts[part]) * _CROSS
        part += 1
    for number in range(part):
        parts[number] ^= parts[number] >> _HALF
    for row in range(len(templates)):
        bits = parts[templates[row, 0]]
        second, third = templates[row, 1], templates[row, 2]
        if second >= 0:
            bits = (bits * _SPREAD + parts[second]) * _CROSS
            bits ^= bits >> _HALF
        if third >= 0:
            bits = (bits * _SPREAD + parts[third]) * _CROSS
            bits ^= bits >> _HALF
        start = first + np.int64((bits * _SPREAD) >> shift) * stride
        for line in range(0, stride, LINE):
            prefetch(table, start + line)
        prefetch(table, start + stride - 1)
        found[count] = start
        count += 1
    return count


def hash_columns(columns: dict[str, Iterable]) -> np.ndarray:
    """Hash the columns of one example to positions x columns."""
    hashed = [_hash_column(name, values) for name, values in columns.items()]
    if len({len(column) for column in hashed}) > 1:
        sizes = ", ".join(f"{name}: {len(c)}" for name, c in zip(columns, hashed, strict=True))
        raise RollinError(f"the columns of an example differ in length ({sizes})")
    return np.stack(hashed, axis=1) if hashed else np.zeros((0, 0), np.uint64)


def _hash_column(name: str, values: Iterable) -> np.ndarray:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        with np.errstate(over="ignore"):
            return spread_array(values.astype(np.int64).view(np.uint64))
    hashed = []
    for value in values:
        if isinstance(value, str):
            hashed.append(hash_text(value))
        elif isinstance(value, (int, np.integer, np.bool_)):
            hashed.append(hash_int(int(value)))
        else:
            raise RollinError(
                f"column {name!r} holds {value!r}, a {type(value).__name__}: columns hold text "
                "or whole numbers (cut other numbers into ranges first)"
            )
    return np.array(hashed, np.uint64)


def spread_array(values: np.ndarray) -> np.ndarray:
    """Hash an array of 64-bit numbers."""
    return spread(values ^ _SPREAD)


def hash_int(value: int) -> int:
    """Hash one whole number: the same as `spread_array`."""
    with np.errstate(over="ignore"):
        return int(spread_array(np.array([value], np.int64).view(np.uint64))[0])

"""The one hash function: text to 64 bits, and 64-bit numbers mixed with one another.

All arithmetic is on np.uint64 and wraps around; mixing in a signed integer would silently turn the
result into a float in NumPy. The functions give the same numbers compiled and interpreted.
"""

import functools

import numpy as np

from rollin.native.kernels import kernel
from rollin.native.structs import shared

_OFFSET = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x00000100000001B3)
_SPREAD_1 = np.uint64(0xFF51AFD7ED558CCD)
_SPREAD_2 = np.uint64(0xC4CEB9FE1A85EC53)
_SHIFT = np.uint64(33)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def hash_bytes(text, start, end):
    """Hash text[start:end], an array of bytes: FNV-1a, its bits then spread (MurmurHash3)."""
    value = _OFFSET
    for i in range(start, end):
        value = (value ^ np.uint64(text[i])) * _PRIME
    return spread(value)


@shared
def spread(value):
    """Let every bit of a 64-bit number touch every other (the finaliser of MurmurHash3)."""
    value = (value ^ (value >> _SHIFT)) * _SPREAD_1
    value = (value ^ (value >> _SHIFT)) * _SPREAD_2
    return value ^ (value >> _SHIFT)


@shared
def mix(first, second):
    """Combine two 64-bit numbers into one; the order matters."""
    return spread((first * _GOLDEN) ^ second)


@functools.lru_cache(maxsize=1 << 18)
def hash_text(text: str) -> int:
    """Hash a string: the same number as `hash_bytes` of its UTF-8 bytes."""
    mask = (1 << 64) - 1
    value = int(_OFFSET)
    for byte in text.encode("utf-8", "surrogateescape"):
        value = ((value ^ byte) * int(_PRIME)) & mask
    for factor in (_SPREAD_1, _SPREAD_2):
        value = ((value ^ (value >> 33)) * int(factor)) & mask
    return value ^ (value >> 33)

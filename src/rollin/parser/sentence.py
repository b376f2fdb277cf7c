"""What a decoder is given of a sentence. Word 0 of every array is the root."""

from typing import NamedTuple

import numpy as np


class Sentence(NamedTuple):
    """A sentence as decoders see it: what is right, where that is known, and what is allowed."""

    heads: np.ndarray
    """The right head of each word; UNKNOWN where nobody knows it, and for the root."""
    labels: np.ndarray
    """The number of the right label of each word; UNKNOWN likewise."""
    below_root: np.ndarray
    """For each label whether a word below the root can have it."""
    below_word: np.ndarray
    """For each label whether a word below another can have it."""
    several_roots: bool
    """Whether more than one word may be below the root."""
    keep: bool
    """Whether the heads and labels that are known must come out as they are."""

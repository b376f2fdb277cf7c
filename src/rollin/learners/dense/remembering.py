"""Products that were made before: where a vector depends on nothing but the position's own values.

Half of the words of a text are a few hundred words, over and over. With an encoder that looks at a
position alone, the same values make the same vector and the same products. So a finished model
keeps the products of the values it meets, the first so many, and decisions look them up there:
nothing is worked out twice, and nothing is copied. Each thread has a memory of its own.
"""

import numpy as np

from rollin.native.hashing import mix, spread
from rollin.native.kernels import kernel

ROOM = 2048
"""So many are kept: of running text that is three words in four, and some 15 MB."""
FIRST = 2
"""Before them stand the products for nothing, and for beyond the end."""


class Remembered:
    """Products by the values they were made from, and those of the positions shown last."""

    def __init__(self, blank: np.ndarray, first: np.ndarray) -> None:
        self._first, self.count = first, 0
        self.user: object = None  # whose positions were shown last: only theirs can be found here
        self.products = np.empty((FIRST + ROOM + 512, blank.shape[1]), np.float32)
        self.products[:FIRST] = blank
        self._keys = np.zeros(4 * ROOM, np.uint64)
        self._places = np.full(4 * ROOM, -1, np.int32)

    def recall(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Say where the products of all positions are to be found, and which are to be made.

        These are to be given to `make`, in the order given here.
        """
        where = np.empty(len(rows), np.int32)
        wanted = np.empty(len(rows), np.int64)
        self._new, more = recall(rows, self._keys, self._places, self.count, where, wanted)
        if FIRST + ROOM + more > len(self.products):
            more_room = np.empty((2 * more, self.products.shape[1]), np.float32)
            self.products = np.concatenate([self.products[: FIRST + ROOM], more_room])
        return where, wanted[: self._new + more]

    def make(self, x: np.ndarray) -> np.ndarray:
        """Make the products of vectors: those to be kept, and behind these the others."""
        products, new, start = self.products, self._new, FIRST + self.count
        np.matmul(x[:new], self._first, out=products[start : start + new])
        start = FIRST + ROOM
        np.matmul(x[new:], self._first, out=products[start : start + len(x) - new])
        self.count += new
        return products


@kernel
def recall(rows, keys, places, count, where, wanted):
    """Find what is kept; choose what is to be made: (how many to keep, how many others).

    Args:
        rows: the values of each position.
        keys: a table with open addressing: hashes of values.
        places: and where their products are among those kept (-1: nothing is there).
        count: how many are kept so far.
        where: overwritten: where the products of each position are, or will be.
        wanted: overwritten: the positions whose products are to be made.
    """
    mask = np.uint64(len(keys) - 1)
    new = others = 0
    for position in range(len(rows)):
        key = np.uint64(0)
        for column in range(rows.shape[1]):
            key = mix(key, np.uint64(rows[position, column]))
        place = np.int64(spread(key) & mask)
        while places[place] >= 0 and keys[place] != key:
            place = (place + 1) & np.int64(mask)
        if places[place] >= 0:
            where[position] = FIRST + places[place]
        elif count + new < ROOM:
            keys[place], places[place] = key, count + new
            where[position] = FIRST + count + new
            wanted[new] = position
            new += 1
        else:
            where[position] = FIRST + ROOM + others
            others += 1
    if others:  # behind those to keep stand the others
        behind = new
        for position in range(len(rows)):
            if where[position] >= FIRST + ROOM:
                wanted[behind] = position
                behind += 1
    return new, others

"""Which values of the input columns a dense learner has a vector for, and where it stands.

All columns share one table of vectors. Its first rows are for what is unknown, one for each column;
behind them stands a row for every value of a column that the training data shows often enough. A
value is found by its hash, in a table with open addressing: about ten nanoseconds each.
"""

import numpy as np

from rollin.native.hashing import hash_text, mix, spread
from rollin.native.kernels import kernel


class Vocabulary:
    """The values of all columns that have a row of their own."""

    def __init__(self, columns: tuple[str, ...], keys: np.ndarray) -> None:
        self.columns, self.keys = columns, keys
        self.salts = np.array([hash_text(f"column {name}") for name in columns], np.uint64)
        size = 1 << max(4, int(2 * len(keys)).bit_length())
        self._places = np.full(size, -1, np.int32)
        settle(keys, self._places, len(columns))

    @property
    def rows(self) -> int:
        return len(self.columns) + len(self.keys)

    @classmethod
    def of(
        cls, columns: tuple[str, ...], features: np.ndarray, least: int
    ) -> tuple["Vocabulary", np.ndarray]:
        """Collect what `features` shows at least so often; give the count of every row too."""
        empty = cls(columns, np.zeros(0, np.uint64))
        keys, counts = [], [np.zeros(len(columns), np.int64)]
        for number in range(len(columns)):
            values, seen = np.unique(features[:, number], return_counts=True)
            often = seen >= least
            salted = np.empty(int(often.sum()), np.uint64)
            salt(values[often], empty.salts[number], salted)
            keys.append(salted)
            counts.append(seen[often])
        together = np.concatenate(keys) if keys else np.zeros(0, np.uint64)
        return cls(columns, together), np.concatenate(counts)

    def find(self, features: np.ndarray) -> np.ndarray:
        """Give the row of every value: positions x columns."""
        found = np.empty(features.shape, np.int32)
        find_rows(features, self.salts, self.keys, self._places, found)
        return found


@kernel
def salt(values, own, salted):
    """Tell the values of one column apart from the same values of another."""
    for place in range(len(values)):
        salted[place] = mix(own, values[place])


@kernel
def settle(keys, places, columns):
    """Give every key a place in the table: the first free one from where its hash points."""
    mask = np.uint64(len(places) - 1)
    for number in range(len(keys)):
        place = np.int64(spread(keys[number]) & mask)
        while places[place] >= 0:
            place = (place + 1) & np.int64(mask)
        places[place] = columns + number


@kernel
def find_rows(features, salts, keys, places, found):
    """Find the row of every value; what has none gets that of its column's unknown values."""
    columns = len(salts)
    mask = np.uint64(len(places) - 1)
    for position in range(len(features)):
        for column in range(columns):
            key = mix(salts[column], features[position, column])
            place = np.int64(spread(key) & mask)
            row = column
            while places[place] >= 0:
                if keys[places[place] - columns] == key:
                    row = places[place]
                    break
                place = (place + 1) & np.int64(mask)
            found[position, column] = row

"""The settings of a dense learner, and what a model begins with."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rollin.decisions.schema import Schema
from rollin.errors import RollinError
from rollin.learners.dense.encoders import encoder_from
from rollin.learners.dense.model import DenseModel
from rollin.learners.dense.sizes import chosen_slots, fact_rows, lanes_for
from rollin.learners.dense.vocabulary import Vocabulary
from rollin.learners.protocol import Use


@dataclass(frozen=True, kw_only=True)
class Dense:
    """A dense model over slots: vectors for words, one hidden layer for decisions."""

    name: ClassVar[str] = "dense"
    reduction: ClassVar[str] = "softmax"

    encoder: str = "recur"
    """What gives a position its vector: embed (itself alone), conv (with its neighbours), recur
    (with all of its sentence)."""
    layers: int = 3
    """Of the encoder."""
    width: int = 128
    """Of a position's vector."""
    hidden: int = 192
    """Units of the hidden layer."""
    rate: float = 0.002
    batch: int = 16
    """Examples between two changes of the weights."""
    dropout: float = 0.3
    """Of the numbers in a vector, and of hidden units, while learning."""
    slots: str = ""
    """Which slots are seen, joined by +: "here+left" (all, if none is named)."""
    forget: float = 1.0
    """A value seen n times counts as unknown with probability forget / (forget + n)."""
    least: int = 2
    """How often a value must be seen to have a vector of its own."""

    def build(self, use: Use, seed: int, features: np.ndarray) -> "DenseModel":
        """Make an untrained model; the features of the training data decide what it knows."""
        for name in ("width", "hidden", "batch", "least"):
            if getattr(self, name) < 1:
                raise RollinError(f"dense: {name}={getattr(self, name)}, expected 1 or more")
        vocabulary, counts = Vocabulary.of(use.columns, features, self.least)
        arrays = _fresh(self, use.schema, vocabulary, seed)
        return DenseModel(self, use, seed, vocabulary, counts, arrays)

    def revive(self, use: Use, seed: int, stored: dict[str, np.ndarray], finished: bool) -> Any:
        """Make a model again from what `stored` gave."""
        arrays = dict(stored)
        vocabulary = Vocabulary(use.columns, np.array(arrays.pop("keys")))
        if finished:
            return DenseModel.of_packed(self, use, seed, vocabulary, arrays)
        counts, steps = np.array(arrays.pop("counts")), int(arrays.pop("steps")[0])
        owned = {name: np.array(array) for name, array in arrays.items()}
        return DenseModel(self, use, seed, vocabulary, counts, owned, steps=steps)


def _fresh(dense: Dense, schema: Schema, vocabulary: Vocabulary, seed: int) -> dict[str, Any]:
    """Draw the weights to begin with."""
    chance = np.random.default_rng([seed, 7])
    width, hidden, slots = dense.width, dense.hidden, len(chosen_slots(dense, schema))

    def drawn(*shape: int, spread: float) -> np.ndarray:
        return (chance.standard_normal(shape) * spread).astype(np.float32)

    encoder = encoder_from(dense.encoder, dense.layers)
    arrays = {"table": drawn(vocabulary.rows, width, spread=0.1)}
    for name, shape in encoder.shapes(width).items():
        if len(shape) == 1:
            arrays[name] = np.full(shape, name.endswith("gain"), np.float32)
        else:
            arrays[name] = drawn(*shape, spread=(2.0 / sum(shape)) ** 0.5)
    lanes = sum(lanes_for(len(actions)) for actions in schema.decisions.values())
    return arrays | {
        "first": drawn(width, slots * hidden, spread=(2.0 / (width * max(slots, 1))) ** 0.5),
        "blank": drawn(2, slots * hidden, spread=0.1),
        "facts": drawn(len(schema.facts) * fact_rows(schema), hidden, spread=0.1),
        "kinds": np.zeros((len(schema.decisions), hidden), np.float32),
        "out": drawn(lanes * hidden, spread=0.5 / hidden**0.5),
        "out_shift": np.zeros((len(schema.decisions), lanes_for(schema.most_actions)), np.float32),
    }

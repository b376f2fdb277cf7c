"""Encoders: what turns the input of a dense learner into a vector for every position.

An encoder is a class with

    alone                                    whether it looks at a position by itself
    shapes(width)                            the arrays it learns, by name
    forward(arrays, base, starts, room)      a vector for every position, and a tape
    backward(arrays, tape, starts, slope, into, room)
                                             from the gradient of the vectors that of `base`;
                                             those of its arrays are put into `into`, which
                                             holds zeros

`base` is the sum of the vectors of a position's columns. The positions of several examples stand
one behind the other, example i from starts[i] to starts[i + 1]. Arrays come from `room(*shape)`:
see rollin.learners.dense.room.
"""

from typing import Any

from rollin.errors import RollinError
from rollin.learners.dense.encoders.conv import Conv
from rollin.learners.dense.encoders.embed import Embed
from rollin.learners.dense.encoders.recur import Recur

ENCODERS: dict[str, Any] = {each.name: each for each in (Embed, Conv, Recur)}


def encoder_from(name: str, layers: int) -> Any:
    """Find an encoder by its name."""
    if name not in ENCODERS:
        raise RollinError(f"there is no encoder {name!r}: choose from {', '.join(ENCODERS)}")
    return ENCODERS[name](layers)

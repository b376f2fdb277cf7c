"""What the compiler asks of a learner: three small interfaces, one for each part it plays.

A `Learner` is a value: settings, chosen by the user. It builds a `Learned`, the weights for one
task. Each thread that decides or learns with them has a `Workspace`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from rollin.decisions.schema import Schema


@dataclass(frozen=True)
class Use:
    """What a model is for: the task, the columns of its input, and how costs become gradients."""

    schema: Schema
    columns: tuple[str, ...]
    templates: tuple[str, ...]
    reduction: str = "onesided"
    scaling: str = "raw"


class Shown(Protocol):
    """The examples a workspace decides about: the hashed columns of all their positions."""

    features: np.ndarray
    origins: np.ndarray
    sizes: np.ndarray

    def __len__(self) -> int: ...


class Workspace(Protocol):
    """What one thread needs to decide, and to learn."""

    struct: Any
    """What `score` and `update` find as `search.model`."""
    lost: bool
    """Whether what was shown has to be shown again: others may have used the same memory since."""

    def show(self, data: Shown, numbers: np.ndarray, learning: bool) -> None:
        """Prepare for decisions about some of the examples."""

    def pass_back(self) -> None:
        """Bring what was learned from them to where `change` finds it."""


class Learned(Protocol):
    """The weights for one task, while they are learned or when they are."""

    learner: Any
    use: Use
    seed: int
    finished: bool
    arrays: dict[str, np.ndarray]
    batch: int
    """How many examples are learned from together, between two changes."""
    positions: int
    """How many positions are best shown at once while predicting (0: all there are)."""
    online: bool
    """Whether `update` changes the weights at once: then only one thread can learn."""
    progress: float
    """How much of the training is done, 0 to 1, for rates that fall."""

    def workspace(self, make: Callable[..., Any] | None, call: Callable[..., Any]) -> Workspace:
        """Make what one thread works with.

        Args:
            make: builds the struct from keyword arguments (None: as native code takes it).
            call: calls a shared function, natively or as plain Python.
        """

    def functions(self) -> tuple[Any, Any]:
        """Give the shared functions (score, update), each of a search and a row."""

    def change(self, spaces: Sequence[Any], each: Callable[..., Any] = map) -> None:
        """Change the weights by what the workspaces have gathered, if `update` did not.

        What can be done side by side goes through `each`: `map`, or that of a pool of threads.
        """

    def finish(self) -> "Learned":
        """Give the model to predict with."""

    def stored(self) -> dict[str, np.ndarray]:
        """Give what a file keeps."""

    def restore(self, stored: dict[str, np.ndarray]) -> None:
        """Take back what `stored` gave, to go on learning."""


class Learner(Protocol):
    """The settings of a learner."""

    name: ClassVar[str]
    reduction: ClassVar[str]
    """What it makes of costs where the method leaves that to the learner."""

    def build(self, use: Use, seed: int, features: np.ndarray) -> Any:
        """Make an untrained model; `features` are those of all training examples."""

    def revive(self, use: Use, seed: int, stored: dict[str, np.ndarray], finished: bool) -> Any:
        """Make a model again from what `stored` gave."""

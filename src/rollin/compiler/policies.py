"""Who acts: the reference, what was learned so far, or a mixture of the two."""

from dataclasses import dataclass

from rollin.errors import RollinError


@dataclass(frozen=True)
class Policy:
    """A policy for rolling in or out, as the probability that the reference acts.

    It starts at `reference` in the first pass and at `later` in the others (by default the same),
    and every decision trained on takes the part `decay` of it away: after t of them it is
    reference * (1 - decay)^t. So 1 - (1 - decay)^t is the probability of the learned policy, which
    is what the paper's formula gives, not, as its text has it, that of the reference.
    """

    reference: float
    later: float | None = None
    decay: float = 0.0
    by_run: bool = False
    """Draw who acts once for a whole run, not anew for every decision."""

    def __post_init__(self) -> None:
        for share in (self.reference, self.reference if self.later is None else self.later):
            if not 0.0 <= share <= 1.0:
                raise RollinError(f"{share} is no probability of the reference: expected 0 to 1")
        if not 0.0 <= self.decay < 1.0:
            raise RollinError(f"decay={self.decay}: expected at least 0 and less than 1")

    def share(self, epoch: int) -> float:
        """Give the probability that the reference acts, before decay."""
        return self.reference if epoch == 0 or self.later is None else self.later


LEARNED = Policy(reference=0.0)
REFERENCE = Policy(reference=1.0)


def mixture(reference: float = 1.0, decay: float = 0.0, by_run: bool = False) -> Policy:
    """Mix the reference with the learned policy; `decay=1e-5` is the paper's schedule."""
    return Policy(reference=reference, decay=decay, by_run=by_run)

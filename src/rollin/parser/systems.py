"""The transition systems by name, and the task that a parser with one of them is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rollin.errors import RollinError
from rollin.parser import arc_eager, arc_hybrid, arc_hybrid_swap, arc_standard, choices
from rollin.parser.choosing import after, ask_with_costs, ask_with_reference, bare, joint
from rollin.parser.view import NOTES, SLOTS
from rollin.training.task import Task


@dataclass(frozen=True)
class System:
    """A transition system."""

    decoder: Callable[[Callable], Callable]
    transitions: tuple[str, ...]
    """Their names; the last two make arcs."""
    crosses: bool = False
    """Whether it can make arcs that cross."""
    lifts: bool = False
    """Whether that is by lifting them: the decoder itself makes none."""
    exact: bool = True
    """Whether it knows what transitions cost. If not, the one that seems best is a reference."""


SYSTEMS = {  # all that choices.py lists
    "arc-hybrid": System(arc_hybrid.arc_hybrid, arc_hybrid.TRANSITIONS),
    "arc-eager": System(arc_eager.arc_eager, arc_eager.TRANSITIONS),
    "arc-standard": System(arc_standard.arc_standard, arc_standard.TRANSITIONS, exact=False),
    "moved": System(arc_hybrid.arc_hybrid, arc_hybrid.TRANSITIONS, crosses=True, lifts=True),
    "swap": System(arc_hybrid_swap.arc_hybrid_swap, arc_hybrid_swap.TRANSITIONS, crosses=True),
}
CHOOSING: dict[str, Any] = {"after": after, "joint": joint, "bare": bare}


def parser_task(
    system: str, labels: str, names: Iterable[str], templates: Iterable[str] = ()
) -> Task:
    """Make the task of parsing.

    Args:
        system: the transition system.
        labels: how labels are chosen: after the transition, joint with it, or not at all (bare).
        names: the labels.
        templates: what sparse learners cross.
    """
    if system not in SYSTEMS:
        raise RollinError(
            f"there is no system {system!r}: choose from auto, {', '.join(choices.SYSTEMS)}"
        )
    if labels not in CHOOSING:
        raise RollinError(
            f"labels can't be chosen {labels!r}: expected one of {', '.join(choices.LABELS)}"
        )
    chosen, names = SYSTEMS[system], tuple(names)
    decisions: dict[str, tuple[str, ...]] = {"transition": chosen.transitions}
    if labels == "after":
        decisions |= {"left label": names, "right label": names}
    if labels == "joint":
        arcs = [f"{side} {name}" for side in chosen.transitions[-2:] for name in names]
        decisions = {"transition": (*chosen.transitions[:-2], *arcs)}
    return Task(
        chosen.decoder(CHOOSING[labels](ask_with_costs if chosen.exact else ask_with_reference)),
        slots=SLOTS,
        notes=NOTES,
        decisions=decisions,
        templates=templates,
        checked=False,
        name=f"parser {system} {labels}",
    )


def suitable_system(crossing: float) -> str:
    """Choose a system for a treebank, of whose sentences such a part has crossing arcs."""
    return "moved" if crossing > _FEW else "arc-hybrid"


_FEW = 0.1  # with fewer there is not enough to learn from

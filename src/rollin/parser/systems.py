"""The transition systems by name, and the task that a parser with one of them is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rollin.errors import RollinError
from rollin.parser import arc_hybrid, choosing
from rollin.parser.view import NOTES, SLOTS
from rollin.training.task import Task


@dataclass(frozen=True)
class System:
    """A transition system."""

    decoder: Callable[[Callable], Callable]
    transitions: tuple[str, ...]
    crosses: bool
    """Whether it can make arcs that cross."""


SYSTEMS = {
    "arc-hybrid": System(arc_hybrid.arc_hybrid, arc_hybrid.TRANSITIONS, crosses=False),
}
CHOOSING: dict[str, Any] = {
    "after": choosing.after,
    "joint": choosing.joint,
    "bare": choosing.bare,
}


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
        raise RollinError(f"there is no system {system!r}: choose from {', '.join(SYSTEMS)}")
    if labels not in CHOOSING:
        raise RollinError(f"labels can't be chosen {labels!r}: expected {', '.join(CHOOSING)}")
    chosen, names = SYSTEMS[system], tuple(names)
    decisions: dict[str, tuple[str, ...]] = {"transition": chosen.transitions}
    if labels == "after":
        decisions |= {"left label": names, "right label": names}
    if labels == "joint":
        arcs = [f"{side} {name}" for side in chosen.transitions[-2:] for name in names]
        decisions = {"transition": (*chosen.transitions[:-2], *arcs)}
    return Task(
        chosen.decoder(CHOOSING[labels](choosing.ask_with_costs)),
        slots=SLOTS,
        notes=NOTES,
        decisions=decisions,
        templates=templates,
        checked=False,
        name=f"parser {system} {labels}",
    )


def suitable_system(crossing: float) -> str:
    """Choose a system for a treebank of which so many sentences have crossing arcs."""
    return "arc-hybrid"

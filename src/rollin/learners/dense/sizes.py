"""How large the parts of a dense model are."""

from typing import Any

from rollin.decisions.schema import Schema
from rollin.learners.features import LINE


def chosen_slots(dense: Any, schema: Schema) -> list[int]:
    """Give the numbers of the slots that are seen."""
    names = [name for name in dense.slots.split("+") if name]
    return [schema.number("slot", name) for name in names] or list(range(len(schema.slots)))


def whole_lines(count: int) -> int:
    """Round up to whole lines of the cache; they are whole vector registers, too."""
    return -(-count // LINE) * LINE


def lanes_for(actions: int) -> int:
    """Say how many numbers an output row has for so many actions."""
    return whole_lines(actions)


def fact_rows(schema: Schema) -> int:
    """Say how many values of a note are told apart; others fall together with one of these."""
    return max(32, 1 << (schema.most_actions + 1).bit_length())

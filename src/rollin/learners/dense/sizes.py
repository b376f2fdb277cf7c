"""How large the parts of a dense model are."""

from typing import Any

from rollin.decisions.schema import Schema

_LANES = 16  # output rows are padded to whole vector registers


def chosen_slots(dense: Any, schema: Schema) -> list[int]:
    """Give the numbers of the slots that are seen."""
    names = [name for name in dense.slots.split("+") if name]
    return [schema.number("slot", name) for name in names] or list(range(len(schema.slots)))


def lanes_for(actions: int) -> int:
    """Say how many numbers an output row has for so many actions."""
    return -(-actions // _LANES) * _LANES


def fact_rows(schema: Schema) -> int:
    """Say how many values of a note are told apart; others fall together with one of these."""
    return max(32, 1 << (schema.most_actions + 1).bit_length())

"""Watching one run of a decoder: every decision, and what deviating from it would have cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rollin.compiler.acting import let_act
from rollin.decisions.state import begin, make_room, show_example
from rollin.native.hashing import mix
from rollin.native.structs import shared, struct_at

if TYPE_CHECKING:
    from rollin.compiler.running import Bound


@dataclass
class Run:
    """What happened in a run, decision by decision."""

    loss: float
    kind: np.ndarray
    chosen: np.ndarray
    reference: np.ndarray
    told: np.ndarray
    looked: np.ndarray
    noted: np.ndarray
    allowed: np.ndarray
    cost: np.ndarray
    scores: np.ndarray

    def __len__(self) -> int:
        return len(self.kind)


def watch(bound: "Bound", number: int, reference_share: float, seed: int) -> Run:
    """Run the decoder on an example and write everything down."""
    place = _place(bound, number)
    loss, steps = bound.call(record, bound.run, *place, float(reference_share), seed)
    run = Run(float(loss), *(np.array(rows) for rows in bound.call(recorded, steps)))
    # a row is as wide as the widest decision: what lies beyond this one's actions is of others
    actions = np.array([len(each) for each in bound.runner.schema.decisions.values()])
    run.allowed &= np.arange(run.allowed.shape[1]) < actions[run.kind][:, None]
    return run


def try_out(
    bound: "Bound", number: int, run: Run, step: int, action: int, share: float, seed: int = 0
) -> float:
    """Give the loss of a run that takes another action at one step; then a policy finishes it."""
    path = np.array([*run.chosen[:step], action], np.int32)
    place = _place(bound, number)
    return float(bound.call(deviate_from, bound.run, *place, path, float(share), seed))


def _place(bound: "Bound", number: int) -> tuple:
    data = bound.data
    bound.turn_to(number)
    return data.boxes, number, data.origins[number], data.sizes[number]


@shared
def record(search, run, boxes, number, origin, size, share, seed):
    """Run with a mixture of policies, keep a row for every decision; give loss and number."""
    show_example(search, number, origin, size)
    search.chance = mix(np.uint64(seed), np.uint64(number))
    search.recording = search.scoring = True
    search.remembering = search.weighing = False
    search.replay, search.halt_at = 0, -1
    let_act(search, share)
    begin(search)
    run(search, struct_at(boxes[number]))
    search.recording = search.scoring = False
    return search.total, search.step


@shared
def recorded(search, steps):
    """Give the first rows of the last recorded run."""
    return (
        search.kind[:steps],
        search.chosen[:steps],
        search.reference[:steps],
        search.told[:steps],
        search.looked[:steps],
        search.noted[:steps],
        search.allowed[:steps],
        search.cost[:steps],
        search.scores[:steps],
    )


@shared
def deviate_from(search, run, boxes, number, origin, size, path, share, seed):
    """Replay a path, then let a policy finish; give the loss."""
    show_example(search, number, origin, size)
    search.chance = mix(mix(np.uint64(seed), np.uint64(number)), np.uint64(len(path)))
    search.recording = search.scoring = search.remembering = search.weighing = False
    while search.capacity <= len(path):
        make_room(search)
    for before in range(len(path)):
        search.path[before] = path[before]
    search.replay, search.halt_at = len(path), -1
    let_act(search, share)
    begin(search)
    run(search, struct_at(boxes[number]))
    return search.total

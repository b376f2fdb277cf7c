"""Beam search, for any task: the k best ways to run a decoder, and what each comes to.

All hypotheses of a step have taken equally many decisions. To go on, each is reached by replaying
its decisions, which costs little; the next one is scored (what the run decides behind it does not
matter), and the best continuations of all hypotheses go on. What a decoder returns is what it
returns on the path.

An output's score is the sum of what its decisions lost: with a learner that gives probabilities
their logarithms; with one that predicts costs, the predicted costs with a minus sign, where a cost
below zero counts as none.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rollin.compiler.acting import let_act
from rollin.compiler.certainty import weigh
from rollin.decisions.state import begin, make_room, show_example
from rollin.native.structs import lend, shared, struct_at

if TYPE_CHECKING:
    from rollin.compiler.running import Bound

ENDED, DECIDING, FAILED = range(3)


class Output(NamedTuple):
    """One of the best outputs for an example: what the decoder returned, its score and its loss."""

    value: Any
    score: float
    loss: float


def search_beam(bound: "Bound", number: int, width: int, count: int) -> list[Output]:
    """Give the best outputs for one example."""
    data = bound.data
    bound.turn_to(number)
    place = (data.boxes, number, data.origins[number], data.sizes[number])
    found, paths, lengths, totals = bound.call(beam, bound.run, *place, width)
    if found < 0:  # the decoder failed on the last path: run it once more, to see the error
        bound.call(follow, bound.run, *place, paths[-1 - found], lengths[-1 - found])
        raise AssertionError("a decoder failed once and then did not")
    outputs = []
    for best in range(min(count, found)):
        loss = bound.call(follow, bound.run, *place, paths[best], lengths[best])
        outputs.append(Output(bound.result(number), float(totals[best]), float(loss)))
    return outputs


@shared
def beam(search, run, boxes, number, origin, size, width):
    """Find the best paths: (how many, paths, lengths, totals), the best first.

    Where a run of the decoder fails, the number is negative: -1 - the row of that path.
    """
    show_example(search, number, origin, size)
    search.recording = search.scoring = search.remembering = search.weighing = False
    let_act(search, 0.0)
    box = struct_at(boxes[number])
    most = search.scores.shape[1]
    paths, spare = np.zeros((width, 64), np.int32), np.zeros((width, 64), np.int32)
    lengths, spare_lengths = np.zeros(width, np.int64), np.zeros(width, np.int64)
    totals, ended = np.zeros(width, np.float64), np.zeros(width, np.bool_)
    gains = np.zeros(most, np.float64)
    parent, action = np.zeros(width, np.int64), np.zeros(width, np.int64)
    new_totals, edges = np.zeros(width, np.float64), np.zeros(width, np.float64)
    alive, step = 1, 0
    while True:
        kept, going = 0, False
        for row in range(alive):
            state = ENDED
            if not ended[row]:
                state = reach(search, run, box, paths[row], step)
            if state == FAILED:
                search.halt_at = -1
                return -1 - row, paths, lengths, totals
            if state == ENDED:
                if not ended[row]:
                    ended[row], lengths[row] = True, step
                kept = insert(
                    totals[row], 0.0, row, -1, new_totals, edges, parent, action, kept, width
                )
            else:
                going = True
                weigh(search, gains)
                for choice in range(search.actions_of[search.kind[search.capacity]]):
                    if search.allowed[search.capacity, choice]:
                        edge = float(search.scores[search.capacity, choice])
                        total = totals[row] + gains[choice]
                        kept = insert(
                            total, edge, row, choice, new_totals, edges, parent, action, kept, width
                        )
        if not going:
            break
        if step >= paths.shape[1]:
            paths, spare = wider(paths), wider(spare)
        for row in range(kept):
            old = parent[row]
            for before in range(step):
                spare[row, before] = paths[old, before]
            spare_lengths[row] = lengths[old] if action[row] < 0 else step + 1
            if action[row] >= 0:
                spare[row, step] = action[row]
        paths, spare = spare, paths
        lengths, spare_lengths = spare_lengths, lengths
        for row in range(kept):
            totals[row], ended[row] = new_totals[row], action[row] < 0
        alive, step = kept, step + 1
    search.halt_at = -1
    return alive, paths, lengths, totals


@shared
def reach(search, run, box, path, step):
    """Bring the decoder to the decision behind a path, and score what is possible there."""
    while search.capacity <= step:
        make_room(search)
    for before in range(step):
        search.path[before] = path[before]
    search.replay = search.halt_at = step
    search.halted = False
    begin(search)
    failed = False
    try:
        run(search, box)
    except Exception:
        failed = True
    if search.halted:  # what came behind that does not matter
        search.score(lend(search), search.capacity)
        return DECIDING
    return FAILED if failed else ENDED


@shared
def follow(search, run, boxes, number, origin, size, path, length):
    """Run the decoder along a path; give the loss."""
    show_example(search, number, origin, size)
    while search.capacity <= length:
        make_room(search)
    for before in range(length):
        search.path[before] = path[before]
    search.replay, search.halt_at = length, -1
    begin(search)
    run(search, struct_at(boxes[number]))
    return search.total


@shared
def insert(total, edge, row, choice, totals, edges, parent, action, kept, width):
    """Put a continuation among the best so far, in order; equals stay in the order they came."""
    place = kept
    while place > 0 and (
        total > totals[place - 1] or (total == totals[place - 1] and edge > edges[place - 1])
    ):
        place -= 1
    if place >= width:
        return kept
    for later in range(min(kept, width - 1), place, -1):
        totals[later], edges[later] = totals[later - 1], edges[later - 1]
        parent[later], action[later] = parent[later - 1], action[later - 1]
    totals[place], edges[place], parent[place], action[place] = total, edge, row, choice
    return min(kept + 1, width)


@shared
def wider(paths):
    """Copy paths into an array for paths of twice the length."""
    new = np.zeros((paths.shape[0], 2 * paths.shape[1]), np.int32)
    for row in range(paths.shape[0]):
        for step in range(paths.shape[1]):
            new[row, step] = paths[row, step]
    return new

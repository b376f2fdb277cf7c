"""Running a decoder over examples: to predict, to train, and to try out deviations.

One example is learned from in four steps: roll in and record every decision; choose the steps to
deviate at; work out what every action there costs (told by the task, or by re-running the decoder
with the recorded prefix, the one changed action and the roll-out policy behind it); update the
learner on those rows. All of it is `shared`: native in native code, and plain Python when the
decoder is interpreted.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from rollin.compiler.acting import draw, let_act
from rollin.decisions.state import (
    BAD_LOSS,
    COSTS_TOLD,
    NOTHING_TOLD,
    begin,
    fail,
    forget,
    search_type,
    show_example,
)
from rollin.native.hashing import mix
from rollin.native.structs import erased, lend, shared, struct_at

RUN = types.FunctionType(types.void(search_type, erased))
"""The type of a compiled decoder: a search and an example."""


class Plan(NamedTuple):
    """Everything about training that a method sets, in numbers (see methods.py for the words)."""

    seed: int
    epoch: int
    roll_in_share: float  # probability of the reference while rolling in, before it decays
    roll_in_decay: float  # it shrinks by this part with every decision trained on
    roll_in_by_run: bool  # drawn once a run rather than once a decision
    roll_out: bool  # find costs by roll-outs (otherwise the task tells them)
    roll_out_share: float
    roll_out_decay: float
    roll_out_by_run: bool
    sample: int  # how many steps of a run to learn from (0: all)
    margin: float  # only where the best score leads by less, or the reference disagrees (< 0: all)
    until_mistake: bool  # nothing is learned behind the first mistake (early update)


# What `learn` counts, in the order of its tally.
COUNTS = ("examples", "decisions", "loss", "learned_from", "roll_outs", "replayed")
EXAMPLES, DECISIONS, LOSS, LEARNED_FROM, ROLL_OUTS, REPLAYED = range(len(COUNTS))


@shared
def predict(search, run, boxes, origins, sizes, first, last, losses, weighing):
    """Run the learned policy on examples first..last; the decoder's results stay in the boxes."""
    search.recording = search.scoring = search.remembering = False
    search.weighing = weighing
    search.replay = 0
    let_act(search, 0.0)
    for number in range(first, last):
        show_example(search, number, origins[number], sizes[number])
        begin(search)
        run(search, struct_at(boxes[number]))
        losses[number] = search.total


@shared
def learn(search, run, boxes, origins, sizes, order, first, last, plan, tally):
    """Train on the examples order[first:last], adding to the tally."""
    for place in range(first, last):
        number = order[place]
        show_example(search, number, origins[number], sizes[number])
        roll_in(search, run, struct_at(boxes[number]), plan, tally)
        learn_from_rows(search, run, struct_at(boxes[number]), plan, tally)


@shared
def trained(search):
    """Say how many decisions were trained on so far: what schedules go by."""
    return search.trained


@shared
def set_trained(search, count):
    """Go on counting from there."""
    search.trained = count


@shared
def roll_in(search, run, box, plan, tally):
    """Run the decoder once and keep a row for every decision."""
    search.chance = mix(mix(np.uint64(plan.seed), np.uint64(plan.epoch)), np.uint64(search.current))
    search.recording = True
    search.scoring = plan.margin >= 0.0 or plan.until_mistake
    search.remembering, search.weighing = plan.roll_out, False
    share = shrunk(plan.roll_in_share, plan.roll_in_decay, search.trained)
    let_act(search, settle(search, share, plan.roll_in_by_run, 1))
    search.replay = 0
    begin(search)
    run(search, box)
    if not np.isfinite(search.total):
        fail(search, BAD_LOSS, search.total)
    search.recording = search.scoring = False
    search.rolled_in = search.step
    tally[EXAMPLES] += 1
    tally[DECISIONS] += search.step
    tally[LOSS] += search.total


@shared
def shrunk(share, decay, trained):
    """Give the reference's share after `trained` decisions, each of which takes its part away."""
    if decay == 0.0 or share == 0.0:
        return share
    return share * math.exp(trained * math.log1p(-decay))


@shared
def settle(search, share, by_run, salt):
    """Where the policy is drawn by run, draw it now: the share becomes 0 or 1."""
    if by_run and 0.0 < share < 1.0:
        return 1.0 if draw(search.chance + np.uint64(salt), 0) < share else 0.0
    return share


@shared
def learn_from_rows(search, run, box, plan, tally):
    """Work out the costs of the recorded decisions worth learning from; then learn from them."""
    steps, loss = search.step, search.total
    chosen = np.zeros(steps, np.bool_)
    mark_steps(search, steps, plan, chosen)
    for step in range(steps):
        if step > 0:
            search.path[step - 1] = search.chosen[step - 1]
        if chosen[step]:
            if plan.roll_out:
                try_actions(search, run, box, plan, step, steps, loss, tally)
            elif search.told[step] == COSTS_TOLD:
                relative_costs(search, step)
            else:
                cost_by_reference(search, step)
    for step in range(steps):
        if chosen[step]:
            search.update(lend(search), step)
            search.trained += 1
            tally[LEARNED_FROM] += 1
    forget(search)


@shared
def mark_steps(search, steps, plan, chosen):
    """Mark the steps to learn from: real choices, and of those the ones that the plan wants."""
    left, wanted = 0, plan.sample
    judging = plan.margin >= 0.0 or plan.until_mistake
    for step in range(steps):
        if has_choice(search, step) and (plan.roll_out or search.told[step] != NOTHING_TOLD):
            mistaken = judging and search.told[step] != NOTHING_TOLD and wrong(search, step)
            if plan.margin < 0.0 or mistaken or lead(search, step) < plan.margin:
                chosen[step] = True
                left += 1
            if mistaken and plan.until_mistake:
                break
    if wanted > 0:
        # every set of `wanted` steps is equally likely (Knuth's selection sampling)
        for step in range(steps):
            if chosen[step]:
                chosen[step] = draw(search.chance + np.uint64(2), step) * left < wanted
                left -= 1
                wanted -= chosen[step]


@shared
def has_choice(search, row):
    """Say whether more than one action was allowed."""
    count = 0
    for action in range(search.actions_of[search.kind[row]]):
        count += search.allowed[row, action]
    return count > 1


@shared
def wrong(search, row):
    """Say whether the learned policy would have acted against the reference."""
    best = best_scored(search, row)
    if search.told[row] == COSTS_TOLD:
        return search.cost[row, best] > search.cost[row, search.reference[row]]
    return best != search.reference[row]


@shared
def best_scored(search, row):
    """Give the allowed action with the highest score."""
    best = -1
    for action in range(search.actions_of[search.kind[row]]):
        if search.allowed[row, action]:
            if best < 0 or search.scores[row, action] > search.scores[row, best]:
                best = action
    return best


@shared
def lead(search, row):
    """Give the distance between the best score and the second."""
    best = best_scored(search, row)
    second = -1
    for action in range(search.actions_of[search.kind[row]]):
        if search.allowed[row, action] and action != best:
            if second < 0 or search.scores[row, action] > search.scores[row, second]:
                second = action
    return float(search.scores[row, best]) - float(search.scores[row, second])


@shared
def cost_by_reference(search, row):
    """Without costs, every action but the reference costs one."""
    for action in range(search.actions_of[search.kind[row]]):
        search.cost[row, action] = 0.0 if action == search.reference[row] else 1.0


@shared
def try_actions(search, run, box, plan, step, steps, roll_in_loss, tally):
    """Find the cost of every allowed action at a step by running each to the end."""
    same_policies = (
        plan.roll_in_share == plan.roll_out_share
        and (plan.roll_in_share == 0.0 or plan.roll_in_share == 1.0)
        and plan.roll_in_decay == 0.0
        and plan.roll_out_decay == 0.0
    )
    kept = search.chance
    search.chance = mix(kept, np.uint64(step + 3))  # the same luck for every action of this step
    share = shrunk(plan.roll_out_share, plan.roll_out_decay, search.trained)
    share = settle(search, share, plan.roll_out_by_run, 1)
    for action in range(search.actions_of[search.kind[step]]):
        if search.allowed[step, action]:
            if same_policies and action == search.chosen[step]:
                search.cost[step, action] = roll_in_loss
            else:
                search.cost[step, action] = deviate(search, run, box, step, action, share)
                tally[ROLL_OUTS] += 1
                tally[REPLAYED] += step + 1
    search.chance = kept
    relative_costs(search, step)


@shared
def deviate(search, run, box, step, action, share):
    """Replay up to a step, take another action there, let the roll-out policy finish: the loss."""
    search.path[step] = action
    search.replay = step + 1
    let_act(search, share)
    begin(search)
    run(search, box)
    search.replay = 0
    if not np.isfinite(search.total):
        fail(search, BAD_LOSS, search.total)
    return search.total


@shared
def relative_costs(search, row):
    """Count costs from the cheapest allowed action."""
    least = np.inf
    for action in range(search.actions_of[search.kind[row]]):
        if search.allowed[row, action]:
            least = min(least, search.cost[row, action])
    for action in range(search.actions_of[search.kind[row]]):
        search.cost[row, action] -= least

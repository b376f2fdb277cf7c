"""Scheduling one machine: in which order to do jobs that have deadlines, some of which will pass.

Nothing here is language, and nothing is known of the loss before the end: it is how late the jobs
were, each by its weight. Two rules are old and simple. To do first what is due first is best if
everything can be done in time (Jackson 1955); to do first what weighs most for the time it takes is
best if everything is late anyway (Smith 1956). In between neither is right, and what is best at a
moment depends on all that is still to be done. A decision is which of the two rules to follow.

The reference follows the first rule always. It is often wrong, so imitating it teaches nothing;
methods that try out what their own decisions lead to (`method="lols"`) come to do better than it.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rollin.training.task import Task

DUE_FIRST, QUICK_FIRST = range(2)


class Jobs(NamedTuple):
    """Jobs to be done, in hours and weights."""

    time: np.ndarray
    due: np.ndarray
    weight: np.ndarray


def scheduler() -> Task:
    """Make the task."""
    return Task(
        schedule,
        slots="due quick",
        notes="spare_due spare_quick late behind left",
        decisions={"rule": ("due first", "quick first")},
        inputs=job_columns,
        templates=("* * *",),
        name="scheduling",
    )


def schedule(search, jobs):
    """Find an order of the jobs."""
    count = len(jobs.time)
    done = np.zeros(count, np.bool_)
    order = np.empty(count, np.int64)
    clock, lateness = 0.0, 0.0
    for place in range(count):
        due, quick = due_first(jobs, done), quick_first(jobs, done)
        job = due
        if due != quick:
            late, behind = look_ahead(jobs, done, clock)
            search.look("due", due)
            search.look("quick", quick)
            search.note("spare_due", rough(jobs.due[due] - clock - jobs.time[due]))
            search.note("spare_quick", rough(jobs.due[quick] - clock - jobs.time[quick]))
            search.note("late", late)
            search.note("behind", rough(behind))
            search.note("left", count - place)
            if search.predict("rule", reference=DUE_FIRST) == QUICK_FIRST:
                job = quick
        order[place] = job
        done[job] = True
        clock += jobs.time[job]
        lateness += jobs.weight[job] * max(clock - jobs.due[job], 0.0)
    search.loss(lateness / np.sum(jobs.weight))
    return order


def due_first(jobs, done):
    """Find the job that is due first."""
    best = -1
    for job in range(len(done)):
        if not done[job] and (best < 0 or jobs.due[job] < jobs.due[best]):
            best = job
    return best


def quick_first(jobs, done):
    """Find the job that weighs most for the time it takes."""
    best = -1
    for job in range(len(done)):
        if not done[job]:
            if best < 0 or jobs.weight[job] * jobs.time[best] > jobs.weight[best] * jobs.time[job]:
                best = job
    return best


def look_ahead(jobs, done, clock):
    """Say how many jobs will be late if what is due first is always done first, and how much."""
    rest = done.copy()
    late, behind = 0, 0.0
    for _ in range(len(done) - np.sum(done)):
        job = due_first(jobs, rest)
        rest[job] = True
        clock += jobs.time[job]
        if clock > jobs.due[job]:
            late += 1
            behind += clock - jobs.due[job]
    return late, behind


def rough(hours):
    """Put hours into a few classes: none, one, two, up to four, up to eight, ..., with a sign."""
    size = int(np.ceil(np.log2(abs(hours) + 1.0)))
    return size if hours >= 0 else -size


def job_columns(jobs: Jobs) -> dict[str, Iterable]:
    """Give what is known of each job from the start."""
    return {"time": jobs.time.astype(np.int64), "weight": jobs.weight.astype(np.int64)}


def some_jobs(count: int, seed: int, most: int = 8) -> list[Jobs]:
    """Draw problems in which some of the jobs can't be done in time."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        size = int(chance.integers(3, most + 1))
        time = chance.integers(1, 10, size).astype(np.float64)
        due = np.ceil(chance.uniform(0.1, 1.1, size) * time.sum() * chance.uniform(0.3, 1.2))
        made.append(Jobs(time, due, chance.integers(1, 10, size).astype(np.float64)))
    return made

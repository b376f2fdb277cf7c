"""Beam search against all action sequences there are."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from small_tasks import mixed, sentences, tagger

import rollin
from rollin.compiler.methods import DAGGER

TRAIN, TEST = sentences(60, 1, 4), sentences(8, 2, 4)


class Puzzle(NamedTuple):
    goal: np.ndarray


def solve(search, puzzle):
    """A run ends early after a 2, and a 1 may not follow a 1: paths of many lengths."""
    goal = puzzle.goal
    made = np.full(len(goal), -1, np.int64)
    allowed = np.ones(3, np.bool_)
    previous = -1
    for n in range(len(goal)):
        search.look("here", n)
        search.note("previous", previous)
        allowed[1] = previous != 1
        good = goal[n] if allowed[goal[n]] else 0
        previous = search.predict("digit", reference=good, allowed=allowed)
        made[n] = previous
        search.loss(previous != goal[n])
        if previous == 2:
            break
    return made


def puzzles(count, seed):
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        made.append(Puzzle(chance.integers(0, 3, chance.integers(1, 5))))
    return made


puzzle = rollin.Task(
    solve, slots="here", notes="previous", decisions={"digit": 3},
    inputs=lambda puzzle: {"goal": puzzle.goal // 2}, templates=("here * previous",),
)  # fmt: skip

CASES = [
    (tagger, TRAIN, TEST, 4**4),
    (mixed, TRAIN, sentences(6, 2, 2), 200),
    (puzzle, puzzles(40, 1), puzzles(8, 2), 3**4),
]
REDUCTIONS = ["onesided", "softmax"]


@pytest.fixture(scope="module", params=REDUCTIONS)
def models(request):
    method = DAGGER.but(reduction=request.param)
    fitted = [
        t.fit(train, learner="sgd+ bits=8", method=method, passes=2) for t, train, _, _ in CASES
    ]
    return request.param, fitted


# --- all there is --------------------------------------------------------------------------------


def all_outputs(model, example, reduction):
    """Every run there can be: its actions, its score, its loss and what it returns."""
    task = model.task
    found = []

    def explore(path):
        run = Forced(task, model, example, path)
        try:
            value = task.decoder(run, example)
        except Undecided:
            for action in run.possible:
                explore([*path, action])
        else:
            found.append((path, score_of(run.scored, path, reduction), run.total, value))

    explore([])
    return found


class Undecided(Exception):
    pass


class Forced:
    """A search that takes the actions of a path and then stops; the model's scores beside them."""

    needs_reference = True

    def __init__(self, task, model, example, path):
        self.task, self.path, self.scored, self.total = task, path, [], 0.0
        self.kinds = list(task.schema.decisions)
        self.looking = [-1] * len(task.schema.slots)
        self.noting = [0] * len(task.schema.notes)
        self.search = searches(task, model, example)

    def look(self, slot, position):
        self.looking[self.task.schema.slots.index(slot)] = position

    def note(self, name, value):
        self.noting[self.task.schema.notes.index(name)] = value

    def loss(self, amount):
        self.total += float(amount)

    def predict(self, decision, reference=None, costs=None, allowed=None):
        kind = self.kinds.index(decision)
        size = len(self.task.schema.decisions[decision])
        can = [a for a in range(size) if allowed is None or allowed[a]]
        step = len(self.scored)
        if step == len(self.path):
            self.possible = can
            raise Undecided
        search = self.search
        search.kind[0], search.looked[0] = kind, self.looking
        before = [
            self.path[step - back] if step >= back else -1
            for back in range(1, self.task.schema.history + 1)
        ]
        search.noted[0] = self.noting + before
        with np.errstate(over="ignore"):
            search.score(search, 0)
        self.scored.append({a: float(search.scores[0][a]) for a in can})
        return self.path[step]


def searches(task, model, example):
    """A plain search on one example, to ask the model for scores."""
    runner = task.runner(False)
    search = runner.bind(model.learned, runner.load([example], task.inputs)).search
    search.origin, search.size = 0, len(task.inputs(example)[next(iter(task.inputs(example)))])
    return search


def score_of(scored, path, reduction):
    total = 0.0
    for scores, action in zip(scored, path, strict=True):
        if reduction == "softmax":
            total += scores[action] - math.log(sum(math.exp(s) for s in scores.values()))
        else:
            total += min(scores[action], 0.0)
    return total


# --- what a beam finds ---------------------------------------------------------------------------


@pytest.mark.parametrize("case", range(len(CASES)), ids=["tagger", "mixed", "puzzle"])
def test_a_beam_that_is_wide_enough_finds_all_in_order(models, case):
    reduction, fitted = models
    model, (_, _, test, wide) = fitted[case], CASES[case]
    for example in test:
        expected = all_outputs(model, example, reduction)
        assert len(expected) <= wide
        found = model.nbest([example], beam=wide)[0]
        assert len(found) == len(expected)
        scores = [output.score for output in found]
        assert scores == sorted(scores, reverse=True)
        assert scores == pytest.approx(sorted((e[1] for e in expected), reverse=True), abs=1e-5)
        ours = sorted((np.ravel(o.value).tolist(), o.loss, round(o.score, 3)) for o in found)
        theirs = sorted((np.ravel(v).tolist(), loss, round(s, 3)) for _, s, loss, v in expected)
        assert [o[:2] for o in ours] == [t[:2] for t in theirs]


@pytest.mark.parametrize("case", range(len(CASES)), ids=["tagger", "mixed", "puzzle"])
def test_a_beam_of_one_is_greedy_search(models, case):
    _, fitted = models
    model, (_, _, test, _) = fitted[case], CASES[case]
    greedy, losses = model.predict(test), model.losses(test)
    for example, value, loss in zip(test, greedy, losses, strict=True):
        (best,) = model.nbest([example], beam=1)[0]
        assert np.array_equal(best.value, value) and best.loss == loss


def test_a_beam_gives_as_many_as_are_asked_for_and_predict_the_first(models):
    _, (model, *_) = models
    for example in TEST:
        everything = model.nbest([example], beam=4**4)[0]
        some = model.nbest([example], beam=8, count=3)[0]
        assert len(some) == 3
        assert everything[0].score >= some[0].score
    first = [outputs[0].value for outputs in model.nbest(TEST, beam=4)]
    assert all(map(np.array_equal, first, model.predict(TEST, beam=4)))


@pytest.mark.compiled
def test_native_and_interpreted_beams_are_the_same(models):
    _, (model, *_) = models
    plain = rollin.Model(model.task, model.learned, {}, model.task.runner(False))
    for one, other in zip(model.nbest(TEST, beam=5), plain.nbest(TEST, beam=5), strict=True):
        assert [o.score for o in one] == [o.score for o in other]
        assert all(np.array_equal(a.value, b.value) for a, b in zip(one, other, strict=True))


def test_long_runs_fit():
    """Longer than the room that is first made for paths and rows."""
    long = sentences(1, 3, 5)[0]._replace(words=["w1"] * 300, gold=np.zeros(300, np.int64))
    model = tagger.fit(TRAIN, learner="sgd+ bits=8", passes=1)
    outputs = model.nbest([long], beam=3)[0]
    assert len(outputs) == 3 and all(len(output.value) == 300 for output in outputs)

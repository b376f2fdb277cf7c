"""Every learner against a slow twin that follows its paper, and against the learner before it."""

from typing import NamedTuple

import naive
import numpy as np
import pytest

import rollin
from rollin.compiler.methods import Method
from rollin.learners import LEARNERS, learner_from
from rollin.learners.reductions import REDUCTIONS
from rollin.learners.sparse import SparseLearner, add_up, aligned_zeros, room_for, rows_for

ACTIONS = 3
SLOTS = ("here", "next")
TEMPLATES = ("here * next", "here.a * next.b * mood")
NAMES = ("here.a", "here.b", "next.a", "next.b", "mood")


class Example(NamedTuple):
    number: int
    a: np.ndarray
    b: np.ndarray
    mood: np.ndarray
    costs: np.ndarray
    allowed: np.ndarray


def examples(count=30, seed=0):
    """Decisions about which nothing depends on what was decided before."""
    chance = np.random.default_rng(seed)
    made = []
    for number in range(count):
        size = int(chance.integers(1, 5))
        a, b = chance.integers(0, 3, size), chance.integers(0, 2, size)
        costs = chance.integers(0, 5, (size, ACTIONS)) / 2
        costs[:, 0] += a
        allowed = chance.random((size, ACTIONS)) < 0.8
        allowed[:, 1] = True
        mood = chance.integers(-2, 3, size)
        made.append(Example(number, a, b, mood, costs, allowed))
    return made


def decide(search, example):
    for n in range(len(example.a)):
        search.look("here", n)
        search.look("next", n + 1)
        search.note("mood", example.mood[n])
        search.predict("which", costs=example.costs[n], allowed=example.allowed[n])


def task_that_tells(order):
    """Make the task, in a form that writes down in which order it meets its examples."""

    def decider(search, example):
        order.append(example.number)
        return decide(search, example)

    return rollin.Task(
        decider,
        slots=SLOTS,
        notes="mood",
        decisions={"which": ACTIONS},
        inputs=lambda example: {"a": example.a, "b": example.b},
        templates=TEMPLATES,
    )


def seen_by(example, n):
    columns = {"a": example.a.tolist(), "b": example.b.tolist()}
    return naive.parts_of(columns, SLOTS, (n, n + 1), {"mood": int(example.mood[n])})


def twin_of(described, start):
    """Make the naive twin of a learner; `start` is the second layer it begins with."""
    learner = learner_from(described)
    rules = {
        "sgd": lambda: naive.SGD(learner.rate, learner.power),
        "sgd+": lambda: naive.SGDPlus(learner.rate),
        "ftrl": lambda: naive.FTRL(learner.alpha, learner.beta, learner.l1, learner.l2),
    }
    rules |= {"nn": rules["sgd+"], "nn+ftrl": rules["ftrl"]}
    rule = rules[learner.name]
    if not hasattr(learner, "units"):
        return naive.Linear(rule(), ACTIONS)
    start = start.reshape(learner.units + 1, ACTIONS)
    return naive.Network(rule(), rule(), ACTIONS, learner.units, learner.shared, start)


LINEAR = (
    "sgd rate=0.0625",
    "sgd rate=0.3 power=0.5 average",
    "sgd+",
    "sgd+ rate=1 average",
    "ftrl",
)
FTRLS = ("ftrl alpha=0.5 beta=0.5 l1=0.3 l2=0.1 average",)
NETWORKS = (
    "nn units=3",
    "nn units=2 shared average",
    "nn+ftrl units=3",
    "nn+ftrl units=2 shared average",
    "nn+ftrl units=2 l1=0.05 l2=0.2",
)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("described", LINEAR + FTRLS)
def test_a_linear_learner_learns_what_its_twin_learns(described, reduction):
    compare(described, reduction, 1e-4)


@pytest.mark.parametrize("reduction", ["onesided", "softmax", "multiclass"])
@pytest.mark.parametrize("described", NETWORKS)
def test_a_network_learns_what_its_twin_learns(described, reduction):
    compare(described, reduction, 2e-4)


def compare(described, reduction, tolerance):
    """Train both on the same decisions; compare the scores of all actions in many decisions."""
    order, method = [], Method(reduction=reduction)
    task, train = task_that_tells(order), examples()
    how = {"learner": described, "method": method, "compiled": False}
    fresh = task.fit(train, passes=0, **how)
    model = task.fit(train, passes=2, **how)

    twin = twin_of(described, fresh.learned.arrays["outer"])
    templates = sorted(map(sorted, naive.expanded(TEMPLATES, NAMES)))
    assert sorted(order) == sorted([*range(len(train))] * 2)
    for number in order:
        example = train[number]
        for n in range(len(example.a)):
            costs, allowed = example.costs[n].tolist(), example.allowed[n].tolist()
            if sum(allowed) < 2:
                continue
            least = min(cost for cost, ok in zip(costs, allowed, strict=True) if ok)
            costs = [cost - least if ok else 0.0 for cost, ok in zip(costs, allowed, strict=True)]
            twin.learn(
                naive.features(seen_by(example, n), templates),
                lambda scores, c=costs, a=allowed: naive.gradient(reduction, "raw", scores, c, a),
                naive.curvature(reduction, "raw", costs, allowed),
            )

    weights = twin.mean() if "average" in described else None
    some = 0.0
    for example in examples(10, seed=1):
        trace = rollin.trace(model, example, deviations=False)
        for n, step in enumerate(trace.steps):
            expected = twin.scores(naive.features(seen_by(example, n), templates), weights)
            for action, score in step.scores.items():
                assert score == pytest.approx(expected[int(action)], abs=tolerance)
                some = max(some, abs(score))
    assert some > 0.1  # it has learned something


def test_every_sparse_learner_has_a_twin():
    sparse = {name for name, kind in LEARNERS.items() if issubclass(kind, SparseLearner)}
    assert {learner_from(each).name for each in LINEAR + FTRLS + NETWORKS} == sparse


# --- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 16, 17, 51])
@pytest.mark.parametrize("count", [1, 4, 6])
def test_rows_are_added_up_for_every_action(width, count):
    chance, stride, rows = np.random.default_rng(width), room_for(width), 9
    table = aligned_zeros(rows * stride)
    table[:] = chance.integers(-8, 8, len(table))
    found = chance.integers(0, rows, count) * stride
    sums = np.full(60, 99, np.float32)
    add_up(table, found, count, width, sums)
    assert (
        sums[:width].tolist()
        == table.reshape(rows, stride)[found // stride, :width].sum(0).tolist()
    )
    assert (sums[width:] == 99).all()


def test_rows_have_room_and_the_table_keeps_to_lines():
    assert [room_for(width) for width in (1, 3, 4, 5, 9, 102)] == [4, 4, 4, 8, 12, 104]
    assert all(aligned_zeros(size).ctypes.data % 64 == 0 for size in (1, 1000, 10**6))


def test_wide_decisions_have_fewer_rows():
    widths = (2, 7, 8, 15, 16, 51, 255)
    assert [rows_for(20, width) for width in widths] == [20, 20, 19, 19, 18, 17, 15]
    assert rows_for(1, 1000) == 1


# --- each beats the one before it, where the paper says so ---------------------------------------


class Row(NamedTuple):
    values: np.ndarray
    answer: np.ndarray


def answer(search, row):
    search.look("here", 0)
    given = search.predict("answer", reference=row.answer[0])
    search.loss(given != row.answer[0])


def columns(row):
    return {f"column{number}": row.values[:, number] for number in range(row.values.shape[1])}


answering = rollin.Task(answer, slots="here", decisions={"answer": 2}, inputs=columns)


def rows(values, answers):
    return [Row(v[None], np.array([int(a)])) for v, a in zip(values, answers, strict=True)]


def wrong(train, test, described, passes):
    return answering.fit(train, learner=described, passes=passes).losses(test).mean()


def rare_words(count, chance, noise):
    """Most words are rare; each has its answer; beside it stand ten bits that say nothing."""
    words = np.minimum(chance.zipf(1.25, count) - 1, 2999)
    answers = np.random.default_rng(99).integers(0, 2, 3000)[words]
    bits = chance.integers(0, 2, (count, 10))
    return rows(np.column_stack([words, bits]), answers ^ (chance.random(count) < noise))


@pytest.mark.long
def test_rates_of_its_own_for_every_weight_beat_one_rate():
    """SGD+ learns a word from one meeting, and is not thrown off by what is always there."""
    train = rare_words(4000, np.random.default_rng(1), 0.1)
    test = rare_words(3000, np.random.default_rng(2), 0.0)
    best = min(wrong(train, test, f"sgd rate={rate}", 1) for rate in (0.01, 0.02, 0.05, 0.1))
    assert wrong(train, test, "sgd+", 1) < 0.6 * best


def band(count, chance, noise=0.0, words=0):
    """Yes if two or three of six bits are set: no sum of weights, one for each bit, says that."""
    bits = chance.integers(0, 2, (count, 6))
    answers = np.isin(bits.sum(axis=1), (2, 3)) ^ (chance.random(count) < noise)
    beside = np.minimum(chance.zipf(1.25, (count, words)) - 1, 2999)
    return rows(np.column_stack([bits, beside]), answers)


@pytest.mark.long
def test_hidden_units_find_what_no_weight_for_one_feature_can_say():
    train, test = band(2000, np.random.default_rng(1)), band(1000, np.random.default_rng(2))
    linear = min(wrong(train, test, each, 6) for each in ("sgd", "sgd+", "sgd+ rate=1", "ftrl"))
    assert linear > 0.08
    assert wrong(train, test, "nn", 6) < 0.01


@pytest.mark.long
def test_following_the_regularised_leader_keeps_a_network_from_learning_noise_by_heart():
    """Some answers are wrong, and rare words tempt the network to remember which."""
    train = band(2000, np.random.default_rng(1), noise=0.1, words=4)
    test = band(1000, np.random.default_rng(2), words=4)
    best = min(wrong(train, test, f"nn rate={rate}", 6) for rate in (0.25, 0.5, 1.0))
    assert wrong(train, test, "nn+ftrl", 6) < 0.5 * best

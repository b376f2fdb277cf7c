"""The dense learner: exact gradients, the same both ways, and that it learns."""

import copy
import itertools

import naive
import naive_dense
import numpy as np
import pytest
from small_tasks import Sentence, mixed, sentences, tagger

from rollin.compiler.drive import COUNTS, Plan
from rollin.learners.dense import Dense
from rollin.learners.dense.adam import adam, corrected
from rollin.learners.dense.averaging import EVERY, average, share_at
from rollin.learners.dense.decision import say, say_few
from rollin.learners.dense.encoders import ENCODERS, encoder_from
from rollin.learners.dense.packing import packed, unpacked
from rollin.learners.dense.remembering import ROOM, Remembered
from rollin.learners.dense.room import Room
from rollin.learners.dense.sizes import lanes_for
from rollin.learners.protocol import Use

WIDTH = 16
STARTS = np.array([0, 4, 5, 5, 12])


def numerical(value, array, place, step=3e-3):
    """Differentiate a function of an array at one place, by central differences."""
    kept = array[place]
    array[place] = kept + step
    above = value()
    array[place] = kept - step
    below = value()
    array[place] = kept
    return (above - below) / (2 * step)


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_gradients_of_encoders(name, layers):
    chance = np.random.default_rng(1)
    encoder = encoder_from(name, layers)
    arrays = {
        key: (chance.normal(size=shape) * (0.5 if len(shape) == 1 else 0.3)).astype(np.float32)
        for key, shape in encoder.shapes(WIDTH).items()
    }
    base = chance.normal(size=(STARTS[-1], WIDTH)).astype(np.float32)
    weights = chance.normal(size=base.shape).astype(np.float32)

    def value():
        made, _ = encoder.forward(arrays, base.copy(), STARTS)
        return float((made.astype(np.float64) * weights).sum())

    slopes = {key: np.zeros_like(array) for key, array in arrays.items()}
    _, tape = encoder.forward(arrays, base.copy(), STARTS)
    base_slope = encoder.backward(arrays, tape, STARTS, weights.copy(), slopes)
    checked = [(base, base_slope), *((arrays[key], slopes[key]) for key in arrays)]
    for array, slope in checked:
        places = [tuple(chance.integers(0, size) for size in array.shape) for _ in range(12)]
        exact = np.array([slope[place] for place in places])
        found = np.array([numerical(value, array, place) for place in places])
        scale = max(1.0, float(np.abs(found).max()))
        # relu has corners: one place in twelve may lie across one
        off = np.sort(np.abs(exact - found))[:-1]
        assert off.max() < 0.02 * scale, (off, exact, found)


def test_sentences_do_not_see_one_another():
    chance = np.random.default_rng(2)
    for name in ENCODERS:
        encoder = encoder_from(name, 3)
        arrays = {
            key: chance.normal(size=shape).astype(np.float32)
            for key, shape in encoder.shapes(WIDTH).items()
        }
        base = chance.normal(size=(12, WIDTH)).astype(np.float32)
        whole, _ = encoder.forward(arrays, base.copy(), STARTS)
        for first, last in itertools.pairwise(STARTS):
            alone, _ = encoder.forward(arrays, base[first:last].copy(), np.array([0, last - first]))
            assert np.allclose(alone, whole[first:last], atol=1e-5)


def test_the_dense_learner_learns():
    for encoder in ENCODERS:
        learner = Dense(encoder=encoder, layers=2, width=16, hidden=32, batch=4, rate=0.01)
        model = tagger.fit(sentences(400, 1), learner=learner, passes=6)
        dev = sentences(30, 2)
        wrong = model.losses(dev).sum() / sum(len(each.gold) for each in dev)
        assert wrong < 0.1, encoder


def test_several_kinds_of_decision_and_roll_outs():
    learner = Dense(encoder="embed", width=16, hidden=16, batch=4)
    one = mixed.fit(sentences(30, 1), learner=learner, method="lols", passes=2)
    assert np.isfinite(one.losses(sentences(10, 2))).all()


# --- a whole model against its slow twin ----------------------------------------------------------

IMITATING = Plan(1, 0, 1.0, 0.0, False, False, 0.0, 0.0, False, 0, -1.0, False)
EXACTLY = {"width": 16, "hidden": 8, "dropout": 0.0, "forget": 0.0, "least": 1, "layers": 3}


class Learnt:
    """A model that has gathered the gradient of one example's decisions, and what these were."""

    def __init__(self, encoder, reduction):
        runner = mixed.runner(compiled=False)
        data = runner.load(sentences(5, 7), mixed.inputs)
        use = Use(mixed.schema, data.columns, (), reduction, "raw")
        self.model = Dense(encoder=encoder, **EXACTLY).build(use, 3, data.features)
        chance = np.random.default_rng(5)
        for array in self.model.arrays.values():  # no zeros: there the gradient has corners
            array += chance.normal(size=array.shape).astype(np.float32) * 0.2
        self.model._turn()
        bound = runner.bind(self.model, data)
        bound.learn(np.array([3]), 0, 1, IMITATING, np.zeros(len(COUNTS)))
        self.space, self.reduction = bound.space, reduction
        search = bound.search
        self.decisions = [
            (
                search.looked[row].copy(), search.noted[row].copy(), int(search.kind[row]),
                search.cost[row].copy(), search.allowed[row].copy(), search.scores[row].copy(),
            )
            for row in range(search.step)
        ]  # fmt: skip

    def loss(self, model):
        total = 0.0
        for looked, noted, kind, cost, allowed, _ in self.decisions:
            found = naive_dense.scores(model, self.space.rows, looked, noted, kind)
            if allowed[: len(found)].sum() > 1:
                total += naive.loss(self.reduction, "raw", found.tolist(), cost, allowed)
        return total

    def slopes(self):
        table = np.zeros(self.model.arrays["table"].shape)
        for position, rows in enumerate(self.space.rows):
            for row in rows:
                table[row] += self.space.base_slope[position]
        return {**self.space.slopes, "table": table}


@pytest.mark.parametrize("encoder", sorted(ENCODERS))
def test_scores_are_those_of_the_slow_twin(encoder):
    learnt = Learnt(encoder, "softmax")
    assert len(learnt.decisions) > 4
    for looked, noted, kind, _, _, scores in learnt.decisions:
        expected = naive_dense.scores(learnt.model, learnt.space.rows, looked, noted, kind)
        assert np.allclose(scores[: len(expected)], expected, atol=2e-4)


@pytest.mark.parametrize("reduction", ["softmax", "expected", "regression"])
@pytest.mark.parametrize("encoder", sorted(ENCODERS))
def test_the_gradient_of_every_array_is_exact(encoder, reduction):
    learnt = Learnt(encoder, reduction)
    exact = copy.copy(learnt.model)
    exact.arrays = {name: a.astype(np.float64) for name, a in learnt.model.arrays.items()}
    chance = np.random.default_rng(2)
    checked = 0
    for name, slope in learnt.slopes().items():
        steep = np.flatnonzero(np.abs(slope) > 1e-4)
        flat = np.flatnonzero(slope == 0.0)
        some = [chance.choice(each, min(8, len(each)), replace=False) for each in (steep, flat)]
        places = [np.unravel_index(each, slope.shape) for each in np.concatenate(some).astype(int)]
        found = [numerical(lambda: learnt.loss(exact), exact.arrays[name], p) for p in places]
        expected = [slope[place] for place in places]
        off = np.abs(np.array(found) - expected)
        # ReLU has corners: now and then one lies within the step
        assert np.sort(off)[: len(off) - 1].max(initial=0) < 2e-3 * max(1.0, np.abs(found).max())
        checked += len(steep) > 0
    assert checked == len(learnt.model.weights())


@pytest.mark.parametrize("encoder", sorted(ENCODERS))
def test_a_packed_model_decides_like_its_unpacked_weights(encoder):
    train = sentences(20, 1)
    learner = Dense(encoder=encoder, **EXACTLY, batch=4)
    learned = mixed.fit(train, learner=learner, passes=2, compiled=False).learned
    runner = mixed.runner(compiled=False)
    data = runner.load(train, mixed.inputs)
    bound = runner.bind(learned, data)
    bound.turn_to(0)
    rows, starts = bound.space.look_up(data, np.arange(3))
    table = unpacked(learned.packed)["table"]
    base = table[rows].sum(axis=1)
    expected, _ = learned.encoder.forward(learned.arrays, base, starts)
    assert np.allclose(bound.space.encode(rows, starts), expected, atol=1e-4)


def test_what_is_remembered_is_what_would_be_made_anew():
    chance = np.random.default_rng(1)
    blank, first = (chance.normal(size=(rows, 6)).astype(np.float32) for rows in (2, 3))
    remembered = Remembered(blank, first)
    made, seen = 0, set()
    for size in (1, 300, 0, 4000, 900, 3000):
        rows = chance.integers(0, 70, (size, 2)).astype(np.int32)
        x = np.column_stack([rows, rows[:, 0] - rows[:, 1]]).astype(np.float32)
        where, wanted = remembered.recall(rows)
        products = remembered.make(x[wanted])
        assert np.array_equal(products[:2], blank)
        assert np.allclose(products[where], x @ first, atol=1e-3)
        made += len(wanted)
        seen |= set(map(tuple, rows.tolist()))
    assert remembered.count == ROOM < len(seen)
    assert made < 6000  # of 8201


# --- learning ------------------------------------------------------------------------------------


def test_adam_follows_its_paper():
    chance = np.random.default_rng(1)
    slopes = chance.normal(size=(5, 7))
    weights, mean, square = np.ones(7, np.float32), np.zeros(7, np.float32), np.zeros(7, np.float32)
    for step, slope in enumerate(slopes, 1):
        gradient = (4 * slope).astype(np.float32)
        rate = corrected(0.1, step, 0.9, 0.98)
        adam(weights, gradient, mean, square, 0.25, rate, 0.9, 0.98, 1e-9)
        assert not gradient.any()
    assert np.allclose(weights, naive_dense.adam(np.ones(7), slopes, 0.1, 0.9, 0.98, 0), atol=1e-4)


def test_the_average_is_of_the_last_fifth_or_so():
    mean, weights = np.zeros(1, np.float32), np.zeros(1, np.float32)
    means = []
    for step in range(EVERY, 1001 * EVERY, EVERY):
        weights[0] = step / EVERY
        average(mean, weights, share_at(step))
        means.append(float(mean[0]))
    assert means[0] == 1.0
    assert 1000 - means[-1] == pytest.approx(1000 / 6, rel=0.01)


def test_what_one_search_was_shown_is_found_again_behind_another():
    texts = [[f"w{n}" for n in range(start, start + 100)] for start in range(0, 6000, 100)]
    every = [Sentence(text, np.zeros(len(text), np.int64)) for text in texts]
    learner = Dense(encoder="embed", width=8, hidden=8, least=1)
    model = tagger.fit(every, learner=learner, passes=0)
    one, other = (model.bind(model.load_examples(every)) for _ in range(2))
    for number in range(len(every)):  # more words than are remembered
        one.turn_to(number)

    def products():
        return model.learned.memory().products[one.space.where]

    shown = products().copy()
    other.turn_to(50)
    assert not np.array_equal(products(), shown)
    one.turn_to(len(every) - 1)
    assert np.array_equal(products()[-100:], shown[-100:])


@pytest.mark.parametrize(("hidden", "actions"), [(16, 3), (64, 1), (70, 6), (192, 3), (133, 5)])
def test_both_output_layers_say_the_same(hidden, actions):
    chance = np.random.default_rng(hidden)
    lanes, first = lanes_for(actions), 5
    out = chance.normal(size=(hidden, lanes)).astype(np.float32)
    shift = chance.normal(size=lanes).astype(np.float32)
    active = np.maximum(chance.normal(size=hidden), 0).astype(np.float32)
    expected = (active @ out + shift)[:actions]
    before, sums = np.zeros(first, np.float32), np.ones(64, np.float32)
    scores = np.zeros(actions, np.float32)
    flat = np.concatenate([before, out.ravel()])
    say(flat, first, lanes, shift, active, np.zeros(hidden + 1, np.int64), sums, actions, scores)
    assert np.allclose(scores, expected, atol=1e-4)
    turned = np.concatenate([before, out.T.ravel()])
    say_few(turned, first, shift, active, sums, actions, scores)
    assert np.allclose(scores, expected, atol=1e-4)


def test_arrays_of_a_batch_share_no_memory_and_the_next_batch_takes_it_over():
    room, kept = Room(), set()
    for _ in range(3):
        room.clear()
        arrays = [room(3, 7), room(40), room(0, 5), room(2, 3, 4)]
        for number, array in enumerate(arrays):
            array[:] = number
        assert [array.shape for array in arrays] == [(3, 7), (40,), (0, 5), (2, 3, 4)]
        assert all((array == number).all() for number, array in enumerate(arrays))
        kept.add(arrays[1].ctypes.data)
    assert len(kept) == 2  # the first batch had nothing to take over


def test_packing_moves_weights_by_less_than_they_can_tell():
    chance = np.random.default_rng(1)
    arrays = {name: chance.normal(size=(5, 8)).astype(np.float32) for name in ("table", "first")}
    arrays["table"][2] = 0.0
    again = unpacked(packed(arrays, ("table",)))
    largest = np.abs(arrays["table"]).max(axis=1, keepdims=True)
    assert (np.abs(again["table"] - arrays["table"]) <= largest / 254 + 1e-7).all()
    assert np.allclose(again["first"], arrays["first"], rtol=1e-3)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_dense_training_ends_in_the_same_bytes(threads, tmp_path):
    learner = Dense(layers=2, width=16, hidden=16, batch=4)
    how = {"learner": learner, "passes": 3, "threads": threads}
    made = []
    for name in ("one", "other"):
        tagger.fit(sentences(30, 1), dev=sentences(9, 2), **how).save(tmp_path / name)
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("encoder", ["conv", "recur"])
def test_threads_find_the_same_gradients(encoder):
    still = {"dropout": 0.0, "forget": 0.0, "batch": 10}  # three steps, each of some 0.001
    learner = Dense(encoder=encoder, layers=2, width=16, hidden=16, **still)
    weights = []
    for threads in (1, 2, 3):
        model = tagger.fit(sentences(30, 1), learner=learner, passes=1, threads=threads)
        weights.append(np.concatenate([a.ravel() for a in model.learned.arrays.values()]))
    assert np.allclose(weights[0], weights[1], atol=1e-4)
    assert np.allclose(weights[0], weights[2], atol=1e-4)


@pytest.mark.compiled
def test_compiled_and_interpreted_dense_trainings_end_in_the_same_bytes(tmp_path):
    learner = Dense(layers=2, width=16, hidden=16, batch=4)
    for compiled in (True, False):
        model = tagger.fit(sentences(30, 1), learner=learner, passes=2, compiled=compiled)
        model.save(tmp_path / f"{compiled}")
    assert (tmp_path / "True").read_bytes() == (tmp_path / "False").read_bytes()


def test_an_interrupted_dense_training_resumes_to_the_same_bytes(tmp_path):
    learner = Dense(layers=2, width=16, hidden=16, batch=4)
    how = {"dev": sentences(9, 2), "learner": learner, "passes": 4}
    train = sentences(30, 1)
    tagger.fit(train, **how).save(tmp_path / "whole")

    def stop(done):
        if done["pass"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tagger.fit(train, **how, checkpoint=tmp_path / "unfinished", report=stop)
    resumed = tagger.fit(train, **how, checkpoint=tmp_path / "unfinished", resume=True)
    resumed.save(tmp_path / "resumed")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()

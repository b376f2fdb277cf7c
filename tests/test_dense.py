"""The dense learner: exact gradients, the same both ways, and that it learns."""

import itertools

import numpy as np
import pytest
from small_tasks import mixed, sentences, tagger

from rollin.learners.dense import Dense
from rollin.learners.encoders import ENCODERS, encoder_from

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

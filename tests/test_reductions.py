"""Reductions: each gradient is the slope of the loss it stands for."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollin
from rollin.compiler.methods import Method
from rollin.learners.reductions import REDUCTIONS, SCALINGS, blame

COST = st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.5])
ACTION = st.tuples(st.integers(-300, 300), COST, st.booleans())


@st.composite
def decisions(draw):
    """Scores, costs and allowed actions, no score near another or near a cost: some losses have
    a kink there."""
    actions = draw(st.lists(ACTION, min_size=2, max_size=6))
    scores, costs, allowed = map(list, zip(*actions, strict=True))
    scores = [score / 100 + 0.0017 * (place + 1) for place, score in enumerate(scores)]
    good = draw(st.integers(0, len(actions) - 1))
    costs[good], allowed[good] = 0.0, True
    return scores, costs, allowed


def blamed(reduction, scaling, scores, costs, allowed):
    """What the kernel makes of it: the gradient and the curvature."""
    gradient = np.full(len(scores), np.nan, np.float64)
    bend = blame(
        REDUCTIONS.index(reduction), SCALINGS.index(scaling), len(scores),
        np.array(allowed), np.array(costs), np.array(scores), gradient,
    )  # fmt: skip
    return gradient, bend


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_gradients_are_slopes(reduction, scaling):
    @settings(deadline=None, max_examples=60)
    @given(decisions())
    def compare(decision):
        scores, costs, allowed = decision
        found, bend = blamed(reduction, scaling, scores, costs, allowed)
        expected = slopes_of_loss(reduction, scaling, scores, costs, allowed)
        assert found == pytest.approx(expected, abs=1e-6)
        assert bend == naive.curvature(reduction, scaling, costs, allowed)
        assert all(found[a] == 0 for a, ok in enumerate(allowed) if not ok)

    compare()


def slopes_of_loss(reduction, scaling, scores, costs, allowed, width=1e-5):
    slopes = []
    for action in range(len(scores)):
        ends = []
        for side in (width, -width):
            moved = [score + side * (a == action) for a, score in enumerate(scores)]
            ends.append(naive.loss(reduction, scaling, moved, costs, allowed))
        slopes.append((ends[0] - ends[1]) / (2 * width))
    return slopes


@pytest.mark.parametrize("reduction", ["softmax", "weighted", "expected"])
def test_no_loss_bends_more_than_its_curvature_says(reduction):
    """An importance-invariant step takes the loss to bend that much: never less than it does."""

    @settings(deadline=None, max_examples=60)
    @given(decisions())
    def compare(decision):
        scores, costs, allowed = decision
        _, bend = blamed(reduction, "raw", scores, costs, allowed)
        for action in range(len(scores)):
            ends = []
            for side in (1e-4, -1e-4):
                moved = [score + side * (a == action) for a, score in enumerate(scores)]
                ends.append(blamed(reduction, "raw", moved, costs, allowed)[0][action])
            assert (ends[0] - ends[1]) / 2e-4 <= bend + 1e-6

    compare()


def test_large_scores_do_not_overflow():
    for reduction in REDUCTIONS:
        found, _ = blamed(reduction, "raw", [1e4, -1e4, 0.0], [0.0, 1.0, 2.0], [True] * 3)
        assert np.isfinite(found).all()
    # next to the best score the good one's chance is too small for a number
    for reduction in ("softmax", "weighted"):
        found, _ = blamed(reduction, "raw", [-1e4, 1e4, 0.0], [0.0, 1.0, 2.0], [True] * 3)
        assert np.isfinite(found).all()
        assert found[0] < 0 < found[1]


def test_costs_are_scaled():
    for scaling, expected in (("raw", [0, 0.5, 3]), ("clip", [0, 0.5, 1]), ("binary", [0, 1, 1])):
        found, _ = blamed("regression", scaling, [0.0] * 3, [0.0, 0.5, 3.0], [True] * 3)
        assert found.tolist() == expected


def test_unknown_names_are_refused_with_those_there_are():
    with pytest.raises(rollin.RollinError, match="choose from onesided, regression"):
        Method(reduction="hinge")
    with pytest.raises(rollin.RollinError, match="choose from raw, clip, binary"):
        Method(scaling="log")

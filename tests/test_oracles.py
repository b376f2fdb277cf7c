"""What the transition systems say that transitions cost, against trying out everything.

All states, of all trees of up to five words. The systems are written out anew in naive_parsing.py.
"""

import numpy as np
import pytest
from naive_parsing import (
    Eager,
    Hybrid,
    Standard,
    Swap,
    all_trees,
    arcs_in_reach,
    crosses,
    is_right,
    most_right,
    reachable,
    roots,
    true_costs,
)

from rollin.native.kernels import COMPILED
from rollin.parser import arc_eager, arc_hybrid, arc_hybrid_swap, arc_standard

MOST = 5 if COMPILED else 4
SIZES = range(1, MOST + 1)
ROOTS = pytest.mark.parametrize("several", [True, False], ids=["several-roots", "one-root"])


def ready(function):
    """Compile a function of a decoder as the decoder would be."""
    if not COMPILED:
        return function
    import numba

    from rollin.compiler.compiling import lift

    return numba.njit(lift(function))


hybrid_cost, eager_cost = ready(arc_hybrid.cost), ready(arc_eager.cost)
swap_cost, standard_estimate = ready(arc_hybrid_swap.cost), ready(arc_standard.estimate)
projective_order = ready(arc_hybrid_swap.projective_order)


def filled(words, n, kind=np.int32):
    array = np.zeros(n + 1, kind)
    array[: len(words)] = words
    return array


def hybrid(state, gold, several):
    (stack, buffer), n, costs = state, len(gold) - 1, np.zeros(3)
    hybrid_cost(costs, gold, filled(stack, n), len(stack), n + 1 - len(buffer), n, several)
    return dict(zip(arc_hybrid.TRANSITIONS, costs.tolist(), strict=True))


def eager(state, gold, several):
    (stack, buffer), n, costs = state, len(gold) - 1, np.zeros(4)
    words, headed = [word for word, _ in stack], np.zeros(n + 1, np.bool_)
    headed[words] = [has_head for _, has_head in stack]
    b1 = n + 1 - len(buffer)
    eager_cost(costs, gold, headed, filled(words, n), len(stack), b1, n, several)
    return dict(zip(arc_eager.TRANSITIONS, costs.tolist(), strict=True))


def swap(state, gold, order):
    (stack, buffer), n, costs = state, len(gold) - 1, np.zeros(4)
    waiting = filled(buffer[::-1], n)
    swap_cost(costs, gold, order, filled(stack, n), len(stack), waiting, len(buffer))
    return dict(zip(arc_hybrid_swap.TRANSITIONS, costs.tolist(), strict=True))


def standard(state, gold, several):
    (stack, buffer), n, losses = state, len(gold) - 1, np.zeros(3)
    standard_estimate(losses, gold, filled(stack, n), len(stack), n + 1 - len(buffer), n)
    return dict(zip(arc_standard.TRANSITIONS, losses.tolist(), strict=True))


def trees(n, wanted=lambda heads: True):
    return [(heads, np.array(heads, np.int32)) for heads in all_trees(n) if wanted(heads)]


def plain(heads):
    return not crosses(heads)


def test_trees_are_counted_right():
    """Cayley 1889; without crossing arcs Yuret 1998."""
    assert [len(all_trees(n)) for n in range(1, 6)] == [1, 3, 16, 125, 1296]
    assert [len(trees(n, plain)) for n in range(1, 6)] == [1, 3, 12, 55, 273]


@ROOTS
@pytest.mark.parametrize(
    ("system", "told"), [(Hybrid, hybrid), (Eager, eager)], ids=["arc-hybrid", "arc-eager"]
)
def test_costs_are_exact_in_every_state_of_every_tree_without_crossing_arcs(system, told, several):
    """Where one root is wanted, too, and several words have it."""
    system, checked = system(several), 0
    for n in SIZES:
        states = sorted(reachable(system, n))
        for heads, gold in trees(n, plain):
            best = most_right(system, heads)
            for state in states:
                expected = true_costs(system, state, heads, best)
                costs = told(state, gold, several)
                assert {name: costs[name] for name in expected} == expected, (heads, state)
                checked += len(expected)
    assert checked > 1000


@ROOTS
def test_of_crossing_arcs_arc_hybrid_counts_each_that_gets_out_of_reach(several):
    system = Hybrid(several)
    in_reach = arcs_in_reach(system)
    for n in SIZES:
        states = sorted(reachable(system, n))
        for heads, gold in trees(n, lambda heads: several or roots(heads) == 1):
            right = {arc for arc in enumerate(heads) if arc[0] > 0}
            for state in states:
                costs = hybrid(state, gold, several)
                for name, (after, arc) in system.moves(state).items():
                    lost = (right & in_reach(state)) - in_reach(after) - {arc}
                    assert costs[name] == 2 * len(lost), (heads, state, name)


def follow(system, heads, told):
    """Take all ways that cost nothing; give the states. No wrong arc is made, and no way ends."""
    seen, new = set(), [system.start(len(heads) - 1)]
    while new:
        state = new.pop()
        if state in seen:
            continue
        seen.add(state)
        moves = system.moves(state)
        costs = told(state) if moves else {}
        free = [name for name in moves if costs[name] == 0]
        assert free or not moves, (heads, state, costs)
        for name in free:
            after, arc = moves[name]
            assert arc is None or is_right(arc, heads), (heads, state, name)
            new.append(after)
    return seen


@ROOTS
def test_what_costs_nothing_leads_to_every_tree_with_swaps(several):
    system = Swap(several)
    for n in SIZES:
        for heads, gold in trees(n, lambda heads: several or roots(heads) == 1):
            order = projective_order(gold)
            follow(system, heads, lambda state, g=gold, order=order: swap(state, g, order))


@ROOTS
@pytest.mark.parametrize(
    ("system", "told"),
    [(Hybrid, hybrid), (Eager, eager), (Standard, standard)],
    ids=["arc-hybrid", "arc-eager", "arc-standard"],
)
def test_what_costs_nothing_leads_to_every_tree_without_crossing_arcs(system, told, several):
    for n in SIZES:
        for heads, gold in trees(n, lambda heads: plain(heads) and (several or roots(heads) == 1)):
            follow(system(several), heads, lambda state, g=gold: told(state, g, several))


@ROOTS
def test_with_swaps_costs_are_exact_where_no_word_is_to_be_swapped(several):
    """Where words stand in the projective order, over all ways to go on without swaps.

    Such states come up behind mistakes, too: here in every run of the system.
    """
    system, still, checked = Swap(several), Hybrid(several), 0
    for n in range(1, 5):
        states = sorted(reachable(system, n))
        for heads, gold in trees(n, lambda heads: several or roots(heads) == 1):
            order, best = projective_order(gold), most_right(still, heads)
            for state in states:
                places = [order[word] for word in (*state[0], *state[1])]
                if places == sorted(places):
                    expected = true_costs(still, state, heads, best)
                    costs = swap(state, gold, order)
                    assert {name: costs[name] for name in expected} == expected, (heads, state)
                    assert costs["swap"] == 2 or "swap" not in system.moves(state)
                    checked += not plain(heads)
    assert checked > 100


@ROOTS
def test_without_crossing_arcs_costs_with_swaps_are_those_of_arc_hybrid(several):
    for n in SIZES:
        for heads, gold in trees(n, lambda heads: plain(heads) and (several or roots(heads) == 1)):
            order = projective_order(gold)
            assert order.tolist() == list(range(n + 1))
            for state in reachable(Hybrid(several), n):
                costs = swap(state, gold, order)
                del costs["swap"]
                assert costs == hybrid(state, gold, several), (heads, state)


def test_in_the_projective_order_no_arcs_cross():
    for n in SIZES:
        for heads, gold in trees(n):
            order = projective_order(gold).tolist()
            assert sorted(order) == list(range(n + 1))
            moved = [-1] * (n + 1)
            for word in range(1, n + 1):
                moved[order[word]] = order[heads[word]]
                side = (word < heads[word]) == (order[word] < order[heads[word]])
                assert side, (heads, order)
            assert plain(moved), (heads, order)


def test_only_parts_whose_arcs_cross_are_moved():
    """Where some heads are unknown: if the known arcs fit a tree without crossing arcs, nothing."""
    for n in range(1, 5):
        for heads, _ in trees(n, plain):
            for hidden in range(2**n):
                known = [-1] + [-1 if hidden >> w & 1 else heads[w + 1] for w in range(n)]
                assert projective_order(np.array(known, np.int32)).tolist() == list(range(n + 1))


@ROOTS
def test_the_reference_of_arc_standard_is_good_but_not_perfect(several):
    system, optimal, count = Standard(several), 0, 0
    for heads, gold in trees(4, lambda heads: plain(heads) and roots(heads) == 1):
        best = most_right(system, heads)
        for state in reachable(system, 4):
            expected = true_costs(system, state, heads, best)
            if len(expected) > 1:
                costs = standard(state, gold, several)
                optimal += expected[min(expected, key=lambda name: costs[name])] == 0
                count += 1
    assert 0.9 < optimal / count < 1

"""`check` and `trace`, on tasks that are as they should be and on tasks that are not."""

from typing import NamedTuple

import numpy as np
import pytest
from small_tasks import costed, mixed, sentences, tagger

import rollin
from rollin.native.kernels import COMPILED

EXAMPLES = sentences(12, 1, 5)


class Row(NamedTuple):
    gold: np.ndarray


ROWS = [Row(each.gold) for each in EXAMPLES]


def task(decoder, **changes):
    names = {"slots": "here", "notes": "previous", "decisions": {"tag": 4}}
    return rollin.Task(decoder, **{**names, **changes})


def honest(search, row):
    previous = -1
    for n in range(len(row.gold)):
        search.look("here", n)
        search.note("previous", previous)
        previous = search.predict("tag", reference=row.gold[n])
        search.loss(previous != row.gold[n])


@pytest.mark.parametrize("right", [tagger, costed], ids=["reference", "costs"])
def test_a_right_task_passes_everything(right):
    report = rollin.check(right, EXAMPLES)
    assert report.ok, report
    holds = [finding.holds for finding in report.findings]
    assert holds[0] and holds[2]
    assert str(report).count("FAIL") == 0
    if COMPILED:
        assert report["compiled and interpreted agree"].holds
    assert report["costs agree with roll-outs"].holds is (True if right is costed else None)


def test_decisions_of_different_widths_are_told_apart():
    """Rows are as wide as the widest decision; what lies beyond is left from other runs."""
    report = rollin.check(mixed, EXAMPLES)
    assert report["deterministic"].holds, report
    assert report["compiled and interpreted agree"].holds in (True, None), report
    assert not report["costs agree with roll-outs"].holds  # its loss is not what its costs say


def test_there_is_something_to_check_and_someone_to_roll_out():
    with pytest.raises(rollin.RollinError, match="no examples to check task 'tag' on"):
        rollin.check(tagger, [])
    model = tagger.fit(EXAMPLES, passes=1, learner="sgd bits=4")
    with pytest.raises(rollin.RollinError, match="no roll-out 'oracle': choose from learned, ref"):
        rollin.trace(model, EXAMPLES[0], roll_out="oracle")


def test_nothing_is_claimed_of_what_was_not_checked():
    report = rollin.check(task(honest), ROWS, compiled=False)
    assert report.ok
    assert report["compiled and interpreted agree"].holds is None
    assert "  -   costs agree with roll-outs: no decisions with costs to check" in str(report)


def test_a_reference_that_is_not_optimal_is_shown_with_a_better_action():
    def decoder(search, row):
        for n in range(len(row.gold)):
            search.look("here", n)
            search.note("previous", n)
            good = row.gold[n]
            tag = search.predict("tag", reference=(good + 1) % 4 if n == 2 else good)
            search.loss(tag != good)

    report = rollin.check(task(decoder), ROWS)
    assert not report.ok
    finding = report["reference one-step optimal"]
    assert not finding.holds
    number = next(n for n, row in enumerate(ROWS) if len(row.gold) > 2)
    good = ROWS[number].gold[2]
    assert f"example {number}, decision 2: tag={good} leads to a loss of 0" in finding.seen
    assert f"the reference tag={(good + 1) % 4} to 1" in finding.seen


def test_a_reference_that_is_greedy_is_caught_by_what_comes_later():
    """Each decision for itself looks right; the loss at the end says otherwise."""

    def decoder(search, row):
        total = 0
        for n in range(2):
            search.look("here", n)
            search.note("previous", total)
            total += search.predict("tag", reference=3)
        search.loss(abs(total - 4))

    finding = rollin.check(task(decoder), ROWS)["reference one-step optimal"]
    assert finding.holds is False
    assert "decision 0: tag=1 leads to a loss of 0, the reference tag=3 to 2" in finding.seen


def test_costs_that_trying_out_does_not_confirm():
    def decoder(search, row):
        costs = np.zeros(4, np.float64)
        for n in range(len(row.gold)):
            search.look("here", n)
            search.note("previous", n)
            for tag in range(4):
                costs[tag] = 0.0 if tag == row.gold[n] else 2.0
            search.loss(search.predict("tag", costs=costs) != row.gold[n])

    report = rollin.check(task(decoder), ROWS)
    assert report["reference one-step optimal"].holds
    finding = report["costs agree with roll-outs"]
    assert finding.holds is False
    assert "is told to cost 2, trying it out costs 1" in finding.seen


def test_a_decoder_that_keeps_something_between_runs():
    kept = np.zeros(1, np.int64)

    def decoder(search, row):
        kept[0] += 1
        search.look("here", 0)
        search.note("previous", kept[0])
        search.loss(search.predict("tag", reference=row.gold[0]) != row.gold[0])

    finding = rollin.check(task(decoder), ROWS, compiled=False)["deterministic"]
    assert finding.holds is False
    assert "differ in 'noted' of decision 0" in finding.seen
    assert "drawn at random?" in finding.seen


@pytest.mark.compiled
def test_a_decoder_that_differs_natively():
    """Whole numbers have 64 bits in native code and no end in Python."""

    def decoder(search, row):
        large = len(row.gold)
        for n in range(len(row.gold)):
            search.look("here", n)
            large = large * 6364136223846793005 + n
            search.note("previous", large % 5)
            search.predict("tag", reference=row.gold[n])

    finding = rollin.check(task(decoder), ROWS)["compiled and interpreted agree"]
    assert finding.holds is False
    assert "differ in 'noted' of decision" in finding.seen
    assert "beyond 64 bits" in finding.seen


def test_names_that_are_never_used():
    unused = task(
        honest, slots="here there", notes="previous mood", decisions={"tag": 4, "other": 2}
    )
    finding = rollin.check(unused, ROWS)["all declared names used"]
    assert finding.seen == "never used: slot 'there', note 'mood', decision 'other'"


def test_a_task_without_references_is_checked_as_far_as_it_goes():
    def decoder(search, row):
        search.look("here", 0)
        search.note("previous", 1)
        search.loss(search.predict("tag") != row.gold[0])

    report = rollin.check(task(decoder), ROWS)
    assert report["reference one-step optimal"].holds is None
    assert report["deterministic"].holds
    assert report.ok


# --- trace -----------------------------------------------------------------------------------


def test_a_trace_shows_what_happened():
    model = tagger.fit(sentences(60, 1), learner="sgd+ bits=8", passes=3)
    example = next(each for each in EXAMPLES if len(each.gold) > 2)
    trace = rollin.trace(model, example)
    assert [int(step.chosen) for step in trace.steps] == model.predict([example])[0].tolist()
    assert trace.loss == model.losses([example])[0]
    for n, step in enumerate(trace.steps):
        assert step.decision == "tag"
        assert step.reference == str(example.gold[n])
        assert step.looked == {
            "here": example.words[n],
            "left": example.words[n - 1] if n else None,
        }
        assert step.noted == {"previous": int(trace.steps[n - 1].chosen) if n else -1}
        assert set(step.scores) == set("0123")
        assert max(step.scores, key=step.scores.get) == step.chosen
        assert step.losses[step.chosen] == trace.loss


def test_a_trace_tries_out_every_action_with_either_policy():
    model = costed.fit(sentences(20, 1), learner="sgd+ bits=8", passes=1)
    for example in EXAMPLES:
        trace = rollin.trace(model, example, roll_out="reference")
        so_far = 0
        for n, step in enumerate(trace.steps):
            right = str(example.gold[n])
            assert step.losses == {a: so_far + (a != right) for a in step.losses}
            so_far += step.chosen != right
        assert not rollin.trace(model, example, deviations=False).steps[0].losses


def test_a_trace_shows_only_what_was_allowed_and_prints():
    model = mixed.fit(sentences(30, 1), learner="sgd+ bits=8", passes=2)
    seen = set()
    for example in EXAMPLES:
        trace = rollin.trace(model, example)
        for before, step in zip(trace.steps, trace.steps[1:], strict=False):
            if step.decision == "tag" and before.noted["previous"] >= 0:
                forbidden = str(before.noted["previous"])
                seen.add(forbidden in step.scores)
                assert set(step.scores) == set(step.losses)
                assert forbidden not in step.scores or forbidden == step.reference
        text = str(trace)
        assert text.startswith(f"loss {trace.loss:g} after {len(trace.steps)} decisions\n")
        assert "skip = " in text and "looks  here=w" in text and "costs  " in text
    assert False in seen

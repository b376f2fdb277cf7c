"""The tasks that ship with rollin: right as decoders, and learned."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollin
from rollin.compiler.methods import METHODS
from rollin.tasks.scheduling import due_first, quick_first, schedule, scheduler, some_jobs
from rollin.tasks.spans import (
    LabelledSentence,
    bio_labels,
    f1,
    span_labeller,
    spans_of,
    wrong_spans,
)
from rollin.tasks.tagger import TaggedSentence, shape, tagger

# --- the tagger ----------------------------------------------------------------------------------

WORDS = ["the", "a", "dog", "Cat", "barks", "sleeps", "3", "1984", "quickly", "slowly", ",", "."]
TAGS = ("DET", "NOUN", "VERB", "NUM", "ADV", "PUNCT")


def tagged(count, seed):
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        numbers = chance.integers(0, len(WORDS), chance.integers(1, 9))
        made.append(TaggedSentence([WORDS[n] for n in numbers], numbers // 2))
    return made


def test_the_tagger_is_right_and_learns():
    task = tagger(TAGS)
    assert rollin.check(task, tagged(5, 1)).ok
    model = task.fit(tagged(100, 1), passes=3, learner="sgd+ bits=12")
    unseen = TaggedSentence(["The", "dog", "barks", "quickly", "."], np.zeros(5, np.int64))
    (tags,) = model.predict([unseen])
    assert [TAGS[tag] for tag in tags] == ["DET", "NOUN", "VERB", "ADV", "PUNCT"]


@pytest.mark.parametrize(
    "word, expected", [("McDonald-77", "XxXxx-dd"), ("", ""), ("USA", "XX"), ("3.14", "d.dd")]
)
def test_shapes(word, expected):
    assert shape(word) == expected


# --- spans ---------------------------------------------------------------------------------------

TYPES = ("person", "place")
COUNT = len(bio_labels(TYPES))


@st.composite
def labellings(draw, size):
    labels = []
    for _ in range(size):
        before = labels[-1] if labels else 0
        possible = [a for a in range(COUNT) if a == 0 or a % 2 or before in (a - 1, a)]
        labels.append(draw(st.sampled_from(possible)))
    return np.array(labels, np.int64)


def test_labels_have_names():
    assert bio_labels(TYPES) == ("O", "B-person", "I-person", "B-place", "I-place")
    assert spans_of([1, 2, 3, 0, 1, 1, 2]) == {(0, 2, 0), (2, 3, 1), (4, 5, 0), (5, 7, 0)}


@given(st.integers(0, 7).flatmap(lambda size: st.tuples(labellings(size), labellings(size))))
def test_the_loss_counts_spans(both):
    ours, gold = both
    theirs, right = spans_of(ours), spans_of(gold)
    assert wrong_spans(ours, gold) == len(theirs ^ right)
    if theirs or right:
        assert f1([gold], [ours]) == 200 * len(theirs & right) / (len(theirs) + len(right))
    else:
        assert f1([gold], [ours]) == 100


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_costs_of_labels_are_exact(data):
    """After any labels at all, each costs what the best way to go on behind it comes to."""
    size = data.draw(st.integers(1, 4))
    gold, prefix = data.draw(labellings(size)), data.draw(labellings(size))
    step = data.draw(st.integers(0, size - 1))
    told = costs_after(gold, prefix[:step].tolist())
    losses = {}
    for rest in product(range(COUNT), repeat=size - step):
        labels = np.array([*prefix[:step], *rest])
        if all(
            a == 0 or a % 2 or b in (a - 1, a) for b, a in zip([0, *labels], labels, strict=False)
        ):
            loss = len(spans_of(labels) ^ spans_of(gold))
            losses[rest[0]] = min(loss, losses.get(rest[0], loss))
    assert {label: told[label] for label in losses} == {
        label: loss - min(losses.values()) for label, loss in losses.items()
    }


def costs_after(gold, prefix):
    """Run the decoder along some labels; give what it tells of the next one."""

    class Search:
        needs_reference = True
        taken = 0
        look = note = loss = staticmethod(lambda *arguments: None)

        def predict(self, decision, costs, allowed):
            if self.taken == len(prefix):
                raise StopIteration(costs.copy())
            self.taken += 1
            return prefix[self.taken - 1]

    with pytest.raises(StopIteration) as found:
        span_labeller(TYPES).decoder(Search(), LabelledSentence(["w"] * len(gold), gold))
    return found.value.value


def people_and_places(count, seed):
    """Spans begin at a title; whether it is a place shows only in their last word."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        words, labels = [], []
        for _ in range(chance.integers(1, 4)):
            words += ["so", "it", "was"][: chance.integers(0, 4)]
            labels += [0] * (len(words) - len(labels))
            kind = int(chance.integers(0, 2))
            names = [f"Name{n}" for n in chance.integers(0, 30, chance.integers(0, 2))]
            span = ["Saint", *names, ("Smith", "City")[kind]]
            words += span
            labels += [1 + 2 * kind] + [2 + 2 * kind] * (len(span) - 1)
        made.append(LabelledSentence(words, np.array(labels, np.int64)))
    return made


def test_spans_are_right_and_learned():
    task = span_labeller(TYPES)
    train, test = people_and_places(200, 1), people_and_places(50, 2)
    report = rollin.check(task, train[:8])
    assert report.ok, report
    assert report["costs agree with roll-outs"].holds
    model = task.fit(train, passes=4, learner="sgd+ bits=14")
    found = model.predict(test)
    assert f1([s.labels for s in test], found) > 90
    for labels in found:
        for before, label in zip([0, *labels], labels, strict=False):
            assert label == 0 or label % 2 or before in (label - 1, label)


# --- scheduling ----------------------------------------------------------------------------------


def lateness(jobs, order):
    clock = late = 0.0
    for job in order:
        clock += jobs.time[job]
        late += jobs.weight[job] * max(0.0, clock - jobs.due[job])
    return late / jobs.weight.sum()


def follow(jobs, rule):
    done, order = np.zeros(len(jobs.time), bool), []
    for _ in jobs.time:
        order.append(rule(jobs, done))
        done[order[-1]] = True
    return lateness(jobs, order)


def best_mix(jobs, done=None, clock=0.0):
    """The least lateness that following one of the two rules at each step can come to."""
    done = np.zeros(len(jobs.time), bool) if done is None else done
    if done.all():
        return 0.0
    found = []
    for job in {due_first(jobs, done), quick_first(jobs, done)}:
        after = done.copy()
        after[job] = True
        end = clock + jobs.time[job]
        late = jobs.weight[job] * max(0.0, end - jobs.due[job]) / jobs.weight.sum()
        found.append(late + best_mix(jobs, after, end))
    return min(found)


def test_scheduling_is_right_but_for_its_reference():
    report = rollin.check(scheduler(), some_jobs(20, 1))
    assert [f.name for f in report.findings if f.holds is False] == ["reference one-step optimal"]


def test_learning_to_search_beats_the_reference_and_imitating_it_does_not():
    task, test = scheduler(), some_jobs(300, 2)
    by_reference = np.mean([follow(jobs, due_first) for jobs in test])
    best = np.mean([best_mix(jobs) for jobs in test])

    def learned(method):
        model = task.fit(some_jobs(1000, 1), method=method, passes=4)
        orders, losses = model.predict(test), model.losses(test)
        assert [lateness(j, o) for j, o in zip(test, orders, strict=True)] == pytest.approx(losses)
        assert all(sorted(order) == list(range(len(order))) for order in orders)
        return losses.mean()

    assert learned("dagger") == pytest.approx(by_reference)
    assert METHODS["dagger"].roll_out is None
    lols = learned("lols")
    # of all that choosing between the two rules can gain, LOLS gains the most part
    assert lols - best < 0.15 * (by_reference - best)


def test_jobs_all_done_in_time_cost_nothing():
    jobs = some_jobs(1, 1)[0]
    roomy = jobs._replace(due=jobs.due + 1000)
    assert task_loss(roomy) == 0.0


def task_loss(jobs):
    class Search:
        total = 0.0
        look = note = staticmethod(lambda *arguments: None)

        def predict(self, decision, reference):
            return reference

        def loss(self, amount):
            self.total += amount

    search = Search()
    schedule(search, jobs)
    return search.total

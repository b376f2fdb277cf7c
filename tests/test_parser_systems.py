"""The decoders of all transition systems: trees come out, kept arcs are kept, costs are true."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_parsing import crosses, is_tree, roots

import rollin
from rollin.compiler.observe import watch
from rollin.learners.protocol import Use
from rollin.learners.sgd import SGD
from rollin.parser.choosing import after, ask_with_costs
from rollin.parser.sentence import Sentence
from rollin.parser.systems import CHOOSING, SYSTEMS, parser_task
from rollin.training.checking import check

LABELS = ("det", "obj", "root")
BELOW_ROOT, BELOW_WORD = np.array([False, False, True]), np.array([True, True, False])
EVERY_SYSTEM = pytest.mark.parametrize("name", list(SYSTEMS))
some = settings(max_examples=150, deadline=None)


class AtRandom:
    """A search whose policy takes any allowed action, and sees that all it is told makes sense."""

    certainty = 1.0

    def __init__(self, seed, needs_reference):
        self.chance = np.random.default_rng(seed)
        self.needs_reference, self.total, self.least = needs_reference, 0.0, None

    def look(self, slot, position):
        assert position >= -1, slot

    def note(self, note, value):
        assert -1 <= value <= 1000, note

    def loss(self, amount):
        self.total += amount

    def predict(self, decision, reference=None, costs=None, allowed=None):
        possible = np.flatnonzero(allowed)
        assert len(possible), decision
        assert costs is None or np.isfinite(costs).all()
        assert reference is None or allowed[reference]
        return int(self.chance.choice(possible))


def run(name, sentence, seed, choosing="after", needs_reference=True):
    """Parse with a random policy, as plain Python; give heads and labels."""
    decoder = parser_task(name, choosing, LABELS).decoder
    search = AtRandom(seed, needs_reference)
    heads, labels, *_ = decoder(search, sentence)
    return heads.tolist(), labels.tolist(), search


def sentence_of(heads, labels=None, several=True, keep=False):
    labels = [-1] * len(heads) if labels is None else labels
    return Sentence(
        np.array(heads, np.int32), np.array(labels, np.int32), BELOW_ROOT, BELOW_WORD, several, keep
    )


@st.composite
def trees(draw, crossing, most=12, several=None):
    """Draw heads and labels, and whether several roots are allowed."""
    n = draw(st.integers(1, most))
    several = draw(st.booleans()) if several is None else several
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    heads = random_tree(chance, n, several, crossing)
    labels = [-1] + [2 if head == 0 else int(chance.integers(2)) for head in heads[1:]]
    return heads, labels, several


def random_tree(chance, n, several, crossing):
    """Attach words in a random order; where arcs must not cross, leave out those that would."""
    heads = [-1] * (n + 1)
    joined = [0]
    for word in chance.permutation(np.arange(1, n + 1)).tolist():
        places = [head for head in joined if head > 0 or several or len(joined) == 1]
        chance.shuffle(places)
        for head in places:
            heads[word] = head
            if crossing or not crosses(heads):
                break
        else:  # it is shut in by arcs, or would shut others in
            return random_tree(chance, n, several, crossing)
        joined.append(word)
    return heads


@EVERY_SYSTEM
@given(
    tree=trees(crossing=True),
    seed=st.integers(0, 2**32),
    choosing=st.sampled_from(sorted(CHOOSING)),
    told=st.booleans(),
)
@some
def test_whatever_the_policy_does_a_tree_comes_out(name, tree, seed, choosing, told):
    heads, labels, several = tree
    found, named, search = run(name, sentence_of(heads, labels, several), seed, choosing, told)
    assert len(found) == len(heads) and is_tree(found)
    assert found[0] == named[0] == -1
    assert several or roots(found) == 1
    assert SYSTEMS[name].crosses or not crosses(found)
    for word in range(1, len(heads)):
        fits = (2,) if found[word] == 0 else (0, 1)
        assert named[word] in (fits if choosing != "bare" else (-1,))
    wrong = sum(2 for a, b in zip(found[1:], heads[1:], strict=True) if a != b)
    mislabelled = sum(
        found[word] == heads[word] and named[word] != labels[word] for word in range(1, len(heads))
    )
    assert search.total == wrong + (mislabelled if choosing != "bare" else 0)


@EVERY_SYSTEM
@given(data=st.data(), seed=st.integers(0, 2**32))
@some
def test_kept_heads_and_labels_come_out(name, data, seed):
    """Any part of a tree that the system can make, whatever the policy does between."""
    system = SYSTEMS[name]
    heads, labels, several = data.draw(trees(crossing=system.crosses and not system.lifts))
    chance = np.random.default_rng(seed)
    share = chance.choice([0.2, 0.5, 0.8, 1.0])
    kept = [head if chance.random() < share else -1 for head in heads]
    named = [label if chance.random() < 0.7 else -1 for label in labels]
    choosing = data.draw(st.sampled_from(["after", "joint"]))
    found, marked, _ = run(name, sentence_of(kept, named, several, keep=True), seed, choosing)
    assert is_tree(found)
    assert several or roots(found) == 1
    for word in range(1, len(heads)):
        assert kept[word] in (-1, found[word]), (kept, found)
        assert named[word] in (-1, marked[word])


def test_where_nothing_is_kept_words_can_still_be_swapped():
    crossed = 0
    for seed in range(200):
        found, _, _ = run("swap", sentence_of([-1] * 7, keep=True), seed)
        crossed += crosses(found)
    assert crossed > 20


# --- compiled ------------------------------------------------------------------------------------


def sentences(crossing, several, count=8, longest=7):
    chance = np.random.default_rng(1)
    made = []
    for _ in range(count):
        heads = random_tree(chance, int(chance.integers(2, longest + 1)), several, crossing)
        labels = [-1] + [2 if head == 0 else int(chance.integers(2)) for head in heads[1:]]
        made.append(sentence_of(heads, labels, several))
    return made


def task_of(name, choosing="after"):
    return parser_task(name, choosing, LABELS, ("s1 * b1", "s1", "b1")).but(inputs=places)


def places(sentence):
    return {"place": range(len(sentence.heads))}


@pytest.mark.parametrize("several", [True, False], ids=["several-roots", "one-root"])
@pytest.mark.parametrize("choosing", ["after", "joint"])
@pytest.mark.parametrize("name", ["arc-hybrid", "arc-eager"])
def test_check_finds_that_costs_agree_with_trying_out(name, choosing, several):
    task = task_of(name, choosing)
    report = check(task, sentences(crossing=False, several=several), compiled=False)
    assert report["reference one-step optimal"].holds, str(report)
    assert report["costs agree with roll-outs"].holds, str(report)


def without_swap(search, sentence, heads, children, costs, allowed, sure):
    allowed[1] = False
    return choose_after(search, sentence, heads, children, costs, allowed, sure)


choose_after = after(ask_with_costs)


def test_check_finds_that_costs_with_swaps_agree_as_long_as_nothing_is_swapped():
    task = task_of("swap")
    still = rollin.Task(
        SYSTEMS["swap"].decoder(without_swap), slots=task.schema.slots, notes=task.schema.notes,
        decisions=task.schema.decisions, inputs=task.inputs,
    )  # fmt: skip
    report = check(still, sentences(crossing=False, several=True), compiled=False)
    assert report["reference one-step optimal"].holds, str(report)
    assert report["costs agree with roll-outs"].holds, str(report)


def test_check_finds_that_arc_standard_has_no_perfect_reference():
    examples = sentences(crossing=False, several=False, count=10, longest=14)
    report = check(task_of("arc-standard"), examples, compiled=False)
    assert report["reference one-step optimal"].holds is False


@pytest.mark.compiled
@EVERY_SYSTEM
def test_compiled_and_interpreted_are_the_same_with_and_without_keeping(name):
    task = task_of(name)
    chance = np.random.default_rng(3)
    examples = sentences(crossing=True, several=True, count=12)
    for example in list(examples):
        hidden = np.where(chance.random(len(example.heads)) < 0.5, example.heads, -1)
        examples.append(example._replace(heads=hidden.astype(np.int32), keep=True))
    bounds = [bind(task, examples, way) for way in (True, False)]
    for number in range(len(examples)):
        for share in (0.0, 0.5):
            one, other = (watch(bound, number, share, 1) for bound in bounds)
            for field in ("kind", "chosen", "reference", "allowed", "looked", "noted", "cost"):
                both = getattr(one, field), getattr(other, field)
                assert np.array_equal(*both), (number, field)
            assert one.loss == other.loss


def bind(task, examples, compiled):
    """Join a task to a model with random weights."""
    runner = task.runner(compiled)
    data = runner.load(examples, task.inputs)
    learned = SGD(bits=8).build(Use(task.schema, data.columns, task.templates), 1)
    table = learned.arrays["table"]
    table[:] = np.random.default_rng(1).normal(size=len(table)).astype(np.float32)
    return runner.bind(learned, data)

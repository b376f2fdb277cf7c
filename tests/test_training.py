"""Training as a whole: the same bytes however it is run, and what each method learns from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tasks import costed, mixed, sentences, tagger

import rollin
from rollin.compiler.drive import COUNTS, Plan
from rollin.compiler.methods import (
    DAGGER,
    EVERY_STEP,
    LOLS,
    METHODS,
    PAPER,
    Deviations,
    Method,
    method_from,
)
from rollin.compiler.policies import LEARNED, REFERENCE, Policy, mixture
from rollin.native.kernels import COMPILED
from rollin.training.loop import Training, shares

TRAIN, DEV = sentences(40, 1), sentences(15, 2)
SMALL = "sgd+ bits=8"
LEARNERS = ("sgd bits=8", "sgd+ bits=8 average", "ftrl bits=8", "nn bits=8", "nn+ftrl bits=8")


def file_of(model, tmp_path, name="model"):
    model.save(tmp_path / name)
    return (tmp_path / name).read_bytes()


@pytest.mark.compiled
@pytest.mark.parametrize("task", [tagger, costed, mixed], ids=lambda task: task.schema.task)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_compiled_and_interpreted_give_the_same_bytes(task, method, tmp_path):
    if task is mixed and METHODS[method].roll_in.reference == 1.0 and not COMPILED:
        pytest.skip("nothing is compiled")
    made = [
        file_of(task.fit(TRAIN, learner=SMALL, method=method, passes=2, compiled=way), tmp_path)
        for way in (True, False)
    ]
    assert made[0] == made[1]


@pytest.mark.compiled
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_gives_the_same_bytes_both_ways(learner, tmp_path):
    made = [
        file_of(tagger.fit(TRAIN, learner=learner, passes=2, compiled=way), tmp_path)
        for way in (True, False)
    ]
    assert made[0] == made[1]


@pytest.mark.parametrize("method", ["paper", "lols"])
def test_one_seed_one_model_and_another_seed_another(method, tmp_path):
    same = [
        file_of(tagger.fit(TRAIN, learner=SMALL, method=method, seed=3), tmp_path) for _ in range(2)
    ]
    other = file_of(tagger.fit(TRAIN, learner=SMALL, method=method, seed=4), tmp_path)
    assert same[0] == same[1] != other


@pytest.mark.parametrize("interrupted_at", [0, 1, 3])
def test_an_interrupted_training_resumes_to_the_same_bytes(interrupted_at, tmp_path, monkeypatch):
    many = sentences(300, 5)
    how = {"dev": DEV, "learner": "sgd+ bits=8 average", "method": "lols", "passes": 2}
    whole = file_of(tagger.fit(many, **how), tmp_path)

    looks = iter(range(100))
    ask = "rollin.training.loop._interruptible"
    monkeypatch.setattr(ask, lambda: _StopAt(looks, interrupted_at))
    with pytest.raises(KeyboardInterrupt):
        tagger.fit(many, **how, checkpoint=tmp_path / "unfinished")
    monkeypatch.undo()
    resumed = tagger.fit(many, **how, checkpoint=tmp_path / "unfinished", resume=True)
    assert file_of(resumed, tmp_path) == whole


class _StopAt:
    """Stands in for Ctrl-C: pressed before the n-th look."""

    def __init__(self, looks, at):
        self.looks, self.at = looks, at

    def __enter__(self):
        return lambda: next(self.looks) == self.at

    def __exit__(self, *problem):
        return False


def test_resuming_with_other_settings_or_data_is_refused(tmp_path):
    place = tmp_path / "unfinished"
    tagger.fit(TRAIN, learner=SMALL, passes=1, checkpoint=place)
    for changes, words in (
        ({"learner": "sgd+ bits=9"}, "its learner is"),
        ({"method": "paper"}, "its method is"),
        ({"seed": 2}, "its seed is"),
    ):
        with pytest.raises(rollin.RollinError, match=words):
            tagger.fit(TRAIN, **{"learner": SMALL, **changes}, checkpoint=place, resume=True)
    with pytest.raises(rollin.RollinError, match="other examples"):
        tagger.fit(TRAIN[1:], learner=SMALL, checkpoint=place, resume=True)


# --- costs ---------------------------------------------------------------------------------------


class Rows:
    """A training on one example at a time, with the rows it learned from laid open."""

    def __init__(self, task, examples, method, compiled=True):
        self.training = Training(
            task, examples, None, SMALL, method, 1, task.runner(compiled), None
        )
        self.bound = self.training.runner.bind(self.training.learned, self.training.data)

    def costs(self, number):
        from rollin.compiler.observe import recorded

        order, tally = np.array([number]), self.training.tally
        before = tally[COUNTS.index("decisions")]
        self.bound.learn(order, 0, 1, self.training._plan(), tally)
        steps = int(tally[COUNTS.index("decisions")] - before)
        rows = self.bound.call(recorded, steps)
        return np.array(rows[1]), np.where(rows[6], rows[7], -1.0)


@pytest.mark.parametrize("task", [tagger, costed], ids=["reference", "costs"])
def test_costs_to_go_and_exhaustive_roll_outs_are_the_same_examples(task):
    """With an exact reference, what it tells is what trying everything out comes to."""
    told = Rows(task, TRAIN, Method(roll_in=LEARNED))
    tried = Rows(task, TRAIN, Method(roll_in=LEARNED, roll_out=REFERENCE))
    for number in range(len(TRAIN)):
        (chosen, costs), (chosen_too, costs_too) = told.costs(number), tried.costs(number)
        assert np.array_equal(chosen, chosen_too)
        assert np.array_equal(costs, costs_too)
    one, other = told.training.learned.arrays, tried.training.learned.arrays
    assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("roll_out", [REFERENCE, LEARNED, mixture(0.5, by_run=True)], ids=str)
@pytest.mark.parametrize("roll_in", [REFERENCE, LEARNED], ids=["in-reference", "in-learned"])
def test_roll_outs_find_what_a_naive_search_finds(roll_in, roll_out):
    """Every cost, against a search that is written out in Python and shares no code."""
    method = Method(roll_in=roll_in, roll_out=roll_out)
    rows = Rows(mixed, TRAIN, method)
    for number in (0, 3, 5):
        weights = {k: v.copy() for k, v in rows.training.learned.arrays.items()}
        chosen, costs = rows.costs(number)
        naive = naive_costs(rows.training, weights, method, number, chosen)
        assert len(naive) == len(costs)
        for step, (found, expected) in enumerate(zip(costs, naive, strict=True)):
            if expected is not None:
                known = found[: len(expected)]
                assert np.allclose(known, expected, atol=1e-12), (number, step)


def naive_costs(training, weights, method, number, chosen):
    """Deviate at every step of a run, by running the plain decoder from the start each time."""
    from small_tasks import everything

    from rollin.learners.sparse import SparseModel

    example = TRAIN[number]
    frozen = SparseModel(training.learned.learner, training.learned.use, 1, arrays=weights)
    bound = mixed.runner(False).bind(frozen, mixed.runner(False).load([example], mixed.inputs))
    search = bound.search
    seed = _seed_of(training, number)

    class Naive:
        """Replays a path, deviates, and lets a policy finish."""

        def __init__(self, path, share, chance):
            self.path, self.share, self.chance, self.total = path, share, chance, 0.0
            self.taken, self.allowed = [], []
            self.looks = {"here": -1, "left": -1}
            self.notes = {"previous": 0}
            self.needs_reference = True

        def look(self, slot, position):
            self.looks[slot] = position

        def note(self, name, value):
            self.notes[name] = value

        def loss(self, amount):
            self.total += float(amount)

        def predict(self, decision, reference=None, costs=None, allowed=None):
            kind = ["skip", "tag"].index(decision)
            size = [2, 4][kind]
            can = [True] * size if allowed is None else [bool(a) for a in allowed]
            step = len(self.taken)
            if costs is not None:
                reference = min((c, a) for a, c in enumerate(costs) if can[a])[1]
            if step < len(self.path):
                action = int(self.path[step])
            elif self.share >= 1.0 or (self.share > 0 and self.chance(step) < self.share):
                action = int(reference)
            else:
                action = self.learned(kind, can, step)
            self.taken.append(action)
            self.allowed.append(can)
            return action

        def learned(self, kind, can, step):
            search.origin, search.size = 0, len(example.words)
            row = search.capacity
            search.kind[row] = kind
            search.looked[row] = [self.looks["here"], self.looks["left"]]
            before = [self.taken[step - back] if step >= back else -1 for back in (1, 2)]
            search.noted[row] = [self.notes["previous"], *before]
            with np.errstate(over="ignore"):
                search.score(search, row)
            scores = search.scores[row]
            return max((scores[a], -a) for a in range(len(can)) if can[a])[1] * -1

    found = []
    whole = Naive(chosen, 0.0, None)
    everything(whole, example)
    for step, can in enumerate(whole.allowed):
        if sum(can) < 2:
            found.append(None)
            continue
        share, chance = _luck(method.roll_out, seed, step)
        losses = []
        for action, possible in enumerate(can):
            if possible:
                run = Naive([*chosen[:step], action], share, chance)
                everything(run, example)
                losses.append(run.total)
            else:
                losses.append(-1.0)
        least = min(loss for loss, possible in zip(losses, can, strict=True) if possible)
        found.append([loss - least if ok else -1.0 for loss, ok in zip(losses, can, strict=True)])
    return found


def _seed_of(training, number):
    from rollin.native.hashing import mix
    from rollin.native.structs import plain

    with np.errstate(over="ignore"):
        both = plain(mix)(np.uint64(training.seed), np.uint64(training.epoch))
        return plain(mix)(both, np.uint64(number))


def _luck(policy, seed, step):
    """The luck of a deviation: drawn from a key of its own, once where that is by run."""
    from rollin.compiler.acting import draw
    from rollin.native.hashing import mix
    from rollin.native.structs import plain

    with np.errstate(over="ignore"):
        key = plain(mix)(seed, np.uint64(step + 3))
        share = policy.reference
        if policy.by_run and 0 < share < 1:
            share = 1.0 if plain(draw)(key + np.uint64(1), 0) < share else 0.0
    return share, lambda at: plain(draw)(key, at)


# --- which steps ---------------------------------------------------------------------------------


def tally_of(method, examples=TRAIN, task=tagger):
    rows = Rows(task, examples, method)
    training = rows.training
    rows.bound.learn(np.arange(len(examples)), 0, len(examples), training._plan(), training.tally)
    return dict(zip(COUNTS, training.tally, strict=True))


def test_every_step_tries_every_other_action_once():
    steps = sum(len(sentence.gold) for sentence in TRAIN)
    counts = tally_of(Method(roll_in=LEARNED, roll_out=REFERENCE))
    assert counts["decisions"] == counts["learned_from"] == steps
    assert counts["roll_outs"] == steps * 4
    # where one pure policy rolls in and out, what it chose itself need not be tried
    assert tally_of(Method(roll_in=LEARNED, roll_out=LEARNED))["roll_outs"] == steps * 3


@given(st.integers(1, 6))
@settings(max_examples=6, deadline=None)
def test_a_sample_takes_so_many_steps_of_each_run(wanted):
    counts = tally_of(PAPER.but(deviations=Deviations(sample=wanted)))
    assert counts["learned_from"] == sum(min(wanted, len(s.gold)) for s in TRAIN)


def test_a_margin_leaves_out_what_is_sure_and_right():
    wide = tally_of(DAGGER.but(deviations=Deviations(margin=1e9)))
    narrow = tally_of(DAGGER.but(deviations=Deviations(margin=0.1)))
    every = tally_of(DAGGER.but(deviations=EVERY_STEP))
    assert narrow["learned_from"] < wide["learned_from"] == every["learned_from"]


def test_early_update_learns_up_to_the_first_mistake():
    counts = tally_of(METHODS["perceptron"])
    assert counts["examples"] <= counts["learned_from"] < counts["decisions"]


def test_schedules_are_the_papers_as_it_was_meant():
    """1 - (1 - a)^t is the share of the learned policy, and t counts decisions."""
    from rollin.compiler.drive import shrunk
    from rollin.native.structs import plain

    for share, decay, count in ((1.0, 1e-5, 0), (1.0, 1e-5, 12345), (0.5, 0.1, 7)):
        assert plain(shrunk)(share, decay, count) == pytest.approx(share * (1 - decay) ** count)
    assert Policy(1.0, later=0.0).share(0) == 1.0
    assert Policy(1.0, later=0.0).share(3) == 0.0


def test_the_plan_is_what_the_method_says():
    training = Training(tagger, TRAIN, None, SMALL, LOLS, 7, tagger.runner(), None)
    assert training._plan() == Plan(7, 0, 0.0, 0.0, False, True, 0.5, 0.0, True, 0, -1.0, False)


@pytest.mark.parametrize(
    "text, method",
    [
        ("lols", LOLS),
        ("paper sample=3 scaling=clip", PAPER.but(deviations=Deviations(3), scaling="clip")),
        ("lols margin=0.5, until_mistake", LOLS.but(deviations=Deviations(0, 0.5, True))),
        ("perceptron until_mistake=no", METHODS["perceptron"].but(deviations=EVERY_STEP)),
        ("lols roll_out=none reduction=softmax", Method(LEARNED, reduction="softmax")),
        ("dagger roll_in=learned roll_out=reference", Method(LEARNED, REFERENCE)),
        ("paper roll_out=0.5 decay=1e-3", Method(mixture(1.0, 1e-3), mixture(0.5, 1e-3))),
    ],
)
def test_methods_are_read_from_text(text, method):
    assert method_from(text) == method


# --- that it learns ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_learns(method):
    learner = "sgd rate=1 average bits=10" if method == "perceptron" else "sgd+ bits=10"
    model = tagger.fit(sentences(150, 1), learner=learner, method=method, passes=6)
    wrong = model.losses(DEV).sum() / sum(len(s.gold) for s in DEV)
    assert wrong < 0.1  # guessing the most frequent tag is wrong more than half of the time


def test_the_best_pass_on_dev_is_kept_and_patience_ends_the_training():
    reports = []
    model = tagger.fit(
        TRAIN, dev=DEV, learner="sgd bits=6 rate=0.3", passes=12, patience=2, report=reports.append
    )
    losses = [report["dev loss"] for report in reports]
    assert model.losses(DEV).mean() == min(losses)
    assert model.facts["best pass"] == losses.index(min(losses)) + 1
    assert len(losses) == 12 or len(losses) == model.facts["best pass"] + 2


def test_threads_predict_the_same():
    model = tagger.fit(TRAIN, learner=SMALL, passes=1)
    one, two = model.predict(DEV), model.predict(DEV, threads=3)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert np.array_equal(model.losses(DEV), model.losses(DEV, threads=2))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40), st.integers(1, 5))
def test_a_batch_is_shared_out_evenly(sizes, count):
    count, sizes = min(count, len(sizes)), np.array(sizes)
    numbers = np.arange(100, 100 + len(sizes))
    parts = shares(numbers, sizes, count)
    assert sorted(np.concatenate(parts)) == list(numbers)
    assert all(len(part) and (np.diff(part) > 0).all() for part in parts)
    work = [(1 + sizes[part - 100]).sum() for part in parts]
    assert max(work) - min(work) <= 1 + sizes.max()

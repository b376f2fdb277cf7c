"""The certainty of a decision: what it is, and that asking for it changes nothing else."""

import numpy as np
import pytest
from small_tasks import TAGS, TEMPLATES, sentences, words

import rollin
from rollin.compiler.certainty import SURE
from rollin.compiler.methods import DAGGER, LOLS
from rollin.learners.reductions import REDUCTIONS

TRAIN, TEST = sentences(60, 1), sentences(25, 2)


def decide(search, sentence):
    """Two kinds of decision, some with one way out only; their actions and certainties."""
    gold = sentence.gold
    taken = np.zeros((len(gold), 2), np.int64)
    certain = np.zeros((len(gold), 2), np.float64)
    allowed = np.ones(TAGS, np.bool_)
    costs = np.zeros(2, np.float64)
    previous = -1
    for n in range(len(gold)):
        search.look("here", n)
        search.look("left", n - 1)
        search.note("previous", previous)
        costs[0], costs[1] = gold[n] % 2, 1 - gold[n] % 2
        odd = search.predict("odd", costs=costs)
        certain[n, 0] = search.certainty
        for action in range(TAGS):
            allowed[action] = action % 2 == odd and (n % 3 > 0 or action // 2 == gold[n] // 2)
        right = gold[n] if allowed[gold[n]] else odd if allowed[odd] else odd + 2
        previous = search.predict("tag", reference=right, allowed=allowed)
        certain[n, 1] = search.certainty
        taken[n, 0], taken[n, 1] = odd, previous
        search.loss(previous != gold[n])
    return taken, certain


task = rollin.Task(
    decide, slots="here left", notes="previous", decisions={"odd": 2, "tag": TAGS},
    inputs=words, templates=TEMPLATES,
)  # fmt: skip


def trained(reduction, learner="sgd+ bits=8", compiled=True):
    method = DAGGER.but(reduction=reduction)
    return task.fit(TRAIN, learner=learner, method=method, passes=2, compiled=compiled)


@pytest.fixture(scope="module", params=REDUCTIONS)
def model(request):
    return trained(request.param)


def interpreted(model, decoder=decide):
    """Give the same model with its decoder run as plain Python."""
    plain = task.but(decoder=decoder) if decoder is not decide else task
    return rollin.Model(plain, model.learned, model.facts, plain.runner(compiled=False))


def certainties(outputs):
    return np.concatenate([certain for _, certain in outputs])


# --- what it is ----------------------------------------------------------------------------------


def naive_certainty(scores, action, reduction):
    """Give the softmax of scores, or of predicted costs none of which is below zero."""
    if reduction not in ("softmax", "weighted", "expected") and len(scores) > 1:
        scale = SURE + np.log(len(scores) - 1)
        scores = {each: -scale * max(-score, 0.0) for each, score in scores.items()}
    chances = {each: np.exp(score) for each, score in scores.items()}
    return chances[action] / sum(chances.values())


class Watched:
    """A search that passes on all calls, and compares every certainty with the naive one."""

    def __init__(self, search, reduction):
        self.search, self.reduction, self.alone = search, reduction, 0

    def __getattr__(self, name):
        return getattr(self.search, name)

    def predict(self, decision, reference=None, costs=None, allowed=None):
        search = self.search
        action = search.predict(decision, reference, costs, allowed)
        count = len(search.schema.decisions[decision])
        possible = [each for each in range(count) if allowed is None or allowed[each]]
        scores = {each: float(search.scores[search.capacity][each]) for each in possible}
        expected = naive_certainty(scores, action, self.reduction)
        assert search.certainty == pytest.approx(expected, rel=1e-12)
        if len(possible) == 1:
            assert search.certainty == 1.0
            self.alone += 1
        return action


def test_is_the_softmax_of_what_the_learner_predicts(model):
    alone = 0

    def watch(search, sentence):
        nonlocal alone
        watched = Watched(search, model.learned.use.reduction)
        result = decide(watched, sentence)
        alone += watched.alone
        return result

    watching = rollin.Task(
        watch, slots="here left", notes="previous", decisions={"odd": 2, "tag": TAGS},
        inputs=words, templates=TEMPLATES,
    )  # fmt: skip
    watcher = rollin.Model(watching, model.learned, model.facts, watching.runner(compiled=False))
    found = certainties(watcher.predict(TEST, certainty=True))
    assert alone > 0
    assert ((found > 0) & (found <= 1)).all()
    assert len(np.unique(found)) > 10


def noisy(count, seed):
    """Make sentences in which nobody can know the tags of some words."""
    chance = np.random.default_rng(seed)
    made = sentences(count, seed)
    for sentence in made:
        for n, word in enumerate(sentence.words):
            if word in ("w0", "w1", "w2", "w3"):
                sentence.gold[n] = chance.integers(TAGS)
    return made


@pytest.mark.parametrize("reduction", ["onesided", "regression", "softmax", "weighted"])
def test_least_certain_decisions_are_the_wrong_ones(reduction):
    others = noisy(200, 5)
    model = task.fit(
        noisy(200, 6), learner="sgd+ bits=10", method=DAGGER.but(reduction=reduction), passes=2
    )
    wrong, certain = [], []
    for sentence, (taken, sure) in zip(others, model.predict(others, certainty=True), strict=True):
        wrong.extend(taken[:, 0] != sentence.gold % 2)
        certain.extend(sure[:, 0])
    order = np.argsort(certain, kind="stable")
    wrong, half = np.array(wrong)[order], len(order) // 2
    assert wrong[:half].sum() > 5 * wrong[half:].sum()


# --- when it is there ----------------------------------------------------------------------------


def test_compiled_and_interpreted_agree_to_the_last_bit(model):
    native = certainties(model.predict(TEST, certainty=True))
    plain = certainties(interpreted(model).predict(TEST, certainty=True))
    assert (native == plain).all()


def test_dense_learner_gives_probabilities():
    model = trained(None, "dense hidden=8")
    assert model.learned.use.reduction == "softmax"
    found = certainties(model.predict(TEST, certainty=True))
    assert (found < 1).any() and ((found > 0) & (found <= 1)).all()


def test_is_one_where_nobody_asks(model):
    asked, unasked = model.predict(TEST, certainty=True), model.predict(TEST)
    again = model.predict(TEST, certainty=True, threads=2)
    assert (certainties(unasked) == 1.0).all()
    assert (certainties(asked) < 1.0).any()
    assert (certainties(asked) == certainties(again)).all()
    for (taken, _), (same, _) in zip(asked, unasked, strict=True):
        assert np.array_equal(taken, same)


def test_is_one_where_the_decisions_are_replayed(model):
    model.predict(TEST, certainty=True)
    assert (certainties(model.predict(TEST, beam=3, certainty=True)) == 1.0).all()


def test_is_one_in_training():
    seen = set()

    def decide_and_tell(search, sentence):
        result = decide(search, sentence)
        seen.update(result[1].ravel())
        return result

    telling = rollin.Task(
        decide_and_tell, slots="here left", notes="previous", decisions={"odd": 2, "tag": TAGS},
        inputs=words, templates=TEMPLATES,
    )  # fmt: skip
    telling.fit(TRAIN[:6], learner="sgd bits=6", method=LOLS, passes=2, compiled=False)
    assert seen == {1.0}

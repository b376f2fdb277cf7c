"""What a decoder can do wrong: the error says what, where and what to do, natively and not."""

from typing import NamedTuple

import numpy as np
import pytest

import rollin
from rollin.compiler.compiling import CompileProblem
from rollin.compiler.methods import DAGGER, LOLS
from rollin.native.kernels import COMPILED

WAYS = [pytest.param(True, id="compiled", marks=pytest.mark.compiled), False]
SMALL = "sgd+ bits=6"


class Example(NamedTuple):
    numbers: np.ndarray


def examples(*rows):
    return [Example(np.array(row, np.float64)) for row in rows or [(1, 2, 0), (2, 0)]]


def fit(decoder, given=None, compiled=True, method="dagger", **changes):
    names = {
        "slots": "here left",
        "notes": "previous",
        "decisions": {"pick": ("stay", "go", "jump")},
        "inputs": lambda example: {"n": example.numbers.astype(np.int64)},
        **changes,
    }
    task = rollin.Task(decoder, **names)
    return task.fit(given or examples(), learner=SMALL, method=method, passes=1, compiled=compiled)


def refused(words, decoder, given=None, compiled=True, **how):
    with pytest.raises(rollin.RollinError) as caught:
        fit(decoder, given, compiled, **how)
    text = str(caught.value)
    for word in words:
        assert word in text, text
    return text


# --- while a decoder runs ------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", WAYS)
def test_a_reference_out_of_range(compiled):
    def decoder(search, example):
        for number in example.numbers:
            search.predict("pick", reference=int(number) + 2)

    refused(
        ["task 'decoder', example 0, decision 0 ('pick')", "the reference is 3", "are 0 to 2"],
        decoder, compiled=compiled, given=examples((1, 2)),
    )  # fmt: skip


@pytest.mark.parametrize("compiled", WAYS)
def test_a_reference_below_unknown(compiled):
    def decoder(search, example):
        search.predict("pick", reference=int(example.numbers[0]) - 7)

    refused(["the reference is -6", "are 0 to 2"], decoder, examples((1,)), compiled)


@pytest.mark.parametrize("compiled", WAYS)
def test_a_reference_that_is_not_allowed(compiled):
    def decoder(search, example):
        allowed = np.ones(3, np.bool_)
        for n in range(len(example.numbers)):
            allowed[2] = n == 0
            search.predict("pick", reference=2, allowed=allowed)

    refused(
        ["example 0, decision 1", "'jump'", "which allowed= forbids"],
        decoder, examples((1, 2)), compiled,
    )  # fmt: skip


@pytest.mark.parametrize("compiled", WAYS)
def test_nothing_is_allowed(compiled):
    def decoder(search, example):
        allowed = np.zeros(3, np.bool_)
        search.predict("pick", reference=0, allowed=allowed)

    refused(["decision 0 ('pick')", "no action is allowed"], decoder, compiled=compiled)


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("size", [2, 4])
def test_wrong_sizes(size, compiled):
    def with_allowed(search, example):
        search.predict("pick", reference=0, allowed=np.ones(size, np.bool_))

    def with_costs(search, example):
        search.predict("pick", costs=np.zeros(size, np.float64))

    for decoder in (with_allowed, with_costs):
        refused([f"has {size} entries", "each of 3 actions"], decoder, compiled=compiled)


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_costs_that_are_no_numbers(bad, compiled):
    def decoder(search, example):
        costs = np.zeros(3, np.float64)
        costs[1] = bad
        search.predict("pick", costs=costs)

    refused(["decision 0", "the cost of action 1 ('go') is not a finite"], decoder, None, compiled)


@pytest.mark.parametrize("compiled", WAYS)
def test_the_cost_of_what_is_not_allowed_may_be_anything(compiled):
    def decoder(search, example):
        costs = np.zeros(3, np.float64)
        allowed = np.ones(3, np.bool_)
        costs[1], allowed[1] = np.nan, False
        costs[2] = 1.0
        search.loss(search.predict("pick", costs=costs, allowed=allowed) == 2)

    assert fit(decoder, compiled=compiled).losses(examples()).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("method", ["dagger", "lols"])
@pytest.mark.parametrize("compiled", WAYS)
def test_a_loss_that_is_no_number(compiled, method):
    def decoder(search, example):
        search.predict("pick", reference=0)
        search.loss(example.numbers[0] * np.inf)

    refused(
        ["task 'decoder', example 0: the loss of this run is nan, not a finite number"],
        decoder, examples((0.0,)), compiled, method=method,
    )  # fmt: skip


@pytest.mark.parametrize("compiled", WAYS)
def test_a_loss_that_is_no_number_behind_a_deviation(compiled):
    def decoder(search, example):
        picked = search.predict("pick", reference=0)
        search.loss(np.inf if picked == 2 else 0.0)

    refused(["the loss of this run is inf"], decoder, None, compiled, method=LOLS)


@pytest.mark.parametrize("compiled", WAYS)
def test_predicting_tells_of_a_loss_that_is_no_number(compiled):
    def decoder(search, example):
        search.predict("pick", reference=0)
        search.loss(example.numbers[0])

    model = fit(decoder, examples((0.0,)), compiled)
    assert np.isnan(model.losses(examples((np.nan,)))).all()


@pytest.mark.parametrize("compiled", WAYS)
def test_no_reference_where_one_is_to_act(compiled):
    def decoder(search, example):
        search.predict("pick")
        search.loss(0.0)

    refused(["gave neither reference= nor costs="], decoder, None, compiled)
    fit(decoder, None, compiled, method=LOLS.but(roll_out=rollin.LEARNED))


@pytest.mark.parametrize("compiled", WAYS)
def test_a_loop_without_an_end(compiled):
    def decoder(search, example):
        while search.predict("pick", reference=0) != 2:
            pass

    refused(
        ["decision 50", "the run has come to 50 decisions, the most allowed", "limit="],
        decoder, compiled=compiled, limit=50,
    )  # fmt: skip


@pytest.mark.parametrize("compiled", WAYS)
def test_scores_that_ran_away(compiled):
    def decoder(search, example):
        costs = np.zeros(3, np.float64)
        for n in range(len(example.numbers)):
            search.look("here", n)
            costs[0] = 1e30
            search.predict("pick", costs=costs)

    names = {
        "slots": "here",
        "decisions": {"pick": ("stay", "go", "jump")},
        "inputs": lambda example: {"n": example.numbers.astype(np.int64)},
    }
    task = rollin.Task(decoder, **names)
    with pytest.raises(rollin.RollinError, match="weights ran away"):
        task.fit(
            examples(*[(1, 2)] * 30), learner="sgd bits=6 rate=1e10", passes=2, compiled=compiled,
            method=DAGGER.but(reduction="regression"),
        )  # fmt: skip


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize(
    "what, words",
    [
        ("slot", "no slot named 'hear': its slots are here, left"),
        ("note", "no note named 'previos': its notes are previous"),
        ("decision", "no decision named 'pik': its decisions are pick"),
    ],
)
def test_misspelt_names_list_the_real_ones(what, words, compiled):
    def slot(search, example):
        search.look("hear", 0)

    def note(search, example):
        search.note("previos", 0)

    def decision(search, example):
        search.predict("pik", reference=0)

    text = refused(
        [words], {"slot": slot, "note": note, "decision": decision}[what], None, compiled
    )
    if compiled:
        assert "test_errors.py, line " in text
        assert {"slot": "look", "note": "note", "decision": "predict"}[what] + '("' in text


@pytest.mark.compiled
def test_a_name_that_is_a_variable():
    def decoder(search, example):
        for n in range(len(example.numbers)):
            name = "here" if n else "left"
            search.look(name, n)
            search.predict("pick", reference=0)

    refused(["must be written out as text", 'search.look("here", ...)'], decoder)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"slots": "here here"}, "declares 'here' twice among its slots"),
        ({"slots": ["le.ft"]}, "'le.ft' can't be the name of one of the slots"),
        ({"decisions": {}}, "declares no decision"),
        ({"decisions": {"pick": 0}}, "has no actions"),
        ({"decisions": {"pick": ("a", "a")}}, "two actions of one name"),
        ({"history": -1}, "can't be below 0"),
    ],
)
def test_declarations_that_make_no_sense(changes, words):
    with pytest.raises(rollin.RollinError, match=words):
        fit(lambda search, example: None, **changes)


@pytest.mark.parametrize("compiled", WAYS)
def test_learners_and_methods_that_do_not_exist(compiled):
    def decoder(search, example):
        search.predict("pick", reference=0)

    task = rollin.Task(decoder, decisions={"pick": 2})
    for how, words in (
        ({"learner": "svm"}, "no learner 'svm': choose from sgd, sgd\\+"),
        ({"learner": "sgd+ speed=1"}, "learner 'sgd\\+' has no setting 'speed': "),
        ({"learner": "sgd rate=fast"}, "rate='fast' is not of type float"),
        ({"learner": "sgd bits=99"}, "bits=99, expected 1 to 32"),
        ({"method": "luck"}, "no method 'luck': choose from paper, dagger"),
        ({"method": "lols luck=1"}, "method 'lols' has no setting 'luck': sample, margin"),
        ({"method": "lols sample=few"}, "method 'lols': sample='few' can't be read"),
        ({"method": "lols until_mistake=maybe"}, "until_mistake='maybe' can't be read"),
        ({"method": "dagger roll_in=none"}, "method 'dagger': roll_in='none' can't be read"),
        ({"method": "lols sample=-1"}, "sample=-1, margin=None: expected a number of steps"),
        ({"method": "lols margin=nan"}, "a difference of scores, at least 0"),
        ({"method": "lols roll_out=2"}, "2.0 is no probability of the reference"),
        ({"method": "lols scaling=log"}, "no scaling of costs 'log': choose from raw, clip"),
        ({"passes": -1}, "passes=-1, threads=1: expected at least 0, and 1"),
        ({"threads": 0}, "threads=0: expected at least 0, and 1"),
    ):
        with pytest.raises(rollin.RollinError, match=words):
            task.fit(examples(), compiled=compiled, **how)
    model = task.fit(examples(), compiled=compiled, passes=1, learner="sgd bits=4")
    for search in (model.nbest, model.predict):
        with pytest.raises(rollin.RollinError, match="beam=0: expected how many hypotheses"):
            search(examples(), beam=0)
    with pytest.raises(rollin.RollinError, match="no examples to train task 'decoder' on"):
        task.fit([], compiled=compiled)


# --- code that can't be compiled -----------------------------------------------------------------


def opens_a_file(search, example):
    picked = search.predict("pick", reference=0)
    open("somewhere")  # noqa: PTH123, SIM115
    return picked


def returns_text(search, example):
    return {"picked": [search.predict("pick", reference=0), "two"]}


def changes_type(search, example):
    picked = search.predict("pick", reference=0)
    if picked:
        picked = "none"
    return picked


def unknown_name(search, example):
    return search.predict("pick", reference=undefined_name)  # noqa: F821


def unknown_field(search, example):
    return search.predict("pick", reference=example.golden)


def unknown_call(search, example):
    search.looks("here", 0)
    return search.predict("pick", reference=0)


def in_a_callee(search, example):
    return search.predict("pick", reference=helper(example.numbers))


def helper(numbers):
    return numbers.no_such_method()


@pytest.mark.compiled
@pytest.mark.parametrize(
    "decoder, line, reason",
    [
        (opens_a_file, 'open("somewhere")', "native code can't use the global name 'open'"),
        (changes_type, "return picked", "'picked' is int64 on one way and the text 'none' on"),
        (unknown_name, "reference=undefined_name", "the name 'undefined_name' is not defined"),
        (unknown_field, "example.golden", "the example has no field 'golden' that native code"),
        (unknown_call, 'search.looks("here", 0)', "the search has no 'looks'. Its calls are look,"),
        (in_a_callee, "return numbers.no_such_method()", "has no attribute 'no_such_method'"),
    ],
)
def test_code_that_cant_be_compiled_says_which_line_and_why(decoder, line, reason):
    with pytest.raises(CompileProblem) as caught:
        fit(decoder)
    text = str(caught.value)
    assert f"task '{decoder.__name__}' can't be compiled: " in text
    assert "test_errors.py, line " in text
    assert line in text, text
    assert reason in text, text
    assert "compiled=False" in text
    for jargon in ("TypingError", "nopython", "numba.", "overload", "$", "rollin/"):
        assert jargon not in text, text


@pytest.mark.compiled
def test_a_result_that_cant_be_handed_over():
    with pytest.raises(CompileProblem, match=r"what it returns, .* can't be handed over"):
        fit(returns_text)


def test_what_cant_be_compiled_runs_interpreted():
    model = fit(returns_text, compiled=False)
    assert model.predict(examples()) == [{"picked": [0, "two"]}] * 2


@pytest.mark.compiled
def test_examples_of_changing_types():
    def decoder(search, example):
        for _ in range(len(example.numbers)):
            search.predict("pick", reference=0)

    given = [*examples(), Example(np.array([[1.0]]))]
    inputs = {"inputs": None, "slots": ()}
    refused(
        ["task 'decoder': numbers of example 2 is array(float64, 2d, C)", "array(float64, 1d, C)"],
        decoder, given, **inputs,
    )  # fmt: skip
    refused(["numbers of example 1 is missing"], decoder, [examples()[0], {"n": 1}], **inputs)
    refused(["an example is a set"], decoder, [{1, 2}], **inputs)
    # an empty list says nothing of its type, so it is of the others'
    fit(decoder, [{"numbers": [1.5]}, {"numbers": []}], **inputs)


@pytest.mark.parametrize("compiled", WAYS)
def test_other_errors_of_a_decoder_come_out_as_they_are(compiled):
    def decoder(search, example):
        search.predict("pick", reference=0)
        if example.numbers[0] > 1:
            raise ValueError("of its own")
        return example.numbers[1]

    with pytest.raises(ValueError, match="of its own") as caught:
        fit(decoder, examples((0, 0), (2, 0)), compiled, method=LOLS)
    assert "(task 'decoder', example 1)" in caught.value.__notes__
    with pytest.raises(IndexError):  # also natively: a decoder's own reads are checked
        fit(decoder, examples((0,)), compiled)


def test_inputs_that_are_none():
    def decoder(search, example):
        search.predict("pick", reference=0)

    for inputs, words in (
        (lambda example: [1], "gave a list for example 0; expected a dict"),
        (lambda example: {f"c{example.numbers[0]:.0f}": [1]}, "gave the columns c2 for example 1"),
    ):
        refused([words], decoder, compiled=COMPILED, inputs=inputs)

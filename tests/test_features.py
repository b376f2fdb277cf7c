"""Features and templates against naive twins; what must be told apart and what must be the same."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollin
from rollin.decisions.schema import declare
from rollin.learners.features import expand, gather, hash_columns, part_names, salts

SCHEMA = declare("t", "here left", "previous size", {"d": 2, "other d": 3}, 1)
COLUMNS = ("word", "shape")
NAMES = part_names(SCHEMA, COLUMNS)


# --- templates -----------------------------------------------------------------------------------


def test_parts_are_columns_of_slots_then_notes_then_history():
    assert NAMES == [
        "here.word", "here.shape", "left.word", "left.shape", "previous", "size", "action-1",
    ]  # fmt: skip


FACTORS = [
    "here",
    "left",
    "here.word",
    "*",
    "*.word",
    "left.*",
    "previous",
    "s*e",
    "action-1",
    "h*",
]


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(FACTORS), min_size=1, max_size=3), max_size=4))
def test_templates_are_written_out_as_the_twin_writes_them(templates):
    written = [" * ".join(factors) for factors in templates]
    rows = expand(written, SCHEMA, COLUMNS, "d")
    found = [frozenset(NAMES[part] for part in row if part >= 0) for row in rows]
    assert len(set(found)) == len(found)
    assert set(found) == naive.expanded(written, NAMES)


@pytest.mark.parametrize(
    "template, words",
    [
        ("here * nowhere", "'nowhere' in template .* names nothing: the parts are here.word"),
        ("here*left", "here\\*left"),
        ("here left", "with a space on both sides"),
        ("* * * * * * *", "crosses 4 parts; three at most"),
        ("", "not of the form"),
        ("e: here", "'e' in template 'e: here' names nothing: the decisions are d, other d"),
    ],
)  # fmt: skip
def test_templates_that_make_no_sense_are_refused(template, words):
    with pytest.raises(rollin.RollinError, match=words):
        expand([template], SCHEMA, COLUMNS, "d")


def test_a_template_may_be_for_some_decisions_only():
    templates = ["*d: here.word", "d: left.word", "other *: size", "previous"]
    parts = {kind: expand(templates, SCHEMA, COLUMNS, kind)[:, 0] for kind in SCHEMA.decisions}
    assert [NAMES[part] for part in parts["d"]] == ["here.word", "left.word", "previous"]
    assert [NAMES[part] for part in parts["other d"]] == ["here.word", "size", "previous"]


# --- from decisions to rows of weights -----------------------------------------------------------

VALUE = st.integers(0, 3)
DECISION = st.tuples(st.integers(-2, 4), st.integers(-2, 4), st.tuples(*[st.integers(-2, 2)] * 3))


@settings(deadline=None)
@given(
    st.lists(st.tuples(VALUE, VALUE), min_size=1, max_size=3),
    st.lists(DECISION, min_size=2, max_size=5),
)
def test_two_features_share_a_row_exactly_if_the_twin_calls_them_the_same(positions, decisions):
    columns = {name: [value[c] for value in positions] for c, name in enumerate(COLUMNS)}
    features = hash_columns(columns)
    ours, theirs = {}, {}
    written = expand(
        ["here * left", "* * previous", "here.word * left.word * size"], SCHEMA, COLUMNS, "d"
    )
    templates = [tuple(NAMES[part] for part in row if part >= 0) for row in written]
    for here, left, facts in decisions:
        rows = rows_of(features, (here, left), facts, written)
        notes = dict(zip(SCHEMA.facts, facts, strict=True))
        named = naive.features(
            naive.parts_of(columns, SCHEMA.slots, (here, left), notes), templates
        )
        assert len(rows) == len(named)
        for row, name in zip(rows.tolist(), named, strict=True):
            assert ours.setdefault(name, row) == row
            assert theirs.setdefault(row, name) == name  # of so few, none meet in 2^40 rows


def rows_of(features, looked, noted, templates, origin=0, size=None, bits=40):
    found = np.zeros(1 + len(templates), np.int64)
    count = gather(
        features, origin, len(features) if size is None else size,
        np.array(looked, np.int32), np.array(noted, np.int32), salts(SCHEMA, COLUMNS), templates,
        np.zeros(1, np.float32), 0, 1, np.uint64(64 - bits), np.zeros(len(NAMES), np.uint64), found,
    )  # fmt: skip
    assert count == len(found)
    return found


def test_only_the_positions_of_the_example_are_seen():
    features = hash_columns({"word": list("abcd"), "shape": list("xxxx")})
    templates = expand(["here.word"], SCHEMA, COLUMNS, "d")
    inside = rows_of(features[1:3], (0, 1), (0, 0, 0), templates)
    assert rows_of(features, (0, 1), (0, 0, 0), templates, 1, 2).tolist() == inside.tolist()
    behind = rows_of(features, (2, 0), (0, 0, 0), templates, 1, 2)
    assert behind.tolist() == rows_of(features, (9, 0), (0, 0, 0), templates).tolist()


@pytest.mark.long
def test_rows_are_used_evenly():
    """Crossing 300 values with 300 fills a table as throwing at random would."""
    words = [f"w{number}" for number in range(300)]
    features = hash_columns({"word": words, "shape": words})
    templates = expand(["here.word * left.word"], SCHEMA, COLUMNS, "d")
    crossed = np.flatnonzero(templates[:, 1] >= 0)[0]
    used = {
        int(rows_of(features, (one, other), (0, 0, 0), templates, bits=16)[1 + crossed])
        for one in range(300)
        for other in range(300)
    }
    share = 1 - np.exp(-(300 * 300) / 2**16)
    assert len(used) / 2**16 == pytest.approx(share, abs=0.01)


# --- columns -------------------------------------------------------------------------------------


def test_text_and_numbers_make_columns():
    as_list = hash_columns({"n": [3, -1, True]})
    as_array = hash_columns({"n": np.array([3, -1, 1])})
    assert np.array_equal(as_list, as_array)
    assert not np.array_equal(as_list, hash_columns({"n": ["3", "-1", "1"]}))


@pytest.mark.parametrize(
    "columns, words",
    [
        ({"word": ["a", "b"], "tag": ["x"]}, "differ in length \\(word: 2, tag: 1\\)"),
        ({"weight": [0.5]}, "column 'weight' holds 0.5, a float: columns hold text"),
        ({"word": [None]}, "column 'word' holds None"),
    ],
)  # fmt: skip
def test_columns_that_are_none_are_refused(columns, words):
    with pytest.raises(rollin.RollinError, match=words):
        hash_columns(columns)

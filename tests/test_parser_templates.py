"""The templates of the sparse parser: they name what there is, and only what is in use is kept."""

import pytest

import rollin
from rollin.learners.features import expand
from rollin.parser.presets import PRESETS
from rollin.parser.systems import parser_task
from rollin.parser.templates import FIELDS, fitting

SPARSE = [name for name, preset in PRESETS.items() if preset.templates]


@pytest.mark.parametrize("preset", SPARSE)
@pytest.mark.parametrize("columns", [FIELDS, ("form", "upos"), ("form", "xpos"), ("form",)])
@pytest.mark.parametrize("labels", ["after", "joint", "bare"])
def test_what_is_kept_can_be_written_out_for_every_decision(preset, columns, labels):
    schema = parser_task("arc-hybrid", labels, ["a", "b"]).schema
    kept = fitting(PRESETS[preset].templates, columns, labels)
    assert all(len(expand(kept, schema, columns, kind)) > 10 for kind in schema.decisions)


def test_templates_of_columns_that_are_not_in_use_go_and_others_stay():
    templates = ("s1 * b1", "s1.xpos * b1.upos", "label: s1.?pos * distance", "*label: s1.form")
    assert fitting(templates, ("form", "upos"), "after") == (
        "s1 * b1", "label: s1.?pos * distance", "*label: s1.form",
    )  # fmt: skip
    assert fitting(templates, ("form",), "joint") == ("s1 * b1",)


def test_a_column_that_nothing_has_is_complained_of():
    schema = parser_task("arc-hybrid", "after", ["a", "b"]).schema
    kept = fitting(["s1.xpso * b1.upos"], ("form", "upos"), "after")
    with pytest.raises(rollin.RollinError, match=r"'s1\.xpso' in template"):
        expand(kept, schema, ("form", "upos"), "transition")

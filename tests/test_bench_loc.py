"""The table of lines keeps up with the parser."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # bench stands beside tests

from bench import loc


def test_the_whole_parser_takes_no_more_than_300_lines():
    found = loc.counted()  # it stops where a function it counts is gone
    assert all(found.values())
    assert sum(found.values()) <= 300


def test_blank_lines_comments_and_explanations_do_not_count():
    lines = ['"""Says.', "", 'More."""', "", "x = 1  # one", "# two", "", "def f():"]
    lines += ['    """Does."""', "    return (", "        x", "    )", ""]
    assert loc.code_lines("\n".join(lines)) == [5, 8, 10, 11, 12]

"""Sentences as objects, and trees drawn as text."""

import io

from hypothesis import given
from hypothesis import strategies as st
from odd_conll import files

import rollin
from rollin.conll.drawing import draw
from rollin.conll.reading import read_blocks

TEXT = """\
# sent_id = one
# text = Vámonos al mar
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
2.1\tsí\t_\t_\t_\t_\t_\t_\t0:root\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\tx
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
6\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_

"""

DRAWN = """\
──┬───► Vamos  VERB   root
  ├───► nos    PRON   obj
  │ ┌─► a      ADP    case
  │ ├─► el     DET    det
  ├─┴─► mar    NOUN   obl
  └───► !      PUNCT  punct"""


def test_a_sentence_and_its_tokens():
    (sentence,) = rollin.read(io.BytesIO(TEXT.encode()))
    assert (sentence.sent_id, sentence.text) == ("one", "Vámonos al mar")
    assert sentence.spelled == "Vámonos al mar!"
    assert [word.form for word in sentence] == ["Vamos", "nos", "a", "el", "mar", "!"]
    assert sentence.heads == [0, 1, 5, 5, 1, 1]
    assert [token.id for token in sentence.ranges] == ["1-2", "3-4"]
    assert [token.id for token in sentence.empty_nodes] == ["2.1"]
    assert sentence.comments == ["sent_id = one", "text = Vámonos al mar"]
    assert sentence[0].features == {"Mood": "Imp", "Number": "Plur"}
    assert sentence[4].extras == {"SpaceAfter": "No"}
    assert [word.form for word in sentence.children(5)] == ["a", "el"]
    assert len(sentence) == 6
    assert repr(sentence) == "<Sentence one of <file object>, line 1: 6 words>"


def test_a_tree_is_drawn():
    (sentence,) = rollin.read(io.BytesIO(TEXT.encode()))
    assert str(sentence) == DRAWN
    plain = "".join(part.split("m", 1)[-1] for part in sentence.drawn(colours=True).split("\x1b"))
    assert [line.rstrip() for line in plain.split("\n")] == DRAWN.split("\n")


def test_wide_characters_stay_in_line():
    lines = draw([0, 1], [["日本", "x"], ["ab", "y"]]).split("\n")
    assert [line.index(mark) for line, mark in zip(lines, "xy", strict=True)] == [10, 12]


def test_the_line_of_a_sentence_is_that_of_its_first_line():
    (block,) = read_blocks(io.BytesIO(("\n\n" + TEXT + "\n" + TEXT).encode()))
    assert [sentence.line for sentence in block] == [3, 16]


@given(files())
def test_objects_hold_what_the_columns_hold(file):
    data, expected = file
    found = list(rollin.read(io.BytesIO(data)))
    assert [[word.id for word in sentence] for sentence in found] == [
        [row[0] for row in sentence] for sentence in expected
    ]
    assert [[word.misc for word in sentence] for sentence in found] == [
        [row[9] for row in sentence] for sentence in expected
    ]


@given(st.lists(st.integers(0, 9), max_size=9))
def test_every_arc_of_a_drawing_can_be_followed(heads):
    """Walk along the lines from every word to its head; whatever the heads, cycles too."""
    heads = [min(head, len(heads)) for head in heads]
    rows = draw(heads, [["x"]] * len(heads)).split("\n") if heads else []
    grid = [row[: row.rindex("x") - 1] for row in rows]
    ways = {"─": "LR", "│": "UD", "┌": "DR", "└": "UR", "┐": "DL", "┘": "UL",
            "├": "UDR", "┤": "UDL", "┬": "DLR", "┴": "ULR", "┼": "UDLR", "►": "L",
            " ": ""}  # fmt: skip
    steps = {"U": (-1, 0, "D"), "D": (1, 0, "U"), "L": (0, -1, "R"), "R": (0, 1, "L")}
    for row, head in enumerate(heads):
        reached, front = set(), [(row, len(grid[row]) - 1)]
        while front:
            at = front.pop()
            if at in reached:
                continue
            reached.add(at)
            for way in ways[grid[at[0]][at[1]]]:
                down, right, back = steps[way]
                to = at[0] + down, at[1] + right
                if 0 <= to[0] < len(grid) and 0 <= to[1] < len(grid[to[0]]):
                    assert back in ways[grid[to[0]][to[1]]] or grid[to[0]][to[1]] == " "
                    front.append(to)
        ends = {at[0] for at in reached if at[1] == len(grid[at[0]]) - 1}
        if head not in (0, row + 1):
            assert head - 1 in ends

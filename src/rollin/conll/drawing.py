"""Drawing a tree as text: the words below each other, the arcs on their left.

    ┌─► The       DET   det
  ┌─┴─► dog       NOUN  nsubj
──┴───► barks     VERB  root
"""

import unicodedata
from collections.abc import Sequence

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = {
    0: " ", _LEFT: "─", _RIGHT: "─", _LEFT | _RIGHT: "─",
    _UP: "│", _DOWN: "│", _UP | _DOWN: "│",
    _DOWN | _RIGHT: "┌", _UP | _RIGHT: "└", _DOWN | _LEFT: "┐", _UP | _LEFT: "┘",
    _UP | _DOWN | _RIGHT: "├", _UP | _DOWN | _LEFT: "┤",
    _DOWN | _LEFT | _RIGHT: "┬", _UP | _LEFT | _RIGHT: "┴",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}  # fmt: skip
_GREY, _BOLD, _BLUE, _END = "\x1b[90m", "\x1b[1m", "\x1b[34m", "\x1b[0m"


def draw(heads: Sequence[int | None], rows: Sequence[Sequence[str]], colours: bool = False) -> str:
    """Draw a tree (or what should be one): a row for every word, its columns beside it.

    Args:
        heads: for every word its head's number, 0 for a root, None for no head.
        rows: for every word what is shown on its right; the first column is its form.
        colours: whether to use the colours of a terminal.
    """
    arcs = _drawn_arcs(heads)
    columns = len(rows[0]) if rows else 0
    widths = [max(_width(row[column]) for row in rows) for column in range(columns)]
    lines = []
    for arc, row in zip(arcs, rows, strict=True):
        cells = [
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ]
        if colours:
            arc = f"{_GREY}{arc}{_END}"
            cells = [f"{_BOLD}{cells[0]}{_END}", *cells[1:-1], f"{_BLUE}{cells[-1]}{_END}"]
        lines.append((arc + " " + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def _drawn_arcs(heads: Sequence[int | None]) -> list[str]:
    """Draw the arcs; all children of a word on one side of it share a vertical line."""
    words = len(heads)
    lines = _vertical_lines(heads)
    depth = max((lane for *_, lane in lines), default=0)
    width = 2 * depth + 2
    cells = [[0] * width for _ in range(words)]

    def across(row: int, column: int) -> None:
        """Draw from the vertical line at `column` to the word on the right."""
        cells[row][column] |= _RIGHT
        for between in range(column + 1, width):
            cells[row][between] |= _LEFT | _RIGHT

    for head, children, lane in lines:
        column = width - 2 * lane
        top, bottom = min(head, *children), max(head, *children)
        for row in range(top, bottom + 1):
            cells[row][column] |= (_UP if row > top else 0) | (_DOWN if row < bottom else 0)
        for row in (head, *children):
            across(row, column)
    drawn = []
    for row, governor in enumerate(heads):
        if governor == 0:
            across(row, 0)
        hangs = governor is not None and 0 <= governor <= words and governor != row + 1
        tip = "►" if hangs else _LINES[cells[row][-1]]
        drawn.append("".join(_LINES[cell] for cell in cells[row]) + tip)
    return drawn


def _vertical_lines(heads: Sequence[int | None]) -> list[tuple[int, list[int], int]]:
    """Give each vertical line: its head, the children on it, and its lane, counted from the words.

    A line lies left of all shorter lines that it passes.
    """
    groups: dict[tuple[int, bool], list[int]] = {}
    for word, head in enumerate(heads):
        if head is not None and 0 < head <= len(heads) and head != word + 1:
            groups.setdefault((head - 1, word > head - 1), []).append(word)
    spans = sorted(
        (max(*children, head) - min(*children, head), head, children)
        for (head, _), children in groups.items()
    )
    taken: list[list[bool]] = []  # for each lane, the rows that a line passes
    placed = []
    for _, head, children in spans:
        top, bottom = min(head, *children), max(head, *children)
        lane = len(taken)
        while lane > 0 and not any(taken[lane - 1][top : bottom + 1]):
            lane -= 1
        if lane == len(taken):
            taken.append([False] * len(heads))
        taken[lane][top : bottom + 1] = [True] * (bottom + 1 - top)
        placed.append((head, children, lane + 1))
    return placed


def _width(text: str) -> int:
    """Count the places that a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )

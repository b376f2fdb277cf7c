"""The one pass over the bytes of a block: where every field stands, and what is wrong.

A sentence with an error is not among the words: its rows are taken back when it ends. Everything
here is loops over arrays; the words for what is wrong are in messages.py.
"""

import numpy as np

from rollin.conll.kinds import Kind
from rollin.native.kernels import kernel

LF, CR, TAB, SPACE, HASH = 10, 13, 9, 32, 35
MINUS, DOT, ZERO, NINE, UNDERSCORE = 45, 46, 48, 57, 95
_HIGHEST = 2**31 - 2  # numbers beyond that are as good as this one

# How much is asked of the trees.
IGNORED, PARTIAL, CHECKED, REQUIRED = range(4)

# What stands in an ID.
WORD, RANGE, EMPTY_NODE, BAD_RANGE, BAD_EMPTY_NODE, BAD_ID = range(6)

# A HEAD that is no number: `_`, or something that can't be a head.
NO_HEAD, BAD_HEAD = -1, -2

# How the lines of the file so far end.
UNKNOWN_ENDS, LF_ENDS, CRLF_ENDS, MIXED_ENDS = range(4)


@kernel
def scan(
    data, begin, invalid, trees, ends,
    edges, heads, lines, starts, spans, others, marks, problems,
):  # fmt: skip
    """Find the words of a block, from byte `begin` on; `invalid` says where it isn't UTF-8.

    Fills in, for every word, edges (see Block), its head and its line; for every sentence, where
    its words start, and a row of spans: from which to which byte it goes, its number among all, its
    first line; for every multiword range and empty node
    a row of others: kind, first and last (or major and minor) number, the word that follows, where
    its line and its FORM start, where its FORM ends, its line; and the problems (see `_note`).
    Returns how many there are of each, sentences with errors included and not, lines, comments,
    and how the lines end.
    """
    size = len(data)
    words = sentences = found = noted = comments = 0
    seen = line = next_invalid = 0
    place = begin
    end, one = np.uint64(size), np.uint64(1)

    opened = False  # has the sentence begun, if only with a comment
    has_tokens = broken = out_of_step = False
    start = start_line = first_word = first_other = 0
    last_id = last_minor = range_last = range_line = range_start = 0
    starts[0] = 0

    while True:
        at_end = place >= size
        line_start = content_end = place
        tabs = 0
        if not at_end:
            line += 1
            edges[words, 0] = place
            empty = 0
            field_start = at = np.uint64(place)  # unsigned: nothing to be asked about an index
            while at < end:
                byte = data[at]
                if byte <= CR:
                    if byte == TAB:
                        empty += at == field_start
                        field_start = at + one
                        tabs += 1
                        if tabs < 10:
                            edges[words, tabs] = field_start
                    elif byte == LF:
                        break
                at += one
            place = np.int64(at)
            content_end = place
            if content_end > line_start and data[content_end - 1] == CR:
                content_end -= 1
            if place < size and ends != MIXED_ENDS:
                this = CRLF_ENDS if content_end < place else LF_ENDS
                if ends != UNKNOWN_ENDS and ends != this:
                    noted = _note(
                        problems, noted, Kind.LINE_ENDS, line, seen + 1, line_start, line_start,
                        0, this,
                    )  # fmt: skip
                    ends = MIXED_ENDS
                else:
                    ends = this
            place += 1

        blank = content_end == line_start
        spaces = not blank and _only_spaces(data, line_start, content_end)
        if not blank and not opened and not spaces:
            opened = True
            start, start_line = line_start, line
            has_tokens = broken = out_of_step = False
            first_word, first_other = words, found
            last_id = last_minor = range_last = 0

        if next_invalid < len(invalid) and invalid[next_invalid] < place:
            noted = _note(
                problems, noted, Kind.UTF_8, line, seen + 1, start if opened else line_start,
                line_start, 0, invalid[next_invalid],
            )  # fmt: skip
            broken = True
            while next_invalid < len(invalid) and invalid[next_invalid] < place:
                next_invalid += 1

        if spaces:
            noted = _note(
                problems, noted, Kind.BLANK_WITH_SPACES, line, seen + has_tokens,
                start if opened else line_start, line_start, 0, 0,
            )  # fmt: skip
            broken = True

        if blank or spaces:  # the sentence ends here
            if opened and not has_tokens:
                noted = _note(
                    problems, noted, Kind.COMMENTS_ONLY, line, seen + 1, start, start, 0, 0
                )
            elif not opened and not at_end and not spaces:
                noted = _note(
                    problems, noted, Kind.EXTRA_BLANK_LINE, line, seen, line_start, line_start,
                    0, 0,
                )  # fmt: skip
            if opened and has_tokens:
                seen += 1
                if at_end:
                    noted = _note(
                        problems, noted, Kind.NO_LAST_BLANK_LINE, line, seen, start, line_start,
                        0, 0,
                    )  # fmt: skip
                if range_last > last_id and not out_of_step:
                    noted = _note(
                        problems, noted, Kind.RANGE_END, range_line, seen, start, range_start,
                        0, last_id,
                    )  # fmt: skip
                    broken = True
                if last_id == 0 and not broken:
                    noted = _note(
                        problems, noted, Kind.NO_WORDS, start_line, seen, start, start, 0, 0
                    )
                    broken = True
                if not out_of_step:
                    noted, wrong = _check_tree(
                        heads, first_word, words, trees, marks, edges, lines, seen, start,
                        problems, noted,
                    )  # fmt: skip
                    broken = broken or wrong
                if broken:
                    words, found = first_word, first_other
                else:
                    spans[sentences, 0] = start
                    spans[sentences, 1] = min(place, size)
                    spans[sentences, 2] = seen
                    spans[sentences, 3] = start_line
                    sentences += 1
                    starts[sentences] = words
            opened = False
            if at_end:
                break
            continue

        if data[line_start] == HASH:
            comments += 1
            if has_tokens:
                noted = _note(
                    problems, noted, Kind.COMMENT_INSIDE, line, seen + 1, start, line_start, 0, 0
                )
            continue

        # A line with a token: a word, a range or an empty node.
        has_tokens = True
        if tabs != 9:
            kind = Kind.COLUMNS
            if _has_bom(data, line_start, content_end):
                kind = Kind.BOM_INSIDE
            elif tabs < 9 and tabs + _runs_of_spaces(data, line_start, content_end) >= 9:
                kind = Kind.SPACES_FOR_TABS
            noted = _note(problems, noted, kind, line, seen + 1, start, line_start, 0, tabs + 1)
            broken = out_of_step = True
            what, first, last = _read_id(data, line_start, content_end, True)
            if what == WORD:
                last_id, last_minor = first, 0
            continue

        edges[words, 10] = content_end + 1
        what, first, last = _read_id(data, line_start, edges[words, 1] - 1, False)
        if empty > 0 or content_end <= edges[words, 9]:
            for column in range(10):
                if edges[words, column + 1] - 1 <= edges[words, column]:
                    noted = _note(
                        problems,
                        noted,
                        Kind.FIELD_EMPTY,
                        line,
                        seen + 1,
                        start,
                        line_start,
                        column,
                        0,
                    )
                    broken = True
        wrong_id = 0
        if what == WORD:
            if first != last_id + 1:
                wrong_id = Kind.ID_ORDER
                if first == 1:
                    wrong_id = Kind.BLANK_LINE_MISSING
        elif what == RANGE:
            if last < first:
                wrong_id = Kind.RANGE_REVERSED
            elif first <= range_last:
                wrong_id = Kind.RANGE_OVERLAP
            elif first != last_id + 1:
                wrong_id = Kind.RANGE_PLACE
            if wrong_id == 0:
                range_last, range_line, range_start = last, line, line_start
        elif what == EMPTY_NODE:
            if first != last_id or last != last_minor + 1:
                wrong_id = Kind.EMPTY_NODE_ORDER
            last_minor = last
        elif what == BAD_RANGE:
            wrong_id = Kind.RANGE
        elif what == BAD_EMPTY_NODE:
            wrong_id = Kind.EMPTY_NODE
        elif _has_bom(data, line_start, content_end):
            wrong_id = Kind.BOM_INSIDE
        elif edges[words, 1] - 1 > line_start:
            wrong_id = Kind.ID
        if wrong_id != 0:
            expected = last_id + 1
            if wrong_id == Kind.EMPTY_NODE_ORDER:
                expected = last_minor
            elif wrong_id == Kind.RANGE_OVERLAP:
                expected = range_last
            noted = _note(problems, noted, wrong_id, line, seen + 1, start, line_start, 0, expected)
            broken = True

        if what in (RANGE, EMPTY_NODE):
            others[found, 0] = what
            others[found, 1] = first
            others[found, 2] = last
            others[found, 3] = words
            others[found, 4] = line_start
            others[found, 5] = edges[words, 1]
            others[found, 6] = edges[words, 2] - 1
            others[found, 7] = line
            found += 1
        elif what == WORD:
            out_of_step = out_of_step or first != last_id + 1
            last_id, last_minor = first, 0
            head = _read_head(data, edges[words, 6], edges[words, 7] - 1)
            if head == BAD_HEAD:
                if trees == IGNORED:
                    head = NO_HEAD
                elif edges[words, 7] - 1 > edges[words, 6]:
                    noted = _note(
                        problems, noted, _kind_of_head(data, edges[words, 6], edges[words, 7] - 1),
                        line, seen + 1, start, line_start, 6, 0,
                    )  # fmt: skip
                    broken = True
            heads[words] = head
            lines[words] = line
            words += 1
        else:
            out_of_step = True

    if size > begin and data[size - 1] != LF:
        noted = _note(problems, noted, Kind.NO_LAST_NEWLINE, line, seen, start, start, 0, 0)
    return words, sentences, found, noted, seen, line, comments, ends


@kernel
def _note(problems, noted, kind, line, sentence, start, line_start, column, value):
    """Write down a problem, if there is room: what, in which line and sentence, where they start.

    Returns the number of problems; if that is more than there is room for, the caller makes more
    and scans again.
    """
    if noted < len(problems):
        problems[noted, 0] = kind
        problems[noted, 1] = line
        problems[noted, 2] = sentence
        problems[noted, 3] = start
        problems[noted, 4] = line_start
        problems[noted, 5] = column
        problems[noted, 6] = value
    return noted + 1


@kernel
def _only_spaces(data, start, end):
    for i in range(start, end):
        if data[i] != SPACE and data[i] != TAB and data[i] != CR:
            return False
    return True


@kernel
def _has_bom(data, start, end):
    return (
        end >= start + 3
        and data[start] == 0xEF
        and data[start + 1] == 0xBB
        and data[start + 2] == 0xBF
    )


@kernel
def _runs_of_spaces(data, start, end):
    runs = 0
    for i in range(start + 1, end):
        if data[i] == SPACE and data[i - 1] != SPACE:
            runs += 1
    return runs


@kernel
def _read_id(data, start, end, loosely):
    """Read `3`, `3-4` or `3.1`; loosely: from a line without tabs, up to the first space."""
    first, place = _read_number(data, start, end)
    if place == start or (data[start] == ZERO and (first > 0 or place > start + 1)):
        return BAD_ID, 0, 0
    if place == end or (loosely and (data[place] == TAB or data[place] == SPACE)):
        return (WORD if first > 0 else BAD_ID), first, first
    mark = data[place]
    if mark != MINUS and mark != DOT:
        return BAD_ID, 0, 0
    last, stop = _read_number(data, place + 1, end)
    good = stop == end and stop > place + 1 and data[place + 1] != ZERO
    if mark == MINUS:
        return (RANGE if good and first > 0 else BAD_RANGE), first, last
    return (EMPTY_NODE if good else BAD_EMPTY_NODE), first, last


@kernel
def _read_number(data, start, end):
    """Read digits; give the number and where they end."""
    value = 0
    place = start
    while place < end and ZERO <= data[place] <= NINE:
        value = min(value * 10 + (int(data[place]) - ZERO), _HIGHEST)
        place += 1
    return value, place


@kernel
def _read_head(data, start, end):
    if end == start + 1 and data[start] == UNDERSCORE:
        return NO_HEAD
    value, place = _read_number(data, start, end)
    padded = end > start + 1 and data[start] == ZERO  # 007 would not come back as it was
    return value if place == end and place > start and not padded else BAD_HEAD


@kernel
def _kind_of_head(data, start, end):
    """Tell what is wrong with a HEAD that is no number."""
    if data[start] == MINUS:
        _, place = _read_number(data, start + 1, end)
        if place == end and end > start + 1:
            return Kind.HEAD_NEGATIVE
    what, _, _ = _read_id(data, start, end, False)
    return Kind.HEAD_EMPTY_NODE if what == EMPTY_NODE else Kind.HEAD


@kernel
def _check_tree(
    heads, first, last, trees, marks, edges, lines, sentence, start, problems, noted
):  # fmt: skip
    """Check the heads of the words from first to last; say also whether there is an error."""
    length = last - first
    if trees == IGNORED:
        for word in range(first, last):
            if heads[word] > length:
                heads[word] = NO_HEAD
        return noted, False
    roots = missing = unknown = 0
    wrong = False
    for word in range(first, last):
        head = heads[word]
        marks[word] = 0
        kind = 0
        if head == 0:
            roots += 1
        elif head == NO_HEAD:
            missing += 1
        elif head == BAD_HEAD:
            unknown += 1
        elif head > length:
            unknown += 1
            kind = Kind.HEAD_OUTSIDE
        elif head == word - first + 1:
            unknown += 1
            kind = Kind.HEAD_SELF
        if kind != 0:
            wrong = True
            noted = _note(
                problems, noted, kind, lines[word], sentence, start, edges[word, 0], 6, length
            )
    if length > 0 and missing == length:
        kind = Kind.TREE_NEEDED if trees == REQUIRED else Kind.NO_TREE
        noted = _note(problems, noted, kind, lines[first], sentence, start, edges[first, 0], 6, 0)
        return noted, wrong or trees == REQUIRED
    if missing > 0 and trees != PARTIAL:
        for word in range(first, last):
            if heads[word] == NO_HEAD:
                noted = _note(
                    problems, noted, Kind.HEAD_MISSING, lines[word], sentence, start,
                    edges[word, 0], 6, missing,
                )  # fmt: skip
        wrong = True
    for word in range(first, last):  # follow the heads; a word met twice on one way is in a cycle
        at = word
        while marks[at] == 0:
            marks[at] = word - first + 1
            head = heads[at]
            if head <= 0 or head > length or head == at - first + 1:
                break
            at = first + head - 1
            if marks[at] == word - first + 1:
                wrong = True
                noted = _note(
                    problems, noted, Kind.CYCLE, lines[at], sentence, start, edges[at, 0], 6,
                    at - first + 1,
                )  # fmt: skip
    if length > 0 and roots == 0 and missing == 0 and unknown == 0:
        wrong = True
        noted = _note(
            problems, noted, Kind.NO_ROOT, lines[first], sentence, start, edges[first, 0], 6, 0
        )
    if roots > 1:
        noted = _note(
            problems, noted, Kind.SEVERAL_ROOTS, lines[first], sentence, start, edges[first, 0],
            6, roots,
        )  # fmt: skip
    return noted, wrong

"""The kinds of problems. Native code knows them by number; the words stand in messages.py."""

from enum import IntEnum


class Kind(IntEnum):
    """What can be wrong with a line, a sentence or a file.

    Those up to LAST_ERROR are errors: the sentence can't be taken as it stands. The others are
    remarks: what is there can be read as it was meant, but other programs may refuse it, or it was
    perhaps not intended.
    """

    COLUMNS = 1
    SPACES_FOR_TABS = 2
    ID = 3
    ID_ORDER = 4
    BLANK_LINE_MISSING = 5
    RANGE = 6
    RANGE_REVERSED = 7
    RANGE_PLACE = 8
    RANGE_OVERLAP = 9
    RANGE_END = 10
    EMPTY_NODE = 11
    EMPTY_NODE_ORDER = 12
    FIELD_EMPTY = 13
    HEAD = 14
    HEAD_NEGATIVE = 15
    HEAD_EMPTY_NODE = 16
    HEAD_OUTSIDE = 17
    HEAD_SELF = 18
    HEAD_MISSING = 19
    CYCLE = 20
    NO_ROOT = 21
    TREE_NEEDED = 22
    UTF_8 = 23
    BLANK_WITH_SPACES = 24
    BOM_INSIDE = 25
    NO_WORDS = 26
    LAST_ERROR = 26

    SEVERAL_ROOTS = 27
    NO_TREE = 28
    BOM = 29
    LINE_ENDS = 30
    NO_LAST_NEWLINE = 31
    NO_LAST_BLANK_LINE = 32
    EXTRA_BLANK_LINE = 33
    COMMENTS_ONLY = 34
    COMMENT_INSIDE = 35
    NO_SENTENCES = 36
    CARRIAGE_RETURN = 37
    CONTROL_CHARACTER = 38
    SPACE_INSIDE = 39
    SPACE_AROUND = 40
    UPOS = 41
    FEATS = 42
    FEATS_ORDER = 43
    FEATS_TWICE = 44
    DEPS = 45
    DEPS_OUTSIDE = 46
    DEPS_ORDER = 47
    PHEAD = 48
    LABEL_MISSING = 49
    ROOT_LABEL = 50
    RANGE_ANNOTATED = 51
    EMPTY_NODE_HEAD = 52
    SENT_ID_TWICE = 53
    TEXT = 54

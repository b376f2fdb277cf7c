"""What is said about each kind of problem: what was expected, what was found, how to mend it."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rollin.conll.comments import comment_value
from rollin.conll.kinds import Kind
from rollin.errors import RollinError

if TYPE_CHECKING:
    from rollin.conll.blocks import Block

_SHOWN = 10  # problems that an exception lists
_LONGEST = 60  # characters of a field that a message shows


@dataclass(frozen=True)
class Problem:
    """Something wrong with a file, put into words."""

    kind: str
    error: bool
    """Whether the sentence can't be taken as it stands; if not, this is a remark."""
    path: str
    line: int
    sentence: int
    """The number of the sentence in the file, from 1; 0 stands for none."""
    sent_id: str | None
    expected: str
    found: str
    mend: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}"
        if self.sentence:
            named = f", sent_id {self.sent_id}" if self.sent_id else ""
            where += f" (sentence {self.sentence}{named})"
        return f"{where}: expected {self.expected}; found {self.found}. {self.mend}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


_SKIP = "`--on-error skip` leaves such sentences out"


class ConllProblem(RollinError):
    """A file with errors; `problems` lists them."""

    def __init__(self, problems: Sequence[Problem], way_out: str = _SKIP) -> None:
        self.problems = list(problems)
        lines = [str(problem) for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            lines.append(f"... and {len(self.problems) - _SHOWN} more up to here")
        path = self.problems[0].path
        shown = f"`rollin check {path}` lists all; {way_out}"
        super().__init__("\n  ".join([f"{path} has errors ({shown}):", *lines]))


def describe(block: "Block", rows: np.ndarray | None = None) -> list[Problem]:
    """Put problems of a block into words: those of the given rows, or all (see scanning)."""
    found = block.problems if rows is None else rows
    about = _Sentences(block)
    return [_described(block, about, *row) for row in found.tolist()]


def name_of_kind(kind: int) -> str:
    """Name a kind as it is printed."""
    return Kind(kind).name.lower().replace("_", "-")


def _described(
    block: "Block", about: "_Sentences", kind: int, line: int, sentence: int, start: int,
    line_start: int, column: int, value: int,
) -> Problem:  # fmt: skip
    expected, found, mend = _WORDS[Kind(kind)](
        _Case(block, about, start, line_start, column, value)
    )
    return Problem(
        kind=name_of_kind(kind),
        error=kind <= Kind.LAST_ERROR,
        path=block.path,
        line=block.first_line + line,
        sentence=block.first_sentence + sentence if sentence else 0,
        sent_id=about.sent_id(start),
        expected=expected,
        found=found,
        mend=mend,
    )


class _Sentences:
    """What messages say of whole sentences, found once for all the problems of a sentence."""

    def __init__(self, block: "Block") -> None:
        self.raw = block.raw
        self.sent_id = functools.lru_cache(1)(self._sent_id)
        self.heads = functools.lru_cache(1)(self._heads)

    def _sent_id(self, start: int) -> str | None:
        for line in self._lines(start):
            if not line.startswith(b"#"):
                return None
            if value := comment_value(line, b"sent_id"):
                return value
        return None

    def _heads(self, start: int) -> dict[int, int]:
        """Give the heads of the words, as far as they are numbers."""
        found = {}
        for line in self._lines(start):
            fields = line.split(b"\t")
            if len(fields) == 10 and fields[0].isdigit() and fields[6].isdigit():
                found[int(fields[0])] = int(fields[6])
        return found

    def _lines(self, start: int) -> Iterator[bytes]:
        """Give the lines up to the next blank one."""
        while True:
            end = self.raw.find(b"\n", start)
            line = self.raw[start : end if end >= 0 else None].removesuffix(b"\r")
            if not line:
                return
            yield line
            if end < 0:
                return
            start = end + 1


class _Case:
    """One problem with what is needed to speak about it."""

    def __init__(
        self, block: "Block", about: _Sentences, start: int, line_start: int, column: int,
        value: int,
    ) -> None:  # fmt: skip
        self.block, self.about, self.start, self.line_start = block, about, start, line_start
        self.column, self.value = column, value

    @property
    def line(self) -> bytes:
        raw = self.block.raw
        end = raw.find(b"\n", self.line_start)
        return raw[self.line_start : end if end >= 0 else len(raw)].removesuffix(b"\r")

    @property
    def fields(self) -> list[bytes]:
        return self.line.split(b"\t")

    @property
    def field(self) -> str:
        """The field that the problem is in, quoted."""
        return quoted(self.fields[self.column] if self.column < len(self.fields) else b"")

    @property
    def id(self) -> str:
        return quoted(self.fields[0])

    @property
    def name(self) -> str:
        """The name of the column that the problem is in."""
        x_names = {3: "CPOSTAG", 4: "POSTAG", 8: "PHEAD", 9: "PDEPREL"}
        if self.block.format == "conllx" and self.column in x_names:
            return x_names[self.column]
        return _NAMES[self.column]


_NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


def quoted(text: bytes) -> str:
    """Show bytes between quotes, shortened, with what can't be seen made visible."""
    shown = text.decode("utf-8", "backslashreplace")
    if len(shown) > _LONGEST:
        shown = shown[:_LONGEST] + "…"
    visible = "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in shown
    )
    return f"`{visible}`"


Words = tuple[str, str, str]


def _columns(case: _Case) -> Words:
    fields = case.fields
    found = f"{len(fields)} in {quoted(case.line)}"
    mend = "Separate the columns by one tab each, and write `_` for what is not there"
    if b"\r" in case.line:
        mend = "Lines seem to end with a carriage return alone: write line feeds"
    elif len(fields) == 14:
        mend = "This looks like CoNLL-2009; only CoNLL-U and CoNLL-X are read: convert it"
    elif len(fields) > 10 and not fields[-1]:
        mend = "Remove the tabs at the end of the line"
    elif len(fields) > 10:
        mend = "Remove the additional columns (CoNLL-U Plus is not read)"
    elif len(fields) == 6:
        mend = "Add the four columns that are missing (HEAD to MISC), as `_`"
    elif not case.line[:1].isdigit() and len(fields) == 1:
        mend = "If this is a comment, begin it with `#`; if the file isn't CoNLL, convert it"
    return "10 columns separated by tabs", found, mend


def _spaces_for_tabs(case: _Case) -> Words:
    return (
        "10 columns separated by tabs",
        f"spaces between them in {quoted(case.line)}",
        "An editor may have turned tabs into spaces: put tabs back",
    )


def _id(case: _Case) -> Words:
    return (
        f"an ID, here {case.value}",
        case.id,
        "Write 3 for a word, 3-4 for a multiword range, 3.1 for an empty node; no leading zeros",
    )


def _range_annotated(case: _Case) -> Words:
    return (
        f"`_` in {case.name} of a multiword range",
        case.field,
        "Only FORM and MISC belong to the range; what is said of words goes with the words",
    )


def _cycle(case: _Case) -> Words:
    heads, way = case.about.heads(case.start), [case.value]
    while len(way) <= len(heads) and (len(way) == 1 or way[-1] != way[0]):
        way.append(heads.get(way[-1], 0))
    shown = " → ".join(map(str, way if len(way) <= 12 else [*way[:6], "…", *way[-2:]]))
    return (
        "heads that lead from every word to the root",
        f"a cycle: {shown}",
        "Give one of these words a head outside of the cycle",
    )


def _head(case: _Case) -> Words:
    return (
        "a HEAD that is 0, the ID of a word, or `_`",
        case.field,
        "Write the number of the head, without zeros before it; if there is no tree, write `_`",
    )


def _outside(case: _Case) -> Words:
    return (
        f"a HEAD from 0 to {case.value}, the words of the sentence",
        case.field,
        "Correct the head; if the sentence is cut in two, heads must be counted anew",
    )


def _utf_8(case: _Case) -> Words:
    wrong = case.block.raw[case.value : case.value + 1].hex().upper()
    place = case.value - case.line_start + 1
    return (
        "text in UTF-8",
        f"byte {wrong} at place {place} of the line {quoted(case.line)}",
        "Convert the file from its old encoding: iconv -f latin1 -t utf-8",
    )


def _line_ends(case: _Case) -> Words:
    from rollin.conll.scanning import CRLF_ENDS

    now, before = ("CRLF", "LF") if case.value == CRLF_ENDS else ("LF", "CRLF")
    return (
        f"lines that all end like those before, with {before}",
        f"a line that ends with {now}",
        "Let all lines end alike (dos2unix)",
    )


def _same(expected: str, found: str, mend: str) -> Callable[[_Case], Words]:
    """Make the words for a kind whose message has only simple gaps."""

    def words(case: _Case) -> Words:
        return tuple(
            part.format(
                field=_lazy(lambda: case.field), id=_lazy(lambda: case.id), name=case.name,
                value=case.value, line=_lazy(lambda: quoted(case.line)),
            )
            for part in (expected, found, mend)
        )  # type: ignore[return-value]  # fmt: skip

    return words


class _lazy:  # noqa: N801
    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    def __format__(self, how: str) -> str:
        return self._make()


_WORDS: dict[Kind, Callable[[_Case], Words]] = {
    Kind.COLUMNS: _columns,
    Kind.SPACES_FOR_TABS: _spaces_for_tabs,
    Kind.ID: _id,
    Kind.ID_ORDER: _same(
        "ID {value}, the next in order", "{id}", "Number the words of a sentence 1, 2, 3, ..."
    ),
    Kind.BLANK_LINE_MISSING: _same(
        "ID {value}, or a blank line before a new sentence",
        "{id}",
        "Put a blank line between the two sentences",
    ),
    Kind.RANGE: _same("a range of two numbers, like 3-4", "{id}", "Correct the range"),
    Kind.RANGE_REVERSED: _same(
        "a range from a lower to a higher number", "{id}", "Exchange the two numbers"
    ),
    Kind.RANGE_PLACE: _same(
        "a range that begins with {value}, the word after it",
        "{id}",
        "Put the range right before its first word",
    ),
    Kind.RANGE_OVERLAP: _same(
        "a range that begins after {value}, where the range before ends",
        "{id}",
        "A word can be in one range only: correct one of the two",
    ),
    Kind.RANGE_END: _same(
        "a range within the sentence, which has words up to {value}",
        "{id}",
        "Correct the range, or add the words that are missing",
    ),
    Kind.EMPTY_NODE: _same("an empty node's ID, like 3.1", "{id}", "Correct the ID"),
    Kind.EMPTY_NODE_ORDER: _same(
        "the next empty node (n.1, n.2, ... right after word n)",
        "{id}",
        "Number the empty nodes in order, and put them after the word they are named after",
    ),
    Kind.FIELD_EMPTY: _same(
        "something in {name}", "an empty field in {line}", "Write `_` for what is not there"
    ),
    Kind.HEAD: _head,
    Kind.HEAD_NEGATIVE: _head,
    Kind.HEAD_EMPTY_NODE: _same(
        "a HEAD that is a word",
        "{field}, an empty node",
        "Basic trees have no empty nodes: choose a word, and put this into DEPS",
    ),
    Kind.HEAD_OUTSIDE: _outside,
    Kind.HEAD_SELF: _same(
        "a HEAD that is another word", "{field}, the word itself", "Choose the right head, or 0"
    ),
    Kind.HEAD_MISSING: _same(
        "a HEAD for every word or for none",
        "`_` in {value} words, this is one",
        "Add the heads, or write `_` in all words of the sentence",
    ),
    Kind.CYCLE: _cycle,
    Kind.NO_ROOT: _same(
        "a word whose HEAD is 0", "none in the sentence", "Let the root of the tree have HEAD 0"
    ),
    Kind.TREE_NEEDED: _same(
        "a tree, with numbers in HEAD",
        "only `_`",
        "Give it annotated sentences (gold for training and scoring)",
    ),
    Kind.UTF_8: _utf_8,
    Kind.BLANK_WITH_SPACES: _same(
        "an empty line between sentences", "spaces or tabs in it", "Remove them"
    ),
    Kind.BOM_INSIDE: _same(
        "a byte order mark only at the start of a file",
        "one here: {line}",
        "Two files may have been joined: remove the bytes EF BB BF",
    ),
    Kind.NO_WORDS: _same("words in the sentence", "none", "Add the words, or remove these lines"),
    Kind.SEVERAL_ROOTS: _same(
        "one word with HEAD 0", "{value}", "That is fine for CoNLL-X, but not in UD"
    ),
    Kind.NO_TREE: _same("numbers in HEAD", "only `_`", "That is fine for what is to be parsed"),
    Kind.BOM: _same(
        "a file that begins with its text",
        "a byte order mark",
        "Some programs take it for a part of the first line: remove it",
    ),
    Kind.LINE_ENDS: _line_ends,
    Kind.NO_LAST_NEWLINE: _same(
        "a line feed at the end of the file", "none", "Add it, and a blank line"
    ),
    Kind.NO_LAST_BLANK_LINE: _same(
        "a blank line after the last sentence", "the end of the file", "Add a blank line"
    ),
    Kind.EXTRA_BLANK_LINE: _same(
        "one blank line between sentences", "one more", "Remove the blank line"
    ),
    Kind.COMMENTS_ONLY: _same(
        "words after the comments", "none", "Remove the blank line, or the comments"
    ),
    Kind.COMMENT_INSIDE: _same(
        "comments only before the words of a sentence",
        "{line} among them",
        "Move it up, or put a blank line before it",
    ),
    Kind.NO_SENTENCES: _same("sentences", "none in the file", "Is this the right file?"),
    Kind.CARRIAGE_RETURN: _same(
        "carriage returns only at the end of lines", "one in {line}", "Remove it"
    ),
    Kind.CONTROL_CHARACTER: _same(
        "characters that can be seen", "a control character in {line}", "Remove it"
    ),
    Kind.SPACE_INSIDE: _same(
        "no space in {name}", "{field}", "Only FORM, LEMMA and MISC may have spaces: write `_`"
    ),
    Kind.SPACE_AROUND: _same(
        "{name} without a space at its start or end", "{field}", "Remove the space"
    ),
    Kind.UPOS: _same(
        "one of the 17 universal tags in UPOS, or `_`",
        "{field}",
        "CONJ of UD 1 is CCONJ in UD 2; put tags of other schemes into XPOS",
    ),
    Kind.FEATS: _same(
        "FEATS like Case=Nom|Number=Sing, or `_`", "{field}", "Write every feature as Name=Value"
    ),
    Kind.FEATS_ORDER: _same(
        "FEATS in alphabetical order, capitals and small letters alike", "{field}", "Sort them"
    ),
    Kind.FEATS_TWICE: _same("every feature once", "{field}", "Join the values: Name=Value1,Value2"),
    Kind.DEPS: _same(
        "DEPS like 2:nsubj|4:conj, or `_`", "{field}", "Write every dependency as head:relation"
    ),
    Kind.DEPS_OUTSIDE: _same(
        "heads in DEPS that are in the sentence (words up to {value})",
        "{field}",
        "Correct the number",
    ),
    Kind.DEPS_ORDER: _same("DEPS in the order of their heads", "{field}", "Sort them"),
    Kind.PHEAD: _same(
        "a PHEAD that is a number up to {value}, or `_`", "{field}", "Correct the number"
    ),
    Kind.LABEL_MISSING: _same(
        "a DEPREL beside the HEAD", "`_`", "Add the label, if the trees are to have labels"
    ),
    Kind.ROOT_LABEL: _same(
        "DEPREL root exactly where HEAD is 0", "{line}", "Correct the label or the head"
    ),
    Kind.RANGE_ANNOTATED: _range_annotated,
    Kind.EMPTY_NODE_HEAD: _same(
        "`_` in {name} of an empty node", "{field}", "Empty nodes hang only by DEPS"
    ),
    Kind.SENT_ID_TWICE: _same(
        "a sent_id of its own for every sentence", "{line} once more", "Give it another"
    ),
    Kind.TEXT: _same(
        "a `# text` that is what the FORMs spell, spaces aside",
        "{line}",
        "Correct the comment or the FORMs",
    ),
}

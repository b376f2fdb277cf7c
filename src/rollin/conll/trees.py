"""Sentences and tokens as Python objects: a view of the bytes, made when it is asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rollin.conll.comments import comment_value
from rollin.conll.drawing import draw
from rollin.conll.opening import Source
from rollin.conll.reading import read_blocks


def read(
    source: Source,
    on_error: str = "stop",
    report: Callable[[Any], None] | None = None,
    *,
    trees: str = "ignored",
) -> Iterator["Sentence"]:
    """Read the sentences of a CoNLL-U or CoNLL-X file, one after the other.

    The arguments are those of `read_blocks`.
    """
    for block in read_blocks(source, on_error=on_error, report=report, trees=trees):
        yield from block


@dataclass(frozen=True, slots=True)
class Token:
    """A line of a sentence: a word, a multiword range or an empty node, its fields as they are."""

    id: str
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int | None
    deprel: str
    deps: str
    misc: str

    @property
    def number(self) -> int:
        """The number that heads refer to; for ranges and empty nodes, the first one."""
        return int(self.id.partition("-")[0].partition(".")[0])

    @property
    def features(self) -> dict[str, str]:
        """FEATS as a dictionary; a feature without a value has the value ''."""
        return _pairs(self.feats)

    @property
    def extras(self) -> dict[str, str]:
        """MISC as a dictionary."""
        return _pairs(self.misc)

    @property
    def space_after(self) -> bool:
        return self.extras.get("SpaceAfter") != "No"

    def __str__(self) -> str:
        return self.form


class Sentence:
    """A sentence of a file; it prints as a tree, and `words` can be walked by number or in order.

    >>> sentence.words[0].form, sentence.words[0].head, sentence.words[0].deprel
    """

    def __init__(self, raw: bytes, path: str = "<bytes>", line: int = 1) -> None:
        self.raw, self.path, self.line = raw, path, line

    @cached_property
    def comments(self) -> list[str]:
        """The comments, without the `#` and the space after it."""
        lines = (line for line in self._lines() if line.startswith("#"))
        return [line[1:].removeprefix(" ") for line in lines]

    @property
    def sent_id(self) -> str | None:
        return comment_value(self.raw, b"sent_id")

    @property
    def text(self) -> str:
        """The comment `# text = ...`, or the forms as they stand on the page."""
        return comment_value(self.raw, b"text") or self.spelled

    @cached_property
    def tokens(self) -> list[Token]:
        """All lines but comments: words, multiword ranges and empty nodes, in order."""
        return [_token(line) for line in self._lines() if line and not line.startswith("#")]

    @cached_property
    def words(self) -> list[Token]:
        """The words: what has heads and is counted."""
        return [token for token in self.tokens if token.id.isdigit()]

    @property
    def ranges(self) -> list[Token]:
        """The multiword tokens, like 3-4."""
        return [token for token in self.tokens if "-" in token.id]

    @property
    def empty_nodes(self) -> list[Token]:
        """The empty nodes, like 3.1."""
        return [token for token in self.tokens if "." in token.id]

    @property
    def heads(self) -> list[int | None]:
        return [word.head for word in self.words]

    @property
    def spelled(self) -> str:
        """The forms with spaces where they belong (SpaceAfter=No in MISC says where they don't)."""
        spelled, inside = "", 0
        for token in self.tokens:
            if "." in token.id or ("-" not in token.id and token.number <= inside):
                continue
            if "-" in token.id:
                inside = int(token.id.partition("-")[2])
            spelled += token.form + " " * token.space_after
        return spelled.rstrip(" ")

    def children(self, number: int) -> list[Token]:
        """Give the words whose head is the word of this number (0: the roots)."""
        return [word for word in self.words if word.head == number]

    def drawn(self, colours: bool = False) -> str:
        """Draw the tree for the terminal."""
        words = self.words
        return draw(
            [word.head for word in words],
            [[word.form, word.upos, word.deprel] for word in words],
            colours,
        )

    def __str__(self) -> str:
        return self.drawn()

    def __repr__(self) -> str:
        named = f" {self.sent_id}" if self.sent_id else ""
        return f"<Sentence{named} of {self.path}, line {self.line}: {len(self)} words>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the tree where IPython shows a value."""
        printer.text(str(self))

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.words)

    def __getitem__(self, index: int) -> Token:
        return self.words[index]

    def _lines(self) -> list[str]:
        text = self.raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        return [line.removesuffix("\r") for line in text.split("\n")]


def _token(line: str) -> Token:
    fields = line.split("\t")
    head = int(fields[6]) if fields[6].isdecimal() else None
    before, after = fields[:6], fields[7:10]
    return Token(*before, head, *after)  # type: ignore[arg-type, call-arg]


def _pairs(field: str) -> dict[str, str]:
    if field == "_":
        return {}
    parts = (part.partition("=") for part in field.split("|"))
    return {name: value for name, _, value in parts}

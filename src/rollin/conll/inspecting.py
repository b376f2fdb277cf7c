"""Remarks about the contents of fields: what can be read, but is perhaps not what it should be.

The reader does not ask for this; `rollin check` does. Columns are looked at by their different
values, which are few.
"""

from collections.abc import Callable, Iterator

import numpy as np

from rollin.conll.blocks import COLUMNS, Block
from rollin.conll.kinds import Kind
from rollin.conll.opening import Source
from rollin.conll.reading import UPOS_TAGS, read_blocks
from rollin.conll.scanning import EMPTY_NODE, RANGE

_SPACE, _TAB, _LF, _CR, _DELETE = 32, 9, 10, 13, 127
_MAY_HAVE_SPACES = tuple(COLUMNS[name] for name in ("form", "lemma", "misc"))
_FEATS, _HEAD, _DEPREL, _DEPS, _PHEAD = 5, 6, 7, 8, 8
_BOM = b"\xef\xbb\xbf"

Row = tuple[int, int, int, int, int, int, int]


def check_blocks(source: Source, format: str | None = None) -> Iterator[tuple[Block, np.ndarray]]:
    """Read a file and give, block by block, the rows of all its problems in the order of lines."""
    known: set[int] = set()
    seen = 0
    for block in read_blocks(source, on_error="keep", format=format):
        rows = list(_inspected(block, known))
        if not block.first_line and block.raw.startswith(_BOM):
            rows.append((Kind.BOM, 1, 0, 0, 0, 0, 0))
        seen += block.sentences + block.left_out
        yield block, _in_order(np.array([*block.problems.tolist(), *rows], np.int64))
    if not seen:
        yield block, np.array([(Kind.NO_SENTENCES, 1, 0, 0, 0, 0, 0)], np.int64)


def _in_order(rows: np.ndarray) -> np.ndarray:
    rows = rows.reshape(-1, 7)
    return rows[np.argsort(rows[:, 1], kind="stable")]


def _inspected(block: Block, known: set[int]) -> Iterator[Row]:
    yield from _characters(block)
    yield from _fields(block)
    yield from _other_lines(block)
    yield from _comments(block, known)


def _row(block: Block, kind: int, word: int, column: int, value: int = 0) -> Row:
    """Make the row of a remark about a word."""
    sentence = block.sentence_of(word)
    start = int(block.spans[sentence, 0])
    number = int(block.spans[sentence, 2])
    line = int(block.lines[word])
    return (kind, line, number, start, int(block.edges[word, 0]), column, value)


def _characters(block: Block) -> Iterator[Row]:
    """Look for spaces where none belong, and for characters that can't be seen."""
    data, edges = block.data, block.edges
    if not block.words:
        return
    odd = (data <= _SPACE) & (data != _TAB) & (data != _LF) | (data == _DELETE)
    places = np.flatnonzero(odd)
    words = np.searchsorted(edges[:, 0], places, "right") - 1
    inside = (words >= 0) & (places < edges[words, 10] - 1)
    places, words = places[inside], words[inside]
    columns = (edges[words, :10] <= places[:, None]).sum(1) - 1
    told = set()
    for place, word, column in zip(places.tolist(), words.tolist(), columns.tolist(), strict=True):
        byte = data[place]
        kind = Kind.CARRIAGE_RETURN if byte == _CR else Kind.CONTROL_CHARACTER
        if byte == _SPACE:
            start, end = edges[word, column], edges[word, column + 1] - 1
            if start < place < end - 1:
                if column in _MAY_HAVE_SPACES:
                    continue
                kind = Kind.SPACE_INSIDE
            elif end - start > 1:
                kind = Kind.SPACE_AROUND
            else:  # a form that is a space
                continue
        if (kind, word, column) not in told:
            told.add((kind, word, column))
            yield _row(block, kind, word, column)


def _fields(block: Block) -> Iterator[Row]:
    """Look at the columns whose contents have a form."""
    lengths = block.lengths[np.searchsorted(block.starts, np.arange(block.words), "right") - 1]
    if block.format == "conllu":
        yield from _by_value(block, "upos", lambda tag: 0 if tag in _TAGS else Kind.UPOS)
        yield from _by_value(block, "feats", _feats)
        yield from _deps(block, lengths)
        numbers, labels = block.encoded("deprel")
        roots = (label.partition(":")[0].lower() == "root" for label in labels)
        is_root = np.array([*roots, False])
        wrong = (is_root[numbers] != (block.heads == 0)) & (block.heads >= 0)
        for word in np.flatnonzero(wrong).tolist():
            yield _row(block, Kind.ROOT_LABEL, word, _DEPREL)
    else:
        for word, phead in enumerate(block.texts("phead")):
            good = phead == "_" or (phead.isdecimal() and int(phead) <= lengths[word])
            if not good:
                yield _row(block, Kind.PHEAD, word, _PHEAD, int(lengths[word]))
    numbers, labels = block.encoded("deprel")
    missing = np.array([*(label == "_" for label in labels), False])[numbers]
    for word in np.flatnonzero(missing & (block.heads >= 0)).tolist():
        yield _row(block, Kind.LABEL_MISSING, word, _DEPREL)


_TAGS = frozenset((*UPOS_TAGS, "_"))


def _by_value(block: Block, column: str, kind_of: Callable[[str], int]) -> Iterator[Row]:
    numbers, values = block.encoded(column)
    kinds = np.array([*map(kind_of, values), 0])[numbers]
    for word in np.flatnonzero(kinds).tolist():
        yield _row(block, int(kinds[word]), word, COLUMNS[column])


def _feats(value: str) -> int:
    if value == "_":
        return 0
    names = []
    for feature in value.split("|"):
        name, _, given = feature.partition("=")
        if not name or not given:
            return Kind.FEATS
        names.append(name)
    if len(set(names)) < len(names):
        return Kind.FEATS_TWICE
    small = [name.lower() for name in names]
    return Kind.FEATS_ORDER if small != sorted(small) else 0


def _deps(block: Block, lengths: np.ndarray) -> Iterator[Row]:
    numbers, values = block.encoded("deps")
    heads = [_heads_in_deps(value) for value in values]
    highest = np.array([max(found)[0] if found else 0 for found in heads] or [0])
    kinds = np.array(
        [
            Kind.DEPS if found is None else Kind.DEPS_ORDER if found != sorted(found) else 0
            for found in heads
        ]
        or [0]
    )
    wrong = np.where(kinds[numbers] == 0, (highest[numbers] > lengths) * Kind.DEPS_OUTSIDE, 0)
    wrong += kinds[numbers]
    for word in np.flatnonzero(wrong).tolist():
        yield _row(block, int(wrong[word]), word, _DEPS, int(lengths[word]))


def _heads_in_deps(value: str) -> list[tuple[int, int]] | None:
    """Give the heads (3.1 as (3, 1)) in DEPS; None if it can't be read."""
    found = []
    for part in value.split("|") if value != "_" else ():
        head, colon, relation = part.partition(":")
        whole, dot, minor = head.partition(".")
        if not colon or not relation or not whole.isdecimal():
            return None
        if dot and not minor.isdecimal():
            return None
        found.append((int(whole), int(minor or 0)))
    return found


def _other_lines(block: Block) -> Iterator[Row]:
    """Look at multiword ranges and empty nodes for what belongs to words."""
    for kind, _, _, word, start, _, _, line in block.others.tolist():
        end = block.raw.find(b"\n", start)
        fields = block.raw[start : end if end >= 0 else None].rstrip(b"\r").split(b"\t")
        columns = range(2, 9) if kind == RANGE else (_HEAD, _DEPREL) if kind == EMPTY_NODE else ()
        for column in columns:
            if fields[column] != b"_":
                sentence = int(np.searchsorted(block.spans[:, 0], start, "right")) - 1
                which = Kind.RANGE_ANNOTATED if kind == RANGE else Kind.EMPTY_NODE_HEAD
                first, _, number, _ = block.spans[sentence].tolist()
                yield (which, line, number, first, start, column, word)
                break


def _comments(block: Block, known: set[int]) -> Iterator[Row]:
    """Look at sent_id, which should be there once, and text, which should be what is there."""
    forms: list[str] = []
    ranges: dict[int, tuple[int, str]] = {}
    for sentence in range(block.sentences):
        raw = block.sentence_bytes(sentence)
        if not raw.startswith(b"#"):
            continue
        start = int(block.spans[sentence, 0])
        number, line = block.spans[sentence, 2:].tolist()
        for comment in raw.split(b"\n"):
            if not comment.startswith(b"#"):
                break
            key, equals, value = comment[1:].partition(b"=")
            kind = 0
            if equals and key.strip() == b"sent_id":
                digest = hash(value.strip())
                kind = Kind.SENT_ID_TWICE if digest in known else 0
                known.add(digest)
            elif equals and key.strip() == b"text":
                if not forms:
                    forms, ranges = block.texts("form"), _ranges(block)
                first, end = block.starts[sentence : sentence + 2].tolist()
                spelled = _spelled(forms, ranges, first, end)
                text = value.decode("utf-8", "surrogateescape")
                kind = Kind.TEXT if "".join(text.split()) != "".join(spelled.split()) else 0
            if kind:
                yield (kind, line, number, start, start, 0, 0)
            start += len(comment) + 1
            line += 1


def _ranges(block: Block) -> dict[int, tuple[int, str]]:
    """Give, by their first word, how many words each multiword token has, and its form."""
    return {
        word: (last - first + 1, block.raw[start:end].decode("utf-8", "surrogateescape"))
        for kind, first, last, word, _, start, end, _ in block.others.tolist()
        if kind == RANGE
    }


def _spelled(forms: list[str], ranges: dict[int, tuple[int, str]], first: int, end: int) -> str:
    parts = []
    while first < end:
        size, form = ranges.get(first, (1, forms[first]))
        parts.append(form)
        first += size
    return "".join(parts)

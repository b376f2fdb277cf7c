"""The reader: a file in blocks of whole sentences, as columns, in bounded memory."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rollin.conll import scanning
from rollin.conll.blocks import Block
from rollin.conll.kinds import Kind
from rollin.conll.messages import ConllProblem, Problem, describe
from rollin.conll.opening import Source, name_of, opened
from rollin.conll.utf8 import invalid_bytes
from rollin.errors import RollinError
from rollin.native.hashing import hash_text

BLOCK_BYTES = 1 << 20
UPOS_TAGS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
    "PUNCT", "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip

_BOM = b"\xef\xbb\xbf"
_BLANK_LINES = (b"\n\n", b"\n\r\n")
_MOSTLY = 0.9  # some UD treebanks have a stray tag (and CONJ, in UD 1)
_LARGEST = 2**31 - 2**16  # places in a block are 32-bit numbers
_TREES = {
    "ignored": scanning.IGNORED,
    "partial": scanning.PARTIAL,
    "checked": scanning.CHECKED,
    "required": scanning.REQUIRED,
}


def read_blocks(
    source: Source,
    block_bytes: int = BLOCK_BYTES,
    on_error: str = "stop",
    report: Callable[[Problem], None] | None = None,
    *,
    trees: str = "checked",
    format: str | None = None,
) -> Iterator[Block]:
    """Read a CoNLL-U or CoNLL-X file block by block.

    Args:
        source: a path, `-` for standard input, or a file open for reading bytes. What is packed
            with gzip, xz, bzip2 or zstd (if its library is there) is unpacked.
        block_bytes: how much is read at a time; a block ends with a sentence, so one that is larger
            makes a larger block.
        on_error: `stop` raises ConllProblem at the first block with errors; `skip` leaves out the
            sentences with errors and calls `report`; `keep` leaves them out in silence. In every
            case their bytes stay in the block, so that they can be written as they were.
        report: called with every error found in what is left out.
        trees: `ignored` takes sentences whatever stands in HEAD (what is no number from 0 to the
            number of words counts as -1), `partial` takes those with a part of a tree and `_` in
            the other words, `checked` those with a tree or with only `_` for heads, `required`
            those with a tree.
        format: `conllu` or `conllx`; if it isn't given, it is recognised.
    """
    if on_error not in ("stop", "skip", "keep"):
        raise RollinError(f"on_error is {on_error!r}; expected 'stop', 'skip' or 'keep'")
    if trees not in _TREES:
        raise RollinError(f"trees is {trees!r}; expected one of {', '.join(map(repr, _TREES))}")
    path = name_of(source)
    lines = sentences = 0
    ends = scanning.UNKNOWN_ENDS
    with opened(source) as stream:
        for number, raw in enumerate(_pieces(stream, block_bytes, path)):
            begin = len(_BOM) if number == 0 and raw.startswith(_BOM) else 0
            arrays, counts = _scan(raw, begin, _TREES[trees], ends)
            kept, seen, more_lines, comments, ends = counts
            block = Block(
                raw, path=path, format=format or "conllu", first_line=lines,
                first_sentence=sentences, left_out=seen - kept, **arrays,
            )  # fmt: skip
            if format is None and (block.words or comments):
                block.format = format = _recognised(block, comments)
            lines, sentences = lines + more_lines, sentences + seen
            if on_error != "keep" and (block.problems[:, 0] <= Kind.LAST_ERROR).any():
                _complain(block, on_error, report)
            yield block


def _pieces(stream: Any, size: int, path: str) -> Iterator[bytes]:
    """Cut a stream into pieces that end with a blank line (the last one: with the file)."""
    waiting: list[bytes] = []
    held = 0
    tail = b""
    cut = -1
    while read := stream.read(size):
        joined = tail + read  # a blank line may lie across two reads
        found = [joined.rfind(mark) + len(mark) for mark in _BLANK_LINES if mark in joined]
        cut = max(found) - len(tail) if found else 0
        if cut:
            yield b"".join([*waiting, read[:cut]])
            waiting, held = [], 0
        waiting.append(read[cut:])
        held += len(read) - cut
        tail = (tail + read[cut:])[-2:] if not cut else read[cut:][-2:]
        if held > _LARGEST:
            raise RollinError(
                f"{path}: more than {_LARGEST:,} bytes without a blank line; sentences must be "
                "separated by blank lines"
            )
    if held or cut < 0:  # an empty file makes an empty block
        yield b"".join(waiting)


def _scan(raw: bytes, begin: int, trees: int, ends: int) -> tuple[dict, tuple]:
    """Scan a block; give its arrays, and the counts that Block does not need."""
    data = np.frombuffer(raw, np.uint8)
    # Even a line of ten empty fields has eleven bytes: more words there can't be.
    room = min(int(np.count_nonzero(data == scanning.LF)) + 1, len(raw) // 10 + 1) + 1
    invalid = invalid_bytes(raw)
    edges = np.empty((room, 11), np.int32)
    heads, lines, marks = (np.empty(room, np.int32) for _ in range(3))
    starts, spans = np.empty(room + 1, np.int64), np.empty((room, 4), np.int64)
    others = np.empty((room, 8), np.int32)
    problems = np.empty((256, 7), np.int64)
    while True:
        words, sentences, found, noted, seen, line, comments, ends_now = scanning.scan(
            data, begin, invalid, trees, ends,
            edges, heads, lines, starts, spans, others, marks, problems,
        )  # fmt: skip
        if noted <= len(problems):
            break
        problems = np.empty((noted, 7), np.int64)
    arrays = {
        "edges": edges[:words],
        "heads": heads[:words],
        "lines": lines[:words],
        "starts": starts[: sentences + 1],
        "spans": spans[:sentences],
        "others": others[:found],
        "problems": problems[:noted],
    }
    return arrays, (sentences, seen, line, comments, ends_now)


def _recognised(block: Block, comments: int) -> str:
    """Tell CoNLL-U from CoNLL-X: only one has comments, ranges, empty nodes and universal tags."""
    if comments or len(block.others):
        return "conllu"
    universal = np.array([hash_text(tag) for tag in (*UPOS_TAGS, "CONJ", "_")], np.uint64)
    known = np.isin(block.hashes("upos"), universal)
    return "conllu" if known.mean() > _MOSTLY else "conllx"


def _complain(block: Block, on_error: str, report: Callable[[Problem], None] | None) -> None:
    problems = describe(block, block.problems[block.problems[:, 0] <= Kind.LAST_ERROR])
    if on_error == "stop":
        raise ConllProblem(problems)
    if report is not None:
        for problem in problems:
            report(problem)

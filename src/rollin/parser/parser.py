"""The parser as users call it: train, save, load, parse."""

import collections
import io
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from rollin.conll.blocks import Block
from rollin.conll.messages import Problem
from rollin.conll.opening import Source
from rollin.conll.reading import read_blocks
from rollin.conll.trees import Sentence, Token
from rollin.conll.words import places_with_roots
from rollin.errors import RollinError
from rollin.native.cores import one_core_each
from rollin.output import writing
from rollin.parser.systems import parser_task
from rollin.parser.treebank import Labels, Layout
from rollin.training import storage
from rollin.training.model import Model

_AT_A_TIME = 200  # sentences made of Python objects are parsed so many together


class Parser:
    """A trained parser."""

    def __init__(self, model: Model, layout: Layout, about: dict[str, Any]) -> None:
        self.model, self.layout, self.about = model, layout, about

    @classmethod
    def train(cls, train: Source, **settings: Any) -> "Parser":
        """Train a parser on a treebank: see `rollin.parser.learning.train_parser`."""
        from rollin.parser.learning import train_parser

        return train_parser(train, **settings)

    @classmethod
    def load(cls, path: str | Path) -> "Parser":
        """Read a parser from a file."""
        described, arrays = storage.load(path, "model")
        about = described["facts"].get("parser")
        if about is None:
            raise RollinError(
                f"{path} is a model of task {described['schema']['task']!r}, not a parser"
            )
        labels = Labels(
            tuple(about["label names"]),
            tuple(map(bool, about["below root"])),
            tuple(map(bool, about["below word"])),
        )
        layout = Layout(labels, tuple(described["columns"]), about["several roots"])
        task = parser_task(about["system"], about["labels"], labels.names, described["templates"])
        return cls(Model.revived(task, path, described, arrays), layout, about)

    def save(self, path: str | Path) -> None:
        """Write the parser to a file, whole or not at all."""
        self.model.save(path)

    def parse(
        self,
        source: Source | Iterable[Any],
        *,
        beam: int = 1,
        keep: bool = False,
        certainty: bool = False,
    ) -> Iterator[Sentence]:
        """Parse, and give the sentences as objects, one after the other.

        Args:
            source: a file in CoNLL-U or CoNLL-X: its path, or open for reading bytes. Or sentences:
                each a text whose words stand between spaces, a list of words, a list of tuples
                (form, upos, xpos, feats), or a Sentence.
            beam: how many ways to go on are kept at every step.
            keep: heads and labels that are given are kept.
            certainty: note in MISC how certain each arc with its label is (without a beam).
        """
        if isinstance(source, (str, Path)) or hasattr(source, "read"):
            files: Iterable[Any] = [source]
        else:
            files = (io.BytesIO(piece) for piece in _written(source))
        for file in files:
            for parsed in self._stream(
                read_blocks(file, trees="ignored"), 1, beam, keep, certainty
            ):
                for block in read_blocks(io.BytesIO(parsed), trees="ignored"):
                    yield from block

    def parse_file(
        self,
        source: Source,
        output: str | Path | None = None,
        *,
        beam: int = 1,
        keep: bool = False,
        certainty: bool = False,
        threads: int = 1,
        on_error: str = "stop",
        problem: Callable[[Problem], None] | None = None,
        parsed: Callable[[Block], None] | None = None,
    ) -> None:
        """Parse a file to a file: its own bytes with heads and labels replaced.

        Args:
            source: as of `parse`, but a file.
            output: where to write (None: to standard output).
            beam: as of `parse`.
            keep: as of `parse`.
            certainty: as of `parse`.
            threads: how many cores to use; what is written is the same for any number.
            on_error: what to do with sentences that can't be read: stop, or skip them. Those that
                are skipped come out as they are.
            problem: called for every error in what is skipped.
            parsed: called for every block that is done.
        """
        trees = "checked" if keep else "ignored"
        blocks = read_blocks(source, on_error=on_error, report=problem, trees=trees)
        with writing(output) as file:
            for piece in self._stream(blocks, threads, beam, keep, certainty, parsed):
                file.write(piece)

    def trees(
        self, block: Block, *, beam: int = 1, keep: bool = False, certainty: bool = False
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Parse a block: for every word its head, the number of its label, how certain they are."""
        batch = self.layout.batch([block], known=keep, keep=keep)
        heads, labels, sure = self.model.arrays(batch, beam=beam, certainty=certainty)
        places = places_with_roots(block)
        return heads[places], labels[places], sure[places]

    def _stream(
        self,
        blocks: Iterator[Block],
        threads: int,
        beam: int,
        keep: bool,
        certainty: bool,
        parsed: Callable[[Block], None] | None = None,
    ) -> Iterator[bytes]:
        """Parse blocks, several at a time, and give the bytes of each in order."""

        def parse(block: Block) -> bytes:
            if not block.sentences:
                return block.raw
            heads, labels, sure = self.trees(block, beam=beam, keep=keep, certainty=certainty)
            changes: dict[str, Any] = {"head": heads}
            if certainty:
                changes["misc"] = _noted(block, sure)
            if self.about["labels"] != "bare":
                changes["deprel"] = (labels, list(self.layout.labels.names))
            return block.replaced(changes)

        waiting: collections.deque[tuple[Block, Future]] = collections.deque()
        with one_core_each(), ThreadPoolExecutor(threads) as pool:
            for number, block in enumerate(blocks):
                if threads == 1 or number == 0:  # the first compiles what is not compiled yet
                    yield parse(block)
                    if parsed is not None:
                        parsed(block)
                    continue
                waiting.append((block, pool.submit(parse, block)))
                if len(waiting) > 2 * threads:
                    yield from _done(waiting, parsed)
            while waiting:
                yield from _done(waiting, parsed)


def _done(
    waiting: "collections.deque[tuple[Block, Future]]", parsed: Callable[[Block], None] | None
) -> Iterator[bytes]:
    block, result = waiting.popleft()
    yield result.result()
    if parsed is not None:
        parsed(block)


def _noted(block: Block, sure: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Put the certainty of every arc into MISC, beside what stands there."""
    if block.format == "conllx":
        raise RollinError("CoNLL-X has no column for certainty: convert the file to CoNLL-U first")
    notes = []
    for field, certain in zip(block.texts("misc"), sure.tolist(), strict=True):
        parts = [part for part in field.split("|") if not part.startswith("Certainty=")]
        kept = [part for part in parts if part not in ("", "_")]
        notes.append("|".join([*kept, f"Certainty={certain:.3f}"]))
    return np.arange(len(notes), dtype=np.int32), notes


def _written(sentences: Iterable[Any]) -> Iterator[bytes]:
    """Write sentences that are Python objects as CoNLL-U, some at a time."""
    lines: list[str] = []
    for count, sentence in enumerate(sentences, 1):
        if isinstance(sentence, Sentence):
            lines.append(sentence.raw.decode().rstrip("\n") + "\n")
        else:
            words = sentence.split() if isinstance(sentence, str) else list(sentence)
            if not words:
                raise RollinError(f"sentence {count} has no words")
            lines += [_line(number, word) for number, word in enumerate(words, 1)]
            lines.append("")
        if count % _AT_A_TIME == 0:
            yield "\n".join([*lines, ""]).encode()
            lines = []
    if lines:
        yield "\n".join([*lines, ""]).encode()


def _line(number: int, word: Any) -> str:
    if isinstance(word, Token):
        fields = [word.form, word.upos, word.xpos, word.feats]
    else:
        fields = [word] if isinstance(word, str) else list(word)
    if not 1 <= len(fields) <= 4 or not all(isinstance(each, str) for each in fields):
        raise RollinError(
            f"word {number} is {word!r}; expected its form, or a tuple (form, upos, xpos, feats) "
            "of which any but the form may be missing"
        )
    for field in fields:
        if not field or "\t" in field or "\n" in field:
            raise RollinError(
                f"word {number} is {word!r}: a field is empty or has a tab or newline"
            )
    form, upos, xpos, feats = [*fields, *["_"] * (4 - len(fields))]
    return f"{number}\t{form}\t_\t{upos}\t{xpos}\t{feats}\t_\t_\t_\t_"

"""The parser as users call it: train, save, load, parse."""

import collections
import io
import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rollin.compiler.certainty import BY_CHANCE, SURE
from rollin.conll.blocks import Block
from rollin.conll.messages import Problem
from rollin.conll.opening import Source
from rollin.conll.reading import read_blocks
from rollin.conll.trees import Sentence, Token
from rollin.conll.words import places_with_roots
from rollin.decisions.batch import Batch
from rollin.decisions.schema import UNKNOWN
from rollin.errors import RollinError
from rollin.native.cores import one_core_each
from rollin.native.hashing import hash_text
from rollin.output import writing
from rollin.parser.crossing import lift_given
from rollin.parser.nbest import Parse, certainties, distinct_trees, repeated
from rollin.parser.systems import SYSTEMS, parser_task
from rollin.parser.treebank import Labels, Layout
from rollin.training import storage
from rollin.training.model import Model

CERTAINTIES = ("HeadCertainty", "LabelCertainty")
"""What stands in MISC before how certain a head is, and its label given the head."""

_AT_A_TIME = 200  # sentences made of Python objects are parsed so many together
_BLOCK_BYTES = 1 << 18  # the same for any number of threads: what is parsed together may matter
_NOTHING_GIVEN = hash_text("_")


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
        try:
            labels = Labels(
                tuple(about["label names"]),
                tuple(map(bool, about["below root"])),
                tuple(map(bool, about["below word"])),
                tuple((own, of_head, where) for own, of_head, where in about["moved"]),
            )
            layout = Layout(labels, tuple(described["columns"]), about["several roots"])
            system, choosing = about["system"], about["labels"]
        except KeyError as missing:
            raise RollinError(
                f"{path} was made by another version, {described['made by']}: it does not say "
                f"{missing}. Train the parser again"
            ) from None
        task = parser_task(system, choosing, labels.actions, described["templates"])
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
        note: Callable[[str], None] | None = None,
    ) -> Iterator[Sentence]:
        """Parse, and give the sentences as objects, one after the other.

        Args:
            source: a file in CoNLL-U or CoNLL-X: its path, or open for reading bytes. Or sentences:
                each a text whose words stand between spaces, a list of words, a list of tuples
                (form, upos, xpos, feats), or a Sentence.
            beam: how many ways to go on are kept at every step.
            keep: heads and labels that are given (all but `_`) are kept.
            certainty: note in MISC how certain each head is, and each label given the head.
            note: called with what there is to say, in words (by default it is a warning).
        """
        return self._sentences(source, How.of(beam, keep, certainty), note)

    def nbest(
        self,
        source: Source | Iterable[Any],
        count: int,
        *,
        beam: int | None = None,
        keep: bool = False,
        note: Callable[[str], None] | None = None,
    ) -> Iterator[list[Parse]]:
        """Give for every sentence up to `count` trees, the best first, each with its score.

        The arguments are those of `parse`; the beam is twice as wide as `count` if not told.
        """
        together: list[Parse] = []
        for sentence in self._sentences(source, How.of(beam, keep, nbest=count), note):
            said = dict(comment.partition(" = ")[::2] for comment in sentence.comments)
            if said["rank"] == "1" and together:
                yield together
                together = []
            together.append(Parse(sentence, float(said["score"])))
        if together:
            yield together

    def parse_file(
        self,
        source: Source,
        output: str | Path | None = None,
        *,
        beam: int | None = None,
        nbest: int | None = None,
        keep: bool = False,
        certainty: bool = False,
        threads: int = 1,
        on_error: str = "stop",
        problem: Callable[[Problem], None] | None = None,
        parsed: Callable[[Block], None] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        """Parse a file to a file: its own bytes with heads and labels replaced.

        Args:
            source: as of `parse`, but a file.
            output: where to write (None: to standard output).
            beam: as of `parse`.
            nbest: so many trees a sentence, the best first, with their ranks and scores in
                comments; the beam is twice as wide if not told.
            keep: as of `parse`.
            certainty: as of `parse`.
            threads: how many cores to use; what is written is the same for any number.
            on_error: what to do with sentences that can't be read: stop, or skip them. Those that
                are skipped come out as they are.
            problem: called for every error in what is skipped.
            parsed: called for every block that is done.
            note: as of `parse`.
        """
        how = How.of(beam, keep, certainty, nbest)
        if threads < 1:
            raise RollinError(f"{threads} threads can't do anything: expected 1 or more")
        blocks = self._read(source, how, on_error, problem)
        with writing(output) as file:
            for piece in self._stream(blocks, threads, how, parsed, note):
                file.write(piece)

    def trees(
        self, block: Block, *, beam: int = 1, keep: bool = False, certainty: bool = False
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Parse a block: for every word its head and the number of its label.

        Behind them comes how certain the heads are, and the labels given the heads (1, if not asked
        for).
        """
        batch, given = self._batch(block, keep)
        places = places_with_roots(block)
        if beam == 1:
            heads, labels, head, label = self.model.arrays(batch, certainty=certainty)
        else:
            found = self.model.nbest(batch, beam=beam, count=beam if certainty else 1)
            best = [outputs[0].value for outputs in found]
            heads, labels = (np.concatenate([value[part] for value in best]) for part in (0, 1))
            head, label = np.ones((2, len(heads)))
            if certainty:
                sharpness = 1.0 if self.model.learned.use.reduction in BY_CHANCE else SURE
                greedy = self.model.arrays(batch, certainty=True)
                head, label = certainties(found, greedy, sharpness)
        self.layout.finish(heads, labels, batch.starts, given)
        return heads[places], labels[places], head[places], label[places]

    def _batch(self, block: Block, keep: bool) -> tuple[Batch, np.ndarray | None]:
        """Lay a block out, and give the heads to be kept, if any.

        Where the decoder makes no arcs that cross, those of them that do are lifted for it.
        """
        batch = self.layout.batch([block], known=keep, keep=keep)
        if not keep:
            return batch, None
        given = batch.along["heads"].copy()
        system = SYSTEMS[self.about["system"]]
        if system.lifts or not system.crosses:
            for first, last in itertools.pairwise(batch.starts.tolist()):
                lift_given(batch.along["heads"][first:last])
        return batch, given

    def _sentences(
        self, source: Any, how: "How", note: Callable[[str], None] | None
    ) -> Iterator[Sentence]:
        if isinstance(source, (str, Path)) or hasattr(source, "read"):
            files: Iterable[Any] = [source]
        else:
            files = (io.BytesIO(piece) for piece in _written(source))
        for file in files:
            for parsed in self._stream(self._read(file, how), 1, how, None, note):
                for block in read_blocks(io.BytesIO(parsed), trees="ignored"):
                    yield from block

    @staticmethod
    def _read(
        source: Source,
        how: "How",
        on_error: str = "stop",
        problem: Callable[[Problem], None] | None = None,
    ) -> Iterator[Block]:
        trees = "partial" if how.keep else "ignored"
        return read_blocks(source, _BLOCK_BYTES, on_error=on_error, report=problem, trees=trees)

    def _stream(
        self,
        blocks: Iterator[Block],
        threads: int,
        how: "How",
        parsed: Callable[[Block], None] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> Iterator[bytes]:
        """Parse blocks, several at a time, and give the bytes of each in order."""
        waiting: collections.deque[tuple[Block, Future]] = collections.deque()

        def done(block: Block, result: tuple[bytes, str]) -> bytes:
            if result[1]:
                (note or warnings.warn)(result[1])
            if parsed is not None:
                parsed(block)
            return result[0]

        with one_core_each(), ThreadPoolExecutor(threads) as pool:
            for number, block in enumerate(blocks):
                if threads == 1 or number == 0:  # the first compiles what is not compiled yet
                    yield done(block, self._parsed(block, how))
                    continue
                waiting.append((block, pool.submit(self._parsed, block, how)))
                if len(waiting) > 2 * threads:
                    first, future = waiting.popleft()
                    yield done(first, future.result())
            while waiting:
                first, future = waiting.popleft()
                yield done(first, future.result())

    def _parsed(self, block: Block, how: "How") -> tuple[bytes, str]:
        """Give the bytes of a parsed block, and what there is to say about it."""
        if not block.sentences:
            return block.raw, ""
        if how.count:
            return self._ranked(block, how)
        heads, labels, *sure = self.trees(
            block, beam=how.beam, keep=how.keep, certainty=how.certainty
        )
        changes = self._changes(block, heads, labels, how.keep)
        if how.certainty:
            changes["misc"] = _noted(block, *sure)
        return block.replaced(changes), self._not_kept(block, heads) if how.keep else ""

    def _ranked(self, block: Block, how: "How") -> tuple[bytes, str]:
        """Give the same with several trees a sentence."""
        batch, given = self._batch(block, how.keep)
        found = self.model.nbest(batch, beam=how.beam)
        for number, outputs in enumerate(found):
            place = batch.place(number)
            starts = np.array([0, place.stop - place.start])
            for output in outputs:
                heads, labels = output.value[:2]
                self.layout.finish(heads, labels, starts, None if given is None else given[place])
        trees = [distinct_trees(outputs, how.count) for outputs in found]
        every = [tree for some in trees for tree in some]
        best = np.concatenate([some[0].heads[1:] for some in trees])
        pieces = []
        for copied in repeated(block, trees):
            now, every = every[: copied.sentences], every[copied.sentences :]
            heads = np.concatenate([tree.heads[1:] for tree in now])
            labels = np.concatenate([tree.labels[1:] for tree in now])
            pieces.append(copied.replaced(self._changes(copied, heads, labels, how.keep)))
        return b"".join(pieces), self._not_kept(block, best) if how.keep else ""

    def _changes(
        self, block: Block, heads: np.ndarray, labels: np.ndarray, keep: bool
    ) -> dict[str, Any]:
        """Say what to replace in a block: of what is kept, nothing."""
        changes: dict[str, Any] = {"head": heads}
        if self.about["labels"] != "bare":
            if keep:
                labels = np.where(block.hashes("deprel") == _NOTHING_GIVEN, labels, UNKNOWN)
            changes["deprel"] = (labels, list(self.layout.labels.names))
        return changes

    def _not_kept(self, block: Block, heads: np.ndarray) -> str:
        """Say which given heads could not be kept, if any."""
        lost = np.flatnonzero((block.heads >= 0) & (block.heads != heads))
        if not len(lost):
            return ""
        roots = "several roots" if self.about["several roots"] else "one root"
        return (
            f"{block.path}: {len(lost)} given heads could not be kept, the first in line "
            f"{block.line(int(lost[0]))}: this parser (system {self.about['system']}, {roots} a "
            "sentence) makes no tree with them; `rollin train parser` has --system swap and --roots"
        )


@dataclass(frozen=True)
class How:
    """How to parse."""

    beam: int
    keep: bool
    certainty: bool
    count: int = 0
    """So many trees a sentence, with rank and score (0: one, without)."""

    @classmethod
    def of(
        cls,
        beam: int | None = None,
        keep: bool = False,
        certainty: bool = False,
        nbest: int | None = None,
    ) -> "How":
        """See that all goes together; a beam is as wide as need be, if that is not told."""
        for what, number in (("a beam", beam), ("nbest", nbest)):
            if number is not None and number < 1:
                raise RollinError(f"{what} of {number} finds nothing: expected 1 or more")
        if nbest is None:
            return cls(beam or 1, keep, certainty)
        if certainty:
            raise RollinError(
                "certainty is told of one tree a sentence: with nbest, the scores of the trees say "
                "how they stand to each other"
            )
        if beam is not None and beam < nbest:
            raise RollinError(f"a beam of {beam} can't find {nbest} trees: make it wider")
        return cls(beam or 2 * nbest, keep, certainty, nbest)


def _noted(block: Block, head: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Put certainties into MISC, beside what stands there."""
    if block.format == "conllx":
        raise RollinError("CoNLL-X has no column for certainty: convert the file to CoNLL-U first")
    notes = []
    for field, of_head, of_label in zip(
        block.texts("misc"), head.tolist(), label.tolist(), strict=True
    ):
        kept = [part for part in field.split("|") if part not in ("", "_")]
        kept = [part for part in kept if part.partition("=")[0] not in CERTAINTIES]
        values = (f"{name}={value:.3f}" for name, value in zip(CERTAINTIES, (of_head, of_label)))
        notes.append("|".join([*kept, *values]))
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
    elif isinstance(word, (tuple, list)):
        fields = list(word)
    else:
        fields = [word]
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

"""What parsing costs, stage by stage, and what this machine could do at its peak.

    python -m bench.roofline english.rollin --input dev.conllu

For every stage: CPU time, operations and bytes a word; how long the machine would need for as many
operations at the speed of its fastest matrix product, or for as many bytes at the speed at which it
adds up rows that lie in the nearest cache that holds them; and what part of that speed is reached.
Operations are additions and multiplications of numbers; bytes are those of arrays read and written
by the stage's own loops. Reading and writing do nothing but move bytes.
"""

import argparse
import io
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.setting import setting
from rollin.conll.reading import read_blocks
from rollin.conll.words import places_with_roots
from rollin.learners.dense.model import DenseModel
from rollin.learners.dense.sizes import chosen_slots
from rollin.native.cores import one_core_each
from rollin.native.kernels import kernel
from rollin.parser.parser import Parser

STAGES = ("reading", "columns", "looking up", "encoder", "products", "search", "writing")


@dataclass
class Stage:
    """What one stage took, for all words."""

    seconds: float = 0.0
    operations: float = 0.0
    bytes: float = 0.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("models", nargs="+", type=Path, help="dense parsers")
    options.add_argument(
        "--input", required=True, type=Path, help="CoNLL-U, tagged as for training"
    )
    options.add_argument("--words", type=int, default=100_000, help="how many are parsed")
    given = options.parse_args()
    with one_core_each():
        peak, rate = peak_operations(), peak_bytes()
        print(f"# Roofline\n\n{setting()}")
        print(f"Peak: {peak / 1e9:.1f} thousand million operations a second in a matrix product, ")
        print(f"{rate / 1e9:.1f} GB a second adding up rows that lie in the second cache.\n")
        for path in given.models:
            show(path, given.input, given.words, peak, rate)


def show(path: Path, source: Path, wanted: int, peak: float, rate: float) -> None:
    """Print the table of one model."""
    parser = Parser.load(path)
    learner = parser.model.learned.learner
    raw = source.read_bytes()
    words = sum(block.words for block in read_blocks(io.BytesIO(raw)))
    repeats = max(1, -(-wanted // words))
    stages = measured(parser, raw, repeats)
    whole = whole_time(parser, raw, repeats)
    words *= repeats
    size = path.stat().st_size / 1e6
    print(f"## {path.name}: {learner.encoder}, width {learner.width}, hidden {learner.hidden}\n")
    print(f"{size:.1f} MB; {words:,} words; all together, file to file in memory:")
    print(f"{words / whole:,.0f} words a CPU-second.\n")
    print("| stage | ns a word | operations | bytes | peak allows, ns | reached |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in STAGES:
        stage = stages[name]
        least = max(stage.operations / peak, stage.bytes / rate)
        print(
            f"| {name} | {1e9 * stage.seconds / words:,.0f} | {stage.operations / words:,.0f} "
            f"| {stage.bytes / words:,.0f} | {1e9 * least / words:,.0f} "
            f"| {100 * least / stage.seconds:.0f}% |"
        )
    total = sum(stage.seconds for stage in stages.values())
    print(f"| together | {1e9 * total / words:,.0f} | | | | |\n", flush=True)


# --- the stages, one by one ------------------------------------------------------------------


def measured(parser: Parser, raw: bytes, repeats: int) -> dict[str, Stage]:
    """Run every stage by itself and count what it does."""
    stages = {name: Stage() for name in STAGES}
    for repeat in range(repeats + 1):
        if repeat == 1:  # the first round compiles and warms up
            stages = {name: Stage() for name in STAGES}
        _round(parser, raw, stages)
    return stages


def _round(parser: Parser, raw: bytes, stages: dict[str, Stage]) -> None:
    model: DenseModel = parser.model.learned
    learner, names = model.learner, list(parser.layout.labels.names)
    slots, facts = len(chosen_slots(learner, model.use.schema)), len(model.use.schema.facts)
    blocks: Iterator = read_blocks(io.BytesIO(raw), trees="ignored")
    while (block := _timed(stages["reading"], lambda: next(blocks, None))) is not None:
        stages["reading"].bytes += len(block.raw) + block.edges.nbytes
        batch = _timed(stages["columns"], lambda: parser.layout.batch([block], known=False))
        stages["columns"].bytes += len(block.raw) + 2 * batch.features.nbytes
        data = parser.model.load_examples(batch)
        bound = parser.model.bind(data)
        losses = np.zeros(len(data))
        space = bound.space
        for first, last in bound.batches(0, len(data)):
            numbers = np.arange(first, last)
            rows, starts = _timed(stages["looking up"], lambda: space.look_up(data, numbers))  # noqa: B023
            stages["looking up"].bytes += 2 * rows.size * 8 + rows.nbytes
            if model.remembers:
                wanted = _timed(stages["looking up"], lambda: space.recall(rows))  # noqa: B023
                rows = rows[wanted]
            x = _timed(stages["encoder"], lambda: space.encode(rows, starts))  # noqa: B023
            stages["encoder"].operations += len(x) * encoder_operations(model)
            stages["encoder"].bytes += rows.size * learner.width
            _timed(stages["products"], lambda: space.multiply(x))  # noqa: B023
            made = len(x) * slots * learner.hidden
            stages["products"].operations += 2 * made * learner.width
            stages["products"].bytes += 4 * made
            space.show(data, numbers, False)
            _timed(stages["search"], lambda: bound.decide(first, last, losses, False))  # noqa: B023
        heads, labels, *_ = bound.outputs()
        places = places_with_roots(block)
        changes = {"head": heads[places], "deprel": (labels[places], names)}
        made_bytes = _timed(stages["writing"], lambda: block.replaced(changes))  # noqa: B023
        stages["writing"].bytes += len(block.raw) + len(made_bytes)
        # two transitions and a label a word; a label shares the sum of its transition
        words, hidden = block.words, learner.hidden
        added = 2 * words * (slots + facts) * hidden
        out = words * hidden * (2 * int(model.lanes[0]) + int(model.lanes[1:].max(initial=0)))
        stages["search"].operations += added + out  # half of the hidden units are zero
        stages["search"].bytes += 4 * added + 2 * out


def _timed(stage: Stage, work: Callable):
    started = time.process_time()
    result = work()
    stage.seconds += time.process_time() - started
    return result


def encoder_operations(model: DenseModel) -> float:
    """Count the operations of the encoder for one position."""
    width = model.learner.width
    matrices = [
        2.0 * np.prod(shape) for shape in model.encoder.shapes(width).values() if len(shape) == 2
    ]
    return sum(matrices) + len(model.use.columns) * width


def whole_time(parser: Parser, raw: bytes, repeats: int) -> float:
    """Give the CPU time of parsing from bytes to bytes, as `parse_file` does it."""
    many = io.BytesIO(raw * repeats)
    started = time.process_time()
    parser.parse_file(many, os.devnull)
    return time.process_time() - started


# --- what the machine can do -------------------------------------------------------------------


def peak_operations(size: int = 1024) -> float:
    """Give the operations a second of a large matrix product."""
    one = np.ones((size, size), np.float32)
    return 2.0 * size**3 / min(_seconds(lambda: one @ one) for _ in range(8))


def peak_bytes(rows: int = 512, width: int = 192) -> float:
    """Give the bytes a second at which rows of a table in the second cache are added up."""
    table, total = np.ones((rows, width), np.float32), np.zeros(width, np.float32)
    add_all(table, total)
    repeats = 200
    spent = min(_seconds(lambda: [add_all(table, total) for _ in range(repeats)]) for _ in range(5))
    return repeats * table.nbytes / spent


@kernel
def add_all(table, total):
    """Add up the rows of a table, four at a time."""
    for row in range(0, len(table), 4):
        one, two, three, four = table[row], table[row + 1], table[row + 2], table[row + 3]
        for place in range(len(total)):
            total[place] += (one[place] + two[place]) + (three[place] + four[place])


def _seconds(work: Callable) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()

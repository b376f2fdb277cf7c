"""How time and memory of training grow: with words, sentence length, labels and threads.

    python -m bench.growth_training path/to/UD_English-EWT/train.conllu \\
        --plot docs/results/growth-training.svg

Every point is a training in a process of its own: two passes of a preset, of which the second is
timed, and the most memory the process ever had. More words are more sentences of the file; longer
sentences are sentences of the file joined, each root below the root before; other labels are
numbers made of label and form, so that they can be learned. With the models of different labels a
file is parsed, too. Exponents are slopes of straight lines through all logarithms: 1 is linear
growth.
"""

import argparse
import os
import tempfile
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import rollin
from bench.peers.child import run
from bench.peers.treebank import DEPREL, HEAD, Row, read_blocks, words, write_block
from bench.setting import setting

SENTENCES = (500, 1000, 2000, 4000, 8000)
LENGTHS = (10, 30, 100, 300, 1000)
LABELS = (4, 16, 64, 256)
SOME = 1500  # sentences, where labels are varied
WORDS = 20_000  # where length is varied
PARSED = 20_000  # words
THREADED, WANTED_GAIN = ("fast", "default"), 1.6


@dataclass
class Series:
    """What is varied, and what came of it."""

    title: str
    what: str
    points: list[dict[str, float]] = field(default_factory=list)

    def exponent(self, what: str) -> float:
        """Fit the power with which something grows."""
        logs = [(np.log(point["size"]), np.log(point[what])) for point in self.points]
        slope, _ = np.polyfit(*np.array(logs).T, 1)
        return float(slope)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, help="a treebank's train.conllu")
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--most", type=int, default=max(SENTENCES), help="sentences at most")
    parser.add_argument("--plot", type=Path, help="where to draw (SVG)")
    options = parser.parse_args()
    print(f"# Growth of training\n\n{setting()}\nPreset {options.preset}.", flush=True)
    sentences = [words(block) for block in read_blocks(options.file)]
    with tempfile.TemporaryDirectory() as folder:
        work = Work(options.preset, Path(folder))
        every = [
            by_words(work, sentences, options.most),
            by_length(work, sentences),
            by_labels(work, sentences[:SOME]),
        ]
        by_threads(Path(folder), sentences[: min(options.most, 2 * SOME)])
    if options.plot:
        draw(every, options.plot)


@dataclass
class Work:
    """Where a series is measured."""

    preset: str
    folder: Path

    def train(self, sentences: list[list[Row]], threads: int = 1) -> dict[str, float]:
        """Train on the sentences, in a process of its own."""
        write(self.train_file, sentences)
        write(self.folder / "dev.conllu", sentences[:2])
        how = {"source": str(self.train_file), "dev": str(self.folder / "dev.conllu")}
        how |= {"model": str(self.model), "preset": self.preset, "threads": threads}
        return run("bench.growth_training", "train", how)

    def parse(self) -> dict[str, float]:
        """Parse what was trained on, in a process of its own."""
        how = {"model": str(self.model), "source": str(self.train_file)}
        return run("bench.growth_training", "parse", how)

    @property
    def train_file(self) -> Path:
        return self.folder / "train.conllu"

    @property
    def model(self) -> Path:
        return self.folder / "parser.rollin"


# --- series --------------------------------------------------------------------------------------


def by_words(work: Work, sentences: list[list[Row]], most: int) -> Series:
    """Train on more and more sentences."""
    series = Series("Words of training data", "words")
    start(series, "sentences", "CPU-seconds a pass", "microseconds a word", "peak MB")
    for count in (n for n in SENTENCES if n <= min(most, len(sentences))):
        some = sentences[:count]
        size = sum(map(len, some))
        found = work.train(some)
        series.points.append({"size": size, "words": size, **found})
        row(size, count, *per_word(found, size), found["peak_mb"])
    least, largest = series.points[0], series.points[-1]
    each = (largest["peak_mb"] - least["peak_mb"]) * 2**20 / (largest["size"] - least["size"])
    print(
        f"\nTime a pass grows with the power {series.exponent('seconds'):.2f} of the words, peak "
        f"memory with {series.exponent('peak_mb'):.2f}: {each:,.0f} bytes a word on top of what "
        f"every process has."
    )
    return series


def by_length(work: Work, sentences: list[list[Row]]) -> Series:
    """Train on the same words in longer and longer sentences."""
    series = Series("Length of sentences", "words in a sentence")
    start(series, "words", "CPU-seconds a pass", "microseconds a word", "peak MB")
    for length in LENGTHS:
        some = joined(sentences, length)
        size = sum(map(len, some))
        found = work.train(some)
        series.points.append({"size": size / len(some), "words": size, **found})
        series.points[-1]["sentence"] = found["seconds"] / len(some)
        row(size / len(some), size, *per_word(found, size), found["peak_mb"])
    print(
        f"\nTime a sentence grows with the power {series.exponent('sentence'):.2f} of its length, "
        f"peak memory with {series.exponent('peak_mb'):.2f}."
    )
    return series


def by_labels(work: Work, sentences: list[list[Row]]) -> Series:
    """Train with more and more labels, and parse with what was trained."""
    series = Series("Number of labels", "labels")
    size = sum(map(len, sentences))
    start(series, "CPU-seconds a pass", "microseconds a word", "peak MB", "parsing, words/s", "MB")
    for count in LABELS:
        some = relabelled(sentences, count)
        labels = len({word[DEPREL] for sentence in some for word in sentence})
        found = work.train(some)
        parsed = work.parse()
        series.points.append({"size": labels, "words": size, **found})
        series.points[-1]["parsing"] = 1 / parsed["rate"]
        rates = (parsed["rate"], parsed["peak_mb"])
        row(labels, *per_word(found, size), found["peak_mb"], *rates)
    print(
        f"\nTime of a pass grows with the power {series.exponent('seconds'):.2f} of the labels, of "
        f"parsing with {series.exponent('parsing'):.2f}; peak memory of training with "
        f"{series.exponent('peak_mb'):.2f}."
    )
    return series


def by_threads(folder: Path, sentences: list[list[Row]]) -> None:
    """Train with one thread and with two, by the clock; of three trainings the quickest counts."""
    print("\n## Threads\n")
    print("| preset | threads | seconds a pass, by the clock | CPU-seconds | peak MB | gain |")
    print("|---|---:|---:|---:|---:|---|")
    for preset in THREADED:
        clocks = []
        for threads in (1, 2):
            tried = [Work(preset, folder).train(sentences, threads) for _ in range(3)]
            found = min(tried, key=lambda each: each["clock"])
            clocks.append(found["clock"])
            gain = clocks[0] / clocks[-1]
            verdict = "reached" if gain >= WANTED_GAIN else "MISSED"
            print(
                f"| {preset} | {threads} | {found['clock']:.2f} | {found['seconds']:.2f} "
                f"| {found['peak_mb']:.0f} "
                + (f"| {gain:.2f} ({WANTED_GAIN} wanted: {verdict}) |" if threads > 1 else "| |"),
                flush=True,
            )
    print(f"\nThe load was {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")


def start(series: Series, *columns: str) -> None:
    print(f"\n## {series.title}\n")
    print(f"| {series.what} | {' | '.join(columns)} |")
    print("|---:|" + "---:|" * len(columns))


def row(*values: float) -> None:
    texts = (f"{value:,.0f}" if value >= 100 else f"{value:.3g}" for value in values)
    print(f"| {' | '.join(texts)} |", flush=True)


def per_word(found: dict[str, float], words: int) -> tuple[float, float]:
    return found["seconds"], 1e6 * found["seconds"] / words


# --- treebanks -----------------------------------------------------------------------------------


def joined(sentences: list[list[Row]], length: int) -> list[list[Row]]:
    """Join sentences until each has so many words; all together they have WORDS or more."""
    made: list[list[Row]] = []
    current: list[Row] = []
    above, count = 0, 0
    for sentence in sentences:
        before = len(current)
        for number, word in enumerate(sentence, start=before + 1):
            word = [str(number), *word[1:]]
            if word[HEAD] == "0":
                word[HEAD], above = str(above), number
            else:
                word[HEAD] = str(int(word[HEAD]) + before)
            current.append(word)
        if len(current) >= length:
            made.append(current)
            count += len(current)
            current, above = [], 0
            if count >= WORDS:
                break
    return made


def relabelled(sentences: list[list[Row]], count: int) -> list[list[Row]]:
    """Give the words labels that are as many as said, and one more for roots."""
    return [
        [
            word
            if word[HEAD] == "0"
            else [*word[:DEPREL], f"l{_number(word) % count}", *word[DEPREL + 1 :]]
            for word in sentence
        ]
        for sentence in sentences
    ]


def _number(word: Row) -> int:
    return zlib.crc32(f"{word[DEPREL]} {word[1].lower()}".encode())


def write(path: Path, sentences: Iterable[list[Row]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            write_block(file, sentence)


# --- in a process of its own ---------------------------------------------------------------------


def train(source: str, dev: str, model: str, preset: str, threads: int) -> dict[str, float]:
    """Train for two passes; give what the second took."""
    ends = []
    rollin.Parser.train(
        source, dev=dev, preset=preset, output=model, passes=2, threads=threads,
        progress=False, report=lambda done: ends.append((time.process_time(), time.perf_counter())),
    )  # fmt: skip
    (cpu, clock), (cpu_end, clock_end) = ends
    return {"seconds": cpu_end - cpu, "clock": clock_end - clock}


def parse(model: str, source: str) -> dict[str, float]:
    """Parse a file until PARSED words are done; give words a second."""
    parser = rollin.Parser.load(model)
    size = sum(len(sentence) for sentence in rollin.read(source))
    parser.parse_file(source, os.devnull)
    started, done = time.process_time(), 0
    while done < PARSED:
        parser.parse_file(source, os.devnull)
        done += size
    return {"rate": done / (time.process_time() - started)}


def draw(every: list[Series], path: Path) -> None:
    """Draw time and memory against each size."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "rollin"
    from matplotlib import pyplot

    figure, (times, memories) = pyplot.subplots(2, 3, figsize=(8, 5), sharex="col", sharey="row")
    for each, time_axes, memory_axes in zip(every, times, memories, strict=True):
        sizes = [point["size"] for point in each.points]
        spent = [1e6 * point["seconds"] / point["words"] for point in each.points]
        time_axes.semilogx(sizes, spent, "o-")
        memory_axes.semilogx(sizes, [point["peak_mb"] for point in each.points], "o-")
        time_axes.set_ylim(bottom=0)
        memory_axes.set_ylim(bottom=0)
        memory_axes.set_xlabel(each.what)
    times[0].set_ylabel("microseconds a word")
    memories[0].set_ylabel("peak MB")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, facecolor="white", metadata={"Date": None})
    print(f"\n![time and memory of training]({path.name})")


if __name__ == "__main__":
    main()

"""How time and memory of parsing grow: with sentence length, with words, with threads.

    python -m bench.growth path/to/UD_English-EWT/dev.conllu --model english.rollin \\
        --plot docs/results/growth.svg

Sentences of any length are made of the words of the file given, one after the other. Every point
is measured in a process of its own, which has parsed something before: the CPU-seconds of
`parse_file`, and the most memory that the process ever had. An exponent of 1 is linear growth; it
is the slope of a straight line through the logarithms, over points of at least a tenth of the
largest.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import rollin
from bench.peers.child import peak_mb
from bench.setting import setting

AT_LEAST = 60_000  # words parsed where sentence length is varied


@dataclass
class Series:
    """What is varied, and what came of it."""

    title: str
    what: str
    write: Callable[[list[str], int, Path], int]
    """Writes an input of a size; gives how many words it has."""
    sizes: tuple[int, ...]
    more: tuple[str, ...] = ()
    """Further arguments of the measuring process."""
    wanted: str = ""
    points: list[dict[str, float]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, help="a CoNLL-U file to take words from")
    parser.add_argument("--model", type=Path, required=True, help="a parser's model file")
    parser.add_argument("--plot", type=Path, help="where to draw (SVG)")
    parser.add_argument("--largest", type=int, default=10_000, help="the longest sentence")
    parser.add_argument("--words", type=int, default=1_000_000, help="the longest stream")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(point(options.model, *options.child)))
        return
    print(f"# Growth of parsing\n\n{setting()}")
    with tempfile.TemporaryDirectory() as folder:
        loading(options.model, Path(folder), lines_of(options.file))
        every = [*series(options.largest, options.words)]
        for each in every:
            measure(each, options.file, options.model, Path(folder))
        threads(options.model, options.file, Path(folder))
    if options.plot:
        draw(every, options.plot)


def series(largest: int, words: int) -> Iterator[Series]:
    """Give all that is varied."""
    lengths = tuple(n for n in (10, 30, 100, 300, 1000, 3000, 10_000) if n <= largest)
    yield Series("Sentence length", "words in a sentence", write_sentences, lengths)
    short = tuple(n for n in lengths if n <= 300)
    yield Series("Sentence length, beam 8", "words in a sentence", write_few, short, ("8",))
    streams = tuple(n for n in (10_000, 100_000, 1_000_000) if n <= words)
    yield Series("Words in a stream", "words", write_stream, streams)


# --- inputs --------------------------------------------------------------------------------------


def lines_of(file: Path) -> list[str]:
    """Give what follows the number in every word's line, without head and label."""
    return [
        f"{w.form}\t{w.lemma}\t{w.upos}\t{w.xpos}\t{w.feats}\t_\t_\t_\t_"
        for sentence in rollin.read(file)
        for w in sentence
    ]


def write_few(lines: list[str], length: int, path: Path) -> int:
    """Write fewer sentences of one length."""
    return write_sentences(lines, length, path, AT_LEAST // 20)


def write_sentences(lines: list[str], length: int, path: Path, words: int = AT_LEAST) -> int:
    """Write sentences of one length."""
    count = max(1, words // length)
    place = 0
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count):
            for number in range(1, length + 1):
                file.write(f"{number}\t{lines[place % len(lines)]}\n")
                place += 1
            file.write("\n")
    return count * length


def write_stream(lines: list[str], words: int, path: Path) -> int:
    """Write sentences of 20 words, many."""
    whole = words // 20
    with path.open("w", encoding="utf-8") as file:
        for sentence in range(whole):
            start = 20 * sentence
            for number in range(1, 21):
                file.write(f"{number}\t{lines[(start + number) % len(lines)]}\n")
            file.write("\n")
    return whole * 20


# --- measuring -----------------------------------------------------------------------------------


def measure(each: Series, file: Path, model: Path, folder: Path) -> None:
    """Measure a series, and print it."""
    print(f"\n## {each.title}\n")
    print(f"| {each.what} | CPU-seconds | microseconds a word | words a second | peak MB |")
    print("|---:|---:|---:|---:|---:|")
    lines, source = lines_of(file), folder / "input.conllu"
    for size in each.sizes:
        words = each.write(lines, size, source)
        found = in_child(file, model, str(source), *each.more)
        each.points.append({"size": size, "words": words, **found})
        print(
            f"| {size:,} | {found['seconds']:.2f} | {1e6 * found['seconds'] / words:.1f} "
            f"| {words / found['seconds']:,.0f} | {found['megabytes']:.0f} |",
            flush=True,
        )
    if each.what == "words":
        print(f"\nTime grows with the power {exponent(each, 'seconds'):.2f} of the words", end="")
    else:
        print(
            f"\nTime a sentence grows with the power {exponent(each, 'seconds', True):.2f}", end=""
        )
    print(f", peak memory with {exponent(each, 'megabytes'):.2f}.")


def in_child(file: Path, model: Path, *arguments: str) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "bench.growth", str(file), "--model", str(model), "--child"]
    output = subprocess.run([*command, *arguments], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(output)


def point(model: Path, source: str, beam: str = "1") -> dict[str, float]:
    """Parse a file; give CPU time and peak memory."""
    parser = rollin.Parser.load(model)
    list(parser.parse(["a word"], beam=int(beam)))
    started = time.process_time()
    parser.parse_file(source, os.devnull, beam=int(beam))
    seconds = time.process_time() - started
    return {"seconds": seconds, "megabytes": peak_mb()}


def exponent(each: Series, what: str, by_sentence: bool = False) -> float:
    """Fit the power with which something grows."""
    largest = max(each.sizes)
    points = [p for p in each.points if p["size"] >= largest / 10]
    values = [p[what] * (p["size"] / p["words"] if by_sentence else 1) for p in points]
    slope, _ = np.polyfit(np.log([p["size"] for p in points]), np.log(values), 1)
    return float(slope)


def loading(model: Path, folder: Path, lines: list[str]) -> None:
    """Print how long loading takes, in processes that find everything compiled."""
    source = folder / "one.conllu"
    source.write_text(f"1\t{lines[0]}\n\n", encoding="utf-8")
    code = (
        "import time; started = time.process_time(); import rollin.parser.parser as p; "
        f"imported = time.process_time(); parser = p.Parser.load({str(model)!r}); "
        f"loaded = time.process_time(); parser.parse_file({str(source)!r}, {os.devnull!r}); "
        "print(imported - started, loaded - imported, time.process_time() - loaded)"
    )
    runs = []
    for _ in range(4):
        output = subprocess.run(
            [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        runs.append([float(number) for number in output.split()])
    imported, loaded, first = np.array(runs[1:]).min(axis=0)
    verdict = "reached" if loaded < 0.3 else "MISSED"
    print("## Starting\n\nCPU-seconds, the least of three processes:\n")
    print("| | |\n|---|---:|")
    print(f"| importing the parser, numba among it | {imported:.2f} |")
    print(f"| loading the model ({model.stat().st_size / 1e6:.1f} MB) | {loaded:.2f} |")
    print(f"| parsing the first sentence | {first:.2f} |")
    print(f"\nLoading under 0.3 s: {verdict}.", flush=True)


def threads(model: Path, file: Path, folder: Path) -> None:
    """Print how much faster two threads are, by the clock."""
    parser = rollin.Parser.load(model)
    source, outputs = folder / "threads.conllu", []
    words = write_stream(lines_of(file), 200_000, source)
    best = {}
    for count in (1, 2):
        times = []
        for _ in range(3):
            started = time.perf_counter()
            parser.parse_file(source, folder / "out.conllu", threads=count)
            times.append(time.perf_counter() - started)
        best[count] = min(times)
        outputs.append((folder / "out.conllu").read_bytes())
    print("\n## Threads\n\n| threads | seconds by the clock | words a second |\n|---:|---:|---:|")
    for count, seconds in best.items():
        print(f"| {count} | {seconds:.2f} | {words / seconds:,.0f} |")
    gain = best[1] / best[2]
    print(
        f"\nTwo threads are {gain:.2f} times as fast as one (wanted: 1.7, "
        f"{'reached' if gain >= 1.7 else 'MISSED'}; the best of three, load "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores), and write "
        f"{'the same' if outputs[0] == outputs[1] else 'SOMETHING ELSE'}."
    )


def draw(every: list[Series], path: Path) -> None:
    """Draw time and memory against size."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "rollin"
    from matplotlib import pyplot

    figure, (time_axes, memory_axes) = pyplot.subplots(1, 2, figsize=(8, 3.5))
    for each in every:
        sizes = [p["size"] for p in each.points]
        time_axes.loglog(
            sizes, [1e6 * p["seconds"] / p["words"] for p in each.points], "o-", label=each.title
        )
        memory_axes.semilogx(sizes, [p["megabytes"] for p in each.points], "o-")
    time_axes.set_ylabel("microseconds a word")
    memory_axes.set_ylabel("peak MB")
    memory_axes.set_ylim(bottom=0)
    for axes in (time_axes, memory_axes):
        axes.set_xlabel("words (in a sentence, in a stream)")
    time_axes.legend(fontsize="small")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    print(f"\n![time and memory against size]({path.name})")


if __name__ == "__main__":
    main()

"""The claims about reading and writing CoNLL files, measured. Each prints a section in Markdown.

python -m bench.conll speed FILE...         words a second, beside the conllu package
python -m bench.conll memory FILE           peak memory on a gigabyte, made by repetition
python -m bench.conll roundtrip FOLDER      every file comes back byte for byte
python -m bench.conll scores FILE...        `ud` against udtools on disturbed copies
python -m bench.conll fuzz --seconds 600    disturbed bytes; with NUMBA_BOUNDSCHECK=1
"""

import argparse
import io
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.setting import setting
from rollin.conll.inspecting import check_blocks
from rollin.conll.messages import describe
from rollin.conll.projectivity import crossing_arcs
from rollin.conll.reading import read_blocks
from rollin.output import writing

TITLES = {
    "speed": "Speed: reading, and writing with new heads and labels",
    "memory": "Memory: a gigabyte, made by repetition, in a stream",
    "roundtrip": "Round trip: every file comes back byte for byte",
    "scores": "Scores: `ud` beside udtools, on disturbed copies",
    "fuzz": "Fuzz: files disturbed at random",
}
LABELS = ["nsubj", "obj", "obl", "nmod", "amod", "punct", "root"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("speed", "roundtrip", "scores"):
        command = commands.add_parser(name)
        command.add_argument("paths", nargs="+", type=Path)
        command.add_argument("--seeds", type=int, default=3)
    command = commands.add_parser("memory")
    command.add_argument("path", type=Path)
    command.add_argument("--gigabytes", type=float, default=1.0)
    command = commands.add_parser("stream")  # what `memory` runs in a process of its own
    command.add_argument("path", type=Path)
    command.add_argument("output", type=Path)
    command = commands.add_parser("fuzz")
    command.add_argument("--seconds", type=float, default=600)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--path", type=Path, help="a file whose sentences are disturbed too")
    arguments = parser.parse_args()
    if arguments.command != "stream":
        print(f"## {TITLES[arguments.command]}\n\n{setting()}", flush=True)
    globals()[arguments.command](arguments)


def replace_trees(block) -> bytes:
    """What a parser does with a block: new heads and new labels for all words."""
    numbers = np.arange(block.words, dtype=np.int32)
    return block.replaced({"head": numbers % 7, "deprel": (numbers % len(LABELS), LABELS)})


def speed(arguments: argparse.Namespace) -> None:
    """Read a file and write it again with other heads and labels, all within one process."""
    import conllu

    print("| file | words | rollin, words/s | conllu, words/s | times as fast | |")
    print("|---|---:|---:|---:|---:|---|")
    for path in arguments.paths:
        for block in read_blocks(path):
            replace_trees(block)  # compiled, and the file is in the system's cache
        best = min(_seconds(lambda path=path: _rewritten(path)) for _ in range(5))
        words = sum(block.words for block in read_blocks(path))
        text = path.read_text(encoding="utf-8")

        def by_package(text=text):
            number = 0
            with writing(os.devnull) as file:
                for sentence in conllu.parse_incr(io.StringIO(text)):
                    for token in sentence:
                        if isinstance(token["id"], int):
                            token["head"], token["deprel"] = number % 7, LABELS[number % 7]
                            number += 1
                    file.write(sentence.serialize().encode())

        theirs = min(_seconds(by_package) for _ in range(2))
        verdict = "reached" if words / best > 1e6 and theirs / best > 20 else "MISSED"
        print(
            f"| {path.parent.name}/{path.name} | {words:,} | {words / best:,.0f} "
            f"| {words / theirs:,.0f} | {theirs / best:.0f} | {verdict} |",
            flush=True,
        )
    print("\nWanted: over 1,000,000 words/s, and over 20 times as fast.")


def _rewritten(path: Path) -> None:
    with writing(os.devnull) as file:
        for block in read_blocks(path):
            file.write(replace_trees(block))


def _seconds(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def memory(arguments: argparse.Namespace) -> None:
    """Stream a file made by repetition, in a process of its own, and ask for its peak memory."""
    data = arguments.path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.conllu"
        with path.open("wb") as file:
            for _ in range(int(arguments.gigabytes * 1e9 / len(data)) + 1):
                file.write(data)
        print(f"{path.stat().st_size / 1e9:.2f} GB: ", end="", flush=True)
        output = Path(folder) / "out.conllu"
        command = [sys.executable, "-m", "bench.conll", "stream", str(path), str(output)]
        subprocess.run(command, check=True)
        assert abs(output.stat().st_size / path.stat().st_size - 1) < 0.2


def stream(arguments: argparse.Namespace) -> None:
    start, words = time.process_time(), 0
    with writing(arguments.output) as file:
        for block in read_blocks(arguments.path):
            file.write(replace_trees(block))
            words += block.words
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{words:,} words in {seconds:.1f} s with imports done, peak memory {peak:.0f} MB "
        f"(under 300 wanted: {'reached' if peak < 300 else 'MISSED'})."
    )


def roundtrip(arguments: argparse.Namespace) -> None:
    """Read and write every file, in large and small blocks, what is there replaced by itself."""
    files = [
        file
        for path in arguments.paths
        for file in (sorted(path.rglob("*.conll*")) if path.is_dir() else [path])
    ]
    size = words = 0
    for path in files:
        data = path.read_bytes()
        for block_bytes in (1 << 20, 5000):
            out = []
            for block in read_blocks(path, block_bytes):
                labels, names = block.encoded("deprel")
                out.append(block.replaced({"head": block.heads, "deprel": (labels, names)}))
                words += block.words
            assert b"".join(out) == data, f"{path} is not what it was"
            kept = (block.replaced({}) for block in read_blocks(path, block_bytes))
            assert b"".join(kept) == data, f"{path} is not what it was"
        size += len(data)
    print(f"{len(files)} files, {size:,} bytes, {words // 2:,} words: identical.")


def scores(arguments: argparse.Namespace) -> None:
    """Compare the printed table with that of udtools on disturbed copies of real files."""
    from udtools import udeval

    from rollin.evaluation.comparing import evaluate
    from rollin.evaluation.tables import ud_table

    equal = ours = theirs = 0.0
    print("| file | seed | Tokens | Sentences | Words | UPOS | LAS | MLAS | BLEX | tables |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
    for path in arguments.paths:
        gold = path.read_text(encoding="utf-8")
        for seed in range(arguments.seeds):
            chance = random.Random(seed)
            system = disturbed(gold, chance)
            start = time.process_time()
            result = evaluate(io.BytesIO(gold.encode()), io.BytesIO(system.encode()), "ud")
            ours += time.process_time() - start
            start = time.process_time()
            kind = {"multiple_roots_okay": True}
            sides = [udeval.load_conllu(io.StringIO(text), "", kind) for text in (gold, system)]
            official = udeval.evaluate(*sides)
            theirs += time.process_time() - start
            assert ud_table(result.measures) == udeval.build_evaluation_table(official), path
            equal += 1
            shown = ("Tokens", "Sentences", "Words", "UPOS", "LAS", "MLAS", "BLEX")
            cells = " | ".join(f"{result.measures[name].f1:.2f}" for name in shown)
            print(f"| {path.parent.name}/{path.name} | {seed} | {cells} | equal |", flush=True)
    print(
        f"\n{equal:.0f} comparisons: all tables equal those of udtools, to the last digit. "
        f"rollin {ours:.1f} s, udtools {theirs:.1f} s."
    )


def disturbed(text: str, chance: random.Random) -> str:
    """Change heads, labels, tags, lemmas, features, words, tokens and sentences of a file."""
    sentences = []
    for part in text.replace("\r", "").split("\n\n"):
        lines = [line for line in part.split("\n") if line and line[0] != "#"]
        if lines:
            sentences.append(_units(lines))
    mixed: list[list] = []
    for units in sentences:
        if mixed and chance.random() < 0.05:  # a sentence boundary is lost
            mixed[-1] += units
        elif len(units) > 3 and chance.random() < 0.05:  # or one too many
            cut = chance.randint(1, len(units) - 1)
            mixed += [units[:cut], units[cut:]]
        else:
            mixed.append(units)
    out = []
    for units in mixed:
        changed = []
        while units:
            form, words = units.pop(0)
            if chance.random() < 0.02 and len(form) > 1 and " " not in form:  # a token cut in two
                cut = chance.randint(1, len(form) - 1)
                row = words[0]
                changed += [
                    (form[:cut], [[form[:cut], *row[1:]]]),
                    (form[cut:], [[form[cut:], *row[1:]]]),
                ]
            elif chance.random() < 0.02 and units:  # two tokens joined
                after, more = units.pop(0)
                joined = form + chance.choice(["", " "]) + after
                keep = words + more if chance.random() < 0.5 else [[joined, *words[0][1:]]]
                changed.append((joined, keep))
            elif chance.random() < 0.02:  # a multiword token more, or one less
                changed.append((form, words * 2 if len(words) == 1 else [[form, *words[0][1:]]]))
            else:
                changed.append((form, words))
        out.append(_written(changed, chance))
    return "".join(out)


def _units(lines: list[str]) -> list[tuple[str, list[list[str]]]]:
    """Give the tokens of a sentence: the form, and the words it stands for (without their IDs)."""
    units: list[tuple[str, list[list[str]]]] = []
    inside = 0
    for line in lines:
        id, form, *rest = line.split("\t")
        if "-" in id:
            units.append((form, []))
            inside = int(id.partition("-")[2])
        elif "." not in id:
            if int(id) > inside:
                units.append((form, []))
            units[-1][1].append([form, *rest])
    return units


def _written(units: list, chance: random.Random) -> str:
    words = [row for _, rows in units for row in rows]
    heads = _tree([int(row[5]) for row in words], chance)
    lines, number = [], 0
    for form, rows in units:
        if len(rows) > 1 or rows[0][0] != form:
            lines.append(f"{number + 1}-{number + len(rows)}\t{form}" + "\t_" * 8)
        for row in rows:
            number += 1
            new = [field if chance.random() > 0.1 else chance.choice(words)[i]
                   for i, field in enumerate(row)]  # fmt: skip
            new[0], new[5] = row[0], str(heads[number - 1])
            new[7] = new[8] = "_"
            lines.append("\t".join([str(number), *new]))
    return "\n".join([*lines, "", ""])


def _tree(heads: list[int], chance: random.Random) -> list[int]:
    """Keep most heads, and mend what is no tree after words came and went."""
    words = len(heads)
    heads = [head if chance.random() > 0.15 else chance.randint(0, words) for head in heads]
    root = next((word for word, head in enumerate(heads, 1) if head == 0), 1)
    for word in range(1, words + 1):
        head = heads[word - 1]
        if word == root:
            heads[word - 1] = 0
        elif head == 0 or head > words or head == word:
            heads[word - 1] = root
    for word in range(1, words + 1):
        at, seen = word, set()
        while at and at not in seen:
            seen.add(at)
            at = heads[at - 1]
        if at:
            heads[word - 1] = root
    return heads


def fuzz(arguments: argparse.Namespace) -> None:
    """Read what is hardly CoNLL: no crash, no hang, no byte lost, every word within the file."""
    chance = random.Random(arguments.seed)
    samples = [SAMPLE]
    if arguments.path:
        samples += [part + b"\n\n" for part in arguments.path.read_bytes().split(b"\n\n")[:500]]
    try_out(SAMPLE, chance)  # compiled before the clock starts
    end = time.monotonic() + arguments.seconds
    files = size = slowest = problems = words = 0.0
    while time.monotonic() < end:
        data = fuzzed(samples, chance)
        start = time.process_time()
        try:
            told, found = try_out(data, chance)
        except BaseException:
            print(f"failed on {data!r}")
            raise
        slowest = max(slowest, (time.process_time() - start) * (files > 10))  # later: compiled
        problems, words = problems + told, words + found
        files, size = files + 1, size + len(data)
    checked = "bounds" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else "no bounds"
    print(
        f"{files:,.0f} files, {size / 1e6:.1f} MB, {words:,.0f} words, {problems:,.0f} problems "
        f"told in {arguments.seconds:.0f} s by the clock; the slowest file took {slowest:.2f} s; "
        f"{checked} checked; no failure."
    )


SAMPLE = (
    "\ufeff# sent_id = 1\n# text = vámonos al mar\n1-2\tvámonos" + "\t_" * 8 + "\n"
    "1\tvamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_\n"
    "2\tnos\tnos\tPRON\t_\t_\t1\tobj\t1:obj|2.1:x\t_\n2.1\te" + "\t_" * 6 + "\t0:root\t_\n"
    "3\tal mar\t_\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No\r\n\r\n"
).encode()  # fmt: skip
_PIECES = [
    b"\t", b"\n", b"\r\n", b"\n\n", b"\r", b" ", b"#", b"-", b".", b"_", b"0", b"1", b"-1", b"1-2",
    b"2.1", b"9" * 20, b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\0", b"\t" * 12, b"|", b"=",
    b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n", "日".encode(), b"\x1f\x8b",
]  # fmt: skip


def fuzzed(samples: list[bytes], chance: random.Random) -> bytes:
    """Put samples together and disturb them: pieces put in, taken out, doubled, exchanged."""
    data = bytearray(b"".join(chance.choices(samples, k=chance.choice([1, 1, 2, 5]))))
    if chance.random() < 0.1:
        data = bytearray(chance.randbytes(chance.randint(0, 300)))
    for _ in range(chance.choice([0, 1, 1, 2, 3, 10, 50])):
        place = chance.randint(0, len(data))
        size = chance.choice([0, 1, 1, 2, 10, 100])
        match chance.randint(0, 3):
            case 0:
                data[place:place] = chance.choice(_PIECES)
            case 1:
                del data[place : place + size]
            case 2:
                data[place:place] = data[place : place + size]
            case 3:
                data[place : place + size] = chance.choice(_PIECES)
    if data[:2] == b"\x1f\x8b" or data[:3] == b"BZh":  # that would be a packed file
        data[:1] = b"#"
    return bytes(data)


def try_out(data: bytes, chance: random.Random) -> tuple[int, int]:
    """Do with a file all that can be done; give the number of problems and of words."""
    block_bytes = chance.choice([1, 10, 100, 1 << 20])
    trees = chance.choice(["ignored", "checked", "required"])
    kept, words = [], 0
    for block in read_blocks(io.BytesIO(data), block_bytes, on_error="keep", trees=trees):
        kept.append(block.replaced({}))
        heads, lengths = block.heads, np.repeat(block.lengths, block.lengths)
        assert (heads >= -1).all() and (heads <= lengths).all()
        assert (np.diff(block.edges, axis=1) > 0).all() and (block.edges >= 0).all()
        assert (block.edges[:, 10] - 1 <= len(block.raw)).all()
        if block.words:
            labels, names = block.encoded("deprel")
            changed = block.replaced({"head": heads, "deprel": (labels, names)})
            assert changed == block.raw
            longer = block.replaced({"upos": (np.zeros(block.words, np.int32), ["LONGER"])})
            grown = block.words * 6 - (block.edges[:, 4] - 1 - block.edges[:, 3]).sum()
            assert len(longer) == len(block.raw) + grown
        crossing_arcs(block)
        for sentence in block:
            assert len(sentence) > 0 and str(sentence)
        words += block.words
    assert b"".join(kept) == data
    told = 0
    for block, rows in check_blocks(io.BytesIO(data)):
        told += len([str(problem) for problem in describe(block, rows)])
    return told, words


if __name__ == "__main__":
    main()

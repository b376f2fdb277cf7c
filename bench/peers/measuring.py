"""Train a parser, choose its best pass on dev, and measure it: the same steps for every peer.

A peer is a module with two names:

    train(train, dev, model, **settings)   trains into the folder `model`, and returns
                                           {"passes": so many, "candidates": [model, ...]}, or with
                                           "pass_seconds": [...] where single passes can be timed
    Parser(model)                          with `prepare(sentences)` from rows of words to what
                                           the tool takes, `parse(prepared)` in memory,
                                           `release(prepared)`, and `parse_file(source, target)`

Every step runs in a process of its own on one thread (child.py). All times are CPU time, user and
system. Input is blind: heads and labels are taken out before a parser sees a file. Before the clock
of parsing starts, one sentence is parsed, which counts as loading: libraries load parts of
themselves only then.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import tempfile
import time
from itertools import islice
from pathlib import Path

from bench.peers.child import run
from bench.peers.scoring import score
from bench.peers.treebank import read_blocks, words, write_blind, write_block
from bench.setting import commit

SPEED_WORDS = 50_000  # parsed when speed is measured: dev and test, repeated
_TRAINED = "trained.json"  # in `work`: what training gave
ENOUGH = 3.0  # seconds: a fast parser goes over the same words again until it took so long
BATCH = 100  # sentences in memory at a time: Vowpal Wabbit needs 22 KB for a word


def measure_peer(
    module: str,
    folder: Path,
    *,
    work: Path,
    settings: dict,
    quick: bool = False,
    reuse: bool = False,
    python: str | None = None,
) -> dict:
    """Everything that is measured of one peer but its name and version, as a flat dictionary.

    With `reuse`, a model that an earlier run has left in `work` is not trained again, if it was
    trained with the same settings; all else is measured anew.
    """
    folder, work = Path(folder).resolve(), Path(work).resolve()
    model = work / "model"
    model.mkdir(parents=True, exist_ok=True)
    for part in ("dev", "test"):
        write_blind([folder / f"{part}.conllu"], work / f"{part}.blind.conllu")
    speed = work / "speed.conllu"
    parts = [folder / "dev.conllu", folder / "test.conllu"]
    speed_words = write_blind(parts, speed, at_least=0 if quick else SPEED_WORDS)

    files = {part: str(folder / f"{part}.conllu") for part in ("train", "dev")}
    trained = _kept(work, settings) if reuse else None
    if trained is None:
        load = os.getloadavg()[0]
        trained = run(module, "train", {**files, "model": str(model), **settings}, python=python)
        trained["made"] = {"commit": commit(), "load": [load, os.getloadavg()[0]]}
        kept = json.dumps({"settings": settings, "trained": trained})
        (work / _TRAINED).write_text(kept, encoding="utf-8")

    def parse_part(candidate: str, part: str) -> dict:
        target = work / f"{part}.parsed.conllu"
        job = {
            "module": module,
            "model": candidate,
            "source": str(work / f"{part}.blind.conllu"),
            "target": str(target),
        }
        run(__name__, "file_to_file", job, python=python)
        return score(folder / f"{part}.conllu", target)

    dev_scores = [parse_part(candidate, "dev") for candidate in trained["candidates"]]
    best = max(range(len(dev_scores)), key=lambda i: dev_scores[i]["las"])
    chosen = trained["candidates"][best]
    if best != len(dev_scores) - 1:
        parse_part(chosen, "dev")  # so that the file that stays is the chosen one's
    test = parse_part(chosen, "test")

    enough = 0.0 if quick else ENOUGH
    job = {"module": module, "model": chosen, "source": str(speed), "enough": enough}
    memory = run(__name__, "in_memory", job, python=python)
    whole = run(
        __name__,
        "file_to_file",
        {**job, "target": str(work / "speed.parsed.conllu")},
        python=python,
    )
    passes = trained["passes"]
    pass_seconds = trained.get("pass_seconds") or [trained["process_seconds"] / max(passes, 1)]
    return {
        "settings": settings,
        "train_words": sum(len(words(block)) for block in read_blocks(folder / "train.conllu")),
        "train_seconds": trained["process_seconds"],
        "train_passes": passes,
        "train_seconds_per_pass": sum(pass_seconds) / len(pass_seconds),
        "train_peak_mb": trained["peak_mb"],
        "trained": trained.get("made", {"commit": "unknown", "load": [math.nan, math.nan]}),
        "chosen": best + 1 if len(dev_scores) > 1 else None,
        "dev_by_candidate": [[s["uas"], s["las"]] for s in dev_scores],
        "speed_words": speed_words,
        "parse_words_per_second": memory["words"] / memory["parse_seconds"],
        "file_words_per_second": speed_words * whole["rounds"] / whole["file_seconds"],
        "load_seconds": whole["load_seconds"],
        "parse_peak_mb": whole["peak_mb"],
        "model_mb": _size(Path(chosen)) / 1e6,
        "dev_uas": dev_scores[best]["uas"],
        "dev_las": dev_scores[best]["las"],
        "test_uas": test["uas"],
        "test_las": test["las"],
        "training": trained.get("notes", {}),
    }


def _kept(work: Path, settings: dict) -> dict | None:
    """What training gave in an earlier run, if that had the same settings."""
    if not (work / _TRAINED).is_file():
        return None
    kept = json.loads((work / _TRAINED).read_text(encoding="utf-8"))
    return kept["trained"] if kept["settings"] == settings else None


def file_to_file(module: str, model: str, source: str, target: str, enough: float = 0.0) -> dict:
    """CoNLL-U in, CoNLL-U out; what it takes to start and load is told apart."""
    parser = importlib.import_module(module).Parser(model)
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one.conllu"
        with one.open("w", encoding="utf-8", newline="\n") as file:
            write_block(file, next(read_blocks(source)))
        parser.parse_file(str(one), str(Path(folder) / "parsed.conllu"))
    load_seconds = time.process_time()
    rounds, seconds = 0, 0.0
    while rounds == 0 or seconds < enough:
        parser.parse_file(source, target)
        rounds, seconds = rounds + 1, time.process_time() - load_seconds
    return {"load_seconds": load_seconds, "file_seconds": seconds, "rounds": rounds}


def in_memory(module: str, model: str, source: str, enough: float = 0.0) -> dict:
    """Only parsing is on the clock: the sentences are in the tool's own form before and after."""
    parser = importlib.import_module(module).Parser(model)
    _timed(parser, [words(next(read_blocks(source)))])
    seconds, count = 0.0, 0
    while count == 0 or seconds < enough:
        blocks = read_blocks(source)
        while batch := [words(block) for block in islice(blocks, BATCH)]:
            seconds += _timed(parser, batch)
            count += sum(map(len, batch))
    return {"parse_seconds": seconds, "words": count}


def _timed(parser, batch: list) -> float:
    prepared = parser.prepare(batch)
    started = time.process_time()
    parser.parse(prepared)
    seconds = time.process_time() - started
    parser.release(prepared)
    return seconds


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())

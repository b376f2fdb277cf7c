"""rollin itself, by its presets: `rollin train parser --preset NAME`, with settings changed.

The parser reads CoNLL-U, so in memory it is given sentences as blocks of a file that was read; what
it gives are arrays of heads and labels. Before the clock of the first pass starts, one pass over a
few sentences compiles what is not compiled yet; the time of the whole training has it in.
"""

from __future__ import annotations

import io
import json
from itertools import islice
from pathlib import Path

from bench.peers.measuring import measure_peer
from bench.peers.treebank import Row, read_blocks, write_block

WARMING = 20  # sentences


def measure(
    folder: Path,
    *,
    work: Path,
    quick: bool = False,
    reuse: bool = False,
    preset: str = "default",
    beam: int = 1,
    name: str | None = None,
    **changes,
) -> dict:
    """`changes` are settings that take the place of the preset's: learner, method, passes, use."""
    import rollin

    if quick:
        changes["passes"] = 1
    settings = {"preset": preset, "beam": beam, "changes": changes}
    result = measure_peer(__name__, folder, work=work, settings=settings, quick=quick, reuse=reuse)
    return {"name": name or f"rollin, {preset}", "version": rollin.__version__, **result}


def train(train: str, dev: str, model: str, preset: str, beam: int, changes: dict) -> dict:
    from rollin.parser.learning import train_parser

    with Path(model, "few.conllu").open("w", encoding="utf-8", newline="\n") as few:
        for block in islice(read_blocks(train), WARMING):
            write_block(few, block)
    train_parser(few.name, dev=few.name, preset=preset, progress=False, **changes | {"passes": 1})
    seconds: list[float] = []
    parser = train_parser(
        train,
        dev=dev,
        preset=preset,
        progress=False,
        report=lambda done: seconds.append(done["seconds"]),
        **changes,
    )
    folder = Path(model) / "best"
    folder.mkdir(exist_ok=True)
    parser.save(folder / "parser.model")
    (folder / "how.json").write_text(json.dumps({"beam": beam}), encoding="utf-8")
    facts = {"best pass": parser.model.facts["best pass"], "system": parser.about["system"]}
    return {
        "passes": len(seconds),
        "pass_seconds": seconds,
        "candidates": [str(folder)],
        "notes": facts,
    }


class Parser:
    def __init__(self, model: str):
        from rollin.parser.parser import Parser

        self.parser = Parser.load(Path(model) / "parser.model")
        self.beam = json.loads((Path(model) / "how.json").read_text(encoding="utf-8"))["beam"]
        word = ["1", "word", "_", "_", "_", "_", "_", "_", "_", "_"]
        self.parse(self.prepare([[word]]))  # native code is loaded when it is first run

    def prepare(self, sentences: list[list[Row]]) -> list:
        from rollin.conll.reading import read_blocks as read

        text = io.StringIO()
        for sentence in sentences:
            write_block(text, sentence)
        return list(read(io.BytesIO(text.getvalue().encode()), trees="ignored"))

    def parse(self, prepared: list) -> None:
        for block in prepared:
            self.parser.trees(block, beam=self.beam)

    def release(self, prepared: list) -> None:
        pass

    def parse_file(self, source: str, target: str) -> None:
        self.parser.parse_file(source, target, beam=self.beam)

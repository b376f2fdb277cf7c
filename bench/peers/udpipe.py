"""UDPipe 1 (`ufal.udpipe`): its parser alone, trained on gold tokens and gold tags.

`Trainer.train` gets no tokenizer and no tagger, and for the parser what it does by default: 10
iterations, projective transitions with a dynamic oracle and, every 8 trees, a search-based one,
embeddings of form, UPOS, FEATS and labels but not of XPOS, 200 hidden units, and the iteration
that is best on dev. Parsing uses the default beam, 5.

UDPipe wants single roots to be labelled `root` and nothing else to be: another label of the root is
renamed on the way in and back on the way out, and `single_root=0` is passed where the training data
has sentences with several roots, or `root` where there is none.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

from bench.peers import require
from bench.peers.measuring import measure_peer
from bench.peers.treebank import DEPREL, HEAD, Row, read_blocks, root_label, words

ITERATIONS = 10  # its default
METHOD = "morphodita_parsito"  # the only one there is


def measure(
    folder: Path,
    *,
    work: Path,
    quick: bool = False,
    reuse: bool = False,
    iterations: int = ITERATIONS,
    options: str = "",
) -> dict:
    """`options` are further options of the parser's training: `name=value;name=value`."""
    require("ufal.udpipe")
    iterations = 1 if quick else iterations
    settings = {"options": ";".join(filter(None, [f"iterations={iterations}", options]))}
    result = measure_peer(__name__, folder, work=work, settings=settings, quick=quick, reuse=reuse)
    less = []
    if iterations < ITERATIONS:
        less.append(f"{iterations} iterations where it does {ITERATIONS}")
    if options:
        less.append(f"{options} is not its default")
    named = {"name": "UDPipe 1", "version": version("ufal.udpipe")}
    return {**named, **result, "note": "; ".join(less)}


def train(train: str, dev: str, model: str, options: str) -> dict:
    from ufal.udpipe import ProcessingError, Trainer

    sentences = [words(block) for path in (train, dev) for block in read_blocks(path)]
    root = root_label(sentences)
    if any(
        (row[HEAD] == "0") != (row[DEPREL] == root) for words in sentences for row in words
    ) or any(sum(row[HEAD] == "0" for row in words) > 1 for words in sentences):
        options += ";single_root=0"
    del sentences
    data = [_read(path, root) for path in (train, dev)]
    error = ProcessingError()
    trained = Trainer.train(METHOD, *data, Trainer.NONE, Trainer.NONE, options, error)
    if error.occurred():
        raise RuntimeError(f"UDPipe cannot train on {train}: {error.message}")
    (Path(model) / "parser.udpipe").write_bytes(trained)
    (Path(model) / "root.json").write_text(json.dumps(root), encoding="utf-8")
    passes = re.search(r"iterations=(\d+)", options)
    return {
        "passes": int(passes[1]) if passes else ITERATIONS,
        "candidates": [model],
        "notes": {"options": options},
    }


def _read(path: str, root: str):
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader, error = InputFormat.newConlluInputFormat(), ProcessingError()
    reader.setText(Path(path).read_text(encoding="utf-8"))
    sentences, sentence = Sentences(), Sentence()
    while reader.nextSentence(sentence, error):
        _rename(sentence, root, "root")
        sentences.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise RuntimeError(f"UDPipe cannot read {path}: {error.message}")
    return sentences


def _rename(sentence, old: str, new: str) -> None:
    if old != new:
        for i in range(1, len(sentence.words)):  # to go over `words` itself gives copies
            if sentence.words[i].deprel == old:
                sentence.words[i].deprel = new


class Parser:
    def __init__(self, model: str):
        from ufal.udpipe import Model

        self.root = json.loads((Path(model) / "root.json").read_text(encoding="utf-8"))
        self.model = Model.load(str(Path(model) / "parser.udpipe"))
        if self.model is None:
            raise RuntimeError(f"UDPipe cannot load {model}")

    def prepare(self, sentences: list[list[Row]]) -> list:
        from ufal.udpipe import Sentence

        prepared = []
        for rows in sentences:
            sentence = Sentence()
            for row in rows:
                word = sentence.addWord(row[1])
                word.upostag = row[3]
                word.xpostag, word.feats = (row[i].replace("_", "") for i in (4, 5))
            prepared.append(sentence)
        return prepared

    def parse(self, prepared: list) -> None:
        for sentence in prepared:
            self.model.parse(sentence, self.model.DEFAULT)

    def release(self, prepared: list) -> None:
        pass

    def parse_file(self, source: str, target: str) -> None:
        """Its own reader, parser and writer, sentence by sentence."""
        from ufal.udpipe import InputFormat, OutputFormat, ProcessingError, Sentence

        reader, error = InputFormat.newConlluInputFormat(), ProcessingError()
        writer = OutputFormat.newConlluOutputFormat()
        reader.setText(Path(source).read_text(encoding="utf-8"))
        sentence = Sentence()
        with Path(target).open("w", encoding="utf-8", newline="\n") as file:
            while reader.nextSentence(sentence, error):
                self.model.parse(sentence, self.model.DEFAULT)
                _rename(sentence, "root", self.root)
                file.write(writer.writeSentence(sentence))
        if error.occurred():
            raise RuntimeError(f"UDPipe cannot read {source}: {error.message}")

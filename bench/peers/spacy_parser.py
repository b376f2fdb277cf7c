"""spaCy: `tok2vec` and `parser` alone, by the quickstart configuration for a CPU.

The configuration is what `spacy init config --pipeline parser --optimize efficiency` writes
(MultiHashEmbed and a convolutional MaxoutWindowEncoder, the architecture of HashEmbedCNN; no
vectors), with one change: spaCy's parser sees no tags unless told, so POS, TAG and MORPH, as far as
the treebank fills UPOS, XPOS and FEATS, join the embedded attributes NORM, PREFIX, SUFFIX and
SHAPE. UPOS is given where spaCy knows all its values; where it does not, and XPOS is empty, UPOS is
given as TAG.

Tokens, tags and sentence boundaries are gold in training and in parsing: a sentence is a `Doc` with
its tags set and with boundaries that the parser may not add to. spaCy names every root `ROOT`, so
the treebank's label of the root is renamed on the way in and back on the way out. What it does by
itself stays: labels of fewer than 30 arcs are dropped, crossing arcs go through pseudo-projective
labels, and training stops after 1,600 steps without a better mean of UAS and LAS on dev.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from bench.peers import require
from bench.peers.measuring import measure_peer
from bench.peers.treebank import (
    DEPREL,
    FEATS,
    FORM,
    HEAD,
    UPOS,
    XPOS,
    Row,
    put_tree,
    read_blocks,
    root_label,
    words,
    write_block,
)

ROWS = {"POS": 100, "TAG": 500, "MORPH": 2500}  # of the tables of embeddings that are added
LANGUAGES = {"English": "en", "PTB": "en", "Danish": "da", "Dutch": "nl", "Swedish": "sv"}


def measure(
    folder: Path,
    *,
    work: Path,
    quick: bool = False,
    reuse: bool = False,
    language: str | None = None,
    max_steps: int = 20_000,
    tags: bool = True,
    python: str | None = None,
) -> dict:
    """`language` is spaCy's code, by default after the folder's name, or `xx`: any.

    `python` is an interpreter that has spaCy, where it is not this one.
    """
    if python is None:
        require("spacy")
    folder = Path(folder)
    guess = (code for name, code in LANGUAGES.items() if name in folder.name)
    settings = {
        "language": language or next(guess, "xx"),
        "max_steps": 200 if quick else max_steps,
        "tags": tags,
    }
    result = measure_peer(
        __name__, folder, work=work, settings=settings, quick=quick, reuse=reuse, python=python
    )
    training = result["training"]
    if training["steps"] > settings["max_steps"]:  # the first step is step 0
        result["note"] = (
            f"stopped after {settings['max_steps']} steps, before its patience was at an end"
        )
    return {"name": "spaCy", "version": training.pop("version"), **result}


def train(train: str, dev: str, model: str, language: str, max_steps: int, tags: bool) -> dict:
    import spacy
    from spacy.cli.init_config import init_config
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as run_training

    sentences = [words(block) for block in read_blocks(train)]
    columns = _columns(sentences) if tags else {}
    root = root_label(sentences)
    size = sum(map(len, sentences))
    del sentences
    log: list[dict] = []

    @spacy.registry.readers("bench.gold_tags")
    def reader(path: str):
        return lambda nlp: _examples(nlp, path, root, columns)

    @spacy.registry.loggers("bench.log")
    def logger():
        return lambda nlp, stdout, stderr: (lambda info: log.append(info or {}), lambda: None)

    config = init_config(lang=language, pipeline=["parser"], optimize="efficiency", gpu=False)
    embed = config["components"]["tok2vec"]["model"]["embed"]
    embed["attrs"] = [*embed["attrs"], *columns]
    embed["rows"] = [*embed["rows"], *(ROWS[name] for name in columns)]
    config["training"]["max_steps"] = max_steps
    config["training"]["logger"] = {"@loggers": "bench.log"}
    config["corpora"] = {
        part: {"@readers": "bench.gold_tags", "path": path}
        for part, path in (("train", train), ("dev", dev))
    }
    run_training(init_nlp(config), Path(model))
    best = Path(model) / "model-best"
    names = json.dumps({"root": root, "columns": columns})
    (best / "names.json").write_text(names, encoding="utf-8")
    scores = [(info["score"], -info["step"]) for info in log if info.get("score") is not None]
    seen = max(info["words"] for info in log if info)
    return {
        "passes": seen / size,
        "candidates": [str(best)],
        "notes": {
            "version": version("spacy"),
            "steps": len(log),
            "best_step": -max(scores)[1],
            "attrs": embed["attrs"],
            "rows": embed["rows"],
        },
    }


def _columns(sentences: list[list[Row]]) -> dict[str, int]:
    """Which of spaCy's attributes is to be filled from which column."""
    from spacy.parts_of_speech import IDS

    values = {
        column: {row[column] for words in sentences for row in words} - {"_"}
        for column in (UPOS, XPOS, FEATS)
    }
    columns = {}
    if values[UPOS] and values[UPOS] <= set(IDS):
        columns["POS"] = UPOS
        if len(values[XPOS]) > 1:
            columns["TAG"] = XPOS
    else:
        columns["TAG"] = XPOS if len(values[XPOS]) > 1 else UPOS
    if values[FEATS]:
        columns["MORPH"] = FEATS
    return columns


def _doc(vocab, sentence: list[Row], columns: dict[str, int], **tree: list):
    from spacy.tokens import Doc

    def column(name: str) -> list[str] | None:
        if name not in columns:
            return None
        return ["" if row[columns[name]] == "_" else row[columns[name]] for row in sentence]

    return Doc(
        vocab,
        words=[row[FORM] for row in sentence],
        pos=column("POS"),
        tags=column("TAG"),
        morphs=column("MORPH"),
        sent_starts=[True] + [False] * (len(sentence) - 1),
        **tree,
    )


def _examples(nlp, path: str, root: str, columns: dict[str, int]) -> Iterator:
    from spacy.training import Example

    for block in read_blocks(path):
        sentence = words(block)
        heads = [int(row[HEAD]) - 1 if row[HEAD] != "0" else i for i, row in enumerate(sentence)]
        labels = ["ROOT" if row[DEPREL] == root else row[DEPREL] for row in sentence]
        gold = _doc(nlp.vocab, sentence, columns, heads=heads, deps=labels)
        yield Example(_doc(nlp.vocab, sentence, columns), gold)


class Parser:
    def __init__(self, model: str):
        import spacy

        names = json.loads((Path(model) / "names.json").read_text(encoding="utf-8"))
        self.root, self.columns = names["root"], names["columns"]
        self.nlp = spacy.load(model)

    def prepare(self, sentences: list[list[Row]]) -> list:
        return [_doc(self.nlp.vocab, sentence, self.columns) for sentence in sentences]

    def parse(self, prepared: list) -> None:
        for _ in self.nlp.pipe(prepared):
            pass

    def release(self, prepared: list) -> None:
        pass

    def parse_file(self, source: str, target: str) -> None:
        pairs = ((block, words(block)) for block in read_blocks(source))
        docs = ((_doc(self.nlp.vocab, rows, self.columns), (block, rows)) for block, rows in pairs)
        with Path(target).open("w", encoding="utf-8", newline="\n") as file:
            for doc, (block, rows) in self.nlp.pipe(docs, as_tuples=True):
                heads = [0 if t.head.i == t.i else t.head.i + 1 for t in doc]
                labels = [self.root if t.dep_ == "ROOT" else t.dep_ for t in doc]
                put_tree(rows, heads, labels)
                write_block(file, block)

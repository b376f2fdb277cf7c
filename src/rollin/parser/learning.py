"""Training a parser: from a treebank and a preset to a model."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rollin.conll.blocks import Block
from rollin.conll.messages import Problem
from rollin.conll.opening import Source
from rollin.conll.reading import read_blocks
from rollin.conll.words import places_with_roots
from rollin.decisions.batch import Batch
from rollin.decisions.schema import UNKNOWN
from rollin.errors import RollinError
from rollin.evaluation.attachment import attachment, punctuation, punctuation_rule
from rollin.parser.parser import Parser
from rollin.parser.presets import Preset, preset_from
from rollin.parser.systems import parser_task, suitable_system
from rollin.parser.templates import fitting
from rollin.parser.treebank import Facts, Layout, columns_for, learn_facts
from rollin.training.loop import Interrupted

_HELD_BACK = 10  # without a dev set, one sentence in so many is kept back, at the end


def train_parser(
    train: Source,
    *,
    dev: Source | None = None,
    preset: str | Preset = "default",
    output: str | Path | None = None,
    seed: int = 1,
    threads: int = 1,
    resume: bool = False,
    on_error: str = "stop",
    problem: Callable[[Problem], None] | None = None,
    progress: bool | None = None,
    report: Callable[[dict[str, Any]], None] | None = None,
    **settings: Any,
) -> Parser:
    """Train a parser on a treebank.

    Args:
        train: the treebank, a file in CoNLL-U or CoNLL-X.
        dev: other sentences, to choose the best pass by; without them the last tenth of the
            training data is kept back.
        preset: settings that belong together: fast, default, accurate, paper, sparse.
        output: where to write the model. Beside it an unfinished training is kept.
        seed: the same seed gives the same model.
        threads: how many cores to learn with (dense learners).
        resume: go on with an interrupted training of the same settings.
        on_error: what to do with sentences that have errors: stop, or skip them.
        problem: called for every error in what is skipped.
        progress: show progress bars; by default where a person is watching.
        report: called after every pass with its scores.
        settings: settings to change in the preset: learner, method, passes, patience, system,
            labels, roots, use, templates.
    """
    chosen = (preset_from(preset) if isinstance(preset, str) else preset).but(**settings)
    blocks = _read(train, on_error, problem)
    facts = learn_facts(blocks)
    several = {"one": False, "several": True, "auto": facts.several_roots}[chosen.roots]
    layout = Layout(facts.labels, columns_for(_in_use(chosen, blocks), chosen.derived), several)
    system = suitable_system(facts.crossing) if chosen.system == "auto" else chosen.system
    templates = fitting(chosen.templates, layout.columns, chosen.labels)
    task = parser_task(system, chosen.labels, facts.labels.names, templates)
    examples, judge = _divided(layout, blocks, dev, on_error, problem)
    about = _about(chosen, facts, layout, system, kept_back=dev is None)
    checkpoint = None if output is None else Path(f"{output}.training")
    fit: dict[str, Any] = {
        "dev": judge.examples, "judge": judge, "learner": chosen.learner, "method": chosen.method,
        "passes": chosen.passes, "patience": chosen.patience, "seed": seed, "threads": threads,
        "checkpoint": checkpoint, "resume": resume, "progress": progress, "report": report,
        "facts": {"parser": about},
    }  # fmt: skip
    del blocks
    try:
        parser = Parser(task.fit(examples, **fit), layout, about)
    except Interrupted as interrupted:
        if output is not None:
            interrupted.model.save(output)
        raise
    if output is not None:
        parser.save(output)
        Path(f"{output}.training").unlink(missing_ok=True)
    return parser


def _read(source: Source, on_error: str, problem: Callable[[Problem], None] | None) -> list[Block]:
    blocks = read_blocks(source, on_error=on_error, report=problem, trees="required")
    return [block for block in blocks if block.sentences]


def _in_use(chosen: Preset, blocks: Sequence[Block]) -> list[str]:
    """Leave out columns that say nothing: the same in every word, or twice the same."""
    kept: list[str] = []
    seen: list[np.ndarray] = []
    for column in chosen.use:
        hashes = np.concatenate([block.hashes(column) for block in blocks])
        constant = (hashes == hashes[0]).all()
        if not constant and not any(np.array_equal(hashes, other) for other in seen):
            kept.append(column)
            seen.append(hashes)
    return kept


def _divided(
    layout: Layout,
    blocks: list[Block],
    dev: Source | None,
    on_error: str,
    problem: Callable[[Problem], None] | None,
) -> tuple[Batch, "Judge"]:
    """Give what to train on, and a judge with the sentences to choose the best pass by."""
    examples = layout.batch(blocks, known=True)
    if dev is not None:
        dev_blocks = _read(dev, on_error, problem)
        return examples, Judge(layout.batch(dev_blocks, known=True), counted(dev_blocks))
    cut = len(examples) - max(1, len(examples) // _HELD_BACK)
    if not cut:
        raise RollinError("one sentence is too little to train on and to choose the best pass by")
    judge = Judge(examples.cut(cut, len(examples)), counted(blocks)[examples.starts[cut] :])
    return examples.cut(0, cut), judge


def counted(blocks: Sequence[Block]) -> np.ndarray:
    """Say for every position, roots among them, whether it counts: punctuation does not."""
    rule = punctuation_rule(blocks)
    parts = []
    for block in blocks:
        part = np.zeros(block.words + block.sentences, np.bool_)
        part[places_with_roots(block)] = ~punctuation(block, rule)
        parts.append(part)
    return np.concatenate(parts)


class Judge:
    """Scores a pass on sentences that were not trained on."""

    def __init__(self, examples: Batch, counted: np.ndarray) -> None:
        self.examples = examples
        self._counted = counted & (examples.along["heads"] != UNKNOWN)

    def __call__(self, outputs: Sequence[np.ndarray]) -> dict[str, float]:
        """Give the scores; the pass with the least `dev loss` is the best."""
        heads, labels, _ = outputs
        gold = self.examples.along
        scores = attachment(gold["heads"], gold["labels"], heads, labels, self._counted)
        if (labels == UNKNOWN).all():
            return {"UAS": scores.uas, "dev loss": 100.0 - scores.uas}
        return {"UAS": scores.uas, "LAS": scores.las, "dev loss": 100.0 - scores.las}


def _about(
    chosen: Preset, facts: Facts, layout: Layout, system: str, kept_back: bool
) -> dict[str, Any]:
    """Say what is to be known of a parser, for its model file."""
    return {
        "system": system,
        "labels": chosen.labels,
        "several roots": layout.several_roots,
        "label names": list(layout.labels.names),
        "below root": list(map(int, layout.labels.below_root)),
        "below word": list(map(int, layout.labels.below_word)),
        "treebank": {
            "sentences": facts.sentences,
            "words": facts.words,
            "crossing": round(facts.crossing, 4),
            "kept back": kept_back,
        },
    }

"""Training a parser: from a treebank and a preset to a model."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rollin.conll.blocks import Block
from rollin.conll.messages import Problem
from rollin.conll.opening import Source
from rollin.conll.reading import read_blocks
from rollin.conll.words import SEEN, places_with_roots
from rollin.decisions.batch import Batch
from rollin.decisions.schema import UNKNOWN
from rollin.errors import RollinError
from rollin.evaluation.attachment import attachment, punctuation, punctuation_rule
from rollin.parser import choices
from rollin.parser.parser import Parser
from rollin.parser.presets import Preset, preset_from
from rollin.parser.systems import SYSTEMS, parser_task, suitable_system
from rollin.parser.templates import fitting, templates_from
from rollin.parser.treebank import Facts, Layout, columns_for, learn_facts, with_moved
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
    note: Callable[[str], None] | None = None,
    log: str | Path | None = None,
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
        note: called with what there is to say about the treebank and what is chosen for it.
        log: a file for a line of JSON about every pass.
        settings: settings to change in the preset: learner, method, passes, patience, system,
            labels, roots, use, templates.
    """
    chosen = (preset_from(preset) if isinstance(preset, str) else preset).but(**settings)
    chosen = _checked(chosen, "templates" in settings and settings["templates"] is not None)
    blocks = _read(train, on_error, problem)
    facts = learn_facts(blocks)
    several = {"one": False, "several": True, "auto": facts.several_roots > _SLIPS}[chosen.roots]
    use = _in_use(chosen, blocks)
    system = _system(chosen, facts)
    lifts = SYSTEMS[system].lifts
    labels = with_moved(facts.labels, blocks, several) if lifts else facts.labels
    layout = Layout(labels, columns_for(use, chosen.derived), several)
    templates = fitting(chosen.templates, layout.columns, chosen.labels)
    task = parser_task(system, chosen.labels, labels.actions, templates)
    examples, judge = _divided(layout, lifts, blocks, dev, on_error, problem)
    about = _about(chosen, facts, layout, system, kept_back=dev is None)
    if note is not None:
        for line in _words(facts, layout, system, chosen, use, dev is None, len(judge.examples)):
            note(line)
    fit: dict[str, Any] = {
        "dev": judge.examples, "judge": judge, "learner": chosen.learner, "method": chosen.method,
        "passes": chosen.passes, "patience": chosen.patience_in_passes, "seed": seed,
        "threads": threads, "checkpoint": None if output is None else f"{output}.training",
        "resume": resume, "progress": progress, "report": report, "facts": {"parser": about},
        "log": log,
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


def _checked(chosen: Preset, templates_given: bool) -> Preset:
    """See that the settings make sense, before anything is read."""
    for what, value, known in (
        ("system", chosen.system, ("auto", *choices.SYSTEMS)),
        ("way to choose labels", chosen.labels, choices.LABELS),
        ("number of roots", chosen.roots, choices.ROOTS),
    ):
        if value not in known:
            raise RollinError(f"there is no {what} {value!r}: choose from {', '.join(known)}")
    if not chosen.use:
        raise RollinError("the parser must look at some column, at form for one")
    for column in chosen.use:
        if column not in (*choices.COLUMNS, *SEEN):
            raise RollinError(
                f"the parser can't look at column {column!r}: choose from "
                f"{', '.join(choices.COLUMNS)}, and what is made of the form, "
                f"{', '.join(SEEN[1:])}"
            )
    if templates_given and chosen.derived:
        raise RollinError(
            "templates are for sparse learners; learner 'dense' crosses nothing. Choose another "
            "learner, or preset sparse or paper"
        )
    return chosen.but(templates=templates_from(chosen.templates))


def _system(chosen: Preset, facts: Facts) -> str:
    """Give the system, by default what the treebank needs."""
    if chosen.system == "auto":
        return "arc-hybrid" if chosen.labels == "bare" else suitable_system(facts.crossing)
    if SYSTEMS[chosen.system].lifts and chosen.labels == "bare":
        raise RollinError(
            f"system {chosen.system} marks labels, so it needs some: --labels bare goes with the "
            "other systems"
        )
    return chosen.system


def _words(
    facts: Facts,
    layout: Layout,
    system: str,
    chosen: Preset,
    use: Sequence[str],
    kept_back: bool,
    dev_sentences: int,
) -> Iterator[str]:
    """Say what is trained on, and what was chosen for it."""
    several = f", {facts.several_roots:.1%} with several roots" if facts.several_roots else ""
    yield (
        f"{facts.sentences:,} sentences, {facts.words:,} words, {len(facts.labels.names)} labels; "
        f"{facts.crossing:.1%} of the sentences with arcs that cross{several}"
    )
    if kept_back:
        yield (
            "no dev: the last tenth of the training data is kept back to choose the best pass by "
            f"({dev_sentences:,} sentences)"
        )
    unused = [column for column in chosen.use if column not in use]
    if unused:
        yield f"not used, for they say nothing (or nothing new): {', '.join(unused)}"
    if facts.crossing and not SYSTEMS[system].crosses:
        yield (
            f"system {system} makes no arcs that cross: sentences that have any are trained on for "
            "all their other arcs (--system moved and swap make some)"
        )
    if facts.several_roots and not layout.several_roots:
        yield "sentences get one root each (--roots several allows more)"


_SLIPS = 0.005  # of all sentences: below that, several roots are slips of the annotators


def _read(source: Source, on_error: str, problem: Callable[[Problem], None] | None) -> list[Block]:
    blocks = read_blocks(source, on_error=on_error, report=problem, trees="required")
    return [block for block in blocks if block.sentences]


def _in_use(chosen: Preset, blocks: Sequence[Block]) -> list[str]:
    """Leave out columns that say nothing: the same in every word, or twice the same."""
    kept: list[str] = []
    seen: list[np.ndarray] = []
    for column in chosen.use:
        if column in choices.COLUMNS:
            hashes = np.concatenate([block.hashes(column) for block in blocks])
            if (hashes == hashes[0]).all() or any(np.array_equal(hashes, each) for each in seen):
                continue
            seen.append(hashes)
        kept.append(column)
    if not kept:
        raise RollinError(
            f"the treebank has the same in all words in {', '.join(chosen.use)}: name another "
            "column to look at"
        )
    return kept


def _divided(
    layout: Layout,
    lifts: bool,
    blocks: list[Block],
    dev: Source | None,
    on_error: str,
    problem: Callable[[Problem], None] | None,
) -> tuple[Batch, "Judge"]:
    """Give what to train on, and a judge with the sentences to choose the best pass by."""
    examples = layout.batch(blocks, known=True, uncrossed=lifts)
    if dev is not None:
        dev_blocks = _read(dev, on_error, problem)
        judge = Judge(layout, layout.batch(dev_blocks, known=True), counted(dev_blocks))
        return examples, judge
    cut = len(examples) - max(1, len(examples) // _HELD_BACK)
    if not cut:
        raise RollinError("one sentence is too little to train on and to choose the best pass by")
    plain = layout.batch(blocks, known=True) if lifts else examples
    kept_back = plain.cut(cut, len(plain))
    judge = Judge(layout, kept_back, counted(blocks)[plain.starts[cut] :])
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

    def __init__(self, layout: Layout, examples: Batch, counted: np.ndarray) -> None:
        self.layout, self.examples = layout, examples
        self._counted = counted & (examples.along["heads"] != UNKNOWN)

    def __call__(self, outputs: Sequence[np.ndarray]) -> dict[str, float]:
        """Give the scores; the pass with the least `dev loss` is the best."""
        heads, labels = (output.copy() for output in outputs[:2])
        self.layout.finish(heads, labels, self.examples.starts, None)
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
        "moved": list(map(list, layout.labels.moved)),
        "treebank": {
            "sentences": facts.sentences,
            "words": facts.words,
            "crossing": round(facts.crossing, 4),
            "several roots": round(facts.several_roots, 4),
            "kept back": kept_back,
        },
    }

"""Scores as tables to be read, and as plain values to be written as JSON."""

from collections.abc import Sequence
from typing import Any

from rollin.evaluation.comparison import Comparison
from rollin.evaluation.scores import Score
from rollin.evaluation.significance import Difference


def ud_table(measures: dict[str, Score]) -> str:
    """Give the table of the CoNLL 2018 scorer, digit by digit."""
    lines = ["Metric     | Precision |    Recall |  F1 Score | AligndAcc"]
    lines.append("-----------+-----------+-----------+-----------+-----------")
    for name, score in measures.items():
        accuracy = score.aligned_accuracy
        shown = "" if accuracy is None else f"{accuracy:10.2f}"
        lines.append(
            f"{name:11}|{score.precision:10.2f} |{score.recall:10.2f} |{score.f1:10.2f} |{shown}"
        )
    return "\n".join(lines)


def side_by_side(results: Sequence[Comparison]) -> str:
    """Give a line for each measure and a column for each system (F1, where words differ)."""
    names = [result.system.path for result in results]
    width = max(map(len, names))
    lines = [" " * 15 + "  ".join(f"{name:>{max(width, 7)}}" for name in names)]
    for measure in results[0].measures:
        shown = (f"{result.measures[measure].f1:{max(width, 7)}.2f}" for result in results)
        lines.append(f"{measure:15}" + "  ".join(shown))
    return "\n".join(lines)


def breakdown_table(title: str, parts: dict[str, Score]) -> str:
    """Give a line for each label, distance or length."""
    width = max([len(title), *map(len, parts)])
    lines = [f"{title:{width}}  precision  recall     F1    gold  system"]
    for name, score in parts.items():
        lines.append(
            f"{name:{width}}  {score.precision:9.2f}  {score.recall:6.2f} {score.f1:6.2f} "
            f"{score.gold:7}  {score.system:6}"
        )
    return "\n".join(lines)


def difference_line(first: str, second: str, found: Difference) -> str:
    """Say by how much the second system is better than the first, and what that is worth."""
    verdict = "significant" if found.significant else "not significant"
    chance = f"p = {found.p:.4f}" if found.p >= 0.0001 else "p < 0.0001"
    return (
        f"{found.measure}: {second} against {first}: {found.points:+.2f} points "
        f"(95% interval {found.low:+.2f} to {found.high:+.2f}), {chance}: {verdict}"
    )


def as_json(score: Score) -> dict[str, Any]:
    """Give a score as a dictionary of what can be printed."""
    return {
        "correct": score.correct,
        "gold": score.gold,
        "system": score.system,
        "aligned": score.aligned,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
    }

"""Accuracy against parsing speed, and against training time: two pictures of what was measured.

    python -m bench.pictures docs/results/peers.json -o docs/results/

From what `bench.peers -o` writes: LAS on test, words a second from file to file, and the CPU time
of the training. The same results make the same files, to the byte.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PICTURES = {  # name: (key, what is on the axis)
    "accuracy-speed": ("file_words_per_second", "words a CPU-second, file to file"),
    "accuracy-training": ("train_seconds", "training, CPU-seconds"),
}
OURS, THEIRS, INK = "#0b6e4f", "#c8553d", "#222222"
PLACES = [  # of a label beside its point: shift in points, and how the text is aligned
    ((8, 0), "left", "center"),
    ((-8, 0), "right", "center"),
    ((0, 8), "center", "bottom"),
    ((0, -8), "center", "top"),
    ((7, 7), "left", "bottom"),
    ((7, -7), "left", "top"),
    ((-7, 7), "right", "bottom"),
    ((-7, -7), "right", "top"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, help="JSON that bench.peers has written")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for the pictures")
    options = parser.parse_args()
    report = json.loads(options.results.read_text(encoding="utf-8"))
    for path in draw(report, options.output):
        print(path)


def draw(report: dict[str, Any], folder: Path) -> list[Path]:
    """Draw both pictures; give the files."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    looks = {"svg.hashsalt": "rollin", "font.size": 9, "text.color": INK, "axes.labelcolor": INK}
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, (key, meaning) in PICTURES.items():
        path = folder / f"{name}.svg"
        with matplotlib.rc_context(looks):
            figure, axes = pyplot.subplots(figsize=(6.0, 3.6))
            points = [(label(r), r[key], r["test_las"], is_ours(r)) for r in report["results"]]
            _scatter(axes, points)
            axes.set_xlabel(f"{meaning} (logarithmic)")
            axes.set_ylabel("LAS on test, %")
            axes.set_title(report["treebank"], fontsize=9)
            figure.tight_layout()
            _name(figure, axes, points)
            figure.savefig(path, facecolor="white", metadata={"Date": None})
            pyplot.close(figure)
        paths.append(path)
    return paths


def label(result: dict[str, Any]) -> str:
    """What a point is called: the parser's name, and where it was trained less than it asks for."""
    name = result["name"].removesuffix(", roll-outs: none")
    return f"{name}*" if result.get("note") else name


def is_ours(result: dict[str, Any]) -> bool:
    return result["peer"].startswith("rollin")


Point = tuple[str, float, float, bool]


def _scatter(axes: Any, points: Sequence[Point]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    for _, x, y, ours in points:
        axes.plot([x], [y], "o", color=OURS if ours else THEIRS, markersize=6)
    values = [x for _, x, _, _ in points]
    axes.set_xlim(min(values) / 2, max(values) * 2)
    axes.margins(y=0.15)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _name(figure: Any, axes: Any, points: Sequence[Point]) -> None:
    """Write every name beside its point, at the first place where nothing stands yet."""
    renderer = figure.canvas.get_renderer()
    inside = axes.get_window_extent(renderer)
    taken = [_around(*axes.transData.transform((x, y))) for _, x, y, _ in points]
    for name, x, y, ours in points:
        color = OURS if ours else THEIRS
        text = axes.annotate(name, (x, y), xytext=(0, 0), textcoords="offset points", color=color)
        for shift, across, down in [*PLACES, PLACES[0]]:  # where none is free: the first
            text.set(position=shift, horizontalalignment=across, verticalalignment=down)
            box = text.get_window_extent(renderer)
            fits = inside.x0 <= box.x0 and box.x1 <= inside.x1
            if fits and not any(box.overlaps(other) for other in taken):
                break
        taken.append(box)


def _around(x: float, y: float) -> Any:
    from matplotlib.transforms import Bbox

    return Bbox([[x - 4, y - 4], [x + 4, y + 4]])


if __name__ == "__main__":
    main()

"""Does certainty find errors? Words of a parsed file, the least certain first.

    python -m bench.certainty english.rollin path/to/UD_English-EWT/dev.conllu \\
        --plot docs/results/certainty.svg

A head with its label is as certain as both together. First: if one looks at so many of the words,
the least certain first, how many of all errors does one see? Then: of the words with about that
certainty, how many are right (calibration), and by how much the two differ on average. Punctuation
counts.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

import rollin
from bench.setting import setting

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
BINS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("file", type=Path, help="sentences with the right trees")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--plot", type=Path, help="where to draw (SVG)")
    options = parser.parse_args()
    print(f"# Certainty\n\n{setting()}")
    trained = rollin.Parser.load(options.model)
    found = {beam: certainties(trained, options.file, beam) for beam in options.beams}
    finding(found)
    for beam, (sure, right) in found.items():
        calibration(f"beam {beam}" if beam > 1 else "greedy", sure, right)
    if options.plot:
        draw(found, options.plot)


def certainties(trained: rollin.Parser, file: Path, beam: int) -> tuple[np.ndarray, np.ndarray]:
    """Give for every word how certain head and label are, and whether both are right."""
    with tempfile.TemporaryDirectory() as folder:
        parsed = Path(folder) / "parsed.conllu"
        trained.parse_file(file, parsed, beam=beam, certainty=True)
        pairs = zip(rollin.read(file), rollin.read(parsed), strict=True)
        words = [both for one, other in pairs for both in zip(one, other, strict=True)]
    sure = [
        float(ours.extras["HeadCertainty"]) * float(ours.extras["LabelCertainty"])
        for _, ours in words
    ]
    right = [gold.head == ours.head and gold.deprel == ours.deprel for gold, ours in words]
    return np.array(sure), np.array(right)


def curve(sure: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Give which part of all errors is among the 1, 2, 3, ... least certain words."""
    wrong = ~right[np.argsort(sure, kind="stable")]
    return np.cumsum(wrong) / max(wrong.sum(), 1)


def finding(found: dict[int, tuple[np.ndarray, np.ndarray]]) -> None:
    print("## Errors found by looking at the least certain words\n")
    names = [f"beam {beam}" if beam > 1 else "greedy" for beam in found]
    print(f"| words looked at | at random | {' | '.join(names)} |")
    print("|---:|---:" + "|---:" * len(found) + "|")
    for share in SHARES:
        cells = []
        for sure, right in found.values():
            seen = curve(sure, right)
            cells.append(f"{100 * seen[int(share * len(seen)) - 1]:.1f}%")
        print(f"| {100 * share:.0f}% | {100 * share:.0f}% | {' | '.join(cells)} |")


def calibration(name: str, sure: np.ndarray, right: np.ndarray) -> None:
    print(f"\n## Calibration: {name}\n")
    print("| certainty | words | certainty, mean | right |\n|---|---:|---:|---:|")
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    error = 0.0
    for number in range(BINS):
        here = place == number
        if here.any():
            mean, truth = sure[here].mean(), right[here].mean()
            error += here.mean() * abs(mean - truth)
            print(
                f"| {number / BINS:.1f} to {(number + 1) / BINS:.1f} | {here.sum():,} "
                f"| {100 * mean:.1f}% | {100 * truth:.1f}% |"
            )
    print(
        f"\nOn average certainty is {100 * error:.1f} points off. Right: {100 * right.mean():.1f}%."
    )


def draw(found: dict[int, tuple[np.ndarray, np.ndarray]], path: Path) -> None:
    """Draw the curve and the calibration."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "rollin"
    from matplotlib import pyplot

    figure, (left, right_axes) = pyplot.subplots(1, 2, figsize=(8, 3.5))
    for beam, (sure, right) in found.items():
        name = f"beam {beam}" if beam > 1 else "greedy"
        seen = curve(sure, right)
        thin = np.linspace(0, len(seen) - 1, 200).astype(int)
        left.plot(100 * (thin + 1) / len(seen), 100 * seen[thin], label=name)
        place = np.minimum((sure * BINS).astype(int), BINS - 1)
        filled = [n for n in range(BINS) if (place == n).any()]
        right_axes.plot(
            [100 * sure[place == n].mean() for n in filled],
            [100 * right[place == n].mean() for n in filled],
            "o-",
            label=name,
        )
    for axes in (left, right_axes):
        axes.plot([0, 100], [0, 100], ":", color="grey")
        axes.legend(fontsize="small")
    left.set_xlabel("% of words looked at, the least certain first")
    left.set_ylabel("% of all errors seen")
    right_axes.set_xlabel("certainty, %")
    right_axes.set_ylabel("right, %")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    print(f"\n![errors found, and calibration]({path.name})")


if __name__ == "__main__":
    main()

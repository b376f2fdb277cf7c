"""The README's table and pictures, of what bench.peers has written.

    python -m bench.short docs/results/peers.json --into README.md

Prints them in Markdown, or puts them between the two lines of the file that hold a place for them.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from bench.peers.aims import aims

BEGIN, END = "<!-- results of bench.short -->", "<!-- end of results -->"
COLUMNS = [  # heading, key, format
    ("UAS", "test_uas", "{:.1f}"),
    ("LAS", "test_las", "{:.1f}"),
    ("words/s", "file_words_per_second", "{:,.0f}"),
    ("training, s", "train_seconds", "{:,.0f}"),
    ("model, MB", "model_mb", "{:,.1f}"),
    ("memory, MB", "parse_peak_mb", "{:,.0f}"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, help="JSON that bench.peers has written")
    parser.add_argument("--into", type=Path, help="a file that holds a place for them")
    options = parser.parse_args()
    report = json.loads(options.results.read_text(encoding="utf-8"))
    folder = options.results.resolve().parent
    if options.into is None:
        print(short(report, options.results.parent.as_posix()))
        return
    below = folder.relative_to(options.into.resolve().parent).as_posix()
    text = options.into.read_text(encoding="utf-8")
    options.into.write_text(put(text, short(report, below)), encoding="utf-8")


def short(report: dict[str, Any], folder: str) -> str:
    """Give table, pictures and what made them; the pictures are in a folder."""
    results = sorted(report["results"], key=lambda result: -result["test_las"])
    machine = report["machine"]
    lines = [
        f"On the test set of {report['treebank']}, gold tokens and tags, one thread each. Times "
        "are CPU-seconds; speed and memory are those of parsing from file to file:",
        "",
        f"| | {' | '.join(heading for heading, _, _ in COLUMNS)} |",
        "|---|" + "---:|" * len(COLUMNS),
        *(
            f"| {_name(r)} | {' | '.join(form.format(r[key]) for _, key, form in COLUMNS)} |"
            for r in results
        ),
        "",
        *(rf"\* {r['name']}: {r['note']}." for r in results if r.get("note")),
        *([""] if any(r.get("note") for r in results) else []),
        *aims(report["results"]),
        f"![LAS against parsing speed]({folder}/accuracy-speed.svg)",
        f"![LAS against training time]({folder}/accuracy-training.svg)",
        "",
        *(f"    {command}" for command in sorted({r["command"] for r in results})),
        "",
        f"Commit {', '.join(sorted({r['commit'] for r in results}))}, on {machine['cpu']}, "
        f"{machine['cores']} cores; settings, dev scores and what else was measured: "
        f"[all parsers]({folder}/peers.md), [all results]({folder}/README.md).",
    ]
    return "\n".join(lines)


def put(text: str, results: str) -> str:
    """Put results between the two lines that hold a place for them."""
    place = re.compile(f"^{re.escape(BEGIN)}$.*?^{re.escape(END)}$", re.MULTILINE | re.DOTALL)
    if not place.search(text):
        raise SystemExit(f"expected the lines {BEGIN} and {END}, found no such place")
    return place.sub(lambda _: f"{BEGIN}\n\n{results}\n\n{END}", text)


def _name(result: dict[str, Any]) -> str:
    star = r"\*" if result.get("note") else ""
    name = result["name"].removesuffix(", roll-outs: none")
    return f"**{name}**" if result["peer"].startswith("rollin") else f"{name}{star}"


if __name__ == "__main__":
    main()

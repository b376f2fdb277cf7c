"""Every parser that can be installed and trained, side by side on one treebank.

    python -m bench.peers --treebank path/to/UD_English-EWT --peers vw udpipe spacy -o results.json

Prints a table in Markdown; `-o` writes it beside the JSON, under the same name with `.md`. Both are
written anew after every peer. One thread each; a peer that is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from bench.peers import PEERS, PeerMissing, measure
from bench.peers.aims import aims
from bench.setting import commit

COLUMNS = [  # heading, key, format
    ("dev UAS", "dev_uas", "{:.2f}"),
    ("dev LAS", "dev_las", "{:.2f}"),
    ("test UAS", "test_uas", "{:.2f}"),
    ("test LAS", "test_las", "{:.2f}"),
    ("training, CPU s", "train_seconds", "{:,.0f}"),
    ("passes", "train_passes", "{:.3g}"),
    ("a pass, CPU s", "train_seconds_per_pass", "{:,.1f}"),
    ("training, peak MB", "train_peak_mb", "{:,.0f}"),
    ("parse only, words/CPU s", "parse_words_per_second", "{:,.0f}"),
    ("file to file, words/CPU s", "file_words_per_second", "{:,.0f}"),
    ("start, load, first sentence, CPU s", "load_seconds", "{:.2f}"),
    ("parsing, peak MB", "parse_peak_mb", "{:,.0f}"),
    ("model, MB", "model_mb", "{:,.1f}"),
]
NOTES = """\
UAS and LAS in percent, gold tokens and tags, punctuation left out, whole labels; chosen on dev.
Times are CPU time, user and system, of one process on one thread. *Training* is that of the whole
process: reading, all passes, saving, and what the tool itself does on dev. *Parse only* has the
sentences in memory in the tool's own form; *file to file* is CoNLL-U to CoNLL-U, everything
included but starting the process, loading the model and parsing a first sentence, which stand in a
column of their own.
"""


def main() -> None:
    options = _options()
    treebank = options.treebank.resolve().name
    report = {"treebank": treebank, "machine": _machine(), "results": [], "missing": {}}
    if options.keep and options.output and options.output.exists():
        report = json.loads(options.output.read_text(encoding="utf-8"))
        if report["treebank"] != treebank:
            raise SystemExit(f"{options.output} is about {report['treebank']}, not {treebank}")
    settings = _settings(options.set)
    for name in options.peers:
        report["missing"].pop(name, None)
        try:
            result = _measured(name, options, settings.get(name, {}))
        except PeerMissing as missing:
            report["missing"][name] = str(missing)
            print(f"{name} is left out: {missing}", file=sys.stderr)
        else:
            others = [other for other in report["results"] if other["peer"] != name]
            report["results"] = [*others, result]
            print(f"{name}: test LAS {result['test_las']:.2f}", file=sys.stderr)
        if options.output:
            _write(options.output, json.dumps(report, indent=2) + "\n")
            _write(options.output.with_suffix(".md"), markdown(report))
    print(markdown(report))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.peers", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--treebank", required=True, type=Path, help="folder of {train,dev,test}.conllu"
    )
    parser.add_argument(
        "--peers",
        nargs="+",
        default=["vw", "udpipe", "spacy"],
        choices=list(PEERS),
        metavar="PEER",
        help=f"which, of {', '.join(PEERS)}; by default vw udpipe spacy",
    )
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="PEER.NAME=VALUE",
        help="a setting of a peer's `measure`, as JSON or text: vw.bits=28 spacy.max_steps=5000",
    )
    parser.add_argument("--quick", action="store_true", help="as little training as there can be")
    parser.add_argument("--work", type=Path, help="keep models and parsed files in this folder")
    parser.add_argument(
        "--reuse", action="store_true", help="don't train again what the --work folder has"
    )
    parser.add_argument(
        "--keep", action="store_true", help="keep what the output file has of other peers"
    )
    parser.add_argument("-o", "--output", type=Path, help="write JSON here, and Markdown beside it")
    options = parser.parse_args()
    for part in ("train", "dev", "test"):
        path = options.treebank / f"{part}.conllu"
        if not path.is_file():
            raise SystemExit(f"there is no {path}: a treebank is a folder of train, dev and test")
    return options


def _measured(name: str, options: argparse.Namespace, settings: dict) -> dict:
    """The peer's results, with what made them and when."""
    made = {
        "command": _command(options),
        "commit": commit(),
        "date": datetime.datetime.now().isoformat(timespec="minutes"),
    }
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        work = options.work / name if options.work else Path(folder)
        how = {"quick": options.quick, "reuse": options.reuse, **settings}
        result = measure(name, options.treebank, work=work, **how)
    return {"peer": name, **result, **made, "load": [load, os.getloadavg()[0]]}


def markdown(report: dict) -> str:
    headings = ["parser", *(heading for heading, _, _ in COLUMNS)]
    rows = [
        [
            f"{r['name']}{_less(r)} ({r['version']})",
            *(form.format(r[key]) for _, key, form in COLUMNS),
        ]
        for r in report["results"]
    ]
    table = [headings, ["---", *["---:"] * len(COLUMNS)], *rows]
    machine = report["machine"]
    lines = [
        f"# Parsers on {report['treebank']}",
        "",
        *("| " + " | ".join(row) + " |" for row in table),
        "",
        NOTES,
        *aims(report["results"]),
        "Settings:",
        "",
        *(
            f"- {r['name']}{_less(r)}: `{json.dumps(r['settings'])}` `{json.dumps(r['training'])}`"
            + (f" \\* **{r['note']}**" if r.get("note") else "")
            for r in report["results"]
        ),
        *(f"- left out: {name}, {why}" for name, why in report["missing"].items()),
        "",
        f"{machine['cpu']} ({machine['cores']} cores), Python {machine['python']},"
        f" {machine['system']}. Made by (in brackets the load of the machine when it began"
        " and ended; behind it commit and load of the training):",
        "",
        *(
            f"    {r['command']}  # {r['date']}, {r['commit']}, {r['name']}"
            + " [{:.1f}, {:.1f}]".format(*r["load"])
            + " {commit} [{load[0]:.1f}, {load[1]:.1f}]".format(**r["trained"])
            for r in report["results"]
        ),
        "",
    ]
    return "\n".join(lines)


def _less(result: dict) -> str:
    """A star for a parser that was trained in another way than it is by itself."""
    return r"\*" if result.get("note") else ""


def _settings(pairs: list[str]) -> dict[str, dict]:
    settings: dict[str, dict] = {}
    for pair in pairs:
        target, _, value = pair.partition("=")
        peer, _, name = target.partition(".")
        if not (peer in PEERS and name and value):
            raise SystemExit(f"--set takes PEER.NAME=VALUE with one of the peers, not {pair}")
        try:
            settings.setdefault(peer, {})[name] = json.loads(value)
        except json.JSONDecodeError:
            settings.setdefault(peer, {})[name] = value
    return settings


def _command(options: argparse.Namespace) -> str:
    """What was typed, with the treebank's name in place of a path of this machine."""
    words = ["python -m bench.peers --treebank", options.treebank.resolve().name]
    words += ["--peers", *options.peers]
    words += ["--set", *options.set] if options.set else []
    words += ["--quick"] if options.quick else []
    words += ["--work", options.work.name] if options.work else []
    words += ["--reuse"] if options.reuse else []
    words += ["--keep"] if options.keep else []
    return " ".join(words + (["-o", options.output.name] if options.output else []))


def _machine() -> dict:
    names = [platform.processor() or platform.machine()]
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        names = [
            line.split(":")[1].strip() for line in lines if line.startswith("model name")
        ] or names
    return {
        "cpu": names[0],
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    main()

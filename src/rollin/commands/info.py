"""`rollin info`: what a model file is."""

import argparse
import json
from pathlib import Path
from typing import Any

EXAMPLES = """\
examples:
  rollin info english.rollin
  rollin info --json english.rollin
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument("model", metavar="MODEL", help="a model, or an unfinished training")
    parser.add_argument("--json", action="store_true", help="write JSON, with all there is")


def run(arguments: argparse.Namespace) -> int:
    """Say what is in a file."""
    from rollin.training import storage

    described, arrays = storage.load(arguments.model, None)
    described["bytes"] = Path(arguments.model).stat().st_size
    described["arrays"] = {name: list(array.shape) for name, array in arrays.items()}
    print(json.dumps(described, indent=2) if arguments.json else _words(described))
    return 0


def _words(described: dict[str, Any]) -> str:
    facts, schema = described["facts"], described["schema"]
    learner = dict(described["learner"])
    name = learner.pop("name")
    lines = {
        "kind": f"{described['kind']} of task {schema['task']!r}, by {described['made by']}",
        "size": f"{described['bytes'] / 1e6:.1f} MB in {len(described['arrays'])} arrays",
        "looks at": ", ".join(described["columns"]) + f" in {len(schema['slots'])} slots",
        "decides": "; ".join(
            f"{kind} ({len(actions)} actions)" for kind, actions in schema["decisions"].items()
        ),
        "learner": f"{name} " + " ".join(f"{key}={value}" for key, value in learner.items()),
        "reduction": f"{described['reduction']}, costs {described['scaling']}",
        "method": facts.get("method", ""),
        "trained": f"{facts['passes']} passes (best: {facts['best pass']}) over "
        f"{facts['examples']:,} examples, seed {described['seed']}"
        if "passes" in facts
        else f"unfinished, in pass {facts['epoch'] + 1}",
    }
    if "parser" in facts:
        about = facts["parser"]
        treebank = about["treebank"]
        lines["parser"] = (
            f"{about['system']}, labels {about['labels']}, "
            f"{'several roots' if about['several roots'] else 'one root'}"
        )
        lines["treebank"] = (
            f"{treebank['sentences']:,} sentences, {treebank['words']:,} words, "
            f"{100 * treebank['crossing']:.1f}% of the sentences with crossing arcs, "
            f"{len(about['label names'])} labels"
        )
    if facts.get("scores"):
        lines["on dev"] = ", ".join(f"{key} {value:.2f}" for key, value in facts["scores"].items())
    width = max(map(len, lines))
    return "\n".join(f"{key:<{width}}  {value}" for key, value in lines.items())

"""Dependency parsers that can be installed and trained, measured the same way beside rollin.

    python -m bench.peers --treebank path/to/UD_English-EWT -o results.json

A peer is a module with

    measure(folder, *, work: Path, quick: bool = False, reuse: bool = False, **settings) -> dict

which trains on `train.conllu` of the folder, chooses on `dev.conllu`, parses `dev` and `test`, and
returns what measuring.py's `measure_peer` returns, with `name` and `version`. Files go into `work`,
among them `dev.parsed.conllu` and `test.parsed.conllu`. One that is not installed raises
`PeerMissing`. To add one, write the function and a line of `PEERS`.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path

SGD = "sgd rate=0.05 bits=22 average"
SGD_PLUS = "sgd+ bits=22 average"
NN = "nn bits=21"
NN_FTRL = "nn+ftrl bits=21"


def _sparse(learner: str, reduction: str | None = None) -> tuple[str, dict]:
    """rollin's sparse parser with another base learner, and only the columns that VW is given.

    Costs are 0 and 1, as VW learns them; without a reduction it is the preset's, softmax.
    """
    settings: dict = {"preset": "sparse", "learner": learner, "passes": 7}
    settings["use"] = ["form", "upos", "xpos"]
    if reduction is not None:
        settings["method"] = f"dagger reduction={reduction} scaling=binary"
    settings["name"] = f"rollin, sparse, {learner.split()[0]}, {reduction or 'softmax'}"
    return "bench.peers.rollin_parser", settings


# name: (module, settings); later settings of the same module are variants of it
PEERS: dict[str, tuple[str, dict]] = {
    "vw": ("bench.peers.vw_parser", {}),
    "vw-ref": ("bench.peers.vw_parser", {"rollout": "ref"}),
    "vw-sgd": ("bench.peers.vw_parser", {"learner": "sgd"}),
    "vw-nn-ftrl": ("bench.peers.vw_parser", {"learner": "nn+ftrl"}),
    "vw-demo": (
        "bench.peers.vw_parser",
        {
            "name": "Vowpal Wabbit, as in its demo",
            "learner": "nn+ftrl",
            "rollout": "ref",
            "passes": 3,
            "flags": "--search_rollin mix_per_roll --search_alpha 1e-5 --search_no_caching",
        },
    ),
    "rollin-fast": ("bench.peers.rollin_parser", {"preset": "fast"}),
    "rollin-default": ("bench.peers.rollin_parser", {"preset": "default"}),
    "rollin-accurate": ("bench.peers.rollin_parser", {"preset": "accurate"}),
    "rollin-sparse": ("bench.peers.rollin_parser", {"preset": "sparse"}),
    "rollin-sparse-beam": ("bench.peers.rollin_parser", {"preset": "sparse", "beam": 8}),
    "rollin-sgd": _sparse(SGD),
    "rollin-sgd-plus": _sparse(SGD_PLUS, "onesided"),
    "rollin-nn": _sparse(NN, "onesided"),
    "rollin-nn-ftrl": _sparse(NN_FTRL, "onesided"),
    "rollin-nn-ftrl-multiclass": _sparse(NN_FTRL, "multiclass"),
    "udpipe": ("bench.peers.udpipe", {}),
    "spacy": ("bench.peers.spacy_parser", {}),
}


class PeerMissing(Exception):
    """The package of a peer is not installed."""


def require(package: str) -> None:
    try:
        found = find_spec(package) is not None
    except ModuleNotFoundError:  # of the package above a dotted name
        found = False
    if not found:
        raise PeerMissing(
            f"the package {package} is not installed: pip install {package},"
            " or everything for the benchmarks: pip install 'rollin[bench]'"
        )


def measure(
    name: str, folder: Path, *, work: Path, quick: bool = False, reuse: bool = False, **settings
) -> dict:
    """Measure the peer that `PEERS` has under `name`."""
    if name not in PEERS:
        raise ValueError(f"no peer is called {name}; there are {', '.join(PEERS)}")
    module, own = PEERS[name]
    return importlib.import_module(module).measure(
        folder, work=work, quick=quick, reuse=reuse, **{**own, **settings}
    )

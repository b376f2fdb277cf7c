"""Imports go down the layers, never up; and what users import first stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rollin

ROOT = Path(rollin.__file__).parent

# From the ground up. A module may import from its own layer and from those before it.
LAYERS = (
    ("errors",),
    ("output", "native"),
    ("conll", "decisions"),
    ("learners", "evaluation"),
    ("compiler",),
    ("training",),
    ("tasks", "parser", "demo"),
    ("commands", "cli", "__main__"),
)
SIDE_BY_SIDE = {
    ("output", "native"),
    ("native", "output"),
    ("conll", "decisions"),
    ("decisions", "conll"),
    ("tasks", "parser"),
    ("learners", "evaluation"),
    ("evaluation", "learners"),
}

MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def layer_of(part: str) -> int:
    found = [number for number, parts in enumerate(LAYERS) if part in parts]
    assert found, f"rollin/{part} belongs to no layer: give it a place in LAYERS"
    return found[0]


def imported(path: Path) -> set[str]:
    """Give the parts of rollin that a module imports, wherever in it."""
    parts = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [node.module] if node.module != "rollin" else []
            if node.module == "rollin":
                names = [f"rollin.{each.name}" for each in node.names]
        parts |= {name.split(".")[1] for name in names if name.startswith("rollin.")}
    return parts


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_go_down(path):
    own = path.parts[0].removesuffix(".py")
    if own == "__init__":
        assert imported(path) == set()
        return
    for part in imported(path) - {own, "__version__"}:
        assert layer_of(part) <= layer_of(own), f"{path} imports rollin.{part}, which is above it"
        assert (own, part) not in SIDE_BY_SIDE, f"{path} imports rollin.{part}, which is beside it"


def test_importing_rollin_loads_nothing_heavy():
    code = "import sys, rollin; print([m for m in ('numpy', 'numba', 'tqdm') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"

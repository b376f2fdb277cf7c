"""The paper's table of lines: what the labelled arc-hybrid parser is made of.

    python -m bench.loc

Counted is what the parser of the paper is: decoder, reference, features and set-up, labelled,
arc-hybrid. Of each function all lines count, but for blank lines, comments and what stands in
quotes to explain it; lines outside of functions (imports, names, templates) are set-up. The other
systems and ways of choosing, templates beyond the paper's, reading, writing and the command line
are not part of it, as the paper's reader, learners and command line are Vowpal Wabbit's.
"""

import ast
import io
import tokenize
from pathlib import Path

import rollin
from bench.setting import setting

PARTS = {
    "set-up": 90,
    "what is allowed": 17,
    "features": 86,
    "costs (the reference)": 41,
    "transitions": 28,
    "decoder": 40,
}
"""The parts and, for comparison, the lines of the paper's, in C++."""

SETUP, ALLOWED, FEATURES, COSTS, TRANSITIONS, DECODER = PARTS
LINES = {
    "sentence.py": {"": SETUP, "Sentence": SETUP},
    "arc_hybrid.py": {
        "": SETUP, "arc_hybrid": DECODER, "up_to": FEATURES, "allow": ALLOWED, "cost": COSTS,
        "forgive_root": COSTS,
    },
    "choosing.py": {
        "": SETUP, "after": DECODER, "ask_with_costs": DECODER, "doubt": DECODER,
        "leave_cheapest": ALLOWED, "fitting_labels": ALLOWED, "weigh_labels": COSTS,
        "loss_of": DECODER,
    },
    "tree.py": {"": SETUP, "empty_tree": SETUP, "attach": TRANSITIONS, "place_of": FEATURES},
    "view.py": {"": FEATURES, "see": FEATURES},
    "templates.py": {"templates_from": SETUP, "fitting": SETUP, "_names": SETUP},
    "systems.py": {"": SETUP, "System": SETUP, "parser_task": SETUP},
}  # fmt: skip
"""What belongs to it, file by file; "" are the lines outside of functions and classes."""


def counted() -> dict[str, int]:
    """Count the lines of every part."""
    folder = Path(rollin.__file__).parent / "parser"
    found = dict.fromkeys(PARTS, 0)
    for name, parts in LINES.items():
        source = (folder / name).read_text(encoding="utf-8")
        lines = code_lines(source)
        outside = set(lines)
        for node in ast.parse(source).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                own = {n for n in lines if first_line(node) <= n <= (node.end_lineno or 0)}
                outside -= own
                if node.name in parts:
                    found[parts[node.name]] += len(own)
        missing = set(parts) - {""} - names(source)
        if missing:
            raise SystemExit(f"{name} has no {', '.join(missing)}: bench/loc.py is out of date")
        if "" in parts:
            found[parts[""]] += len(outside)
    return found


def main() -> None:
    found = counted()
    print(f"# Lines of code\n\n{setting()}")
    print("| | rollin (Python) | the paper (C++) |\n|---|---:|---:|")
    for part, theirs in PARTS.items():
        print(f"| {part} | {found[part]} | {theirs} |")
    total = sum(found.values())
    print(f"| together | {total} | 331 |")
    print(f"\nNo more than 300 lines: {'reached' if total <= 300 else 'MISSED'}.")
    print("(The parts of the paper's table make 302; the sum printed there is 331.)")


def names(source: str) -> set[str]:
    """Name the functions and classes of a file."""
    return {n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef | ast.ClassDef)}


def first_line(node: ast.FunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def code_lines(source: str) -> list[int]:
    """Give the numbers of the lines that have code."""
    found: set[int] = set()
    explained = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    return sorted(found - explained)


_NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip


if __name__ == "__main__":
    main()

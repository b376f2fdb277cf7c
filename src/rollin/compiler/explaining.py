"""Why a decoder can't be compiled, in the user's terms: which line, what is wrong with it."""

import inspect
import linecache
import re
from collections.abc import Callable
from pathlib import Path

import numba

from rollin.decisions.schema import Schema

_NOT_THEIRS = (Path(__file__).parent.parent, Path(numba.__file__).parent)

# What numba says, and what that means to someone who wrote a decoder.
_MEANINGS = (
    (r"(?:\w+: )?(.* has no \w+ named .*)", r"\1"),
    (
        r"Unknown attribute '(\w+)' of type search of .*",
        r"the search has no '\1'. Its calls are look, note, predict and loss; len(search) and "
        "search.needs_reference tell about it",
    ),
    (
        r"Unknown attribute '(\w+)' of type record\((.*)\)",
        r"the example has no field '\1' that native code can hold. It has: \2",
    ),
    (r"Unknown attribute '(\w+)' of type (.*)", r"\2 has no attribute '\1'"),
    (
        r"Cannot unify (.*) and (.*) for '(\w+?)(?:\.\d+)?', defined at .*",
        r"the variable '\3' is \1 on one way and \2 on another; it must be of one type",
    ),
    (r"(?:\w+: )?(.* must be written out as text.*)", r"\1"),
    (r"(?:\w+Error: )?(name '.*' is not defined)", r"the \1"),
    (r"Untyped global name '(\w+)'.*", r"native code can't use the global name '\1'"),
)
_TYPES = ((r"Literal\[str\]\((.*?)\)", r"the text '\1'"), (r"Literal\[\w+\]\((.*?)\)", r"\1"))
_NOISE = ("During:", "File ", "Failed in", "^", "raised from", "<source", "This error", "For more")


def explain(problem: Exception, function: Callable, schema: Schema) -> str:
    """Say in the user's terms what can't be compiled, and where."""
    # without colours, and without the digests in names of functions
    text = re.sub(r"\x1b\[[0-9;]*m|_[0-9a-f]{24}\b", "", str(problem))
    place, line = _where(text, problem, function)
    source = linecache.getline(place, line).strip()
    return (
        f"task {schema.task!r} can't be compiled: {place}, line {line}:\n"
        f"    {source}\n{_reason(text)}\n"
        "Native code takes numbers, arrays, tuples and functions of these. Mend the line, or run "
        "the task as plain Python with compiled=False (slower, and any Python will do)."
    )


def _where(text: str, problem: Exception, function: Callable) -> tuple[str, int]:
    """Find the innermost line of the user's own."""
    places = re.findall(r"\bat (\S.*?) \((\d+)\)", text)
    location = getattr(problem, "loc", None)
    if location is not None:
        places.append((location.filename, location.line))
    for path, line in places:
        if not any(Path(path).is_relative_to(folder) for folder in _NOT_THEIRS):
            return path, int(line)
    code = function.__code__
    return inspect.getsourcefile(function) or code.co_filename, code.co_firstlineno


def _reason(text: str) -> str:
    """Pick out of numba's message what is wrong, and put it into words."""
    lines = [line.strip() for line in text.splitlines()]
    telling = [line for line in lines if line and not line.startswith(_NOISE)]
    for pattern, meaning in _MEANINGS:
        for line in telling:
            if re.fullmatch(pattern, line):
                return _plain_types(re.sub(pattern, meaning, line))
    return _plain_types("\n".join(telling[:3]))


def _plain_types(text: str) -> str:
    for pattern, meaning in _TYPES:
        text = re.sub(pattern, meaning, text)
    return text

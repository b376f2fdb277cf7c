"""The code in README.md and docs/*.md runs, and prints what stands below it."""

import contextlib
import io
import linecache
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONG = ("docs/parser.md",)  # they train parsers and search with beams: minutes as plain Python
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """The blocks of code of a page: what they are in, their text, the line they begin at."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found[1], found[2], text.count("\n", 0, found.start()) + 1


def name_of(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.long] * (name_of(page) in LONG), id=name_of(page))
        for page in PAGES
    ],
)
def test_code_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    """Blocks run in order, as one program; a block of text shows what the last one printed."""
    monkeypatch.chdir(tmp_path)
    names, printed = {"__name__": __name__}, ""
    for language, code, line in blocks(page):
        if language == "python":
            place = f"{page.name}, the block at line {line}"
            linecache.cache[place] = (len(code), None, code.splitlines(keepends=True), place)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, place, "exec"), names)
            printed = out.getvalue()
        elif language == "text":
            assert printed == code, f"{page.name}, line {line}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("#"):
            assert link[1:] in headings, link
        elif not link.startswith(("http://", "https://")):
            assert (page.parent / link.partition("#")[0]).exists(), link

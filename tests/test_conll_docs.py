"""The page about CoNLL files: its examples are executed, its table of problems is generated.

python tests/test_conll_docs.py     writes the table anew
"""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from test_conll_checks import CASES, found_in

from rollin.cli import main
from rollin.conll.kinds import Kind
from rollin.conll.messages import name_of_kind

PAGE = Path(__file__).parent.parent / "docs" / "conll.md"
START = "<!-- the table is made by tests/test_conll_docs.py -->\n"


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    example = re.search(r"```conllu\n(.*?)```", text, re.S)[1]
    Path("example.conllu").write_text(example, encoding="utf-8")
    return text


def test_python_examples(page):
    examples = re.findall(r"```pycon\n(.*?)```", page, re.S)
    assert len(examples) >= 4
    test = doctest.DocTestParser().get_doctest("".join(examples), {}, "conll.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert not runner.summarize(verbose=False).failed


def test_console_examples(page, capsys):
    examples = re.findall(r"```console\n\$ rollin (.*?)\n(.*?)```", page, re.S)
    assert len(examples) >= 4
    for command, expected in examples:
        assert main(shlex.split(command)) == 0
        shown = capsys.readouterr()
        assert shown.out + shown.err == expected


def table():
    """Give a row for every kind: its name, and what its first example is told."""
    rows = ["| kind | | expected | how to mend it |", "|---|---|---|---|"]
    for kind in Kind:
        name = name_of_kind(kind)
        level = "error" if kind <= Kind.LAST_ERROR else "remark"
        if kind == Kind.TREE_NEEDED:
            expected, mend = "a tree, with numbers in HEAD", "(asked for by training, scoring)"
        else:
            data = next(case[1] for case in CASES if case[2] == name)
            problem = next(each for each in found_in(data) if each.kind == name)
            expected, mend = problem.expected, problem.mend
        cells = (each.replace("|", "\\|") for each in (f"`{name}`", level, expected, mend))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def test_the_table_of_problems_is_what_is_said(page):
    assert page.split(START)[1].split("\n\n")[0] + "\n" == table()


if __name__ == "__main__":
    before, after = PAGE.read_text(encoding="utf-8").split(START)
    rest = after.split("\n\n", 1)[1]
    PAGE.write_text(f"{before}{START}{table()}\n{rest}", encoding="utf-8")

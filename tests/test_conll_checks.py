"""Every kind of malformed input, and the message it gets."""

import io

import pytest

from rollin.conll.inspecting import check_blocks
from rollin.conll.kinds import Kind
from rollin.conll.messages import describe, name_of_kind
from rollin.conll.reading import read_blocks


def row(id, head="0", **fields):
    """A word's line; everything not given is in order."""
    label = "root" if head == "0" else "dep"
    values = dict(form="w", lemma="w", upos="X", xpos="_", feats="_", head=head, deprel=label,
                  deps="_", misc="_") | fields  # fmt: skip
    return "\t".join([id, *values.values()]) + "\n"


ONE = row("1") + "\n"
TWO = row("1") + row("2", "1")

# What is malformed, the kind it is, its line, and parts of the message: expected, found, mend.
CASES = [
    ("nine columns", "1\tw\tw\tX\t_\t_\t0\troot\t_\n\n",
     "columns", 1, "10 columns", "9 in `1\\tw", "one tab each"),
    ("a tab at the end", row("1")[:-1] + "\t\n\n",
     "columns", 1, "10 columns", "11 in", "tabs at the end"),
    ("additional columns", row("1")[:-1] + "\tx\ty\n\n",
     "columns", 1, "10 columns", "12 in", "CoNLL-U Plus"),
    ("CoNLL-2009", "\t".join(["1"] * 14) + "\n\n",
     "columns", 1, "10 columns", "14 in", "CoNLL-2009"),
    ("blind CoNLL-X", "1\tw\tw\tX\tX\t_\n\n",
     "columns", 1, "10 columns", "6 in", "HEAD to MISC"),
    ("a comment without its mark", "sent_id = 1\n" + ONE,
     "columns", 1, "10 columns", "1 in `sent_id = 1`", "begin it with `#`"),
    ("old Macintosh line ends", row("1").replace("\n", "\r") + row("2", "1").replace("\n", "\r"),
     "columns", 1, "10 columns", "19 in", "write line feeds"),
    ("tabs turned to spaces", row("1").replace("\t", "    ") + "\n",
     "spaces-for-tabs", 1, "separated by tabs", "spaces between them", "put tabs back"),
    ("one tab turned to spaces", row("1").replace("\t", "  ", 1) + "\n",
     "spaces-for-tabs", 1, "separated by tabs", "`1  w", "put tabs back"),
    ("a word for an ID", row("x") + "\n",
     "id", 1, "an ID, here 1", "`x`", "3 for a word"),
    ("ID 0", row("0") + "\n",
     "id", 1, "an ID, here 1", "`0`", "3 for a word"),
    ("leading zeros", row("1") + row("02", "1") + "\n",
     "id", 2, "an ID, here 2", "`02`", "no leading zeros"),
    ("a space after an ID", row("1 ") + "\n",
     "id", 1, "an ID, here 1", "`1 `", "3 for a word"),
    ("a negative ID", row("-1") + "\n",
     "id", 1, "an ID, here 1", "`-1`", "3 for a word"),
    ("an ID left out", row("1") + row("3", "1") + "\n",
     "id-order", 2, "ID 2", "`3`", "Number the words"),
    ("an ID twice", TWO + row("2", "1") + "\n",
     "id-order", 3, "ID 3", "`2`", "Number the words"),
    ("an ID too large for a number", row("99999999999999999999") + "\n",
     "id-order", 1, "ID 1", "`99999", "Number"),
    ("no blank line between sentences", TWO + ONE,
     "blank-line-missing", 3, "ID 3, or a blank line", "`1`", "blank line between"),
    ("half a range", row("1-") + TWO + "\n",
     "range", 1, "like 3-4", "`1-`", "Correct the range"),
    ("a range of words", row("1-b") + TWO + "\n",
     "range", 1, "like 3-4", "`1-b`", "Correct the range"),
    ("a reversed range", row("2-1") + TWO + "\n",
     "range-reversed", 1, "lower to a higher", "`2-1`", "Exchange"),
    ("a range too late", TWO + row("1-2", "_", deprel="_", upos="_", lemma="_") + "\n",
     "range-place", 3, "begins with 3", "`1-2`", "right before"),
    ("ranges that overlap", row("1-2") + row("1") + row("2-2") + row("2", "1") + "\n",
     "range-overlap", 3, "after 2", "`2-2`", "one range only"),
    ("a range past the end", row("1-5") + TWO + "\n",
     "range-end", 1, "words up to 2", "`1-5`", "words that are missing"),
    ("half an empty node", row("1") + row("1.", "_") + "\n",
     "empty-node", 2, "like 3.1", "`1.`", "Correct the ID"),
    ("an empty node too early", row("2.1", "_") + TWO + "\n",
     "empty-node-order", 1, "right after word n", "`2.1`", "in order"),
    ("an empty node left out", row("1") + row("1.2", "_") + "\n",
     "empty-node-order", 2, "right after word n", "`1.2`", "in order"),
    ("an empty form", row("1", form="") + "\n",
     "field-empty", 1, "something in FORM", "an empty field", "Write `_`"),
    ("an empty head", row("1", head="") + "\n",
     "field-empty", 1, "something in HEAD", "an empty field", "Write `_`"),
    ("an empty last column", row("1", misc="") + "\n",
     "field-empty", 1, "something in MISC", "an empty field", "Write `_`"),
    ("a word for a head", row("1", "root") + "\n",
     "head", 1, "a HEAD that is 0", "`root`", "number of the head"),
    ("a head with a decimal comma", row("1", "1,0") + "\n",
     "head", 1, "a HEAD that is 0", "`1,0`", "number"),
    ("a head with leading zeros", row("1") + row("2", "01") + "\n",
     "head", 2, "a HEAD that is 0", "`01`", "without zeros"),
    ("a negative head", row("1", "-1") + "\n",
     "head-negative", 1, "a HEAD that is 0", "`-1`", "number"),
    ("an empty node for a head", row("1") + row("1.1", "_", deprel="_") + row("2", "1.1") + "\n",
     "head-empty-node", 3, "a HEAD that is a word", "`1.1`, an empty node", "DEPS"),
    ("a head outside", row("1") + row("2", "7") + "\n",
     "head-outside", 2, "from 0 to 2", "`7`", "Correct the head"),
    ("a head far outside", row("1", "12345678901234567890") + "\n",
     "head-outside", 1, "from 0 to 1", "`1234567", "Correct"),
    ("a word that is its own head", row("1") + row("2", "2") + "\n",
     "head-self", 2, "another word", "`2`, the word itself", "right head"),
    ("some heads missing", row("1") + row("2", "_") + "\n",
     "head-missing", 2, "for every word or for none", "`_` in 1 words", "Add the heads"),
    ("a cycle of two", row("1") + row("2", "3") + row("3", "2") + "\n",
     "cycle", 2, "lead from every word to the root", "a cycle: 2 → 3 → 2", "outside of the cycle"),
    ("a cycle of three", row("1") + row("2", "3") + row("3", "4") + row("4", "2") + "\n",
     "cycle", 2, "root", "2 → 3 → 4 → 2", "outside"),
    ("no root", row("1", "2") + row("2", "1") + "\n",
     "no-root", 1, "whose HEAD is 0", "none in the sentence", "have HEAD 0"),
    ("Latin-1", row("1").replace("w", "caf\xe9", 1).encode("latin-1") + b"\n",
     "utf-8", 1, "text in UTF-8", "byte E9 at place 6", "iconv"),
    ("characters encoded too long", b"1\t\xc0\xaf" + row("1")[3:].encode() + b"\n",
     "utf-8", 1, "UTF-8", "byte C0 at place 3", "iconv"),
    ("a blank line with spaces", row("1") + "  \n" + ONE,
     "blank-with-spaces", 2, "an empty line", "spaces or tabs", "Remove"),
    ("a blank line with tabs", ONE + "\t\t\n" + ONE,
     "blank-with-spaces", 3, "an empty line", "spaces or tabs", "Remove"),
    ("files joined with their byte order marks", ONE + "\ufeff" + ONE,
     "bom-inside", 3, "only at the start", "one here", "EF BB BF"),
    ("a byte order mark before a comment inside", ONE + "\ufeff# x\n" + ONE,
     "bom-inside", 3, "only at the start", "one here", "EF BB BF"),
    ("only an empty node", row("0.1", "_", deprel="_") + "\n",
     "no-words", 1, "words in the sentence", "none", "Add the words"),
    ("binary rubbish", b"\x00\x01\x02\xff\n\n",
     "utf-8", 1, "UTF-8", "byte FF at place 4", "iconv"),
    # Remarks: what can be read, but is perhaps not what it should be.
    ("several roots", row("1") + row("2", "0") + "\n",
     "several-roots", 1, "one word with HEAD 0", "2", "not in UD"),
    ("no tree", row("1", "_", deprel="_") + "\n",
     "no-tree", 1, "numbers in HEAD", "only `_`", "to be parsed"),
    ("a byte order mark", "\ufeff" + ONE,
     "bom", 1, "begins with its text", "a byte order mark", "remove it"),
    ("line ends of two kinds", ONE + ONE.replace("\n", "\r\n"),
     "line-ends", 3, "with LF", "ends with CRLF", "alike"),
    ("no last newline", row("1")[:-1],
     "no-last-newline", 1, "a line feed", "none", "Add it"),
    ("no last blank line", row("1"),
     "no-last-blank-line", 1, "a blank line after", "the end of the file", "Add a blank line"),
    ("two blank lines", ONE + "\n" + ONE,
     "extra-blank-line", 3, "one blank line", "one more", "Remove"),
    ("comments without a sentence", "# x\n\n" + ONE,
     "comments-only", 2, "words after the comments", "none", "Remove"),
    ("a comment among the words", row("1") + "# x\n" + row("2", "1") + "\n",
     "comment-inside", 2, "only before the words", "`# x` among them", "Move it up"),
    ("an empty file", "",
     "no-sentences", 1, "sentences", "none in the file", "right file"),
    ("a carriage return in a form", row("1", form="a\rb") + "\n",
     "carriage-return", 1, "at the end of lines", "one in `1\\ta\\rb", "Remove it"),
    ("a control character", row("1", form="a\x07b") + "\n",
     "control-character", 1, "can be seen", "`1\\ta\\x07b", "Remove it"),
    ("a null byte", row("1", form="a\0b") + "\n",
     "control-character", 1, "can be seen", "`1\\ta\\x00b", "Remove it"),
    ("a space in a tag", row("1", xpos="N N") + "\n",
     "space-inside", 1, "no space in XPOS", "`N N`", "write `_`"),
    ("a space after a form", row("1", form="w ") + "\n",
     "space-around", 1, "FORM without a space", "`w `", "Remove"),
    ("a tag of another scheme", "# x\n" + row("1", upos="NN") + "\n",
     "upos", 2, "17 universal tags", "`NN`", "XPOS"),
    ("a feature without a value", row("1", feats="Case") + "\n",
     "feats", 1, "Case=Nom", "`Case`", "Name=Value"),
    ("features out of order", row("1", feats="B=x|A=y") + "\n",
     "feats-order", 1, "alphabetical", "`B=x|A=y`", "Sort"),
    ("a feature twice", row("1", feats="A=x|A=y") + "\n",
     "feats-twice", 1, "every feature once", "`A=x|A=y`", "Value1,Value2"),
    ("DEPS without a relation", row("1", deps="0") + "\n",
     "deps", 1, "like 2:nsubj", "`0`", "head:relation"),
    ("DEPS outside", row("1", deps="5:x") + "\n",
     "deps-outside", 1, "words up to 1", "`5:x`", "Correct"),
    ("DEPS out of order", TWO.replace("dep\t_", "dep\t1:x|0:y") + "\n",
     "deps-order", 2, "order of their heads", "`1:x|0:y`", "Sort"),
    ("a PHEAD outside", row("1", upos="NN", deps="4") + "\n",
     "phead", 1, "a PHEAD that is a number up to 1", "`4`", "Correct"),
    ("no label", row("1", deprel="_", upos="NN") + "\n",
     "label-missing", 1, "a DEPREL beside the HEAD", "`_`", "Add the label"),
    ("root that isn't", row("1") + row("2", "1", deprel="root") + "\n",
     "root-label", 2, "exactly where HEAD is 0", "`2\\tw", "label or the head"),
    ("a tag for a range", row("1-2", "_", deprel="_", lemma="_") + TWO + "\n",
     "range-annotated", 1, "`_` in UPOS", "`X`", "FORM and MISC"),
    ("a head for an empty node", row("1") + row("1.1", "1", deprel="_") + "\n",
     "empty-node-head", 2, "`_` in HEAD", "`1`", "DEPS"),
    ("a sent_id twice", ("# sent_id = a\n" + ONE) * 2,
     "sent-id-twice", 4, "of its own", "`# sent_id = a` once more", "another"),
    ("a text that is not the words", "# text = x y\n" + ONE,
     "text", 1, "what the FORMs spell", "`# text = x y`", "Correct"),
]  # fmt: skip


def found_in(data, **options):
    data = data.encode() if isinstance(data, str) else data
    problems = []
    for block, rows in check_blocks(io.BytesIO(data), **options):
        problems += describe(block, rows)
    return problems


@pytest.mark.parametrize(
    ("data", "kind", "line", "expected", "found", "mend"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_malformed_input_gets_its_message(data, kind, line, expected, found, mend):
    problems = found_in(data)
    assert (kind, line) in [(each.kind, each.line) for each in problems]
    problem = next(each for each in problems if each.kind == kind and each.line == line)
    assert expected in problem.expected
    assert found in problem.found
    assert mend in problem.mend
    assert problem.error == (Kind[kind.upper().replace("-", "_")] <= Kind.LAST_ERROR)


@pytest.mark.parametrize("data", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_malformed_input_comes_back_byte_for_byte(data):
    data = data.encode() if isinstance(data, str) else data
    for size in (1, 1 << 20):
        blocks = read_blocks(io.BytesIO(data), on_error="keep", block_bytes=size)
        assert b"".join(block.replaced({}) for block in blocks) == data


def test_every_kind_is_shown_here():
    shown = {case[2] for case in CASES}
    kinds = {name_of_kind(kind) for kind in Kind}
    assert kinds - shown == {"tree-needed"}  # only asked for in training: test_conll_reading.py
    assert len(CASES) >= 40


def test_one_error_does_not_make_others():
    """A line that is wrong is told once, and what follows is read on in step."""
    data = row("1") + row("2", "1").replace("\t", " ") + row("3", "1") + row("4", "9") + "\n" + ONE
    problems = found_in(data)
    assert [(each.kind, each.line) for each in problems] == [("spaces-for-tabs", 2)]


def test_all_errors_of_a_file_in_one_go():
    data = "".join(case[1] for case in CASES[:36] if isinstance(case[1], str)) + "\n"
    assert len({each.kind for each in found_in(data)}) >= 10


def test_messages_name_file_line_and_sentence(tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_text(ONE + "# sent_id = s-2\n" + row("1", "5") + "\n")
    problems = [each for block, rows in check_blocks(path) for each in describe(block, rows)]
    assert [str(each) for each in problems] == [
        f"{path}:4 (sentence 2, sent_id s-2): expected a HEAD from 0 to 1, the words of the "
        "sentence; found `5`. Correct the head; if the sentence is cut in two, heads must be "
        "counted anew"
    ]


def test_what_is_in_order_gets_no_message():
    data = (
        "# sent_id = a\n# text = vámonos al\u00a0mar 10 000\n1-2\tvámonos" + "\t_" * 8 + "\n"
        + row("1", form="vamos", feats="Mood=Imp|Number=Plur", deps="0:root")
        + row("2", "1", form="nos", upos="PRON", deps="1:obj|2.1:obj")
        + "2.1\tsí" + "\t_" * 6 + "\t0:root\t_\n"
        + row("3", "1", form="al\u00a0mar") + row("4", "3", form="10 000") + row("5", "1", form="_")
        + "\n"
    ).replace("10 000\n", "10 000_\n", 1)  # fmt: skip
    assert found_in(data) == []


def test_line_numbers_hold_across_blocks():
    data = (ONE * 50 + row("1", "7") + "\n") * 20
    whole = found_in(data)
    parts = []
    for block in read_blocks(io.BytesIO(data.encode()), on_error="keep", block_bytes=100):
        parts += describe(block)
    assert parts == whole
    assert [each.line for each in whole] == [101 + 102 * i for i in range(20)]
    assert [each.sentence for each in whole] == [51 * (i + 1) for i in range(20)]

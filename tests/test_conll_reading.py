"""Reading: the words that are there, whatever the oddities, and every byte again at the end."""

import bz2
import gzip
import io
import lzma
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_conll import files

import rollin
from rollin.conll.blocks import NAMES
from rollin.conll.messages import ConllProblem
from rollin.conll.reading import read_blocks
from rollin.conll.utf8 import invalid_bytes
from rollin.native.hashing import hash_text


def line(number, head, form="w", upos="NOUN", deprel="dep"):
    return f"{number}\t{form}\t{form}\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n"


GOOD = "# sent_id = s1\n" + line(1, 2) + line(2, 0) + "\n"
CYCLE = "# sent_id = s2\n" + line(1, 2) + line(2, 1) + line(3, 0) + "\n"


def blocks(data, **options):
    if isinstance(data, str):
        data = data.encode()
    return list(read_blocks(io.BytesIO(data), **options))


def rows(block):
    """The fields of all words of a block, by sentence."""
    columns = [block.texts(name) for name in NAMES]
    table = [list(row) for row in zip(*columns, strict=True)]
    return [
        table[start:end] for start, end in zip(block.starts[:-1], block.starts[1:], strict=True)
    ]


@settings(deadline=None, max_examples=300)
@given(files(), st.sampled_from([1, 7, 64, 1 << 20]))
def test_words_and_bytes_of_well_formed_files(file, block_bytes):
    data, expected = file
    found = blocks(data, block_bytes=block_bytes)
    assert b"".join(block.raw for block in found) == data
    assert b"".join(block.replaced({}) for block in found) == data
    assert [sentence for block in found for sentence in rows(block)] == expected
    for block in found:
        same = {"head": block.heads, "deprel": (np.arange(block.words), block.texts("deprel"))}
        assert block.replaced(same) == block.raw
        heads = [-1 if head == "_" else int(head) for head in block.texts("head")]
        assert block.heads.tolist() == heads
        for name in NAMES:
            assert block.hashes(name).tolist() == [hash_text(text) for text in block.texts(name)]
    lines = [block.line(word) for block in found for word in range(block.words)]
    text = data.decode().removeprefix("\ufeff").split("\n")
    assert [text[each - 1].removesuffix("\r").split("\t") for each in lines] == [
        row for sentence in expected for row in sentence
    ]


@settings(deadline=None, max_examples=200)
@given(files(), st.data())
def test_only_what_is_replaced_changes(file, data):
    raw, expected = file
    name = data.draw(st.sampled_from(["head", "deprel", "upos", "id", "misc"]))
    column = NAMES.index(name)
    out, position = [], 0
    words = [row for sentence in expected for row in sentence]
    for block in blocks(raw, block_bytes=50):
        numbers = np.array(
            data.draw(st.lists(st.integers(-1, 2), min_size=block.words, max_size=block.words)),
            np.int32,
        )
        names = ["x", "longer than before", "_"]
        if name == "head":
            out.append(block.replaced({name: numbers * 500}))
        else:
            out.append(block.replaced({name: (numbers, names)}))
        for number in numbers.tolist():
            if number >= 0:
                words[position][column] = str(number * 500) if name == "head" else names[number]
            position += 1
    replaced = b"".join(out)
    left = iter(words)
    naive = []
    for each in raw.decode().removeprefix("\ufeff").split("\n"):
        if each.split("\t")[0].isdigit() and each.count("\t") == 9:
            each = "\t".join(next(left)) + "\r" * each.endswith("\r")
        naive.append(each)
    bom = "\ufeff" if raw.startswith("\ufeff".encode()) else ""
    assert replaced.decode() == bom + "\n".join(naive)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=200), st.sampled_from([1, 5, 1000]))
def test_any_bytes_come_back(data, block_bytes):
    data = b"1" + data  # so that it is not taken for a packed file
    found = blocks(data, block_bytes=block_bytes, on_error="keep")
    assert b"".join(block.replaced({}) for block in found) == data


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=60))
def test_invalid_utf8_is_found_where_python_finds_it(data):
    expected, place = [], 0
    while place < len(data):
        try:
            data[place:].decode()
            break
        except UnicodeDecodeError as problem:
            expected.append(place + problem.start)
            place = expected[-1] + 1
    assert invalid_bytes(data).tolist() == expected


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gz", "bz2", "xz"]
)
def test_packed_files_are_known_by_their_content(pack, tmp_path):
    (tmp_path / "file").write_bytes(pack(GOOD.encode()) + pack(GOOD.encode()))
    found = list(read_blocks(tmp_path / "file"))
    assert b"".join(block.raw for block in found) == (GOOD + GOOD).encode()


def test_zst_needs_its_library(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(rollin.RollinError, match="pip install zstandard"):
        list(read_blocks(tmp_path / "file"))


def test_zst_is_read(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "file").write_bytes(zstandard.compress(GOOD.encode()))
    assert b"".join(block.raw for block in read_blocks(tmp_path / "file")) == GOOD.encode()


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gz", "bz2", "xz"]
)
def test_a_packed_file_cut_short_is_an_error(pack, tmp_path):
    (tmp_path / "file").write_bytes(pack(GOOD.encode() * 50)[:-9])
    with pytest.raises(rollin.RollinError, match="damaged or cut short"):
        list(read_blocks(tmp_path / "file"))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    (block,) = read_blocks("-")
    assert (block.words, block.path) == (2, "<stdin>")


def test_what_can_not_be_opened(tmp_path):
    with pytest.raises(rollin.RollinError, match="No such file"):
        list(read_blocks(tmp_path / "none"))
    with pytest.raises(rollin.RollinError, match="directory"):
        list(read_blocks(tmp_path))
    with pytest.raises(rollin.RollinError, match="mode 'rb'"):
        list(read_blocks(io.StringIO("1")))


def test_stop_skip_keep():
    data = GOOD + CYCLE + GOOD
    with pytest.raises(ConllProblem, match=r"a cycle: 1 → 2 → 1") as raised:
        blocks(data)
    (problem,) = raised.value.problems
    assert (problem.line, problem.sentence, problem.sent_id) == (6, 2, "s2")
    told = []
    (block,) = blocks(data, on_error="skip", report=told.append)
    assert told == [problem]
    assert (block.sentences, block.words, block.left_out) == (2, 4, 1)
    new = block.replaced({"head": np.array([7, 8, 9, 10])}).decode()
    assert CYCLE in new and line(1, 7) in new and line(2, 10) in new
    (block,) = blocks(data, on_error="keep")
    assert block.sentences == 2
    assert block.sentence_bytes(1) == GOOD.encode()
    (block,) = blocks(data, trees="ignored")
    assert block.sentences == 3


def test_trees_ignored_leaves_only_heads_that_exist():
    data = line(1, 9) + line(2, "x") + line(3, "-1") + line(4, "_") + line(5, 5) + "\n"
    (block,) = blocks(data, trees="ignored")
    assert block.heads.tolist() == [-1, -1, -1, -1, 5]
    assert block.replaced({"head": block.heads}).decode() == data


def test_trees_required():
    data = line(1, "_") + line(2, "_") + "\n"
    assert blocks(data)[0].heads.tolist() == [-1, -1]
    with pytest.raises(ConllProblem, match="expected a tree"):
        blocks(data, trees="required")


def test_block_bounds_do_not_matter():
    data = (GOOD + "\n" + CYCLE) * 20
    whole = blocks(data, on_error="keep")[0]
    for size in (1, 13, 100):
        parts = blocks(data, on_error="keep", block_bytes=size)
        assert sum(part.words for part in parts) == whole.words
        assert np.concatenate([part.heads for part in parts]).tolist() == whole.heads.tolist()
        told = Counter()
        for part in parts:
            told.update((part.first_line + row[1], row[0]) for row in part.problems.tolist())
        assert told == Counter((row[1], row[0]) for row in whole.problems.tolist())


def test_long_sentences():
    for words in (300, 100_000):
        heads = [0, *range(1, words)]
        data = "".join(line(number + 1, head) for number, head in enumerate(heads)) + "\n"
        (block,) = blocks(data, block_bytes=1 << 16)
        assert (block.sentences, block.words) == (1, words)
        assert block.heads.tolist() == heads


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (GOOD, "conllu"),
        (line(1, 0, upos="NOUN") + "\n", "conllu"),
        (line(1, 0, upos="NN") + "\n", "conllx"),
        ("1-1\tx" + "\t_" * 8 + "\n" + line(1, 0, upos="NN") + "\n", "conllu"),
    ],
)
def test_formats_are_recognised(data, format):
    assert blocks(data)[0].format == format


def test_a_column_is_named_as_in_either_format():
    (block,) = blocks(GOOD)
    assert block.texts("cpostag") == block.texts("UPOS") == ["NOUN", "NOUN"]
    with pytest.raises(rollin.RollinError, match="no column 'label'"):
        block.hashes("label")


def test_what_can_not_be_replaced():
    (block,) = blocks(GOOD)
    with pytest.raises(rollin.RollinError, match="each of the 2 words"):
        block.replaced({"head": np.zeros(3, np.int32)})
    with pytest.raises(rollin.RollinError, match="has no name"):
        block.replaced({"upos": (np.array([0, 1]), ["X"])})
    with pytest.raises(rollin.RollinError, match="can't stand in a column"):
        block.replaced({"upos": (np.array([0, 0]), ["a\tb"])})
    with pytest.raises(rollin.RollinError, match="named twice"):
        block.replaced({"upos": (np.array([0, 0]), ["X"]), "cpostag": (np.array([0, 0]), ["Y"])})


def test_long_names_find_room():
    (block,) = blocks(GOOD * 30)
    long = "x" * 5000
    assert block.replaced({"deprel": (np.zeros(60, np.int32), [long])}).count(long.encode()) == 60

"""What the benchmarks do by themselves: CoNLL-U, VW's text and back, scores, the table.

None of it needs the parsers that are measured.
"""

import io
import sys
import types
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # bench stands beside tests

from bench import peers
from bench import short as bench_short
from bench.peers import __main__ as command
from bench.peers import aims, child, measuring, scoring, treebank, vw_text

TEXT = """\
# sent_id = 1
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\tVB\t_\t0\troot\t_\t_
2\tn't\tnot\tPART\tRB\tPolarity=Neg\t1\tadvmod\t_\t_
2.1\t_\t_\t_\t_\t_\t_\t_\t_\t_
3\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_

1\ta:b|c\t_\tX\tX\t_\t2\tdep\t_\t_
2\tgoes\tgo\tVERB\tVBZ\t_\t0\troot\t_\t_

"""


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.conllu"
    path.write_text(TEXT, encoding="utf-8")
    return path


def row(number, form, upos="X", xpos="_", head=0, label="root"):
    return [str(number), form, "_", upos, xpos, "_", str(head), label, "_", "_"]


def test_blocks_come_back_as_they_were(gold):
    out = io.StringIO()
    for block in treebank.read_blocks(gold):
        treebank.write_block(out, block)
    assert out.getvalue() == TEXT


def test_words_are_without_comments_ranges_and_empty_nodes(gold):
    forms = [[w[1] for w in treebank.words(block)] for block in treebank.read_blocks(gold)]
    assert forms == [["do", "n't", "!"], ["a:b|c", "goes"]]


def test_last_sentence_needs_no_empty_line(tmp_path):
    path = tmp_path / "cut.conllu"
    path.write_text(TEXT.rstrip("\n"), encoding="utf-8")
    assert len(list(treebank.read_blocks(path))) == 2


def test_blind_files_have_the_words_and_no_trees(gold, tmp_path):
    blind = tmp_path / "blind.conllu"
    assert treebank.write_blind([gold], blind, at_least=11) == 15  # three rounds of 5 words
    rows = [w for block in treebank.read_blocks(blind) for w in treebank.words(block)]
    assert [w[1] for w in rows] == ["do", "n't", "!", "a:b|c", "goes"] * 3
    assert {(w[treebank.HEAD], w[treebank.DEPREL]) for w in rows} == {("_", "_")}


def test_root_label_is_the_commonest_of_roots():
    sentences = [[row(1, "a")], [row(1, "b")], [row(1, "c", label="dep")]]
    assert treebank.root_label(sentences) == "root"
    with pytest.raises(ValueError, match="no word has the head 0"):
        treebank.root_label([[row(1, "a", head="_")]])


def test_score_leaves_punctuation_out(gold, tmp_path):
    parsed = tmp_path / "parsed.conllu"
    assert scoring.score(gold, gold) == {"uas": 100, "las": 100, "words": 4}
    with parsed.open("w", encoding="utf-8") as file:
        for block in treebank.read_blocks(gold):
            sentence = treebank.words(block)
            if len(sentence) == 3:  # a wrong label, and a wrong head of punctuation
                treebank.put_tree(sentence, [0, 1, 2], ["root", "det", "punct"])
            else:  # a wrong head
                treebank.put_tree(sentence, [0, 0], ["dep", "root"])
            treebank.write_block(file, block)
    assert scoring.score(gold, parsed) == {"uas": 75, "las": 50, "words": 4}


def test_labels_count_whole_and_penn_punctuation_is_left_out(tmp_path):
    gold, parsed = tmp_path / "gold", tmp_path / "parsed"
    for path, label in ((gold, "nmod:of"), (parsed, "nmod")):
        rows = [row(1, "of"), row(2, "it", head=1, label=label), row(3, ",", upos=",", head=1)]
        with path.open("w", encoding="utf-8") as file:
            treebank.write_block(file, rows)
    assert scoring.score(gold, parsed) == {"uas": 100, "las": 50, "words": 2}


def test_score_wants_the_same_words(gold, tmp_path):
    other = tmp_path / "other.conllu"
    other.write_text(TEXT.replace("goes", "went"), encoding="utf-8")
    with pytest.raises(ValueError, match="sentence 2"):
        scoring.score(gold, other)


def test_a_sentence_in_vw_text(gold):
    labels = {"advmod": 1, "dep": 2, "punct": 3, "root": 4}
    first, second = (treebank.words(block) for block in treebank.read_blocks(gold))
    assert vw_text.labelled(first, labels).split("\n") == [
        "0,4 |w do |p AUX |x VB",
        "1,1 |w n't |p PART |x RB",
        "1,3 |w ! |p PUNCT |x .",
        "1,4 |w </s> |p </s>",
    ]
    assert vw_text.plain(second).split("\n") == [
        "|w a%3Ab%7Cc |p X",  # XPOS is the same as UPOS
        "|w goes |p VERB |x VBZ",
        "|w </s> |p </s>",
    ]


def test_a_sentence_without_a_root_cannot_be_learned():
    with pytest.raises(ValueError, match="no root"):
        vw_text.labelled([row(1, "a", head=1)], {"root": 1})


@st.composite
def vw_output(draw):
    """Heads as VW may give them: 0 to the added word, or the 9999999 of a word without a head."""
    size = draw(st.integers(1, 8))
    heads = st.one_of(st.integers(0, size + 1), st.just(9999999))
    return draw(st.lists(heads, min_size=size + 1, max_size=size + 1))


@given(vw_output())
def test_every_word_gets_a_head_and_the_added_word_none(heads):
    size = len(heads) - 1
    lines = [f"{head}:1" for head in heads]
    found, labels = vw_text.tree(lines, {1: "dep"}, "root")
    assert len(found) == len(labels) == size
    assert 0 in found and all(0 <= head <= size for head in found)
    if 0 in heads[:size]:
        top = heads[:size].index(0) + 1
        assert found == [top if head > size else head for head in heads[:size]]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3)), min_size=5, max_size=5))
def test_trees_come_back_from_vw_as_they_went(pairs):
    names = {1: "a", 2: "b", 3: "root"}
    numbers = {name: number for number, name in names.items()}
    pairs[0] = (0, 3)
    rows = [row(i, "w", head=h, label=names[n]) for i, (h, n) in enumerate(pairs, start=1)]
    text = vw_text.labelled(rows, numbers)
    lines = [line.split(" ")[0].replace(",", ":") for line in text.split("\n")]
    assert vw_text.tree(lines, names, "root") == (
        [head for head, _ in pairs],
        [names[number] for _, number in pairs],
    )


def test_sentences_of_vw_output_can_be_read_while_it_is_written(tmp_path):
    path = tmp_path / "out"
    with path.open("w") as writer, path.open() as reader:
        sentences = vw_text.sentences(reader)
        for lines in (["2:1", "0:2"], ["0:2"], ["3:1", "3:1", "0:2"]):
            writer.write("\n".join([*lines, "", ""]))
            writer.flush()
            assert next(sentences) == lines


def test_work_in_a_child_is_timed_and_its_failure_is_told():
    answer = child.run("json", "loads", {"s": '{"a": 1}'})
    assert answer["a"] == 1
    assert 0 < answer["process_seconds"] < 60 and 1 < answer["peak_mb"] < 10_000
    with pytest.raises(RuntimeError, match="JSONDecodeError"):
        child.run("json", "loads", {"s": "{"})


def test_peers_that_are_missing_or_unknown_are_named():
    with pytest.raises(peers.PeerMissing, match=r"nothing\.like_this"):
        peers.require("nothing.like_this")
    peers.require("numpy")
    with pytest.raises(ValueError, match="there are vw, "):
        peers.measure("maltparser", Path(), work=Path())


def test_settings_and_table():
    settings = command._settings(["vw.bits=24", "vw.learner=sgd", "spacy.tags=false"])
    assert settings == {"vw": {"bits": 24, "learner": "sgd"}, "spacy": {"tags": False}}
    with pytest.raises(SystemExit, match="maltparser"):
        command._settings(["maltparser.x=1"])
    numbers = {key: 12.34 for _, key, _ in command.COLUMNS}
    result = {
        "peer": "vw",
        "name": "VW",
        "version": "1.2",
        "settings": {"a": 1},
        "training": {},
        **numbers,
    }
    made = {"command": "run", "date": "2026-01-01", "commit": "abc", "load": [0.1, 0.2]}
    made["trained"] = {"commit": "abb", "load": [0.3, 0.4]}
    machine = {"cpu": "X", "cores": 2, "python": "3.11", "system": "Linux"}
    report = {
        "treebank": "Small",
        "machine": machine,
        "results": [{**result, **made}],
        "missing": {"spacy": "not installed"},
    }
    lines = command.markdown(report).split("\n")
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 3 and table[2].startswith("| VW (1.2) | 12.34 |")
    assert len({line.count("|") for line in table}) == 1
    assert any("left out: spacy, not installed" in line for line in lines)
    assert any(line.endswith("abc, VW [0.1, 0.2] abb [0.3, 0.4]") for line in lines)
    less = {**report, "results": [{**result, **made, "note": "1 iteration"}]}
    assert r"| VW\* (1.2) |" in command.markdown(less)


def test_what_is_wanted_of_speed_is_compared():
    def rate(peer, words):
        return {"peer": peer, "name": peer, "file_words_per_second": words}

    assert aims.aims([rate("vw", 1), rate("udpipe", 1)]) == []
    found = [rate("udpipe", 20_000), rate("rollin-fast", 119_999), rate("rollin-default", 60_000)]
    table = "\n".join(aims.aims(found))
    assert (
        "| rollin-fast | 119,999 (120,000 wanted: **MISSED**) | 6.0 (5 wanted: reached) |" in table
    )
    assert (
        "| rollin-default | 60,000 (60,000 wanted: reached) | 3.0 (5 wanted: **MISSED**) |" in table
    )
    assert "spacy" not in table


class Counting:
    """A parser that only counts what it is given."""

    def __init__(self, model):
        self.parsed = []

    def prepare(self, sentences):
        return sentences

    def parse(self, prepared):
        self.parsed += [len(sentence) for sentence in prepared]

    def release(self, prepared):
        pass

    def parse_file(self, source, target):
        self.parsed.append(source)
        Path(target).write_text(Path(source).read_text(encoding="utf-8"), encoding="utf-8")


def test_speed_is_that_of_the_second_sentence_and_later(gold, tmp_path, monkeypatch):
    made = []
    monkeypatch.setitem(sys.modules, "counting", types.SimpleNamespace(
        Parser=lambda model: made.append(Counting(model)) or made[-1]
    ))  # fmt: skip
    assert measuring.in_memory("counting", "", str(gold))["words"] == 5
    assert made[0].parsed == [3, 3, 2]  # the first once before the clock starts
    target = tmp_path / "out.conllu"
    found = measuring.file_to_file("counting", "", str(gold), str(target), enough=0.01)
    assert made[1].parsed[1:] == [str(gold)] * found["rounds"] and found["rounds"] > 1
    assert found["file_seconds"] >= 0.01
    assert target.read_text(encoding="utf-8") == TEXT


def test_the_short_table_takes_the_place_held_for_it():
    numbers = {key: 12.34 for _, key, _ in bench_short.COLUMNS}
    made = {"commit": "abc", "command": "run it", "name": "VW", "peer": "vw"}
    better = {**made, **numbers, "peer": "rollin-fast", "name": "ours", "test_las": 99.9}
    report = {
        "treebank": "Small",
        "machine": {"cpu": "X", "cores": 2},
        "results": [{**made, **numbers, "note": "1 pass"}, better],
    }
    text = bench_short.short(report, "results")
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert rows[2].startswith("| **ours** | 12.3 | 99.9 | 12 |")
    assert rows[3].startswith(r"| VW\* | 12.3 |") and r"\* VW: 1 pass." in text
    assert text.count("    run it") == 1
    page = f"before\n{bench_short.BEGIN}\nstale\n{bench_short.END}\nafter\n"
    found = bench_short.put(page, text)
    assert bench_short.put(found, text) == found and "stale" not in found
    assert found.startswith("before\n") and found.endswith("\nafter\n") and text in found
    with pytest.raises(SystemExit, match="no such place"):
        bench_short.put("nothing", text)

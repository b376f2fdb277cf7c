"""The parser as one calls it from Python: train, save, load, parse."""

import gzip
import io
import json
import signal

import numpy as np
import pytest
from naive_parsing import crosses, is_tree, roots
from small_treebank import DEV_SENTENCES, SMALL, blind, changed, heads_of, rows, some, write_small

import rollin
from rollin.parser import choices
from rollin.parser import parser as parsing
from rollin.parser.systems import SYSTEMS
from rollin.training.loop import Interrupted

HEAD, DEPREL, MISC = 6, 7, 9


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def parser(paths):
    return rollin.Parser.train(paths["train"], dev=paths["dev"], **SMALL)


@pytest.fixture(scope="module")
def several_roots():
    """A treebank in which every third sentence has two roots."""

    def root(fields):
        return [*fields[:6], "0", *fields[7:]] if fields[3] == "PUNCT" else fields

    sentences = [sentence.raw for sentence in rollin.read(io.BytesIO(some("train", 30)))]
    return b"".join(
        changed(raw, root) if number % 3 == 0 else raw for number, raw in enumerate(sentences)
    )


@pytest.fixture(scope="module")
def crossing():
    """A treebank in which half the sentences have an arc that crosses: the first word's."""

    def cross(raw):
        heads = [int(fields[HEAD]) for fields in rows(raw)]
        lower = [n for n, head in enumerate(heads, 1) if head != 0 and n > 3]
        return changed(
            raw, lambda f: [*f[:6], str(lower[0]), *f[7:]] if f[0] == "1" and lower else f
        )

    sentences = [sentence.raw for sentence in rollin.read(io.BytesIO(some("train", 40)))]
    crossed = [cross(raw) if n % 2 else raw for n, raw in enumerate(sentences)]
    kept = [raw for raw in crossed if is_tree(heads_of(raw)[0])]
    return b"".join(kept)


def parse(parser, raw, **how):
    """Parse bytes to bytes."""
    packed = io.BytesIO(raw)
    return b"".join(
        parser._stream(parser._read(packed, made := parsing.How.of(**how)), 1, made, None, print)
    )


# --- training ------------------------------------------------------------------------------------


def test_learns(parser):
    scores = parser.model.facts["scores"]
    assert scores["UAS"] > 60 and scores["LAS"] > 45


def test_keeps_the_last_tenth_back_where_there_is_no_dev_and_says_so(paths):
    said = []
    parser = rollin.Parser.train(paths["train"], note=said.append, **SMALL)
    assert parser.about["treebank"]["kept back"]
    assert parser.model.facts["examples"] == 36
    assert any("last tenth" in line and "(4 sentences)" in line for line in said)


def test_a_log_has_a_line_for_every_pass(paths, tmp_path):
    log = tmp_path / "log.jsonl"
    rollin.Parser.train(paths["train"], dev=paths["dev"], log=log, **SMALL)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["pass"] for line in lines] == [1, 2]
    assert all({"loss", "UAS", "LAS", "best pass"} <= set(line) for line in lines)


def test_an_interrupted_training_leaves_a_model_and_goes_on_to_the_same_bytes(paths, tmp_path):
    how = {"dev": paths["dev"], **SMALL, "passes": 4}
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    rollin.Parser.train(paths["train"], output=whole, log=tmp_path / "whole.jsonl", **how)

    def press_ctrl_c(done):
        if done["pass"] == 2:
            signal.raise_signal(signal.SIGINT)

    how |= {"output": parts, "log": tmp_path / "parts.jsonl"}
    with pytest.raises(Interrupted):
        rollin.Parser.train(paths["train"], report=press_ctrl_c, **how)
    assert rollin.Parser.load(parts).model.facts["passes"] == 2
    with pytest.raises(rollin.RollinError, match="unfinished training"):
        rollin.Parser.load(f"{parts}.training")
    rollin.Parser.train(paths["train"], resume=True, **how)
    assert parts.read_bytes() == whole.read_bytes()
    assert (tmp_path / "parts.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert not (tmp_path / "parts.training").exists()


def test_stops_when_nothing_gets_better(paths, tmp_path):
    """With weights that no longer move, nothing can."""
    how = {**SMALL, "learner": "sgd bits=8 rate=1e-30", "passes": 30}
    parser = rollin.Parser.train(paths["train"], dev=paths["dev"], patience=2, **how)
    assert parser.model.facts["passes"] == 3 and parser.model.facts["best pass"] == 1


def test_dense_and_sparse_learners_are_trained_alike(paths):
    dense = "dense encoder=embed width=8 hidden=8"
    how = {**SMALL, "learner": dense, "templates": None, "passes": 1}
    parser = rollin.Parser.train(paths["train"], dev=paths["dev"], **how)
    assert "suffix1" in parser.layout.columns
    assert all(map(is_tree, heads_of(parse(parser, some("dev", 3)))))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"system": "arc-hybrid-swap"}, "no system 'arc-hybrid-swap': choose from auto, arc-hyb"),
        ({"labels": "none"}, "no way to choose labels 'none': choose from after, joint, bare"),
        ({"roots": "two"}, "no number of roots 'two'"),
        ({"use": ("form", "upso")}, "can't look at column 'upso': choose from form, lemma, upos"),
        ({"use": ("form", "head")}, "can't look at column 'head'"),
        ({"use": ()}, "must look at some column"),
        ({"use": ("misc", "misc")}, "the same in all words in misc"),
        ({"templates": ("s1 * b9",)}, "'b9' in template 's1 \\* b9' names nothing"),
        ({"learner": "dense", "templates": ("s1",)}, "templates are for sparse learners"),
        ({"preset": "slow"}, "no preset 'slow'"),
        ({"system": "moved", "labels": "bare"}, "system moved marks labels"),
    ],
)
def test_settings_that_make_no_sense_are_refused(paths, settings, expected):
    spaceless = {"dev": paths["dev"], **SMALL, **settings}
    if settings.get("use") == ("misc", "misc"):
        raw = changed(paths["train"].read_bytes(), lambda fields: [*fields[:9], "_"])
        with pytest.raises(rollin.RollinError, match=expected):
            rollin.Parser.train(io.BytesIO(raw), **spaceless)
        return
    with pytest.raises(rollin.RollinError, match=expected):
        rollin.Parser.train(paths["train"], **spaceless)


def test_the_list_of_systems_is_one():
    assert list(SYSTEMS) == list(choices.SYSTEMS)


def test_columns_are_chosen_and_recorded(paths, tmp_path):
    how = {**SMALL, "templates": ("unigrams", "s1.upos * b1.upos", "*.suffix2 * distance")}
    path = tmp_path / "model"
    rollin.Parser.train(
        paths["train"], dev=paths["dev"], output=path, use=("form", "upos", "suffix2"), **how
    )
    loaded = rollin.Parser.load(path)
    assert loaded.layout.columns == ("form", "upos", "suffix2")
    templates = loaded.model.learned.use.templates
    assert templates[:2] == ("s1", "s2") and "*.suffix2 * distance" in templates
    raw = some("dev", 4)
    other = changed(raw, lambda fields: [*fields[:4], "?", "?", *fields[6:]])
    assert heads_of(parse(loaded, raw)) == heads_of(parse(loaded, other))


def test_columns_that_say_nothing_are_left_out_and_that_is_said(paths):
    raw = changed(paths["train"].read_bytes(), lambda fields: [*fields[:4], fields[3], *fields[5:]])
    said = []
    parser = rollin.Parser.train(
        io.BytesIO(raw), dev=paths["dev"], use=("form", "upos", "xpos"), note=said.append, **SMALL
    )
    assert parser.layout.columns == ("form", "upos")
    assert any(line.endswith("(or nothing new): xpos") for line in said)


# --- parsing -------------------------------------------------------------------------------------


def test_only_heads_and_labels_change(parser, paths):
    raw = changed(paths["dev"].read_bytes(), blind)
    assert changed(parse(parser, raw), blind) == raw
    assert all(map(is_tree, heads_of(parse(parser, raw))))


def test_a_saved_parser_parses_as_it_did(parser, paths, tmp_path):
    parser.save(tmp_path / "model")
    raw = paths["dev"].read_bytes()
    assert parse(rollin.Parser.load(tmp_path / "model"), raw) == parse(parser, raw)


def test_sentences_are_taken_in_many_forms(parser, paths):
    words = ["The", "dog", "sleeps", "."]
    tagged = [("The", "DET", "DT"), ("dog", "NOUN", "NN"), ("sleeps", "VERB"), "."]
    (sentence,) = rollin.read(io.BytesIO(some("dev", 1)))
    texts, plain, tags, same = parser.parse(["The dog sleeps .", words, tagged, sentence])
    assert [word.form for word in texts] == words and texts.heads == plain.heads
    assert [word.upos for word in tags] == ["DET", "NOUN", "VERB", "_"]
    assert same.sent_id == sentence.sent_id
    assert "sleeps" in str(tags) and "►" in str(tags)
    from_file = list(parser.parse(paths["dev"]))
    assert len(from_file) == DEV_SENTENCES
    assert [each.heads for each in parser.parse(rollin.read(paths["dev"]))] == [
        each.heads for each in from_file
    ]


@pytest.mark.parametrize("words", [[""], [[]], [[3]], [[("a", "b\tc")]]])
def test_what_is_no_sentence_is_refused(parser, words):
    with pytest.raises(rollin.RollinError, match=r"word|sentence"):
        list(parser.parse(words))


def test_files_may_be_packed_and_conllx(parser, paths, tmp_path):
    raw = paths["dev"].read_bytes()
    plain, packed = tmp_path / "out.conllu", tmp_path / "out.conllu.gz"
    parser.parse_file(paths["dev"], plain)
    parser.parse_file(io.BytesIO(gzip.compress(raw)), packed)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    lines = [line for line in raw.decode().split("\n") if not line.startswith("#")]
    conllx = "\n".join(line for line in lines if "-" not in line.split("\t")[0]).encode()
    assert heads_of(parse(parser, conllx)) == heads_of(plain.read_bytes())


def test_threads_change_nothing(parser, paths, tmp_path, monkeypatch):
    monkeypatch.setattr(parsing, "_BLOCK_BYTES", 1500)
    outputs = []
    for threads in (1, 2, 3):
        parser.parse_file(paths["train"], tmp_path / "out", threads=threads)
        outputs.append((tmp_path / "out").read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]
    with pytest.raises(rollin.RollinError, match="0 threads"):
        parser.parse_file(paths["train"], tmp_path / "out", threads=0)


def test_skipped_sentences_come_out_as_they_are(parser, tmp_path):
    good, bad = some("dev", 2), b"1\tbad\n\n"
    found = []
    path = tmp_path / "out"
    parser.parse_file(io.BytesIO(good + bad + good), path, on_error="skip", problem=found.append)
    assert bad in path.read_bytes() and len(found) == 1
    assert len(heads_of(path.read_bytes().replace(bad, b""))) == 4
    with pytest.raises(rollin.RollinError, match="columns"):
        parser.parse_file(io.BytesIO(bad), path)


# --- roots ---------------------------------------------------------------------------------------


def test_roots_are_as_in_training_or_as_wanted(several_roots):
    said = []
    counts = {}
    for wanted in ("auto", "one", "several"):
        parser = rollin.Parser.train(
            io.BytesIO(several_roots), roots=wanted, note=said.append, **SMALL
        )
        trees = heads_of(parse(parser, changed(several_roots, blind)))
        assert all(map(is_tree, trees))
        counts[wanted] = {roots(heads) for heads in trees}
    assert counts["one"] == {1}
    assert counts["auto"] == counts["several"] and max(counts["auto"]) > 1
    assert any("one root each" in line for line in said)


# --- arcs that cross -----------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["auto", "swap"])
def test_arcs_that_cross_are_learned_where_the_treebank_has_many(crossing, system):
    parser = rollin.Parser.train(io.BytesIO(crossing), system=system, **{**SMALL, "passes": 6})
    assert parser.about["system"] == ("moved" if system == "auto" else system)
    found = parse(parser, changed(crossing, blind))
    assert all(map(is_tree, heads_of(found)))
    right = [fields[HEAD] for fields in rows(crossing) if fields[0] == "1"]
    first = [fields[HEAD] for fields in rows(found) if fields[0] == "1"]
    assert np.mean([a == b for a, b in zip(right, first, strict=True)]) > 0.5
    assert any(map(crosses, heads_of(found)))
    assert {fields[DEPREL] for fields in rows(found)} <= {f[DEPREL] for f in rows(crossing)}


def test_a_system_without_them_says_so(crossing):
    said = []
    rollin.Parser.train(io.BytesIO(crossing), system="arc-hybrid", note=said.append, **SMALL)
    assert any("arc-hybrid makes no arcs that cross" in line for line in said)


# --- given heads and labels ----------------------------------------------------------------------


def partly(raw, seed):
    """Take out half of the heads and labels."""
    chance = np.random.default_rng(seed)

    def take(fields):
        head, label = (f if chance.random() < 0.5 else "_" for f in fields[6:8])
        return [*fields[:6], head, label, *fields[8:]]

    return changed(raw, take)


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_given_heads_and_labels_are_kept(crossing, system, beam):
    """Also where they cross, and where the labels were never seen."""
    parser = rollin.Parser.train(io.BytesIO(crossing), system=system, **{**SMALL, "passes": 1})
    given = changed(partly(crossing, 1), lambda f: [*f[:7], "new" if f[0] == "2" else f[7], *f[8:]])
    found = parse(parser, given, keep=True, beam=beam)
    assert all(map(is_tree, heads_of(found)))
    for before, after in zip(rows(given), rows(found), strict=True):
        assert before[HEAD] in ("_", after[HEAD])
        assert before[DEPREL] in ("_", after[DEPREL])
        assert after[HEAD] != "_" and after[DEPREL] != "_"


def test_what_is_kept_changes_the_rest(parser):
    """The parser knows what is given when it fills in the others."""
    raw = some("train", 30)
    free = parse(parser, changed(raw, blind))

    def first_only(fields):
        return fields if fields[0] == "1" else blind(fields)

    kept = parse(parser, changed(raw, first_only), keep=True)
    right, before, after = (heads_of(each) for each in (raw, free, kept))
    changed_others = [
        one[2:] != other[2:] for one, other in zip(before, after, strict=True) if one[1] != other[1]
    ]
    assert any(changed_others)
    assert [heads[1] for heads in right] == [heads[1] for heads in after]


def test_heads_that_no_tree_of_the_parser_has_are_told(parser, tmp_path):
    said = []
    two_roots = b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    parser.parse_file(io.BytesIO(two_roots), tmp_path / "out", keep=True, note=said.append)
    assert "1 given heads could not be kept" in said[0] and "one root" in said[0]
    with pytest.warns(UserWarning, match="could not be kept"):
        list(parser.parse(io.BytesIO(two_roots), keep=True))


# --- several trees, and certainty ----------------------------------------------------------------


def test_the_best_trees_come_in_order_and_each_once(parser, paths):
    for trees in parser.nbest(paths["dev"], 4, beam=12):
        scores = [tree.score for tree in trees]
        assert scores == sorted(scores, reverse=True) and 1 <= len(trees) <= 4
        every = {(tuple(s.heads), tuple(w.deprel for w in s)) for s, _ in trees}
        assert len(every) == len(trees)
    assert [trees[0].sentence.heads for trees in parser.nbest(paths["dev"], 2, beam=12)] == [
        sentence.heads for sentence in parser.parse(paths["dev"], beam=12)
    ]
    assert max(len(trees) for trees in parser.nbest(paths["dev"], 4)) == 4


ODD = b"\xef\xbb\xbf# newdoc\r\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\r\n" + b"".join(
    b"%d\tw%d\t_\tNOUN\t_\t_\t_\t_\t_\tx=y\r\n" % (n, n) for n in (1, 2, 3)
)


def test_ranked_trees_stand_in_the_file_as_copies_of_the_sentence(parser, tmp_path):
    """A byte order mark, other line ends, a broken sentence, and no newline at the end."""
    path = tmp_path / "out"
    bad = b"1\tbad\r\n\r\n"
    raw = ODD + b"\r\n" + bad + ODD[3:].removesuffix(b"\r\n")
    parser.parse_file(io.BytesIO(raw), path, nbest=2, on_error="skip")
    found = path.read_bytes()
    assert found.count(b"# rank = 1\r\n# score = ") == found.count(b"# rank = 2\r\n") == 2
    assert found.count(b"# newdoc\r\n# rank") == 4 and found.count(bad) == 1
    assert found.startswith(b"\xef\xbb\xbf#") and not found.endswith(b"\n")
    once = b"".join(
        line
        for line in changed(found, blind).splitlines(keepends=True)
        if not line.startswith((b"# rank", b"# score"))
    )
    assert once == raw.replace(ODD[3:], ODD[3:] + b"\r\n" + ODD[3:], 1).replace(
        bad + ODD[3:].removesuffix(b"\r\n"),
        bad + ODD[3:] + b"\r\n" + ODD[3:].removesuffix(b"\r\n"),
    )


def test_a_beam_finds_trees_that_score_no_worse(parser, paths):
    narrow = [trees[0].score for trees in parser.nbest(paths["dev"], 1, beam=1)]
    wide = [trees[0].score for trees in parser.nbest(paths["dev"], 1, beam=16)]
    assert sum(wide) >= sum(narrow) and wide != narrow


@pytest.mark.parametrize("beam", [1, 4])
def test_certainty_is_told_of_heads_and_of_labels(parser, paths, beam):
    once = parse(parser, paths["dev"].read_bytes(), certainty=True, beam=beam)
    notes = [dict(part.split("=") for part in row[MISC].split("|")) for row in rows(once)]
    told = [[float(note[name]) for name in parsing.CERTAINTIES] for note in notes]
    assert all(0 <= number <= 1 for both in told for number in both)
    assert len({head for head, _ in told}) > 5 and len({label for _, label in told}) > 5
    again = parse(parser, once, certainty=True, beam=beam)
    assert again == once, "what was noted before is replaced"
    assert any("SpaceAfter" in note for note in notes), "what stands beside stays"


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"nbest": 3, "certainty": True}, "one tree a sentence"),
        ({"nbest": 3, "beam": 2}, "beam of 2 can't find 3 trees"),
        ({"beam": 0}, "a beam of 0"),
        ({"nbest": 0}, "nbest of 0"),
    ],
)
def test_what_does_not_go_together_is_refused(parser, paths, tmp_path, how, expected):
    with pytest.raises(rollin.RollinError, match=expected):
        parser.parse_file(paths["dev"], tmp_path / "out", **how)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("how", [{"nbest": 2}, {"certainty": True}])
def test_conllx_has_no_place_for_notes(parser, tmp_path, how):
    raw = b"1\ta\t_\tN1\tN1\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(rollin.RollinError, match="CoNLL-X has no"):
        parser.parse_file(io.BytesIO(raw), tmp_path / "out", **how)

"""Scores: equal to those of the official scorer, and to slow and obvious counts."""

import io
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_conll import random_heads

import rollin
from rollin.evaluation.attachment import attachment, punctuation
from rollin.evaluation.breakdown import by_distance, by_label, by_length
from rollin.evaluation.comparing import compare, evaluate
from rollin.evaluation.significance import differences

LABELS = ["nsubj", "obj", "obl:tmod", "nmod", "root", "case", "det", "aux:pass", "punct", "cc", "x"]
TAGS = ["NOUN", "VERB", "PUNCT", "ADP"]
FEATS = ["_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Other=x|Case=Nom", "Other=y"]


def random_file(chance, text, sentence_ends, changed=0.3):
    """Cut a text into sentences, tokens and words at random, and give everything a value."""
    lines, start = [], 0
    for end in sentence_ends:
        rows, place = [], start
        while place < end:
            size = min(chance.choice([1, 1, 1, 2, 3]), end - place)
            piece = text[place : place + size]
            if chance.random() < 0.15:
                piece = piece[0] + chance.choice([" ", "\u00a0"]) + piece[1:] if size > 1 else piece
            inside = 1 if chance.random() < 0.75 else chance.randint(1, 3)
            if inside > 1 or chance.random() < 0.05:
                rows.append(("range", piece, inside))
                for _ in range(inside):
                    rows.append(("word", chance.choice([piece, piece.upper(), "a", "b", "B"])))
            else:
                rows.append(("word", piece))
            if chance.random() < 0.05:
                rows.append(("empty", "e"))
            place += size
        start = end
        heads = random_heads(chance, sum(row[0] == "word" for row in rows))
        number = minor = 0
        for row in rows:
            rest = [
                chance.choice(["_", "a", "b"]), chance.choice(TAGS), chance.choice(TAGS),
                chance.choice(FEATS),
            ]  # fmt: skip
            if row[0] == "word":
                number, minor = number + 1, 0
                label = "root" if heads[number - 1] == 0 else chance.choice(LABELS)
                fields = [number, row[1], *rest, heads[number - 1], label, "_", "_"]
            elif row[0] == "range":
                fields = [f"{number + 1}-{number + row[2]}", row[1], *["_"] * 8]
            else:
                minor += 1
                fields = [f"{number}.{minor}", row[1], *["_"] * 6, "_", "_"]
            lines.append("\t".join(map(str, fields)))
        lines.append("")
    return "\n".join([*lines, ""])


def official(gold, system):
    """Score with udtools: {measure: (precision, recall, F1, aligned accuracy)} as printed."""
    from udtools import udeval

    loaded = [udeval.load_conllu(io.StringIO(text), "x", {}) for text in (gold, system)]
    scores = udeval.evaluate(*loaded)
    counts = {name: (each.correct, each.gold_total, each.system_total) for name, each in
              scores.items() if "EL" not in name and "EU" not in name}  # fmt: skip
    table = udeval.build_evaluation_table(scores)
    return counts, table


def ours(gold, system, **options):
    return evaluate(io.BytesIO(gold.encode()), io.BytesIO(system.encode()), **options)


@pytest.mark.parametrize("seed", range(150))
def test_ud_equals_the_official_scorer(seed):
    from rollin.evaluation.tables import ud_table

    chance = random.Random(seed)
    text = "".join(chance.choice("abAé,日") for _ in range(chance.randint(5, 60)))
    both = []
    for _ in range(2):
        ends = sorted({len(text), *(chance.randint(1, len(text)) for _ in range(3))})
        both.append(random_file(chance, text, ends))
    if chance.random() < 0.2:
        both[1] = both[0]
    counts, table = official(*both)
    result = ours(*both, protocol="ud")
    found = {
        name: (score.correct, score.gold, score.system) for name, score in result.measures.items()
    }
    assert found == counts
    assert ud_table(result.measures) == table


def test_ud_wants_the_same_text():
    gold = "1\tabc\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(rollin.RollinError, match=r"spell the same text.*'c'.*'d'"):
        ours(gold, gold.replace("abc", "abd"), protocol="ud")


def file_of(heads, labels, tags=None, forms=None, lengths=None):
    lengths = lengths or [len(heads)]
    lines, place = [], 0
    for length in lengths:
        for number in range(1, length + 1):
            tag = tags[place] if tags else "NOUN"
            form = forms[place] if forms else "w"
            row = [number, form, "_", tag, "_", "_", heads[place], labels[place], "_", "_"]
            lines.append("\t".join(map(str, row)))
            place += 1
        lines.append("")
    return "\n".join([*lines, ""])


def test_conllx_leaves_punctuation_out():
    heads, labels, tags = [2, 0, 2, 2], ["a", "b", "c", "d"], ["N", ",", "N", "N"]
    gold = file_of(heads, labels, tags)
    system = file_of([2, 0, 1, 2], ["a", "b", "c", "x"], tags)
    result = ours(gold, system)
    assert result.protocol == "conllx"
    assert {name: round(each.f1, 4) for name, each in result.measures.items()} == {
        "UAS": 66.6667, "LAS": 33.3333, "Label accuracy": 66.6667,
    }  # fmt: skip
    counted = ours(gold, system, punctuation="none").measures
    assert counted["UAS"].f1 == 75 and counted["UAS"].gold == 4


def test_punctuation_by_forms_where_there_are_no_tags_for_it():
    gold = file_of([2, 0, 2], ["a", "b", "c"], ["N", "V", "XP"], ["I", "am", "..."])
    assert ours(gold, gold, protocol="conllx").measures["UAS"].gold == 2
    from rollin.conll.reading import read_blocks

    (block,) = read_blocks(io.BytesIO(gold.encode()))
    assert punctuation(block, "forms").tolist() == [False, False, True]
    assert not punctuation(block, "tags").any()


@pytest.mark.parametrize(
    ("forms", "lengths", "told"),
    [
        (["a", "b", "x"], [3], "has the word 'c' where .* has 'x'"),
        (["a", "b", "c"], [2, 1], "sentences end at different words"),
        (["a", "b"], [2], "has 3 words, .* has 2|different words"),
    ],
)
def test_conllx_wants_the_same_words(forms, lengths, told):
    gold = file_of([0, 1, 1], ["a"] * 3, forms=["a", "b", "c"])
    heads = [0 if i in (0, lengths[0]) else 1 for i in range(len(forms))]
    system = file_of(heads, ["a"] * len(forms), forms=forms, lengths=lengths)
    with pytest.raises(rollin.RollinError, match=told):
        ours(gold, system, protocol="conllx")


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4, st.booleans())))
def test_attachment_counts(rows):
    gold_heads, gold_labels, heads, labels, counted = (
        np.array(column) for column in (zip(*rows, strict=True) if rows else [[]] * 5)
    )
    scores = attachment(gold_heads, gold_labels, heads, labels, counted)
    taken = [row for row in rows if row[4]]
    assert scores.words == len(taken)
    assert scores.heads_right == sum(a == b for a, _, b, _, _ in taken)
    assert scores.labels_right == sum(a == b for _, a, _, b, _ in taken)
    assert scores.both_right == sum(row[:2] == row[2:4] for row in taken)
    assert scores.uas == pytest.approx(100 * scores.heads_right / max(len(taken), 1))


def test_attachment_wants_equal_lengths():
    with pytest.raises(rollin.RollinError, match="found 2 and 2 of gold, 1 and 2"):
        attachment(np.zeros(2), np.zeros(2), np.zeros(1), np.zeros(2))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(["ud", "conllx"]))
def test_breakdowns_add_up(seed, protocol):
    chance = random.Random(seed)
    lengths = [chance.randint(1, 25) for _ in range(4)]
    words = sum(lengths)
    made = []
    for _ in range(2):
        heads = [head for length in lengths for head in random_heads(chance, length)]
        made.append((heads, [chance.choice(LABELS) for _ in range(words)]))
    gold, system = (file_of(*each, lengths=lengths) for each in made)
    result = ours(gold, system, protocol=protocol, punctuation="none")

    def kept(label):
        return label.partition(":")[0] if protocol == "ud" else label

    for breakdown, measure in ((by_label, "LAS"), (by_distance, "UAS"), (by_length, "LAS")):
        parts = breakdown(result).values()
        assert sum(part.correct for part in parts) == result.measures[measure].correct
        assert sum(part.gold for part in parts) == words
        assert sum(part.system for part in parts) == words
    (a_heads, a_labels), (b_heads, b_labels) = made
    for label, score in by_label(result).items():
        assert score.gold == sum(kept(each) == label for each in a_labels)
        assert score.system == sum(kept(each) == label for each in b_labels)
        assert score.correct == sum(
            a == b and kept(c) == kept(d) == label
            for a, b, c, d in zip(a_heads, b_heads, a_labels, b_labels, strict=True)
        )
    roots = by_distance(result)["root"]
    assert roots.gold == roots.system == 4
    assert roots.correct == sum(a == b == 0 for a, b in zip(a_heads, b_heads, strict=True))


def systems_of(chance, wrong_parts, sentences=40, length=8):
    gold_heads = [head for _ in range(sentences) for head in random_heads(chance, length)]
    labels = ["x"] * len(gold_heads)
    files = [file_of(gold_heads, labels, lengths=[length] * sentences)]
    for wrong in wrong_parts:
        given = [label if chance.random() > wrong else "y" for label in labels]
        files.append(file_of(gold_heads, given, lengths=[length] * sentences))
    return [io.BytesIO(each.encode()) for each in files]


def test_a_large_difference_is_significant_and_a_small_one_is_not():
    chance = random.Random(1)
    gold, *systems = systems_of(chance, [0.4, 0.1, 0.11])
    bad, good, other = compare(gold, systems, "conllx", "none")
    _, las = differences(bad, good)
    assert las.points == pytest.approx(good.measures["LAS"].f1 - bad.measures["LAS"].f1)
    assert las.significant and las.low > 0 and las.p < 0.001
    _, las = differences(good, other)
    assert not las.significant and las.low < 0 < las.high
    uas, _ = differences(bad, good)
    assert (uas.points, uas.p) == (0, 1)
    assert differences(bad, good, seed=3) == differences(bad, good, seed=3)


def test_p_is_that_of_all_exchanges():
    """On few sentences chance can be counted out: every way to exchange the trees."""
    chance = random.Random(5)
    gold, *systems = systems_of(chance, [0.5, 0.2], sentences=6, length=4)
    first, second = compare(gold, systems, "conllx", "none")
    per_sentence = [
        np.bincount(each.gold.sentence_of[each.right_labels & each.right_heads], minlength=6)
        for each in (first, second)
    ]
    change = per_sentence[1] - per_sentence[0]
    outcomes = [
        abs(sum(step if way >> i & 1 else -step for i, step in enumerate(change)))
        for way in range(64)
    ]
    exact = sum(each >= abs(change.sum()) for each in outcomes) / 64
    _, las = differences(first, second, trials=20000)
    assert las.p == pytest.approx(exact, abs=0.02)


def test_p_is_fair_where_there_is_no_difference():
    """Of systems equally good, one in twenty pairs is called different, and no more."""
    found = []
    for seed in range(60):
        gold, *systems = systems_of(random.Random(seed), [0.3, 0.3], sentences=30, length=5)
        first, second = compare(gold, systems, "conllx", "none")
        found.append(differences(first, second, trials=500)[1].significant)
    assert sum(found) <= 9


def test_evaluation_imports_no_compiler_of_user_code():
    code = "import rollin.evaluation.comparing, sys; print('rollin.compiler' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"

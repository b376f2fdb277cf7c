"""The commands check, evaluate, convert and stats, as they are called."""

import gzip
import io
import json
import random
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_conll import files, sentences
from small_conll import random_heads

from rollin.cli import main
from rollin.conll.converting import Conversion
from rollin.conll.counting import count
from rollin.conll.projectivity import crossing_arcs
from rollin.conll.reading import read_blocks

GOOD = "# sent_id = a\n1\tA\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tB\tb\tX\t_\t_\t0\troot\t_\t_\n\n"
WORSE = GOOD.replace("2\tdep", "0\troot").replace("= a", "= b")
WRONG = GOOD.replace("2\tdep", "5\tdep").replace("= a", "= c")


@pytest.fixture
def write(tmp_path):
    def make(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return make


def test_check_is_silent_about_nothing(write, capsys):
    path = write("good.conllu", GOOD)
    assert main(["check", path]) == 0
    assert capsys.readouterr().out == (
        f"{path}: 0 errors, 0 remarks; 1 sentences and 2 words without errors (conllu)\n"
    )


def test_check_tells_errors_from_remarks(write, capsys):
    path = write("mixed.conllu", GOOD + WORSE + WRONG)
    assert main(["check", path]) == 1
    (error,) = [line for line in capsys.readouterr().out.split("\n") if line.startswith("error")]
    assert f"{path}:10 (sentence 3, sent_id c)" in error and "[head-outside]" in error
    remarks = write("remarks.conllu", GOOD + WORSE)
    assert main(["check", remarks]) == 0
    assert "remark: " in capsys.readouterr().out
    assert main(["check", "--strict", remarks]) == 1


def test_check_shortens_remarks_but_not_errors(write, capsys):
    many = "".join(text.replace("sent_id", f"id{i}") for i in range(9) for text in (WORSE, WRONG))
    path = write("many.conllu", many)
    assert main(["check", path]) == 1
    out = capsys.readouterr().out
    assert (out.count("error: "), out.count("remark: ")) == (9, 3)
    assert "6 more remarks [several-roots] (--all)" in out
    main(["check", "--all", path])
    assert capsys.readouterr().out.count("remark: ") == 9


def test_check_as_json(write, capsys):
    paths = [write("a.conllu", GOOD), write("b.conllu.gz", gzip.compress(WRONG.encode()))]
    assert main(["check", "--json", *paths]) == 1
    good, bad = json.loads(capsys.readouterr().out)["files"]
    assert (good["errors"], good["problems"]) == (0, [])
    (problem,) = bad["problems"]
    assert (problem["line"], problem["kind"], problem["error"]) == (2, "head-outside", True)
    assert bad["kinds"] == {"head-outside": 1}


def test_check_goes_on_after_a_file_that_is_not_there(write, capsys):
    assert main(["check", "nowhere.conllu", write("a.conllu", WRONG)]) == 2
    shown = capsys.readouterr()
    assert "nowhere.conllu" in shown.err and "error: " in shown.out


def test_evaluate_prints_the_protocol(write, capsys):
    gold, system = write("gold.conllu", GOOD), write("system.conllu", GOOD.replace("dep", "obj"))
    assert main(["evaluate", gold, system]) == 0
    out = capsys.readouterr().out
    assert out.startswith("protocol ud (CoNLL 2018")
    assert "LAS        |     50.00 |     50.00 |     50.00 |     50.00\n" in out
    assert main(["evaluate", gold, system, "--protocol", "conllx", "--by", "label"]) == 0
    out = capsys.readouterr().out
    assert "protocol conllx (gold words, full labels, punctuation left out" in out
    assert "LAS by label" in out


def test_evaluate_compares_systems(write, capsys):
    gold = write("gold.conllu", GOOD * 20)
    systems = [write("a.conllu", GOOD.replace("dep", "obj") * 20), write("b.conllu", GOOD * 20)]
    assert main(["evaluate", gold, *systems]) == 0
    out = capsys.readouterr().out
    assert "+50.00 points (95% interval +50.00 to +50.00), p < 0.0001: significant" in out
    assert main(["evaluate", "--json", "--by", "length", gold, *systems]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["protocol"] == "ud"
    assert [round(each["measures"]["LAS"]["f1"]) for each in found["systems"]] == [50, 100]
    assert found["systems"][0]["by length"]["1-10"]["gold"] == 40
    uas, las = found["differences"]
    assert (uas["significant"], las["significant"]) == (False, True)


def test_evaluate_refuses_what_it_can_not_score(write, capsys):
    assert main(["evaluate", write("g.conllu", GOOD), write("s.conllu", WRONG)]) == 2
    told = capsys.readouterr().err
    assert "`rollin check" in told and "every sentence is scored, so mend them" in told
    assert "--on-error" not in told  # which it does not have
    assert main(["evaluate", write("g.conllu", GOOD), write("e.conllu", "")]) == 2
    assert "no words" in capsys.readouterr().err


X = (
    "1\tHan\t_\tpron\tpron-pers\tcase=nom|SG\t2\tSUBJ\t2\tx|y%\n"
    "2\tgår\tgå\tv\tv-fin\t_\t0\tROOT\t_\t_\n\n"
)


def test_convert_and_back(write, capsys, tmp_path):
    path, there, back = write("x.conll", X), tmp_path / "u.conllu", tmp_path / "x2.conll"
    assert main(["convert", path, "-o", str(there)]) == 0
    assert "1 sentences to conllu\n" in capsys.readouterr().err
    assert there.read_text() == (
        "# sent_id = 1\n# text = Han går\n"
        "1\tHan\t_\tpron\tpron-pers\tcase=nom|SG=Yes\t2\tSUBJ\t_"
        "\tPDeprel=x%7Cy%25|PHead=2|XFeats=case=nom%7CSG\n"
        "2\tgår\tgå\tv\tv-fin\t_\t0\tROOT\t_\t_\n\n"
    )
    assert main(["convert", str(there), "-o", str(back)]) == 0
    assert back.read_text() == X
    assert "2 comments left out" in capsys.readouterr().err


def test_the_name_of_the_output_says_what_to_convert_to(write, capsys, tmp_path):
    path, same = write("u.conllu", GOOD), tmp_path / "same.conllu.gz"
    assert main(["convert", path, "-o", str(same)]) == 0
    assert "sentences to conllu\n" in capsys.readouterr().err
    assert gzip.decompress(same.read_bytes()).decode() == GOOD
    other = tmp_path / "other.txt"
    for flags, to in (([], "conllx"), (["--to", "conllu"], "conllu")):
        assert main(["convert", path, "-o", str(other), *flags]) == 0
        assert f"sentences to {to}\n" in capsys.readouterr().err


@settings(deadline=None)
@given(st.lists(sentences(plain=True), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_conllx_comes_back_from_conllu(parts, newline):
    text = "".join(newline.join([*lines, "", ""]) for lines in parts)
    once = Conversion("conllu"), Conversion("conllx")
    data = text.encode()
    for conversion, format in zip(once, ("conllx", "conllu"), strict=True):
        options = {"trees": "ignored", "format": format}
        data = b"".join(map(conversion.convert, read_blocks(io.BytesIO(data), **options)))
    spaces = {column: once[1].changes[column] for column in once[1].changes if "spaces" in column}
    if not any(spaces.values()):
        assert data.decode() == text


@settings(deadline=None)
@given(files())
def test_what_is_converted_can_be_read(file):
    data, expected = file
    conversion = Conversion("conllx")
    blocks = read_blocks(io.BytesIO(data), format="conllu")
    converted = b"".join(map(conversion.convert, blocks))
    found = list(read_blocks(io.BytesIO(converted)))
    assert sum(block.words for block in found) == sum(map(len, expected))
    assert not sum(len(block.others) for block in found)


def test_convert_writes_nothing_if_it_stops(write, tmp_path):
    assert main(["convert", write("x.conll", X + "1\tx\n\n"), "-o", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()
    path = write("y.conll", X + "1\tx\n\n")
    assert main(["convert", "--on-error", "skip", path, "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_text().count("# sent_id") == 1


def naive_crossing(heads):
    """An arc is projective if its head is above every word between its ends."""

    def above(word):
        chain = []
        while word:
            word = heads[word - 1]
            chain.append(word)
        return chain

    return [
        head > 0 and any(head not in above(k) for k in range(min(w, head) + 1, max(w, head)))
        for w, head in enumerate(heads, 1)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_crossing_arcs_are_those_of_the_definition(seed):
    chance = random.Random(seed)
    trees = [random_heads(chance, chance.randint(1, 12), chance.random() < 0.5) for _ in range(100)]
    text = ""
    for heads in trees:
        for word, head in enumerate(heads, 1):
            text += f"{word}\tw\t_\tX\t_\t_\t{head}\tx\t_\t_\n"
        text += "\n"
    (block,) = read_blocks(io.BytesIO(text.encode()))
    expected = [crosses for heads in trees for crosses in naive_crossing(heads)]
    assert crossing_arcs(block).tolist() == expected
    assert any(expected) and not all(expected)
    counts = count([block])
    assert counts["non-projective arcs"] == sum(expected)
    assert counts["non-projective sentences"] == sum(map(any, map(naive_crossing, trees)))
    assert counts["sentences with several roots"] == sum(heads.count(0) > 1 for heads in trees)
    lengths = sorted(map(len, trees))
    assert counts["length"]["median"] == lengths[49]
    assert counts["length"]["mean"] == pytest.approx(sum(lengths) / 100)


def test_stats(write, capsys):
    path = write("a.conllu", GOOD + WORSE)
    assert main(["stats", path]) == 0
    out = capsys.readouterr().out
    assert "sentences with several roots             1  (50.00 %)" in out
    assert "words in a sentence: shortest 2, median 2, mean 2.0, longest 2" in out
    assert main(["stats", "--json", path]) == 0
    (found,) = json.loads(capsys.readouterr().out)["files"]
    assert found["deprel"] == {"root": 3, "dep": 1}
    assert found["different forms"] == 2


@pytest.mark.parametrize("command", ["check", "evaluate", "convert", "stats"])
def test_help_is_instant_and_has_examples(command):
    code = (
        "import sys; from rollin.cli import main\n"
        f"try: main(['{command}', '--help'])\n"
        "finally: print([m for m in ('numpy', 'numba') if m in sys.modules], file=sys.stderr)"
    )
    start = time.perf_counter()
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert time.perf_counter() - start < 2
    assert shown.stderr.strip() == "[]"
    assert "examples:\n  rollin " + command in shown.stdout


def test_a_pipe(write):
    command = [sys.executable, "-m", "rollin.cli", "check", "-"]
    shown = subprocess.run(command, input=WRONG.encode(), capture_output=True)
    assert shown.returncode == 1
    assert b"<stdin>:2 (sentence 1, sent_id c)" in shown.stdout

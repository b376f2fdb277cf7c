"""The commands train, parse and info, as they are called."""

import io
import json
import signal
import subprocess
import sys

import pytest
from naive_parsing import is_tree
from small_treebank import blind, changed, heads_of, rows, write_small

from rollin.cli import main
from rollin.training import storage

SMALL = ["--learner", "sgd+ bits=12", "--preset", "sparse", "--templates", "s1 * b1"]


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def model(paths, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "small.rollin"
    assert main(train(paths, path, "--quiet")) == 0
    return path


def train(paths, model, *more):
    files = [str(paths["train"]), "--dev", str(paths["dev"]), "-o", str(model)]
    return ["train", "parser", *files, *SMALL, "--passes", "2", *more]


class Piped:
    """What stands for standard input and output, where bytes go through."""

    def __init__(self, given=b""):
        self.buffer = io.BytesIO(given)

    def write(self, text):
        self.buffer.write(text.encode())

    def flush(self):
        """Nothing waits."""

    def isatty(self):
        return False


def test_train_says_what_it_does(paths, tmp_path, capsys):
    path = tmp_path / "m.rollin"
    assert main(train(paths, path)) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("40 sentences, ") and "arcs that cross" in said[0]
    assert said[-3].startswith("pass 1/2: loss ") and "dev UAS " in said[-3]
    assert said[-1] == f"{path}: pass 2 of 2"
    passes = [json.loads(line) for line in (tmp_path / "m.rollin.jsonl").open()]
    assert [done["pass"] for done in passes] == [1, 2]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.rollin", "m.rollin.jsonl"]


def test_parse_goes_from_standard_input_to_standard_output(model, paths, monkeypatch):
    raw = changed(paths["dev"].read_bytes(), blind)
    out = Piped()
    monkeypatch.setattr(sys, "stdin", Piped(raw))
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["parse", str(model)]) == 0
    found = out.buffer.getvalue()
    assert changed(found, blind) == raw and all(map(is_tree, heads_of(found)))


@pytest.mark.parametrize(
    "more", [["--beam", "3"], ["--threads", "2"], ["--nbest", "2"], ["--certainty"], ["--keep"]]
)
def test_parse_with_every_option(model, paths, tmp_path, more, capsys):
    path = tmp_path / "out.conllu"
    assert main(["parse", str(model), str(paths["dev"]), "-o", str(path), *more]) == 0
    assert all(map(is_tree, heads_of(path.read_bytes()))) and not capsys.readouterr().err
    if more == ["--keep"]:
        assert path.read_bytes() == paths["dev"].read_bytes(), "all was given"


def test_parse_tells_what_it_could_not_keep(model, tmp_path, capsys):
    given = tmp_path / "given.conllu"
    given.write_bytes(b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    assert main(["parse", str(model), str(given), "-o", str(tmp_path / "out"), "--keep"]) == 0
    assert "rollin: " in (said := capsys.readouterr().err) and "could not be kept" in said


def test_parse_lets_broken_sentences_through_if_asked(model, paths, tmp_path, capsys):
    broken = tmp_path / "broken.conllu"
    broken.write_bytes(paths["dev"].read_bytes() + b"1\tbroken\n\n")
    out = str(tmp_path / "out.conllu")
    assert main(["parse", str(model), str(broken), "-o", out]) == 2
    assert "`--on-error skip`" in capsys.readouterr().err
    assert main(["parse", str(model), str(broken), "-o", out, "--on-error", "skip"]) == 0
    assert "left as it is: " in capsys.readouterr().err


def test_info_says_what_a_model_is(model, capsys):
    assert main(["info", str(model)]) == 0
    said = capsys.readouterr().out
    for part in ("arc-hybrid", "looks at", "form, upos, xpos", "sgd+ bits=12", "on dev", "UAS"):
        assert part in said
    assert main(["info", "--json", str(model)]) == 0
    assert json.loads(capsys.readouterr().out)["facts"]["parser"]["system"] == "arc-hybrid"


def damaged(model):
    raw = model.read_bytes()
    flipped = bytearray(raw)
    flipped[len(raw) // 2] ^= 4
    newer = raw[:6] + (99).to_bytes(2, "little") + raw[8:]
    return {
        "cut short": raw[: len(raw) // 2],
        "is damaged": bytes(flipped),
        "Use a newer rollin": newer,
        "is not a rollin file": b"something else altogether",
    }


@pytest.mark.parametrize("expected", ["cut short", "is damaged", "newer rollin", "not a rollin"])
def test_a_model_that_is_not_whole_is_refused(model, paths, tmp_path, capsys, expected):
    (raw,) = [raw for said, raw in damaged(model).items() if expected in said]
    path = tmp_path / "damaged.rollin"
    path.write_bytes(raw)
    assert main(["parse", str(path), str(paths["dev"])]) == 2
    said = capsys.readouterr()
    assert expected in said.err and str(path) in said.err and not said.out


def test_a_parser_of_another_version_is_refused(model, paths, tmp_path, capsys):
    described, arrays = storage.load(model, "model")
    del described["facts"]["parser"]["moved"]
    path = tmp_path / "older.rollin"
    storage.save(path, described, arrays)
    assert main(["parse", str(path), str(paths["dev"])]) == 2
    said = capsys.readouterr().err
    assert "another version" in said and "'moved'" in said and "Train the parser again" in said


def test_a_model_of_another_task_is_refused(paths, tmp_path, capsys):
    from small_tasks import sentences, tagger

    path = tmp_path / "tagger.rollin"
    tagger.fit(sentences(5, 1), learner="sgd bits=4", passes=1).save(path)
    assert main(["parse", str(path), str(paths["dev"])]) == 2
    assert "not a parser" in capsys.readouterr().err


def test_settings_are_looked_at_before_anything_is_done(paths, tmp_path, capsys):
    path = tmp_path / "m.rollin"
    assert main([*train(paths, path), "--use", "form,head"]) == 2
    assert "can't look at column 'head'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*train(paths, path), "--system", "arc-hybrid-swap"])
    assert "'arc-hybrid', 'arc-eager'" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.compiled
def test_ctrl_c_leaves_a_model_and_resume_ends_in_the_same_bytes(paths, tmp_path):
    command = [sys.executable, "-m", "rollin.cli"]
    more = ["--passes", "150", "--patience", "0"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    subprocess.run([*command, *train(paths, whole, *more)], check=True, stderr=subprocess.PIPE)
    running = subprocess.Popen(
        [*command, *train(paths, parts, *more)], stderr=subprocess.PIPE, text=True
    )
    for line in running.stderr:
        if line.startswith("pass 3/"):
            running.send_signal(signal.SIGINT)
            break
    said = running.stderr.read()
    assert running.wait() == 130 and "with --resume goes on" in said
    parsed = subprocess.run(
        [*command, "parse", str(parts), str(paths["dev"])], check=True, stdout=subprocess.PIPE
    )
    assert len(rows(parsed.stdout)) == len(rows(paths["dev"].read_bytes()))
    refused = subprocess.run(
        [*command, "parse", f"{parts}.training", str(paths["dev"])],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert refused.returncode == 2 and "unfinished training" in refused.stderr
    subprocess.run(
        [*command, *train(paths, parts, *more, "--resume")], check=True, stderr=subprocess.PIPE
    )
    assert parts.read_bytes() == whole.read_bytes()
    logs = [tmp_path / f"{name}.jsonl" for name in ("whole", "parts")]
    assert logs[0].read_bytes() == logs[1].read_bytes()

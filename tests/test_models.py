"""Model files: what was saved is what is loaded, or an error that says why not."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tasks import TAGS, mixed, sentences, tagger

import rollin
from rollin.training import storage

TRAIN, TEST = sentences(40, 1), sentences(15, 2)


@pytest.fixture(scope="module")
def model():
    return tagger.fit(TRAIN, learner="sgd+ bits=4 average", passes=2, seed=5)


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "small"
    model.save(path)
    return path


@pytest.mark.parametrize(
    "learner", ["sgd bits=6", "sgd+ bits=6 average", "ftrl bits=6", "nn bits=6", "nn+ftrl bits=6"]
)
@pytest.mark.parametrize("task", [tagger, mixed], ids=["tagger", "mixed"])
def test_a_loaded_model_predicts_as_it_did(task, learner, tmp_path):
    fitted = task.fit(TRAIN, learner=learner, passes=2)
    fitted.save(tmp_path / "folder" / "model")
    loaded = task.load(tmp_path / "folder" / "model")
    assert np.array_equal(fitted.losses(TEST), loaded.losses(TEST))
    outputs = zip(fitted.nbest(TEST[:3]), loaded.nbest(TEST[:3]), strict=True)
    assert all([o.score for o in one] == [o.score for o in other] for one, other in outputs)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "folder" / "model").read_bytes()


def test_a_file_says_what_it_is(saved):
    """The header is JSON behind 16 bytes, so that anyone can look at it."""
    raw = saved.read_bytes()
    header = json.loads(raw[16 : 16 + int.from_bytes(raw[8:16], "little")])
    assert header["kind"] == "model"
    assert header["made by"] == f"rollin {rollin.__version__}"
    assert header["schema"]["task"] == "tag"
    assert header["columns"] == ["word"]
    assert header["learner"] == {"name": "sgd+", "bits": 4, "average": True, "rate": 0.5}
    assert header["seed"] == 5
    assert header["facts"]["examples"] == len(TRAIN) and header["facts"]["passes"] == 2


def refused(path, words, task=tagger):
    with pytest.raises(rollin.RollinError) as caught:
        task.load(path)
    assert str(path) in str(caught.value)
    assert any(word in str(caught.value) for word in words), caught.value


# --- damage ----------------------------------------------------------------------------------


@pytest.mark.long
def test_every_byte_counts(saved, tmp_path):
    raw = saved.read_bytes()
    assert len(raw) < 10_000
    for place in range(len(raw)):
        (tmp_path / "model").write_bytes(
            raw[:place] + bytes([raw[place] ^ (1 << place % 8)]) + raw[place + 1 :]
        )
        refused(tmp_path / "model", ["damaged", "not a rollin file", "cut short", "of format"])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_damage_is_noticed(saved, data):
    raw = saved.read_bytes()
    start = data.draw(st.integers(0, len(raw) - 1))
    end = data.draw(st.integers(start, len(raw)))
    other = raw[:start] + data.draw(st.binary(max_size=20)) + raw[end:]
    path = saved.with_name("damaged")
    path.write_bytes(other)
    if other == raw:
        tagger.load(path)
    else:
        refused(path, ["damaged", "not a rollin file", "cut short", "too long", "of format"])


@pytest.mark.long
def test_a_file_cut_short_anywhere_says_so(saved, tmp_path):
    raw = saved.read_bytes()
    for length in range(len(raw)):
        (tmp_path / "model").write_bytes(raw[:length])
        refused(tmp_path / "model", ["cut short"] if length >= 16 else ["has only"])


def test_files_that_are_something_else(saved, tmp_path):
    path = tmp_path / "model"
    refused(path, ["No such file"])
    refused(tmp_path, ["Is a directory"])
    path.write_bytes(b"")
    refused(path, ["not a rollin file: it has only 0 bytes"])
    path.write_bytes(b"\x80\x04\x95" + bytes(100))
    refused(path, ["not a rollin file: it begins with"])
    path.write_bytes(saved.read_bytes() + b"\0")
    refused(path, ["too long"])


def test_a_file_of_another_version(saved, tmp_path):
    raw = saved.read_bytes()
    for version, words in ((2, "Use a newer rollin"), (0, "Train the model again")):
        (tmp_path / "model").write_bytes(raw[:6] + version.to_bytes(2, "little") + raw[8:])
        refused(tmp_path / "model", [words])


def test_a_model_of_another_task(saved):
    refused(saved, ["its task is 'tag', the task's is 'everything'"], mixed)
    refused(saved, ["its decisions is"], tagger.but(decisions={"tag": TAGS + 1}))
    refused(saved, ["its slots is ('here', 'left')"], tagger.but(slots="here left right"))
    other = tagger.but(inputs=lambda sentence: {"form": sentence.words})
    with pytest.raises(rollin.RollinError, match="trained with the input columns word; now"):
        other.load(saved).predict(TEST)


def test_a_checkpoint_is_no_model(tmp_path):
    tagger.fit(TRAIN, learner="sgd bits=4", passes=1, checkpoint=tmp_path / "unfinished")
    refused(tmp_path / "unfinished", ["is an unfinished training, not a model: go on with it"])


# --- all or nothing ----------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", ["fsync", "replace"])
def test_saving_is_all_or_nothing(trouble, model, tmp_path, monkeypatch):
    path = tmp_path / "model"
    path.write_bytes(b"what was here before")

    def fail(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        *{"fsync": (os, "fsync", fail), "replace": (Path, "replace", fail)}[trouble]
    )
    with pytest.raises(OSError, match="No space left"):
        model.save(path)
    assert path.read_bytes() == b"what was here before"
    assert list(tmp_path.iterdir()) == [path]


def test_saving_replaces_what_was_there(model, saved, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"what was here before")
    model.save(path)
    assert path.read_bytes() == saved.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    current = os.umask(0)
    os.umask(current)
    return current


def test_arrays_come_back_as_they_were(tmp_path):
    arrays = {
        "a": np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2],
        "empty": np.zeros((0, 3), np.int64),
        "one": np.array([7], np.uint8),
    }
    storage.save(tmp_path / "file", {"kind": "test"}, arrays)
    described, found = storage.load(tmp_path / "file", "test")
    assert described == {"kind": "test"}
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and np.array_equal(found[name], array)
        assert not found[name].flags.writeable

"""Native code: hashing, symbols and the cache of compiled code."""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tasks import costed, mixed, sentences, tagger

from rollin.compiler import drive
from rollin.compiler.running import entry
from rollin.learners import LEARNERS
from rollin.learners.features import hash_int, spread_array
from rollin.native.hashing import hash_bytes, hash_text, mix, spread
from rollin.native.structs import plain

WORD = st.integers(0, 2**64 - 1).map(np.uint64)


# --- hashing -------------------------------------------------------------------------------------


def naive_spread(value):
    """The finaliser of MurmurHash3 (Appleby), on Python's whole numbers."""
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD % 2**64
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 % 2**64
    return value ^ value >> 33


def test_text_is_hashed_by_fnv_1a_and_spread():
    """The FNV-1a values are those its authors publish."""
    for text, fnv in (
        ("", 0xCBF29CE484222325),
        ("a", 0xAF63DC4C8601EC8C),
        ("foobar", 0x85944171F73967E8),
    ):
        assert hash_text(text) == naive_spread(fnv)


@settings(deadline=None)
@given(st.text(max_size=12), st.binary(max_size=3))
def test_text_and_its_bytes_have_one_hash(text, around):
    raw = text.encode("utf-8", "surrogatepass")
    if any(0xD800 <= ord(letter) < 0xE000 for letter in text):
        return
    padded = np.frombuffer(around + raw + around, np.uint8)
    found = hash_bytes(padded, len(around), len(around) + len(raw))
    assert int(found) == hash_text(text)


@settings(deadline=None)
@given(WORD, WORD)
def test_numbers_are_mixed_alike_natively_and_in_python(first, second):
    with np.errstate(over="ignore"):
        expected = naive_spread((int(first) * 0x9E3779B97F4A7C15 % 2**64) ^ int(second))
        assert int(mix(first, second)) == int(plain(mix)(first, second)) == expected
        assert int(spread(first)) == naive_spread(int(first))


@settings(deadline=None)
@given(st.integers(-(2**63), 2**63 - 1))
def test_whole_numbers_in_a_column_have_one_hash_however_they_come(number):
    as_array = spread_array(np.array([number], np.int64).view(np.uint64))
    assert int(as_array[0]) == hash_int(number)


def test_every_bit_of_a_number_touches_every_bit_of_its_hash():
    numbers = np.random.default_rng(1).integers(0, 2**63, 2000).astype(np.uint64)
    for bit in range(64):
        changed = spread_array(numbers) ^ spread_array(numbers ^ np.uint64(1 << bit))
        flips = np.unpackbits(changed.view(np.uint8)).reshape(len(numbers), 64).mean(axis=0)
        assert flips.min() > 0.4 and flips.max() < 0.6


# --- symbols -------------------------------------------------------------------------------------


def symbol(dispatcher):
    """The name of a compiled function without numba's count of the functions of this process."""
    (compiled,) = dispatcher.overloads.values()
    return re.sub(r"B\d+v\d+", "", compiled.fndesc.mangled_name)


@pytest.mark.compiled
def test_functions_that_differ_have_symbols_that_differ():
    """Numba's count starts anew in every process, and code is kept from one to the next."""
    functions = []
    for task in (tagger, costed, mixed):
        runner = task.runner()
        runner.load(sentences(2, 1), task.inputs)
        functions.append(runner.decoder.run)
    for learner in ("sgd", "sgd+", "nn"):
        tagger.fit(sentences(2, 1), passes=1, learner=f"{learner} bits=4")
        functions.append(LEARNERS[learner]().functions()[1])
    names = [symbol(function) for function in functions]
    assert len(set(names)) == len(names) == 6


# --- the cache -----------------------------------------------------------------------------------


def run_python(script, **environment):
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
        env={**os.environ, **environment},
    )


COUNT_COMPILING = """
from numba.core import event
from small_tasks import mixed, sentences, words, tag, TAGS, Sentence
import numpy as np, rollin
from rollin.decisions.batch import Batch
from rollin.learners.features import hash_columns

class Listener(event.Listener):
    count = 0
    def on_start(self, happening): Listener.count += 1
    def on_end(self, happening): pass

event.register("numba:compile", Listener())
mixed.fit(sentences(3, 1), passes=1, learner="sgd+ bits=4", method="lols").predict(sentences(2, 2))
some = sentences(3, 1)
gold, sizes = np.concatenate([s.gold for s in some]), [len(s.gold) for s in some]
features = np.concatenate([hash_columns(words(s)) for s in some])
batch = Batch(lambda gold: Bare(gold), {"gold": gold}, {}, np.array(sizes), ["word"], features)

class Bare:
    def __init__(self, gold): self.gold = gold

task = rollin.Task(tag, slots="here left", notes="previous", decisions={"tag": TAGS})
task.fit(batch, passes=1, learner="sgd+ bits=4")
print(Listener.count)
"""


@pytest.mark.compiled
def test_the_second_process_compiles_nothing():
    run_python(COUNT_COMPILING)
    assert run_python(COUNT_COMPILING).stdout == "0\n"


HASH_SOMETHING = """
import numpy as np
from rollin.native.hashing import hash_bytes
print(int(hash_bytes(np.arange(5, dtype=np.uint8), 0, 5)))
"""


@pytest.mark.compiled
def test_damaged_code_is_compiled_again(tmp_path):
    whole = run_python(HASH_SOMETHING, ROLLIN_CACHE=str(tmp_path)).stdout
    files = list(tmp_path.glob("*/*.code"))
    assert files
    for damage in (lambda raw: raw[: len(raw) // 2], lambda raw: b"", lambda raw: b"no" + raw[2:]):
        for file in files:
            file.write_bytes(damage(file.read_bytes()))
        assert run_python(HASH_SOMETHING, ROLLIN_CACHE=str(tmp_path)).stdout == whole


@pytest.mark.compiled
def test_without_a_place_for_code_everything_still_runs(tmp_path):
    nowhere = tmp_path / "file"
    nowhere.write_text("in the way")
    ran = run_python(HASH_SOMETHING, ROLLIN_CACHE=str(nowhere))
    assert "ROLLIN_CACHE" in ran.stderr and ran.stdout
    silent = run_python(HASH_SOMETHING, ROLLIN_CACHE="off")
    assert silent.stderr == "" and silent.stdout == ran.stdout
    assert run_python(HASH_SOMETHING, NUMBA_DISABLE_JIT="1").stdout == ran.stdout


@pytest.mark.compiled
def test_threads_that_ask_at_once_share_what_is_compiled(monkeypatch):
    class Slow:
        compiled = 0

        def compile(self, arguments):
            assert self.compiled == 0, "compilation disabled"
            time.sleep(0.05)
            self.compiled += 1

        def disable_compile(self):
            pass

    slow = Slow()
    monkeypatch.setattr(drive, "learn", slow)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(entry, [slow, slow])) == [slow, slow]
    assert slow.compiled == 1

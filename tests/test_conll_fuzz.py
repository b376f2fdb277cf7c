"""What is hardly CoNLL: read as a slow reader reads it; nothing crashes, hangs or is lost."""

import io
import os
import random
import subprocess
import sys
from pathlib import Path

import naive_conll
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # bench stands beside tests

from bench.conll import SAMPLE, fuzzed, try_out
from rollin.conll.blocks import NAMES
from rollin.conll.messages import name_of_kind
from rollin.conll.reading import read_blocks


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("trees", ["ignored", "checked", "required"])
def test_disturbed_files_are_read_as_a_slow_reader_reads_them(seed, trees):
    chance = random.Random(seed)
    for _ in range(40):
        data = fuzzed([SAMPLE, SAMPLE[3:], SAMPLE.replace(b"\r", b"")], chance)
        expected, told = naive_conll.read(data, trees)
        cycles = {at: each for each in told if isinstance(each[0], tuple) for at in each[0]}
        found, seen = [], []
        for block in read_blocks(io.BytesIO(data), 64, on_error="keep", trees=trees):
            rows = zip(*(block.texts(name) for name in NAMES), strict=True)
            rows = list(map(list, rows))
            bounds = zip(block.starts[:-1], block.starts[1:], strict=True)
            found += [rows[start:end] for start, end in bounds]
            for row in block.problems.tolist():
                line, kind = block.first_line + row[1], name_of_kind(row[0])
                seen.append(cycles.get(line, (line, kind)) if kind == "cycle" else (line, kind))
        assert found == expected, data
        assert sorted(map(str, seen)) == sorted(map(str, told)), data


def test_a_short_fuzz():
    chance = random.Random(7)
    for _ in range(500):
        try_out(fuzzed([SAMPLE], chance), chance)


@pytest.mark.compiled
def test_a_short_fuzz_with_bounds_checked():
    command = [sys.executable, "-m", "bench.conll", "fuzz", "--seconds", "5", "--seed", "8"]
    shown = subprocess.run(
        command,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert shown.returncode == 0, shown.stderr
    assert "bounds checked; no failure" in shown.stdout

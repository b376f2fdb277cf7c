"""The pictures of bench.pictures, of results that are made up."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="only the benchmarks need it: pip install 'rollin[bench]'")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # bench stands beside tests

from bench import pictures

MADE_UP = [  # peer, name, words a second, training, LAS, less than it asks for
    ("vw", "Vowpal Wabbit, sgd+, roll-outs: none", 7_000, 300, 85.5, ""),
    ("udpipe", "UDPipe 1", 7_100, 305, 85.4, "3 iterations where it does 10"),
    ("spacy", "spaCy", 6_900, 295, 85.6, ""),
    ("rollin-fast", "rollin, fast", 130_000, 110, 87.6, ""),
]
REPORT = {
    "treebank": "Made-Up",
    "results": [
        {
            "peer": peer, "name": name, "file_words_per_second": words, "train_seconds": seconds,
            "test_las": las, "note": note,
        }
        for peer, name, words, seconds, las, note in MADE_UP
    ],
}  # fmt: skip


def test_every_parser_is_in_both_pictures_and_they_come_out_the_same(tmp_path):
    first, again = (pictures.draw(REPORT, tmp_path / name) for name in ("first", "again"))
    assert [path.name for path in first] == ["accuracy-speed.svg", "accuracy-training.svg"]
    for one, other in zip(first, again, strict=True):
        text = one.read_text(encoding="utf-8")
        assert text == other.read_text(encoding="utf-8")
        for said in ("Vowpal Wabbit, sgd+", "UDPipe 1*", "spaCy", "rollin, fast", "Made-Up"):
            assert f"<!-- {said} -->" in text
        assert "dc:date" not in text


def test_names_stand_in_nobodys_way(tmp_path):
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.0, 3.6))
    points = [("one", 100, 80.0, False), ("two", 101, 80.1, False), ("three", 99, 79.9, True)]
    pictures._scatter(axes, points)
    pictures._name(figure, axes, points)
    renderer = figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in axes.texts]
    assert [text.get_text() for text in axes.texts] == ["one", "two", "three"]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])
    pyplot.close(figure)

"""The treebanks that bench.growth_training makes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # bench stands beside tests

from bench import growth_training as growth
from bench.peers.treebank import DEPREL, HEAD


def sentence(*heads):
    return [
        [str(n), f"w{n}", "_", "X", "_", "_", str(head), "root" if head == 0 else "dep", "_", "_"]
        for n, head in enumerate(heads, start=1)
    ]


def test_joined_sentences_are_trees_with_one_root():
    made = growth.joined([sentence(2, 0), sentence(0, 1, 1)] * 5000, 9)
    assert {len(each) for each in made} == {10}
    assert growth.WORDS <= 10 * len(made) < growth.WORDS + 10
    assert [int(word[HEAD]) for word in made[0]] == [2, 0, 2, 3, 3, 7, 3, 7, 8, 8]
    assert [word[0] for word in made[0]] == [str(n) for n in range(1, 11)]


def test_other_labels_are_as_many_as_said_and_roots_keep_theirs():
    sentences = [sentence(0, *[1] * 500)]
    (made,) = growth.relabelled(sentences, 16)
    assert made[0] == sentences[0][0]
    assert len({word[DEPREL] for word in made[1:]}) == 16
    assert growth.relabelled(sentences, 16) == [made]


def test_exponents_are_those_of_powers():
    points = [{"size": size, "cost": 3 * size**2} for size in (10, 100, 1000)]
    assert abs(growth.Series("", "", points).exponent("cost") - 2) < 1e-9

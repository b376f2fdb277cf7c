"""Small tasks for the tests: a tagger, one that tells costs, one with everything at once."""

from typing import NamedTuple

import numpy as np

import rollin

TAGS = 4


class Sentence(NamedTuple):
    words: list
    gold: np.ndarray


def sentences(count: int, seed: int, longest: int = 9) -> list[Sentence]:
    """Make sentences whose tags depend on a word and on the tag before it."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        words = chance.integers(0, 12, chance.integers(1, longest + 1))
        gold, previous = np.zeros(len(words), np.int64), 0
        for n, word in enumerate(words):
            gold[n] = previous = (word + previous * (word % 2)) % TAGS
        made.append(Sentence([f"w{word}" for word in words], gold))
    return made


def words(sentence):
    return {"word": sentence.words}


def tag(search, sentence):
    gold = sentence.gold
    tags = np.empty(len(gold), np.int64)
    previous = -1
    for n in range(len(gold)):
        search.look("here", n)
        search.look("left", n - 1)
        search.note("previous", previous)
        previous = search.predict("tag", reference=gold[n])
        tags[n] = previous
        search.loss(previous != gold[n])
    return tags


def tag_with_costs(search, sentence):
    gold = sentence.gold
    previous = -1
    costs = np.empty(TAGS, np.float64)
    for n in range(len(gold)):
        search.look("here", n)
        search.look("left", n - 1)
        search.note("previous", previous)
        if search.needs_reference:
            for action in range(TAGS):
                costs[action] = action != gold[n]
        previous = search.predict("tag", costs=costs)
        search.loss(previous != gold[n])
    return previous


def everything(search, sentence):
    """Two kinds of decision, allowed actions, costs, a helper, and a loss at the end."""
    gold = sentence.gold
    allowed = np.ones(TAGS, np.bool_)
    costs = np.zeros(2, np.float64)
    wrong = 0
    n = 0
    previous = -1
    while n < len(gold):
        search.look("here", n)
        search.look("left", n - 1)
        costs[0] = cost_of_skipping(gold, n)
        costs[1] = 1.0 - costs[0]
        search.note("previous", previous)
        if search.predict("skip", costs=costs) == 1:
            wrong += gold[n] != 0
            n += 1
            continue
        for action in range(TAGS):
            allowed[action] = action != previous or action == gold[n]
        previous = search.predict("tag", reference=gold[n], allowed=allowed)
        wrong += previous != gold[n]
        n += 1
    search.loss(wrong * wrong / 8)
    return n, wrong


def cost_of_skipping(gold, n):
    return 1.0 if gold[n] == 0 else 0.0


_NAMES = {"slots": "here left", "notes": "previous", "inputs": words}
TEMPLATES = ("here * left", "here * previous")

tagger = rollin.Task(tag, decisions={"tag": TAGS}, templates=TEMPLATES, **_NAMES)
costed = rollin.Task(tag_with_costs, decisions={"tag": TAGS}, templates=TEMPLATES, **_NAMES)
mixed = rollin.Task(
    everything, decisions={"skip": ("keep", "skip"), "tag": TAGS}, history=2, **_NAMES
)

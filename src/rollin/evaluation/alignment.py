"""Which words of two files are the same, when the files were cut into words differently.

Both files must spell the same characters (spaces aside). A word is the piece of the text that it
stands on: two words are the same if they stand on the same piece. Words of a multiword token stand
on no piece of their own; where such tokens are, the words of both sides that lie in the smallest
stretch with whole multiword tokens are aligned by their forms: a longest common subsequence.
"""

import unicodedata
from dataclasses import dataclass

import numpy as np

from rollin.errors import RollinError
from rollin.evaluation.treebanks import Treebank


@dataclass(frozen=True)
class Spans:
    """Where tokens, words and sentences begin and end, counted in characters without spaces."""

    path: str
    text: str
    tokens: np.ndarray
    words: np.ndarray
    """int64[words, 2]; for words of a multiword token, where that token begins and ends."""
    in_range: np.ndarray
    sentences: np.ndarray
    forms: list[str]
    lines: np.ndarray


def spans_of(treebank: Treebank, names: list[str]) -> Spans:
    """Find where everything stands; `names` are the texts behind the numbers of the forms."""
    forms = [names[form] for form in treebank.columns["form"].tolist()]
    known: dict[str, str] = {}
    token_forms: list[str] = []
    token_of = np.empty(treebank.words, np.int64)
    in_range = np.zeros(treebank.words, bool)
    done = 0
    for first, end, form in [*treebank.ranges, (treebank.words, treebank.words, "")]:
        token_of[done:first] = np.arange(first - done) + len(token_forms)
        token_forms += forms[done:first]
        if first < treebank.words:
            token_of[first:end] = len(token_forms)
            in_range[first:end] = True
            token_forms.append(form)
        done = end
    shown = [known.get(form) or known.setdefault(form, _no_spaces(form)) for form in token_forms]
    ends = np.cumsum([len(form) for form in shown])
    tokens = np.stack([np.concatenate([[0], ends[:-1]]), ends], axis=1)
    if not all(shown):
        word = int(np.flatnonzero(token_of == shown.index(""))[0])
        raise RollinError(
            f"{treebank.path}:{treebank.lines[word]}: expected a FORM with characters that can be "
            "aligned; found only spaces. Write `_` or the right form"
        )
    first_token, last_token = token_of[treebank.starts[:-1]], token_of[treebank.starts[1:] - 1]
    return Spans(
        path=treebank.path,
        text="".join(shown),
        tokens=tokens,
        words=tokens[token_of],
        in_range=in_range,
        sentences=np.stack([tokens[first_token, 0], tokens[last_token, 1]], axis=1),
        # Plain words are compared as they stand in the text, words of ranges as they are written.
        forms=[
            form if inside else known[form]
            for form, inside in zip(forms, in_range.tolist(), strict=True)
        ],
        lines=treebank.lines,
    )


def aligned(gold: Spans, system: Spans) -> np.ndarray:
    """Give the pairs of words (gold, system) that are the same: int64[pairs, 2]."""
    _check_same_text(gold, system)
    a, b = _Reader(gold), _Reader(system)
    pairs: list[tuple[int, int]] = []
    while not a.done and not b.done:
        if a.in_range[a.at] or b.in_range[b.at]:
            first, second = _stretch(a, b)
            pairs += _by_forms(gold.forms, system.forms, range(first, a.at), range(second, b.at))
        elif a.start == b.start and a.end == b.end:
            pairs.append((a.at, b.at))
            a.at += 1
            b.at += 1
        elif a.start <= b.start:
            a.at += 1
        else:
            b.at += 1
    return np.array(pairs, np.int64).reshape(-1, 2)


class _Reader:
    """The words of one side, read from left to right."""

    def __init__(self, spans: Spans) -> None:
        self.starts, self.ends = spans.words[:, 0].tolist(), spans.words[:, 1].tolist()
        self.in_range = spans.in_range.tolist()
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.starts)

    @property
    def start(self) -> int:
        return self.starts[self.at]

    @property
    def end(self) -> int:
        return self.ends[self.at]

    def beyond(self, end: int) -> bool:
        """Tell whether the next word is not in a stretch that ends there."""
        if self.done:
            return True
        return self.start >= end if self.in_range[self.at] else self.end > end

    def take(self, end: int) -> int:
        """Read a word; give the end of the stretch, moved if a multiword token sticks out."""
        if self.in_range[self.at]:
            end = max(end, self.end)
        self.at += 1
        return end


def _stretch(a: _Reader, b: _Reader) -> tuple[int, int]:
    """Read the smallest stretch with whole multiword tokens; give the words it began with."""
    lead, other = (a, b) if a.in_range[a.at] else (b, a)
    end = lead.end
    if not other.in_range[other.at] and other.start < lead.start:
        other.at += 1
    begun = a.at, b.at
    while not a.beyond(end) or not b.beyond(end):
        first = not a.done and (b.done or a.start <= b.start)
        end = (a if first else b).take(end)
    return begun


def _by_forms(
    gold: list[str], system: list[str], gold_words: range, system_words: range
) -> list[tuple[int, int]]:
    """Align words by a longest common subsequence of their forms, small letters for capitals."""
    left = [gold[word].lower() for word in gold_words]
    right = [system[word].lower() for word in system_words]
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            if left[i] == right[j]:
                longest[i][j] = 1 + longest[i + 1][j + 1]
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            pairs.append((gold_words[i], system_words[j]))
            i += 1
            j += 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _check_same_text(gold: Spans, system: Spans) -> None:
    if gold.text == system.text:
        return
    place = 0
    for place, (a, b) in enumerate(zip(gold.text, system.text)):  # noqa: B007
        if a != b:
            break
    else:
        place = min(len(gold.text), len(system.text))
    shown = [
        f"{each.path}:{each.lines[_word_at(each, place)]} goes on with "
        f"{each.text[place : place + 20]!r}"
        for each in (gold, system)
    ]
    raise RollinError(
        "the two files must spell the same text (spaces aside) for their words to be aligned, but "
        + " where ".join(shown)
    )


def _word_at(spans: Spans, place: int) -> int:
    return max(int(np.searchsorted(spans.words[:, 0], place, "right")) - 1, 0)


def _no_spaces(form: str) -> str:
    """Leave out what Unicode calls a space (category Zs)."""
    return "".join(each for each in form if unicodedata.category(each) != "Zs")

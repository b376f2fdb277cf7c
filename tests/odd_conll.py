"""Hypothesis strategies for CoNLL files that mix every oddity, and a slow, obvious reader."""

from hypothesis import strategies as st

NEXT_LINE = "\t\n\r"
field = st.one_of(
    st.sampled_from(["_", "a", "NOUN", "Case=Nom|Number=Sing", "#", "1", "#1", "é", "日本"]),
    st.text(
        st.characters(codec="utf-8", exclude_characters=NEXT_LINE, exclude_categories=["Cs"]),
        min_size=1, max_size=8,
    ),
)  # fmt: skip
form = st.one_of(field, st.sampled_from(["_", "10 000", "vice versa", " ", "\u00a0", "\u2028"]))
comment = st.one_of(
    st.sampled_from(["#", "# sent_id = s-1", "# text = a b", "#\t\t", "# newpar"]),
    st.text(
        st.characters(codec="utf-8", exclude_characters="\n\r", exclude_categories=["Cs"]),
        max_size=12,
    ).map("#".__add__),
)


@st.composite
def trees(draw, words):
    """Heads of a tree (or several) over so many words, or none at all."""
    if draw(st.integers(0, 9)) == 0:
        return ["_"] * words
    order = draw(st.permutations(range(1, words + 1)))
    heads = [0] * words
    for place, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place]])) if place else 0
    return [str(head) for head in heads]


@st.composite
def sentences(draw, plain=False):
    """The lines of a sentence; plain: only words, as in CoNLL-X."""
    words = draw(st.integers(1, 6))
    heads = draw(trees(words))
    lines = [] if plain else draw(st.lists(comment, max_size=2))
    inside = 0

    def empty_nodes(after):
        count = 0 if plain else draw(st.sampled_from([0, 0, 0, 0, 1, 2]))
        for minor in range(1, count + 1):
            lines.append("\t".join([f"{after}.{minor}", draw(form), *["_"] * 6, "0:root", "_"]))

    empty_nodes(0)
    for word in range(1, words + 1):
        if not plain and word > inside and draw(st.integers(0, 4)) == 0:
            inside = draw(st.integers(word, words))
            lines.append("\t".join([f"{word}-{inside}", draw(form), *["_"] * 8]))
        others = [draw(field) for _ in range(7)]
        lines.append("\t".join([str(word), draw(form), *others[:4], heads[word - 1], *others[4:7]]))
        empty_nodes(word)
    return lines


@st.composite
def files(draw):
    """A well-formed file as bytes, and the words of its sentences, each a list of ten fields."""
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    mixed = draw(st.integers(0, 9)) == 0
    plain = draw(st.integers(0, 3)) == 0
    text = draw(st.sampled_from(["", "", "\ufeff"]))
    text += newline * draw(st.sampled_from([0, 0, 0, 1]))
    found = []
    for lines in draw(st.lists(sentences(plain), max_size=5)):
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        found.append([row for row in rows if row[0].isdigit()])
        for line in lines:
            text += line + (draw(st.sampled_from(["\n", "\r\n"])) if mixed else newline)
        text += newline * draw(st.sampled_from([1, 1, 1, 2, 3]))
        if draw(st.integers(0, 9)) == 0 and not plain:
            text += draw(comment) + newline * 2
    if draw(st.integers(0, 3)) == 0:
        text = text.rstrip("\r\n") if found and not text.endswith("#") else text
    return text.encode(), found

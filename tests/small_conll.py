"""Random trees for tests."""


def random_heads(chance, words, several_roots=False):
    """Heads of a random tree, or of several."""
    order = chance.sample(range(1, words + 1), words)
    heads = [0] * words
    for place, word in enumerate(order):
        roots = [0] if several_roots or not place else []
        heads[word - 1] = chance.choice([*roots, *order[:place]])
    return heads

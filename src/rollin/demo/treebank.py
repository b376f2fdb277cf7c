"""The demo treebank: how its files are made, and where they are.

`python -m rollin.demo.treebank` writes them anew.
"""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from rollin.demo.grammar import Grammar
from rollin.demo.words import Word
from rollin.output import writing

SENTENCES = {"train": 600, "dev": 100, "test": 100}
_SEED = 2016


def write_treebank(folder: Path) -> dict[str, Path]:
    """Copy the treebank into a folder; give the path of each of its files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {part: folder / f"{part}.conllu" for part in SENTENCES}
    for part, path in paths.items():
        with writing(path) as file:
            file.write(shipped(part))
    return paths


def shipped(part: str) -> bytes:
    """Give a file as it ships with the package."""
    return (resources.files("rollin.demo") / "treebank" / f"{part}.conllu").read_bytes()


def made() -> dict[str, bytes]:
    """Make the files by the grammar; no sentence comes twice."""
    sentences = _different_sentences(Grammar(_SEED))
    files = {}
    for part, count in SENTENCES.items():
        lines = [
            f"# sent_id = {part}-{number}\n{next(sentences)}\n" for number in range(1, count + 1)
        ]
        files[part] = "".join(lines).encode()
    return files


def _different_sentences(grammar: Grammar) -> Iterator[str]:
    seen = set()
    while True:
        written = conllu(grammar.sentence())
        if written not in seen:
            seen.add(written)
            yield written


def conllu(words: list[Word]) -> str:
    """Write a sentence in CoNLL-U: its text and its lines."""
    words[0].form = words[0].form[0].upper() + words[0].form[1:]
    numbers = {id(word): number for number, word in enumerate(words, start=1)}
    tokens = _tokens(words)
    text, lines = "", []
    for token, following in zip(tokens, [*tokens[1:], []], strict=True):
        form = "".join(word.form for word in token)
        spaced = bool(following) and not following[0].tight
        text += form + " " * spaced
        misc = "_" if spaced else "SpaceAfter=No"
        if len(token) > 1:
            first, last = numbers[id(token[0])], numbers[id(token[-1])]
            lines.append("\t".join([f"{first}-{last}", form, *"_" * 7, misc]))
        for word in token:
            head = str(numbers[id(word.head)]) if word.head else "0"
            fields = (word.form, word.lemma, word.upos, word.xpos, word.feats, head, word.relation)
            extra = misc if len(token) == 1 else "_"
            lines.append("\t".join([str(numbers[id(word)]), *fields, "_", extra]))
    return f"# text = {text}\n" + "".join(line + "\n" for line in lines)


def _tokens(words: list[Word]) -> list[list[Word]]:
    """Put words that are glued together into one token."""
    tokens: list[list[Word]] = []
    for word in words:
        if word.glued:
            tokens[-1].append(word)
        else:
            tokens.append([word])
    return tokens


if __name__ == "__main__":
    here = Path(__file__).parent / "treebank"
    here.mkdir(exist_ok=True)
    for part, content in made().items():
        with writing(here / f"{part}.conllu") as file:
            file.write(content)

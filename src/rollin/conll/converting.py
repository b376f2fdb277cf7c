"""From CoNLL-X to CoNLL-U and back.

CoNLL-U has more: comments, multiword ranges, empty nodes, spaces in forms; what CoNLL-X can't hold
is left out and counted. What only CoNLL-X has goes into MISC (PHead, PDeprel, and XFeats, the
features as they were where CoNLL-U wants them otherwise), so that the way back gives the same
bytes.
"""

from collections import Counter
from dataclasses import dataclass, field

from rollin.conll.blocks import Block
from rollin.conll.reading import UPOS_TAGS

_KEPT = ("PHead", "PDeprel", "XFeats")


@dataclass
class Conversion:
    """A conversion of one file, block by block; `changes` counts what is not as it was."""

    to: str
    sentences: int = 0
    changes: Counter[str] = field(default_factory=Counter)

    def convert(self, block: Block) -> bytes:
        """Convert the sentences of a block; those that were left out for errors are not there."""
        if block.format == self.to:
            self.sentences += block.sentences
            return b"".join(block.sentence_bytes(number) for number in range(block.sentences))
        change = self._to_conllu if self.to == "conllu" else self._to_conllx
        converted = []
        for number in range(block.sentences):
            raw = block.sentence_bytes(number)
            newline = "\r\n" if b"\r\n" in raw else "\n"
            text = raw.decode("utf-8").rstrip("\r\n")
            self.sentences += 1
            lines = change([line.removesuffix("\r") for line in text.split("\n")])
            converted.append(newline.join([*lines, "", ""]))
        return "".join(converted).encode()

    def _to_conllu(self, lines: list[str]) -> list[str]:
        rows = [line.split("\t") for line in lines]
        text = " ".join(row[1] for row in rows)
        converted = [f"# sent_id = {self.sentences}", f"# text = {text}"]
        for row in rows:
            *before, phead, pdeprel = row
            kept = {"PHead": phead, "PDeprel": pdeprel}
            features = _as_pairs(before[5])
            if features != before[5]:
                kept["XFeats"] = before[5]
                self.changes["features written as Name=Value, sorted (kept in MISC)"] += 1
            before[5] = features
            if before[3] not in UPOS_TAGS:
                self.changes["tags in UPOS that are not universal (left as they are)"] += 1
            misc = [f"{key}={_packed(value)}" for key, value in kept.items() if value != "_"]
            converted.append("\t".join([*before, "_", "|".join(sorted(misc)) or "_"]))
        return converted

    def _to_conllx(self, lines: list[str]) -> list[str]:
        converted = []
        for line in lines:
            if line.startswith("#"):
                self.changes["comments left out"] += 1
                continue
            row = line.split("\t")
            if not row[0].isdigit():
                kind = "multiword ranges" if "-" in row[0] else "empty nodes"
                self.changes[f"{kind} left out"] += 1
                continue
            kept, lost = {}, []
            for item in row[9].split("|") if row[9] != "_" else ():
                key, equals, value = item.partition("=")
                if equals and key in _KEPT:
                    kept[key] = _unpacked(value)
                else:
                    lost.append(item)
            self.changes["words whose DEPS are left out"] += row[8] != "_"
            self.changes["words whose MISC is left out"] += bool(lost)
            for column in (1, 2):
                if " " in row[column]:
                    row[column] = row[column].replace(" ", "_")
                    self.changes["forms and lemmas whose spaces became `_`"] += 1
            row[5] = kept.get("XFeats", row[5])
            row[8:] = [kept.get("PHead", "_"), kept.get("PDeprel", "_")]
            converted.append("\t".join(row))
        return converted


def _as_pairs(features: str) -> str:
    """Write features as CoNLL-U wants them: `PLU|case=nom` becomes `case=nom|PLU=Yes`."""
    if features == "_":
        return features
    values: dict[str, list[str]] = {}
    for item in features.split("|"):
        name, _, value = item.partition("=")
        if name:
            values.setdefault(name, []).append(value or "Yes")
    pairs = [f"{name}={','.join(sorted(set(values[name])))}" for name in values]
    return "|".join(sorted(pairs, key=lambda pair: (pair.lower(), pair))) or "_"


def _packed(value: str) -> str:
    """Write a value so that no `|` is in it."""
    return value.replace("%", "%25").replace("|", "%7C")


def _unpacked(value: str) -> str:
    return value.replace("%7C", "|").replace("%25", "%")

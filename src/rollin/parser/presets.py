"""Presets: settings of a parser that belong together, and what each is good for."""

from dataclasses import dataclass, replace
from typing import Any

from rollin.compiler.methods import DAGGER, PAPER, Method
from rollin.errors import RollinError
from rollin.learners import learner_from
from rollin.parser.templates import SELECTED
from rollin.parser.view import BIGRAMS, FACTS, TRIGRAMS, UNIGRAMS


@dataclass(frozen=True, kw_only=True)
class Preset:
    """What a parser is made of. See `rollin train parser --help` for what each setting means."""

    learner: Any
    method: Method = DAGGER
    passes: int = 10
    patience: int | None = None
    """Stop after so many passes that brought nothing (None: a third of them; 0: never)."""
    system: str = "auto"
    labels: str = "after"
    roots: str = "auto"
    use: tuple[str, ...] = ("form", "upos", "xpos", "feats")
    templates: tuple[str, ...] = ()

    def but(self, **changes: Any) -> "Preset":
        """Give the same with some settings changed; those that are None stay."""
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given)

    @property
    def patience_in_passes(self) -> int:
        """How many passes that bring nothing are waited for."""
        return max(3, self.passes // 3) if self.patience is None else self.patience

    @property
    def derived(self) -> bool:
        """Whether the columns made of a word's form are wanted: sparse learners cross too many."""
        return learner_from(self.learner).name == "dense"


ALL_TEMPLATES = (*UNIGRAMS, *BIGRAMS, *TRIGRAMS, *FACTS)

_NEAR = "slots=s1+s2+b1+b2+s1l1+s1r1+s2l1+s2r1+b1l1"
"""With an encoder that knows the neighbours, the other slots bring next to nothing, and cost."""

PRESETS: dict[str, Preset] = {
    "fast": Preset(learner="dense encoder=embed dropout=0.2 forget=0.25", passes=14),
    "default": Preset(learner=f"dense {_NEAR}", passes=20),
    "accurate": Preset(learner=f"dense layers=4 width=192 hidden=256 {_NEAR}", passes=24),
    "paper": Preset(
        learner="nn+ftrl bits=22",
        method=PAPER,
        passes=5,
        system="arc-hybrid",
        use=("form", "upos", "xpos"),
        templates=ALL_TEMPLATES,
    ),
    "sparse": Preset(
        learner="sgd rate=0.05 bits=22 average",
        method=DAGGER.but(reduction="softmax"),  # log-probabilities: a beam can add them up
        passes=10,
        templates=SELECTED,
    ),
}


def preset_from(name: str) -> Preset:
    """Find a preset by its name."""
    if name not in PRESETS:
        raise RollinError(f"there is no preset {name!r}: choose from {', '.join(PRESETS)}")
    return PRESETS[name]

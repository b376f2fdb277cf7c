"""rollin: write the decoder you would run at test time, and it is learned.

    import rollin

    @rollin.task(slots="here", notes="previous", decisions={"tag": 17}, inputs=...)
    def tagger(search, sentence):
        ...

    model = tagger.fit(train, dev=dev)
    model.predict(test)

See the README for a whole decoder, and `help(rollin.Task)` for what one declares.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

# Names are imported when they are first used, so that `import rollin` costs nothing.
_HOME = {
    "Task": "rollin.training.task",
    "task": "rollin.training.task",
    "Model": "rollin.training.model",
    "Output": "rollin.compiler.beam",
    "NOTHING": "rollin.decisions.schema",
    "UNKNOWN": "rollin.decisions.schema",
    "RollinError": "rollin.errors",
    "Policy": "rollin.compiler.policies",
    "LEARNED": "rollin.compiler.policies",
    "REFERENCE": "rollin.compiler.policies",
    "mixture": "rollin.compiler.policies",
    "Method": "rollin.compiler.methods",
    "Deviations": "rollin.compiler.methods",
    "SGD": "rollin.learners",
    "SGDPlus": "rollin.learners",
    "FTRL": "rollin.learners",
    "NN": "rollin.learners",
    "NNFTRL": "rollin.learners",
    "Dense": "rollin.learners",
    "Parser": "rollin.parser.parser",
    "check": "rollin.training.checking",
    "trace": "rollin.training.tracing",
    "read": "rollin.conll.trees",
    "read_blocks": "rollin.conll.reading",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rollin' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

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
    "Task": "rollin.define",
    "task": "rollin.define",
    "Model": "rollin.model",
    "Output": "rollin.beam",
    "NOTHING": "rollin.schema",
    "UNKNOWN": "rollin.schema",
    "RollinError": "rollin.errors",
    "Policy": "rollin.policies",
    "LEARNED": "rollin.policies",
    "REFERENCE": "rollin.policies",
    "mixture": "rollin.policies",
    "Method": "rollin.methods",
    "Deviations": "rollin.methods",
    "SGD": "rollin.learners",
    "SGDPlus": "rollin.learners",
    "FTRL": "rollin.learners",
    "NN": "rollin.learners",
    "NNFTRL": "rollin.learners",
    "check": "rollin.checking",
    "trace": "rollin.tracing",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rollin' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

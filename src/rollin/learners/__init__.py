"""The base learners, by name."""

from dataclasses import fields
from typing import Any

from rollin.errors import RollinError
from rollin.learners.dense import Dense
from rollin.learners.ftrl import FTRL
from rollin.learners.neural import NN, NNFTRL
from rollin.learners.sgd import SGD
from rollin.learners.sgd_plus import SGDPlus

LEARNERS: dict[str, type] = {each.name: each for each in (SGD, SGDPlus, FTRL, NN, NNFTRL, Dense)}

__all__ = ["FTRL", "LEARNERS", "NN", "NNFTRL", "SGD", "Dense", "SGDPlus", "learner_from"]


def learner_from(described: Any) -> Any:
    """Read a learner from a value, or from text such as 'sgd+', 'nn units=8 average'."""
    if not isinstance(described, str):
        return described
    name, *settings = described.replace(",", " ").split() or [""]
    if name not in LEARNERS:
        raise RollinError(f"there is no learner {name!r}: choose from {', '.join(LEARNERS)}")
    kind = LEARNERS[name]
    known = {each.name: each for each in fields(kind)}
    given: dict[str, Any] = {}
    for setting in settings:
        key, _, text = setting.partition("=")
        if key not in known:
            raise RollinError(f"learner {name!r} has no setting {key!r}: {', '.join(known)}")
        given[key] = _read(name, key, text, type(known[key].default))
    return kind(**given)


def _read(name: str, key: str, text: str, wanted: type) -> Any:
    if wanted is bool and text.lower() in ("", "yes", "true", "on", "1"):
        return True
    if wanted is bool and text.lower() in ("no", "false", "off", "0"):
        return False
    try:
        if wanted is not bool:
            return wanted(text)
    except ValueError:
        pass
    raise RollinError(f"learner {name!r}: {key}={text!r} is not of type {wanted.__name__}")

"""What a task declares: its slots, its notes and its kinds of decision, each by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rollin.errors import RollinError

NOTHING = -1
"""The position of a slot that shows nothing."""

UNKNOWN = -1
"""The reference of a decision whose right action nobody knows."""


class NameProblem(RollinError, LookupError):
    """A name that the task did not declare."""


@dataclass(frozen=True)
class Schema:
    """The names of a task. Their order is their number, everywhere below."""

    task: str
    slots: tuple[str, ...]
    notes: tuple[str, ...]
    decisions: dict[str, tuple[str, ...]]
    history: int = 0

    @property
    def most_actions(self) -> int:
        return max(map(len, self.decisions.values()))

    @property
    def facts(self) -> tuple[str, ...]:
        """All notes: the declared ones, then the actions before this one, the last first."""
        return self.notes + tuple(f"action-{back}" for back in range(1, self.history + 1))

    def number(self, what: str, name: object) -> int:
        """Find the number of a name; `what` is 'slot', 'note' or 'decision'."""
        known = {"slot": self.slots, "note": self.notes, "decision": tuple(self.decisions)}[what]
        if name not in known:
            raise NameProblem(
                f"task {self.task!r} has no {what} named {name!r}: "
                + (f"its {what}s are {', '.join(known)}" if known else f"it declares no {what}s")
            )
        return known.index(name)

    def as_json(self) -> dict:
        """Give what a model file keeps of it."""
        return {
            "task": self.task,
            "slots": list(self.slots),
            "notes": list(self.notes),
            "decisions": {name: list(actions) for name, actions in self.decisions.items()},
            "history": self.history,
        }

    @classmethod
    def from_json(cls, stored: dict) -> "Schema":
        decisions = {name: tuple(actions) for name, actions in stored["decisions"].items()}
        slots, notes = tuple(stored["slots"]), tuple(stored["notes"])
        return cls(stored["task"], slots, notes, decisions, stored["history"])


def declare(
    task: str,
    slots: str | Iterable[str],
    notes: str | Iterable[str],
    decisions: Mapping[str, int | Iterable[str]],
    history: int,
) -> Schema:
    """Check what a task declares, and number it."""
    slot_names, note_names = _names(task, "slots", slots), _names(task, "notes", notes)
    if not decisions:
        raise RollinError(f"task {task!r} declares no decision; give decisions={{'name': actions}}")
    kinds = {}
    for name, actions in decisions.items():
        if isinstance(actions, int):
            actions = [str(action) for action in range(actions)]
        kinds[name] = tuple(actions)
        if not kinds[name]:
            raise RollinError(f"decision {name!r} of task {task!r} has no actions to choose from")
        if len(set(kinds[name])) < len(kinds[name]):
            raise RollinError(f"decision {name!r} of task {task!r} has two actions of one name")
    if history < 0:
        raise RollinError(f"history of task {task!r} is {history}; it can't be below 0")
    return Schema(task, slot_names, note_names, kinds, history)


def _names(task: str, what: str, given: str | Iterable[str]) -> tuple[str, ...]:
    names = tuple(given.replace(",", " ").split() if isinstance(given, str) else given)
    for name in names:
        if names.count(name) > 1:
            raise RollinError(f"task {task!r} declares {name!r} twice among its {what}")
        if not name or any(sign in name for sign in " .*?"):
            raise RollinError(
                f"{name!r} can't be the name of one of the {what} of task {task!r}: "
                "spaces, '.', '*' and '?' mean something in templates"
            )
    return names

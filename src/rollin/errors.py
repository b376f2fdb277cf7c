"""What rollin says when something is wrong: every message tells what to do about it."""


class RollinError(Exception):
    """The base of all errors that rollin raises on purpose."""


INTERRUPTED = 130
"""The exit status after Ctrl-C."""

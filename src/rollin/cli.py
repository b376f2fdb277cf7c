"""The command line: finds the command, and imports what it needs and nothing else."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from rollin import __version__
from rollin.errors import INTERRUPTED, RollinError

# Each command is a module `rollin.commands.NAME` with two functions: `describe(parser)` adds the
# arguments and the examples, `run(arguments)` does the work and gives the exit status. Here stands
# what is needed to list the commands without importing one.
COMMANDS: dict[str, str] = {
    "demo": "From nothing to a parsed sentence, on a small treebank that comes along.",
    "train": "Train a parser on a treebank.",
    "parse": "Parse sentences: the input's own bytes, with heads and labels.",
    "info": "Say what a model file is: what it was trained on, and how.",
    "check": "Find all that is wrong with CoNLL files, and say how to mend it.",
    "evaluate": "Score parsed files against a gold file, and compare systems.",
    "convert": "Turn CoNLL-X into CoNLL-U, or CoNLL-U into CoNLL-X.",
    "stats": "Count what is in CoNLL files: words, labels, tags, crossing arcs, lengths.",
}

USAGE_ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; give the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except RollinError as problem:
        print(f"rollin: {problem}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:  # whoever reads our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("rollin: interrupted", file=sys.stderr)
        return INTERRUPTED


def _run(given: list[str]) -> int:
    name = given[0] if given else "--help"
    if name not in COMMANDS:
        _overview().parse_args(given or ["--help"])
        raise AssertionError("argparse lets only known commands pass")
    parser = argparse.ArgumentParser(
        prog=f"rollin {name}",
        description=COMMANDS[name],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command = importlib.import_module(f"rollin.commands.{name}")
    command.describe(parser)
    status = command.run(parser.parse_args(given[1:]))
    sys.stdout.flush()
    return int(status)


def _overview() -> argparse.ArgumentParser:
    """Make the parser of what stands before a command: it only lists the commands."""
    width = max(map(len, COMMANDS), default=0)
    listed = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="rollin",
        usage="rollin COMMAND ...",
        description="Learn to parse, and whatever else you can write a decoder for.",
        epilog=f"commands:\n{listed}\n\n`rollin COMMAND --help` says more and shows examples.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rollin {__version__}")
    parser.add_argument("command", choices=list(COMMANDS), metavar="COMMAND", help="see below")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""How and where a measurement was made: the lines that stand above every result."""

import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path


def setting() -> str:
    """Name the command, the commit, the machine and what else ran on it, as Markdown."""
    command = "python -m " + shlex.join([_module(), *map(_anywhere, sys.argv[1:])])
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1":
        command = f"NUMBA_BOUNDSCHECK=1 {command}"
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"    {command}\n\n"
        f"Commit {commit()}; {_processor()}, {os.cpu_count()} cores, load {load} (1, 5 and 15 "
        f"minutes); Python {platform.python_version()}. Times are CPU time of the process.\n"
    )


def _module() -> str:
    path = Path(sys.argv[0]).resolve().relative_to(Path(__file__).resolve().parent.parent)
    return ".".join(path.with_suffix("").parts)


def _anywhere(argument: str) -> str:
    """Name a file or a folder of this machine as someone else would."""
    path = Path(argument)
    if not path.is_absolute():
        return argument
    return f"path/to/{path.parent.name}/{path.name}" if path.is_file() else f"path/to/{path.name}"


def commit() -> str:
    """Name the commit that is measured."""
    """Name the commit, and say whether the library was changed since."""
    shown = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--", "src"], capture_output=True, text=True, check=False
    ).stdout
    return (shown or "unknown") + (" and changes" if changed else "")


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()

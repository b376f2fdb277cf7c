"""Work done in a process of its own, on one thread, with its CPU time and peak memory.

    run("bench.peers.udpipe", "train", {"train": ..., "dev": ...})

calls `train(**arguments)` of that module in a child and returns the dictionary it gave, with
`process_seconds` (user and system) and `peak_mb` added. Arguments and result go as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ONE_THREAD = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM", "NUMBA")
}


def run(module: str, function: str, arguments: dict, *, python: str | None = None) -> dict:
    """`python` is the interpreter to use, for a peer that lives in an environment of its own."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(paths)}
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        task = json.dumps({"arguments": arguments, "answer": str(answer)})
        command = [python or sys.executable, "-m", "bench.peers.child", module, function, task]
        process = subprocess.run(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        if process.returncode or not answer.exists():
            raise RuntimeError(
                f"{module}.{function} ended with status {process.returncode}:\n"
                + "\n".join(process.stderr.splitlines()[-30:])
            )
        return json.loads(answer.read_text(encoding="utf-8"))


def peak_mb() -> float:
    """The most memory this process has had. Linux counts what it had before `exec` in `getrusage`,
    that is the parent's memory: the kernel's mark for the program alone is asked first."""
    status = Path("/proc/self/status")
    if status.exists():
        mark = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if mark:
            return int(mark[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def _main() -> None:
    module, function, task = sys.argv[1:]
    options = json.loads(task)
    answer = getattr(importlib.import_module(module), function)(**options["arguments"])
    answer |= {"process_seconds": time.process_time(), "peak_mb": peak_mb()}
    Path(options["answer"]).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    _main()

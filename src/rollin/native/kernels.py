"""Native code: how a function is compiled with numba, and where the result is kept.

Library kernels are decorated with `kernel`. Their machine code is kept in a folder named after a
digest of all of rollin's sources, so an edit anywhere in the package is noticed (numba alone looks
only at the file a function stands in, not at the files of the functions it calls).

Environment variables:
    ROLLIN_CACHE         the folder for compiled code; `off` keeps nothing between runs
    NUMBA_DISABLE_JIT=1  nothing is compiled: every kernel is the plain Python function it was
    NUMBA_BOUNDSCHECK=1  every array access is checked
"""

import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import caching, compiler, config

COMPILED = not config.DISABLE_JIT

_UNUSED_DAYS = 30


def kernel(function: Callable) -> Any:
    """Compile a library function when it is first called; release the GIL while it runs."""
    if not COMPILED:
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    return keep(dispatcher, f"{package_digest()} {_full_name(function)}")


def _full_name(function: Callable) -> str:
    """Name a function together with what it closes over: a kernel may be made for a rule."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    inner = [
        _full_name(getattr(cell, "py_func", cell)) if callable(cell) else repr(cell)
        for cell in cells
    ]
    return f"{function.__module__}.{function.__qualname__}({', '.join(inner)})"


def keep(dispatcher: Any, digest: str) -> Any:
    """Let a dispatcher keep its machine code on disk; `digest` stands for all it depends on."""
    folder = cache_folder()
    if folder is not None:
        source = dispatcher.py_func
        made_from = f"{source.__module__}.{source.__qualname__} {digest}"
        dispatcher._cache = _ContentCache(folder, source.__name__, made_from)
        # Symbols are named after this. Numba tells functions of one name apart by counting those of
        # the process; so two processes may give two functions the same symbol, and a third, which
        # loads both from here, would run one for the other.
        source.__qualname__ += f"_{_short_digest(made_from)}"
    return dispatcher


def _short_digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


@functools.cache
def package_digest() -> str:
    """A digest of everything that decides what a kernel compiles to."""
    digest = hashlib.blake2b(digest_size=10)
    versions = (sys.version, numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT)
    digest.update(repr(versions).encode())
    root = Path(__file__).parent.parent
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


@functools.cache
def cache_folder() -> Path | None:
    """Find (or make) the folder for this version's machine code; None if there can't be one."""
    chosen = os.environ.get("ROLLIN_CACHE", "")
    if chosen.lower() in ("off", "0", "no", "none"):
        return None
    root = Path(chosen) if chosen else _user_cache()
    folder = root / package_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as problem:
        warnings.warn(
            f"compiled code can't be kept in {folder} ({problem.strerror}), so every start "
            "compiles again. Set ROLLIN_CACHE to a folder you can write to, or to `off` to "
            "silence this.",
            stacklevel=2,
        )
        return None
    _remove_unused(root, folder)
    return folder


def _user_cache() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "rollin"


def _remove_unused(root: Path, current: Path) -> None:
    """Drop the folders of versions that nobody has started for a month."""
    oldest = time.time() - _UNUSED_DAYS * 86400
    for folder in root.iterdir():
        ours = re.fullmatch("[0-9a-f]{20}", folder.name) and folder != current
        if ours and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


class _ContentCache(caching._Cache):
    """Keeps each compiled signature of one function in a file named after what it was made from."""

    def __init__(self, folder: Path, name: str, made_from: str) -> None:
        self._folder = folder
        self._name = re.sub(r"\W+", "_", name)[:40]
        self._made_from = made_from
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        if not self._enabled:
            return None
        try:
            payload = pickle.loads(self._file(sig, target_context).read_bytes())
        except FileNotFoundError:
            return None
        except Exception:  # a file damaged in any way is as good as none: compile again
            return None
        return compiler.CompileResult._rebuild(target_context, *payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self._enabled or data.library.has_dynamic_globals or data.lifted:
            return
        path = self._file(sig, data.target_context)
        unfinished = path.with_suffix(f".{os.getpid()}.unfinished")
        try:
            unfinished.write_bytes(caching.dumps(data._reduce()))
            unfinished.replace(path)
        except OSError:  # a full disk costs the next start some seconds, not this run its result
            unfinished.unlink(missing_ok=True)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for path in self._folder.glob(f"{self._name}-*.code"):
            path.unlink(missing_ok=True)

    def _file(self, sig: Any, context: Any) -> Path:
        key = f"{self._made_from} {sig!r} {context.codegen().magic_tuple()!r}"
        return self._folder / f"{self._name}-{_short_digest(key)}.code"

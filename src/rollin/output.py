"""Writing files whole or not at all: under its name a file appears only when it is complete."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from rollin.errors import RollinError


class OutputProblem(RollinError):
    """A file that can't be written."""


@contextmanager
def writing(path: str | Path | None) -> Iterator[BinaryIO]:
    """Open a file to write bytes to; it takes its place when the `with` block ends without error.

    `-` or None is standard output, written as it comes. So is what is no ordinary file (a device,
    a pipe). A name that ends in .gz, .bz2, .xz or .zst is compressed.
    """
    if path is None or str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as stream:
            yield stream
        return
    file = _beside(target, path)
    unfinished = Path(file.name)
    try:
        with file:
            packed = _compressing(file, target)
            yield packed
            if packed is not file:
                packed.close()
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(_mode(target))
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _beside(target: Path, path: str | Path) -> BinaryIO:
    """Open a file in the same folder, where it can take the other's place in one step."""
    if target.is_dir():
        raise OutputProblem(f"can't write {path}: it is a folder; give the name of a file")
    try:
        return cast(
            BinaryIO,
            tempfile.NamedTemporaryFile(prefix=f".{target.name}.", dir=target.parent, delete=False),
        )
    except OSError as problem:
        raise OutputProblem(f"can't write {path}: {problem.strerror}") from None


def _compressing(file: BinaryIO, target: Path) -> BinaryIO:
    match target.suffix.lower():
        case ".gz":
            import gzip

            return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=file, mtime=0))
        case ".bz2":
            import bz2

            return cast(BinaryIO, bz2.BZ2File(file, "wb"))
        case ".xz":
            import lzma

            return cast(BinaryIO, lzma.LZMAFile(file, "wb"))
        case ".zst":
            return cast(
                BinaryIO, zstandard(target).ZstdCompressor().stream_writer(file, closefd=False)
            )
    return file


def zstandard(path: str | Path):
    """Give the library that knows .zst, or say how to get it."""
    try:
        import zstandard
    except ImportError:
        raise RollinError(
            f"{path} is compressed with zstd, which needs one more library: "
            "pip install zstandard (or use gz, xz or bz2)"
        ) from None
    return zstandard


def _mode(target: Path) -> int:
    """Give the permissions of the file that is replaced, or those of any new file."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

"""Opening what can be read: files, standard input and file objects, compressed or not."""

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from rollin.errors import RollinError
from rollin.output import zstandard

Source = str | Path | BinaryIO

_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}
_LONGEST = max(map(len, _MAGIC))


class SourceProblem(RollinError):
    """A file that can't be opened or unpacked."""


@contextmanager
def opened(source: Source) -> Iterator[Any]:
    """Open a path, `-` (standard input) or a binary file; unpack it if its first bytes say so."""
    name = name_of(source)
    own = isinstance(source, str | Path) and name != "<stdin>"
    raw = None
    try:
        raw = open(source, "rb") if own else _given(source)  # type: ignore # noqa: PTH123, SIM115
        yield _unpacked(raw, name)
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as problem:
        raise SourceProblem(f"{name} is damaged or cut short: {problem}") from None
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            raise
        raise SourceProblem(f"can't read {name}: {problem.strerror or problem}") from None
    finally:
        if own and raw:
            raw.close()


def name_of(source: Source) -> str:
    """Name a source for messages."""
    if isinstance(source, str | Path):
        return "<stdin>" if str(source) == "-" else str(source)
    return str(getattr(source, "name", None) or "<file object>")


def _given(source: Source) -> Any:
    stream = sys.stdin.buffer if isinstance(source, str | Path) else source
    if isinstance(stream, io.TextIOBase):
        raise SourceProblem("this file is open as text; open it with mode 'rb'")
    return stream


def _unpacked(raw: Any, name: str) -> Any:
    first = raw.read(_LONGEST) or b""
    while len(first) < _LONGEST:
        more = raw.read(_LONGEST - len(first))
        if not more:
            break
        first += more
    whole = _Rejoined(first, raw)
    packing = next((kind for magic, kind in _MAGIC.items() if first.startswith(magic)), None)
    match packing:
        case "gz":
            return gzip.GzipFile(fileobj=io.BufferedReader(whole))
        case "bz2":
            return bz2.BZ2File(io.BufferedReader(whole))
        case "xz":
            return lzma.LZMAFile(io.BufferedReader(whole))
        case "zst":
            unpacker = zstandard(name).ZstdDecompressor()
            return io.BufferedReader(unpacker.stream_reader(whole, read_across_frames=True))
    return whole


class _Rejoined(io.RawIOBase):
    """A stream whose first bytes were already read."""

    def __init__(self, first: bytes, rest: Any) -> None:
        self._first, self._rest = first, rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._first:
            return self._rest.read(size) or b""
        first, self._first = self._first, b""
        if size < 0:
            return first + self._rest.read()
        if size < len(first):
            self._first = first[size:]
            return first[:size]
        return first + (self._rest.read(size - len(first)) or b"")

    def readinto(self, buffer: Any) -> int:
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

"""Files of named arrays with a description: models and unfinished trainings.

A file is `ROLLIN` and a version (8 bytes), the length of the header, the header (JSON: what it is,
what stands where, a digest of all that follows), a digest of the header, and the arrays, each
beginning at a multiple of 64 bytes so that it can be used right where the file is mapped. It is
written whole or not at all, and read only if every byte is as it was written. Nothing in it is
code.
"""

import hashlib
import json
import mmap
import os
from pathlib import Path
from typing import Any

import numpy as np

from rollin.errors import RollinError
from rollin.output import writing

_MAGIC = b"ROLLIN"
_VERSION = 1
_START = 16
_DIGEST = 16
_ALIGN = 64


class FileProblem(RollinError):
    """A file that is not what it should be."""


def save(path: str | Path, description: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write a file: it appears under its name only when it is complete."""
    ready = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    table, offset = {}, 0
    for name, array in ready.items():
        table[name] = [array.dtype.str, list(array.shape), offset]
        offset += _padded(array.nbytes)
    payload = hashlib.blake2b(digest_size=_DIGEST)
    for array in ready.values():
        for piece in _pieces(array):
            payload.update(piece)
    header = json.dumps(
        {**description, "arrays": table, "size": offset, "digest": payload.hexdigest()},
        ensure_ascii=False,
    ).encode()
    sealed = hashlib.blake2b(header, digest_size=_DIGEST).digest()
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    head = _MAGIC + _VERSION.to_bytes(2, "little") + len(header).to_bytes(8, "little")
    head += header + sealed
    with writing(path) as file:
        file.write(head)
        file.write(b"\0" * (_padded(len(head)) - len(head)))
        for array in ready.values():
            for piece in _pieces(array):
                file.write(piece)


def load(path: str | Path, kind: str | None) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read a file of one kind (None: of any), its arrays mapped into memory, read-only."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno()).st_size
            if found < _START:
                raise FileProblem(f"{path} is not a rollin file: it has only {found} bytes")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as problem:
        raise FileProblem(f"can't read {path}: {problem.strerror}") from None
    if data[: len(_MAGIC)] != _MAGIC:
        raise FileProblem(f"{path} is not a rollin file: it begins with {data[:8]!r}")
    version = int.from_bytes(data[len(_MAGIC) : 8], "little")
    if version != _VERSION:
        raise FileProblem(
            f"{path} is of format {version}; this rollin reads format {_VERSION}. "
            + ("Use a newer rollin" if version > _VERSION else "Train the model again")
        )
    end = _START + int.from_bytes(data[8:_START], "little")
    if end + _DIGEST > found:
        raise FileProblem(f"{path} is cut short: it ends in its header")
    if hashlib.blake2b(data[_START:end], digest_size=_DIGEST).digest() != data[end : end + _DIGEST]:
        raise FileProblem(f"{path} is damaged: its header is not as it was written")
    description = json.loads(data[_START:end])
    table, size = description.pop("arrays"), description.pop("size")
    start = _padded(end + _DIGEST)
    if found != start + size:
        raise FileProblem(
            f"{path} is {'cut short' if found < start + size else 'too long'}: it has {found} "
            f"bytes, expected {start + size}"
        )
    digest = hashlib.blake2b(memoryview(data)[start:], digest_size=_DIGEST).hexdigest()
    if digest != description.pop("digest") or any(data[end + _DIGEST : start]):
        raise FileProblem(f"{path} is damaged: its contents are not as they were written")
    if kind is not None and description.get("kind") != kind:
        if description.get("kind") == "training":
            raise FileProblem(
                f"{path} is an unfinished training, not a model: go on with it (`--resume`, or "
                "resume=True), and a model comes of it"
            )
        raise FileProblem(f"{path} is a {description.get('kind')}, expected a {kind}")
    arrays = {
        name: np.frombuffer(data, dtype, int(np.prod(shape)), start + offset).reshape(shape)
        for name, (dtype, shape, offset) in table.items()
    }
    return description, arrays


def _padded(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN


def _pieces(array: np.ndarray) -> tuple[Any, bytes]:
    """Give the bytes of an array, not copied, and those that fill up to the next one's place."""
    return array.reshape(-1).view(np.uint8).data, bytes(_padded(array.nbytes) - array.nbytes)

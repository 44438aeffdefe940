"""Arrays as bytes in files: checked before anything is allocated, with checksums, and never with pickled objects."""

from __future__ import annotations

import hashlib
import io
import math
from typing import Any

import numpy as np

from .arrays import AnyArray

_HIGHEST = 0x10FFFF  # the last character there is
_ROWS = 65536  # hashed at a time, so that no copy of a large array is made


def dumped(array: AnyArray) -> bytes:
    """Return an array in NumPy's own format."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def loaded(data: bytes) -> AnyArray:
    """Return the array that `dumped` wrote, read-only; anything else is a ValueError before memory is allocated.

    NumPy's own reader allocates what the header announces, however short the file is.
    """
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    if version not in {(1, 0), (2, 0)}:
        raise ValueError(f"array format {version} is not supported")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(stream)
    size, held = math.prod(shape), len(data) - stream.tell()
    if dtype.kind not in "biufU" or (size and not dtype.itemsize) or size * dtype.itemsize != held:
        raise ValueError(f"an array of shape {shape} and type {dtype} was expected, but {held} bytes were found")
    if not size:
        return np.empty(shape, dtype)
    array = np.frombuffer(data, dtype, offset=stream.tell())
    if dtype.kind == "U" and array.view(f"{dtype.str[0]}u4").max() > _HIGHEST:
        raise ValueError("its text is damaged")
    return array.reshape(shape, order="F" if fortran else "C")


def digest(*parts: Any) -> str:
    """Return a checksum of arrays (with type and shape), bytes, and other values by their `repr`."""
    made = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            made.update(f"{part.dtype.str} {part.shape}".encode())
            for start in range(0, len(part) if part.ndim else 0, _ROWS):
                made.update(np.ascontiguousarray(part[start : start + _ROWS]).view(np.uint8).data)
            made.update(b"" if part.ndim else part.tobytes())
        else:
            made.update(part if isinstance(part, bytes) else repr(part).encode())
        made.update(b"\0")
    return made.hexdigest()

"""Arrays as text inside a page: as few bytes as they need, deflated, in base64."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray

_TYPES = ("u1", "u2", "u4")


def pack_page(arrays: Mapping[str, AnyArray], facts: Mapping[str, Any]) -> str:
    """Return arrays and facts (anything that JSON can hold) as one line of text.

    Whole numbers take one, two or four bytes, as needed for the largest, and are stored as differences if that is
    shorter (`delta`); other numbers are stored unchanged. Bytes of the same significance are grouped, which compresses
    better. A list of the arrays comes first, for the script of the page.
    """
    pieces, list_ = [], []
    for name, array in arrays.items():
        entry, body = piece_of(name, np.asarray(array).ravel())
        list_.append(entry)
        pieces.append(body)
    head = json.dumps({"arrays": list_, "facts": facts}, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    text = head.encode("utf-8", "replace")
    whole = len(text).to_bytes(4, "little") + text + b"".join(pieces)
    return base64.b64encode(zlib.compress(whole, 9)).decode("ascii")


def piece_of(name: str, given: AnyArray) -> tuple[dict[str, Any], bytes]:
    """An array as bytes, the lowest byte of every number first, and how to read them."""
    if given.dtype.kind == "f":
        values = given.astype("<f8" if given.dtype.itemsize == 8 else "<f4")
        return _described(name, f"f{values.dtype.itemsize}", values, delta=False)
    whole = given.astype(np.int64)
    least = int(whole.min(initial=0))
    if least < -1:
        raise ValueError(f"{name} has {least}; expected whole numbers of −1 or more.")
    shifted = whole + (least < 0)  # −1 becomes 0, and the page knows
    steps = np.diff(shifted, prepend=0)
    delta = bool(len(whole)) and int(steps.min(initial=0)) >= 0
    stored = steps if delta else shifted
    kind = _TYPES[int(np.searchsorted([1 << 8, 1 << 16], int(stored.max(initial=0)), side="right"))]
    entry, body = _described(name, kind, stored.astype(f"<{kind}"), delta=delta)
    return entry | {"less": int(least < 0)}, body


def _described(name: str, kind: str, values: AnyArray, *, delta: bool) -> tuple[dict[str, Any], bytes]:
    planes = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1).T if len(values) else values
    entry = {"name": name, "kind": kind, "size": len(values), "delta": int(delta)}
    return entry, np.ascontiguousarray(planes).tobytes()

"""Saved values: one NumPy archive each, without pickled objects."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import AnyArray, as_weights
from .._stored import digest, loaded
from ..core.ensemble import Ensemble
from ..core.names import as_names
from ..errors import FileError, GraphensError, TypeMismatch
from ._atomic import atomic
from ._text import loss
from .plain_data import KINDS, Reading, Writing, check, is_kind

FORMAT, VERSION = "graphens", 4
_ENSEMBLES = "graphens ensemble"  # the format before version 4, when nothing else could be saved
_CHECKED = 2  # the first version with checksums
_SPELLED = 3  # the first version with names other than text
_ALWAYS = ("format", "version", "codes", "weights", "object_weights", "partition_names")
_SOMETIMES = {"object_names", "index_name", "spelled", "counted"}
#: what reading a file of somebody else's, or half a file, ends in
_UNREADABLE = (
    OSError, ValueError, TypeError, KeyError, EOFError, IndexError, MemoryError, RuntimeError, AttributeError,
    ImportError, NotImplementedError, zipfile.BadZipFile, zlib.error, struct.error, GraphensError,
)  # fmt: skip


def save(value: Any, path: str | Path) -> None:
    """Write a value to one file, either completely or not at all.

    The archive holds `format`, `version` and `graphens` (the version that wrote it), then `value`, JSON that says what
    the value consists of (see `plain_data`), the arrays in it as `array_0`, `array_1`, …, and `checksums` with one line
    for each of these. NumPy reads it as any .npz.
    """
    from .. import __version__

    if not is_kind(value):
        raise TypeMismatch(
            f"A {type(value).__name__} was given to be saved; expected one of {', '.join(sorted(KINDS))}. Results of "
            "graphens.scale are already stored in files."
        )
    writing = Writing()
    root = writing.part(value)
    if writing.lost:
        first, count = next(iter(writing.lost.values())), len(writing.lost)
        loss(
            f"{count} name{'s' * (count > 1)} or option{'s' * (count > 1)}, such as {first!r} "
            f"({type(first).__name__}), will come back as text; "
            "a saved file holds text, numbers, dates, arrays, frames and networks."
        )
    arrays: dict[str, AnyArray] = {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "graphens": np.array(__version__),
        "value": np.array(json.dumps({"root": root, "values": writing.values})),
    } | {f"array_{i}": array for i, array in enumerate(writing.arrays)}
    with atomic(path) as file:
        members: dict[str, Any] = {**arrays, "checksums": _checksums(arrays)}
        np.savez(file, **members)


def _checksums(arrays: Mapping[str, AnyArray]) -> AnyArray:
    return np.array([f"{name} {digest(array)}" for name, array in sorted(arrays.items())])


def load(path: str | Path) -> Any:
    """Read a value that was written by its `save`.

    Parameters
    ----------
    path
        The file. Files written by earlier versions of graphens can also be read; a file of a newer version, a damaged
        file or any other file is an error. Nothing in the file is executed.

    Returns
    -------
    Any
        The value that was saved.

    Examples
    --------
    >>> import tempfile
    >>> import graphens as ge
    >>> path = tempfile.mkdtemp() + "/answer.npz"
    >>> ge.vote([[0, 0], [0, 0], [1, 1]], 2).save(path)
    >>> ge.load(path).labels.tolist()
    [0, 0, 1]
    """
    return _value(path, "a saved value", "the save() of a value")


def load_ensemble(path: str | Path) -> Ensemble:
    """Read an ensemble that was saved, or the partitions of a consensus; anything else is a `FileError`."""
    found = _value(path, "a saved ensemble", "Ensemble.save()")
    e = found if isinstance(found, Ensemble) else getattr(found, "ensemble", None)
    if not isinstance(e, Ensemble):
        raise FileError(
            f"{path} holds a saved {type(found).__name__}; expected a saved ensemble. graphens.load() reads the file."
        )
    return e


def _value(path: str | Path, what: str, written_by: str) -> Any:
    """The value in a file; `what` was expected and how it is `written_by`, for error messages."""
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            arrays = _arrays(archive, os.fstat(file.fileno()).st_size)
        if str(arrays.get("format")) not in (FORMAT, _ENSEMBLES):
            raise FileError(f"{path} is not {what}; expected a file written by {written_by}.")
        if int(arrays["version"]) > VERSION:
            raise FileError(
                f"{path} was saved by a newer graphens (format {arrays['version']}); update graphens to read it."
            )
        sums = arrays.pop("checksums", None)
        if int(arrays["version"]) >= _CHECKED and (
            sums is None or sums.tolist() != _checksums(arrays).tolist()
        ):
            raise ValueError("its checksums do not match, so the file is damaged")
        return _restored(arrays) if str(arrays["format"]) == FORMAT else _restored_ensemble(arrays)
    except FileError:
        raise
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path} cannot be read as {what}: {str(reason).rstrip('.')}.") from error


def _arrays(archive: zipfile.ZipFile, size: int) -> dict[str, AnyArray]:
    """All members; none is unpacked to more data than it declares."""
    members = archive.infolist()
    if sum(member.file_size for member in members) > size:
        raise ValueError("it unpacks to more data than it declares")
    arrays = {member.filename.removesuffix(".npy"): loaded(archive.read(member)) for member in members}
    if len(arrays) < len(members):
        raise ValueError("two of its members have the same name")
    return arrays


def _restored(arrays: Mapping[str, AnyArray]) -> Any:
    """Restore a value."""
    document = json.loads(str(arrays["value"]))
    reading = Reading([arrays[f"array_{i}"] for i in range(len(arrays) - 4)])
    for kind, inside in document["values"]:
        reading.add(kind, inside)
    return reading.part(document["root"])


# what versions 1 to 3 wrote ---------------------------------------------------------------------------------


def _restored_ensemble(arrays: Mapping[str, AnyArray]) -> Ensemble:
    """Restore an ensemble from members with the names of its fields."""
    codes, names, many = arrays["codes"], arrays["partition_names"], len(arrays["codes"])
    labels, soft = ([f"{what}_{t}" for t in range(many)] for what in ("labels", "memberships"))
    odd = {*_ALWAYS, *labels} ^ (set(arrays) - {*soft} - _SOMETIMES)
    if odd or ({*soft} & set(arrays) and not {*soft} <= set(arrays)):
        raise ValueError(f"members are missing or unknown: {', '.join(sorted(odd)[:5]) or 'memberships'}")
    named, title = arrays.get("object_names"), arrays.get("index_name")
    if "spelled" in arrays:
        named = as_names([_spelled(text) for text in ([] if named is None else named.tolist())])
    spelled = int(arrays["version"]) >= _SPELLED
    categories = tuple(arrays[name] for name in labels)
    e = Ensemble._from_fields(
        codes=np.ascontiguousarray(codes, dtype=codes.dtype.newbyteorder("=")),
        n_clusters=np.array([len(labels) for labels in categories], dtype=np.int64),
        weights=as_weights(arrays["weights"], many, "partitions"),
        object_weights=as_weights(arrays["object_weights"], codes.shape[-1], "objects", positive=True),
        partition_names=tuple(names.astype(str).tolist()),
        object_names=named,
        index_name=None if title is None else _spelled(str(title)) if spelled else str(title),
        _counted="counted" in arrays,
        categories=categories,
        memberships=tuple(arrays[name] for name in soft) if soft[0] in arrays else None,
    )
    check(e)
    return e


def _spelled(text: str) -> Any:
    """A name that version 3 wrote as JSON."""
    return Reading(()).part(json.loads(text))

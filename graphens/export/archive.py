"""Saved ensembles: one NumPy archive without pickled objects."""

from __future__ import annotations

import datetime as dt
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
from ..errors import FileError, GraphensError
from ._atomic import atomic
from ._text import loss

FORMAT, VERSION = "graphens ensemble", 3
_CHECKED = 2  # the first version with checksums
_SPELLED = 3  # the first version with names other than text
_ALWAYS = ("format", "version", "codes", "weights", "object_weights", "partition_names")
_SOMETIMES = {"object_names", "index_name", "spelled", "counted"}
_DATES = (dt.date, dt.datetime, dt.time)
#: what reading a file of somebody else's, or half a file, ends in
_UNREADABLE = (
    OSError, ValueError, TypeError, KeyError, EOFError, IndexError, MemoryError, RuntimeError,
    NotImplementedError, zipfile.BadZipFile, zlib.error, struct.error, GraphensError,
)  # fmt: skip


def save_ensemble(e: Ensemble, path: str | Path) -> None:
    """Write an ensemble to one file, whole or not at all.

    The archive holds `format` and `version`, then `codes`, `weights`, `object_weights`, `partition_names`,
    `object_names` (text, whole numbers, or a line of JSON for each name of another kind) and `index_name` where there
    are any, `counted` where a frame counts its objects from 0, the labels of partition t as `labels_t` and, for soft
    partitions, its memberships as `memberships_t`; `checksums` has one line for each of these.
    NumPy reads it as any .npz.
    """
    arrays: dict[str, AnyArray] = {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "codes": e.codes,
        "weights": e.weights,
        "object_weights": e.object_weights,
        "partition_names": np.array(e.partition_names, dtype=str),
    }
    arrays |= {f"labels_{t}": names for t, names in enumerate(e.categories)}
    arrays |= {f"memberships_{t}": table for t, table in enumerate(e.memberships or ())}
    if e.object_names is not None:
        arrays["object_names"] = e.object_names
        if e.object_names.dtype == object:
            spelled = [_spell(name) for name in e.object_names]
            _question_loss(e.object_names.tolist(), spelled)
            arrays["object_names"] = np.array(spelled, dtype=str)
            arrays["spelled"] = np.array(True)
    if e.index_name is not None:
        arrays["index_name"] = np.array(_spell(e.index_name))
    if e._counted:
        arrays["counted"] = np.array(True)
    with atomic(path) as file:
        members: dict[str, Any] = {**arrays, "checksums": _checksums(arrays)}
        np.savez(file, **members)


def _checksums(arrays: Mapping[str, AnyArray]) -> AnyArray:
    return np.array([f"{name} {digest(array)}" for name, array in sorted(arrays.items())])


def load_ensemble(path: str | Path) -> Ensemble:
    """Read an ensemble written by `save_ensemble`; anything else is a `FileError`."""
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            arrays = _arrays(archive, os.fstat(file.fileno()).st_size)
        if str(arrays.get("format")) != FORMAT:
            raise FileError(f"{path} is not a saved ensemble; expected a file written by Ensemble.save().")
        if int(arrays["version"]) > VERSION:
            raise FileError(
                f"{path} was saved by a newer graphens (format {arrays['version']}); update graphens to read it."
            )
        _check_members(arrays)
        return _restored(arrays)
    except FileError:
        raise
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path} cannot be read as a saved ensemble: {reason}.") from error


def _arrays(archive: zipfile.ZipFile, size: int) -> dict[str, AnyArray]:
    """All members; none is unpacked to more than the file holds."""
    members = archive.infolist()
    if sum(member.file_size for member in members) > size:
        raise ValueError("it unpacks to more than it holds")
    arrays = {member.filename.removesuffix(".npy"): loaded(archive.read(member)) for member in members}
    if len(arrays) < len(members):
        raise ValueError("two of its members have the same name")
    return arrays


def _check_members(arrays: dict[str, AnyArray]) -> None:
    """Refuse an archive with a member too many, too few, or other than when it was saved."""
    sums = arrays.pop("checksums", None)
    if int(arrays["version"]) >= _CHECKED and (sums is None or sums.tolist() != _checksums(arrays).tolist()):
        raise ValueError("its checksums do not fit, it is damaged")
    many = len(arrays["codes"])
    labels, soft = ({f"{what}_{t}" for t in range(many)} for what in ("labels", "memberships"))
    needed = {*_ALWAYS, *labels}
    odd = (needed - set(arrays)) | (set(arrays) - needed - soft - _SOMETIMES)
    if odd or (soft & set(arrays) and not soft <= set(arrays)):
        raise ValueError(f"members are missing or unknown: {', '.join(sorted(odd)[:5]) or 'memberships'}")


def _restored(archive: Mapping[str, AnyArray]) -> Ensemble:
    """Put the fields back together, checked as if they came from anywhere."""
    codes, names = archive["codes"], archive["partition_names"]
    if codes.ndim != 2 or codes.dtype.kind != "u" or codes.dtype.itemsize > 4 or not codes.size:
        raise ValueError("its codes are damaged")
    if names.shape != (len(codes),):
        raise ValueError("its partition names are damaged")
    categories = tuple(archive[f"labels_{t}"] for t in range(len(codes)))
    absent = np.iinfo(codes.dtype).max
    for row, labels in zip(codes, categories, strict=True):
        if labels.ndim != 1 or labels.dtype.kind not in "iuU" or (row[row != absent] >= len(labels)).any():
            raise ValueError("its labels are damaged")
        if len(np.unique(labels)) < len(labels):
            raise ValueError("its labels are damaged")
    named = archive.get("object_names")
    if named is not None and (named.shape != (codes.shape[1],) or named.dtype.kind not in "Ui"):
        raise ValueError("its object names are damaged")
    if "spelled" in archive:
        named = as_names([_read(text) for text in ([] if named is None else named.tolist())])
    title = archive.get("index_name")
    if title is not None and (title.shape or title.dtype.kind != "U"):
        raise ValueError("its object names are damaged")
    spelled = int(archive["version"]) >= _SPELLED
    soft = (
        tuple(archive[f"memberships_{t}"] for t in range(len(codes))) if "memberships_0" in archive else None
    )
    if any(
        table.ndim != 2
        or len(table) != codes.shape[1]
        or table.dtype != np.float64
        or not (np.isfinite(table).all() and table.min(initial=0) >= 0)
        for table in soft or ()
    ):
        raise ValueError("its memberships are damaged")
    return Ensemble._from_fields(
        codes=np.ascontiguousarray(codes, dtype=codes.dtype.newbyteorder("=")),
        n_clusters=np.array([len(labels) for labels in categories], dtype=np.int64),
        weights=as_weights(archive["weights"], len(codes), "partitions"),
        object_weights=as_weights(archive["object_weights"], codes.shape[1], "objects", positive=True),
        partition_names=tuple(names.astype(str).tolist()),
        object_names=named,
        index_name=None if title is None else _read(str(title)) if spelled else str(title),
        _counted="counted" in archive,
        categories=categories,
        memberships=soft,
    )


def _spell(name: Any) -> str:
    """A name as JSON: text, numbers, truth values and None as they are, anything else as its kind and its parts."""
    return json.dumps(_parts(name), ensure_ascii=False)


def _parts(name: Any) -> Any:
    kind = type(name)
    if name is None or kind in (str, int, bool, float):
        return name
    if kind is tuple:
        return {"tuple": [_parts(part) for part in name]}
    if kind in _DATES:
        return {kind.__name__: name.isoformat()}
    if kind.__module__.startswith("pandas") and kind.__name__ == "Timestamp":
        return {"Timestamp": name.isoformat()}
    return str(name)


def _question_loss(names: list[Any], spelled: list[str]) -> None:
    """Warn of names that come back as text."""
    other = [a for a, b in zip(names, spelled, strict=True) if not isinstance(_read(b), type(a))]
    if other:
        loss(
            f"{len(other)} names, such as {other[0]!r} ({type(other[0]).__name__}), are saved as text; "
            "a saved ensemble holds text, numbers, dates and tuples of these."
        )


def _read(text: str) -> Any:
    """The name that `_spell` wrote."""
    return _whole(json.loads(text))


def _whole(parts: Any) -> Any:
    if not isinstance(parts, dict):
        return parts
    ((kind, value),) = parts.items()
    if kind == "tuple":
        return tuple(_whole(part) for part in value)
    if kind == "Timestamp":
        from pandas import Timestamp

        return Timestamp(value)
    return {made.__name__: made for made in _DATES}[kind].fromisoformat(value)

"""Saved ensembles: one NumPy archive without pickled objects."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import AnyArray, as_weights
from ..core.ensemble import Ensemble
from ..errors import FileError, GraphensError
from ._atomic import atomic

FORMAT, VERSION = "graphens ensemble", 1
#: what reading a file of somebody else's, or half a file, ends in
_UNREADABLE = (
    OSError, ValueError, TypeError, KeyError, EOFError, IndexError, MemoryError, RuntimeError,
    zipfile.BadZipFile, zlib.error, struct.error, GraphensError,
)  # fmt: skip


def save_ensemble(e: Ensemble, path: str | Path) -> None:
    """Write an ensemble to one file, whole or not at all.

    The archive holds `format` and `version`, then `codes`, `weights`, `object_weights`, `partition_names`,
    `object_names` where there are any, the labels of partition t as `labels_t` and, for soft partitions, its
    memberships as `memberships_t`.
    """
    arrays: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "codes": e.codes,
        "weights": e.weights,
        "object_weights": e.object_weights,
        "partition_names": np.array(e.partition_names, dtype=str),
    }
    arrays |= {f"labels_{t}": names for t, names in enumerate(e.categories)}
    arrays |= {f"memberships_{t}": table for t, table in enumerate(e.memberships or ())}
    if e.object_names is not None:
        arrays["object_names"] = e.object_names
    with atomic(path) as file:
        np.savez(file, **arrays)


def load_ensemble(path: str | Path) -> Ensemble:
    """Read an ensemble written by `save_ensemble`; anything else is a `FileError`."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile) or str(archive.get("format")) != FORMAT:
                raise FileError(
                    f"{path} is not a saved ensemble; expected a file written by Ensemble.save()."
                )
            if int(archive["version"]) > VERSION:
                raise FileError(
                    f"{path} was saved by a newer graphens (format {archive['version']}); update graphens to read it."
                )
            return _restored(archive)
    except FileError:
        raise
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or error
        if "allow_pickle" in str(error):  # NumPy's advice would be bad advice here
            reason = "it is none"
        raise FileError(f"{path} cannot be read as a saved ensemble: {reason}.") from error


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
    named = archive.get("object_names")
    if named is not None and (named.shape != (codes.shape[1],) or named.dtype.kind != "U"):
        raise ValueError("its object names are damaged")
    soft = (
        tuple(archive[f"memberships_{t}"] for t in range(len(codes))) if "memberships_0" in archive else None
    )
    if any(
        table.ndim != 2 or len(table) != codes.shape[1] or table.dtype != np.float64 for table in soft or ()
    ):
        raise ValueError("its memberships are damaged")
    return Ensemble.from_fields(
        codes=np.ascontiguousarray(codes, dtype=codes.dtype.newbyteorder("=")),
        n_clusters=np.array([len(labels) for labels in categories], dtype=np.int64),
        weights=as_weights(archive["weights"], len(codes), "partitions"),
        object_weights=as_weights(archive["object_weights"], codes.shape[1], "objects", positive=True),
        partition_names=tuple(names.astype(str).tolist()),
        object_names=named,
        categories=categories,
        memberships=soft,
    )

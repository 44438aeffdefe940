"""Saved values: one NumPy archive each, without pickled objects."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, as_path
from .._lib.files import atomic
from .._lib.stored import digest, loaded
from ..errors import FileError, InputError, TypeMismatch
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.value import Savable
from . import FORMATS
from ._text import loss
from .plain_data import Reading, Writing, in_classes
from .table_files import ENDINGS

FORMAT, VERSION = "graphens", 1


def save(value: Savable, path: str | Path) -> None:
    """Write a value to one file, either completely or not at all.

    The archive holds `format`, `version` and `graphens` (the version that wrote it), then `value`, JSON that says what
    the value consists of (see `plain_data`), the arrays in it as `array_0`, `array_1`, …, and `checksums` with one line
    for each of these. NumPy reads it as any .npz.
    """
    from .. import __version__

    if not in_classes(value):
        raise TypeMismatch(
            f"A {type(value).__name__} cannot be saved; expected an Ensemble, a Hypergraph, a Graph, a Dendrogram or a "
            "Consensus. Results of graphens.scale are already stored in files."
        )
    _check_ending(value, as_path(path))
    writing = Writing()
    root = writing.part(value)
    if writing.lost:
        (text, first), count = next(iter(writing.lost.items())), len(writing.lost)
        what = f"{count} name{'s' * (count > 1)} or option{'s' * (count > 1)}, such as {text!r}"
        held = "a saved file holds text, numbers, dates, arrays, frames and networks"
        loss(f"{what} ({type(first).__name__}), will come back as text; {held}.")
    arrays: dict[str, AnyArray] = {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "graphens": np.array(__version__),
        "value": np.array(json.dumps({"root": root, "values": writing.values})),
    } | {f"array_{i}": array for i, array in enumerate(writing.arrays)}
    members: dict[str, Any] = {**arrays, "checksums": _checksums(arrays)}
    with atomic(path) as file:
        np.savez(file, **members)


def _check_ending(value: Savable, path: Path) -> None:
    """Refuse a name that promises another format."""
    name = str(path).lower()
    kind = next((kind for kind in (Graph, Hypergraph) if name.endswith(tuple(FORMATS[kind]))), None)
    if name.endswith(ENDINGS) and not isinstance(value, Graph):
        other = "to_frame() returns a table"
    elif kind is not None:
        other = f"{kind.__name__}.write(path) writes {path.suffix} files"
    else:
        return
    raise InputError(f"{path} was given to save(), which writes an archive; expected a file ending in .npz. {other}.")


def _checksums(arrays: Mapping[str, AnyArray]) -> AnyArray:
    return np.array([f"{name} {digest(array)}" for name, array in sorted(arrays.items())])


def load(path: str | Path) -> Any:
    """Read a value that was written by its `save`.

    Parameters
    ----------
    path
        The file. A file of a newer version, a damaged file or any other file is an error. Nothing in the file is
        executed.

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
    value = _value(path, "a saved ensemble", "Ensemble.save()")
    e = value if isinstance(value, Ensemble) else getattr(value, "ensemble", None)
    if not isinstance(e, Ensemble):
        raise FileError(
            f"{path} holds a saved {type(value).__name__}; expected a saved ensemble. graphens.load() reads the file."
        )
    return e


#: what reads files of other formats
_READERS = {
    ENDINGS: " Read a table with pandas, and give the frame to consensus().",
    tuple(FORMATS[Graph]): " Graph.read(path) reads a graph, communities(path) clusters it.",
    tuple(FORMATS[Hypergraph]): " Hypergraph.read(path) reads a hypergraph.",
}


def _value(path: str | Path, what: str, written_by: str) -> Any:
    """The value in a file; `what` was expected and how it is `written_by`, for error messages."""
    path = as_path(path)
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            arrays = _arrays(archive, os.fstat(file.fileno()).st_size)
        if str(arrays.get("format")) != FORMAT:
            raise zipfile.BadZipFile
        if int(arrays["version"]) > VERSION:
            raise FileError(
                f"{path} was saved by a newer graphens (format {arrays['version']}); update graphens to read it."
            )
        sums = arrays.pop("checksums", None)
        if sums is None or sums.tolist() != _checksums(arrays).tolist():
            raise ValueError("its checksums do not match, so the file is damaged")
        document = json.loads(str(arrays["value"]))
        reading = Reading([arrays[f"array_{i}"] for i in range(len(arrays) - 4)])
        for kind, inside in document["values"]:
            reading.add(kind, inside)
        return reading.part(document["root"])
    except FileError:
        raise
    except zipfile.BadZipFile as error:
        other = next((words for endings, words in _READERS.items() if str(path).lower().endswith(endings)), "")
        raise FileError(
            f"{path} is not {what}, or it is damaged; expected a file written by {written_by}.{other}"
        ) from error
    except Exception as error:
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

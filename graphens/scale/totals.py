"""Sums over blocks: added up in the order of the blocks, whoever counted them, and kept as they grow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray
from .._work import tell
from ..core.codes import distinct_rows
from .engine import Engine, Task
from .folder import Folder, read_arrays

#: tables by name, arrays or sparse matrices
Tables = dict[str, Any]
_SECONDS = 5.0  # how much work a kill may cost
_PARTS = ("data", "indices", "indptr", "shape")


def accumulate(
    engine: Engine,
    folder: Folder,
    name: str,
    n_blocks: int,
    task: Callable[[int], Task],
    merge: Callable[[Tables, Tables], Tables],
    enough: Callable[[Tables], bool] = lambda total: False,
) -> Tables:
    """Merge what the tasks find in all blocks, from where an earlier call ended; stop early where that is `enough`.

    The order of merging is that of the blocks, so the sum has the same bits for every number of workers.
    """
    total = _read(folder, name)
    done, saved = int(total.pop("blocks", 0)), monotonic()
    if done < n_blocks and not (total and enough(total)):
        for found in engine.run(task(number) for number in range(done, n_blocks)):
            total, done = merge(total, found) if total else found, done + 1
            tell(name.replace("_", " "), done / n_blocks)
            if enough(total):
                break
            if monotonic() - saved > _SECONDS:
                _write(folder, name, total, done)
                saved = monotonic()
        _write(folder, name, total, done)
    return total


def added(a: Tables, b: Tables) -> Tables:
    """Add tables up; of `first`, the place where something occurs first, the smaller counts."""
    return {key: np.minimum(a[key], b[key]) if key == "first" else a[key] + b[key] for key in a}


def highest(a: Tables, b: Tables) -> Tables:
    """Keep the larger numbers."""
    return {key: np.maximum(a[key], b[key]) for key in a}


def joined_rows(a: Tables, b: Tables) -> Tables:
    """Join distinct rows with their counts, in order of first appearance."""
    codes = np.concatenate([a["codes"], b["codes"]], axis=1)
    counts = np.concatenate([a["counts"], b["counts"]])
    first, index = distinct_rows(codes)
    joined = np.bincount(index, weights=counts, minlength=len(first))
    return {**b, "codes": np.take(codes, first, axis=1), "counts": joined}


def smallest(rows: Tables, hashes: AnyArray, size: int) -> Tables:
    """Keep the rows with the smallest hashes, in their order: a sample that any order of merging agrees on."""
    if len(hashes) <= size:
        return rows
    kept = np.sort(np.argpartition(hashes, size)[:size])
    return {**rows, "codes": np.take(rows["codes"], kept, axis=1), "counts": rows["counts"][kept]}


def _write(folder: Folder, name: str, total: Tables, done: int) -> None:
    folder.keep(name, {**flat(total), "blocks": np.array(done)})


def _read(folder: Folder, name: str) -> Tables:
    return whole_again(folder.kept(name) or {})


def flat(tables: Tables) -> dict[str, AnyArray]:
    """Tables as plain arrays, which a file can hold."""
    arrays: dict[str, AnyArray] = {}
    for key, table in tables.items():
        if sparse.issparse(table):
            arrays |= {f"{key}.{part}": np.asarray(getattr(table, part)) for part in _PARTS}
        else:
            arrays[key] = np.asarray(table)
    return arrays


def whole_again(arrays: dict[str, AnyArray]) -> Tables:
    """Tables from plain arrays."""
    tables: Tables = {key: array for key, array in arrays.items() if "." not in key}
    for key in {key.partition(".")[0] for key in arrays if "." in key}:
        data, indices, indptr, shape = (arrays[f"{key}.{part}"] for part in _PARTS)
        tables[key] = sparse.csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
    return tables


@cache
def shared_tables(path: str, version: int) -> Tables:
    """Read tables that all blocks need, once in every process; another version is another file."""
    return whole_again(read_arrays(path))

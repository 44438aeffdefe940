"""The answer of an earlier command, read back from its table."""

from __future__ import annotations

import numpy as np

from .. import Ensemble
from .._arrays import MISSING, FloatArray, IntArray, LabelArray
from ..errors import InputError
from ..export.answer import Answer
from ..export.labels import as_labels_column
from ..export.tables import MISSING_CELLS, Column, read_table


def read_answer(path: str, e: Ensemble, delimiter: str | None = None) -> Answer:
    """Read clusters and confidence as `consensus` and `cluster` write them.

    The column `cluster` must be there. Rows find their objects by the names in the first column where the ensemble has
    names too, else by their order.
    """
    table = read_table(path, delimiter=delimiter)
    if "cluster" not in table:
        raise InputError(
            f"{path} has no column 'cluster'; it has {', '.join(list(table)[:10])}. Expected a table that graphens "
            "consensus or graphens cluster wrote."
        )
    first = next(iter(table))
    names = None if first in {"cluster", "confidence"} else [str(cell) for cell in table[first]]
    labels = _numbered(table["cluster"])
    sure = _shares(table["confidence"], path) if "confidence" in table else np.ones(len(labels))
    rows = _rows_of(e, names, len(labels), path)
    return Answer(labels[rows], sure[rows], e.vertex_names(), e)


def _rows_of(e: Ensemble, names: list[str] | None, size: int, path: str) -> IntArray:
    """The row of every object."""
    if names is None or e.object_names is None:
        if size != e.n_objects:
            raise InputError(f"{path} has {size} rows for {e.n_objects} objects; expected a row for each.")
        return np.arange(size)
    place = {name: row for row, name in enumerate(names)}
    objects = e.vertex_names().texts()
    strange = next((name for name in objects if name not in place), None)
    if strange is not None or len(place) < len(names):
        why = "names some objects twice" if strange is None else f"has no row for {strange!r}"
        raise InputError(f"{path} {why}; expected the answer for these labels.")
    return np.array([place[name] for name in objects], dtype=np.int64)


def _numbered(cells: Column) -> LabelArray:
    """Clusters as numbers: their own where they are numbers, else in the order of their names."""
    one = Ensemble.from_partitions([as_labels_column(cells)])
    codes, known = one.labels[:, 0], one.categories[0]
    numbers = known if known.dtype.kind in "iu" and known.max(initial=0) < 2**31 else np.arange(len(known))
    return np.append(numbers, MISSING)[codes].astype(np.int32)


def _shares(cells: Column, path: str) -> FloatArray:
    try:
        return np.array([0.0 if cell in MISSING_CELLS or cell is None else float(cell) for cell in cells])
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} has a confidence that is no number: {error}.") from None

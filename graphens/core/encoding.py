"""From what a user hands over to the fields of an ensemble, and questions about labels that look odd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, as_weights
from ..errors import OrientationWarning, warn
from .codes import place
from .inputs import Columns
from .labels import encode
from .names import Names, question_names

_MARKS = ("?", "-")  # labels that many tables mean as missing


def encoded_fields(
    found: Columns,
    *,
    weights: ArrayLike | None,
    object_weights: ArrayLike | None,
    partition_names: Sequence[str] | None,
    object_names: ArrayLike | None,
) -> dict[str, Any]:
    """Check the label vectors and everything that goes with them; names given by the caller come first."""
    n_objects, n_partitions = found.n_objects(), len(found.labels)
    own = found.partition_names if partition_names is None else partition_names
    named = Names.given(own, n_partitions, "P").texts()
    index = found.object_names if object_names is None else object_names
    objects = None if index is None else Names.given(index, n_objects).array()
    question_names(objects)
    codes = np.empty((0, n_objects), dtype=np.uint8)
    categories: list[AnyArray] = []
    for t, column in enumerate(found.labels):
        row, labels = encode(column, f"Partition {t if own is None else named[t]}")
        codes = place(codes, t, n_partitions, row, len(labels))
        categories.append(labels)
    _question_marks(named, categories)
    return {
        "codes": codes,
        "n_clusters": np.array([len(labels) for labels in categories], dtype=np.int64),
        "weights": as_weights(weights, n_partitions, "partitions"),
        "object_weights": as_weights(object_weights, n_objects, "objects", positive=True),
        "partition_names": tuple(named),
        "object_names": objects,
        "index_name": found.index_name if object_names is None else None,
        "_counted": found.counted and object_names is None,
        "categories": tuple(categories),
    }


def _question_marks(names: Sequence[str], categories: Sequence[AnyArray]) -> None:
    """Warn once where a label looks like a missing one, and is a cluster."""
    marks = [
        (name, label)
        for name, labels in zip(names, categories, strict=True)
        if labels.dtype.kind == "U"
        for label in _MARKS
        if label in labels
    ]
    if marks:
        name, label = marks[0]
        more = f", and {len(marks) - 1} more like it" if len(marks) > 1 else ""
        warn(
            f"Column {name!r} has the label {label!r}{more}: it is a cluster like any other. If it means that the "
            "label is missing, replace it by None, NaN or an empty cell."
        )


def question_orientation(n_partitions: int, n_objects: int, most: int = 10) -> None:
    """Warn where there are more than `most` times as many partitions as objects."""
    if n_partitions > most * n_objects:
        warn(
            f"{n_partitions} partitions of {n_objects} objects: the table looks transposed. Rows are objects, "
            "columns are partitions; for one label vector per partition use Ensemble.from_partitions.",
            OrientationWarning,
        )

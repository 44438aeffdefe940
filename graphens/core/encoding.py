"""From what a user hands over to the fields of an ensemble, and questions about labels that look odd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, as_weights
from ..errors import OrientationWarning, warn
from .coded import Coded
from .codes import place
from .inputs import Columns
from .labels import encode
from .names import Names

#: objects from which on a partition of (nearly) single objects is worth a question
MANY = 50


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
    named = list(Names.given(own, n_partitions, "P"))
    index = found.object_names if object_names is None else object_names
    codes = np.empty((0, n_objects), dtype=np.uint8)
    categories: list[AnyArray] = []
    for t, column in enumerate(found.labels):
        row, labels = encode(column, f"Partition {t if own is None else named[t]}")
        codes = place(codes, t, n_partitions, row, len(labels))
        categories.append(labels)
    return {
        "codes": codes,
        "n_clusters": np.array([len(labels) for labels in categories], dtype=np.int64),
        "weights": as_weights(weights, n_partitions, "partitions"),
        "object_weights": as_weights(object_weights, n_objects, "objects", positive=True),
        "partition_names": tuple(named),
        "object_names": None if index is None else Names.given(index, n_objects).array(),
        "index_name": found.index_name if object_names is None else None,
        "categories": tuple(categories),
    }


def question_orientation(e: Coded, most: int = 10) -> None:
    """Warn where there are more than `most` times as many partitions as objects."""
    if e.n_partitions > most * e.n_objects:
        warn(
            f"{e.n_partitions} partitions of {e.n_objects} objects: the table looks transposed. Rows are objects, "
            "columns are partitions; for one label vector per partition use Ensemble.from_partitions.",
            OrientationWarning,
        )


def question_columns(e: Coded, remedy: str) -> None:
    """Warn of partitions with (nearly) as many clusters as objects: ids or measurements, taken for clusterings."""
    for t in np.flatnonzero(e.n_clusters > 0.9 * MANY).tolist():
        k, there = int(e.n_clusters[t]), int(np.count_nonzero(e.codes[t] != e.absent))
        if there >= MANY and k > 0.9 * there:
            warn(
                f"Column {e.partition_names[t]!r} has {k} different labels for {there} objects: names or measurements "
                f"rather than a clustering? Then {remedy}."
            )

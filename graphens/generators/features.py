"""Features for the generators: one matrix, or several views of the same objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import as_list
from .._lib.features import feature_matrix
from .._lib.frames import as_frame
from ..errors import InputError
from ..labels.names import Names, align, attached_names, question_names, row_names
from .representations import Representation, find_representation

#: a dense n × d array or a CSR matrix, of float32 or float64
Matrix = Any


@dataclass(frozen=True)
class Views:
    """Several matrices over the same objects, and how they were made from what was given."""

    names: tuple[str, ...]
    matrices: tuple[Matrix, ...]
    makers: tuple[Callable[[Any], Any], ...] | None = None
    object_names: Names | None = None

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return int(self.matrices[0].shape[0])

    def again(self, X: Any) -> tuple[Matrix, ...]:
        """Return the same views of new objects."""
        if self.makers is not None:
            return tuple(feature_matrix(make(X), name) for make, name in zip(self.makers, self.names, strict=True))
        new = read_views(X).matrices
        here, there = ([m.shape[1] for m in matrices] for matrices in (new, self.matrices))
        if here != there:
            what = f"New objects with {here} features were given; expected {there}"
            raise InputError(f"{what}, as in the data the ensemble was made from.")
        return new


def read_views(X: Any, representations: Sequence[Representation] | None = None) -> Views:
    """Read one matrix, a list or mapping of matrices over the same objects, or several representations of one."""
    if representations is not None:
        return _represent(X, representations)
    if isinstance(X, Mapping):
        names, tables = tuple(str(name) for name in X), list(X.values())
    elif isinstance(X, (list, tuple)) and len(X) and all(_is_matrix(x) for x in X):
        names, tables = tuple(f"view {v}" for v in range(len(X))), list(X)
    else:
        names, tables = ("X",), [X]
    if not tables:
        raise InputError("No view was given; expected at least one matrix with objects in rows.")
    objects = attached_names(tables[0])
    aligned = [tables[0], *(align(x, objects, name) for x, name in zip(tables[1:], names[1:], strict=True))]
    matrices = tuple(feature_matrix(x, name) for x, name in zip(aligned, names, strict=True))
    rows = [m.shape[0] for m in matrices]
    if len(set(rows)) > 1:
        raise InputError(f"Views with {rows} rows were given; expected the same objects in the rows of each.")
    return Views(names, matrices, None, frame_names(tables[0]))


def _is_matrix(x: Any) -> Any:
    try:
        return sparse.issparse(x) or as_frame(x) is not None or np.ndim(x) == 2
    except ValueError:  # nested lists of different lengths
        return False


def _represent(X: Any, representations: Sequence[Representation]) -> Views:
    wanted = as_list("representations", representations, "a list of at least one")
    if not wanted:
        raise InputError.about("representations", representations, "a list of at least one")
    fits = [find_representation(one) for one in wanted]
    series = X if sparse.issparse(X) or as_frame(X) is not None else np.asarray(X)
    makers = tuple(fit(series) for _, fit in fits)
    names = tuple(name for name, _ in fits)
    matrices = tuple(feature_matrix(make(series), name) for make, name in zip(makers, names, strict=True))
    if len({m.shape[0] for m in matrices} | {series.shape[0]}) > 1:
        gave = f"{[m.shape[0] for m in matrices]} rows for {series.shape[0]} objects"
        raise InputError(f"The representations gave {gave}; expected one row for each object.")
    return Views(names, matrices, makers, frame_names(X))


def frame_names(X: Any) -> Names | None:
    """Return the names of a frame's rows, None if it is no frame; warn about repeated names."""
    frame = as_frame(X)
    if frame is None:
        return None
    question_names(names := row_names(frame))
    return names

"""Frames and columns of pandas, polars, PyArrow, Modin, DuckDB and other packages, all read through narwhals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, MissingDependency

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_OWN = (np.ndarray, np.generic, list, tuple, Mapping, set, str, bytes, int, float, type(None))  # never a frame


@dataclass(frozen=True)
class Frame:
    """A frame in memory, and the names of its columns; in the frame itself, repeated names are replaced by numbers."""

    names: list[Any]
    table: nw.DataFrame[Any]

    @property
    def backend(self) -> str:
        """The package of the frame; results are frames of the same package."""
        return str(self.table.implementation.value)

    def select(self, names: Collection[Any]) -> Frame:
        """Return some of the columns, in their original order."""
        places = [t for t, name in enumerate(self.names) if name in names]
        return Frame([self.names[t] for t in places], self.table[:, places])


def as_frame(given: Any) -> Frame | None:
    """Return any frame, computed if it is lazy; None for anything that is not a frame."""
    if isinstance(given, Frame):
        return given
    kind = type(given)  # asked first: a lazy frame looks up its columns when asked for them
    if isinstance(given, _OWN) or not (hasattr(kind, "columns") or hasattr(kind, "__arrow_c_stream__")):
        return None
    import narwhals.stable.v2 as nw

    given = nw.to_native(given, pass_through=True)
    try:
        found = nw.from_native(given, pass_through=True)
        table = found.collect() if isinstance(found, nw.LazyFrame) else found
    except nw.exceptions.DuplicateError:
        return _with_repeated_names(given)
    except Exception as error:  # every package has its own for a query that fails
        raise InputError(f"The rows of a {kind.__name__} could not be read: {error}") from error
    if isinstance(table, nw.DataFrame):
        return Frame(list(table.columns), table)
    tabular = hasattr(kind, "columns") or hasattr(kind, "read_all")  # else it is a column
    arrow = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")
    return as_frame(_arrow_table(given)) if arrow and tabular else None


def _with_repeated_names(given: Any) -> Frame:
    """A frame with numbered columns, because narwhals requires unique names."""
    import narwhals.stable.v2 as nw

    numbered = given if hasattr(given, "set_axis") else _arrow_table(given)
    names = list(getattr(numbered, "column_names", given.columns))
    order = [str(t) for t in range(len(names))]
    made = numbered.set_axis(order, axis=1) if numbered is given else numbered.rename_columns(order)
    return Frame(names, nw.from_native(made, eager_only=True))


def _arrow_table(given: Any) -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependency(
            f"A {type(given).__name__} is read through pyarrow: pip install 'graphens[frames]'"
        ) from error
    return pa.table(given)


def as_series(given: Any) -> nw.Series[Any] | None:
    """Return a column of any such package; None for anything that is not a column."""
    if isinstance(given, _OWN) or not hasattr(given, "to_numpy"):
        return None
    import narwhals.stable.v2 as nw

    found = nw.from_native(nw.to_native(given, pass_through=True), allow_series=True, pass_through=True)
    return found if isinstance(found, nw.Series) else None


def collected(given: Any) -> Any:
    """Return a lazy frame in memory, anything else as it is."""
    frame = as_frame(given)
    return given if frame is None else frame.table.to_native()


def take_rows(given: Any, index: Any) -> Any:
    """Return some rows, by number, of a frame, a column, an array or a sparse matrix."""
    frame = as_frame(given)
    table = as_series(given) if frame is None else frame.table
    return given[index] if table is None else table[index].to_native()


def unframed(given: Any) -> Any:
    """Return a frame as an array, anything else as it is."""
    frame = as_frame(given)
    return given if frame is None else frame.table.to_numpy()

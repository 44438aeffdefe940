"""The one gate for labels: whatever a user calls a label becomes a code 0, 1, … or is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import MISSING, AnyArray, LabelArray
from ..errors import InputError, TypeMismatch

#: codes (−1 where missing) and the label that each code stands for
Encoded = tuple[LabelArray, AnyArray]


def encode(column: Any, where: str) -> Encoded:
    """Turn one label vector into codes in the order of its sorted labels.

    −1, NaN, None and NA are missing. Whole numbers may come as floats; other floats and numbers below −1
    are errors. O(n) for integers of a moderate range, O(n log n) otherwise.
    """
    if hasattr(column, "factorize") and not _is_plain(column.dtype):
        return _encode_pandas(column, where)
    if type(getattr(column, "type", None)).__name__ == "DictionaryType":
        column = column.cast(column.type.value_type)  # arrow would show nulls as the first category
    values = column.to_numpy() if hasattr(column, "to_numpy") else as_array(column)
    if values.ndim != 1:
        raise InputError(f"{where} has shape {values.shape}; expected one label for each object.")
    kind = values.dtype.kind
    if kind in "biu":
        return _encode_integers(np.ascontiguousarray(values), where)
    if kind == "f":
        return _encode_integers(_whole_numbers(values, where), where)
    if kind == "U":
        names, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.int32), names
    if kind in "OTS":
        return _encode_objects(values.astype(object), where)
    raise TypeMismatch(
        f"{where} has labels of type {values.dtype}; expected whole numbers, text or categories."
    )


def as_array(labels: Any) -> AnyArray:
    """Read nested lists and arrays; text beside other things keeps its kind, and what a mask hides is missing."""
    if isinstance(labels, np.ma.MaskedArray):
        shown = labels.data.astype(object)
        shown[np.ma.getmaskarray(labels)] = None
        return shown
    values = np.asarray(labels)
    if values.dtype.kind in "US" and not hasattr(labels, "dtype"):
        return np.asarray(labels, dtype=object)  # NumPy would turn a NaN among text into the text "nan"
    return values


def _is_plain(dtype: Any) -> bool:
    """Whether a pandas column is a NumPy array of numbers; the others are best read by pandas itself."""
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def _whole_numbers(values: AnyArray, where: str) -> AnyArray:
    whole = np.where(np.isnan(values), MISSING, values.astype(np.float64))
    off = np.flatnonzero((whole != np.rint(whole)) | (np.abs(whole) > 2**53))  # also catches infinities
    if off.size:
        raise InputError(
            f"{where} has the label {values[off[0]]!s}; expected whole numbers "
            "(NaN or −1 for missing). Round or discretise the values first."
        )
    return whole.astype(np.int64)


def _encode_integers(values: AnyArray, where: str) -> Encoded:
    if values.size == 0:
        return values.astype(np.int32), np.empty(0, dtype=np.int64)
    if values.dtype.kind == "b":
        values = values.astype(np.int8)
    low, high = int(values.min()), int(values.max())
    if low < MISSING:
        raise InputError(f"{where} has the label {low}; expected 0, 1, … and −1 for missing.")
    if high - low > max(4 * values.size, 2**16) or high > np.iinfo(np.int64).max:
        names, inverse = np.unique(values, return_inverse=True)
        shift = int(names[0] == MISSING)
        return (inverse - shift).astype(np.int32), names[shift:]
    floor = min(low, 0) if low <= 0 else low
    seen = np.zeros(high - floor + 1, dtype=bool)
    offset = values if floor == 0 else values.astype(np.int64) - floor
    seen[offset] = True
    if floor == MISSING:
        seen[0] = False
    code = np.cumsum(seen, dtype=np.int32) - 1
    code[~seen] = MISSING
    return code[offset], np.flatnonzero(seen) + floor


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating)) and value != value


def _encode_objects(values: AnyArray, where: str) -> Encoded:
    seen: dict[Any, int] = {}
    try:
        raw = np.fromiter(
            (seen.setdefault(v, len(seen)) for v in values.tolist()), dtype=np.int64, count=values.size
        )
    except TypeError as error:
        raise TypeMismatch(f"{where} has labels that cannot be compared: {error}.") from None
    code, names = _encode_distinct(list(seen), where)
    return code[raw] if values.size else code, names


def _encode_distinct(distinct: Sequence[Any], where: str) -> Encoded:
    """Give codes to distinct Python labels: numbers by value, anything else by its text."""
    present = [i for i, value in enumerate(distinct) if not _is_missing(value)]
    numbers = [i for i in present if isinstance(distinct[i], (int, float, np.number, np.bool_))]
    words = sorted(set(present) - set(numbers))
    code = np.full(len(distinct), MISSING, dtype=np.int32)
    if words and all(distinct[i] == MISSING for i in numbers):
        names, inverse = np.unique(np.array([str(distinct[i]) for i in words]), return_inverse=True)
        if len(names) < len(words):
            raise InputError(
                f"{where} has different labels with the same text; expected labels that can be told apart."
            )
        code[words] = inverse
        return code, names
    if words:
        raise TypeMismatch(
            f"{where} mixes numbers and text ({distinct[numbers[0]]!r}, {distinct[words[0]]!r}); "
            "expected one kind of label."
        )
    code[numbers], found = _encode_integers(_numbers([distinct[i] for i in numbers], where), where)
    return code, found


def _numbers(values: Sequence[Any], where: str) -> AnyArray:
    """Python numbers as an array of integers; whole ones are not sent through floats, which end at 2**53."""
    if not all(isinstance(value, (int, np.integer, np.bool_)) for value in values):
        return _whole_numbers(np.array([float(value) for value in values]), where)
    whole = np.array([int(value) for value in values], dtype=None if values else np.int64)
    if whole.dtype.kind not in "iu":
        raise InputError(
            f"{where} has labels from {min(values)} to {max(values)}; expected whole numbers of at most 64 bits. "
            "Give larger ones as text."
        )
    return whole


def _encode_pandas(column: Any, where: str) -> Encoded:
    raw, distinct = column.factorize()
    code, names = _encode_distinct(list(distinct), where)
    return np.append(code, np.int32(MISSING))[raw], names  # raw −1 picks the appended one


def columns(labels: Any) -> tuple[list[Any], list[str] | None, AnyArray | None]:
    """Split a table of labels, objects in rows, into its columns, their names and the objects' names."""
    if hasattr(labels, "iloc") and hasattr(labels, "columns"):
        named = _index_names(labels.index)
        default = type(labels.columns).__name__ == "RangeIndex"
        return (
            [labels.iloc[:, t] for t in range(labels.shape[1])],
            None if default else [str(c) for c in labels.columns],
            named,
        )
    if hasattr(labels, "get_columns") or hasattr(labels, "column_names"):  # polars, arrow
        names = [str(c) for c in getattr(labels, "column_names", None) or labels.columns]
        return [labels[name] for name in names], names, None
    table = _table(labels)
    if table.ndim != 2:
        raise InputError(
            f"Labels of shape {table.shape} were given; expected n_objects × n_partitions. "
            "For separate label vectors use Ensemble.from_partitions([first, second, …])."
        )
    return list(table.T), None, None


def _table(labels: Any) -> AnyArray:
    if isinstance(labels, (dict, set, str, bytes)) or hasattr(labels, "tocsr"):
        raise TypeMismatch(
            f"A {type(labels).__name__} was given; expected a table of labels, n_objects × n_partitions. "
            "For separate label vectors use Ensemble.from_partitions."
        )
    try:
        return as_array(labels)
    except ValueError:
        lengths = sorted({len(row) if hasattr(row, "__len__") else 0 for row in labels})
        raise InputError(
            f"The rows of labels have different lengths ({', '.join(map(str, lengths[:5]))}); expected one label of "
            "every partition for each object, −1 or None where an object is absent."
        ) from None


def _index_names(index: Any) -> AnyArray | None:
    """The objects' names in a pandas index; one that only counts has none."""
    return None if type(index).__name__ == "RangeIndex" else np.array([str(x) for x in index], dtype=str)


def common_index(found: Sequence[Any]) -> AnyArray | None:
    """Return the objects' names that pandas columns share; columns about different objects are an error."""
    indexed = [column.index for column in found if hasattr(column, "iloc") and hasattr(column, "index")]
    if any(len(one) == len(indexed[0]) and not one.equals(indexed[0]) for one in indexed[1:]):
        raise InputError(
            "The pandas columns have different indexes, so they speak of different objects or in another order. "
            "Align them first, e.g. with pandas.DataFrame(columns), which Ensemble takes as it is."
        )
    return _index_names(indexed[0]) if len(indexed) == len(found) and indexed else None

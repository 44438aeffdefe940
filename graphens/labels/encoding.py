"""Labels of any kind become codes 0, 1, … or are missing; and functions on these codes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, even_array, freeze, narrowest, sentinel
from .._lib.frames import as_series
from ..errors import InputError, TypeMismatch, quote
from .names import check_text, hashable

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

# types as narwhals calls them: those that NumPy has too, and text
_NUMBERS = {f"{sign}{bits}" for sign in ("Int", "UInt") for bits in (8, 16, 32, 64)}
_NUMBERS |= {"Boolean", "Float32", "Float64"}
_WORDS = {"String", "Categorical", "Enum"}
#: codes (−1 where missing) and the label that each code stands for
Encoded = tuple[LabelArray, AnyArray]


def encode(column: Any, where: str) -> Encoded:
    """Turn one label vector into codes in the order of its sorted labels.

    −1, NaN, None and NA are missing. Whole numbers may come as floats; other floats and numbers below −1
    are errors. O(n) for integers of a moderate range, O(n log n) otherwise.
    """
    series = as_series(column)
    if series is None:
        return _encode_array(as_array(column), where)
    there = series.drop_nulls()  # whole numbers beside nulls would become floats
    kind = type(there.dtype).__name__
    if kind in _NUMBERS:
        codes, names = _encode_array(there.to_numpy(), where)
    elif kind in _WORDS:
        codes, names = _encode_words(there, where)
    else:
        codes, names = _encode_objects(_of_objects(there.to_list()), where)
    code = np.full(len(series), MISSING, dtype=np.int32)
    code[~series.is_null().to_numpy().astype(bool)] = codes
    return code, names


def _encode_words(column: nw.Series[Any], where: str) -> Encoded:
    """Codes of text or categories; only the distinct values become Python objects."""
    import narwhals.stable.v2 as nw

    try:
        distinct = column.unique().to_list()
    except UnicodeEncodeError:  # half of a character, which pandas may keep and arrow not
        return _encode_objects(column.to_numpy(), where)
    code, names = _encode_distinct(distinct, where)
    if not distinct:
        return code, names
    named = column.alias("labels")  # early versions of narwhals cannot look up a column without a name
    return named.replace_strict(distinct, code.tolist(), return_dtype=nw.Int32).to_numpy(), names


def _encode_array(values: AnyArray, where: str) -> Encoded:
    if values.ndim != 1:
        raise InputError(f"{where} has shape {values.shape}; expected one label for each object.")
    kind = values.dtype.kind
    if kind in "biu":
        return _encode_integers(np.ascontiguousarray(values), where)
    if kind == "f":
        return _encode_integers(_whole_numbers(values, where), where)
    if kind in "OTSU":
        return _encode_objects(values.astype(object), where)
    raise TypeMismatch(f"{where} has labels of type {values.dtype}; expected whole numbers, text or categories.")


def as_array(labels: Any) -> AnyArray:
    """Read nested lists and arrays; mixed values keep their types, and masked entries are missing."""
    if isinstance(labels, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in labels):
        labels = np.ma.stack([np.ma.asarray(row) for row in labels])
    if hasattr(labels, "to_pylist"):  # of arrow, whose nulls NumPy would show as floats
        labels = labels.to_pylist()
    if isinstance(labels, np.ma.MaskedArray):
        shown = labels.data.astype(object)
        shown[np.ma.getmaskarray(labels)] = None
        return shown
    # Of text, NumPy would make a NaN the text "nan", and every label as long as the longest.
    words = isinstance(labels, (list, tuple)) and _has_text(labels)
    try:
        return np.asarray(labels, dtype=object if words else None)
    except ValueError:  # lists or arrays among the labels, of different lengths
        return _of_objects(labels)


def _has_text(labels: Sequence[Any]) -> bool:
    kinds = set(map(type, labels))
    if not kinds.isdisjoint((str, np.str_, bytes, np.bytes_)):
        return True
    nested = any(issubclass(kind, (list, tuple)) for kind in kinds)
    return nested and any(isinstance(row, (list, tuple)) and _has_text(row) for row in labels)


def _of_objects(labels: Any) -> AnyArray:
    """One dimension with every entry unchanged, so that invalid labels are refused where labels are read."""
    values = np.empty(len(labels), dtype=object)
    values[:] = list(labels)
    return values


def _whole_numbers(values: AnyArray, where: str) -> AnyArray:
    whole = np.where(np.isnan(values), MISSING, values.astype(np.float64))
    off = np.flatnonzero((whole != np.rint(whole)) | (np.abs(whole) > 2**53))  # also catches infinities
    if off.size:
        raise InputError(
            f"{where} has the label {values[off[0]]!s}; expected whole numbers "
            "(NaN or −1 for missing). Round its values, or leave the column out (on the command line: leave the column "
            "out with --without); if the table has features rather than labels, start with generate(X) (on the command "
            "line: use graphens cluster)."
        )
    return whole.astype(np.int64)


def _encode_integers(values: AnyArray, where: str) -> Encoded:
    if values.size == 0:
        return values.astype(np.int32), np.empty(0, dtype=np.int64)
    if values.dtype.kind == "b":
        values = values.astype(np.int8)
    low, high = int(values.min()), int(values.max())
    if low < MISSING:
        raise InputError(
            f"{where} has the label {low}; expected 0, 1, … and −1 for missing. If it marks a missing label, replace "
            f"it with None (on the command line: add --missing={low})."
        )
    if high - low > max(4 * values.size, 2**16) or high > np.iinfo(np.int64).max:
        names, inverse = np.unique(values, return_inverse=True)
        shift = int(names[0] == MISSING)
        return (inverse - shift).astype(np.int32), names[shift:]
    floor = min(low, 0) if low <= 0 else low
    occurs = np.zeros(high - floor + 1, dtype=bool)
    offset = values if floor == 0 else values.astype(np.int64) - floor
    occurs[offset] = True
    if floor == MISSING:
        occurs[0] = False
    code = np.cumsum(occurs, dtype=np.int32) - 1
    code[~occurs] = MISSING
    return code[offset], np.flatnonzero(occurs) + floor


def _not_labels(value: Any, where: str) -> TypeMismatch:
    """The error for sets, lists, complex numbers and other values that are not labels."""
    return TypeMismatch(
        f"{where} has the label {quote(value)}, a {type(value).__name__}; expected whole numbers, text or categories. "
        "Communities, one group of nodes each, and node dicts go to Ensemble.from_partitions([first, second, …])."
    )


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return bool(value != value)  # NaN of floats and decimals, NaT of NumPy


def _encode_objects(values: AnyArray, where: str) -> Encoded:
    first: dict[Any, int] = {}
    try:
        raw = np.fromiter((first.setdefault(v, len(first)) for v in values.tolist()), dtype=np.int64, count=values.size)
    except TypeError:
        raise _not_labels(next(value for value in values.tolist() if not hashable(value)), where) from None
    code, names = _encode_distinct(list(first), where)
    return code[raw] if values.size else code, names


def _encode_distinct(distinct: Sequence[Any], where: str) -> Encoded:
    """Give codes to distinct Python labels: numbers by value, anything else by its text."""
    present = [i for i, value in enumerate(distinct) if not _is_missing(value)]
    numbers = [i for i in present if isinstance(distinct[i], (int, float, np.number, np.bool_))]
    words = sorted(set(present) - set(numbers))
    groups = [i for i in words if isinstance(distinct[i], (frozenset, complex, np.complexfloating))]
    if groups:
        raise _not_labels(distinct[groups[0]], where)
    code = np.full(len(distinct), MISSING, dtype=np.int32)
    if words and all(distinct[i] == MISSING for i in numbers):
        texts = [str(distinct[i]) for i in words]
        check_text(texts, f"{where} has the label")
        names, inverse = np.unique(np.array(texts, dtype=object), return_inverse=True)
        if len(names) < len(words):
            raise InputError(
                f"{where} has different labels that are written the same way; expected labels that differ as text."
            )
        code[words] = inverse
        return code, names
    if words:
        raise TypeMismatch(
            f"{where} mixes numbers and text ({distinct[numbers[0]]!r}, {distinct[words[0]]!r}); "
            "expected one kind of label."
        )
    code[numbers], values = _encode_integers(_numbers([distinct[i] for i in numbers], where), where)
    return code, values


def _numbers(values: Sequence[Any], where: str) -> AnyArray:
    """Python numbers as an array of integers, not by way of floats, which are exact only up to 2**53."""
    if not all(isinstance(value, (int, np.integer, np.bool_)) for value in values):
        return _whole_numbers(np.array([float(value) for value in values]), where)
    whole = np.array([int(value) for value in values], dtype=None if values else np.int64)
    if whole.dtype.kind not in "iu":
        raise InputError(
            f"{where} has labels from {min(values)} to {max(values)}; expected whole numbers of at most 64 bits. "
            "Give larger ones as text."
        )
    return whole


def widened(codes: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
    """Return codes in a wider type, with that type's sentinel."""
    if codes.dtype == dtype:
        return codes
    wider = codes.astype(dtype)
    wider[codes == sentinel(codes.dtype)] = sentinel(dtype)
    return wider


def narrowed(codes: AnyArray, n_clusters: IntArray) -> AnyArray:
    """Return codes in the narrowest type for their clusters; the sentinel becomes the sentinel of that type."""
    return codes.astype(narrowest(max(int(n_clusters.max()) - 1, 0)), copy=False)


def bounded(row: AnyArray, k: int) -> AnyArray:
    """Codes with k instead of the sentinel, so that absent objects are counted separately."""
    return np.minimum(row, k) if k < sentinel(row.dtype) else row


def count_members(row: AnyArray, k: int, weights: FloatArray | None = None) -> AnyArray:
    """Number, or weight, of the objects in each of the k clusters of one partition."""
    return np.bincount(bounded(row, k), weights=weights, minlength=k + 1)[:k]


def indicators(row: AnyArray, k: int) -> FloatArray:
    """Memberships of 0 and 1, objects × clusters; a row of zeros where absent."""
    return np.eye(k + 1, k)[bounded(row, k)]


def without_empty(codes: AnyArray, categories: Sequence[AnyArray]) -> tuple[AnyArray, IntArray, tuple[AnyArray, ...]]:
    """Renumber the clusters that are left, in place; return the codes in their narrowest type, counts and labels."""
    absent, labels = sentinel(codes.dtype), []
    for t, names in enumerate(categories):
        alive = count_members(codes[t], len(names)) > 0
        if not alive.all():
            rank = np.append(np.where(alive, np.cumsum(alive) - 1, absent), absent).astype(codes.dtype)
            codes[t] = rank[bounded(codes[t], len(names))]
        labels.append(freeze(names[alive]))
    n_clusters = np.array([len(names) for names in labels], dtype=np.int64)
    return narrowed(codes, n_clusters), n_clusters, tuple(labels)


def index_type(n_objects: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type for an index of objects, to save memory."""
    return np.int32 if n_objects < 2**31 else np.int64


def distinct_label_rows(codes: AnyArray) -> tuple[IntArray, AnyArray]:
    """Return the first object of each distinct label row, in order of first appearance, and the row of each object."""
    from ..kernels.counting import group_rows, same_rows

    index = np.empty(codes.shape[1], dtype=index_type(codes.shape[1]))
    for salt in itertools.count():  # two rows that share a hash call for another one
        first = group_rows(codes, np.uint64(salt), index)
        if same_rows(codes, np.take(codes, first, axis=1), index):
            return first, index
    raise AssertionError  # not reached: the count is endless


def row_hashes(codes: AnyArray, salt: int) -> AnyArray:
    """Return a 64-bit hash of every label row, which depends only on its codes and the salt."""
    from ..kernels.counting import hash_rows

    hashes = np.empty(codes.shape[1], dtype=np.uint64)
    hash_rows(codes, np.random.SeedSequence(salt).generate_state(1, np.uint64)[0], hashes)
    return hashes


def positions(index: ArrayLike | slice, size: int, what: str) -> IntArray | None:
    """Check positions, a slice or a mask; return non-negative positions, or None for a mask that selects everything."""
    places = np.arange(size)[index] if isinstance(index, slice) else even_array(index, what)
    if places.dtype == bool and places.shape == (size,):
        if places.all():
            return None
        places = np.flatnonzero(places)
    if places.ndim != 1 or not np.issubdtype(places.dtype, np.integer) or places.size == 0:
        raise InputError(
            f"Expected the positions of some of the {size} {what}s, or a mask of length {size}; got {quote(index)}."
        )
    if places.min() < -size or places.max() >= size:
        wrong = places.min() if places.min() < -size else places.max()
        raise InputError(f"{what.capitalize()} {wrong} does not exist: there are {size}.")
    return places % size


def labels_of_codes(codes: AnyArray) -> LabelArray:
    """Return codes as int32 labels, −1 if absent."""
    return np.where(codes == sentinel(codes.dtype), np.int32(MISSING), codes.astype(np.int32))

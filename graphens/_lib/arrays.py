"""Small array functions shared by every layer: freezing, dtypes, canonical labels, seeds and checks of k."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import FileError, InputError, TypeMismatch, did_you_mean, quote

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
LabelArray: TypeAlias = NDArray[np.int32]
AnyArray: TypeAlias = NDArray[Any]
Seed: TypeAlias = int | np.random.Generator | None

T = TypeVar("T")
MISSING = -1
_SCALE = 32  # powers of two around 1 within which weights stay as they are


def freeze(array: AnyArray) -> AnyArray:
    """Return the array marked read-only; the values of this library never change."""
    array.setflags(write=False)
    return array


def narrowest(largest_code: int) -> np.dtype[Any]:
    """Return the narrowest unsigned type that holds the codes and, as its maximum, the sentinel for absent."""
    for kind in (np.uint8, np.uint16, np.uint32):
        if largest_code < np.iinfo(kind).max:
            return np.dtype(kind)
    raise InputError(f"{largest_code + 1} clusters in one partition; at most {2**32 - 1} are supported.")


def sentinel(dtype: np.dtype[Any]) -> int:
    """Return the code that stands for an absent label in an array of this type."""
    return int(np.iinfo(dtype).max)


def sum_in_order(values: AnyArray) -> Any:
    """Sum from the first to the last, as a loop does; NumPy's own sum uses whatever order is fastest."""
    if values.ndim == 1:
        return np.add.accumulate(values)[-1] if values.size else values.sum()
    total = np.zeros(values.shape[1:])
    for one in values:
        total += one
    return total


def divide(a: Any, b: Any, *, otherwise: float = 0.0, above: float = 0.0) -> AnyArray:
    """Return a / b where b is above a limit, and another number elsewhere.

    >>> divide(np.array([1.0, 2.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    out = np.full(np.broadcast(a, b).shape, otherwise, dtype=np.result_type(a, b, 0.0))
    return np.divide(a, b, out=out, where=np.asarray(b) > above)


def canonical(labels: ArrayLike) -> LabelArray:
    """Rename labels to 0, 1, … in order of first appearance; negative ones stay −1.

    >>> canonical([7, 7, -1, 2, 7]).tolist()
    [0, 0, -1, 1, 0]
    """
    given = np.asarray(labels)
    if given.dtype.kind in "iu" and given.size and given.max() < 4 * given.size:
        # Small whole numbers need no sorting: each has a slot, written last by its first occurrence; −1 is the last.
        slot = np.maximum(given.ravel().astype(np.intp), MISSING)
        first = np.full(max(int(slot.max()), MISSING) + 2, slot.size)
        first[slot[::-1]] = np.arange(slot.size)[::-1]
        first[MISSING] = slot.size
    else:
        values, first, slot = np.unique(given, return_index=True, return_inverse=True)
        first = np.where(values < 0, given.size, first)
    rank = np.full(first.size, MISSING, dtype=np.int32)
    used = np.flatnonzero(first < given.size)
    rank[used[np.argsort(first[used])]] = np.arange(used.size, dtype=np.int32)
    return rank[slot].reshape(given.shape)


def even_array(values: Any, what: str) -> AnyArray:
    """Read an array given from outside; lists of different lengths in a list are refused."""
    try:
        return np.asarray(values)
    except ValueError:
        raise TypeMismatch(f"{quote(values)} was given as {what}; expected lists of equal length.") from None


def as_labels(labels: ArrayLike, n: int, what: str = "objects") -> LabelArray:
    """Check a labeling of n things given from outside: whole numbers, −1 for unassigned; return it as int32."""
    given = even_array(labels, "labels")
    if given.shape != (n,):
        found = f"A labeling of shape {given.shape}" if given.ndim else quote(labels)
        raise InputError(f"{found} was given; expected one label for each of the {n} {what}.")
    if not np.issubdtype(given.dtype, np.integer) and given.dtype != np.bool_:
        raise TypeMismatch(f"Labels of type {given.dtype} were given; expected whole numbers, with −1 for unassigned.")
    if n and (given.min() < MISSING or given.max() >= np.iinfo(np.int32).max):
        raise InputError(
            f"Labels from {given.min()} to {given.max()} were given; expected 0, 1, … and −1 for unassigned."
        )
    return given.astype(np.int32, copy=False)


def as_parts(labels: ArrayLike, n: int, what: str = "vertices") -> tuple[LabelArray, int]:
    """Check a labeling of n things by parts; return it and the number of parts, empty ones included."""
    given = as_labels(labels, n, what)
    size = int(given.max(initial=MISSING)) + 1
    if size > n:  # gaps are fine, but one label of a billion must not make a billion parts
        raise InputError(
            f"The label {size - 1} was given for {n} {what}; expected parts numbered from 0 to at most {n - 1}. "
            "Renumber them first, e.g. with numpy.unique(labels, return_inverse=True)[1]."
        )
    return given, size


def one_of(name: str, value: Any, known: Iterable[str], more: str = "") -> str:
    """Check that a value given by the user is one of the allowed names; return it.

    >>> one_of("linkage", "singel", ["single", "average"])
    Traceback (most recent call last):
        ...
    graphens.errors.InputError: linkage = 'singel' was given; expected one of single, average. Did you mean single?
    """
    names = list(known)
    if not isinstance(value, str) or value not in names:
        raise InputError.about(name, value, f"one of {', '.join(names)}{more}", advice=did_you_mean(value, names))
    return value


def as_numbers(values: Any, what: str) -> FloatArray:
    """Read numbers given by the user as float64; text and complex numbers are refused, even if NumPy accepts them."""
    try:
        given = np.asarray(values)
        if given.dtype.kind in "cUSTMm":
            raise TypeError(f"they are of type {given.dtype}")
        if given.dtype.kind == "O" and any(isinstance(x, (str, bytes, complex)) for x in given.ravel().tolist()):
            raise TypeError("there is text among them")
        return given.astype(np.float64, copy=False)
    except OverflowError:
        raise InputError(f"{what} include a number above 1.8e308, the largest float; scale them down first.") from None
    except (TypeError, ValueError) as error:
        raise TypeMismatch(f"{what} are not numbers: {error}.") from None


def as_weights(weights: ArrayLike | None, n: int, what: str, *, positive: bool = False) -> FloatArray:
    """Check one weight per thing (ones by default): finite, non-negative, not all zero; return them read-only."""
    if weights is None:
        return freeze(np.ones(n))
    given = np.array(as_numbers(weights, f"The weights of the {what}"))  # a copy: it will be read-only
    if given.shape != (n,):
        count = f"{given.size} weights" if given.ndim == 1 else f"Weights of shape {given.shape}"
        raise InputError(f"{count} were given for {n} {what}; expected one weight each.")
    lowest = given.min() if n else 0.0
    if not np.isfinite(given).all() or lowest < 0 or (positive and lowest <= 0):
        wanted = "positive" if positive else "non-negative"
        worst = lowest if np.isfinite(given).all() else given[~np.isfinite(given)][0]
        raise InputError(f"The weights of the {what} must be finite and {wanted}; {worst} was given.")
    if n and not given.any():
        raise InputError(f"All weights of the {what} are zero; at least one must be positive.")
    with np.errstate(over="ignore"):
        if not np.isfinite(given.sum()):
            raise InputError(
                f"The weights of the {what} add up to more than a float can hold; divide them by the largest one first."
            )
    return freeze(given)


def on_one_scale(weights: FloatArray) -> FloatArray:
    """Return weights on a scale where no sum or product overflows or vanishes; only their ratios matter.

    If the largest is beyond 2^±32, all are divided by a power of two, so that ratios keep every digit.

    >>> (
    ...     on_one_scale(np.array([3.0, 6.0])).tolist(),
    ...     on_one_scale(np.array([2.0, 4.0]) ** 100).tolist(),
    ... )
    ([3.0, 6.0], [7.888609052210118e-31, 1.0])
    """
    power = int(np.frexp(weights.max())[1]) - 1 if weights.size else 0
    return np.ldexp(weights, -power) if abs(power) > _SCALE else weights


def generator(seed: Seed) -> np.random.Generator:
    """Turn a seed into the one random generator that a call uses."""
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None:
        return np.random.default_rng()
    return np.random.default_rng(as_int("seed", seed, 0))


def draw(n: int, size: int, rng: Seed) -> IntArray:
    """Return a sorted random sample of the numbers below n; with n + 1, at most one of them changes.

    >>> set(draw(101, 50, 0)) - set(draw(100, 50, 0)) <= {100}
    True
    """
    return np.sort(np.argpartition(generator(rng).random(n), size - 1)[:size]) if size < n else np.arange(n)


def number(name: str, value: Any) -> float:
    """Check a finite number given from outside."""
    try:
        given = float("text" if isinstance(value, str) else value)
    except (TypeError, ValueError, OverflowError):
        raise TypeMismatch.about(name, value, "a number") from None
    if not np.isfinite(given):
        raise InputError.about(name, value, "a finite number")
    return given


def of_kind(name: str, value: Any, kind: type[T] | tuple[type[T], ...], expected: str = "") -> T:
    """Check the type of a value given from outside."""
    if not isinstance(value, kind):
        raise TypeMismatch.about(name, value, expected or f"a {getattr(kind, '__name__', kind)}")
    return value


def as_flag(name: str, value: Any) -> bool:
    """Check a switch given from outside."""
    return bool(of_kind(name, value, (bool, np.bool_), "True or False"))


def as_list(name: str, values: Any, expected: str) -> list[Any]:
    """Check several things given from outside, in a list or anything else but text that can be gone through."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeMismatch.about(name, values, expected)
    try:
        return list(values)
    except TypeError:  # an array without a dimension
        raise TypeMismatch.about(name, values, expected) from None


def bind(
    function: Callable[..., Any] | inspect.Signature, name: str, args: Sequence[Any], options: Mapping[str, Any]
) -> inspect.BoundArguments:
    """Return the arguments of a call; if it does not fit, the error says which options there are."""
    signature = function if isinstance(function, inspect.Signature) else inspect.signature(function)
    try:
        return signature.bind(*args, **options)
    except TypeError as error:
        known = list(signature.parameters)
        unknown = [option for option in options if option not in known]
        wrong = f"has no option {', '.join(unknown)}" if unknown else f"cannot be called like this ({error})"
        hint = did_you_mean(unknown[0], known) if unknown else ""
        raise TypeMismatch(f"{name} {wrong}; it takes {', '.join(known)}.{hint}") from None


def call(name: str, function: Callable[..., T], *args: Any, **options: Any) -> T:
    """Call a function with options given from outside, after `bind` has checked that it has them."""
    bind(function, name, args, options)
    return function(*args, **options)


def as_path(path: Any, name: str = "path") -> Path:
    """Check the name of a file given from outside; a number is refused, since Python would take it for an open file."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeMismatch.about(name, path, "the name of a file: text or a pathlib.Path")
    try:
        valid = b"\0" not in os.fsencode(path)
    except UnicodeError:  # half of a surrogate pair
        valid = False
    if not valid:
        raise FileError.about(name, path, "the name of a file, in valid text without null characters")
    return Path(path)


def percent(share: float, digits: int = 0) -> str:
    """Return a share in percent; what is not nothing is never 0 %, and what is not all is never 100 %.

    >>> [percent(share) for share in (0, 0.001, 0.495, 0.999, 1)]
    ['0%', '<1%', '50%', '>99%', '100%']
    """
    text, step = f"{share:.{digits}%}", 10.0**-digits
    if 0 < share < 1 and float(text[:-1]) in (0, 100):
        return f"<{step:.{digits}f}%" if share < 0.5 else f">{100 - step:.{digits}f}%"
    return text


def reported_seed(seed: Seed) -> int:
    """Return a whole number with which the call can be repeated: the seed itself, or one that is drawn here."""
    if seed is None or isinstance(seed, np.random.Generator):
        return int(generator(seed).integers(2**31))
    return as_int("seed", seed, 0)


def as_int(name: str, value: Any, lowest: int, highest: int | None = None) -> int:
    """Check a whole number given from outside against its bounds (both included)."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeMismatch.about(name, value, "a whole number")
    try:
        number = operator.index(value)
    except TypeError:
        if not (isinstance(value, (float, np.floating)) and float(value).is_integer()):
            raise TypeMismatch.about(name, value, "a whole number") from None
        number = int(value)
    if number < lowest or (highest is not None and number > highest):
        bounds = f"of at least {lowest}" if highest is None else f"between {lowest} and {highest}"
        raise InputError.about(name, number, f"a whole number {bounds}")
    return number

"""What the arguments of a call are, in words that can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from types import CodeType
from typing import Any

import numpy as np
from scipy import sparse

from .._stored import digest
from .features import Matrix


def describe(value: Any) -> Any:
    """Describe an argument so that a changed one reads differently: estimators by parameters, functions by code."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [describe(one) for one in value]
    if isinstance(value, dict):
        return {str(name): describe(one) for name, one in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "get_params"):
        options = {name: describe(one) for name, one in sorted(value.get_params(deep=False).items())}
        return {type(value).__qualname__: options}
    if hasattr(value, "func") and hasattr(value, "args"):  # functools.partial
        return [
            describe(value.func),
            describe(value.args),
            {k: describe(v) for k, v in value.keywords.items()},
        ]
    if hasattr(value, "__code__"):
        return [f"{value.__module__}.{value.__qualname__} {_hashed(_code(value.__code__))}", *_bound(value)]
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    state = getattr(value, "__dict__", {})
    return [kind, {name: describe(one) for name, one in sorted(state.items())}] if state else kind


def _code(code: CodeType) -> str:
    """What a function does: instructions, names and constants, those of functions inside it included."""
    constants = [
        _code(one)
        if isinstance(one, CodeType)
        else repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)
        for one in code.co_consts
    ]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def _bound(function: Any) -> list[Any]:
    """What a function was made with: default values, and the simple ones among the values around it."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    around = [one for one in cells if one is not function and not callable(one)]
    return [describe(one) for one in (function.__defaults__, function.__kwdefaults__, around) if one]


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def fingerprint(matrices: Sequence[Matrix]) -> list[str]:
    """Shape, type and hash of every matrix. O(size)."""
    return [
        m.fingerprint()
        if hasattr(m, "fingerprint")
        else f"{m.shape[0]} × {m.shape[1]} {m.dtype} {_digest(m)}"
        for m in matrices
    ]


def _digest(matrix: Matrix) -> str:
    return digest(matrix.data, matrix.indices, matrix.indptr) if sparse.issparse(matrix) else digest(matrix)

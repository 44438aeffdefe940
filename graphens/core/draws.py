"""Draws of cluster labels, from whatever a sampler hands over, as one table with a draw in each row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._arrays import AnyArray, as_int
from ..errors import InputError, meant
from .labels import as_array


class Read(NamedTuple):
    """Draws × objects, with their names where they have any."""

    table: AnyArray
    names: list[str] | None = None
    objects: Any = None


def read_draws(draws: Any, axis: int | tuple[int, int], variable: str | None) -> Read:
    """Read draws of any kind, see `Ensemble.from_draws`."""
    if isinstance(draws, str | Path):
        from ..export.label_files import read_rows

        return _along(*read_rows(draws), axis)
    group = getattr(draws, "posterior", draws)
    if hasattr(group, "data_vars"):
        group = _variable(group, variable)
    if hasattr(group, "dims") and hasattr(group, "transpose"):
        return _labeled(group)
    if hasattr(draws, "columns") and hasattr(draws, "to_numpy"):
        return _along(draws.to_numpy(), [str(name) for name in draws.columns], axis)
    return _along(as_array(draws), None, axis)


def _along(table: AnyArray, names: Sequence[str] | None, axis: int | tuple[int, int]) -> Read:
    """Turn an array so that its draws come first."""
    if isinstance(axis, tuple):
        if table.ndim != 3 or not set(axis) <= set(range(-3, 3)) or len({a % 3 for a in axis}) != 2:
            raise InputError.about(
                "axis",
                axis,
                "two different axes, those of the chains and of their draws, of an array with three",
                because=f" for labels of shape {table.shape}",
            )
        turned = np.moveaxis(table, axis, (0, 1))
        chains, draws, n = turned.shape
        named = [f"chain {c} draw {d}" for c in range(chains) for d in range(draws)]
        return Read(turned.reshape(chains * draws, n), named)
    along = as_int("axis", axis, -2, 1) % 2
    if table.ndim != 2:
        raise InputError(
            f"Labels of shape {table.shape} were given; expected draws × objects (axis=0) or objects × draws "
            "(axis=1). For chains × draws × objects say axis=(0, 1)."
        )
    return Read(table, objects=names) if along == 0 else Read(table.T, None if names is None else list(names))


def _variable(group: Any, variable: str | None) -> Any:
    """One variable of a data set, by its name, or the only one that has objects beside chains and draws."""
    known = [
        str(name) for name, one in group.data_vars.items() if len(set(one.dims) - {"chain", "draw"}) == 1
    ]
    if variable is None and len(known) == 1:
        return group[known[0]]
    if variable is None or variable not in group.data_vars:
        close = "" if variable is None else meant(variable, known)
        wanted = f"the name of one with labels, among {', '.join(known)}"
        raise InputError.about("variable", variable, wanted, advice=close)
    return group[variable]


def _labeled(array: Any) -> Read:
    """An array whose dimensions have names: chain, draw, and one for the objects."""
    over = [name for name in ("chain", "draw") if name in array.dims]
    rest = [name for name in array.dims if name not in over]
    if "draw" not in over or len(rest) != 1:
        raise InputError(
            f"Dimensions {', '.join(map(str, array.dims))} were given; expected draw, perhaps chain, and one for the "
            "objects. Rename them, or hand over the values and say axis."
        )
    turned = array.transpose(*over, rest[0])
    coordinates = [np.asarray(array[name]).tolist() for name in over]
    names = [""]
    for dimension, values in zip(over, coordinates, strict=True):
        names = [f"{before} {dimension} {value}".strip() for before in names for value in values]
    objects = np.asarray(array[rest[0]]) if rest[0] in array.coords else None
    return Read(np.asarray(turned).reshape(len(names), -1), names, objects)

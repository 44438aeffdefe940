"""Data sets by name: shapes, scikit-learn's, and CSV files in a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, Seed, generator
from ..errors import FileError, InputError
from .shapes import SHAPES

_SHIPPED = {"iris": "load_iris", "wine": "load_wine", "wdbc": "load_breast_cancer", "digits": "load_digits"}
_FOLDER = "GRAPHENS_DATA"


def names(directory: str | Path | None = None) -> list[str]:
    """Return the names that `load` knows: shapes, scikit-learn's data, and the CSV files of a folder.

    Parameters
    ----------
    directory
        Folder with CSV files; by default the environment variable GRAPHENS_DATA, if set.

    Examples
    --------
    >>> import graphens as ge
    >>> {"half-rings", "cigar", "iris"} <= set(ge.datasets.names())
    True
    """
    return [*SHAPES, *_SHIPPED, *sorted(set(_files(directory)) - set(SHAPES) - set(_SHIPPED))]


def load(name: str, seed: Seed = 0, *, directory: str | Path | None = None) -> tuple[FloatArray, AnyArray]:
    """Return points and true clusters by name.

    Parameters
    ----------
    name
        One of `names`: a shape (made from the seed), "iris", "wine", "wdbc" or "digits" (as scikit-learn ships them,
        features as they are), or the name of a CSV file without its suffix: a header, features, and the label last.
    seed
        For the shapes; data that are what they are do not depend on it.
    directory
        Folder with CSV files; by default the environment variable GRAPHENS_DATA, if set. Its files come before
        shapes of the same name only when the folder is given here.

    Returns
    -------
    X
        n × d features.
    truth
        True cluster of every object, −1 for noise.

    Examples
    --------
    >>> import graphens as ge
    >>> X, truth = ge.datasets.load("half-rings", seed=0)
    >>> X.shape, [int((truth == c).sum()) for c in (0, 1)]
    ((400, 2), [100, 300])
    """
    files = _files(directory)
    if directory is not None and name in files:
        return _read(files[name])
    if name in SHAPES:
        return SHAPES[name](generator(seed))
    if name in _SHIPPED:
        return _shipped(_SHIPPED[name])
    if name in files:
        return _read(files[name])
    where = "" if files else f" Files of your own are found through {_FOLDER} or directory=…"
    raise InputError(
        f"The data set {name!r} is not known; expected one of {', '.join(names(directory))}.{where}"
    )


def _shipped(loader: str) -> tuple[FloatArray, AnyArray]:
    from sklearn import datasets

    found: Any = getattr(datasets, loader)(return_X_y=True)
    return np.asarray(found[0], dtype=np.float64), np.asarray(found[1], dtype=np.int32)


def _files(directory: str | Path | None) -> dict[str, Path]:
    folder = directory if directory is not None else os.environ.get(_FOLDER)
    if not folder:
        return {}
    if not Path(folder).is_dir():
        raise FileError(
            f"The folder {folder} does not exist; give directory=… or set {_FOLDER} to one with CSV files."
        )
    return {path.stem: path for path in sorted(Path(folder).glob("*.csv"))}


def _read(path: Path) -> tuple[FloatArray, AnyArray]:
    try:
        table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    except ValueError as error:
        raise FileError(
            f"{path} could not be read ({error}); expected a header, then numbers with the label in the last column."
        ) from error
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.int32)

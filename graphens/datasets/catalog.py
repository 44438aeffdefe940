"""Data sets by name: shapes, data of scikit-learn, and files of the user."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, generator, of_kind
from ..errors import InputError, quote
from .files import FOLDER, ORIGINALS, PUBLISHED, absent, files, read
from .points import LARGE
from .shapes import SHAPES

_SHIPPED = {"iris": "load_iris", "wine": "load_wine", "wdbc": "load_breast_cancer", "digits": "load_digits"}
_SIZE = 10_000  # of a shape of any size where none is given


def names(directory: str | Path | None = None) -> list[str]:
    """Return the names that `load` accepts: shapes, data sets of scikit-learn, and the CSV files in a folder.

    Parameters
    ----------
    directory
        Folder with CSV files; by default the environment variable GRAPHENS_DATA, if set.

    Examples
    --------
    >>> import graphens as ge
    >>> {"half-rings", "cigar", "8d5k", "iris", "bananas"} <= set(ge.datasets.names())
    True
    """
    ours = [*SHAPES, *LARGE, *_SHIPPED]
    return [*ours, *sorted(set(files(directory)) - set(ours))]


def load(
    name: str, seed: Seed = 0, *, n: int | None = None, directory: str | Path | None = None
) -> tuple[FloatArray, AnyArray]:
    """Return points and true clusters by name.

    Parameters
    ----------
    name
        One of `names`: a shape (generated from the seed), "iris", "wine", "wdbc" or "digits" (from scikit-learn, with
        unchanged features), or the name of a CSV file without its ending, which has a header, features, and the label
        in the last column.
    seed
        Seed for the shapes; other data sets do not depend on it.
    n
        Number of points, for the shapes of variable size: "bananas", "smiling-face", "concentric-circles",
        "circles-and-gaussians", "flower" (10,000 by default).
    directory
        Folder with CSV files; by default the environment variable GRAPHENS_DATA, if set. If the folder is given here,
        its files take precedence over shapes of the same name, and published files over their look-alikes
        ("strehl_8d5k" over "8d5k", "halfrings" over "half-rings", "spiral2_topchy" over "2-spirals").

    Returns
    -------
    X
        n × d features.
    truth
        True cluster of every object, −1 for noise.

    Raises
    ------
    FileError
        If a published data set is not available; the message says where to get it.

    Examples
    --------
    >>> import graphens as ge
    >>> X, truth = ge.datasets.load("half-rings", seed=0)
    >>> X.shape, [int((truth == c).sum()) for c in (0, 1)]
    ((400, 2), [100, 300])
    >>> ge.datasets.load("bananas", n=1000)[0].shape
    (1000, 2)
    """
    of_kind("name", name, str, "the name of a data set")
    if n is not None and name not in LARGE:
        because = f" for {quote(name)}, which has its own size; n is for {', '.join(LARGE)}"
        raise InputError.about("n", n, because=because)
    paths = files(directory)
    for file in (name, ORIGINALS.get(name)):
        if directory is not None and file in paths:
            return read(paths[file])
    if name in SHAPES:
        return SHAPES[name](generator(seed))
    if name in LARGE:
        return LARGE[name](generator(seed), _SIZE if n is None else as_int("n", n, 1))
    if name in _SHIPPED:
        from sklearn import datasets

        X, truth = getattr(datasets, _SHIPPED[name])(return_X_y=True)
        return np.asarray(X, dtype=np.float64), np.asarray(truth, dtype=np.int32)
    if name in paths:
        return read(paths[name])
    if name in PUBLISHED:
        raise absent(name)
    where = "" if paths else f" To load files of your own, set {FOLDER} or give directory=…"
    raise InputError(f"The data set {quote(name)} is not known; expected one of {', '.join(names(directory))}.{where}")

"""Data sets that do not come with graphens: CSV files in a folder of the user, or downloads from OpenML."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, LabelArray, as_path
from ..errors import FileError, unheard
from .points import Points

FOLDER = "GRAPHENS_DATA"
_EXPECTED = "expected a header, then rows of numbers with the label in the last column"


class Published(NamedTuple):
    """A published file: what it is, its OpenML number if there is one, and which of those rows are used."""

    what: str
    openml: int | None = None
    first: int | None = None
    per_class: int | None = None


PUBLISHED = {
    "breast_cancer_wisconsin": Published("UCI Breast Cancer Wisconsin (Original), complete rows", 15),
    "optdigits_1000": Published("UCI optdigits, the first 100 of each digit", 28, per_class=100),
    "pendigits_tra": Published("UCI pendigits, its 7,494 training rows", 32, first=7494),
    "yeast_std": Published("cell cycle of yeast, 384 genes, standardized (Cho et al. 1998, Yeung and Ruzzo 2001)"),
    "yeast_log_reconstructed": Published("the same genes, logarithms"),
    "strehl_8d5k": Published("8D5K of Strehl and Ghosh 2002"),
    "halfrings": Published("half rings of Jain and Law 2005"),
    "rings3": Published("three rings of Zelnik-Manor and Perona 2004"),
    "spiral2_topchy": Published("two spirals of Topchy, Jain and Punch 2004"),
    "lines4": Published("four lines of Zelnik-Manor and Perona 2004"),
    "complex9": Published("nine shapes in the plane, 3,031 points"),
    "compound": Published("six shapes in the plane (Zahn 1971)"),
    "ts_syntheticcontrol": Published("time series SyntheticControl of the UCR archive (Dau et al. 2018)"),
    "ts_cbf": Published("time series CBF of the UCR archive (Dau et al. 2018)"),
}
#: shapes whose published file is known by another name
ORIGINALS = {"8d5k": "strehl_8d5k", "half-rings": "halfrings", "2-spirals": "spiral2_topchy"}


def files(directory: str | Path | None) -> dict[str, Path]:
    """Return the CSV files of a folder by name; by default, of GRAPHENS_DATA."""
    folder = os.environ.get(FOLDER) if directory is None else as_path(directory, "directory")
    if not folder:
        return {}
    if not Path(folder).is_dir():
        raise FileError(f"The folder {folder} does not exist; give directory=… or set {FOLDER} to one with CSV files.")
    return {path.stem: path for path in sorted(Path(folder).glob("*.csv"))}


def read(path: Path) -> Points:
    """Return features and labels of a CSV file: a header, then numbers with the label last."""
    try:
        with unheard(UserWarning):  # of an empty file, which is an error here
            table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    except (ValueError, OSError) as error:
        raise FileError(f"{path} cannot be read ({error}); {_EXPECTED}.") from error
    if not len(table) or table.shape[1] < 2:
        size = "no row below its header" if not len(table) else "one column"
        raise FileError(f"{path} has {size}; {_EXPECTED}.")
    return np.ascontiguousarray(table[:, :-1]), _labels(table[:, -1], path)


def _labels(column: FloatArray, path: Path) -> LabelArray:
    """Labels as whole numbers of 32 bits; anything else names its line."""
    fits = (column == np.round(column)) & (np.abs(column) < 2**31)
    if not fits.all():
        row = int(np.flatnonzero(~fits)[0])
        label = "a missing label" if np.isnan(column[row]) else f"the label {column[row]:g}"
        raise FileError(
            f"{path}, row {row} below the header: {label}; expected a whole number below 2147483648 in the last "
            "column, −1 for noise."
        )
    return column.astype(np.int32)


def absent(name: str) -> FileError:
    """Say where to get a published file that was not found."""
    published = PUBLISHED[name]
    other = "" if published.openml is None else f", or give download=True (OpenML {published.openml})"
    return FileError(
        f"The data set {name!r} ({published.what}) does not come with graphens and was not found; put {name}.csv "
        f"(a header, features, the label last) into a folder and give directory=… or set {FOLDER}{other}."
    )


def download(name: str) -> Points:
    """Return a published set from OpenML, through scikit-learn's cache."""
    from sklearn.datasets import fetch_openml

    published = PUBLISHED[name]
    if published.openml is None:
        raise absent(name)
    try:
        table: Any = fetch_openml(data_id=published.openml, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise FileError(f"OpenML did not answer for {name!r} ({error}). {absent(name)}") from error
    return prepared(np.asarray(table.data, dtype=np.float64), np.asarray(table.target), published)


def prepared(X: FloatArray, classes: AnyArray, known: Published) -> Points:
    """The rows that are used, without incomplete ones and with classes as numbers."""
    whole = ~np.isnan(X).any(axis=1)
    X, truth = X[whole], np.unique(classes[whole], return_inverse=True)[1].astype(np.int32)
    if known.per_class is not None:
        rows = [np.flatnonzero(truth == c)[: known.per_class] for c in range(int(truth.max()) + 1)]
        chosen = np.sort(np.concatenate(rows))
        X, truth = X[chosen], truth[chosen]
    return X[: known.first], truth[: known.first]

"""Data sets that do not come with graphens: CSV files in a folder of the user."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from .._lib.arrays import FloatArray, LabelArray, as_path
from ..errors import FileError, unheard
from .points import Points

FOLDER = "GRAPHENS_DATA"
_EXPECTED = "expected a header, then rows of numbers with the label in the last column"


#: published files, and what they are
PUBLISHED = {
    "breast_cancer_wisconsin": "UCI Breast Cancer Wisconsin (Original), complete rows",
    "optdigits_1000": "UCI optdigits, the first 100 of each digit",
    "pendigits_tra": "UCI pendigits, its 7,494 training rows",
    "yeast_std": "cell cycle of yeast, 384 genes, standardized (Cho et al. 1998, Yeung and Ruzzo 2001)",
    "yeast_log_reconstructed": "the same genes, logarithms",
    "strehl_8d5k": "8D5K of Strehl and Ghosh 2002",
    "halfrings": "half rings of Jain and Law 2005",
    "rings3": "three rings of Zelnik-Manor and Perona 2004",
    "spiral2_topchy": "two spirals of Topchy, Jain and Punch 2004",
    "lines4": "four lines of Zelnik-Manor and Perona 2004",
    "complex9": "nine shapes in the plane, 3,031 points",
    "compound": "six shapes in the plane (Zahn 1971)",
    "ts_syntheticcontrol": "time series SyntheticControl of the UCR archive (Dau et al. 2018)",
    "ts_cbf": "time series CBF of the UCR archive (Dau et al. 2018)",
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
    return FileError(
        f"The data set {name!r} ({PUBLISHED[name]}) does not come with graphens and was not found; put {name}.csv "
        f"(a header, features, the label last) into a folder and give directory=… or set {FOLDER}."
    )

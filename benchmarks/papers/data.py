"""The papers' data: the published file, or the look-alike of a set that was never published."""

from functools import cache
from typing import NamedTuple

import numpy as np

import graphens as ge


class Source(NamedTuple):
    """Where a set comes from, its true number of clusters, and what is done with it first."""

    k: int
    file: str = ""
    shape: str = ""
    standard: bool = False
    scaled: bool = False  # to a mean deviation of 1, where the scale is arbitrary or not printed (σ depends on it)
    sample: int | None = None
    window: int = 1  # neighboring σ by whose median distortion spectral clustering chooses


SOURCES = {
    "half-rings": Source(2, "halfrings", scaled=True),
    "3-rings": Source(3, shape="3-rings", scaled=True),
    "cigar": Source(4, shape="cigar", scaled=True),
    "complex image, 8": Source(8, shape="complex-image-739"),
    "complex image": Source(7, shape="complex-image"),
    "2-spirals": Source(2, "spiral2_topchy", scaled=True),
    "2-spirals, look-alike": Source(2, shape="2-spirals", scaled=True),
    "3-paths": Source(3, shape="3-paths", scaled=True),
    "iris": Source(3, shape="iris"),
    "wine": Source(3, shape="wine", standard=True),
    "WDBC": Source(2, shape="wdbc", standard=True),
    "breast cancer": Source(2, "breast_cancer_wisconsin", scaled=True, window=5),
    "optical digits": Source(10, "optdigits_1000", scaled=True),
    "optical digits, 500": Source(10, "optdigits_1000", sample=500),
    "pen digits, 500": Source(10, "pendigits_tra", sample=500),
    "std yeast": Source(5, "yeast_std"),
    "log yeast": Source(5, "yeast_log_reconstructed"),
    "elongated ellipses": Source(2, shape="elongated-ellipses"),
    "crescents": Source(2, shape="crescents"),
    "differing ellipses": Source(2, shape="differing-ellipses"),
    "8D5K": Source(5, "strehl_8d5k"),
}


def shown(name: str) -> str:
    """Return the name as the page has it: "complex image (8)" for "complex image, 8"."""
    head, comma, number = name.rpartition(", ")
    return f"{head} ({number})" if comma and number.isdigit() else name


@cache
def load(name: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return points and truth of a paper's set; the seed matters to look-alikes and samples.

    Without the published file this is a FileError, and what needs the set is left out.
    """
    source = SOURCES[name]
    X, truth = ge.datasets.load(source.file or source.shape, seed=seed)
    if source.standard:
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    if source.scaled:
        X = X / X.std(axis=0).mean()
    if source.sample is not None:
        rows = np.random.default_rng(seed).choice(len(X), source.sample, replace=False)
        X, truth = X[rows], truth[rows]
    return X, truth

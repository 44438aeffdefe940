"""The recipe of an ensemble, fixed before any work, so that partition t is the same on every worker."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, Seed, as_int, narrowest, sentinel
from .._lib.threads import one_pool_thread
from ..errors import InputError, TypeMismatch
from ..labels.encoding import as_array, encode
from .bases import Base
from .features import Matrix
from .samplings import Sampling, Subset


def default_k(n_objects: int) -> tuple[int, int]:
    """Return the default interval for k: √n/2 to 3√n/2, at most 50 to 150.

    It gives many small clusters, as needed by the split-and-merge strategy of Fred and Jain 2005; for their 400 points,
    it is their [10, 30].

    Examples
    --------
    >>> from graphens.generators import default_k
    >>> default_k(400), default_k(150), default_k(1_000_000)
    ((10, 30), (7, 19), (50, 150))
    """
    root = math.sqrt(as_int("n_objects", n_objects, 0, 2**63))
    low, high = min(max(2, math.ceil(root / 2)), 50), min(max(2, math.ceil(1.5 * root)), 150)
    return min(low, n_objects), min(high, n_objects)


def k_choices(k: Any, n_objects: int, bases: Sequence[Base] = ()) -> IntArray:
    """Return the numbers of clusters to draw from: one number, an interval (two numbers), or several numbers.

    Without k, it is the interval of the bases if they have the same one, otherwise `default_k`.
    """
    if k is None:
        spans = {base.span or default_k for base in bases}
        k = (spans.pop() if len(spans) == 1 else default_k)(n_objects)
    if isinstance(k, (str, bytes)) or not isinstance(k, (Sequence, np.ndarray)):
        return np.array([as_int("k", k, 1, n_objects)])
    if isinstance(k, np.ndarray) and k.ndim != 1:
        raise InputError(f"k of shape {k.shape} was given; expected a number, an interval or a list of numbers.")
    numbers = [as_int("k", number, 1, n_objects) for number in k]
    if not numbers:
        raise InputError("No k was given; expected a number, an interval (low, high) or a list of numbers.")
    if len(numbers) == 2 and not isinstance(k, range):
        if numbers[0] > numbers[1]:
            raise InputError.about("k", tuple(numbers), "an interval (low, high)")
        return np.arange(numbers[0], numbers[1] + 1)
    return np.array(numbers)


def entropy(seed: Seed) -> int:
    """Turn a seed into the number from which all random generators are made."""
    if seed is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    return as_int("seed", seed, 0)


@dataclass(frozen=True)
class Labeler:
    """How one partition labels new objects: a view, the features it used, and the fitted model."""

    view: int
    sample: Subset
    model: Any

    def __call__(self, views: Sequence[Matrix]) -> AnyArray:
        """Return the base clusterer's own labels."""
        return np.asarray(self.model.predict(self.sample.changed(views[self.view])))


@dataclass(frozen=True)
class PartitionCodes:
    """One finished partition: its codes, the label of each code, its weight, and how it labels new objects."""

    t: int
    codes: AnyArray
    categories: AnyArray
    weight: float = 1.0
    labeler: Labeler | None = None


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the partitions, apart from the data."""

    bases: tuple[Base, ...]
    sampling: Sampling
    choices: IntArray
    share: float
    assign: bool
    entropy: int
    n_partitions: int
    n_views: int
    weight: FloatArray | None = None

    def random(self, t: int) -> np.random.Generator:
        """The random generator of partition t: a child of one seed sequence, numbered as in `SeedSequence.spawn`."""
        return np.random.default_rng(np.random.SeedSequence(self.entropy, spawn_key=(t,)))

    def base(self, t: int) -> Base:
        """The base of partition t: views alternate, and bases change after every round of views."""
        return self.bases[t // self.n_views % len(self.bases)]

    def view(self, t: int) -> int:
        """The view of partition t."""
        return t % self.n_views


def make(recipe: Recipe, views: Sequence[Matrix], t: int, *, keep: bool = False) -> PartitionCodes:
    """Make partition t."""
    X, base, rng = views[recipe.view(t)], recipe.base(t), recipe.random(t)
    k = int(rng.choice(recipe.choices))
    sample = recipe.sampling.draw(X, k, recipe.share, rng)
    base = sample.base or base
    seed = int(rng.integers(2**31))
    try:
        with one_pool_thread():
            labels, model = label_sample(X, sample, base, k, seed, assign=recipe.assign, weight=recipe.weight)
        return encode_partition(t, labels, base, _labeler(recipe.view(t), sample, model) if keep else None)
    except Exception as error:
        error.add_note(f"This happened in partition {t}: base {base.name}, k = {k}, {X.shape[0]} objects.")
        raise


def label_sample(
    X: Matrix, sample: Subset, base: Base, k: int, seed: int, *, assign: bool, weight: FloatArray | None = None
) -> tuple[AnyArray, Any]:
    """Cluster the sample; objects that it left out are missing, or labeled by the model."""
    rows = sample.seen(X)
    weight = weight if weight is None or sample.rows is None else weight[sample.rows]
    labels_of_rows, model = base.fit(rows, min(k, rows.shape[0]), seed, weight)
    labels_of_rows = as_array(labels_of_rows)
    if labels_of_rows.shape != (rows.shape[0],):
        what = f"The base {base.name} returned labels of shape {labels_of_rows.shape}"
        raise InputError(f"{what} for {rows.shape[0]} objects; expected one each.")
    if sample.rows is None:
        return labels_of_rows, model
    others = as_array(model.predict(sample.changed(X))) if assign else labels_of_rows
    kind = labels_of_rows.dtype if others.dtype == labels_of_rows.dtype else np.dtype(object)
    if kind.kind in "bi" or (kind.kind == "u" and kind.itemsize < 8):
        labels = np.full(X.shape[0], MISSING, dtype=np.int64)
    else:  # fractions, huge numbers or text
        labels = np.full(X.shape[0], np.nan) if kind.kind == "f" else np.full(X.shape[0], None, dtype=object)
    if assign:
        labels[:] = others
    labels[sample.rows] = labels_of_rows
    return labels, model


def encode_partition(
    t: int, labels: AnyArray, base: Base, labeler: Labeler | None = None, weight: float = 1.0
) -> PartitionCodes:
    """Turn labels into the small codes of the ensemble; done by the workers, so that little is sent back."""
    codes, categories = encode(labels, f"Partition {t} (base {base.name})")
    dtype = narrowest(max(len(categories) - 1, 0))
    narrow = np.where(codes == MISSING, sentinel(dtype), codes).astype(dtype)
    return PartitionCodes(t, narrow, categories, weight, labeler)


def _labeler(view: int, sample: Subset, model: Any) -> Labeler | None:
    if not hasattr(model, "predict"):
        return None
    if type(model).__module__.startswith("sklearn.cluster"):
        vars(model).pop("labels_", None)  # four bytes per object that predict does not need
    return Labeler(view, Subset(change=sample.change), model)


def check_assign(recipe: Recipe) -> None:
    """Refuse to assign objects that were left out if a base cannot label them."""
    silent = [base.name for base in recipe.bases if not base.predicts]
    if recipe.assign and not recipe.sampling.leaves_out:
        raise InputError(
            f"assign=True was given with sampling = {recipe.sampling.name!r}, which leaves no object out; "
            "use it with 'bootstrap' or 'subsample'."
        )
    if silent and (recipe.assign or recipe.sampling.assigns):
        what = "assign=True" if recipe.assign else f"sampling = {recipe.sampling.name!r}"
        raise InputError(
            f"{what} was given, but {', '.join(silent)} cannot label objects that it has not seen; "
            "expected kmeans, minibatch, medoids, gmm, or a scikit-learn clusterer with predict."
        )


def check_sparse(recipe: Recipe, views: Sequence[Matrix]) -> None:
    """Refuse sparse data before the work starts if a base needs dense data."""
    dense = [base.name for base in recipe.bases if not base.sparse]
    if dense and not recipe.sampling.dense and any(sparse.issparse(X) for X in views):
        raise TypeMismatch(
            f"X is sparse, but {', '.join(dense)} needs dense data; expected kmeans, minibatch, medoids, spectral or "
            "dbscan, sampling='projection', or X.toarray()."
        )

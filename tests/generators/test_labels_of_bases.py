"""Whatever a base calls its clusters, a sampling changes nothing: text stays, NaN is missing, fractions do not pass."""

from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError

X = np.abs(np.random.default_rng(0).normal(size=(40, 2)))
SAMPLINGS = [None, "subsample", "bootstrap", "consistency"]


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_fractions_are_refused(sampling: str | None) -> None:
    with pytest.raises(InputError, match="expected whole numbers"):
        ge.generate(X, 2, k=3, base=lambda X: X[:, 0].round(1), sampling=sampling, seed=0)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_text_is_accepted(sampling: str | None) -> None:
    e = ge.generate(X, 3, k=3, base=lambda X: np.where(X[:, 0] > 0.5, "high", "low"), sampling=sampling, seed=0)
    for t in range(3):
        assert e.categories[t].tolist() == ["high", "low"]
        for i, label in enumerate(e.labels[:, t]):
            assert label == -1 or e.categories[t][label] == ("high" if X[i, 0] > 0.5 else "low")
    assert (e.labels == -1).any() == (sampling is not None)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("nothing", [np.nan, None, -1])
def test_missing_ones_are_missing(sampling: str | None, nothing: Any) -> None:
    def base(X: np.ndarray) -> np.ndarray:
        found: list[Any] = (X[:, 1] > 0.7).astype(int).tolist()
        return np.array([nothing if x > 1 else label for x, label in zip(X[:, 0], found, strict=True)])

    e = ge.generate(X, 2, k=3, base=base, sampling=sampling, seed=0)
    assert (e.labels[X[:, 0] > 1] == -1).all()
    assert all(set(names.tolist()) <= {0, 1} for names in e.categories)
    assert (e.labels[X[:, 0] <= 1] >= 0).any()


class Worded:
    """A clusterer that labels in words, also objects it has not seen."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002
        return {}

    def set_params(self, **_: Any) -> "Worded":
        return self

    def fit(self, X: np.ndarray) -> "Worded":
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.where(X[:, 0] > 0.5, "high", "low")


def test_text_of_objects_left_out() -> None:
    e = ge.generate(X, 2, base=Worded(), sampling="subsample", share=0.5, assign=True, seed=0)
    assert not (e.labels == -1).any()
    assert e.categories[0][e.labels[:, 0]].tolist() == np.where(X[:, 0] > 0.5, "high", "low").tolist()

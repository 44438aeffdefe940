"""The algorithms that answer by default in `ConsensusClustering`."""

import numpy as np

import graphens as ge
from graphens.choose.answers import merge_components, merged_mixture


def test_a_merged_mixture_finds_groups_of_rounded_values() -> None:
    """On the values themselves, components would shrink to single values, and merging would leave one cluster."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 400)
    X = np.rint(np.array([[0, 0], [7, 0], [0, 7]])[truth] + 1.3 * rng.normal(size=(400, 2)))
    assert ge.measures.ari(truth, merged_mixture(X, 3, 0)) > 0.95


def test_components_that_share_objects_are_merged_first() -> None:
    posterior = np.array([[0.6, 0.4, 0.0], [0.4, 0.6, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]])
    assert merge_components(posterior, 2).tolist() == [0, 0, 1, 0]

"""Weights on one scale: methods see only ratios, whatever unit the user's numbers have."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from ..core.ensemble import Ensemble

_LARGEST = 1000  # ratios of larger whole numbers are no longer taken for counts
_FAINTEST = 1e-30  # what underflows beside the largest still counts as something
_COUNTS = 1e6  # how often an object may occur before its weight is only a weight


def on_one_scale(e: Ensemble) -> Ensemble:
    """Return the ensemble with the weights that methods work with; itself where nothing changes.

    Partitions: the smallest whole numbers with the same ratios where there are such up to 1000 (two equal partitions
    are one of weight two), otherwise shares of the largest. Objects: the same, but whole numbers up to a million
    stay, as they say how often an object occurs.
    """
    own = e.object_weights
    counts = bool((own == np.rint(own)).all() and own.max(initial=0.0) <= _COUNTS)
    partitions, objects = simplest(e.weights), own if counts else simplest(own)
    if partitions is e.weights and objects is own:
        return e
    return e._replace(weights=partitions, object_weights=objects)


def simplest(weights: FloatArray) -> FloatArray:
    """Return weights of the same ratios: small whole numbers where there are such, otherwise at most 1.

    >>> simplest(np.array([0.5, 0.5, 1.5])).tolist(), simplest(np.array([1e200, 1e199])).tolist()
    ([1.0, 1.0, 3.0], [10.0, 1.0])
    """
    if (weights == 1).all():
        return weights
    share = weights / weights.max(initial=0.0)
    values = np.unique(share)
    found = share
    if len(values) <= _LARGEST + 1:
        unit = np.arange(1.0, _LARGEST + 1)[:, None]
        off = np.abs(values * unit - np.rint(values * unit)).max(axis=1) + (
            values[values > 0].min() * unit[:, 0] < 0.5
        )
        if off.min() < 1e-9:
            found = np.rint(share * unit[int(np.argmax(off < 1e-9)), 0])
    return (
        weights
        if np.array_equal(found, weights)
        else np.maximum(found, np.where(weights > 0, _FAINTEST, 0.0))
    )

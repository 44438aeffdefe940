"""Expected costs: a figure for every method that can be asked with labels alone, growing with the ensemble."""

import warnings

import numpy as np
import pytest

import graphens as ge
from graphens.families.costs import expected_cost, expected_seconds, warn_of_time


def random_ensemble(n: int, b: int = 20, k: int = 5) -> ge.Ensemble:
    return ge.Ensemble(np.random.default_rng(n).integers(k, size=(n, b)))


def test_every_method_for_labels_has_a_figure() -> None:
    e = random_ensemble(100)
    without = {row.name for row in ge.methods() if not expected_seconds(row.name, e)}
    assert without <= {"ecg", "recluster", "exact_median"}  # these need a network, or refuse more than 60 rows


def test_costs_grow_with_the_ensemble() -> None:
    for name in ("eac", "semidefinite", "vote"):
        small, large = expected_cost(name, random_ensemble(1000)), expected_cost(name, random_ensemble(4000))
        assert large[0] > small[0] > 0
        assert large[1] > small[1] > 0


def test_equal_rows_count_once() -> None:
    e = random_ensemble(500)
    repeated = e.take(objects=np.repeat(np.arange(500), 40))
    assert expected_seconds("semidefinite", repeated) == expected_seconds("semidefinite", e)


def test_nothing_is_known_of_a_function_from_outside() -> None:
    assert expected_cost("unheard-of", random_ensemble(10)) == (0.0, 0.0)


def test_minutes_are_said_before_they_pass() -> None:
    e = random_ensemble(10_000)
    with pytest.warns(ge.errors.GraphensWarning, match="^semidefinite may take about .* of pro"):
        warn_of_time("semidefinite", e, set())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_time("semidefinite", e, {"max_iter"})  # who limits the work knows of it
        warn_of_time("lwgp", e, set())

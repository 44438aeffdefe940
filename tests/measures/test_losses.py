"""Losses between partitions against their definitions, written out with sets."""

from math import log2

import numpy as np
import pytest

import graphens as ge
from graphens import measures
from graphens.measures.losses import LOSSES

pytestmark = pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
NAMES = sorted(LOSSES)


def plain_loss(name: str, draw: list[int], estimate: list[int], a: float = 1.0) -> float:
    """The loss from the shares of objects, over objects that both have."""
    both = [(c, d) for c, d in zip(draw, estimate, strict=True) if c >= 0 and d >= 0]
    n = len(both)

    def shares(values: list[object]) -> list[float]:
        return [values.count(v) / n for v in set(values)]

    p, q, r = shares([c for c, _ in both]), shares([d for _, d in both]), shares(list(both))
    entropy = [-sum(x * log2(x) for x in part) for part in (p, q, r)]
    information = entropy[0] + entropy[1] - entropy[2]
    if name == "binder":
        return a * sum(x * x for x in p) + (2 - a) * sum(x * x for x in q) - 2 * sum(x * x for x in r)
    if name == "vi":
        return -a * entropy[0] - (2 - a) * entropy[1] + 2 * entropy[2]
    if name == "omari":
        pairs = [sum(round(x * n) * (round(x * n) - 1) / 2 for x in part) for part in (p, q, r)]
        chance = pairs[0] * pairs[1] / (n * (n - 1) / 2) if n > 1 else 0
        most = (pairs[0] + pairs[1]) / 2
        return 0.0 if most == chance else 1 - (pairs[2] - chance) / (most - chance)
    if name == "nvi":
        return 0.0 if entropy[2] == 0 else 1 - information / entropy[2]
    if name == "id":
        return max(entropy[:2]) - information
    return 0.0 if max(entropy[:2]) == 0 else 1 - information / max(entropy[:2])


def draws(seed: int, missing: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, rng.integers(1, 5), size=(9, 7))
    labels[rng.random(labels.shape) < missing] = -1
    labels[0] = 0
    return labels


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize("seed", range(5))
def test_expected_loss_is_the_weighted_mean_of_the_definition(name: str, missing: float, seed: int) -> None:
    labels = draws(seed, missing)
    rng = np.random.default_rng(seed)
    weights, estimate = rng.uniform(0.5, 2, 7), rng.integers(0, 3, 9)
    estimate[3] = -1
    a = 0.6 if LOSSES[name].weighs else 1.0
    found = measures.expected_loss(estimate, ge.Ensemble(labels, weights=weights), name, a)
    each = [plain_loss(name, column.tolist(), estimate.tolist(), a) for column in labels.T]
    assert found == pytest.approx(weights @ each / weights.sum(), abs=1e-12)


def test_each_loss_by_its_own_name() -> None:
    draw, estimate = [0, 0, 1, 1, 2, 2, 0], [0, 1, 1, 1, 2, 0, -1]
    functions = {
        "binder": measures.binder,
        "omari": measures.omari,
        "nvi": measures.nvi,
        "id": measures.information_distance,
        "nid": measures.nid,
    }
    for name, function in functions.items():
        assert function(draw, estimate) == pytest.approx(plain_loss(name, draw, estimate)), name
    assert measures.vi(draw, estimate, base=2) == pytest.approx(plain_loss("vi", draw, estimate))
    assert measures.vi(draw, estimate) == pytest.approx(plain_loss("vi", draw, estimate) * np.log(2))
    assert measures.binder(draw, estimate, 0.5) == pytest.approx(plain_loss("binder", draw, estimate, 0.5))
    assert measures.omari(draw, estimate) == pytest.approx(1 - measures.ari(draw, estimate))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_between_equal_partitions(name: str) -> None:
    for labels in ([0, 0, 0], [0, 1, 2], [0], [0, 0, 1]):
        assert measures.expected_loss(labels, np.array([labels, labels]).T, name) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_object_weights_are_repetitions_and_draws_without_objects_do_not_count(name: str) -> None:
    labels, estimate = draws(3), [0, 0, 1, 1, 2, 2, 0, 1, 2]
    times = [2, 1, 1, 3, 1, 1, 1, 2, 1]
    weighted = measures.expected_loss(estimate, ge.Ensemble(labels, object_weights=times), name)
    repeated = measures.expected_loss(np.repeat(estimate, times), np.repeat(labels, times, axis=0), name)
    assert weighted == pytest.approx(repeated)
    empty = np.column_stack([labels, np.full(9, -1)])
    assert measures.expected_loss(estimate, empty, name) == pytest.approx(
        measures.expected_loss(estimate, labels, name)
    )
    light = ge.Ensemble(labels, object_weights=np.full(9, 2.0**-40))
    if name != "omari":  # counts pairs of objects, so the unit of their weights matters
        assert measures.expected_loss(estimate, light, name) == pytest.approx(
            measures.expected_loss(estimate, labels, name)
        )


def test_a_result_can_be_asked_and_mistakes_are_named() -> None:
    labels = draws(1)
    r = ge.median(labels, seed=0)
    assert measures.expected_loss(r, labels) == pytest.approx(r.details["expected_loss"])
    with pytest.raises(ge.GraphensError, match="loss = 'v'"):
        measures.expected_loss(r.labels, labels, "v")
    with pytest.raises(ge.GraphensError, match="above 0 and below 2"):
        measures.expected_loss(r.labels, labels, "vi", 2)
    with pytest.raises(ge.GraphensError, match="only binder and vi"):
        measures.expected_loss(r.labels, labels, "nvi", 0.5)
    with pytest.raises(ge.GraphensError, match="8 labels"):
        measures.expected_loss(r.labels[1:], labels)
    with pytest.raises(ge.GraphensError, match="base = 1"):
        measures.vi([0, 1], [0, 1], base=1)

"""Choosing k: every rule's curve, what decides, p-values, and the cases in which there is little to choose."""

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.choose import rules
from graphens.choose.rule_input import References, clarity
from graphens.choose.rules import RULES
from graphens.generators.components import message_lengths
from graphens.generators.separation import reference_data


def blobs(k: int, n: int = 40, seed: int = 0, distance: float = 9.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    centers = distance * np.stack(np.divmod(np.arange(k), 2), axis=1)
    return np.repeat(centers, n, axis=0) + rng.normal(size=(k * n, 2))


@pytest.fixture(scope="module")
def four() -> ge.Ensemble:
    return ge.generate(blobs(4, 25), 25, k=(6, 14), seed=0)


def test_all_curves_and_all_answers(four: ge.Ensemble) -> None:
    c = ge.choose_k(four, range(2, 8), seed=0)
    assert (c.k, c.rule, c.p) == (4, "eigengap", None)
    assert set(c.answers) == {"eigengap", "stability", "pac", "lifetime"}
    assert c.table["k"].tolist()[-6:] == [2, 3, 4, 5, 6, 7]
    assert {"eigengap", "stability", "pac", "lifetime"} <= set(c.table.columns)
    assert "needs features" in c.figures["refused"]["silhouette"]
    row = c.table.set_index("k")
    assert row["eigengap"].idxmax() == 4
    assert row["lifetime"].idxmax() == 4
    assert c.answers["pac"] == 4
    assert not c.agreed
    assert "\n      4  few ambiguous pairs (pac)\n" in repr(c)
    assert len(repr(c).splitlines()) <= 4 + len(c.answers)
    with pytest.raises(AttributeError):
        c.k = 5  # type: ignore[misc]


@pytest.mark.parametrize("rule", ["eigengap", "lifetime", "pac", "agreement"])
def test_rules_decide_by_name(four: ge.Ensemble, rule: str) -> None:
    r = ge.consensus(four, rule=rule, seed=0)
    assert (r.k, r.choice.rule) == (4, rule)


def test_agreement_counts_votes(four: ge.Ensemble) -> None:
    c = ge.choose_k(four, range(2, 8), rule="agreement", seed=0)
    assert (c.k, c.rule) == (4, "agreement")
    assert sum(c.figures["votes"].values()) == len(c.answers)
    assert c.curves["agreement"][c.k] == max(c.curves["agreement"].values())


def test_features_bring_a_p_value() -> None:
    c = ge.choose_k(X=blobs(3, 30), ks=range(2, 5), n_partitions=10, n_references=4, seed=0)
    assert c.k == 3
    assert c.p is not None
    assert c.p < 0.05
    assert set(c.answers) == {"eigengap", "silhouette", "stability", "pac", "lifetime", "mixture"}
    assert set(c.null) == {"pac", "silhouette"}
    assert set(c.null["pac"]) == {2, 3, 4}
    drawn = {part.what.split(":")[0]: part for part in c.plot(curves=True).parts}
    assert drawn["eigengap"].null is None
    assert drawn["silhouette"].null.tolist() == [0, 0, 0]  # the curve is what the data exceed the references by
    assert drawn["silhouette"].null_error[0, 1] == pytest.approx(1.96 * c.null["silhouette"][3][1])
    assert (drawn["pac"].null - drawn["pac"].null_error[0]).min() >= 0


def test_gaussian_components_are_a_column_without_a_vote() -> None:
    X = blobs(3, 30)
    c = ge.choose_k(X=X, ks=range(2, 5), rule="mixture", n_partitions=10, n_references=4, seed=0)
    lengths = message_lengths(X, seed=0)
    assert (c.k, c.rule, c.answers["mixture"]) == (3, "mixture", 3)
    assert c.curves["mixture"] == {k: lengths[k] for k in lengths if k <= 4}
    assert "3 Gaussian components" in c.why
    assert c.plot(curves=True).parts[0].name.startswith("message length")
    rings, _ = ge.datasets.load("half-rings", seed=0)
    c = ge.choose_k(X=rings, ks=range(2, 10), rule="agreement", n_partitions=12, n_references=0, seed=0)
    assert c.answers["mixture"] > 5 > c.k  # a half ring is made of several Gaussians
    assert sum(c.figures["votes"].values()) == len(c.answers) - 1


def test_where_references_do_as_well_the_answer_is_one() -> None:
    X = np.random.default_rng(1).normal(size=(90, 4))
    c = ge.choose_k(X=X, ks=range(2, 5), rule="silhouette", n_partitions=8, n_references=5, seed=0)
    assert c.p is not None
    assert c.p > 0.05
    assert c.k == 1
    assert c.optional[0] == c.answers["silhouette"]
    assert "Reference data without clusters look as clear" in c.why
    assert ge.choose_k(X=X, ks=[2, 3], n_partitions=5, n_references=0, seed=0).p is None


def test_reference_data_have_the_same_correlations() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 3)) @ np.array([[1, 0.5, 0], [0, 2, 0.3], [0, 0, 0.2]]) + 7
    drawn = reference_data(X, rng)
    assert np.cov(drawn.T) == pytest.approx(np.cov(X.T), abs=0.4)
    assert drawn.mean(axis=0) == pytest.approx(X.mean(axis=0), abs=0.2)
    wide = reference_data(X[:2].T @ rng.normal(size=(2, 50)), rng)
    assert wide.shape == (3, 50)


def test_clarity_follows_the_beta_distribution_or_counts() -> None:
    from scipy.stats import beta, norm

    null = np.array([[0.2, 0.5], [0.3, 0.5], [0.4, 0.5]])
    mean, variance = 0.3, np.var([0.2, 0.3, 0.4], ddof=1)
    alpha = ((1 - mean) / variance - 1 / mean) * mean**2
    expected = beta.cdf(0.25, alpha, alpha * (1 / mean - 1))
    assert norm.sf(clarity(np.array([0.25, 0.25]), null)) == pytest.approx([expected, 1 / 5])
    flat = np.zeros((4, 1))
    assert References((2,), flat, flat).p(2, 0.0) == 1.0
    assert References((2,), flat + 0.5, flat).p(2, 0.1) == pytest.approx(0.2)


def test_p_knows_that_the_clearest_k_was_chosen() -> None:
    """Of data like the references the clearest of nine k is below .05 as rarely as it should be."""
    rng = np.random.default_rng(0)
    p = []
    for _ in range(200):
        pac = rng.beta(20, 30, size=(21, 9))
        own, null = pac[0], References(tuple(range(2, 11)), pac[1:], pac[1:])
        best = int(np.argmax(clarity(own, pac[1:])))
        p.append(null.p(best + 2, float(own[best])))
    assert np.mean(np.array(p) < 0.05) < 0.1  # by the beta distribution at that k alone it were 1 − .95⁹ = .37
    assert 0.35 < np.mean(p) < 0.65
    assert null.p(2, 0.01) < 1e-3


def test_stability_is_its_equations() -> None:
    e = ge.Ensemble(np.random.default_rng(1).integers(0, 3, size=(20, 5)))
    s = ge.stability(e, [2, 3], n_bootstraps=6, seed=4)
    draws = np.random.default_rng(4).integers(5, size=(6, 5))
    inner, outer = [], []
    for draw in draws:
        part = e.take(partitions=draw)
        tree = ge.link(ge.coassociation(part), "average")
        inner.append([ge.measures.anmi(tree.cut(k), part, "arithmetic") for k in (2, 3)])
        pairs = [
            ge.measures.nmi(e.labels[:, a], e.labels[:, b], "arithmetic")
            for i, a in enumerate(draw)
            for j, b in enumerate(draw)
            if i != j
        ]
        outer.append(np.mean(pairs))
    assert s.limit == pytest.approx(np.std(outer, ddof=1))
    assert s.mean == pytest.approx(np.mean(inner, axis=0), abs=0.05)  # ties of drawn partitions may fall otherwise
    assert s.stable.tolist() == (s.std <= s.limit).tolist()
    assert ge.stability(e, [1, 2, 3], n_bootstraps=6, seed=4).k == s.k  # one cluster never varies


def test_noise_is_not_stable() -> None:
    X = np.random.default_rng(3).random((120, 5))
    s = ge.stability(ge.generate(X, 20, k=8, seed=0), range(1, 6), n_bootstraps=15, seed=0)
    assert s.k == 1
    assert not s.stable[1:].any()


@pytest.mark.parametrize("rule", list(RULES))
def test_little_to_choose_from_is_answered_or_refused_in_a_sentence(rule: str) -> None:
    rng = np.random.default_rng(0)
    sparse = rng.integers(0, 3, size=(30, 8))
    sparse[rng.random(sparse.shape) < 0.8] = -1
    cases = {
        "one partition": ge.Ensemble(np.repeat([[0], [1], [2]], 5, axis=0)),
        "two partitions": ge.Ensemble(np.repeat([[0, 1], [1, 0], [2, 2]], 5, axis=0)),
        "one cluster everywhere": ge.Ensemble(np.zeros((10, 4), dtype=int)),
        "80 % missing, some absent": ge.Ensemble(sparse),
        "weights": ge.Ensemble(
            rng.integers(0, 3, size=(20, 4)), weights=[0, 1, 2, 0.5], object_weights=np.arange(1, 21)
        ),
        "one object": ge.Ensemble([[0, 1]]),
    }
    for name, e in cases.items():
        found = answered(e, rule)
        if isinstance(found, str):
            assert len(found) > 20, name
        else:
            assert 1 <= found.k <= e.n_objects, name
            assert found.why, name


def answered(e: ge.Ensemble, rule: str) -> ge.Choice | str:
    try:
        return ge.choose_k(e, [1, 2, 3, 5, 40], rule=rule, seed=0)
    except ge.GraphensError as error:
        return str(error)


def test_bad_calls(four: ge.Ensemble) -> None:
    for call, said in (
        ({"rule": "luck"}, "rule = 'luck'"),
        ({"ks": []}, "No k was given"),
        ({"ks": [0]}, "k = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"rule": "silhouette"}, "needs features"),
        ({"rule": "mixture"}, "needs features"),
    ):
        with pytest.raises(ge.GraphensError, match=said):
            ge.choose_k(four, **call)
    with pytest.raises(ge.GraphensError, match="No object has a label"):
        ge.choose_k(ge.Ensemble([[-1, -1]]), [2])
    with pytest.raises(ge.GraphensError, match="two or more"):
        ge.stability([[0], [1]], [2])


@pytest.mark.parametrize("rule", sorted(RULES))
def test_only_ratios_of_weights_count(rule: str) -> None:
    labels = [[0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2, 2]]
    weights = np.array([1.0, 2.0, 1.0])
    huge = ge.Ensemble.from_partitions(labels, weights=weights * 1e200, object_weights=np.full(9, 1e-200))
    like = ge.Ensemble.from_partitions(labels, weights=weights)
    if rule in {"silhouette", "mixture"}:
        pytest.skip("needs features")
    assert ge.choose_k(huge, rule=rule, seed=0).k == ge.choose_k(like, rule=rule, seed=0).k
    if rule == "eigengap":
        assert np.array_equal(ge.consensus(huge, seed=0).labels, ge.consensus(like, seed=0).labels)


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_weights_without_a_common_measure() -> None:
    e = ge.Ensemble.from_partitions([[0, 0, 0], [1, 0, 1]], object_weights=[1e-200, 1e150, 1e-200])
    for rule in ("eigengap", "agreement"):
        assert ge.choose_k(e, range(2, 4), rule=rule, seed=0).k >= 1
    assert ge.consensus(e, seed=0).labels.shape == (3,)


def test_labels_are_read_as_everywhere() -> None:
    labels = np.column_stack([np.repeat(np.arange(4), 20)] * 5)
    labels[::7, 0] = 0
    frame = pd.DataFrame(labels, columns=list("abcde"))
    wanted = ge.choose_k(ge.Ensemble(frame), range(2, 6), seed=0)
    for given in (frame, labels, labels.astype(float), labels.tolist(), {c: frame[c] for c in frame}):
        found = ge.choose_k(given, range(2, 6), seed=0)
        assert (found.k, found.answers) == (wanted.k, wanted.answers)
    assert wanted.k == 4


def test_features_are_given_by_name() -> None:
    X = blobs(3, 10)
    for call in ({"labels": X}, {}, {"labels": X, "X": X}):
        with pytest.raises(ge.GraphensError, match="X="):
            ge.choose_k(**call, seed=0)
    with pytest.raises(ge.GraphensError, match="X="):
        ge.choose_k(pd.DataFrame(X), seed=0)


def test_the_deciding_rule_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    for name, rule in list(rules.SINGLE.items()):
        monkeypatch.setitem(rules.SINGLE, name, lambda q, n=name, r=rule: (asked.append(n), r(q))[1])
    e = ge.Ensemble(np.column_stack([np.repeat(np.arange(3), 10)] * 4))
    for rule in ("lifetime", "agreement"):
        asked.clear()
        ge.choose_k(e, range(2, 5), rule=rule, seed=0)
        assert sorted(asked) == sorted(rules.SINGLE)


def test_a_sample_of_one_object_more_is_nearly_the_same() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 700)
    labels = np.column_stack([np.where(rng.random(700) < 0.5, rng.integers(0, 5, 700), truth) for _ in range(10)])
    curves = [ge.choose_k(labels[:n], range(2, 7), rule="pac", seed=0).figures["pac"] for n in (650, 651)]
    for k in range(2, 7):
        assert np.ptp([curve[k] for curve in curves]) < 0.02
    assert "of 500 random objects" in ge.choose_k(labels, [2], rule="pac", seed=0).why

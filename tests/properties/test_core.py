"""What must hold for every ensemble, whatever it looks like."""

import itertools

import numpy as np
import plain
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra import numpy as npst
from scipy.cluster import hierarchy

import graphens as ge
from graphens import measures

settings.register_profile("core", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
COMMON = settings.get_profile("core")


@st.composite
def ensembles(draw: st.DrawFn, *, missing: bool = True, max_objects: int = 9) -> ge.Ensemble:
    n, b = draw(st.integers(1, max_objects)), draw(st.integers(1, 4))
    labels = draw(npst.arrays(np.int64, (n, b), elements=st.integers(-1 if missing else 0, 3)))
    weights = draw(st.none() | npst.arrays(np.float64, b, elements=st.sampled_from([0.5, 1.0, 2.0, 3.0])))
    copies = draw(st.none() | npst.arrays(np.float64, n, elements=st.integers(1, 3)))
    return ge.Ensemble.from_partitions(list(labels.T), weights=weights, object_weights=copies)


def renamed(e: ge.Ensemble, names: list[int]) -> ge.Ensemble:
    """The same partitions with other labels: c becomes names[c]."""
    swap = np.array([*names, -1])
    return ge.Ensemble.from_partitions(
        [swap[column] for column in e.labels.T], weights=e.weights, object_weights=e.object_weights
    )


@COMMON
@given(ensembles())
def test_reading_labels_again_changes_nothing(e):
    again = ge.Ensemble.from_partitions(list(e.labels.T), weights=e.weights, object_weights=e.object_weights)
    assert np.array_equal(again.codes, e.codes)
    assert again.codes.dtype == e.codes.dtype
    assert e.take(objects=np.arange(e.n_objects), partitions=np.arange(e.n_partitions)) == e


@COMMON
@given(ensembles(), st.permutations([3, 10, 200, 65000]))
def test_renaming_labels_changes_no_graph(e, names):
    other = renamed(e, names)
    a, b = ge.coassociation(e), ge.coassociation(other)
    assert np.array_equal(a.adjacency.toarray(), b.adjacency.toarray())
    assert np.array_equal(np.sort(ge.metagraph(e).adjacency.data), np.sort(ge.metagraph(other).adjacency.data))
    assert np.array_equal(ge.link(a).to_scipy(), ge.link(b).to_scipy())
    assert np.allclose(measures.pairwise(e, "nmi"), measures.pairwise(other, "nmi"))


@COMMON
@given(ensembles(), st.randoms(use_true_random=False))
def test_permuting_objects_permutes_the_answers(e, random):
    order = np.arange(e.n_objects)
    random.shuffle(order)
    moved = e.take(objects=order)
    a, b = ge.coassociation(e), ge.coassociation(moved)
    assert np.allclose(a.adjacency.toarray()[np.ix_(order, order)], b.adjacency.toarray())
    assert np.allclose(ge.metagraph(e).adjacency.toarray(), ge.metagraph(moved).adjacency.toarray())
    heights = [ge.link(g, "single").to_scipy()[:, 2] for g in (a, b)]
    assert np.allclose(*heights)
    labels = np.arange(e.n_objects) % 3
    assert np.isclose(a.cut(labels), b.cut(labels[order]))
    assert np.isclose(measures.anmi(labels, e), measures.anmi(labels[order], moved))


@COMMON
@given(ensembles(), st.data())
def test_a_partition_twice_is_a_partition_of_weight_two(e, data):
    t = data.draw(st.integers(0, e.n_partitions - 1))
    twice = e.take(partitions=[*range(e.n_partitions), t])
    heavier = e.reweight(np.where(np.arange(e.n_partitions) == t, 2, 1) * e.weights)
    a, b = ge.coassociation(twice), ge.coassociation(heavier)
    assert np.allclose(a.adjacency.toarray(), b.adjacency.toarray())
    labels = np.arange(e.n_objects) % 2
    assert np.isclose(ge.hypergraph(twice).cut(labels), ge.hypergraph(heavier).cut(labels))
    assert np.isclose(ge.hypergraph(twice).km1(labels), ge.hypergraph(heavier).km1(labels))
    assert np.isclose(measures.anmi(labels, twice), measures.anmi(labels, heavier))
    assert np.isclose(ge.bipartite(twice).cut(_both(twice, labels)), ge.bipartite(heavier).cut(_both(heavier, labels)))


def _both(e: ge.Ensemble, labels: np.ndarray) -> np.ndarray:
    """A labeling of objects and clusters: every cluster goes to part 0."""
    return np.concatenate([labels, np.zeros(int(e.n_clusters.sum()), dtype=int)])


@COMMON
@given(ensembles())
def test_one_object_of_weight_two_is_two_objects(e):
    counts = e.object_weights.astype(int)
    copies = e.take(objects=np.repeat(np.arange(e.n_objects), counts))._replace(object_weights=np.ones(counts.sum()))
    assert np.allclose(ge.metagraph(e).adjacency.toarray(), ge.metagraph(copies).adjacency.toarray())
    for method in ("single", "average", "complete"):
        a, b = ge.link(ge.coassociation(e), method), ge.link(ge.coassociation(copies), method)
        assert np.allclose(a.heights, b.heights)
        assert a.longest_lifetime() == b.longest_lifetime()


@COMMON
@given(ensembles(), st.sampled_from(["single", "average", "complete"]))
def test_every_dendrogram_is_a_linkage(e, method):
    d = ge.link(ge.coassociation(e), method)
    full = d.to_scipy()
    inside = int(np.count_nonzero(d.index >= 0))
    assert full.shape == (e.n_objects - 1, 4)
    if e.n_objects > 1:
        assert hierarchy.is_valid_linkage(full)
    assert full[:, 2].max(initial=0) <= 1
    assert np.isclose(sum(d.lifetimes().values()), 1)
    cuts = [d.cut(k) for k in range(1, inside + 1)]
    for k, labels in enumerate(cuts, start=1):
        assert labels.max() == k - 1
        assert ((labels < 0) == (d.index < 0)).all()
    for coarse, fine in itertools.pairwise(cuts):  # cuts are nested
        assert len(set(zip(coarse, fine, strict=True))) == len(set(fine))
    lengths, k = d.lifetimes(), d.longest_lifetime()
    others = [length for other, length in lengths.items() if other < max(lengths) or other == 1]
    assert lengths[k] >= max(others) - 1e-9
    assert d.cut_longest_lifetime().tolist() == d.cut(k).tolist()


@COMMON
@given(ensembles(missing=False), st.floats(0, 1))
def test_components_of_thresholds_are_cuts_of_single_link(e, theta):
    g = ge.coassociation(e)
    parts = g.threshold(theta).components()
    cut = ge.link(g, "single").cut_at(1 - theta - 1e-6) if theta < 1 else None
    values = 1 - g.adjacency.data
    if cut is not None and (np.abs(values - (1 - theta)) > 1e-5).all():
        assert parts.tolist() == cut.tolist()


@COMMON
@given(ensembles(), st.data())
def test_contraction_keeps_what_is_cut(e, data):
    labels = np.array(data.draw(st.lists(st.integers(-1, e.n_objects - 1), min_size=e.n_objects, max_size=e.n_objects)))
    for g in (ge.coassociation(e), ge.coassociation(e).threshold(0.3)):
        merged = g.contract(labels)
        assert np.isclose(merged.adjacency.sum() / 2, g.cut(labels))
        assert np.isclose(g.cut(labels), plain.cut(g.adjacency.toarray(), labels))
        assert np.isclose(merged.vertex_weights.sum(), g.vertex_weights[labels >= 0].sum())


@COMMON
@given(ensembles(), st.integers(1, 12))
def test_the_forest_lies_in_the_neighbors_and_the_graph(e, p):
    g = ge.coassociation(e)
    full, kept, forest = (x.adjacency.toarray() for x in (g, g.neighbors(p), g.spanning_forest()))
    assert ((kept == 0) | (kept == full)).all()
    assert ((forest == 0) | (forest == full)).all()
    assert g.spanning_forest().n_edges == e.n_objects - len(set(g.components().tolist()))
    if p >= e.n_objects - 1:
        assert np.array_equal(kept, full)


@COMMON
@given(ensembles())
def test_identical_partitions_agree_wholly(e):
    first = e.take(partitions=[0])
    same = first.append(first).append(first)
    assert (ge.coassociation(same).adjacency.data == 1).all()
    if first.n_missing < e.n_objects:
        labels = first.labels[:, 0]
        assert measures.anmi(labels, same) == pytest.approx(1, abs=1e-12)
        assert ge.hypergraph(same).cut(labels) == 0
        assert np.allclose(measures.pairwise(same, "ari"), 1)


@COMMON
@given(ensembles(), ensembles())
def test_append_and_take_are_inverse(a, b):
    n = min(a.n_objects, b.n_objects)
    a, b = a.take(objects=np.arange(n)), b.take(objects=np.arange(n))
    both = a.append(b)
    assert both.take(partitions=np.arange(a.n_partitions)) == a
    back = both.take(partitions=np.arange(a.n_partitions, both.n_partitions))
    assert np.array_equal(back.codes, b.codes)
    assert np.array_equal(back.weights, b.weights)

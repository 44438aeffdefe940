"""Pictures: what they hold as data, what they draw, and what they say they left out."""

from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import graphens as ge
from graphens.errors import InputError, TypeMismatch
from graphens.graphs.affinity import Affinity
from graphens.plot.colors import PALETTE, color, inherited, through
from graphens.plot.display import label_text as as_shown
from graphens.plot.heatmap import blocks
from graphens.plot.layouts import backbone

mpl.use("Agg")


def noisy(n: int, k: int, partitions: int = 12, seed: int = 0, missing: float = 0.0) -> tuple[ge.Ensemble, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    truth[:k] = np.arange(k)
    labels = np.tile(truth[:, None], partitions)
    wrong = rng.random(labels.shape) < 0.15
    labels[wrong] = rng.integers(k, size=int(wrong.sum()))
    labels[rng.random(labels.shape) < missing] = -1
    return ge.Ensemble(labels), truth


def texts(ax) -> str:
    """What is written on axes, captions in one line."""
    return " ".join([*(t.get_text() for t in ax.texts), ax.get_title("left")]).replace("\n", " ")


# colors ------------------------------------------------------------------------------------------------------


def test_forty_clusters_have_forty_colors_that_differ_also_without_red_or_green() -> None:
    def oklab(rgb):
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        cones = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
        lab = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
        return linear, cones, lab

    green_blind = np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    )
    rgb = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in PALETTE])
    linear, cones, lab = oklab(rgb)
    for seen, least in ((linear, 0.06), (np.clip(linear @ green_blind.T, 0, 1), 0.04)):
        points = np.cbrt(seen @ cones.T) @ lab.T
        gap = np.linalg.norm(points[:, None] - points[None], axis=2)
        assert gap[~np.eye(40, dtype=bool)].min() > least
    assert len({color(c) for c in range(120)}) == 120


def test_colors_are_handed_on_by_best_overlap() -> None:
    assert inherited([0, 0, 0, 1, 1], [1, 1, 2, 0, 0]).tolist() == [1, 0, 2]
    handed = through([np.array([0, 0, 1, 1]), np.array([1, 1, 0, 2]), np.array([0, 1, 2, 3])])
    assert handed[1].tolist() == [1, 0, 2]
    assert len(set(handed[2].tolist())) == 4


# the heatmap -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_blocks_are_means_of_the_matrix(missing: float) -> None:
    e, _ = noisy(60, 3, missing=missing)
    r = ge.lwgp(e, 3, seed=0)
    found = blocks(r, 12)
    assert 3 <= len(found.size) <= 14
    h = [np.equal.outer(c, c) & ~np.eye(60, dtype=bool) & (c >= 0)[:, None] & (c >= 0) for c in e.labels.T]
    p = [(c >= 0)[:, None] & (c >= 0) & ~np.eye(60, dtype=bool) for c in e.labels.T]
    together, present = np.sum(h, axis=0).astype(float), np.sum(p, axis=0).astype(float)
    m = len(found.size)
    member = np.eye(m)[found.block]
    expected = (member.T @ together @ member) / (member.T @ present @ member)
    shown = Affinity(e, found.block.astype(np.int32), m).between()
    alone = found.size == 1
    expected[alone, alone] = 1.0
    assert np.allclose(shown, expected, equal_nan=True)


def test_the_heatmap_has_clusters_in_order_and_their_colors_beside_it() -> None:
    e, truth = noisy(80, 4)
    r = ge.lwgp(e, 4, seed=0)
    shown = r.plot(classes=(truth + 1) % 4)  # classes have other numbers than clusters
    assert np.count_nonzero(np.diff(shown.label)) == 3
    assert shown.similarity.shape == (80, 80)
    strips = {child.get_label(): child for child in shown.ax_.child_axes}
    assert set(strips) == {"cluster", "class", "doubt"}
    assert "membership" in {child.get_label() for child in r.plot(membership=True).ax_.child_axes}
    np.testing.assert_allclose(strips["doubt"].images[0].get_array()[:, 0], (1 - shown.confidence) / 0.6)
    drawn = strips["cluster"].images[0].get_array()
    wanted = [mpl.colors.to_rgb(color(c)) for c in shown.label]
    assert np.allclose(np.asarray(drawn)[:, 0, :3], wanted, atol=1 / 255)
    agree = strips["class"].images[0].get_array()
    assert np.mean(np.abs(np.asarray(agree)[:, 0] - np.asarray(drawn)[:, 0]).max(axis=1) < 0.01) > 0.9


def test_similar_clusters_are_next_to_each_other_in_the_heatmap() -> None:
    groups = np.repeat([0, 1, 2, 3], 10)
    pairs = np.array([0, 1, 0, 1])[groups]  # 0 with 2, 1 with 3
    r = ge.eac(ge.Ensemble.from_partitions([groups] * 3 + [pairs]), 4)
    first = r.plot("heatmap").label[::10].tolist()
    assert {frozenset(first[:2]), frozenset(first[2:])} == {frozenset({0, 2}), frozenset({1, 3})}


def test_many_objects_are_summed_up_and_the_title_says_so() -> None:
    e, _ = noisy(3000, 5)
    shown = ge.lwgp(e, 5, seed=0).plot()
    assert len(shown.size) <= 610
    assert shown.size.sum() == 3000
    assert "blocks" in texts(shown.ax_)
    assert shown.ax_.get_title("left") == "How often together: 3,000 objects in 5 clusters"  # without the small print


# trees -------------------------------------------------------------------------------------------------------


def test_a_chain_of_100_000_leaves_draws() -> None:
    n = 100_000
    merges = np.column_stack(
        [np.append(0, np.arange(n, 2 * n - 2)), np.arange(1, n), np.linspace(0.1, 0.9, n - 1), np.arange(2, n + 1)]
    )
    shown = ge.Dendrogram(merges).plot(k=2)
    assert shown.sizes.sum() == n
    assert len(shown.sizes) == 40
    assert "last 39 merges" in texts(shown.ax_)


def test_the_band_is_the_lifetime_and_clusters_have_their_colors() -> None:
    e, _ = noisy(120, 3)
    r = ge.eac(e, 3, linkage="average")
    shown = r.plot("tree")
    low, high = shown.band
    assert high - low == pytest.approx(r.dendrogram.lifetimes()[3])
    assert shown.k == 3
    assert set(shown.owner.tolist()) <= {-1, 0, 1, 2}
    drawn = {mpl.colors.to_hex(c) for lines in shown.ax_.collections for c in lines.get_edgecolor()}
    assert {color(c) for c in set(shown.owner.tolist()) - {-1}} <= drawn
    for size, label in zip(shown.sizes, shown.group_owner, strict=True):
        assert size <= np.count_nonzero(r.labels == label)


def test_a_group_is_drawn_with_all_its_objects() -> None:
    e, _ = noisy(300, 4)
    r = ge.eac(e, 4, linkage="average")
    shown = ge.plot.DendrogramDisplay.from_dendrogram(r.dendrogram, 4, r.labels, most=12)
    sizes = np.bincount(shown.group_owner, weights=shown.sizes, minlength=4)
    assert sizes.tolist() == r.sizes().tolist()


# graphs ------------------------------------------------------------------------------------------------------


def test_vertices_have_the_color_of_their_cluster() -> None:
    e, _ = noisy(40, 3)
    r = ge.mcla(e, 3, seed=0)
    shown = r.plot("graph")
    for points in (c for c in shown.ax_.collections if isinstance(c, mpl.collections.PathCollection)):
        cluster = int(points.get_gid().split("-")[1]) if not points.get_gid().startswith("cluster--") else -1
        assert mpl.colors.to_hex(points.get_facecolor()[0]) == color(cluster)
    drawn = sum(len(c.get_offsets()) for c in shown.ax_.collections if isinstance(c, mpl.collections.PathCollection))
    assert drawn == shown.graph.n_vertices
    assert np.isfinite(shown.position).all()


def test_of_many_vertices_some_are_drawn_and_the_title_says_which() -> None:
    e, _ = noisy(2000, 3)
    shown = ge.bipartite(e).plot()
    assert shown.graph.n_vertices <= 300
    assert "drawn at random" in shown.how
    assert " of 2,036 vertices" in texts(shown.ax_)


def test_edges_between_communities_are_those_of_the_network_below() -> None:
    nx = pytest.importorskip("networkx")
    karate = nx.karate_club_graph()
    r = ge.communities(karate, 10, seed=0)
    shown = r.plot("graph")
    assert len(shown.below[0]) == karate.number_of_edges() > r.graph.n_edges
    assert "faint" in texts(shown.ax_)


def test_of_a_network_neighborhoods_are_drawn_and_its_true_size_is_said() -> None:
    nx = pytest.importorskip("networkx")
    shown = ge.Graph.of(nx.random_regular_graph(3, 2000, seed=0)).plot()
    assert shown.graph.n_vertices == 300
    assert (shown.graph.degree() > 0).all()
    assert "300 of 2,000 vertices" in texts(shown.ax_)
    assert "around 6 random ones" in shown.how
    assert ge.Graph(np.zeros((500, 500))).plot().graph.n_vertices == 300


def test_the_forest_is_drawn_before_the_strongest_edges() -> None:
    e, _ = noisy(200, 8, partitions=20)
    graph = ge.coassociation(e)
    source, target, weight = backbone(graph, 400)
    assert len(weight) <= 400
    half = sparse.coo_array((weight, (source, target)), shape=(200, 200)).toarray()
    kept = ge.Graph(half + half.T)
    assert len(np.unique(kept.components())) == len(np.unique(graph.components()))
    assert weight.max() == graph.edges()[2].max()


def test_partitions_have_whole_bars_and_those_that_agree_fully_share_one() -> None:
    e, _ = noisy(60, 4, partitions=30)
    x = ge.lwgp(e, 4, seed=0).explain(0)
    shown = x.plot()
    wide = np.array([bar.get_width() for bar in shown.ax_.patches]).reshape(2, -1)
    shares = np.sort([vote.share for vote in x.votes if vote.label is not None])
    split, agreed = shares[shares < 1], np.count_nonzero(shares == 1)
    assert agreed > 1
    assert np.allclose(wide.sum(axis=0), 1.0)
    assert np.allclose(np.sort(wide[0]), [*split, 1.0])
    assert shown.ax_.get_yticklabels()[-1].get_text() == f"{agreed} clusterings"


def test_the_table_of_a_choice_rings_what_every_rule_chooses() -> None:
    e, _ = noisy(100, 4)
    choice = ge.choose_k(e, range(2, 7), seed=0)
    shown = choice.plot()
    assert shown.table.rows[0].rule == choice.rule == "eigengap"
    assert {row.rule: row.k for row in shown.table.rows} == choice.answers
    agree = ["no", "one", "two", "three", "four"][list(choice.answers.values()).count(4)]
    assert shown.table.sentence in (f"4 clusters: {agree} of four rules agree", "4 clusters: all four rules agree")
    (rings,) = shown.ax_.collections[-1:]
    at = [shown.table.ks.index(row.k) for row in shown.table.rows]
    assert rings.get_offsets()[:, 0].tolist() == at  # also a number that the rule has no value for
    assert all(0 <= shade <= 1 for row in shown.table.rows for shade in row.shades.values())
    first, *others = choice.plot(curves=True).parts
    assert first.limit == 1.0
    assert all(part.name.endswith("is better") for part in (first, *others))
    beyond = ge.choose_k(e, range(40, 44), seed=0).plot()
    assert beyond.table.k in beyond.table.ks  # also where it has no value


# clusterings -------------------------------------------------------------------------------------------------


def test_a_cluster_tree_counts_shared_objects() -> None:
    e = ge.Ensemble.from_partitions([[0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]])
    tree = ge.clustree(e)
    assert tree.layers == ("P2", "P1", "P0")
    weights = tree.to_scipy().toarray()
    assert weights[0, 1:3].tolist() == [3.0, 2.0]
    assert (weights.sum(axis=1)[tree.layer == 2] == tree.vertex_weights[tree.layer == 2]).all()
    shown = tree.plot()
    assert (shown.position[:, 1] == -tree.layer).all()
    for layer in range(3):
        gaps = np.diff(np.sort(shown.position[tree.layer == layer, 0]))
        assert (gaps > 0.5).all()


def test_a_cluster_tree_leaves_weak_lines_out_and_says_so() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(2, size=400)
    second = np.where(rng.random(400) < 0.02, 1 - first, first) * 2 + rng.integers(2, size=400)
    shown = ge.clustree(ge.Ensemble.from_partitions([first, second])).plot()
    assert "not drawn: " in texts(shown.ax_)
    with pytest.raises(InputError, match="each of the 2 partitions once"):
        ge.clustree(ge.Ensemble.from_partitions([first, second]), order=[0, 0])


def test_the_strip_hands_colors_on() -> None:
    _, truth = noisy(60, 4)
    two = (truth > 1).astype(int)
    shown = ge.plot.TrackingDisplay.from_labelings({2: two, 4: truth}).plot()
    assert shown.names == ["2", "4"]
    kept = sum(len(np.intersect1d(shown.numbers[1][shown.numbers[0] == c], [c])) for c in (0, 1))
    assert kept == 2
    answer_first = ge.plot.TrackingDisplay.from_labelings({2: two, 4: truth}, first=4)
    assert (answer_first.numbers[1] == np.sort(truth)).all()
    many = ge.plot.TrackingDisplay.from_labelings({2: np.tile(two, 100), 4: np.tile(truth, 100)})
    assert many.numbers.shape == (2, 1000)


def test_partitions_alike_stand_together_and_camps_are_framed() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.integers(3, size=50), rng.integers(3, size=50)
    e = ge.Ensemble.from_partitions([one, other, one, other, one])
    shown = e.plot(camps=[0, 1, 0, 1, 0])
    assert shown.camps.tolist() == [0, 0, 0, 1, 1]
    by_name = pd.Series([1, 0, 0, 1, 0], index=["P3", "P2", "P0", "P1", "P4"])
    assert e.plot(camps=by_name).camps.tolist() == [0, 0, 0, 1, 1]
    many = e.take(partitions=np.arange(401) % 5)
    assert len(many.plot(camps=np.arange(401) % 5 % 2).camps) == 400
    assert np.allclose(shown.agreement[:3, :3], 1.0)
    assert len(shown.ax_.patches) == 2
    assert [t.get_text() for t in shown.ax_.get_yticklabels()] == [f"P{t}" for t in shown.order]


# objects -----------------------------------------------------------------------------------------------------


def test_confidence_curves_are_the_sorted_confidences_on_the_given_axes() -> None:
    e, _ = noisy(90, 3)
    r = ge.lwgp(e, 3, seed=0)
    _, (left, right) = plt.subplots(1, 2)
    shown = r.plot("confidence", ax=right)
    assert shown.ax_ is right
    assert not left.has_data()
    for c, curve in enumerate(shown.curves):
        assert np.allclose(curve, np.sort(r.confidence[r.labels == c])[::-1])


def test_scaling_keeps_distances_and_the_scatter_rings_the_unsure() -> None:
    from scipy.spatial.distance import pdist, squareform

    from graphens.plot.layouts import classical_scaling

    points = np.random.default_rng(0).normal(size=(20, 2))
    distance = squareform(pdist(points))
    found, held = classical_scaling(distance)
    assert np.allclose(squareform(pdist(found)), distance)
    assert held == pytest.approx(1.0)
    e, _ = noisy(70, 3)
    r = ge.lwgp(e, 3, seed=0)
    shown = r.plot("scatter", X=np.random.default_rng(1).normal(size=(70, 2)))
    shown.strength = doubtful = np.where(np.arange(70) % 7 == 0, 0.4, 0.9)
    shown.plot()
    for c, points in enumerate(shown.ax_.collections):
        assert points.get_gid() == f"cluster-{c}-scatter"  # a page can highlight it
        assert ((np.asarray(points.get_linewidths()) > 0) == (doubtful[r.labels == c] < 0.6)).all()
        assert np.allclose(points.get_facecolors()[0], mpl.colors.to_rgba(color(c)))
    assert "ringed" in texts(shown.ax_)
    assert {text.get_text() for text in shown.ax_.texts} >= {"0", "1", "2"}
    assert r.plot("map").positions.shape == (70, 2)


def test_a_map_puts_objects_close_that_are_often_together() -> None:
    X, truth = ge.datasets.load("half-rings", seed=0)
    r = ge.eac(ge.generate(X, 30, k=(10, 30), seed=0), 2)
    shown = r.plot("map")
    assert (shown.positions == r.plot("map").positions).all()
    step = np.linalg.norm(shown.positions[:, None] - shown.positions, axis=2)
    same = (r.ensemble.labels[:, None] == r.ensemble.labels).mean(axis=2)
    assert step[same == 1].max() == 0
    assert np.corrcoef(step[truth == 0][:, truth == 0].ravel(), same[truth == 0][:, truth == 0].ravel())[0, 1] < -0.5
    assert shown.sizes.sum() == 400
    labels = np.random.default_rng(0).integers(3, size=(900, 12))
    labels[5] = -1
    many = ge.vote(labels, 3).plot("map")  # more rows than are laid out one by one
    assert np.isnan(many.positions).all(axis=1).tolist() == [i == 5 for i in range(900)]
    assert len(many.ties[0]) == 0


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_clusters_that_all_runs_agree_on_have_a_map_without_ties() -> None:
    assert ge.vote([[0, 0], [0, 0], [1, 1], [1, 1]], 2).plot("map").sizes.tolist() == [2, 2]


@pytest.mark.parametrize("kind", ["map", "confidence", "tree"])
def test_text_is_light_on_dark_styles(kind: str) -> None:
    with plt.style.context("dark_background"):
        ax = ge.lwgp(noisy(60, 3)[0], 3, seed=0).plot(kind).ax_
    drawn = [text for text in ax.findobj(mpl.text.Text) if text.get_text()]
    assert {mpl.colors.to_hex(text.get_color()) for text in drawn} == {"#ffffff"}


def test_every_consensus_has_a_tree_and_a_band_only_where_it_is_cut() -> None:
    e = noisy(60, 3)[0]
    assert ge.lwgp(e, 3, seed=0).plot("tree").whole == 60
    tree = ge.link(ge.coassociation(e), "average")
    assert ge.plot.DendrogramDisplay.from_dendrogram(tree, 3, tree.cut(3)).plot().band is not None
    other = ge.plot.DendrogramDisplay.from_dendrogram(tree, 3, np.arange(60) % 3 // 2).plot()
    assert other.band is None
    assert "3 clusters" not in texts(other.ax_)


def test_many_points_become_cells_of_the_color_of_most() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=6000)
    X = rng.normal(size=(6000, 2)) + 20 * truth[:, None]
    r = ge.vote(np.column_stack([truth, truth]), 2)
    shown = r.plot("scatter", X=X)
    assert shown.points is None
    seen = {mpl.colors.to_hex(c[:3]) for c in shown.image.reshape(-1, 4) if c[3] > 0}
    assert seen == {color(0), color(1)}


def test_frequencies_are_those_of_the_cumulative_clusters() -> None:
    e, _ = noisy(50, 3)
    r = ge.cumulative(e, 3)
    shown = r.plot("frequencies")
    assert shown.frequency.sum() == pytest.approx(r.graph.incidence[r.vertices].sum())


@pytest.mark.parametrize("method", ["lwea", "islands"])
def test_the_tree_of_a_sample_is_drawn_and_says_of_how_many(method: str) -> None:
    e, _ = noisy(200, 3)
    r = ge.consensus(e, 3, method=method, sample=60, seed=0)
    shown = r.plot("tree")
    assert shown.sizes.sum() == 60
    assert "60 of 200 objects" in texts(shown.ax_)
    inside = r.dendrogram.index >= 0
    assert inside.sum() == r.details["sampled"] == 60
    for size, label in zip(shown.sizes, shown.group_owner, strict=True):
        assert size <= np.count_nonzero(r.labels[inside] == label)


def test_a_small_tree_has_names_and_a_large_one_counts() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [0, 1], [1, 1]], object_names=["ann", "bob", "cy", "di"])
    small = ge.link(ge.coassociation(e.take(objects=[0, 2, 3])), "average").plot(k=2)
    assert sorted(tick.get_text() for tick in small.ax_.get_xticklabels()) == ["ann", "cy", "di"]
    assert sorted(ge.link(ge.coassociation(e), "average").plot(k=2).names) == ["ann, bob", "cy", "di"]
    large, _ = noisy(100, 3)
    assert ge.link(ge.coassociation(large), "average").plot(k=3).names is None


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda r: r.plot("pie"), InputError, "expected one of heatmap"),
        (lambda r: r.plot("scatter"), InputError, "none were given; expected X=X"),
        (lambda r: r.plot("frequencies"), InputError, "by cumulative"),
        (lambda r: r.plot(X=[[1.0, 2.0], [3.0, 4.0]]), TypeMismatch, "has no option X; it takes classes"),
        (lambda r: ge.bipartite(r.ensemble).plot(labels=[0, 1]), InputError, r"r\.vertex_labels"),
        (lambda r: ge.coassociation(r.ensemble).plot(X=[[1.0], [2.0]]), InputError, "expected two"),
    ],
)
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_a_picture_says_what_it_needs(draw: Callable[[ge.Consensus], Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        draw(ge.vote([[0, 0], [1, 1]]))


def test_classes_of_blocks_are_shares() -> None:
    labels = np.zeros((2000, 3), dtype=int)
    labels[1000:] = 1
    classes = np.where(np.arange(2000) % 10 < 7, "a", "b")
    shown = ge.vote(labels, 2).plot(classes=classes, most=10)
    assert shown.classes.shape[1] == 20
    assert np.mean(shown.classes == shown.classes[:, :1]) == pytest.approx(0.7)


def test_names_of_a_crowded_graph_keep_clear_of_each_other_and_of_other_vertices() -> None:
    e, _ = noisy(60, 5, partitions=10)
    shown = ge.metagraph(e).plot()
    shown.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in shown.ax_.texts]
    assert 5 < len(boxes) < 50  # some have no room
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


# names -------------------------------------------------------------------------------------------------------

HOSTILE = [
    r"$\badcommand$", "$a$ and $b$", "$", r"\$x$", "a_b^c", r"\frac{1}{2", "two\nlines", "a" * 300, "שלום",
    "🙂", "<script>alert(1)</script>", "tab\tand\x00null", "{}", "%s", "", "_hidden",
]  # fmt: skip


def hostile_answer() -> ge.Consensus:
    n = len(HOSTILE)
    labels = np.tile(np.arange(n) % 3, (n, 1)).T.copy()
    labels[0, ::2] = 1
    names = [f"{name}{i}" for i, name in enumerate(HOSTILE)]
    return ge.eac(ge.Ensemble(labels, object_names=names, partition_names=HOSTILE), 3, linkage="average")


def hostile_strip(r: ge.Consensus) -> ge.plot.TrackingDisplay:
    return ge.plot.TrackingDisplay.from_labelings(dict(zip(HOSTILE, r.ensemble.labels.T, strict=True)))


def hostile_curve() -> ge.plot.CurveDisplay:
    return ge.plot.CurveDisplay([1, 2], [1.0, 2.0], HOSTILE[0], what=HOSTILE[1], how=HOSTILE[2], null=[0.0, 1.0])


PICTURES: dict[str, Callable[[ge.Consensus], Any]] = {
    "ensemble": lambda r: r.ensemble.plot(),
    "hypergraph": lambda r: ge.hypergraph(r.ensemble).plot(),
    "coassociation": lambda r: r.graph.plot(),
    "bipartite": lambda r: ge.bipartite(r.ensemble.take(partitions=np.arange(4))).plot(),
    "metagraph": lambda r: ge.metagraph(r.ensemble.take(partitions=np.arange(4))).plot(),
    "clustree": lambda r: ge.clustree(r.ensemble).plot(),
    "explanation": lambda r: r.explain(0).plot(),
    "strip": lambda r: hostile_strip(r).plot(),
    "curve": lambda r: hostile_curve().plot(),
    "panel": lambda r: ge.plot.PanelDisplay([hostile_curve(), hostile_strip(r)], HOSTILE[0]).plot(),
    "heatmap": lambda r: r.plot("heatmap", classes=HOSTILE),
    "confidence": lambda r: r.plot("confidence"),
    "graph": lambda r: r.plot("graph"),
    "tree": lambda r: r.plot("tree"),
    "map": lambda r: r.plot("map"),
    "scatter": lambda r: r.plot("scatter", X=np.arange(2.0 * len(HOSTILE)).reshape(-1, 2)),
    "kind": lambda r: ge.Graph([[0, 1], [1, 0]], kind=HOSTILE[0]).plot(),
}


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.filterwarnings("ignore:Glyph")
def test_names_are_drawn_letter_by_letter(picture: str) -> None:
    figure = PICTURES[picture](hostile_answer()).figure_
    figure.canvas.draw()
    drawn = [text for text in figure.findobj(mpl.text.Text) if text.get_text()]
    assert not [text for text in drawn if text._preprocess_math(text.get_text())[1]]
    assert not [text for text in drawn if len(text.get_text()) > 200]


@pytest.mark.parametrize("name", [*HOSTILE, "\ud800"])
def test_a_name_shown_is_the_name(name: str) -> None:
    seen, mathematics = mpl.text.Text()._preprocess_math(as_shown(name))
    assert not mathematics
    assert "\n" not in seen
    assert as_shown(name, 10).count("…") == (len(name) > 10)
    if name.isprintable():
        assert seen == name


# flows -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["flow", "map", "heatmap", "graph"])
def test_small_axes_keep_their_room_beside_a_long_caption(kind: str) -> None:
    r = ge.eac(noisy(150, 5, 30, missing=0.1)[0], 5, linkage="average")
    figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
    r.plot(kind, ax)
    figure.canvas.draw()
    box = ax.get_window_extent()
    assert box.width > 0.5 * figure.bbox.width
    captions = [text for text in ax.texts if text.get_gid() == "caption"]
    assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in captions)


def test_a_flow_leads_from_base_clusterings_through_the_consensus_to_classes() -> None:
    e, truth = noisy(300, 4, missing=0.05)
    r = ge.lwgp(e, 4, seed=0)
    flow = r.plot("flow", classes=[f"class {c}" for c in truth], columns=["P0", 5])
    assert [column.name for column in flow.columns] == ["P0", "P5", "consensus", "class"]
    assert flow.colored == 2
    assert [column.gaps for column in flow.columns] == [True, True, False, False]
    for bands, left, right in zip(flow.bands, flow.columns, flow.columns[1:], strict=False):
        assert bands[:, 4].sum() == 300
        assert np.bincount(bands[:, 0], bands[:, 4]).tolist() == left.sizes.tolist()
        assert np.bincount(bands[:, 1], bands[:, 4]).tolist() == right.sizes.tolist()
    unsure = int(np.count_nonzero(r.confidence < 0.6))
    assert [int(b[b[:, 3] == 1, 4].sum()) for b in flow.bands] == [unsure] * 3
    painted = {gid.split("-")[1]: c.get_facecolor()[0] for c in flow.ax_.collections if (gid := c.get_gid())}
    for c in range(4):
        assert np.allclose(painted[str(c)][:3], mpl.colors.to_rgb(color(c)))
    assert any(c.get_hatch() for c in flow.ax_.collections) == (unsure > 0)
    words = texts(flow.ax_)
    assert "class 0" in words
    assert "no label" in words
    for c in flow.ax_.collections:
        low, high = c.get_paths()[0].vertices.min(axis=0), c.get_paths()[0].vertices.max(axis=0)
        assert 0 <= low[0] <= high[0] <= 3
        assert -0.001 <= low[1] <= high[1] <= 1.001


def test_a_flow_orders_clusters_as_well_as_any_order_does() -> None:
    from itertools import permutations

    from graphens.plot.flows import Layers, crossings

    for seed in range(6):
        table = np.random.default_rng(seed).integers(0, 30, size=(5, 5)).astype(float)
        table[-1] = table[:, -1] = 0  # nobody without a label
        first, second = Layers([table]).order()
        found = crossings(table[np.ix_(first, second)])
        orders = [np.array([*p, 4]) for p in permutations(range(4))]
        best = min(crossings(table[np.ix_(a, b)]) for a in orders for b in orders)
        assert found <= 1.1 * best
        assert first[-1] == second[-1] == 4
    lines = np.array([[2.0, 1.0], [3.0, 4.0]])
    assert crossings(lines) == 1.0 * 3.0


def test_an_ensemble_flows_in_the_colors_of_its_first_column() -> None:
    e, _ = noisy(60, 3)
    flow = e.plot("flow", columns=["P3", "P1", "P2"])
    assert [column.name for column in flow.columns] == ["P3", "P1", "P2"]
    assert "first 8 of 12" in texts(e.plot("flow").ax_)
    for wrong in (["P99"], ["P0"], "P0", [99, 1], [0, 1.5]):
        with pytest.raises(ge.GraphensError):
            e.plot("flow", columns=wrong)
    _, ax = plt.subplots()
    assert e.plot(ax=ax).ax_ is ax
    assert e.plot(columns=["P0", "P1"]).agreement.shape == (2, 2)


# methods -----------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_methods_with_the_same_answer_share_a_row_and_auto_is_starred() -> None:
    e, _ = noisy(120, 4, seed=3)
    found = ge.compare(e, 4, methods=["lwgp", "mcla", "eac", "vote", "hgpa"], seed=0)
    shown = found.plot()
    assert shown.methods == list(found.answers)
    for i, a in enumerate(shown.methods):
        for j, b in enumerate(shown.methods):
            same = np.array_equal(found.answers[a].labels, found.answers[b].labels)
            assert same == (shown.answer[i] == shown.answer[j])
    auto = ge.consensus(e, 4, seed=0)
    named = [m for m in shown.methods if np.array_equal(found.answers[m].labels, auto.labels)]
    for m, alike in zip(shown.methods, shown.alike, strict=True):
        assert (alike == 1) == (m in named)
        assert alike == pytest.approx(ge.measures.ari(found.answers[m].labels, auto.labels))
    rows = {m for tick in shown.ax_.get_yticklabels() for m in tick.get_text().split(", ")}
    assert rows == set(shown.methods)
    assert len(shown.ax_.get_yticks()) == len(np.unique(shown.answer))
    assert len(shown.ax_.collections[1].get_offsets()) == bool(named)


def test_a_comparison_without_answers_has_no_picture() -> None:
    random = ge.Ensemble(np.random.default_rng(0).integers(0, 9, size=(80, 6)))
    with pytest.raises(InputError, match="No method returned a result"):
        ge.compare(random, 2, methods=["exact_median"], seed=0).plot()


# numbers and names ------------------------------------------------------------------------------------------


def inside(display) -> bool:
    """Whether every text lies inside the figure."""
    display.figure_.draw_without_rendering()
    width, height = display.figure_.bbox.size
    boxes = [t.get_window_extent() for ax in display.figure_.axes for t in ax.texts if t.get_visible() and t.get_text()]
    return all(b.x0 >= -1 and b.y0 >= -1 and b.x1 <= width + 1 and b.y1 <= height + 1 for b in boxes)


@pytest.mark.parametrize("k", [2, 40])
def test_clusters_have_their_numbers_in_every_picture(k: int) -> None:
    e, truth = noisy(400, k)
    r = ge.eac(e, k, linkage="average")
    X = np.random.default_rng(0).normal(size=(400, 2)) + 9 * np.column_stack([truth % 7, truth // 7])
    numbers = {str(c) for c in range(k)}
    for shown in (r.plot("scatter", X=X), r.plot("map")):
        assert numbers <= {t.get_text() for t in shown.ax_.texts}
        assert inside(shown)
    tree = r.plot("tree")
    drawn = [t.get_text() for t in tree.ax_.texts]
    assert len(numbers & set(drawn)) >= min(k, 20)
    assert inside(tree)
    graph = ge.lwgp(e, k, seed=0).plot("graph", what="bipartite")
    assert len(numbers & {t.get_text() for t in graph.ax_.texts}) >= 0.9 * k
    clusters = r.plot("graph", what="clusters")
    assert numbers <= {t.get_text().split("\n")[0] for t in clusters.ax_.texts}
    flow = r.plot("flow", columns=["P0"])
    assert len(numbers & {t.get_text() for t in flow.ax_.texts}) >= 0.9 * k
    strip = ge.plot.TrackingDisplay.from_labelings({2: np.minimum(r.labels, 1), k: r.labels}, first=k).plot()
    assert len(numbers & {t.get_text() for t in strip.ax_.texts}) >= min(k, 15)
    layers = ge.Ensemble(np.column_stack([truth // 8, truth]))
    nodes = ge.clustree(layers).plot()
    assert "0" in {t.get_text() for t in nodes.ax_.texts}


def test_a_graph_of_many_vertices_is_a_map_of_clusters() -> None:
    e, _ = noisy(400, 5)
    r = ge.hbgf(e, 5, seed=0)
    shown = r.plot("graph")
    assert isinstance(shown, ge.plot.ClusterMapDisplay)
    np.testing.assert_array_equal(shown.sizes, np.bincount(r.labels))
    s = ge.coassociation(e).to_scipy().toarray()
    for a, b, weight in zip(*shown.ties, strict=True):
        assert weight == pytest.approx(s[np.ix_(r.labels == a, r.labels == b)].mean())
    least = r.uncertain(8)
    assert shown.names == least.index[(least["confidence"] < 0.9) & (least["rival"] >= 0)].tolist()
    small = ge.hbgf(noisy(40, 3)[0], 3, seed=0)
    assert isinstance(small.plot("graph"), ge.plot.GraphDisplay)
    assert isinstance(small.plot("graph", what="clusters"), ge.plot.ClusterMapDisplay)
    assert small.plot("graph", what="bipartite").graph.kind == "bipartite"


def test_of_a_large_network_the_lines_are_its_edges() -> None:
    nx = pytest.importorskip("networkx")

    G = nx.random_partition_graph([80] * 5, 0.2, 0.005, seed=1)
    r = ge.communities(G, 8, seed=0)
    shown = r.plot("graph")
    assert shown.edges
    for a, b, many in zip(*shown.ties, strict=True):
        assert many == sum({r.labels[i], r.labels[j]} == {a, b} for i, j in G.edges)


@pytest.mark.parametrize(
    ("draw", "style", "read"),
    [
        (lambda r, **s: r.plot("heatmap", **s), {"cmap": "viridis"}, lambda a: a.get_cmap().name),
        (lambda r, **s: r.plot("heatmap", **s), {"vmax": 0.5}, lambda a: a.get_clim()[1]),
        (lambda r, **s: r.plot("map", **s), {"alpha": 0.5}, lambda a: a[0].get_alpha()),
        (lambda r, **s: r.plot("scatter", X=np.zeros((40, 2)), **s), {"s": 7}, lambda a: a[0].get_sizes()[0]),
        (lambda r, **s: r.plot("tree", **s), {"lw": 3}, lambda a: a[0].get_linewidth()[0]),
        (lambda r, **s: r.plot("flow", **s), {"alpha": 0.3}, lambda a: a[0].get_alpha()),
        (lambda r, **s: ge.metagraph(r.ensemble).plot(**s), {"alpha": 0.2}, lambda a: a[0].get_alpha()),
        (lambda r, **s: r.ensemble.plot(**s), {"cmap": "Greens"}, lambda a: a.get_cmap().name),
    ],
)
def test_style_reaches_the_main_artist(draw, style, read) -> None:
    r = ge.eac(noisy(40, 3)[0], 3)
    assert read(draw(r, **style).artist_) == next(iter(style.values()))
    with pytest.raises(TypeMismatch, match=r"no option alpa; .*Did you mean alpha"):
        draw(r, alpa=0.5)


def test_given_axes_have_a_title_of_one_line_and_no_caption() -> None:
    r = ge.eac(noisy(40, 3)[0], 3)
    _, axes = plt.subplots(2, 3, figsize=(7, 4), layout="constrained")
    for ax, kind in zip(axes.ravel(), ("heatmap", "confidence", "graph", "tree", "map", "flow"), strict=True):
        r.plot(kind, ax)
        assert not [text for text in ax.texts if text.get_gid() == "caption"]
    axes[0, 0].figure.draw_without_rendering()
    titles = [ax._left_title.get_window_extent() for ax in axes.ravel()]
    assert not any(a.overlaps(b) for i, a in enumerate(titles) for b in titles[:i])


def test_numbers_stand_on_an_object_and_can_be_read() -> None:
    rng = np.random.default_rng(0)
    turn = rng.uniform(0, 2 * np.pi, 300)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    shown = ge.vote(np.repeat([[0, 0], [1, 1]], 150, axis=0)).plot("scatter", X=ring)
    assert np.isclose(ring[:150], shown.centers[0]).all(axis=1).any()  # not in the empty middle
    from graphens.plot.colors import legible

    def light(shade: str) -> float:
        v = np.array(mpl.colors.to_rgb(shade))
        v = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
        return float(v @ [0.2126, 0.7152, 0.0722])

    for c in range(80):
        a, b = sorted([light(color(c)), light(legible(color(c)))])
        assert (b + 0.05) / (a + 0.05) > 3.0


def test_blocks_of_many_objects_stand_in_series() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=4000)
    halves = rng.integers(2, size=4000)  # inside each cluster two groups that half of the partitions tell apart
    e = ge.Ensemble(np.column_stack([truth] * 6 + [2 * truth + halves] * 6))
    shown = ge.lwgp(e, 2, seed=0).plot()
    own = shown.similarity[np.ix_(shown.label == 0, shown.label == 0)]
    neighbors = np.diagonal(own, 1)
    assert np.count_nonzero(neighbors < 0.75) <= 2  # one border between the two groups, not a tartan


def test_a_hypergraph_is_drawn_up_to_60_hyperedges() -> None:
    e, _ = noisy(300, 25, partitions=3)
    with pytest.raises(InputError, match="75 hyperedges was given; expected at most 60"):
        ge.hypergraph(e).plot()
    shown = ge.hypergraph(e.take(partitions=[0, 1])).plot()
    assert shown.incidence.shape == (40, 50)
    assert (shown.incidence.sum(axis=1) == 2).all()
    assert "40 of 300 objects" in texts(shown.ax_)
    small = ge.hypergraph(noisy(10, 3, partitions=3)[0]).plot()
    assert len(np.unique(small.ax_.collections[0].get_facecolors(), axis=0)) == 3  # one color for each partition


def test_graphs_without_labels_are_colored_by_component_or_role() -> None:
    apart = ge.Graph(sparse.block_diag([np.ones((3, 3)) - np.eye(3)] * 2).toarray())
    shades = {tuple(c.get_facecolor()[0]) for c in apart.plot().ax_.collections if c.get_gid()}
    assert shades == {mpl.colors.to_rgba(color(0)), mpl.colors.to_rgba(color(1))}
    e, _ = noisy(10, 2)
    shades = {tuple(c.get_facecolor()[0]) for c in ge.bipartite(e).plot().ax_.collections if c.get_gid()}
    assert mpl.colors.to_rgba(color(-1)) not in shades


# to send around ----------------------------------------------------------------------------------------------


def test_islands_are_the_components_of_the_threshold_graph(tmp_path) -> None:
    from PIL import Image

    X, _ = ge.datasets.load("half-rings", seed=0)
    e = ge.generate(X, n_partitions=12, k=(10, 30), seed=0)
    r = ge.eac(e)
    shown = ge.plot.IslandsDisplay.from_consensus(r, X, theta=(1.0, 0.5), frames=6)
    graph = ge.coassociation(e)
    for theta, islands in zip(shown.theta, shown.islands, strict=True):
        assert islands == graph.threshold(float(theta)).components().max() + 1
    assert shown.islands[0] == len(X)
    path = ge.plot.animate(r, tmp_path / "rings.gif", X, frames=4)
    with Image.open(path) as image:
        assert image.format == "GIF"
        assert image.n_frames == 4
    assert path.stat().st_size < 1_500_000
    opened = ge.plot.animate(r, tmp_path / "opened.gif", X, frames=4, clusterings=3)
    with Image.open(opened) as image:
        assert image.n_frames == 7
        assert image.size == (800, 420)
    again = ge.plot.animate(r, tmp_path / "again.gif", X, frames=4)
    assert again.read_bytes() == path.read_bytes()
    last = ge.plot.IslandsDisplay.from_consensus(r, X)
    assert last.islands[-1] == r.k
    assert np.mean(last.numbers[-1] == r.labels) > 0.95  # the colors of the consensus
    for wrong in ({"theta": (0.5, 0.9)}, {"frames": 1}, {"X": X[:, :1]}, {"clusterings": 21}):
        with pytest.raises(ge.GraphensError):
            ge.plot.animate(r, tmp_path / "no.gif", **wrong)
    with pytest.raises(ge.GraphensError, match=r"\.gif"):
        ge.plot.animate(r, tmp_path / "rings.mp4")
    assert not (tmp_path / "no.gif").exists()


@pytest.mark.parametrize(("n", "k"), [(7, 3), (500, 40)])
def test_a_card_has_its_size_at_any_number_of_objects(tmp_path, n: int, k: int) -> None:
    from PIL import Image

    e, truth = noisy(n, k)
    r = ge.lwgp(e, k, seed=0)
    path = r.card(tmp_path / "x.png", classes=truth)
    with Image.open(path) as image:
        assert image.size == (1200, 630)
        seen = {c for _, c in image.convert("RGB").getcolors(1 << 24) or []}
    wanted = {tuple(round(255 * part) for part in mpl.colors.to_rgb(color(c))) for c in range(k)}
    assert wanted <= seen
    svg = r.card(tmp_path / "x.svg", title="<mine> & $x$").read_text("utf-8")
    assert "<svg" in svg
    if n == 7:
        assert r.card(tmp_path / "y.png", classes=truth).read_bytes() == path.read_bytes()
    with pytest.raises(ge.GraphensError, match="ends in"):
        r.card(tmp_path / "x.docx")


def test_a_card_is_white_in_every_style(tmp_path) -> None:
    r = ge.eac(noisy(40, 3)[0], 3)
    white = r.card(tmp_path / "white.png").read_bytes()
    with plt.style.context("dark_background"):
        assert r.card(tmp_path / "dark.png").read_bytes() == white


def test_a_band_and_rings_can_be_seen_on_dark_figures() -> None:
    r = ge.eac(noisy(40, 3)[0], 3)
    with plt.style.context("dark_background"):
        tree, scatter = r.plot("tree"), r.plot("scatter", X=np.zeros((40, 2)))
    assert sum(tree.ax_.patches[0].get_facecolor()[:3]) < 1
    assert scatter.artist_[0].get_edgecolor()[0, :3].min() == 1

"""Other packages beside graphens: the same labels, the same number of clusters, measured in turn in one run.

The packages are those of PyPI; one that is not installed is left out, and its kept row stays. This installs them all::

    pip install fastcluster igraph networkx openensembles pyckmeans kemlglearn consensusclustering

ClusterEnsembles runs in an environment of its own, which `benchmarks/pinned.py` makes: with today's SciPy it needs a
repair, and is several times slower than with the SciPy of its time.
What has no package is written here by hand, as a user of NumPy, SciPy, igraph or networkx would write it.
"""

import contextlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from scipy import sparse

import graphens as ge

from .data import Grouped, grouped
from .measuring import measure
from .parts import LeftOut, Part, Row, megabytes, ratio
from .pinned import VERSION, Solver

K, CLUSTERS = 10, (10, 30)
KS = range(2, 7)  # of Monti's panel
RUNS = 20  # of Leiden or Louvain


def data(n: int, b: int) -> Grouped:
    """Ten Gaussian groups in 8 dimensions that overlap, and partitions of 10 to 30 clusters."""
    return grouped(n, b, CLUSTERS, dimensions=8, groups=K, spread=1.5)


@dataclass(frozen=True)
class Peer:
    """A package, the work that both do, and a call of each that returns labels (or a number, where it has none)."""

    package: str
    work: str
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any] | Solver
    make: Callable[[int, int], Any] = data


# linkage on the matrix of all pairs ----------------------------------------------------------------------------------


def distances(g: Grouped) -> np.ndarray:
    """One minus the co-association of all pairs, counted in bytes row by row."""
    codes, n = g.ensemble.codes, g.ensemble.n_objects
    found, place = np.empty(n * (n - 1) // 2), 0
    for i in range(n - 1):
        matches = (codes[:, i + 1 :] == codes[:, i : i + 1]).sum(axis=0, dtype=np.uint8)
        found[place : place + n - 1 - i] = 1.0 - matches / g.ensemble.n_partitions
        place += n - 1 - i
    return found


def scipy_linkage(g: Grouped) -> np.ndarray:
    from scipy.cluster.hierarchy import fcluster, linkage

    return fcluster(linkage(distances(g), "average"), K, "maxclust")


def scipy_single(g: Grouped) -> np.ndarray:
    from scipy.cluster.hierarchy import fcluster, linkage

    return fcluster(linkage(distances(g), "single"), K, "maxclust")


def fastcluster_linkage(g: Grouped) -> np.ndarray:
    import fastcluster
    from scipy.cluster.hierarchy import fcluster

    return fcluster(fastcluster.linkage(distances(g), "average", preserve_input=False), K, "maxclust")


def our_linkage(g: Grouped) -> np.ndarray:
    return ge.eac(g.ensemble, K, linkage="average").labels


# packages that combine labels ----------------------------------------------------------------------------------------


def our(method: str, **options: Any) -> Callable[[Grouped], np.ndarray]:
    return lambda g: ge.consensus(g.ensemble, K, method, seed=0, **options).labels


def open_ensembles(g: Grouped) -> np.ndarray:
    import openensembles as oe
    import pandas as pd
    from scipy.cluster.hierarchy import fcluster

    with contextlib.redirect_stdout(io.StringIO()):
        c = oe.cluster(oe.data(pd.DataFrame(g.points), list(range(g.points.shape[1]))))
        c.labels = {str(t): labels for t, labels in enumerate(g.ensemble.labels.T)}
        return fcluster(c.co_occurrence_matrix().link("average"), K, "maxclust")


# from features -------------------------------------------------------------------------------------------------------


def ckmeans(g: Grouped) -> np.ndarray:
    import pyckmeans

    model = pyckmeans.CKmeans(K, n_rep=50, p_samp=0.8, p_feat=1.0, metrics=(), n_init=1)
    model.fit(g.points)
    return model.predict(g.points).cl


def our_resamples(g: Grouped) -> np.ndarray:
    e = ge.generate(g.points, 50, k=K, sampling="subsample", seed=0, n_jobs=1)
    return ge.eac(e, K, linkage="average").labels


def monti_panel(g: Grouped) -> None:
    from consensusclustering import ConsensusClustering
    from sklearn.cluster import KMeans

    model = ConsensusClustering(KMeans(n_init=1), KS[0], KS[-1], 50, resample_frac=0.8, rng=0)
    model.fit(g.points)
    for k in KS:
        model.cdf(k)


def our_panel(g: Grouped) -> None:
    ge.monti(g.points, KS, n_partitions=50, seed=0).columns()


def coincidence(g: Grouped) -> np.ndarray:
    import joblib
    from kemlglearn.cluster.consensus import SimpleConsensusClustering

    with joblib.parallel_config(backend="sequential"):
        model = SimpleConsensusClustering(K, n_clusters_base=30, ncb_rand=False, n_components=50)
        model.fit(g.points)
    return model.labels_


def our_estimator(g: Grouped) -> np.ndarray:
    model = ge.ConsensusClustering(K, n_partitions=50, k_range=(2, 30), random_state=0, n_jobs=1)
    return model.fit(g.points).labels_


# by hand -------------------------------------------------------------------------------------------------------------


def pairs_loop(g: Grouped) -> float:
    from sklearn.metrics import normalized_mutual_info_score as nmi

    columns = g.ensemble.labels.T
    b = len(columns)
    return sum(nmi(columns[s], columns[t], average_method="geometric") for s in range(b) for t in range(s))


def our_pairs(g: Grouped) -> float:
    table = np.asarray(ge.measures.pairwise(g.ensemble, "nmi"))
    return float(np.tril(table, -1).sum())


def vote_by_hand(g: Grouped) -> np.ndarray:
    from scipy.optimize import linear_sum_assignment

    labels = g.ensemble.labels
    reference = int(np.argmin(g.ensemble.n_clusters))
    most = int(g.ensemble.n_clusters.max())
    scores = np.zeros((len(labels), most))
    for column in labels.T:
        table = np.zeros((most, most))
        np.add.at(table, (column, labels[:, reference]), 1)
        name = linear_sum_assignment(table, maximize=True)[1]
        scores[np.arange(len(labels)), name[column]] += 1
    return scores.argmax(axis=1)


def our_vote(g: Grouped) -> np.ndarray:
    return ge.vote(g.ensemble, reference=int(np.argmin(g.ensemble.n_clusters))).labels


def kmeans_on_incidence(g: Grouped) -> np.ndarray:
    from sklearn.cluster import KMeans

    h = ge.hypergraph(g.ensemble).incidence
    return KMeans(K, n_init=1, random_state=0).fit(h).labels_


def weighted_cut(g: Grouped) -> np.ndarray:
    """LWGP with sparse matrix products and k-means on all rows."""
    from scipy.sparse.linalg import eigsh
    from sklearn.cluster import KMeans

    e = g.ensemble
    h = ge.hypergraph(e).incidence
    shared = (h.T @ h).tocsr()
    size, cells = shared.diagonal(), shared.tocoo()
    p = cells.data / size[cells.row]
    entropy = np.bincount(cells.row, weights=-p * np.log2(p), minlength=h.shape[1])
    a = sparse.csr_array(h * np.exp(-entropy / (0.4 * e.n_partitions)))
    degree = a.sum(axis=1)
    w = (a.T @ sparse.csr_array(a / degree[:, None])).tocsr()
    root = 1 / np.sqrt(w.sum(axis=1))
    v = eigsh(sparse.csr_array((w * root) * root[:, None]), k=K, v0=np.ones(len(root)))[1]
    u = (a @ (root[:, None] * v)) / degree[:, None]
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    return KMeans(K, n_init=3, random_state=0).fit(u).labels_


# networks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Network:
    """Planted groups of vertices, and edges."""

    n: int
    edges: np.ndarray
    truth: np.ndarray


def network(n: int, degree: int) -> Network:
    """Groups of 50 vertices in random order; six edges of ten stay inside."""
    rng = np.random.default_rng(n)
    m = n * degree // 2
    source = rng.integers(n, size=m)
    inside = rng.random(m) < 0.6
    near = source // 50 * 50 + rng.integers(50, size=m)
    target = np.where(inside, np.minimum(near, n - 1), rng.integers(n, size=m))
    name = rng.permutation(n)
    edges = np.unique(np.sort(name[np.column_stack([source, target])], axis=1), axis=0)
    return Network(n, edges[edges[:, 0] != edges[:, 1]], np.argsort(name) // 50)


def _until_one(n: int, first: list[np.ndarray], again: Callable[[np.ndarray, np.ndarray], list[np.ndarray]]) -> Any:
    """Consensus by hand: shares of all pairs, those above one half clustered again until all runs agree."""
    runs = first
    for _ in range(10):
        shares = sum((run[:, None] == run).astype(np.float32) for run in runs) / np.float32(len(runs))
        if ((shares == 0) | (shares == 1)).all():
            break
        rows, columns = np.nonzero(np.triu(shares >= 0.5, 1))
        runs = again(np.column_stack([rows, columns]), shares[rows, columns])
    return runs[0]


def igraph_by_hand(g: Network) -> np.ndarray:
    import random

    import igraph

    random.seed(0)

    def runs(edges: np.ndarray, weights: np.ndarray | None) -> list[np.ndarray]:
        graph = igraph.Graph(g.n, edges.tolist())
        w = None if weights is None else weights.tolist()
        found = (graph.community_leiden("modularity", weights=w, n_iterations=-1) for _ in range(RUNS))
        return [np.array(one.membership) for one in found]

    return _until_one(g.n, runs(g.edges, None), runs)


def networkx_by_hand(g: Network) -> np.ndarray:
    import networkx as nx

    def runs(edges: np.ndarray, weights: np.ndarray | None) -> list[np.ndarray]:
        graph = nx.Graph()
        graph.add_nodes_from(range(g.n))
        w = np.ones(len(edges)) if weights is None else weights
        graph.add_weighted_edges_from(zip(*edges.T.tolist(), w.tolist(), strict=True))
        found = []
        for seed in range(RUNS):
            labels = np.empty(g.n, dtype=int)
            for name, group in enumerate(nx.community.louvain_communities(graph, seed=seed)):
                labels[list(group)] = name
            found.append(labels)
        return found

    return _until_one(g.n, runs(g.edges, None), runs)


def our_communities(base: str) -> Callable[[Network], np.ndarray]:
    def ours(g: Network) -> np.ndarray:
        m = np.ones(len(g.edges))
        half = sparse.coo_array((m, tuple(g.edges.T)), shape=(g.n, g.n))
        graph = ge.Graph((half + half.T).tocsr())
        return ge.communities(graph, RUNS, base=base, method="recluster", seed=0, n_jobs=1).labels

    return ours


PEERS: dict[str, Peer] = {
    "SciPy": Peer("scipy", "average link", our_linkage, scipy_linkage),
    "SciPy, single link": Peer(
        "scipy", "single link", lambda g: ge.eac(g.ensemble, K, linkage="single").labels, scipy_single
    ),
    "fastcluster": Peer("fastcluster", "average link", our_linkage, fastcluster_linkage),
    "OpenEnsembles": Peer("openensembles", "average link", our_linkage, open_ensembles),
    "ClusterEnsembles, CSPA": Peer("ensembleclustering", "CSPA", our("cspa"), Solver("cspa", K)),
    "ClusterEnsembles, HBGF": Peer("ensembleclustering", "HBGF", our("hbgf"), Solver("hbgf", K)),
    "ClusterEnsembles, MCLA": Peer("ensembleclustering", "MCLA", our("mcla"), Solver("mcla", K)),
    "ClusterEnsembles, HGPA": Peer("ensembleclustering", "HGPA", our("hgpa"), Solver("hgpa", K)),
    "pyckmeans": Peer("pyckmeans", "features, 50 k-means runs, average link", our_resamples, ckmeans),
    "consensusclustering": Peer(
        "consensusclustering", "Monti's panel, k = 2 to 6, 50 resamples", our_panel, monti_panel
    ),
    "kemlglearn": Peer("kemlglearn", "features, 50 k-means runs, consensus", our_estimator, coincidence),
    "scikit-learn, NMI": Peer("scikit-learn", "NMI of all pairs of partitions", our_pairs, pairs_loop),
    "scikit-learn, k-means": Peer(
        "scikit-learn", "k-means on the incidence", our("qmi", n_init=1), kmeans_on_incidence
    ),
    "NumPy and SciPy, vote": Peer("scipy", "vote", our_vote, vote_by_hand),
    "SciPy and scikit-learn, LWGP": Peer("scipy", "LWGP", our("lwgp"), weighted_cut),
    "igraph": Peer(
        "igraph", "consensus communities, 20 Leiden runs", our_communities("leiden"), igraph_by_hand, network
    ),
    "networkx": Peer(
        "networkx", "consensus communities, 20 Louvain runs", our_communities("louvain"), networkx_by_hand, network
    ),
}
#: name, objects, partitions (of a network: mean degree); what other packages can be waited for
SIZES = (
    ("SciPy", 2_500, 50),
    ("SciPy", 5_000, 50),
    ("SciPy", 10_000, 50),
    ("SciPy", 20_000, 50),
    ("SciPy, single link", 20_000, 50),
    ("fastcluster", 2_500, 50),
    ("fastcluster", 5_000, 50),
    ("fastcluster", 10_000, 50),
    ("fastcluster", 20_000, 50),
    ("OpenEnsembles", 1_000, 50),
    ("ClusterEnsembles, CSPA", 2_000, 20),
    ("ClusterEnsembles, HBGF", 2_000, 20),
    ("ClusterEnsembles, MCLA", 2_000, 10),
    ("ClusterEnsembles, HGPA", 2_000, 20),
    ("pyckmeans", 2_000, 50),
    ("consensusclustering", 1_000, 50),
    ("kemlglearn", 2_000, 50),
    ("scikit-learn, NMI", 100_000, 20),
    ("scikit-learn, k-means", 100_000, 20),
    ("NumPy and SciPy, vote", 100_000, 20),
    ("SciPy and scikit-learn, LWGP", 100_000, 20),
    ("SciPy and scikit-learn, LWGP", 1_000_000, 20),
    ("igraph", 2_000, 20),
    ("networkx", 1_000, 20),
)


def beside(peer: str, n: int, b: int) -> dict[str, Any]:
    """Both calls on the same data: processor seconds, memory, agreement with the groups that the data have."""
    one = PEERS[peer]
    try:
        number = VERSION if isinstance(one.theirs, Solver) else version(one.package)
    except PackageNotFoundError:
        raise LeftOut(f"{one.package} is not installed") from None
    g, small = one.make(n, b), one.make(200, 8)
    ours, theirs = (
        call.measured(g, small) if isinstance(call, Solver) else measure(_quiet, call, g, warm=(call, small))
        for call in (one.ours, one.theirs)
    )
    return {
        "package": one.package,
        "version": number,
        "seconds": ours.seconds,
        "seconds of peer": theirs.seconds,
        "peak": ours.peak,
        "peak of peer": theirs.peak,
        "agreement": _agreement(g, ours.value),
        "agreement of peer": _agreement(g, theirs.value),
    }


def _quiet(call: Callable[[Any], Any], g: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(g)


def _agreement(g: Any, value: Any) -> float | None:
    """ARI with the truth; a number stands for itself."""
    if value is None or np.ndim(value) == 0:
        return None if value is None else float(value)
    return float(ge.measures.ari(g.truth, np.asarray(value).astype(int)))


def _shown_agreement(field: str) -> Callable[[Row], str]:
    return lambda row: f"{row[field]:.3f}" if row.get(field) is not None and abs(row[field]) <= 1 else "–"


def _cases(sizes: tuple[tuple[str, int, int], ...]) -> list[dict[str, Any]]:
    return [{"peer": name, "n": n, "b": b} for name, n, b in sizes]


PARTS = (
    Part(
        "peers-calls",
        "Other packages: the same work in the same run",
        beside,
        cases=_cases(SIZES),
        quick=_cases(tuple((name, 300, 8) for name in PEERS)),
        columns={
            "package": lambda row: f"{row['peer'].partition(',')[0]} {row['version']}",
            "work": lambda row: PEERS[row["peer"]].work,
            "objects": "n",
            "partitions": lambda row: "" if PEERS[row["peer"]].make is network else row["b"],
            "its CPU s": "seconds of peer",
            "graphens, CPU s": "seconds",
            "ratio": ratio("seconds of peer", "seconds"),
            "its memory": megabytes("peak of peer"),
            "graphens, memory": megabytes("peak"),
            "its ARI": _shown_agreement("agreement of peer"),
            "graphens, ARI": _shown_agreement("agreement"),
        },
        chart="graphens, CPU s; its CPU s | by: package; work; objects | log",
        note="Ten overlapping Gaussian groups in 8 dimensions, k = 10; networks have planted groups of 50. ARI is the "
        "agreement with those groups (single link joins groups that overlap, in every package). The better of two "
        "calls, after a first small call. ClusterEnsembles has an environment of its own, with the SciPy of its time.",
    ),
)

"""The default of the estimator: seven algorithms answer, and the gaps in the data choose an answer or combine all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, LabelArray, canonical, divide
from .._lib.features import unrounded
from .._lib.threads import one_pool_thread
from ..errors import collect_warnings
from ..families.outcome import Outcome, to_consensus
from ..families.policy import POLICY
from ..families.trials import Trial
from ..generators.bases import Spectral, repeated
from ..generators.pieces import Neighborhood, Neighborhoods
from ..graphs.coassociation import coassociation
from ..graphs.graph import Graph
from ..graphs.matrices import membership, tidy
from ..kernels._jit import stopwatch
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..measures.agreement import score
from ..result.consensus import Consensus
from ..trees import link

_WIDE = 50  # dimensions beyond which mixtures and trees use principal components
_TINY = 1e-300

#: (points, k, seed) -> labels
Answer = Callable[[FloatArray, int, int], AnyArray]


def follow_gaps(
    pieces: Consensus, X: Any, neighborhoods: Neighborhoods, seed: int, weight: FloatArray | None = None
) -> Consensus:
    """Return the answer of one of seven algorithms if it follows gaps in the data, otherwise average link of all.

    `pieces` is the consensus of the base "pieces", which is the first answer and has the number of clusters. Algorithms
    that take no weights get every row as often as its weight says, or do not answer.

    The cut of an answer is the mean over its clusters of the share of link weight that leaves the cluster, in the graph
    of ten nearest neighbors with weights exp(−d²/(s_i s_j)), s the distance to the seventh. The evenness is the entropy
    of the sizes divided by ln k. If the smallest cut is below 0.03, the answer with the largest −ln(cut + 0.003) + 2 ·
    evenness is returned, otherwise average linkage of the co-association of all answers. Rounded features are spread
    out for the graph.

    References
    ----------
    Zelnik-Manor and Perona, Self-tuning spectral clustering, 2004. Baudry, Raftery, Celeux, Lo and Gottardo, Combining
    mixture components for clustering, 2010.
    """
    k, near = pieces.k, neighborhoods.of(X)
    if k < 2 or len(near.counts) <= k:
        return pieces
    with one_pool_thread(), collect_warnings():  # algorithms that do not converge answer all the same
        points = dense_points(X, seed)
        links = neighbor_links(X if isinstance(X, np.ndarray) else points, near, seed)
        trials = [Trial("pieces", pieces.k, pieces.score, result=pieces)]
        answers = {"pieces": np.asarray(pieces.labels)}
        for name, algorithm in _algorithms(X, neighborhoods, weight).items():
            seconds = stopwatch()
            try:
                if weight is None or name in _WEIGH:
                    answers[name] = algorithm(points, k, seed)
                else:
                    rows, first = repeated(weight, name)
                    answers[name] = np.asarray(algorithm(points[rows], k, seed))[first]
                trials.append(Trial(name, score=score(canonical(answers[name]), pieces.ensemble), seconds=seconds()))
            except (ValueError, np.linalg.LinAlgError) as error:  # a mixture of too few objects
                trials.append(Trial(name, note=str(error), seconds=seconds()))
    trials = [_judge(trial, answers.get(trial.method), links, k, weight) for trial in trials]
    r = combine_answers(pieces, answers, links, trials)
    return r if weight is None else r._replace(why=f"{r.why} {_weighing(answers, trials)}")


def _weighing(answers: Mapping[str, AnyArray], trials: list[Trial]) -> str:
    """What became of the weights."""
    left = [trial.method for trial in trials if trial.method not in answers]
    if left:
        return f"{', '.join(left)} cannot use weights and gave no answer."
    repeated_for = ", ".join(name for name in answers if name not in _WEIGH)
    return f"Rows were repeated according to their weights for {repeated_for}."


def combine_answers(pieces: Consensus, answers: Mapping[str, AnyArray], links: Graph, trials: list[Trial]) -> Consensus:
    """The answer that follows the gaps, or average link of all."""
    judged = [t for t in trials if t.cut is not None and t.value is not None]
    if min(t.cut for t in judged if t.cut is not None) < POLICY.gap:
        best = max(judged, key=lambda t: t.value or 0.0)
        cut = f"{100 * max(best.cut or 0.0, 0.0):.1f}%"
        why = (
            f"There are gaps between groups of objects: {best.method} follows them best (cuts {cut} of neighbor links)."
        )
        outcome = Outcome(answers[best.method], graph=links)
    else:
        weights = pieces.ensemble.object_weights
        graph = coassociation(Ensemble._of_labels([canonical(labels) for labels in answers.values()], weights))
        tree = link(graph, "average")
        many = f"{_NUMBERS.get(len(answers), len(answers))} algorithm{'s' * (len(answers) != 1)}"
        why = f"There are no gaps between groups of objects, so average linkage combines the answers of {many}."
        outcome = Outcome(tree.cut(pieces.k), graph=graph, dendrogram=tree)
    options = {} if pieces.choice else {"k": pieces.k}
    r = to_consensus("auto", Ready.of(pieces.ensemble), outcome, options)
    reason = f"{pieces.choice.why} {why}" if pieces.choice else why
    return r._replace(why=reason, trials=tuple(trials), choice=pieces.choice)


_WEIGH = ("pieces", "spectral", "kmeans")  # take weights
_NUMBERS = {7: "seven", 6: "six", 5: "five", 4: "four", 3: "three"}


# the graph that judges -------------------------------------------------------------------------------------------


def neighbor_links(points: FloatArray, near: Neighborhood, seed: int) -> Graph:
    """The graph of ten nearest neighbors, weighted by distance in the scale of both ends."""
    spread = unrounded(points, seed)
    if spread is not points or near.weights is not None or len(near.lists) != len(points):
        near = Neighborhood.of(spread)
    width = near.distances[:, min(7, near.lists.shape[1] - 1)]
    scale = np.maximum(width[near.index, None] * width[near.lists[near.index]], _TINY)
    weight = np.exp(-np.minimum(near.distances[near.index] ** 2 / scale, 700.0))
    n = len(near.index)
    first = np.unique(near.index, return_index=True)[1]
    ends = np.repeat(np.arange(n), weight.shape[1]), first[near.lists[near.index]].ravel()
    half = sparse.csr_array((weight.ravel(), ends), shape=(n, n))
    return Graph._trusted(tidy(half.maximum(half.T)), Graph(sparse.csr_array((n, n))), kind="neighbors")


def _judge(trial: Trial, labels: AnyArray | None, links: Graph, k: int, weight: FloatArray | None) -> Trial:
    """The trial with its cut and evenness."""
    if labels is None:
        return trial
    _, parts = np.unique(labels, return_inverse=True)
    sizes = np.bincount(parts, weight)
    inside = membership(parts.astype(np.int32), len(sizes))
    within = (inside.T @ (links.adjacency @ inside)).diagonal()
    total = inside.T @ links.degree()
    cut = float(np.mean(1.0 - divide(within, total)))
    share = sizes / sizes.sum()
    evenness = float(-(share * np.log(share)).sum() / np.log(k))
    value = float(-np.log(cut + POLICY.gap / 10) + 2 * evenness)
    return replace(trial, k=len(sizes), cut=cut, evenness=evenness, criterion="gaps", value=value)


# the algorithms --------------------------------------------------------------------------------------------------


def dense_points(X: Any, seed: int) -> FloatArray:
    """The features, or their leading principal components if there are many or if they are sparse."""
    from sklearn.decomposition import PCA, TruncatedSVD

    most = min(_WIDE, min(X.shape) - 1)
    if X.shape[1] > _WIDE and most > 0:
        kind = TruncatedSVD if sparse.issparse(X) else PCA
        return np.asarray(kind(most, random_state=seed).fit_transform(X), dtype=np.float64)
    return np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)


def _algorithms(X: Any, neighborhoods: Neighborhoods, weight: FloatArray | None) -> dict[str, Answer]:
    def spectral(points: FloatArray, k: int, seed: int) -> AnyArray:
        return Spectral(k, seed, neighborhoods).fit_predict(X, weight)

    def kmeans(points: FloatArray, k: int, seed: int) -> AnyArray:
        from sklearn.cluster import KMeans

        return KMeans(k, n_init=10, random_state=seed).fit(X, sample_weight=weight).labels_

    return {
        "spectral": spectral,
        "genie": lambda points, k, seed: link(points, "genie").cut(k),
        "kmeans": kmeans,
        "full mixture": lambda points, k, seed: _mixture(points, k, seed, 3).predict(points),
        "tied mixture": lambda points, k, seed: _mixture(points, k, seed, 3, "tied").predict(points),
        "merged mixture": merged_mixture,
    }


def _mixture(points: FloatArray, k: int, seed: int, starts: int, covariance: str = "full") -> Any:
    from sklearn.mixture import GaussianMixture

    spread = max(float(points.var(axis=0).mean()), _TINY)
    model = GaussianMixture(k, covariance_type=covariance, n_init=starts, reg_covar=1e-6 * spread, random_state=seed)
    return model.fit(points)


def merged_mixture(points: FloatArray, k: int, seed: int) -> LabelArray:
    """Mixture with the number of components of lowest BIC, merged to k clusters by the largest fall in entropy.

    Rounded features are spread out: on a lattice, components that shrink to single values have the lowest BIC.
    """
    n, points = len(points), unrounded(points, seed)
    numbers = {k, round(1.5 * k), 2 * k, 3 * k, round(4.5 * k), 8, 15}
    models = [_mixture(points, c, seed, 1) for c in sorted(numbers) if c == k or k < c <= n // 20]
    best = min(models, key=lambda model: model.bic(points))
    return merge_components(best.predict_proba(points), k)


def merge_components(posterior: FloatArray, k: int) -> LabelArray:
    """Merge the columns of memberships to k, always the two that lower the entropy most; return labels. O(nc²)."""
    parts = list(posterior.T)
    falls = np.full((len(parts), len(parts)), -np.inf)
    for b in range(len(parts)):
        for a in range(b):
            falls[a, b] = _fall(parts[a], parts[b])
    while len(parts) > k:
        a, b = divmod(int(falls.argmax()), len(parts))
        parts[a] = parts[a] + parts.pop(b)
        falls = np.delete(np.delete(falls, b, axis=0), b, axis=1)
        for c in range(len(parts)):
            if c != a:
                falls[min(a, c), max(a, c)] = _fall(parts[a], parts[c])
    return np.argmax(parts, axis=0).astype(np.int32)


def _fall(a: FloatArray, b: FloatArray) -> float:
    from scipy.special import xlogy

    both = a + b
    return float((xlogy(both, both) - xlogy(a, a) - xlogy(b, b)).sum())

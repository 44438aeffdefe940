"""Slow plain versions, written from the definitions: loops over objects and pairs, nothing shared with the library."""

import itertools
import math
from collections.abc import Iterator

import numpy as np
from scipy import sparse

import graphens as ge
from graphens.cutting.spectral import BipartiteCuts, walk_of
from graphens.graphs.bipartite import Biadjacency, LabelBiadjacency


def random_ensemble(
    rng: np.random.Generator, n: int | None = None, b: int | None = None, *, k: int = 4, missing: float = 0.25
) -> ge.Ensemble:
    """A small ensemble, half of the time with missing labels, half of the time with weights."""
    n = int(rng.integers(1, 14)) if n is None else n
    b = int(rng.integers(1, 6)) if b is None else b
    labels = rng.integers(0, k, size=(n, b))
    if missing and rng.random() < 0.5:
        labels[rng.random((n, b)) < missing] = -1
    weights = rng.integers(1, 5, size=b) / 2 if rng.random() < 0.5 else None
    object_weights = rng.integers(1, 4, size=n) if rng.random() < 0.5 else None
    return ge.Ensemble.from_partitions(list(labels.T), weights=weights, object_weights=object_weights)


def ensemble_with_twins(
    rng: np.random.Generator,
    *,
    n: int | None = None,
    missing: bool = False,
    weighted: bool = False,
    object_weights: bool = False,
) -> ge.Ensemble:
    """A small ensemble in which some objects share all labels; if some are missing, some may have none in common."""
    n, b = n or int(rng.integers(2, 15)), int(rng.integers(1, 7))
    labels = np.stack([rng.integers(0, rng.integers(1, 5), size=n) for _ in range(b)], axis=1)
    twins = rng.integers(0, n, size=n // 3)
    labels[rng.integers(0, n, size=len(twins))] = labels[twins]
    if missing:
        labels = np.where(rng.random(labels.shape) < 0.25, -1, labels)
        labels[np.arange(n), rng.integers(0, b, size=n)] = 0  # nobody is absent everywhere
    weights = rng.random(b) + 0.1 if weighted else None
    return ge.Ensemble(labels, weights=weights, object_weights=rng.integers(1, 4, size=n) if object_weights else None)


def biadjacency(incidence: object, weights: np.ndarray | None = None) -> Biadjacency:
    """Of the clusters of an ensemble, each with a weight, or of a matrix, each row of which counts so often."""
    if isinstance(incidence, ge.Ensemble):
        of_partitions = np.repeat(incidence.weights, incidence.n_clusters)
        return LabelBiadjacency(incidence, of_partitions * (1.0 if weights is None else weights))
    counts = np.ones(incidence.shape[0]) if weights is None else weights
    return Biadjacency(sparse.csr_array(sparse.csr_array(incidence) * counts[:, None]), counts)


def transfer_cut(incidence: object, k: int) -> np.ndarray:
    return BipartiteCuts(biadjacency(incidence), k).cut(k, 0)


def transfer_embedding(incidence: object, k: int, weights: np.ndarray | None = None) -> np.ndarray:
    a = biadjacency(incidence, weights)
    return a.expand(a.mean_rows(walk_of(a).table(k)))


def random_labeling(rng: np.random.Generator, n: int, k: int = 3, unassigned: float = 0.2) -> np.ndarray:
    labels = rng.integers(0, min(k, n), size=n)
    labels[rng.random(n) < unassigned] = -1
    return labels


def random_similarities(rng: np.random.Generator, n: int, *, distinct: bool = True) -> np.ndarray:
    """A symmetric matrix with some zeros; without ties unless asked for."""
    full = rng.random((n, n)) if distinct else rng.integers(0, 5, size=(n, n)) / 5
    full[rng.random((n, n)) < 0.3] = 0
    upper = np.triu(full, 1)
    return upper + upper.T


def every_partition(n: int) -> Iterator[np.ndarray]:
    """All partitions of n objects, as labels in order of first appearance."""

    def grow(start: list[int]) -> Iterator[list[int]]:
        if len(start) == n:
            yield start
            return
        for c in range(max(start, default=-1) + 2):
            yield from grow([*start, c])

    return (np.array(found) for found in grow([]))


# the definitions of the graphs ------------------------------------------------------------------------------


def evidence(e: ge.Ensemble, shares: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Weight of the partitions that have i and j together, by the shares of clusters, and of those that have both."""
    labels, (together, both) = e.labels, np.zeros((2, e.n_objects, e.n_objects))
    for i, j, t in itertools.product(range(e.n_objects), range(e.n_objects), range(e.n_partitions)):
        a, b = labels[i, t], labels[j, t]
        if a >= 0 and b >= 0:
            both[i, j] += e.weights[t]
            if a == b:
                together[i, j] += e.weights[t] * (1.0 if shares is None else shares[e.offsets[t] + a])
    return together, both


def coassociation(e: ge.Ensemble, shares: np.ndarray | None = None) -> np.ndarray:
    """S_ij = Σ w [same cluster] / Σ w [both present]; 0 without evidence, 0 on the diagonal."""
    together, both = evidence(e, shares)
    s = np.divide(together, both, out=np.zeros_like(together), where=both > 0)
    np.fill_diagonal(s, 0)
    return s


def clusters(e: ge.Ensemble) -> list[tuple[int, set[int]]]:
    """Every cluster as its partition and its set of objects, in the order of the hyperedges."""
    labels = e.labels
    return [
        (t, {i for i in range(e.n_objects) if labels[i, t] == c})
        for t in range(e.n_partitions)
        for c in range(int(e.n_clusters[t]))
    ]


def metagraph(e: ge.Ensemble, similarity: str) -> np.ndarray:
    found = clusters(e)

    def weight(members: set[int]) -> float:
        return sum(float(e.object_weights[i]) for i in members)

    def value(a: set[int], b: set[int]) -> float:
        both = weight(a & b)
        if not both:
            return 0.0
        below = {
            "jaccard": weight(a | b),
            "overlap": min(weight(a), weight(b)),
            "dice": (weight(a) + weight(b)) / 2,
            "count": 1.0,
        }
        return both / below[similarity]

    return np.array(
        [[0.0 if i == j else value(a, b) for j, (_, b) in enumerate(found)] for i, (_, a) in enumerate(found)]
    )


def connectivity(incidence: np.ndarray, labels: np.ndarray) -> list[int]:
    return [len({labels[i] for i in np.flatnonzero(column) if labels[i] >= 0}) for column in incidence.T]


# the operations on graphs -----------------------------------------------------------------------------------


def threshold(a: np.ndarray, theta: float) -> np.ndarray:
    return np.where(a > theta + 1e-9, a, 0.0)


def neighbors(a: np.ndarray, p: int) -> np.ndarray:
    n = len(a)
    kept = np.zeros_like(a)
    for i in range(n):
        best = sorted((j for j in range(n) if a[i, j] > 0), key=lambda j: (-a[i, j], j))[:p]
        kept[i, best] = a[i, best]
    return np.maximum(kept, kept.T)


def contract(a: np.ndarray, labels: np.ndarray) -> np.ndarray:
    k = int(labels.max(initial=-1)) + 1
    merged = np.zeros((k, k))
    for i, j in itertools.product(range(len(a)), repeat=2):
        if labels[i] >= 0 and labels[j] >= 0 and labels[i] != labels[j]:
            merged[labels[i], labels[j]] += a[i, j]
    return merged


def cut(a: np.ndarray, labels: np.ndarray) -> float:
    return float(contract(a, labels).sum() / 2)


def components(a: np.ndarray) -> list[int]:
    """Flood fill, components numbered in order of first appearance."""
    label = [-1] * len(a)
    for start in range(len(a)):
        if label[start] < 0:
            new, waiting = max(label) + 1, [start]
            while waiting:
                i = waiting.pop()
                if label[i] < 0:
                    label[i] = new
                    waiting.extend(np.flatnonzero(a[i]).tolist())
    return label


def forest_weights(a: np.ndarray) -> list[float]:
    """Kruskal: the weights of a maximum spanning forest, rising; these are the same for every such forest."""
    group = list(range(len(a)))
    kept = []
    edges = [(a[i, j], i, j) for i, j in itertools.combinations(range(len(a)), 2) if a[i, j] > 0]
    for weight, i, j in sorted(edges, reverse=True):
        if group[i] != group[j]:
            old, new = group[i], group[j]
            group = [new if g == old else g for g in group]
            kept.append(float(weight))
    return sorted(kept)


# dendrograms ------------------------------------------------------------------------------------------------


def merge_all(n: int, similarity_of) -> list[tuple[frozenset, frozenset, float]]:
    """The textbook: merge the two most similar groups until one is left. O(n³) and more."""
    groups = [frozenset([i]) for i in range(n)]
    merges = []
    while len(groups) > 1:
        value, a, b = max(
            ((similarity_of(a, b), a, b) for a, b in itertools.combinations(groups, 2)), key=lambda found: found[0]
        )
        groups = [g for g in groups if g not in (a, b)] + [a | b]
        merges.append((a, b, 1.0 - value))
    return merges


def group_similarity(a: np.ndarray, weights: np.ndarray, method: str):
    """How similar two groups of leaves are by single, complete or weighted average link."""

    def of(group_a: frozenset, group_b: frozenset) -> float:
        pairs = [(i, j) for i in group_a for j in group_b]
        if method == "single":
            return max(a[i, j] for i, j in pairs)
        if method == "complete":
            return min(a[i, j] for i, j in pairs)
        total = sum(weights[i] * weights[j] for i, j in pairs)
        return sum(weights[i] * weights[j] * a[i, j] for i, j in pairs) / total

    return of


def evidence_similarity(e: ge.Ensemble, shares: np.ndarray | None = None):
    """Average link by evidence: agreements of all pairs over co-presences of all pairs, by weight."""
    mass = np.outer(e.object_weights, e.object_weights)
    together, both = (mass * counted for counted in evidence(e, shares))

    def of(group_a: frozenset, group_b: frozenset) -> float:
        block = np.ix_(sorted(group_a), sorted(group_b))
        seen = both[block].sum()
        return float(together[block].sum() / seen) if seen > 0 else 0.0

    return of


def link_similarity(e: ge.Ensemble, method: str, shares: np.ndarray | None = None):
    """How similar two groups of objects are in the co-association graph, by single, complete or average link."""
    if method == "average":
        return evidence_similarity(e, shares)
    return group_similarity(coassociation(e, shares), e.object_weights, method)


def groups_at(z: np.ndarray, step: int) -> tuple[frozenset, frozenset]:
    """The two groups of leaves that a row of a linkage matrix joins."""
    n = len(z) + 1

    def leaves(node: int) -> frozenset:
        return frozenset([node]) if node < n else leaves(int(z[node - n, 0])) | leaves(int(z[node - n, 1]))

    return leaves(int(z[step, 0])), leaves(int(z[step, 1]))


def is_greedy(z: np.ndarray, similarity_of) -> bool:
    """Whether every merge of a linkage matrix joins two groups that are, at that time, the most similar."""
    n = len(z) + 1
    groups = [frozenset([i]) for i in range(n)]
    for step in range(n - 1):
        a, b = groups_at(z, step)
        best = max(similarity_of(x, y) for x, y in itertools.combinations(groups, 2))
        if a not in groups or b not in groups or abs(similarity_of(a, b) - best) > 1e-9:
            return False
        if abs(z[step, 2] - (1.0 - best)) > 1e-9:
            return False
        groups = [g for g in groups if g not in (a, b)] + [a | b]
    return True


def normalized_edges(s: np.ndarray, sizes: np.ndarray, theta: float) -> tuple[list[tuple[int, int]], list[float]]:
    """Merges by normalized edges, all pairs looked at every time: O(n³). Groups are named by their smallest vertex."""
    power = 1 + (1 - theta) / (1 + theta)
    adjacent = s > theta + 1e-9
    weight = np.outer(sizes, sizes)
    edges = np.where(adjacent, weight, 0.0)
    strength = np.where(adjacent, np.rint(s * 2**20) * weight, 0.0)
    size = {i: float(c) for i, c in enumerate(sizes)}
    merges, values = [], []
    while True:
        best = None
        for a in size:
            for b in size:
                if a < b and edges[a, b] > 0:
                    expected = (size[a] + size[b]) ** power - (size[a] ** power + size[b] ** power)
                    rank = (edges[a, b] / expected, strength[a, b] / edges[a, b], -a, -b)
                    best = rank if best is None or rank > best else best
        if best is None:
            return merges, values
        a, b = -best[2], -best[3]
        for matrix in (edges, strength):
            matrix[a] += matrix[b]
            matrix[:, a] += matrix[:, b]
        size[a] += size.pop(b)
        merges.append((a, b))
        values.append(best[0])


# agreement --------------------------------------------------------------------------------------------------


def entropy(counts) -> float:
    total = sum(counts)
    return -sum(c / total * math.log(c / total) for c in counts if c)


def nmi(a, b, weights=None, average: str = "geometric") -> float:
    """I / mean(H, H) over the objects that both assign, from counts in dictionaries."""
    weights = np.ones(len(a)) if weights is None else weights
    rows: dict = {}
    columns: dict = {}
    cells: dict = {}
    for x, y, w in zip(a, b, weights, strict=True):
        if x >= 0 and y >= 0:
            rows[x] = rows.get(x, 0.0) + w
            columns[y] = columns.get(y, 0.0) + w
            cells[x, y] = cells.get((x, y), 0.0) + w
    h_a, h_b, h_ab = (entropy(c.values()) for c in (rows, columns, cells))
    mean = {
        "geometric": math.sqrt(h_a * h_b),
        "arithmetic": (h_a + h_b) / 2,
        "min": min(h_a, h_b),
        "max": max(h_a, h_b),
    }[average]
    if h_a < 1e-15 and h_b < 1e-15:
        return 1.0
    return (h_a + h_b - h_ab) / mean if mean > 1e-15 else 0.0


def anmi(labels, e: ge.Ensemble) -> float:
    """Mean NMI with the partitions, each by its weight and the weight of the objects both assign."""
    top = bottom = 0.0
    for t in range(e.n_partitions):
        column = e.labels[:, t]
        both = (column >= 0) & (np.asarray(labels) >= 0)
        if both.any():
            share = e.weights[t] * e.object_weights[both].sum()
            top += share * nmi(labels, column, e.object_weights)
            bottom += share
    return top / bottom if bottom else 0.0


def pair_agreement(a, b) -> tuple[int, int, int, int]:
    """Pairs together in both, only in a, only in b, and in neither."""
    kept = [i for i in range(len(a)) if a[i] >= 0 and b[i] >= 0]
    both = only_a = only_b = neither = 0
    for i, j in itertools.combinations(kept, 2):
        same = (a[i] == a[j], b[i] == b[j])
        both += same == (True, True)
        only_a += same == (True, False)
        only_b += same == (False, True)
        neither += same == (False, False)
    return both, only_a, only_b, neither


def mean_membership(e: ge.Ensemble, labels: np.ndarray, k: int) -> np.ndarray:
    """Σ_t w |C ∩ c_t(i)| / Σ_t w |C present in t| over the partitions that have i, normalized over clusters."""
    table, m = e.labels, e.object_weights
    found = np.zeros((e.n_objects, k))
    for i, c in itertools.product(range(e.n_objects), range(k)):
        same = seen = 0.0
        for t, j in itertools.product(range(e.n_partitions), range(e.n_objects)):
            if labels[j] == c and table[i, t] >= 0 and table[j, t] >= 0:
                seen += e.weights[t] * m[j]
                same += e.weights[t] * m[j] * (table[i, t] == table[j, t])
        found[i, c] = same / seen if seen else 0.0
    found[labels < 0] = 0
    total = found.sum(axis=1, keepdims=True)
    return np.divide(found, total, out=np.zeros_like(found), where=total > 0)


def confidence(e: ge.Ensemble, found: np.ndarray) -> np.ndarray:
    """a / (a + b) of every object; objects of weight m occur m times."""
    return confidence_and_cohesion(e, found)[0]


def confidence_and_cohesion(e: ge.Ensemble, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Confidence and a."""
    labels, k = e.labels, int(found.max(initial=-1)) + 1
    answer, cohesion = np.zeros(e.n_objects), np.zeros(e.n_objects)
    for i in np.flatnonzero(found >= 0):
        near = []
        for c in range(k):
            others = [(j, m - min(m, 1.0) * (i == j)) for j, m in enumerate(e.object_weights) if found[j] == c]
            alone = sum(m for _, m in others) < 1e-9
            met = together = 0.0
            for j, m in others:
                both = (labels[i] >= 0) & (labels[j] >= 0)
                met += m * e.weights[both].sum()
                together += m * e.weights[both & (labels[i] == labels[j])].sum()
            near.append(1.0 if alone else together / met if met > 0 else 0.0)
        a, b = near[found[i]], max((x for c, x in enumerate(near) if c != found[i]), default=0.0)
        answer[i] = a if k == 1 else a / (a + b) if a + b > 0 else 0.5
        cohesion[i] = a
    return answer, cohesion


def splits(e: ge.Ensemble, found: np.ndarray, k: int) -> list[tuple[int, int]]:
    """For each cluster, how many partitions split it, and how many with at most 1.5 k clusters have a member."""
    answer = []
    for c in range(k):
        split = judged = 0
        for t in range(e.n_partitions):
            weights: dict[int, float] = {}
            for i in np.flatnonzero((found == c) & (e.labels[:, t] >= 0)):
                weights[e.labels[i, t]] = weights.get(e.labels[i, t], 0.0) + e.object_weights[i]
            if weights and e.weights[t] > 0 and e.n_clusters[t] <= 1.5 * k:
                judged += 1
                split += max(weights.values()) < 0.9 * sum(weights.values()) - 1e-6
        answer.append((split, judged))
    return answer

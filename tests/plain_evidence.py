"""Slow, plain versions of evidence accumulation, straight from the definitions, to compare the fast ones with."""

import numpy as np

import graphens as ge


def random_ensemble(
    rng: np.random.Generator,
    *,
    n: int | None = None,
    missing: bool = False,
    weighted: bool = False,
    object_weights: bool = False,
) -> ge.Ensemble:
    """A small ensemble; some objects share all labels, and with `missing` some may have none in common."""
    n = n or int(rng.integers(2, 15))
    n_partitions = int(rng.integers(1, 7))
    labels = np.stack([rng.integers(0, rng.integers(1, 5), size=n) for _ in range(n_partitions)], axis=1)
    twins = rng.integers(0, n, size=n // 3)
    labels[rng.integers(0, n, size=len(twins))] = labels[twins]
    if missing:
        labels = np.where(rng.random(labels.shape) < 0.25, -1, labels)
        labels[np.arange(n), rng.integers(0, n_partitions, size=n)] = 0  # nobody is absent everywhere
    return ge.Ensemble(
        labels,
        weights=rng.random(n_partitions) + 0.1 if weighted else None,
        object_weights=rng.integers(1, 4, size=n) if object_weights else None,
    )


def evidence(e: ge.Ensemble, shares: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Weight of the partitions that have i and j together, and that have both."""
    n, labels = e.n_objects, e.labels
    together, both = np.zeros((n, n)), np.zeros((n, n))
    for t in range(e.n_partitions):
        for i in range(n):
            for j in range(n):
                a, b = labels[i, t], labels[j, t]
                if a >= 0 and b >= 0:
                    both[i, j] += e.weights[t]
                    if a == b:
                        share = 1.0 if shares is None else shares[e.offsets[t] + a]
                        together[i, j] += e.weights[t] * share
    return together, both


def similarity(e: ge.Ensemble, shares: np.ndarray | None = None) -> np.ndarray:
    together, both = evidence(e, shares)
    s = np.divide(together, both, out=np.zeros_like(together), where=both > 0)
    np.fill_diagonal(s, 0)
    return s


class Groups:
    """Similarity of two groups by the definition of a linkage."""

    def __init__(self, e: ge.Ensemble, method: str, shares: np.ndarray | None = None) -> None:
        self.method = method
        self.together, self.both = evidence(e, shares)
        self.similarity = similarity(e, shares)
        self.weight = np.outer(e.object_weights, e.object_weights)

    def between(self, a: list[int], b: list[int]) -> float:
        block = np.ix_(a, b)
        if self.method == "average":
            seen = (self.both[block] * self.weight[block]).sum()
            return float((self.together[block] * self.weight[block]).sum() / seen) if seen > 0 else 0.0
        return float(self.similarity[block].max() if self.method == "single" else self.similarity[block].min())


def heights(e: ge.Ensemble, method: str, shares: np.ndarray | None = None) -> np.ndarray:
    """Merge heights of all objects, the closest groups first, all pairs looked at every time."""
    rule = Groups(e, method, shares)
    groups = [[i] for i in range(e.n_objects)]
    found = []
    while len(groups) > 1:
        pairs = [(rule.between(groups[i], groups[j]), -i, -j) for j in range(len(groups)) for i in range(j)]
        value, i, j = max(pairs)
        found.append(1.0 - value)
        groups[-i] += groups.pop(-j)
    return np.array(found)


def is_valid_tree(e: ge.Ensemble, tree: np.ndarray, method: str, shares: np.ndarray | None = None) -> bool:
    """Whether every merge of a tree has the height its groups define, and no pair of groups is closer than it."""
    rule = Groups(e, method, shares)
    groups = {i: [i] for i in range(e.n_objects)}
    for step, (a, b, height, _) in enumerate(tree):
        names = list(groups)
        closest = 1.0 - max(rule.between(groups[x], groups[y]) for i, x in enumerate(names) for y in names[:i])
        own = 1.0 - rule.between(groups[int(a)], groups[int(b)])
        if abs(own - height) > 1e-9 or height > closest + 1e-9:
            return False
        groups[e.n_objects + step] = groups.pop(int(a)) + groups.pop(int(b))
    return True


def components(adjacency: np.ndarray) -> np.ndarray:
    labels = np.arange(len(adjacency))
    for _ in range(len(adjacency)):
        for i, j in zip(*np.nonzero(adjacency), strict=True):
            labels[i] = labels[j] = min(labels[i], labels[j])
    return labels


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

"""Normalized edges: merging the threshold graph of co-association (CA-HNE)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import freeze
from ..errors import DegenerateWarning, warn
from ..graphs.coassociation import coassociation, neighbor_graph
from ..labels.ensemble import Ensemble
from ..trees import link
from .contract import consensus_function
from .outcome import Outcome


@consensus_function(
    family="normalized edges",
    graph="threshold graph of co-association",
    needs_k=False,
    missing="an edge where the pair is together in more than θ of the partitions that have both",
    cost="O(ñ²B + E·log ñ)",
    reference="Li, Yu, Hao and Li 2007",
    per_object=("X",),
    neighbor_lists=("neighbors",),
    merges=True,
)
def hne(
    e: Ensemble,
    k: int | None = None,
    *,
    theta: float = 0.3,
    neighbors: int | ArrayLike | None = None,
    X: Any = None,
    collapse: bool = True,
) -> Outcome:
    """Merge by normalized edges: join the two clusters with the most edges for their sizes, down to k.

    An edge joins i and j if n_ij > θ × (partitions that have both); NE(A, B) = edges(A, B) / ((n_A + n_B)^(1+f) −
    n_A^(1+f) − n_B^(1+f)), f = (1 − θ)/(1 + θ).

    Parameters
    ----------
    k
        Number of clusters; by default, clusters are merged until no edge is left, which is where the algorithm in the
        paper stops at the latest. A smaller k is reached by joining clusters without an edge to the first one, with a
        warning.
    theta
        Threshold; 0.1 to 0.4 work well.
    neighbors, X
        Use only edges between neighbors: lists of neighbors (n × p object numbers), or their number p, to use the
        nearest in the features X or, without X, the objects that are most often together. This keeps the number of
        edges near np.
    collapse
        Whether objects with equal labels start as one weighted cluster; otherwise they start separately. Neighbors
        given by lists or features refer to single objects, so objects are not collapsed then.

    Returns
    -------
    Consensus
        The dendrogram has the merges in order (height = number of the merge / number of leaves, 1 if no edge is left).
        ``details``: "normalized_edges", the NE of every merge.

    Notes
    -----
    Ties go to the larger mean similarity, then to the objects that come first. O(ñ²B) to count the E edges, O(E log ñ)
    to merge them, 32 bytes per neighbor. Li, Yu, Hao and Li, Clustering ensembles based on normalized edges, 2007.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.hne(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]]
    ... ).labels.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    s, index = coassociation(e), np.arange(e.n_objects)
    of_objects = X is not None or (neighbors is not None and np.ndim(neighbors) > 0)
    if collapse and not of_objects:
        s, index = s.collapse()
    graph = (s if neighbors is None else neighbor_graph(s, neighbors, X)).threshold(theta)
    tree = link(graph, "normalized-edges")._replace(index=freeze(index), names=e.vertex_names())
    values = np.asarray(tree._normalized_edges)
    left = tree.n_leaves - len(values)
    if k is not None and k < left:
        warn(
            f"No edges are left between the last {left} clusters, but k = {k} was requested, so clusters were joined "
            f"without evidence. Use a smaller theta than {theta:g}, or k=None.",
            DegenerateWarning,
        )
    cut = tree.cut(left if k is None else k)
    return Outcome(cut, graph=graph, dendrogram=tree, index=index, details={"normalized_edges": values})

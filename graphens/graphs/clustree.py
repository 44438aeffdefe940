"""The tree of clusters: how clusters split and merge from one partition to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import IntArray, freeze
from ..errors import InputError
from ..labels.ensemble import Ensemble, Labels
from .counts import overlap_cells
from .graph import CLUSTER, Graph

if TYPE_CHECKING:
    from ..plot.strips import ClusterTreeDisplay


class ClusterTree(Graph):
    """A graph of clusters in layers, one layer per partition; the weight of an edge is the number of shared objects."""

    layer: IntArray  #: layer of each vertex
    layers: tuple[str, ...]  #: names of the partitions, from the first layer to the last
    ensemble: Ensemble  #: the partitions in that order

    def __init__(self, ensemble: Ensemble) -> None:
        super().__init__(
            _shared(ensemble),
            vertex_weights=ensemble.cluster_sizes(),
            roles=np.full(int(ensemble.offsets[-1]), CLUSTER),
            names=ensemble.cluster_names,
            kind="cluster tree",
        )
        layer = np.repeat(np.arange(ensemble.n_partitions), ensemble.n_clusters)
        self._set_fields(layer=freeze(layer), layers=tuple(ensemble.partition_names), ensemble=ensemble)

    def plot(self, ax: Any = None, **options: Any) -> ClusterTreeDisplay:  # type: ignore[override]
        """Draw the layers below each other; see `graphens.plot.ClusterTreeDisplay`."""
        from ..plot.display import draw_display
        from ..plot.strips import ClusterTreeDisplay

        return draw_display(ClusterTreeDisplay.from_tree, self, ax=ax, **options)


def clustree(labels: Labels, order: Sequence[int] | ArrayLike | None = None) -> ClusterTree:
    """Return the tree of clusters across partitions, such as resolutions or numbers of clusters.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts; its partitions are the layers.
    order
        The partitions from the first layer to the last; by default, sorted by their number of clusters, with ties in
        the given order.

    Returns
    -------
    ClusterTree
        A `Graph` of all clusters; vertex weights are cluster sizes; edges join clusters in adjacent layers and are
        weighted by the objects they share. ``.plot()`` draws it.

    Notes
    -----
    O(nB).

    References
    ----------
    Zappia and Oshlack, Clustering trees: a visualization for evaluating clusterings at multiple resolutions, 2018.

    Examples
    --------
    >>> import graphens as ge
    >>> tree = ge.clustree([[0, 0], [0, 1], [1, 2], [1, 2]])
    >>> tree.n_vertices, tree.edges()[2].tolist()
    (5, [1.0, 1.0, 2.0])
    """
    e = Ensemble.of(labels)
    chosen = np.argsort(e.n_clusters, kind="stable") if order is None else np.asarray(order)
    if chosen.ndim != 1 or sorted(chosen.tolist()) != list(range(e.n_partitions)):
        raise InputError.about("order", order, f"each of the {e.n_partitions} partitions once")
    return ClusterTree(e.take(partitions=chosen))


def _shared(e: Ensemble) -> sparse.csr_array:
    """K × K: the objects that clusters of neighboring layers share."""
    ends, counts = [np.empty((2, 0), dtype=np.int64)], [np.empty(0)]
    for t in range(e.n_partitions - 1):
        sizes = int(e.n_clusters[t]), int(e.n_clusters[t + 1])
        left, right, shared = overlap_cells(e, e.codes[t], e.codes[t + 1], *sizes)
        ends.append(np.stack([left + e.offsets[t], right + e.offsets[t + 1]]))
        counts.append(shared)
    total = int(e.offsets[-1])
    half = sparse.csr_array((np.concatenate(counts), tuple(np.concatenate(ends, axis=1))), shape=(total, total))
    return sparse.csr_array(half + half.T)

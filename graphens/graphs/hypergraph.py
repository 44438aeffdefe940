"""The hypergraph of an ensemble: objects are vertices, clusters are hyperedges."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import MISSING, FloatArray, IntArray, LabelArray, as_labels, as_parts, as_weights, freeze, of_kind
from ..errors import InputError, TypeMismatch
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import Names, align
from ..labels.value import Savable, Value
from .matrices import as_matrix, balance, membership

if TYPE_CHECKING:
    import pandas as pd

    from ..plot.graphs import HypergraphDisplay


class Hypergraph(Value, Savable):
    """Vertices and weighted hyperedges, as a sparse incidence matrix.

    Parameters
    ----------
    incidence
        n_vertices × n_hyperedges, sparse or dense, non-negative: 1 if a vertex is in a hyperedge, or a count.
    vertex_weights, hyperedge_weights
        One weight each, 1 by default.
    partition
        The partition that each hyperedge came from, −1 for none.
    vertex_names, hyperedge_names
        Names for display and export.

    Examples
    --------
    >>> import graphens as ge
    >>> h = ge.hypergraph([[0, 0], [0, 1], [1, 1]])
    >>> h
    Hypergraph(3 vertices, 4 hyperedges, 6 incidences)
    >>> h.cut([0, 0, 1]), h.km1([0, 0, 1])
    (1.0, 1.0)
    """

    incidence: sparse.csr_array
    vertex_weights: FloatArray
    hyperedge_weights: FloatArray
    partition: IntArray
    vertex_names: Names
    hyperedge_names: Names

    def __init__(
        self,
        incidence: Any,
        *,
        vertex_weights: ArrayLike | None = None,
        hyperedge_weights: ArrayLike | None = None,
        partition: ArrayLike | None = None,
        vertex_names: Names | ArrayLike | None = None,
        hyperedge_names: Names | ArrayLike | None = None,
    ) -> None:
        matrix = as_matrix(incidence, "the incidence", "vertices × hyperedges")
        matrix.eliminate_zeros()
        n, k = matrix.shape
        origin = np.full(k, MISSING) if partition is None else as_labels(partition, k, "hyperedges")
        self._set_fields(
            incidence=matrix,
            vertex_weights=as_weights(vertex_weights, n, "vertices"),
            hyperedge_weights=as_weights(hyperedge_weights, k, "hyperedges"),
            partition=freeze(np.array(origin, dtype=np.int64)),
            vertex_names=Names.given(vertex_names, n, "x"),
            hyperedge_names=Names.given(hyperedge_names, k, "e"),
        )

    @classmethod
    def read(cls, path: str | Path) -> Hypergraph:
        """Read a hypergraph from a file; the file ending determines the format: .hgr (hMETIS) or .hif.json."""
        from ..export import read_hypergraph

        return read_hypergraph(path)

    @classmethod
    def from_hif(cls, document: Mapping[str, Any]) -> Hypergraph:
        """Make a hypergraph from a document in the Hypergraph Interchange Format, as returned by `to_hif`."""
        from ..export.hif import from_hif

        return from_hif(document)

    @classmethod
    def from_xgi(cls, H: Any) -> Hypergraph:
        """Convert an XGI hypergraph, with the attributes weight, name and partition if there are any."""
        import xgi

        return cls.from_hif(xgi.to_hif_dict(of_kind("H", H, xgi.Hypergraph, "a hypergraph of XGI")))

    @classmethod
    def from_hypernetx(cls, H: Any) -> Hypergraph:
        """Convert a HyperNetX hypergraph: its hyperedges and vertices with their names, all of weight 1."""
        if not hasattr(H, "incidence_dict"):
            raise TypeMismatch.about("H", H, "a hypergraph of HyperNetX")
        return cls.from_hif(
            {
                "nodes": [{"node": node} for node in H.nodes],
                "edges": [{"edge": edge} for edge in H.edges],
                "incidences": [
                    {"edge": edge, "node": node} for edge, nodes in H.incidence_dict.items() for node in nodes
                ],
            }
        )

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return int(self.incidence.shape[0])

    @property
    def n_hyperedges(self) -> int:
        """Number of hyperedges."""
        return int(self.incidence.shape[1])

    def sizes(self) -> FloatArray:
        """Weight of the vertices in each hyperedge, multiplied by their counts."""
        return np.asarray(self.incidence.T @ self.vertex_weights)

    def connectivity(self, labels: ArrayLike) -> IntArray:
        """Number of parts that each hyperedge touches; unassigned vertices (−1) are in no part. O(nnz + n)."""
        parts, size = as_parts(align(labels, self.vertex_names, "labels"), self.n_vertices)
        touches = membership(parts, max(size, 1))
        return np.diff((self.incidence.T.tocsr() @ touches).indptr).astype(np.int64)

    def cut(self, labels: ArrayLike) -> float:
        """Weight of the hyperedges that touch more than one part."""
        return float(self.hyperedge_weights[self.connectivity(labels) > 1].sum())

    def km1(self, labels: ArrayLike) -> float:
        """Connectivity: Σ over hyperedges of weight × (number of parts touched − 1)."""
        return float(self.hyperedge_weights @ np.maximum(self.connectivity(labels) - 1, 0))

    def balance(self, labels: ArrayLike) -> float:
        """Weight of the heaviest part divided by the mean weight of the parts; 1 is perfect balance."""
        return balance(*as_parts(align(labels, self.vertex_names, "labels"), self.n_vertices), self.vertex_weights)

    def _with_parts(self, labels: LabelArray, prefix: str) -> Hypergraph:
        """Return the hypergraph with one further hyperedge of weight 1 for each part of a labeling, of no partition."""
        k = int(labels.max(initial=MISSING)) + 1
        return self._replace(
            incidence=sparse.csr_array(sparse.hstack([self.incidence, membership(labels, k)], format="csr")),
            hyperedge_weights=freeze(np.append(self.hyperedge_weights, np.ones(k))),
            partition=freeze(np.append(self.partition, np.full(k, MISSING))),
            hyperedge_names=self.hyperedge_names + Names((f"{prefix}:", k)),
        )

    def to_scipy(self) -> sparse.csr_array:
        """Return the incidence matrix, n_vertices × n_hyperedges, as a copy."""
        return self.incidence.copy()

    def to_frame(self) -> pd.DataFrame:
        """Return one row per incidence as a pandas frame (edge, node, weight), the form that HyperNetX accepts."""
        from ..export.frames import incidence_frame

        return incidence_frame(self)

    def to_hif(self, *, consensus: Any = None) -> dict[str, Any]:
        """Return the hypergraph in the Hypergraph Interchange Format, as a dictionary ready for JSON.

        Vertices and hyperedges are given by name if all names are different, otherwise by number. Incidences have a
        weight only if they are counts. With a consensus, the `attrs` of vertices and hyperedges have `cluster` and
        `confidence`.
        """
        from ..export.hif import to_hif

        return to_hif(self, consensus)

    def write(self, path: str | Path, *, consensus: Any = None) -> None:
        """Write to a file; the file ending determines the format: .hgr (hMETIS) or .hif.json.

        With a consensus, the vertices and hyperedges of a .hif.json file have `cluster` and `confidence`.
        """
        from ..export import write

        write(self, path, consensus=consensus)

    def plot(
        self, ax: Any = None, *, labels: ArrayLike | None = None, most: int = 40, **style: Any
    ) -> HypergraphDisplay:
        """Draw the hyperedges of a small hypergraph as columns; see `graphens.plot.HypergraphDisplay`."""
        from ..plot.graphs import HypergraphDisplay

        return HypergraphDisplay.from_hypergraph(self, labels, most).plot(ax, **style)

    def __repr__(self) -> str:
        size = f"{self.n_vertices} vertices, {self.n_hyperedges} hyperedges"
        return f"Hypergraph({size}, {self.incidence.nnz} incidences)"


def hypergraph(labels: Labels) -> Hypergraph:
    """Return the hypergraph of an ensemble: one hyperedge per cluster of each partition.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts.

    Returns
    -------
    Hypergraph
        Vertices carry the object weights, hyperedges the weight of their partition. A missing label creates no
        incidence.

    Notes
    -----
    O(nB) time and memory: 12 bytes for each label.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> h = ge.hypergraph(ge.Ensemble([[0, 0], [0, 1], [1, -1]]))
    >>> h.incidence.toarray().astype(int).tolist()
    [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0]]
    """
    e = Ensemble.of(labels)
    return Hypergraph._from_fields(
        incidence=incidence_of(e),
        vertex_weights=e.object_weights,
        hyperedge_weights=freeze(np.repeat(e.weights, e.n_clusters)),
        partition=freeze(np.repeat(np.arange(e.n_partitions), e.n_clusters)),
        vertex_names=e.vertex_names(),
        hyperedge_names=e.cluster_names,
    )


def partitions_of(h: Hypergraph) -> Ensemble:
    """Return the ensemble of a hypergraph whose hyperedges are the clusters of partitions."""
    n_partitions = int(h.partition.max(initial=-1)) + 1
    incidence = h.incidence.tocoo()
    origin = h.partition[incidence.col]
    slots = origin * np.int64(h.n_vertices) + incidence.row
    if (h.partition < 0).any() or (incidence.data != 1).any() or len(np.unique(slots)) < slots.size or not n_partitions:
        raise InputError(
            "The hyperedges are not the clusters of partitions (each object at most once in each partition); "
            "co-association needs an ensemble. Use bipartite() or metagraph(), which take any hypergraph."
        )
    labels = np.full((n_partitions, h.n_vertices), -1, dtype=np.int64)
    labels[origin, incidence.row] = incidence.col
    weights = np.zeros(n_partitions)
    weights[h.partition] = h.hyperedge_weights
    if (weights[h.partition] != h.hyperedge_weights).any():
        raise InputError(
            "Hyperedges of the same partition have different weights; co-association needs one weight per partition."
        )
    return Ensemble.from_partitions(
        labels, weights=weights, object_weights=h.vertex_weights, object_names=h.vertex_names.array()
    )


def incidence_of(e: Ensemble) -> sparse.csr_array:
    """H as CSR, written partition by partition, so that the entries of every row are sorted."""
    wide = np.int32 if max(e.codes.size, int(e.offsets[-1])) < 2**31 else np.int64
    table = np.empty((e.n_objects, e.n_partitions), dtype=wide)
    for t, row in enumerate(e.codes):
        np.add(row, e.offsets[t], out=table[:, t], casting="unsafe")
    if not e.has_missing:
        indptr = np.arange(0, table.size + 1, e.n_partitions, dtype=wide)
        indices = table.ravel()
    else:
        there = np.not_equal(e.codes.T, e.absent)
        indptr = np.append(0, np.cumsum(there.sum(axis=1))).astype(wide)
        indices = table[there]
    return sparse.csr_array((np.ones(indices.size), indices, indptr), shape=(e.n_objects, int(e.offsets[-1])))

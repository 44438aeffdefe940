"""The objects of files as methods that scale see them: counts are summed over blocks, and rows are a sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, IntArray, freeze
from ..core.ensemble import Ensemble
from ..core.value import remembered
from ..cutting.entry import Cutter
from ..errors import FallbackWarning, InputError, warn
from ..steps.objects import Objects
from ..views.bipartite import BipartiteGraph
from ..views.incidence import LabelSide
from .blocks import SAMPLE, add, count_pairs, find_degrees, highest, sample_rows, sum_meetings
from .folder import Tables
from .scanning import Scan

#: (name of a pass, block function, its arguments after the block, merge) -> its sum over all blocks
Passes = Callable[..., Tables]


class ObjectsOnDisk(Objects):
    """Objects in files; each table is summed when a method first asks for it, and every pass draws the sample too.

    `chosen` says whether the user named the partitioner.
    """

    scan: Scan
    sums: Passes
    chosen: bool

    def __init__(self, s: Scan, sums: Passes, *, chosen: bool) -> None:
        self.scan, self.sums, self.chosen = s, sums, chosen
        self.drawn: Tables | None = None

    @property
    def clusters(self) -> Ensemble:
        """The ensemble of no object, which knows the clusters."""
        return self.scan.clusters

    @property
    def ensemble(self) -> Ensemble:
        """A sample of the distinct rows, each with all its occurrences."""
        drawn = self.drawn or self._pass("sample_of_rows", sample_rows)
        return self.scan.ensemble_of(drawn["codes"], drawn["counts"])

    @remembered
    def _pairs(self) -> Tables:
        return self._pass("pairs_of_clusters", count_pairs)

    def overlaps(self) -> sparse.csr_array:
        """Return |a ∩ b| for all pairs of different clusters, K × K."""
        return self._pairs["shared"]

    def sizes(self) -> FloatArray:
        """Return |a| of every cluster."""
        return freeze(self._pairs["sizes"])

    def largest_degrees(self, t: int) -> FloatArray:
        """Return for every cluster of partition t the largest degree of its objects. One pass."""
        found = self.sums("largest_degrees", find_degrees, (t, self.sizes()), highest)["degrees"]
        return np.asarray(found)

    def star_cutter(self, cutter: Cutter) -> Cutter:
        """Return what cuts the bipartite graph: by its spectrum, since nothing else can do with less than all rows."""
        if cutter.row.name == "spectral":
            return cutter
        if self.chosen:
            raise InputError.about(
                "partitioner",
                cutter.partitioner,
                "'spectral'",
                because=", which needs all rows at once, and there are too many different ones",
            )
        warn(
            f"The bipartite graph is cut by partitioner='spectral' here: {cutter.row.name!r} needs all rows at once, "
            "and there are too many different ones. Give partitioner='spectral' to avoid this warning.",
            FallbackWarning,
        )
        return replace(cutter, partitioner="spectral")

    def bipartite(
        self, worth: FloatArray | None, k: int | None, *, collapse: bool
    ) -> tuple[BipartiteGraph, IntArray]:
        """Return the bipartite graph of the sample, cut as its rows lie in the graph of all."""
        values = np.repeat(self.scan.weights, self.scan.n_clusters)
        meet = self._pass("meeting_of_clusters", sum_meetings, values if worth is None else values * worth)[
            "meet"
        ]
        graph = SampledGraph(self.ensemble, cluster_weights=worth, repeated=True)
        graph._set_fields(whole=meet)
        return graph, np.arange(graph.ensemble.n_objects)

    def _pass(self, name: str, function: Callable[..., Tables], *arguments: AnyArray) -> Tables:
        total = self.sums(name, function, (*arguments, 0 if self.drawn else SAMPLE), add)
        self.drawn = total if "codes" in total else self.drawn
        return total


class SampledSide(LabelSide):
    """Some rows of the objects' side, with the W of all of them."""

    whole: sparse.csr_array

    def __init__(self, e: Ensemble, values: FloatArray, whole: sparse.csr_array) -> None:
        super().__init__(e, values)
        self.whole, self.by_clusters = whole, True

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W of all rows."""
        return self.whole


class SampledGraph(BipartiteGraph):
    """The bipartite graph of some rows, cut as they lie in the graph of all."""

    whole: sparse.csr_array

    def _side(self) -> SampledSide:
        """Return the objects as they see the clusters of all."""
        return SampledSide(self.ensemble, self._edge_weights(), self.whole)

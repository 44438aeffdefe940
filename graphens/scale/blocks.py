"""Functions of one block of rows, for threads or for workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, freeze, narrowest
from ..cutting.entry import Cutter
from ..errors import FallbackWarning, InputError, warn
from ..families.rows import Rows, largest_degrees, read_rule
from ..graphs.affinity import Affinity, Counted, count_overlaps
from ..graphs.bipartite import BipartiteGraph, LabelBiadjacency
from ..graphs.counts import cooccurrence
from ..labels.encoding import bounded, distinct_label_rows, row_hashes
from ..labels.ensemble import Ensemble
from ..labels.value import remembered
from .folder import Folder, Tables, shared_tables
from .scanning import ANSWER, Scan

NOWHERE = np.iinfo(np.int64).max  # the place of what occurs in no block
SAMPLE = 1 << 16  # distinct rows that methods look at
SALT = 0  # of the hash that draws them


def find_distinct(one: Scan, most: int) -> Tables:
    """Return the distinct rows of a block with their counts, and the number of rows; none if there are too many."""
    micro = one.read(0).collapse()[0]
    keep = slice(0 if micro.n_objects > most else None)
    sizes = {"found": np.array([micro.n_objects]), "rows": np.array([len(one.blocks[0])])}
    return {"codes": micro.codes[:, keep], "counts": micro.object_weights[keep], **sizes}


def count_block_pairs(one: Scan, sample: int) -> Tables:
    """Count |a ∩ b| of all pairs of clusters, and |a|; draw rows."""
    e = one.read(0)
    return {"shared": cooccurrence(e), "sizes": e.cluster_sizes(), **_drawn(e, sample)}


def find_degrees(one: Scan, t: int, sizes: FloatArray) -> Tables:
    """Find the largest degree of the rows of each cluster of partition t."""
    return {"degrees": largest_degrees(one.read(0).collapse()[0], t, sizes)}


def sum_transfer(one: Scan, values: AnyArray, sample: int) -> Tables:
    """Sum W = Aᵀ D_X⁻¹ A; draw rows."""
    e = one.read(0)
    return {"meet": LabelBiadjacency(e, values, merge=False).transfer_matrix(), **_drawn(e, sample)}


def sample_rows(one: Scan, sample: int) -> Tables:
    """Draw rows."""
    return _drawn(one.read(0), sample)


def _drawn(e: Ensemble, sample: int) -> Tables:
    return draw_rows(e.codes, np.ones(e.n_objects), sample) if sample else {}


def draw_rows(codes: AnyArray, counts: FloatArray, size: int) -> Tables:
    """Draw `size` of the distinct rows, those with the smallest hashes, and count how often each occurs.

    The same rows are drawn whatever the blocks are, and in whatever order they are merged.
    """
    hashes = row_hashes(codes, SALT)
    if len(hashes) > size:  # at least `size` rows, and all that are equal to one of them
        low = np.flatnonzero(hashes <= _level(hashes, size))
        codes, counts, hashes = np.take(codes, low, axis=1), counts[low], hashes[low]
    first, index = distinct_label_rows(codes)
    total = np.bincount(index, weights=counts, minlength=len(first))
    if len(first) > size:
        some = np.sort(np.argpartition(hashes[first], size)[:size])
        first, total = first[some], total[some]
    return {"codes": np.take(codes, first, axis=1), "counts": total}


def _level(hashes: AnyArray, size: int) -> Any:
    """A hash up to which there are at least `size` different hashes, if there are that many."""
    wanted = size
    while size < len(hashes):
        level = np.partition(hashes, size - 1)[size - 1]
        if len(np.unique(hashes[hashes <= level])) >= wanted:
            return level
        size *= 2
    return hashes.max()


def label_block(one: Scan, number: int, start: int, path: str, version: int, out: str) -> Tables:
    """Label a block by a rule, store the labels, and count their overlaps with the base clusters."""
    e, rule = one.read(0), read_rule(shared_tables(path, version))
    labels = np.where(e.present, rule.labels(e), MISSING).astype(np.int32)
    raw = labels.astype(narrowest(rule.k - 1))  # −1 wraps to the largest number
    first = np.full(rule.k + 1, NOWHERE)  # the row in which each label occurs first; −1 writes behind all
    first[labels[::-1]] = np.arange(start + len(labels) - 1, start - 1, -1)  # the first one to occur writes last
    Folder(out).write_arrays(label_file(number), {"labels": raw})
    return {
        **count_overlaps(e, labels, rule.k)._asdict(),
        "first": first[: rule.k],
        "lost": np.array([np.count_nonzero((labels < 0) & e.present)]),
    }


def label_file(number: int) -> str:
    """The file with the labels of a block, used until their confidence is known."""
    return f"labels-{number:06d}"


def write_block(one: Scan, number: int, path: str, version: int, out: str) -> int:
    """Write the final labels of a block with their confidence."""
    folder, tables = Folder(out), shared_tables(path, version)
    if folder.part(number).exists():  # a worker died after it, and before it could say so
        return number
    folder.require(f"{label_file(number)}.npz")
    raw = folder.read_arrays(label_file(number))["labels"]
    labels = np.append(tables["name"], np.int32(MISSING))[bounded(raw, len(tables["name"]))]
    counted = Counted(sparse.csr_array(tables["shared"]), tables["seen"], tables["size"])
    confidence = Affinity(one.read(0), labels, len(counted.size), counted=counted).confidence()
    folder.write_part(number, one.read_ids(0) | {"cluster": labels, "confidence": confidence})
    folder.drop(label_file(number))
    return number


def write_known_rows(one: Scan, number: int, path: str, version: int, out: str) -> int:
    """Write the labels and the confidence of a block whose distinct rows are known."""
    folder, rows = Folder(out), shared_tables(path, version)
    if not folder.part(number).exists():
        codes = np.concatenate([rows["codes"], one.read(0).codes], axis=1)
        index = distinct_label_rows(codes)[1][rows["codes"].shape[1] :]
        folder.write_part(number, one.read_ids(0) | {name: rows[name][index] for name in ANSWER})
    return number


# merging what blocks hold ------------------------------------------------------------------------------------------


def add(a: Tables, b: Tables) -> Tables:
    """Add counts; of `first`, the row where a label occurs first, keep the smaller one; draw rows again."""
    rows = {} if "codes" not in a else draw_rows(*_side_by_side(a, b), SAMPLE)
    sums = {key: a[key] + b[key] for key in a if key not in ("first", *rows)}
    return sums | rows | ({"first": np.minimum(a["first"], b["first"])} if "first" in a else {})


def highest(a: Tables, b: Tables) -> Tables:
    """Keep the larger numbers."""
    return {key: np.maximum(a[key], b[key]) for key in a}


def join_rows(a: Tables, b: Tables) -> Tables:
    """Join distinct rows with their counts, in order of first appearance."""
    codes, counts = _side_by_side(a, b)
    first, index = distinct_label_rows(codes)
    joined = np.bincount(index, weights=counts, minlength=len(first))
    return {**b, "codes": np.take(codes, first, axis=1), "counts": joined}


def _side_by_side(a: Tables, b: Tables) -> tuple[AnyArray, FloatArray]:
    return np.concatenate([a["codes"], b["codes"]], axis=1), np.concatenate([a["counts"], b["counts"]])


#: (name of a pass, block function, its arguments after the block, merge) -> its sum over all blocks
Passes = Callable[..., Tables]


class RowsOnDisk(Rows):
    """Rows in files; each table is summed when a method first needs it, and every pass also draws the sample.

    `chosen` says whether the user named the partitioner.
    """

    scan: Scan
    sums: Passes
    chosen: bool
    all_clusters: Ensemble
    in_memory = False

    def __init__(self, s: Scan, sums: Passes, *, chosen: bool) -> None:
        self.scan, self.sums, self.chosen, self.all_clusters = s, sums, chosen, s.clusters
        self.drawn: Tables | None = None

    @property
    def sample(self) -> Ensemble:  # type: ignore[override]
        """A sample of the distinct rows, weighted by their number of occurrences."""
        tables = self.drawn or self._pass("sample_of_rows", sample_rows)
        return self.scan.ensemble_of(tables["codes"], tables["counts"])

    @remembered
    def _pairs(self) -> Tables:
        return self._pass("pairs_of_clusters", count_block_pairs)

    def overlaps(self) -> sparse.csr_array:
        """Return |a ∩ b| for all pairs of different clusters, K × K."""
        return self._pairs["shared"]

    def sizes(self) -> FloatArray:
        """Return |a| of every cluster."""
        return freeze(self._pairs["sizes"])

    def largest_degrees(self, t: int) -> FloatArray:
        """Return for every cluster of partition t the largest degree of its objects. One pass."""
        degrees = self.sums("largest_degrees", find_degrees, (t, self.sizes()), highest)["degrees"]
        return np.asarray(degrees)

    def star_cutter(self, cutter: Cutter) -> Cutter:
        """Return the partitioner of the bipartite graph: spectral, since all others need all rows."""
        if cutter.row.name == "spectral":
            return cutter
        if self.chosen:
            because = ", which needs all rows at once: there are too many different rows"
            raise InputError.about("partitioner", cutter.partitioner, "'spectral'", because=because)
        warn(
            f"partitioner='spectral' is used instead of {cutter.row.name!r}, which needs all rows at once: there are "
            "too many different rows. Give partitioner='spectral' to avoid this warning.",
            FallbackWarning,
        )
        return replace(cutter, partitioner="spectral")

    def bipartite(
        self, weights: FloatArray | None, k: int | None, *, collapse: bool
    ) -> tuple[BipartiteGraph, IntArray]:
        """Return the bipartite graph of the sample, with the W of all rows."""
        values = np.repeat(self.scan.weights, self.scan.n_clusters)
        meet = self._pass("meeting_of_clusters", sum_transfer, values if weights is None else values * weights)["meet"]
        graph = SampledGraph(self.sample, cluster_weights=weights, repeated=True)
        graph._set_fields(whole=meet)
        return graph, np.arange(graph.ensemble.n_objects)

    def _pass(self, name: str, function: Callable[..., Tables], *arguments: AnyArray) -> Tables:
        total = self.sums(name, function, (*arguments, 0 if self.drawn else SAMPLE), add)
        self.drawn = total if "codes" in total else self.drawn
        return total


class SampledGraph(BipartiteGraph):
    """The bipartite graph of some rows, with the W of all rows."""

    whole: sparse.csr_array

    def _biadjacency(self) -> LabelBiadjacency:
        """Return the edges from these objects to the clusters of all."""
        return LabelBiadjacency(self.ensemble, self._edge_weights(), whole=self.whole)

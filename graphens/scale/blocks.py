"""What is done with one block of rows: pure functions of a scan of that block, for threads or for workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import MISSING, AnyArray, FloatArray, LabelArray, narrowest
from ..core.codes import bounded, distinct_rows, row_hashes
from ..core.ensemble import Ensemble
from ..steps.metaclusters import strongest_groups
from ..views.affinity import Affinity, Counted, count
from ..views.counting import cooccurrence
from ..views.sides import LabelSide
from ..views.sums import sum_rows, use_sums
from .folder import Folder
from .scanning import ANSWER, Scan
from .totals import Tables, shared_tables, smallest

NOWHERE = np.iinfo(np.int64).max  # the place of what occurs in no block
SALT = 0  # of the hash that draws the sample
_TINY = 1e-12  # the length of a row that points nowhere


def distinct_of(one: Scan, most: int) -> Tables:
    """Return the distinct rows of a block with their counts, and how many rows there are; none where too many."""
    micro = one.read(0).collapse()[0]
    keep = slice(0 if micro.n_objects > most else None)
    return {
        "codes": micro.codes[:, keep],
        "counts": micro.object_weights[keep],
        "found": np.array([micro.n_objects]),
        "rows": np.array([len(one.blocks[0])]),
    }


def counts_of(one: Scan) -> Tables:
    """Count |a ∩ b| of all pairs of clusters, and |a|."""
    e = one.read(0)
    return {"shared": cooccurrence(e), "sizes": e.cluster_sizes()}


def peaks_of(one: Scan, sizes: FloatArray, t: int) -> Tables:
    """Return for every cluster of partition t the largest degree of its rows, the weight of all their clusters."""
    e = one.read(0).collapse()[0]
    degree = sum_rows(e, (np.repeat(e.weights, e.n_clusters) * sizes)[:, None])[:, 0]
    there = e.codes[t] != e.absent
    peak = np.zeros(int(e.n_clusters[t]))
    np.maximum.at(peak, e.codes[t][there], degree[there])
    return {"peak": peak}


def meet_of(one: Scan, values: AnyArray, sample: int) -> Tables:
    """Sum W = Aᵀ D_X⁻¹ A, and draw rows by their hash."""
    e = one.read(0)
    return {
        "meet": LabelSide(e, values, merge=False).meet(),
        **drawn_rows(e.codes, np.ones(e.n_objects), sample),
    }


def rows_of(one: Scan, sample: int) -> Tables:
    """Draw rows by their hash."""
    e = one.read(0)
    return drawn_rows(e.codes, np.ones(e.n_objects), sample)


def drawn_rows(codes: AnyArray, counts: FloatArray, size: int) -> Tables:
    """Draw `size` of the distinct rows, those with the smallest hashes, and count how often each occurs.

    The same rows whatever block they are in, and in whatever order blocks are merged.
    """
    hashes = row_hashes(codes, SALT)
    if len(hashes) > size:  # at least `size` rows, and all that are equal to one of them
        kept = np.flatnonzero(hashes <= _level(hashes, size))
        codes, counts, hashes = np.take(codes, kept, axis=1), counts[kept], hashes[kept]
    first, index = distinct_rows(codes)
    rows = {
        "codes": np.take(codes, first, axis=1),
        "counts": np.bincount(index, weights=counts, minlength=len(first)),
    }
    return smallest(rows, hashes[first], size)


def _level(hashes: AnyArray, size: int) -> Any:
    """A hash up to which there are at least `size` different ones, if so many there are."""
    wanted = size
    while size < len(hashes):
        level = np.partition(hashes, size - 1)[size - 1]
        if len(np.unique(hashes[hashes <= level])) >= wanted:
            return level
        size *= 2
    return hashes.max()


def assigned(one: Scan, number: int, start: int, rule: str, path: str, version: int, out: str) -> Tables:
    """Label a block by a rule, keep the labels, and count what they share with the base clusters."""
    e, tables = one.read(0), shared_tables(path, version)
    labels = RULES[rule](e, tables)
    k = int(tables["k"])
    folder = Folder(out)
    folder.keep(
        label_file(number), {"labels": labels.astype(narrowest(k - 1))}
    )  # −1 wraps to the largest number
    return {
        **count(e, labels, k)._asdict(),
        "first": _first_places(labels, k, start),
        "lost": np.array([np.count_nonzero((labels < 0) & e.present)]),
    }


def _first_places(labels: LabelArray, k: int, start: int) -> AnyArray:
    """Where each label occurs first, the first row of the block being `start`."""
    first = np.full(k + 1, NOWHERE)
    backwards = np.arange(start + len(labels) - 1, start - 1, -1)
    first[labels[::-1]] = backwards  # the first one to occur writes last; −1 writes behind all
    return first[:k]


def label_file(number: int) -> str:
    """How the labels of a block are called until their confidence is known."""
    return f"labels-{number:06d}"


def written(one: Scan, number: int, path: str, version: int, out: str) -> int:
    """Write the final labels of a block with their confidence."""
    folder, tables = Folder(out), shared_tables(path, version)
    if folder.part(number).exists():  # a worker died after it, and before it could say so
        return number
    raw = (folder.kept(label_file(number)) or {})["labels"]
    labels = np.append(tables["name"], np.int32(MISSING))[bounded(raw, len(tables["name"]))]
    counted = Counted(sparse.csr_array(tables["shared"]), tables["seen"], tables["size"])
    confidence = Affinity(one.read(0), labels, len(counted.size), counted=counted).confidence()
    folder.write_part(number, one.read_ids(0) | {"cluster": labels, "confidence": confidence})
    folder.drop(label_file(number))
    return number


def looked_up(one: Scan, number: int, path: str, version: int, out: str) -> int:
    """Write the labels and the confidence of a block whose distinct rows are known."""
    folder, known = Folder(out), shared_tables(path, version)
    if not folder.part(number).exists():
        codes = np.concatenate([known["codes"], one.read(0).codes], axis=1)
        index = distinct_rows(codes)[1][known["codes"].shape[1] :]
        folder.write_part(number, one.read_ids(0) | {name: known[name][index] for name in ANSWER})
    return number


# rules: from label rows and tables to labels ------------------------------------------------------------------


def nearest(e: Ensemble, tables: Tables) -> LabelArray:
    """Embed rows by the transfer cut and give each the nearest center."""
    table, centers = tables["table"] * tables["values"][:, None], tables["centers"]
    width, half = table.shape[1], (centers**2).sum(axis=1) / 2
    labels = np.empty(e.n_objects, dtype=np.int32)

    def choose(some: slice, sums: FloatArray) -> None:
        """A row's product with the centers is the sum of its clusters' products, and its degree does not turn it."""
        length = np.sqrt(np.einsum("ij,ij->i", sums[:, :width], sums[:, :width]))
        scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > _TINY)
        labels[some] = (sums[:, width:] * scale[:, None] - half).argmax(axis=1)

    use_sums(e, np.hstack([table, table @ centers.T]).astype(np.float32), choose)
    return _where_present(e, labels)


def strongest(e: Ensemble, tables: Tables) -> LabelArray:
    """Let groups of clusters compete for the rows, ties by a hash of the labels under the seed."""
    return _where_present(e, strongest_groups(e, tables["table"], int(tables["seed"])))


def voted(e: Ensemble, tables: Tables) -> LabelArray:
    """Count the votes; ties go to the reference's own label, rows without votes to their company's."""
    from ..kernels.votes import winners

    micro, index = e.collapse()
    own = np.append(tables["favored"], np.int32(MISSING))
    row = micro.codes[int(tables["reference"])]
    favored = own[np.minimum(row, len(own) - 1).astype(np.int64)]
    labels = winners(sum_rows(micro, tables["table"]), favored)
    for company in tables.get("company", ()):
        lone = np.flatnonzero(labels < 0)
        some = micro.replace(
            codes=np.take(micro.codes, lone, axis=1), object_weights=micro.object_weights[lone]
        )
        labels[lone] = winners(sum_rows(some, company), np.full(len(lone), MISSING, dtype=np.int32))
    return _where_present(e, labels[index])


RULES: dict[str, Callable[[Ensemble, Tables], LabelArray]] = {
    "nearest": nearest,
    "strongest": strongest,
    "voted": voted,
}


def unit_rows(rows: AnyArray) -> FloatArray:
    """Scale rows to length one."""
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > _TINY)


def _where_present(e: Ensemble, labels: Any) -> LabelArray:
    return np.where(e.present, labels, MISSING).astype(np.int32)

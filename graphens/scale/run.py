"""`consensus` of labels on disk: the passes over the files, and what is stored between them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, reported_seed
from .._lib.memory import within_memory
from .._lib.progress import step
from ..choose.auto import consensus as combine
from ..errors import DegenerateWarning, InputError, TypeMismatch, collect_warnings, warn
from ..export.annotate import Placement, largest_share
from ..families.contract import decide
from ..families.policy import POLICY
from ..families.registry import find_method, known_options, methods
from ..families.rows import MostTogether, Rows, read_rule
from ..families.trials import Trial
from ..graphs.affinity import Affinity, Counted, count_overlaps
from ..graphs.bipartite import BipartiteGraph
from ..graphs.counts import overlaps
from ..graphs.doubts import Doubt, column_doubts, warn_of
from ..graphs.graph import CLUSTER, Graph
from ..graphs.metagraph import metagraph
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..measures.agreement import Contingency, mean_nmi
from ..result.consensus import Consensus
from .blocks import NOWHERE, RowsOnDisk, add, find_distinct, join_rows, label_block, write_block, write_known_rows
from .engine import Engine, Merge, Task, engine, sum_blocks, write_parts
from .folder import Folder, Tables
from .scaled_consensus import ScaledConsensus
from .scanning import Scan, require_tables, scan, tables_grow, without_identifiers
from .sources import DaskFrame, Pathlike

DISTINCT = 1 << 20  # distinct rows that are kept in memory, at most
_BYTES = 1 << 26  # and how much they may take
_PASSES = {"auto": 5, "vote": 5, "bagclust1": 5, "lwgp": 4}  # over the rows if there are too many distinct ones, or 3


def consensus(
    s: Scan | Pathlike | Sequence[Pathlike] | DaskFrame,
    k: int | None = None,
    *,
    method: str = "auto",
    out: str | os.PathLike[str],
    client: Any = None,
    seed: Seed = None,
    distinct: bool | None = None,
    **options: Any,
) -> ScaledConsensus:
    """Turn many clusterings of the same objects into one, reading labels from disk and writing clusters to disk.

    If the objects have few distinct label rows, these are counted in one pass, any method of the library works on them
    in memory, and a second pass writes the result. Otherwise, lwgp, hbgf (spectral), mcla, cbgf, vote and cumulative
    can be used, which need only tables and samples of the objects that are summed over blocks: one or two passes count
    them, the clusters are computed once, another pass labels the rows, and the last one adds the confidence a / (a +
    b).

    Parameters
    ----------
    s
        A `Scan`, or anything that `scan` accepts.
    k
        Number of clusters. Without it, ``"auto"`` chooses it as in memory.
    method
        A name from `graphens.methods`, or ``"auto"``, which chooses as in memory; if there are many distinct rows, on
        a sample of them. If the winner needs all rows, the others join the cluster they are together with most.
    out
        Folder for the result: part-000000.parquet, … with the columns `cluster` and `confidence`. The file names sort
        into the order of the input; all other names in the folder begin with _. The same call resumes where an earlier
        one stopped, for whatever reason, or returns its result; a folder with other inputs or options is an error.
    client
        A `dask.distributed.Client`, whose workers must have access to the same files; None uses threads of this
        process.
    seed
        The same seed gives the same result, for any number of workers.
    distinct
        Whether to work on distinct rows; None decides by the first block, and gives up if there are too many.
    **options
        Options of the method.

    Returns
    -------
    ScaledConsensus
        k, score, sizes, timings, why and trials, the K × K graph that was cut, and the labels, which stay on disk until
        they are used.

    Notes
    -----
    If the distinct rows fit in memory (up to a million), the labels are the same as in memory. Otherwise, lwgp and hbgf
    find their centers, and cumulative its matches, from a sample of 65,536 rows, and `vote` breaks ties by size. O(nB²)
    time for lwgp, hbgf, mcla, cbgf and vote, O(nBk) for cumulative. Memory: 2 blocks per thread, each about 100 MB at a
    million rows × 20 partitions, and tables of K × K.

    Examples
    --------
    >>> import tempfile, os, numpy as np, graphens as ge
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(
    ...         os.path.join(folder, "labels.npy"),
    ...         np.array([[0, 5], [0, 5], [1, 7], [1, 7]]),
    ...     )
    ...     s = ge.scale.scan(os.path.join(folder, "labels.npy"))
    ...     r = ge.scale.consensus(
    ...         s, 2, method="mcla", out=os.path.join(folder, "out"), seed=0
    ...     )
    ...     r.labels.tolist(), r.k, [file.name for file in r.files]
    ([0, 0, 1, 1], 2, ['part-000000.parquet'])
    """
    for name in sorted(set(options) & {"columns", "id", "weights", "block_rows"}):
        raise InputError(f"{name} was given; it is an option of scan. Pass scan(…, {name}=…) instead of the files.")
    s = s if isinstance(s, Scan) else scan(s)
    s = s._replace(weights=Ready.of(s.clusters).whole.weights)
    if method != "auto":
        known_options(find_method(method), options)  # before anything is read
    if k is None and method != "auto":
        raise InputError(f"k = None was given with method = {method!r}; give k, or leave out the method.")
    k = None if k is None else as_int("k", k, 1, s.n_objects)
    if not (distinct is None or isinstance(distinct, bool)):
        raise TypeMismatch.about("distinct", distinct, "True, False or None")
    where = engine(client)
    arguments = {
        "files": s.fingerprint,
        "k": k,
        "method": method,
        "seed": None if seed is None or isinstance(seed, np.random.Generator) else reported_seed(seed),
        "distinct": distinct,
        "options": {name: repr(value) for name, value in sorted(options.items())},
    }
    folder = Folder(out)
    doubts = column_doubts(s.partition_names, s.n_clusters, s.occurrences.tolist())
    warn_of(doubts)
    with folder.locked(), within_memory(f"The consensus of {s!r}", tables_grow(s)):
        state = folder.begin(arguments, seed=reported_seed(seed))
        run = Run(s, k, method, int(state["seed"]), options, folder, where, doubts)
        if distinct is None and s.n_clusters.max() > run.most_rows():  # with such a column, rows are too many
            run = replace(run, s=without_identifiers(s, doubts))
        if distinct is False or not run.by_rows(required=distinct is True):
            run = replace(run, s=without_identifiers(run.s, doubts))
            run.by_tables()
        return run.answer()


@dataclass(frozen=True, eq=False)
class Run:
    """One running call: its input, its arguments, and the state of the work."""

    s: Scan
    k: int | None
    method: str
    seed: int
    options: dict[str, Any]
    folder: Folder
    engine: Engine
    doubts: Sequence[Doubt]

    # distinct rows -------------------------------------------------------------------------------------------

    def by_rows(self, *, required: bool) -> bool:
        """Work on the distinct rows; False if there are too many."""
        s, most = self.s, self.s.n_objects if required else self.most_rows()
        if self.folder.read_json("way") is not None:  # an earlier call saw that they are
            return False
        if self.folder.read_json("result") is not None:
            return True
        with self._timed("distinct rows"), step(1, 2, "pass"):
            rows = self._sum("distinct_rows", find_distinct, (most,), join_rows, partial(_too_many, s, most))
        if _too_many(s, most, rows):
            self.folder.write_json("way", {"distinct": False})
            self.folder.drop("distinct_rows")
            return False
        if not self.folder.read_arrays("answer"):
            with self._timed("decision"):
                self._decide_rows(s.ensemble_of(rows["codes"], rows["counts"]))
        self._write(write_known_rows, "answer", 2)
        return True

    def most_rows(self) -> int:
        """Return the maximum number of distinct rows in memory."""
        return max(1, min(DISTINCT, _BYTES // self.s.n_partitions))

    def _decide_rows(self, micro: Ensemble) -> None:
        result = self._combine(micro)
        self._keep_reasons(result, result.why)
        whole_weights = result.ensemble._replace(object_weights=micro.object_weights)
        confidence = Affinity(whole_weights, result.labels, result.k).confidence()
        inside = result.labels >= 0
        sizes = np.bincount(result.labels[inside], weights=micro.object_weights[inside], minlength=result.k)
        self._keep_graph(_cluster_graph(Rows(micro), result.graph))
        self._place(largest_share(overlaps(micro, result.labels, result.k)))
        self.folder.write_json("summary", _summary(result.k, result.score, sizes, rows=micro.n_objects))
        self.folder.write_arrays("final", count_overlaps(whole_weights, result.labels, result.k)._asdict())
        self.folder.write_arrays("answer", {"codes": micro.codes, "cluster": result.labels, "confidence": confidence})

    # tables ----------------------------------------------------------------------------------------------------

    def by_tables(self) -> None:
        """Count, decide once, label the rows, add the confidence."""
        if self.method != "auto" and not find_method(self.method).scalable:
            able = f"one of {', '.join(name for name, other in methods.items() if other.scalable)}"
            because = ", which needs all distinct label rows in memory; there are too many, or distinct=False is set"
            raise InputError.about("method", self.method, able, because=because)
        if self.folder.read_json("result") is not None:
            return
        first = 1 if self.folder.read_json("way") is None else 2  # the pass before it met too many distinct rows
        last = first + _PASSES.get(self.method, 3) - 1
        if not self.folder.read_arrays("rule_0"):
            require_tables(self.s)
            with self._timed("tables"):
                self._decide(first, last)
        with self._timed("labels"), step(last - 1, last, "pass"):
            total = self._labeled()
        if not self.folder.read_arrays("final"):
            self._finish(total)
        self._write(write_block, "final", last)

    def _decide(self, first: int, last: int) -> None:
        numbers = itertools.count(first)

        def sums(*arguments: Any) -> Tables:
            with step(next(numbers), last, "pass"):
                return self._sum(*arguments)

        rows = RowsOnDisk(self.s, sums, chosen="partitioner" in self.options)
        method, k, options = self.method, self.k, dict(self.options)
        if method == "auto":
            sample = rows.sample
            result = self._combine(sample)
            method, k, options = result.method, result.k, dict(POLICY.options.get(result.method, {}))
            why = f"{result.why} This was decided on a sample of {sample.n_objects:,} distinct rows"
            if not find_method(method).scalable:
                why += f"; {method} needs all rows, so the others joined the cluster they are together with most"
                self._keep_graph(_cluster_graph(rows, None))
                self.folder.write_arrays("rule_0", MostTogether.of(sample, result.labels, result.k).arrays())
            self._keep_reasons(result, f"{why}.")
        if find_method(method).scalable:
            assert k is not None  # only the automatic choice does without it, and has chosen one
            outcome = decide(find_method(method), rows, k, self.seed, options)
            assert outcome.rule is not None
            K, labels = int(self.s.n_clusters.sum()), outcome.vertex_labels
            self._keep_graph(_cluster_graph(rows, outcome.graph), None if labels is None else labels[-K:])
            self.folder.write_arrays("rule_0", outcome.rule().arrays())

    def _combine(self, e: Ensemble) -> Consensus:
        """The consensus of distinct rows in memory; what was warned of before anything was read is not said again."""
        with collect_warnings() as warnings:
            result = combine(e, self.k, self.method, self.seed, **self.options)
        sentences = tuple(doubt.sentence for doubt in self.doubts)
        for note in warnings:
            if not note.message.startswith(sentences):
                warn(note.message, note.category)
        return result

    def _keep_reasons(self, found: Consensus, why: str) -> None:
        trials = [asdict(replace(trial, result=None)) for trial in found.trials]
        self.folder.write_json("reasons", {"method": found.method, "why": why, "trials": trials})

    def _labeled(self) -> Tables:
        """Label all rows, in further rounds if some have no label and the rule has another way to label them."""
        out, starts = str(self.folder.path), np.cumsum([0, *map(len, self.s.blocks)])
        for round_ in itertools.count():
            shared, name = self.folder.shared(f"rule_{round_}"), f"labels_of_rows_{round_}"

            def task(i: int, shared: tuple[str, int] = shared) -> Task:
                return label_block, (self.s.only(i), i, int(starts[i]), *shared, out)

            total = sum_blocks(self.engine, self.folder, name, len(self.s.blocks), task, add)
            rule = read_rule(self.folder.read_arrays(f"rule_{round_}"))
            again = rule.retry(self.s.clusters, total["shared"].toarray(), total["size"], int(total["lost"].sum()))
            if again is rule:
                break
            self.folder.write_arrays(f"rule_{round_ + 1}", again.arrays())
        return total  # reached: the last resort is the commonest label

    def _finish(self, total: Tables) -> None:
        """Number clusters by first appearance, and write the score and the tables that the confidence needs."""
        order = np.argsort(total["first"], kind="stable")
        k = int((total["first"] < NOWHERE).sum())
        name = np.full(len(order), -1, dtype=np.int32)
        name[order[:k]] = np.arange(k, dtype=np.int32)
        used = order[:k]
        shared = sparse.csr_array(total["shared"][:, used])
        score = mean_nmi(Contingency.of(self.s.clusters, shared), self.s.weights)
        self._place(largest_share(shared), name)
        if k < (self.k or 0):
            warn(f"k = {self.k} was requested, but only {k} clusters contain objects.", DegenerateWarning)
        self.folder.write_json("summary", _summary(k, score, total["size"][used]))
        tables = {"name": name, "shared": shared, "seen": total["seen"][:, used], "size": total["size"][used]}
        self.folder.write_arrays("final", tables)

    # steps -------------------------------------------------------------------------------------------------------

    def _sum(
        self,
        name: str,
        function: Callable[..., Tables],
        arguments: tuple[Any, ...],
        merge: Merge,
        enough: Callable[[Tables], bool] = lambda total: False,
    ) -> Tables:
        def task(number: int) -> Task:
            return function, (self.s.only(number), *arguments)

        return sum_blocks(self.engine, self.folder, name, len(self.s.blocks), task, merge, enough)

    def _write(self, function: Callable[..., int], tables: str, last: int) -> None:
        """Write the blocks that are not finished, in the last pass."""
        shared, out = self.folder.shared(tables), str(self.folder.path)

        def task(i: int) -> Task:
            return function, (self.s.only(i), i, *shared, out)

        with self._timed("writing"), step(last, last, "pass"):
            write_parts(self.engine, self.folder, len(self.s.blocks), task, "writing clusters")

    def _place(self, placed: Placement, name: AnyArray | None = None) -> None:
        """Store the cluster of each base cluster: as decided, with final numbers, or that of most of its objects."""
        graph = self.folder.read_arrays("graph")
        decided = graph.get("labels")
        labels = placed.cluster if decided is None or name is None else name[decided]
        self.folder.write_arrays("graph", graph | {"labels": labels, "confidence": placed.confidence})

    def _keep_graph(self, graph: Graph, labels: AnyArray | None = None) -> None:
        tables = {"adjacency": graph.adjacency, "weights": graph.vertex_weights, "kind": np.array(graph.kind)}
        self.folder.write_arrays("graph", tables if labels is None else tables | {"labels": labels})

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            spent = self.folder.read_json("timings") or {}
            spent[what] = spent.get(what, 0.0) + perf_counter() - start
            self.folder.write_json("timings", spent)

    def answer(self) -> ScaledConsensus:
        """Return the result that is on disk."""
        self.folder.require("summary.json", "graph.npz", "final.npz")
        summary = self.folder.read_json("summary") or {}
        tables = self.folder.read_arrays("graph")
        counted = self.folder.read_arrays("final")
        labels = tables["labels"].astype(np.int32)
        request = f"{self.method} with {self.k} clusters was requested."
        reasons = self.folder.read_json("reasons") or {"method": self.method, "why": request, "trials": []}
        graph = _graph_of_clusters(tables["adjacency"], tables["weights"], self.s.clusters, str(tables["kind"]))
        return ScaledConsensus._from_fields(
            path=Path(self.folder.path),
            n_objects=self.s.n_objects,
            k=summary["k"],
            score=summary["score"],
            _sizes=np.array(summary["sizes"], dtype=np.int64),
            scan=self.s,
            method=reasons["method"],
            why=reasons["why"],
            trials=tuple(Trial(**trial) for trial in reasons["trials"]),
            options={**self.options, "k": self.k, "seed": self.seed},
            graph=graph,
            vertex_labels=labels,
            vertex_confidence=tables["confidence"],
            timings=self.folder.read_json("timings") or {},
            details=summary["details"],
            _counted=Counted(*(counted[name] for name in Counted._fields)),
        )


def _too_many(s: Scan, most: int, total: Tables) -> bool:
    """Whether there are too many distinct rows: more than fit, or more than half of a block of a large input."""
    distinct, rows = int(total["found"][0]), int(total["rows"][0])  # of the block that came last
    if max(distinct, total["codes"].shape[1]) > most:
        return True
    return s.n_objects > 2 * most and rows == len(s.blocks[0]) and distinct > rows / 2


def _summary(k: int, score: float, sizes: AnyArray, **details: Any) -> dict[str, Any]:
    return {"k": k, "score": score, "sizes": [int(size) for size in np.rint(sizes)], "details": details}


def _graph_of_clusters(adjacency: Any, weights: FloatArray, e: Ensemble, kind: str) -> Graph:
    roles = np.full(len(weights), CLUSTER, dtype=np.uint8)
    return Graph(adjacency, vertex_weights=weights, roles=roles, names=e.cluster_names, kind=kind)


def _cluster_graph(rows: Rows, graph: object) -> Graph:
    """The K × K graph of the clusters: that of the method, that of the transfer cut, or the meta-graph."""
    e = rows.all_clusters
    if isinstance(graph, BipartiteGraph):
        meet = graph._biadjacency().transfer_matrix()
        between = meet - sparse.diags_array(meet.diagonal())
        return _graph_of_clusters(between, meet.diagonal(), e, "overlapping clusters")
    if isinstance(graph, Graph) and graph.n_vertices == e.offsets[-1] and (graph.roles == CLUSTER).all():
        return graph
    return metagraph(rows.sample)

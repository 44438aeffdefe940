"""`partition` checks the call, runs a partitioner with several seeds, and keeps the best; `Cutter` stores a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import LabelArray, Seed, as_int, canonical, divide, freeze, reported_seed
from ..errors import DegenerateWarning, InputError, TypeMismatch, named_failure, quote, warn
from ..graphs.bipartite import bipartite
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.value import Value
from .mending import counted, exactly, exactly_on, n_parts, read_labels
from .partitioner_registry import Partitioner, PartitionerFunction, find_partitioner

Cuttable = Graph | Hypergraph
AnyPartitioner = str | PartitionerFunction
Options = Mapping[str, Any] | None
MOST_RUNS = 10_000  # more restarts would take too long and gain nothing
_SMALL = 2000  # vertices up to which more runs cost next to nothing


class Partition(Value):
    """A graph cut into parts.

    Attributes
    ----------
    labels
        Part of every vertex, 0 … k − 1 in order of first appearance.
    k
        Number of parts.
    cut
        Weight of the cut edges, or of the cut hyperedges; recomputed from the labels.
    balance
        Heaviest part divided by the mean part; 1 is perfect.
    partitioner, seed
        The partitioner and seed that were used.
    search
        With "metis" on a graph of at most 60 vertices (METIS is made for large ones), the search by graphens that found
        the parts: "all cuts", or "moves and swaps from METIS and other starts"; otherwise empty.
    """

    labels: LabelArray
    k: int
    cut: float
    balance: float
    partitioner: str
    seed: int | None
    search: str = ""

    def __init__(
        self,
        labels: LabelArray,
        k: int,
        cut: float,
        balance: float,
        partitioner: str,
        seed: int | None = None,
        search: str = "",
    ) -> None:
        facts = {"labels": labels, "k": k, "cut": cut, "balance": balance}
        self._set_fields(**facts, partitioner=partitioner, seed=seed, search=search)

    def details(self) -> dict[str, Any]:
        """What a consensus function reports about the partition behind its result: how it was cut, and how well."""
        facts = {"cut": self.cut, "balance": self.balance, "partitioner": self.partitioner}
        return facts | ({"search": self.search} if self.search else {})

    def __len__(self) -> int:
        return self.k

    def __repr__(self) -> str:
        size = f"{len(self.labels)} vertices in {self.k} parts by {self.partitioner}"
        return f"Partition({size}, cut {self.cut:.6g}, balance {self.balance:.3f})"


def partition(
    graph: Cuttable,
    k: int | None = None,
    *,
    partitioner: str | PartitionerFunction | Partitioner = "metis",
    seed: Seed = None,
    n_init: int | None = None,
    **options: Any,
) -> Partition:
    """Cut a graph or a hypergraph into k parts.

    Parameters
    ----------
    graph
        A `Graph` (co-association, bipartite, meta-graph, or your own) or a `Hypergraph`. A partitioner for graphs gets
        the star expansion of a hypergraph, and a partitioner for hypergraphs gets the edges of a graph as hyperedges.
    k
        Number of parts, 1 to the number of vertices (of objects, in a bipartite graph). None lets the partitioner
        choose, if it can find k.
    partitioner
        A name from `partitioners`, or a function ``(graph, k, *, seed)``; see `register_partitioner` for what it gets
        and returns.
    seed
        The same seed gives the same parts.
    n_init
        Number of runs with different seeds; the best one is kept (by smallest cut, connectivity or normalized cut, or
        largest modularity, depending on the partitioner). By default, 5 for METIS (20 on graphs with up to 2,000
        vertices and 20,000 edges) and 1 for the others.
    **options
        Passed to the partitioner, such as ``imbalance=0.1`` for METIS.

    Returns
    -------
    Partition
        Labels of all vertices in order of first appearance; cut and balance are computed here from the labels.

    Notes
    -----
    The result always has k parts. If a partitioner returns fewer or more, parts are filled or merged, with a
    `DegenerateWarning`.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 0], [1, 1], [1, 1]])
    >>> ge.partition(g, 2, seed=0)
    Partition(4 vertices in 2 parts by metis, cut 0, balance 1.000)
    """
    graph = graph if isinstance(graph, Hypergraph) else Graph.of(graph)
    row, inside = find_partitioner(partitioner), counted(graph)
    if k is None and not row.finds_k:
        raise InputError(
            f"k = None was given, but the partitioner {row.name!r} needs a number of parts; give k, or use a "
            "partitioner that finds k itself, such as 'leiden' or 'linkage'. If yours does, register it with "
            "finds_k=True."
        )
    if not inside.any():
        raise InputError("A graph without vertices was given; expected at least one.")
    k = None if k is None else as_int("k", k, 1, int(np.count_nonzero(inside)))
    runs = row.n_init if n_init is None else as_int("n_init", n_init, 1, MOST_RUNS)
    if n_init is None and row.n_init > 1 and graph.n_vertices <= _SMALL:
        # Single runs on small graphs vary a lot, and more of them cost next to nothing.
        size = graph.incidence.nnz if isinstance(graph, Hypergraph) else graph.n_edges
        runs *= 1 if size > 10 * _SMALL else 4
    number, n, search = reported_seed(seed), graph.n_vertices, ""
    if k == 1 or n == 1:
        labels = np.zeros(n, dtype=np.int32)
    elif k is not None and k == np.count_nonzero(inside):  # every vertex that counts is a part
        labels = np.full(n, k, dtype=np.int32)
        labels[inside] = np.arange(k, dtype=np.int32)
        labels = labels if isinstance(graph, Hypergraph) or inside.all() else exactly(graph, labels, k)
    else:
        labels, search = _best(graph, k, row, number, runs, options)
    quality = graph.cut(labels), graph.balance(labels)
    return Partition(freeze(labels), int(labels.max(initial=-1)) + 1, *quality, row.name, number, search)


def _best(
    graph: Cuttable, k: int | None, row: Partitioner, seed: int, n_init: int, options: dict[str, Any]
) -> tuple[LabelArray, str]:
    """Run a partitioner with several seeds and keep the best result; with a search of our own, also its name."""
    run, search = runs_of(row, graph, k, options)
    objective = OBJECTIVES[
        "km1" if isinstance(graph, Hypergraph) else row.objective if row.objective != "km1" else "cut"
    ]
    n_init = 1 if search == "all cuts" else n_init  # another seed cannot change it
    inside = counted(graph)
    best, lowest, mended = np.zeros(0, dtype=np.int32), (np.inf, np.inf), ""
    tried: set[bytes] = set()
    for child in np.random.SeedSequence(seed).generate_state(n_init, np.uint32):
        raw = run(int(child) >> 1)
        if raw.min(initial=0) < 0:
            raise InputError(
                f"The partitioner {row.name!r} left some vertices without a part; expected a part (0, 1, …) for each."
            )
        raw = np.unique(raw, return_inverse=True)[1].astype(np.int32)  # one label of 10⁹ is no 10⁹ parts
        # METIS often returns the same parts for several seeds: repairing and weighing them once is enough.
        if raw.tobytes() in tried:
            continue
        tried.add(raw.tobytes())
        labels = raw[: graph.n_vertices]
        size = n_parts(labels, inside)
        parts = f"{size} part{'s' * (size != 1)}"
        fault = f"The partitioner {row.name!r} made {parts} instead of {k}; vertices were moved to make {k}."
        fault = "" if k is None or size == k else fault
        kept = not fault and size == len(np.unique(labels))
        labels = canonical(labels) if kept else exactly_on(graph, labels, k)
        value = (0.0, 0.0)
        if n_init > 1:
            # Twelve digits: what differs by the order of a sum is a tie, and the balance decides it on every machine.
            part = np.bincount(labels, weights=graph.vertex_weights / graph.vertex_weights.max())
            value = float(f"{objective(graph, labels):.12g}"), float((part**2).sum())
        if value < lowest or not best.size:
            best, lowest, mended = labels, value, fault
    if mended:
        warn(mended, DegenerateWarning)
    return best, search


def runs_of(
    row: Partitioner, graph: Cuttable, k: int | None, options: dict[str, Any], kind: str = "partitioner"
) -> tuple[Callable[[int], LabelArray], str]:
    """Return a partitioner on one graph as a function of the seed, and the name of its search if it is one of ours.

    The graph is converted to the kind that it takes, and its signature is checked. A vertex without a part gets −1.
    """
    function, source, taken = row.load(), f"The {kind} {row.name!r}", graph
    if isinstance(graph, Hypergraph) and row.takes == "graph":
        taken = bipartite(graph)
    elif isinstance(graph, Graph) and row.takes != "graph":  # its edges are hyperedges
        left, right, weight = graph.edges()
        ends = np.concatenate([left, right]), np.tile(np.arange(len(left)), 2)
        incidence = sparse.csr_array((np.ones(2 * len(left)), ends), shape=(graph.n_vertices, len(left)))
        taken = Hypergraph(incidence, vertex_weights=graph.vertex_weights, hyperedge_weights=weight)
    names = taken.names if isinstance(taken, Graph) else taken.vertex_names
    _check_call(function, source, options)
    with named_failure(source):
        prepared = None if row.prepare is None else row.prepare()(taken, k, **options)

    def run(seed: int) -> LabelArray:
        with named_failure(source):
            answer = function(taken, k, seed=seed, **options) if prepared is None else prepared(seed)
        return read_labels(answer, taken.n_vertices, "vertices", source, names)

    return run, getattr(prepared, "search", "")


def _check_call(function: Callable[..., Any], source: str, options: dict[str, Any]) -> None:
    """Check before the call that a partitioner takes a graph, k, a seed and the given options."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # compiled functions may not say
        return
    parameters = signature.parameters
    open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    if "seed" not in parameters and not open_ended:
        raise TypeMismatch(f"{source} takes no seed; expected a function (graph, k, *, seed).")
    unknown = sorted(set(options) - set(parameters))
    if unknown and not open_ended:
        options_text = ", ".join(one for one in list(parameters)[2:] if one != "seed") or "none"
        raise InputError(f"{source} has no option {', '.join(unknown)}; its options are: {options_text}.")
    try:
        signature.bind(None, None, seed=0, **options)
    except TypeError as error:
        raise TypeMismatch(
            f"{source} cannot be called with a graph, k and seed=… ({error}); expected a function (graph, k, *, seed)."
        ) from None


# what cuts are judged by, on any graph: smaller is better -----------------------------------------------------------


def modularity(graph: Graph, labels: LabelArray) -> float:
    """Share of edge weight inside the parts minus the share expected from the degrees (Newman). O(E)."""
    degree = graph.degree()
    total = degree.sum()
    if total <= 0:
        return 0.0
    volume = np.bincount(labels, weights=degree)
    return float(1 - 2 * graph.cut(labels) / total - ((volume / total) ** 2).sum())


def normalized_cut_value(graph: Graph, labels: LabelArray) -> float:
    """Σ over parts of the weight that leaves a part divided by the degrees inside it (Shi and Malik). O(E)."""
    leaving = graph.contract(labels).degree()
    volume = np.bincount(labels, weights=graph.degree(), minlength=len(leaving))
    return float(divide(leaving, volume).sum())


#: what the best of several runs is chosen by, for a graph or a hypergraph and its labels
OBJECTIVES: dict[str, Callable[[Any, LabelArray], float]] = {
    "cut": lambda graph, labels: graph.cut(labels),
    "km1": lambda graph, labels: graph.km1(labels),
    "ncut": normalized_cut_value,
    "modularity": lambda graph, labels: -modularity(graph, labels),
}


@dataclass(frozen=True)
class Cutter:
    """A partitioner with all arguments of its call except the graph and k.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.cutting.entry import Cutter
    >>> Cutter("metis", seed=0).cut(
    ...     ge.bipartite([[0, 0], [0, 0], [1, 1], [1, 1]]), 2
    ... ).labels[:4].tolist()
    [0, 0, 1, 1]
    """

    #: A name from `graphens.partitioners`, a function ``(graph, k, *, seed)``, or a row of the registry
    partitioner: str | PartitionerFunction | Partitioner = "metis"
    n_init: int | None = None  #: number of runs with different seeds; None for the default of the partitioner
    options: Options = None  #: more options of the partitioner, such as ``{"imbalance": 0.1}``
    seed: Seed = None  #: the same seed gives the same parts

    @property
    def row(self) -> Partitioner:
        """The registry row of the partitioner."""
        return find_partitioner(self.partitioner)

    def cut(self, graph: Graph | Hypergraph, k: int | None) -> Partition:
        """Cut a graph or a hypergraph into k parts, see `graphens.partition`."""
        options = {} if self.options is None else self.options
        if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
            raise TypeMismatch(
                f"The options of the partitioner are {quote(options)}; expected a mapping such as {{'imbalance': 0.1}}."
            )
        if taken := sorted({"graph", "k", "partitioner", "seed", "n_init"} & set(options)):
            raise InputError(
                f"The options of the partitioner contain {', '.join(taken)}; pass {taken[0]} directly instead."
            )
        return partition(graph, k, partitioner=self.partitioner, seed=self.seed, n_init=self.n_init, **options)

"""Checks for partitioners and consensus functions of your own: that they do what all others promise."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pickle import PicklingError
from typing import Any, Self

import numpy as np

from ._lib.arrays import AnyArray
from ._lib.progress import report_progress
from .cutting.entry import partition
from .cutting.mending import counted
from .cutting.partitioner_registry import Partitioner, PartitionerFunction, find_partitioner
from .errors import collect_warnings
from .families.method import Symmetry
from .families.registry import Method, adopted, find_method, methods
from .families.trials import call_method
from .graphs.bipartite import bipartite
from .graphs.graph import Graph
from .graphs.hypergraph import Hypergraph, hypergraph
from .labels.ensemble import Ensemble
from .measures.agreement import ari

__all__ = ["Passed", "check_method", "check_partitioner"]


def __dir__() -> list[str]:
    return sorted(__all__)


_SEEDS = (0, 1, 12345)
_ORDERS = 8  # ensembles that are tried in two orders
_LEAK = 0.2  # chance alone, in methods that draw, stays below half of this


@dataclass(frozen=True, repr=False)
class Passed:
    """A summary of checks that a method or a partitioner passed.

    Attributes
    ----------
    name
        Name of the method or partitioner.
    inputs
        The names of the ensembles or graphs.
    cases
        Number of combinations of an input, a k and a seed that were tried.
    promises
        The properties that held in all of them.
    """

    name: str
    inputs: tuple[str, ...]
    cases: int
    promises: tuple[str, ...]

    def __repr__(self) -> str:
        held = ", ".join(self.promises)
        return f"{self.name} passed on {len(self.inputs)} inputs, {self.cases} cases: {held}."


def check_partitioner(partitioner: str | PartitionerFunction, **options: Any) -> Passed:
    """Run a partitioner on many small graphs, and raise AssertionError if it violates a requirement.

    The graphs are disconnected, star, complete, edgeless, weighted and bipartite graphs, hypergraphs, graphs with
    isolated vertices, with very heavy and weightless vertices, and with more parts than components; several seeds are
    used. The partitioner must accept all of them for 1 < k < n, and k = None if it finds k. It must return a part for
    every vertex, the same parts for the same seed, and leave the graph as it is. If it needs k, it must return k parts
    of a graph that has edges. The rest is done by `partition`: k = 1 and k = n, and other numbers of parts, which are
    merged or filled with a warning.

    Parameters
    ----------
    partitioner
        A name, or a function ``(graph, k, *, seed)``; attributes ``takes`` and ``finds_k`` as in
        `graphens.register_partitioner`.
    **options
        Passed to the partitioner.

    Returns
    -------
    Passed
        A summary, printed as a sentence. `graphens.progress` reports the progress of the checks.

    Notes
    -----
    The error names the input, k and the seed. Your function runs in a process of its own (unless it cannot be
    pickled), so that a crash in native code is reported, too.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.testing import check_partitioner
    >>> def slices(graph, k, *, seed):
    ...     return [i * k // graph.n_vertices for i in range(graph.n_vertices)]
    >>> check_partitioner(slices)  # doctest: +ELLIPSIS
    slices passed on 14 inputs, ... cases: a part for every vertex, exactly k parts, ...
    >>> check_partitioner(
    ...     lambda graph, k, *, seed: [0] * graph.n_vertices
    ... )  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: <lambda> on two components, k = 2, seed 0: The partitioner '<lambda>' made 1 part instead of 2; ...
    """
    row, cases = find_partitioner(partitioner), 0
    with _Isolated(row.load()) as isolated:
        for done, (name, make) in enumerate(_GRAPHS.items()):
            report_progress(f"checking {row.name}", done / len(_GRAPHS))
            graph = make()
            n = int(np.count_nonzero(counted(graph))) if isinstance(graph, Graph) else graph.n_vertices
            tries: list[tuple[int | None, int]] = [*_tries({1, 2, 3, n // 2, n - 1, n}, n)]
            for k, seed in [*tries, (None, 0)] if row.finds_k else tries:
                where = f"{row.name} on {name}, k = {k}, seed {seed}"
                isolated(where, _check, row, graph, k, seed, where, options)
                cases += 1
    report_progress(f"checking {row.name}", 1.0)
    held = ("a part for every vertex", "exactly k parts", "the same result for the same seed", "an unchanged graph")
    return Passed(row.name, tuple(_GRAPHS), cases, held)


def check_method(method: str | Callable[..., Any], **options: Any) -> Passed:
    """Run a consensus method on many small ensembles, and raise AssertionError if it violates a requirement.

    The ensembles have clear groups and noise, missing labels, objects without any label, weights, repeated rows, one
    object, one partition, identical objects and objects that are all apart; several k and seeds are used. The method
    gets only objects that have a label. It must return a cluster for each of them, at most k clusters if it needs k,
    the same result for the same seed, memberships that sum to at most 1, and leave the ensemble as it is. If its
    registry row declares this invariance as exact, other names of clusters and other units of weights must give the
    same result. Objects sorted by class must not be clustered better than the same objects in random order.

    Parameters
    ----------
    method
        A name, one of graphens' functions, or a function ``(ensemble, k, *, seed)``, see `graphens.register_method`.
        Its result must not depend on names of clusters and units of weights, unless its attribute ``symmetry`` says
        otherwise.
    **options
        Passed to the method.

    Returns
    -------
    Passed
        A summary, printed as a sentence. `graphens.progress` reports the progress of the checks.

    Notes
    -----
    The error names the input, k and the seed. Your function runs in a process of its own (unless it cannot be
    pickled), so that a crash in native code is reported, too.

    Examples
    --------
    >>> from graphens.testing import check_method
    >>> check_method("vote")  # doctest: +ELLIPSIS
    vote passed on 10 inputs, ... cases: a label for every object that has any, ...
    >>> check_method(lambda ensemble, k, *, seed: ensemble.labels.max(axis=1) % k)
    Traceback (most recent call last):
        ...
    AssertionError: <lambda> on noisy groups, k = 2, seed 0: other names of clusters give a different result
    """
    row, cases = _method(method), 0
    sorted_objects = f"{row.name} on objects sorted by class, k = 3"
    with _Isolated(row.function) as isolated:
        for done, (name, make) in enumerate(_ENSEMBLES.items()):
            report_progress(f"checking {row.name}", done / len(_ENSEMBLES))
            e = make()
            present = int(np.count_nonzero(e.present))
            for k, seed in _tries({1, 2, 3, present}, present):
                where = f"{row.name} on {name}, k = {k}, seed {seed}"
                isolated(where, _check_method, row, e, k, seed, where, options)
                cases += 1
        gain = isolated(sorted_objects, _gain_by_order, row, options)
    leak = f"its agreement with the classes (ARI) is {gain:.2f} higher than with the objects in random order"
    _hold(sorted_objects, gain < _LEAK, f"{leak}, so it reads the classes from the order of the rows")
    report_progress(f"checking {row.name}", 1.0)
    return Passed(row.name, (*_ENSEMBLES, "classes in a row"), cases + 2 * _ORDERS, _promises(row))


class _Isolated:
    """Runs cases of a function in a process of its own, which may crash; functions of graphens run in this one."""

    def __init__(self, function: Any) -> None:
        self._process: Any = None
        if not str(getattr(function, "__module__", "")).startswith(f"{__package__}."):
            from joblib.externals.loky import ProcessPoolExecutor

            self._process = ProcessPoolExecutor(max_workers=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.shutdown(kill_workers=True)

    def __call__(self, where: str, check: Callable[..., Any], *args: Any) -> Any:
        """Return the result of a case; whatever goes wrong becomes an AssertionError that names the case."""
        try:
            return check(*args) if self._process is None else self._process.submit(check, *args).result()
        except AssertionError:
            raise
        except BrokenProcessPool as error:
            if type(error).__name__ != "TerminatedWorkerError":  # it could not be read there, so it runs here
                self._process = None
                return self(where, check, *args)
            crash = "its process ended without a result, as by a crash in native code"
            raise AssertionError(f"{where}: {crash}") from None
        except PicklingError:
            self._process = None
            return self(where, check, *args)
        except Exception as error:
            raise AssertionError(f"{where}: {error}") from error


def _gain_by_order(row: Method, options: dict[str, Any]) -> float:
    """How much higher the agreement with the classes is if objects are sorted by class than if they are shuffled.

    The labels are so noisy that a method could gain from using the neighboring rows of the table.
    """
    truth, scores = np.repeat([0, 1, 2], 12), np.zeros((2, _ORDERS))
    for i in range(_ORDERS):
        rng = np.random.default_rng(i)
        table = np.where(rng.random((36, 6)) < 0.5, rng.integers(0, 3, (36, 6)), truth[:, None])
        with collect_warnings():
            for j, order in enumerate((np.arange(36), rng.permutation(36))):
                labels = call_method(row, Ensemble(table[order]), 3, i, **options).labels
                scores[j, i] = ari(truth[order], labels)
    return float(scores[0].mean() - scores[1].mean())


def _tries(ks: set[int], n: int) -> list[tuple[int, int]]:
    """Pairs of k and seed for n objects: every possible k with one seed, and k = 2 with several."""
    return [(k, seed) for k in sorted(ks & set(range(1, n + 1))) for seed in (_SEEDS if k == 2 else _SEEDS[:1])]


def _promises(row: Method) -> tuple[str, ...]:
    """What `check_method` checks for a method."""
    changes = {"renaming": "names of clusters", "scaling": "units of weights"}
    exact = [change for kind, change in changes.items() if getattr(row.symmetry, kind) == "exact"]
    at_most = ["at most k clusters"] if row.needs_k else []
    same = ["the same result for the same seed", "an unchanged ensemble", "no use of the order of the objects"]
    always = ["a label for every object that has any", *at_most, "memberships that sum to at most 1", *same]
    return (*always, *(f"the same result under other {change}" for change in exact))


def _method(method: str | Callable[..., Any]) -> Method:
    if isinstance(method, str):
        return find_method(method)
    rows = [row for row in methods() if row.function is method]
    symmetry = getattr(method, "symmetry", Symmetry(renaming="exact"))
    return rows[0] if rows else adopted(getattr(method, "__name__", "method"), method, symmetry=symmetry)


def _check_method(row: Method, e: Ensemble, k: int, seed: int, where: str, options: dict[str, Any]) -> None:
    """One ensemble, one k, one seed."""
    before, scaled = e.codes.copy(), e._replace(weights=e.weights * 0.125)
    last = (e.n_clusters - 1).astype(e.codes.dtype)[:, None]  # the clusters of every partition in reverse order
    renamed = e._replace(codes=np.where(e.codes == e.absent, e.codes, last - np.minimum(e.codes, last)))
    with collect_warnings():
        first, again = (call_method(row, e, k, seed, **options) for _ in range(2))
        named, unit = (call_method(row, other, k, seed, **options) for other in (renamed, scaled))
    present = e.present
    _hold(where, np.array_equal(first.labels >= 0, present), "some objects with a label have no cluster")
    _hold(where, not row.needs_k or first.k <= k, f"{first.k} clusters instead of at most {k}")
    sums = first.membership.sum(axis=1)
    complete = np.allclose(sums[~present], 0) and (sums <= 1 + 1e-9).all()
    _hold(where, complete, "memberships sum to more than 1")
    _hold(where, np.array_equal(first.labels, again.labels), "the same seed gave a different result")
    _hold(where, np.array_equal(e.codes, before), "the ensemble was changed")
    for kind, other, change in (("renaming", named, "names of clusters"), ("scaling", unit, "units of weights")):
        same = getattr(row.symmetry, kind) != "exact" or np.array_equal(first.labels, other.labels)
        _hold(where, same, f"other {change} give a different result")


def _check(
    row: Partitioner, graph: Graph | Hypergraph, k: int | None, seed: int, where: str, options: dict[str, Any]
) -> None:
    """One graph, one k, one seed."""
    before = [array.copy() for array in _arrays_of(graph)]
    with collect_warnings() as warnings:
        first, again = (partition(graph, k, partitioner=row, seed=seed, n_init=1, **options) for _ in range(2))
    # What a call repairs with a warning is refused here. Without edges any number of parts will do, and only the parts
    # of objects count in a bipartite graph; graphs of the other kind are converted, which the function cannot know.
    plain = isinstance(graph, Graph) and graph.n_edges and counted(graph).all()
    repairs = [one.message for one in warnings if one.message.startswith("The partitioner ")]
    clear = not row.finds_k and (plain if row.takes == "graph" else isinstance(graph, Hypergraph))
    _hold(where, not (clear and repairs), " ".join(repairs[:1]))
    _hold(where, np.array_equal(first.labels, again.labels), "the same seed gave a different result")
    _hold(where, first.labels.shape == (graph.n_vertices,), f"{first.labels.shape} labels")
    _hold(where, k is None or first.k == k, f"{first.k} parts")
    for was, now in zip(before, _arrays_of(graph), strict=True):
        _hold(where, np.array_equal(was, now), "the graph was changed")


def _hold(where: str, promise: Any, broken: str) -> None:
    if not promise:  # said with raise: assert statements vanish under python -O
        raise AssertionError(f"{where}: {broken}")


def _arrays_of(graph: Graph | Hypergraph) -> list[AnyArray]:
    matrix = graph.adjacency if isinstance(graph, Graph) else graph.incidence
    return [matrix.data, matrix.indices, matrix.indptr, graph.vertex_weights]


def _blocks(*sizes: int) -> AnyArray:
    label = np.repeat(np.arange(len(sizes)), sizes)
    return (label[:, None] == label).astype(float)


def _star(n: int) -> AnyArray:
    a = np.zeros((n, n))
    a[0, 1:] = a[1:, 0] = 1
    return a


def _random(n: int, share: float, seed: int) -> AnyArray:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < share), 1)
    return np.asarray(upper + upper.T)


def _labels() -> AnyArray:
    """Three partitions of 24 objects, some labels missing."""
    rng = np.random.default_rng(0)
    table = np.stack([np.arange(24) // 6, np.arange(24) // 8, np.arange(24) % 5], axis=1)
    table[rng.random(table.shape) < 0.15] = -1
    table[(table < 0).all(axis=1)] = 0
    return table


#: small graphs that partitioners stumble over
_GRAPHS: dict[str, Callable[[], Graph | Hypergraph]] = {
    "two components": lambda: Graph(_blocks(6, 6)),
    "one vertex": lambda: Graph([[0]]),
    "two vertices": lambda: Graph(_blocks(2)),
    "no edges": lambda: Graph(np.zeros((9, 9))),
    "a star": lambda: Graph(_star(12)),
    "a complete graph": lambda: Graph(_blocks(15)),
    "five components": lambda: Graph(_blocks(5, 4, 3, 2, 1)),
    "isolated vertices": lambda: Graph(np.pad(_blocks(5, 5), (0, 4))),
    "a weighted graph": lambda: Graph(_random(30, 0.4, 0)),
    "tiny and huge weights": lambda: Graph(_random(20, 0.5, 1) ** 40 * 1e12),
    "uneven vertices": lambda: Graph(_random(24, 0.4, 2), vertex_weights=np.arange(24) // 6),
    "a heavy vertex": lambda: Graph(_random(24, 0.4, 3), vertex_weights=[1000.0] + [1.0] * 23),
    "a bipartite graph": lambda: bipartite(_labels()),
    "a hypergraph": lambda: hypergraph(_labels()),
}


def _groups(missing: float = 0.0, absent: int = 0) -> AnyArray:
    """Four partitions of three groups of five, with some noise."""
    rng = np.random.default_rng(1)
    table = np.stack([rng.permutation(3)[np.repeat([0, 1, 2], 5)] for _ in range(4)], axis=1)
    noise = rng.random(table.shape)
    table[noise < 0.1] = 0
    table[noise > 1 - missing] = -1
    table[:absent] = -1
    return table


_ENSEMBLES: dict[str, Callable[[], Ensemble]] = {
    "clear groups": lambda: Ensemble(np.repeat(np.eye(3, dtype=int), 4, axis=0)),
    "noisy groups": lambda: Ensemble(_groups()),
    "missing labels": lambda: Ensemble(_groups(missing=0.3)),
    "absent objects": lambda: Ensemble(_groups(missing=0.1, absent=2)),
    "weights": lambda: Ensemble(_groups(), weights=[1, 2, 0, 3], object_weights=np.arange(15) % 3 + 1),
    "one object": lambda: Ensemble([[0, 1]]),
    "one partition": lambda: Ensemble([[0], [0], [1], [2]]),
    "all alike": lambda: Ensemble(np.zeros((6, 3), dtype=int)),
    "all apart": lambda: Ensemble(np.tile(np.arange(5)[:, None], (1, 3))),
}

"""The whole public surface: every function, and every method of every value, with a hostile argument or two."""

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
from hypothesis import strategies as st

import graphens as ge

from . import odd

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))
LABELS = np.random.default_rng(0).integers(0, 3, (12, 4)) // [1, 1, 2, 1]
E = ge.Ensemble(LABELS, object_names=[f"o{i}" for i in range(12)])
X = np.random.default_rng(0).normal(size=(12, 2))
G = nx.karate_club_graph()
FRAME = pd.DataFrame(LABELS, columns=list("abcd"), index=[f"o{i}" for i in range(12)])
#: what loads much, changes the process, or is no call
LEFT_OUT = {"GraphensError", "GraphensWarning", "errors", "Labels", "register_method", "register_partitioner"}
#: other classes come from calls
MADE_BY_HAND = {"Ensemble", "Graph", "Hypergraph", "Dendrogram", "ConsensusClustering"}
ALWAYS = {"seed", "n_partitions", "n_jobs", "n_init", "time_limit", "seeds", "n_references"}


def values() -> Iterator[Any]:
    """One value of every kind that calls return."""
    r, graph = ge.consensus(E, 2, seed=0), ge.coassociation(E)
    yield from (E, r, r.explain("o1"), r.assign(E), r.update(LABELS[:, 0]).changes, ge.eac(E, 2))
    yield from (graph, graph.threshold(0.3), ge.bipartite(E), ge.metagraph(E), ge.clustree(E), ge.hypergraph(E))
    yield from (ge.link(graph, "average"), ge.partition(graph, 2, seed=0), ge.choose_k(E, range(2, 4), seed=0))
    yield from (ge.compare(E, 2, methods=["vote", "eac"]), ge.match(LABELS[:, 0], LABELS[:, 1]))
    yield from (ge.benchmark(E, 2, methods=["vote", "eac"], seeds=2), ge.stability(E, range(2, 4), seed=0))
    yield from (ge.monti(X, range(2, 4), n_partitions=4, seed=0), ge.snn_prototypes(X, 4, q=3, seed=0))
    yield from (ge.credible_ball(ge.median(E, seed=0), E), ge.modes(E, seed=0)[0], ge.methods["vote"])
    yield from (ge.landscape(G, [0.5, 1.0], n_partitions=3, seed=0), ge.communities(G, 3, seed=0))
    yield ge.ConsensusClustering(2, n_partitions=3, random_state=0).fit(X)


@cache
def calls() -> dict[str, Callable[..., Any]]:
    """Every public function, and every public method of every value."""
    named: dict[str, Callable[..., Any]] = {}
    for name, thing in import_module("made").public_names().items():
        if name.partition(".")[0] not in LEFT_OUT and callable(thing):
            if not inspect.isclass(thing) or name in MADE_BY_HAND:
                named[name] = thing
            named |= methods_of(name, thing) if inspect.isclass(thing) else {}
    for i, value in enumerate(values()):
        named |= methods_of(f"{type(value).__name__}_{i}", value)
    return named


def methods_of(name: str, thing: Any) -> dict[str, Callable[..., Any]]:
    """The public methods of a value, or those of a class that need none."""
    if not (thing if inspect.isclass(thing) else type(thing)).__module__.startswith("graphens"):
        return {}
    found = {key: getattr(thing, key, None) for key in dir(type(thing) if thing is E else thing) if key[0] != "_"}
    return {f"{name}.{key}": method for key, method in found.items() if inspect.ismethod(method)}


#: what suits a parameter of this name
GOOD: dict[str, list[Any]] = {
    name: suitable
    for names, suitable in (
        ("labels e partitions ensemble rows", [E, LABELS, FRAME]),
        ("a b truth draw estimate classes", [LABELS[:, 0], FRAME["b"]]),
        ("G on", [G, ge.Graph.from_networkx(G)]),
        ("graph value", [ge.coassociation(E), ge.metagraph(E)]),
        ("X series data", [X, pd.DataFrame(X)]),
        ("k n_clusters size p m degree least most n_init n_jobs", [1, 2]),
        ("n_partitions n_bootstraps seeds frames n_references", [2, 3]),
        ("seed random_state", [0, 1, None]),
        ("path paths directory out", ["x.npz", "x.graphml", "x.html", Path("x.csv"), "x.png"]),
        ("method methods", ["vote", ["eac", "vote"]]),
        ("resolutions theta share height level low high at", [0.5, [0.5, 1.0]]),
        ("ks", [range(2, 4), [2, 3]]),
        ("draws", [LABELS.T]),
        ("memberships", [[X**2, X**2]]),
        ("adjacency", [np.ones((3, 3)) - np.eye(3)]),
        ("incidence", [np.eye(3)]),
        ("merges", [[[0, 1, 0.5, 2], [2, 3, 0.8, 3]]]),
        ("which", ["o1", 3]),
        ("must_link", [[("o1", "o2")]]),
        ("name", ["half-rings", "iris"]),
        ("kind", ["heatmap", "map", "graph", "flow", "tree"]),
        ("r", [ge.vote(E, 2)]),
        ("h", [ge.hypergraph(E)]),
        ("d", [ge.link(ge.coassociation(E), "single")]),
        ("time_limit", [1.0]),
    )
    for name in names.split()
}
OPTIONS = st.sampled_from(["unknown", "X", "cmap", "k", "title", "classes", "methods", "partitioner"])
HOSTILE = st.sampled_from([
    np.zeros(0), np.zeros(5), np.arange(13), np.zeros((3, 5)), np.full(12, np.nan), np.array(["a", None, 3], object),
    [[1, 2], [3]], list("abc"), 10**9, 2**63, -(2**70), 10**400, 1e18, "x" * 5000, np.zeros((2, 2, 2)), np.array(5),
    FRAME, FRAME["a"], FRAME.iloc[:5], pd.Series([], dtype=float), G, nx.DiGraph([(0, 1)]), nx.Graph(),
    igraph.Graph.Famous("Zachary"), E, ge.Graph(np.zeros((2, 2))), ge.hypergraph(E), ge.vote(E, 2), b"bytes", 1, True,
    Path("no/such/place"), lambda: 1, iter([1]), {"a": [1, 2]}, {"a": G}, [None] * 12, slice(None), ..., 1j,
    np.ma.masked_array([1, 2], [0, 1]), np.datetime64("NaT"),
])  # fmt: skip


def surface(data: st.DataObject, told: Callable[[str], None]) -> None:
    """Call something with suitable arguments, some of them exchanged for hostile ones."""
    name = data.draw(st.sampled_from(sorted(calls())))
    function = calls()[name]
    known = list(inspect.signature(function).parameters.values())
    plain = [p for p in known if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    needed = [p.name for p in plain if p.default is p.empty or p.name in ALWAYS]
    given = {key: data.draw(st.sampled_from(GOOD.get(key, [None]))) for key in needed}
    wrong = st.sampled_from([p.name for p in plain]) if plain else st.nothing()
    wrong |= OPTIONS if len(plain) < len(known) else st.nothing()
    for key in data.draw(st.lists(wrong, min_size=1, max_size=2)) if known else []:
        given[key] = data.draw(HOSTILE | odd.values | st.sampled_from(GOOD.get(key, [None])))
    if callable(given.get("progress")) or callable(given.get("callback")):
        return  # the caller's own errors
    told(f"{name}({', '.join(f'{key}={value!r:.200}' for key, value in given.items())})")
    first = [given.pop(p.name) for p in plain if p.kind is p.POSITIONAL_ONLY and p.name in given]
    try:
        answer = function(*first, **given)
        if isinstance(answer, AbstractContextManager):
            with answer:
                pass
        repr(answer)
    except AssertionError:
        if not name.startswith("testing."):  # whose checks fail by it
            raise
    except (TypeError, ValueError) as error:
        # what Python says of a call that does not fit, and scikit-learn of the features of its estimators
        if len(traceback.extract_tb(error.__traceback__)) > 1 and not name.startswith("ConsensusClustering"):
            raise

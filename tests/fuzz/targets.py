"""What is called: each target draws one call and makes it; `told` keeps what was drawn, should the process die."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import strategies as st

import graphens as ge
from graphens.cli import main

from . import odd

Told = Callable[[str], None]
KS = st.sampled_from([None, 1, 2, 2, 3, 3, 4, 0, -1, 2.0, 2.5, "2", 10**30, True, float("nan")])
SEEDS = st.sampled_from([0, 0, 1, None, -1, 2**40, 1.5, "x"])
MAKERS: dict[str, Callable[..., Any]] = {
    "Ensemble": ge.Ensemble,
    "from_partitions": ge.Ensemble.from_partitions,
    "Graph": ge.Graph,
}
OF_ENSEMBLE = ("weights", "object_weights", "object_names", "partition_names")
WORDS = [
    "-k",
    "2",
    "0",
    "--method",
    "vote",
    "eac",
    "--seed",
    "1",
    "--id",
    "a",
    "--delimiter",
    ";",
    "--set",
    "x=1",
]
X = np.random.default_rng(0).normal(size=(12, 2))


def methods(data: st.DataObject, told: Told) -> None:
    row = data.draw(st.sampled_from(ge.methods()))
    e = data.draw(odd.ensembles())
    given = data.draw(odd.options(row.function))
    if row.name == "wce":
        given.setdefault("X", X[: e.n_objects])
    if row.name == "exact_median":
        given.setdefault("time_limit", 2.0)
    k, seed = data.draw(KS), data.draw(SEEDS)
    name = "auto" if not given and data.draw(st.integers(0, 9)) == 0 else row.name
    told(f"{name}({shown(e)}, k={k!r}, seed={seed!r}, **{given!r})")
    r = ge.consensus(e, k, method=name, seed=seed, **given)
    assert r.labels.shape == (e.n_objects,)
    assert set(r.labels[e.present].tolist()) == set(range(r.k)), "labels are 0 … k − 1"
    assert ((r.labels < 0) == ~e.present).all(), "exactly the objects without any label have none"
    assert np.isfinite(r.membership).all()
    assert np.isfinite(r.confidence).all()
    assert np.isfinite(r.score)


def front(data: st.DataObject, told: Told) -> None:
    labels, k, seed = data.draw(odd.tables()), data.draw(KS), data.draw(SEEDS)
    told(f"consensus({labels!r}, {k!r}, seed={seed!r})")
    ge.consensus(labels, k, seed=seed)


def partitioners(data: st.DataObject, told: Told) -> None:
    row = data.draw(st.sampled_from(ge.partitioners()))
    graph, k, seed = data.draw(odd.graphs()), data.draw(KS), data.draw(SEEDS)
    given = data.draw(
        st.dictionaries(
            st.sampled_from(["n_init", "resolution", "scheme", "imbalance", "linkage"]),
            odd.values,
            max_size=1,
        )
    )
    told(f"partition({graph!r}, {k!r}, {row.name!r}, seed={seed!r}, **{given!r})")
    found = ge.partition(graph, k, row.name, seed=seed, **given)
    assert len(found.labels) == graph.n_vertices
    assert np.isfinite(found.cut)


def constructors(data: st.DataObject, told: Told) -> None:
    name = data.draw(st.sampled_from(sorted(MAKERS)))
    table = data.draw(odd.tables())
    keys = ["vertex_weights", "names"] if name == "Graph" else [*OF_ENSEMBLE]
    given = data.draw(st.dictionaries(st.sampled_from(keys), odd.tables(), max_size=1))
    told(f"{name}({table!r}, **{given!r})")
    made = MAKERS[name](table, **given)
    if isinstance(made, ge.Ensemble):
        assert np.array_equal(ge.Ensemble.from_partitions(list(made.labels.T)).labels, made.labels)


def archives(data: st.DataObject, told: Told) -> None:
    """A damaged archive is refused, or harmlessly damaged."""
    e = data.draw(odd.ensembles())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "e.npz"
        e.save(path)
        bad = data.draw(odd.damaged(path.read_bytes()))
        told(f"load({bad!r})")
        path.write_bytes(bad)
        assert ge.Ensemble.load(path) == e, "another ensemble without a word"


def checkpoints(data: st.DataObject, told: Told) -> None:
    """Work that goes on from a damaged checkpoint ends as it would have, or says what is wrong."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.ckpt"

        def made() -> ge.Ensemble:
            return ge.generate(X, n_partitions=3, k=2, seed=0, n_jobs=1, checkpoint=path)

        whole = made()
        bad = data.draw(odd.damaged(path.read_bytes()))
        told(f"checkpoint {bad!r}")
        path.write_bytes(bad)
        assert np.array_equal(made().labels, whole.labels), "another ensemble without a word"


def exports(data: st.DataObject, told: Told) -> None:
    ending = data.draw(
        st.sampled_from(["graphml", "gexf", "gml", "net", "graph", "csv", "parquet", "hgr", "hif.json"])
    )
    e = data.draw(odd.ensembles(most=5))
    called = data.draw(st.lists(odd.names, min_size=e.n_objects, max_size=e.n_objects, unique=True))
    told(f"write {ending} of {shown(e)} named {called!r}")
    e = ge.Ensemble(e.labels, object_names=called)
    value = ge.hypergraph(e) if ending in ("hgr", "hif.json") else ge.bipartite(e)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"g.{ending}"
        value.write(path)
        if ending == "graphml":
            import networkx as nx

            assert len(nx.read_graphml(path)) == value.n_vertices


def command_line(data: st.DataObject, told: Told) -> None:
    line = st.text(st.sampled_from("ab01,;\t\"'\x00é -.\n\r_"), max_size=40)
    content = data.draw(line.map(str.encode) | st.binary(max_size=60) | st.just(b"a,b\n1,2\n1,1\n2,2\n"))
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=4))
    command = data.draw(st.sampled_from(["consensus", "cluster", "export", "generate"]))
    with TemporaryDirectory() as folder:
        ending = data.draw(st.sampled_from(["csv", "tsv", "txt", "npz", "parquet", "xyz"]))
        path = Path(folder) / f"in.{ending}"
        path.write_bytes(content)
        told(f"graphens {command} {path.name} ({content!r}) {words}")
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            code = main([command, str(path), *words, "-o", str(Path(folder) / "out.csv")])
        assert code in (0, 2), code
        assert "Traceback" not in said.getvalue()
        assert len(said.getvalue()) < 5000, "a line too long to read"


def results(data: st.DataObject, told: Told) -> None:
    """What can be asked of an answer."""
    e = data.draw(odd.ensembles())
    name = data.draw(st.sampled_from(["vote", "eac", "lwgp", "mcla", "hne", "mixture"]))
    asked = data.draw(st.sampled_from(["explain", "assign", "to_networkx", "to_igraph", "to_frame", "cut"]))
    given = data.draw(odd.values | odd.tables())
    told(f"{name}({shown(e)}, 2, seed=0).{asked}({given!r})")
    r = ge.consensus(e, min(2, e.n_objects), method=name, seed=0)
    if asked == "explain":
        repr(r.explain(given))
    elif asked == "assign":
        assert np.isfinite(r.assign(given).confidence).all()
    elif asked == "cut":
        if r.graph is not None:
            assert np.isfinite(r.graph.cut(r.vertex_labels))
    else:
        getattr(r, asked)()


def choosing(data: st.DataObject, told: Told) -> None:
    """The number of clusters, and what is said about many partitions."""
    e, given, seed = data.draw(odd.ensembles()), data.draw(odd.values), data.draw(SEEDS)
    rule = data.draw(st.sampled_from(["eigengap", "stability", "lifetime", "agreement"]) | odd.values)
    asked = data.draw(
        st.sampled_from(["choose_k", "compare", "modes", "select", "match", "pairwise", "clustree"])
    )
    ks = data.draw(st.sampled_from([range(2, 4), [2], [], given]))
    told(f"{asked}({shown(e)}, {given!r} or {ks!r}, rule={rule!r}, seed={seed!r})")
    calls: dict[str, Callable[[], Any]] = {
        "choose_k": lambda: ge.choose_k(e, ks, rule=rule, seed=seed),
        "compare": lambda: ge.compare(e, given, methods=["vote", "eac"], seed=seed),
        "modes": lambda: ge.modes(e, seed=seed),
        "select": lambda: ge.select(e, given),
        "match": lambda: ge.match(e.labels[:, 0], given),
        "pairwise": lambda: ge.measures.pairwise(e, rule),
        "clustree": lambda: ge.clustree(e),
    }
    calls[asked]()


def generators(data: st.DataObject, told: Told) -> None:
    features = data.draw(odd.tables() | st.just(X))
    options = ["n_partitions", "k", "base", "sampling", "seed", "n_jobs", "checkpoint", "progress"]
    given = data.draw(st.dictionaries(st.sampled_from(options), odd.values, max_size=2))
    if given.get("checkpoint") is not None and not isinstance(given["checkpoint"], int | float):
        del given["checkpoint"]  # would be a file in the working directory
    if callable(given.get("progress")):
        del given["progress"]  # the caller's own errors
    given = {"n_partitions": 2, "k": 2, "seed": 0, "n_jobs": 1} | given
    told(f"generate({features!r}, **{given!r})")
    e = ge.generate(features, **given)
    assert e.n_partitions == given["n_partitions"]


def networks(data: st.DataObject, told: Told) -> None:
    """Communities of odd graphs: a Graph, networkx's or igraph's."""
    graph = data.draw(odd.graphs())
    base = data.draw(st.sampled_from(["leiden", "louvain", "label_propagation"]) | odd.values)
    method = data.draw(st.sampled_from(["recluster", "ecg", "vote"]) | odd.values)
    form = data.draw(st.sampled_from(["to_networkx", "to_igraph", ""]))
    given = data.draw(
        st.dictionaries(st.sampled_from(["resolution", "n_partitions", "seed"]), odd.values, max_size=1)
    )
    told(f"communities({graph!r}.{form}, base={base!r}, method={method!r}, **{given!r})")
    network = getattr(graph, form)() if form and isinstance(graph, ge.Graph) else graph
    r = ge.communities(network, **({"n_partitions": 3, "base": base, "method": method, "seed": 0} | given))
    assert r.labels.shape == (graph.n_vertices,)


def shown(e: ge.Ensemble) -> str:
    weights = f"weights={e.weights.tolist()}, object_weights={e.object_weights.tolist()}"
    return f"Ensemble.from_partitions({e.labels.T.tolist()}, {weights})"


TARGETS: dict[str, Callable[[st.DataObject, Told], Any]] = {
    call.__name__: call
    for call in (
        methods,
        front,
        partitioners,
        constructors,
        archives,
        checkpoints,
        exports,
        command_line,
        results,
        choosing,
        generators,
        networks,
    )
}

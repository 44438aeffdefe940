"""What is called: each target draws one call and makes it; `told` keeps what was drawn, should the process die."""

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
from .surface import surface

Told = Callable[[str], None]
KS = st.sampled_from([None, 1, 2, 2, 3, 3, 4, 0, -1, 2.0, 2.5, "2", 10**30, True, float("nan")])
SEEDS = st.sampled_from([0, 0, 1, None, -1, 2**40, 1.5, "x"])
WORDS = ["-k", "2", "0", "--method", "vote", "eac", "--seed", "1", "--id", "a", "--delimiter", ";", "--set", "x=1"]
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


def partitioners(data: st.DataObject, told: Told) -> None:
    row = data.draw(st.sampled_from(ge.partitioners()))
    graph, k, seed = data.draw(odd.graphs()), data.draw(KS), data.draw(SEEDS)
    given = data.draw(
        st.dictionaries(
            st.sampled_from(["n_init", "resolution", "scheme", "imbalance", "linkage"]), odd.values, max_size=1
        )
    )
    told(f"partition({graph!r}, {k!r}, {row.name!r}, seed={seed!r}, **{given!r})")
    found = ge.partition(graph, k, partitioner=row.name, seed=seed, **given)
    assert len(found.labels) == graph.n_vertices
    assert np.isfinite(found.cut)


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
    ending = data.draw(st.sampled_from(["graphml", "gexf", "gml", "net", "graph", "csv", "parquet", "hgr", "hif.json"]))
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


def shown(e: ge.Ensemble) -> str:
    weights = f"weights={e.weights.tolist()}, object_weights={e.object_weights.tolist()}"
    return f"Ensemble.from_partitions({e.labels.T.tolist()}, {weights})"


TARGETS: dict[str, Callable[[st.DataObject, Told], Any]] = {
    call.__name__: call for call in (methods, partitioners, archives, checkpoints, exports, command_line, surface)
}

"""Odd values, ensembles, graphs, names and files, as hypothesis draws them."""

import inspect
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import graphens as ge

NAN, INF = float("nan"), float("inf")
numbers = st.sampled_from(
    [0, 1, 2, 3, -1, 7, 10**30, -(10**30), 0.0, 0.5, 1.0, 2.5, -0.1, 1e-300, 1e300, NAN, INF, -INF]
)
texts = st.sampled_from(
    ["", "x", "average", "single", "ward", "spectral", "metis", "auto", "é", "\x00", "\ud800", "1_0"]
)
others = st.sampled_from([None, True, False, [], {}, (), [1, 2], np.zeros(3), np.int64(2), object, b"x", {"a": 1}, {1}])
values = numbers | texts | others
#: names that break formats: separators, quotes, control characters, other scripts, lone surrogates
names = st.text(st.sampled_from("ab\"'<>&;,\t\n\r\x00\x1f\x7f\\|[]{} é☃\U0001f600\ud800\u2028=#"), max_size=6)


@st.composite
def ensembles(draw: st.DrawFn, most: int = 9) -> ge.Ensemble:
    """Few objects, missing labels, weights of every size that an Ensemble takes."""
    n, b = draw(st.integers(1, most)), draw(st.integers(1, 5))
    labels = draw(arrays(np.int64, (n, b), elements=st.integers(-1, 4)))
    scale = st.sampled_from([0.0, 1e-200, 1e-6, 0.5, 1.0, 3.0, 1e6, 1e150])
    weights = draw(st.none() | st.lists(scale, min_size=b, max_size=b).filter(any))
    masses = draw(st.none() | st.lists(scale.filter(bool), min_size=n, max_size=n))
    return ge.Ensemble.from_partitions(list(labels.T), weights=weights, object_weights=masses)


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Small graphs of every kind, lazy ones too, with weights from tiny to huge; sometimes a hypergraph."""
    kind = draw(st.integers(0, 5))
    if kind < 4:
        made = (ge.coassociation, ge.bipartite, ge.metagraph, ge.hypergraph)[kind]
        return made(draw(ensembles()))
    n = draw(st.integers(1, 12))
    weight = st.sampled_from([0.0, 0.0, 1.0, 0.5, 1e-300, 1e-9, 1e9, 1e200])
    upper = np.triu(draw(arrays(np.float64, (n, n), elements=weight)), 1)
    vertex = draw(st.none() | arrays(np.float64, n, elements=st.sampled_from([0.0, 1.0, 1e-200, 1e200])))
    return ge.Graph(
        sparse.csr_array(upper + upper.T), vertex_weights=vertex if vertex is None or vertex.any() else None
    )


@st.composite
def options(draw: st.DrawFn, function: Any, odd: st.SearchStrategy[Any] = values) -> dict[str, Any]:
    """One or two of a function's options with an odd value."""
    known = [key for key in list(inspect.signature(function).parameters)[1:] if key not in ("k", "seed")]
    chosen = draw(st.lists(st.sampled_from(known), max_size=2, unique=True)) if known else []
    return {key: draw(odd) for key in chosen}


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """A file with a bit turned, cut short, or with something in between."""
    at = int(draw(st.floats(0, 1, exclude_max=True)) * len(data))  # a share: lengths vary from run to run
    how = draw(st.integers(0, 3))
    if how < 2:
        return data[:at] + bytes([data[at] ^ (1 << draw(st.integers(0, 7)))]) + data[at + 1 :]
    return data[:at] if how == 2 else data[:at] + draw(st.binary(max_size=9)) + data[at:]

"""The graph core: import, first call of a process, meta-graph, distinct rows."""

import atexit
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import graphens as ge
from graphens import Ensemble

from .data import grouped
from .measuring import measure
from .parts import Part, beside, megabytes
from .provenance import ROOT

N_PARTITIONS = 20
HEAVY = ("sklearn", "networkx", "igraph", "matplotlib", "pymetis", "numba")
KINDS = {2: "few distinct rows", 16: "most rows distinct"}


def many_objects(dimensions: int, n: int) -> Ensemble:
    """Objects from partitions of a tenth as many: repeated in 2-D; in 16-D each label also moves 1 time in 10."""
    e = grouped(n // 10, N_PARTITIONS, (20, 100), dimensions=dimensions).ensemble
    rng = np.random.default_rng(1)
    codes = e.codes[:, rng.permutation(n) % (n // 10)]
    if dimensions > 2:
        for row, k in zip(codes, e.n_clusters, strict=True):
            moved = np.flatnonzero(rng.random(n, dtype=np.float32) < 0.1)
            row[moved] = rng.integers(0, k, size=moved.size)
    return Ensemble.from_partitions(list(codes))


def importing(repeats: int) -> dict[str, Any]:
    """Import in fresh processes, taking turns so that a busy moment hits both."""
    _seconds_of("scipy.sparse"), _seconds_of("graphens")  # files into the page cache
    pairs = [(_seconds_of("scipy.sparse"), _seconds_of("graphens")) for _ in range(repeats)]
    scipy, ours = (list(times) for times in zip(*pairs, strict=True))
    loaded = _fresh(f"import sys, graphens; print(*[m for m in {HEAVY!r} if m in sys.modules])")
    return {"scipy": scipy, "graphens": ours, "loaded": loaded}


def _seconds_of(module: str) -> float:
    code = f"import time; start = time.process_time(); import {module}; print(time.process_time() - start)"
    return float(_fresh(code))


def _fresh(code: str, **env: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    env = {"PYTHONPATH": str(ROOT)} | env
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""} | env,  # an installed package has its byte code
        cwd=env["PYTHONPATH"],  # where Python looks first
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return done.stdout.strip()


def meta_graph(dimensions: int, n: int) -> dict[str, Any]:
    """The meta-graph beside SciPy's product of the incidence with itself, which is only its first step."""
    e = many_objects(dimensions, n)
    ours = measure(_meta_edges, e, warm=(_small(),))
    scipy = measure(_product, ge.hypergraph(e).incidence, repeats=1)
    return {
        "clusters": int(e.n_clusters.sum()),
        "seconds": ours.seconds,
        "seconds of SciPy": scipy.seconds,
        "peak": ours.peak,
        "peak of SciPy": scipy.peak,
    }


def _meta_edges(e: Ensemble) -> int:
    return ge.metagraph(e).n_edges


def _product(incidence: Any) -> int:
    return int((incidence.T @ incidence).nnz)


def _small() -> Ensemble:
    """Little work for the same compiled code: some rows repeated often enough that collapsing them pays."""
    rng = np.random.default_rng(0)
    return Ensemble(rng.integers(0, 5, size=(50, 5))[rng.integers(50, size=2**17)])


def distinct_rows(dimensions: int, n: int) -> dict[str, Any]:
    """Distinct label rows beside np.unique, with inverse and counts, which collapse gives too."""
    e = many_objects(dimensions, n)
    ours = measure(_collapsed, e, warm=(_small(),))
    unique = measure(_unique_rows, np.ascontiguousarray(e.codes.T))
    if ours.value != unique.value:
        raise AssertionError(f"collapse found {ours.value} rows, np.unique {unique.value}")
    return {
        "distinct": ours.value,
        "seconds": ours.seconds,
        "seconds of NumPy": unique.seconds,
        "peak": ours.peak,
        "peak of NumPy": unique.peak,
    }


def _collapsed(e: Ensemble) -> int:
    return e.collapse()[0].n_objects


def _unique_rows(rows: np.ndarray) -> int:
    view = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    return len(np.unique(view, return_inverse=True, return_counts=True)[0])


LABELS = {"300 × 12, groups": (300, 12, 0.8), "300 × 12, random": (300, 12, 0.0), "150 × 20, groups": (150, 20, 0.8)}
CALLS = {
    "consensus(labels)": "ge.consensus(labels, seed=0)",
    "consensus(labels, 5)": "ge.consensus(labels, 5, seed=0)",
    "eac(labels)": "ge.eac(labels)",
    "lwea(labels, 5)": "ge.lwea(labels, 5)",
    "lwgp(labels, 5)": "ge.lwgp(labels, 5, seed=0)",
    "hbgf(labels, 5)": "ge.hbgf(labels, 5, seed=0)",
    "mcla(labels, 5)": "ge.mcla(labels, 5, seed=0)",
    "cspa(labels, 5)": "ge.cspa(labels, 5, seed=0)",
    "vote(labels, 5)": "ge.vote(labels, 5)",
    "choose_k(labels)": "ge.choose_k(labels, seed=0)",
    "members(labels, 5)": "ge.members(labels, 5, seed=0)",
    "r.explain(3)": "r.explain(3)",
    "r.report(path)": "r.report(path)",
    "the example of the README": "ge.eac(ge.generate(rings, n_partitions=50, k=(10, 30), seed=0))",
    "scikit-learn alone: KMeans(5).fit(X)": "KMeans(5, n_init=1, random_state=0).fit(rings)",
}
FRONT = tuple(CALLS)[:2]
_SMALL = next(iter(LABELS))
FIRST = """
import contextlib, gc, importlib, json, os, sys, tempfile, time, warnings
if "KMeans" in {call!r}:
    os.environ["OMP_NUM_THREADS"] = "1"  # as graphens lets it run
import numpy as np
import graphens as ge
from graphens.kernels import _jit
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
n, n_partitions, clear = {labels!r}
groups = rng.integers(0, 5, size=(n, 1))
labels = np.where(rng.random((n, n_partitions)) < clear, groups, rng.integers(0, 5, size=(n, n_partitions)))
rings = ge.datasets.load("half-rings", seed=0)[0] if "rings" in {call!r} else None
path = tempfile.mkdtemp() + "/report.html"
for module in {modules!r}:
    with contextlib.suppress(ImportError):  # parts of extension modules are no modules for others
        importlib.import_module(module)
if "KMeans" in {call!r}:
    from sklearn.cluster import KMeans
before = set(sys.modules)
gc.collect()  # what imports leave behind would otherwise be collected within some calls
times = []
if {calls} > 1:
    _jit._BUDGET = 0.0  # every kernel is compiled when it is first called
for _ in range({calls}):
    r = ge.consensus(labels, 5, seed=0) if {call!r}[:2] == "r." else None
    start = time.process_time()
    {call}
    times.append(time.process_time() - start)
print(json.dumps([times, [name for name in sys.modules if name not in before and name[:2] != "__"]]))
"""


def first_call(call: str, labels: str, cache: str, repeats: int) -> dict[str, Any]:
    """A call in fresh processes, with its imports and once they are paid, and the same call with all compiled.

    Modules that the call loads, found in a first process, are imported before it is timed in the others. The compiled
    call is the median of later calls in one more process, where every kernel is compiled however little it does.
    """
    with tempfile.TemporaryDirectory() as folder:
        env = _full_cache() if cache == "full" else {}

        def times(modules: Sequence[str], env: dict[str, str], calls: int = 1) -> tuple[list[float], list[str]]:
            code = FIRST.format(call=CALLS[call], labels=LABELS[labels], modules=modules, calls=calls)
            seconds, loaded = json.loads(_fresh(code, **(env or {"NUMBA_CACHE_DIR": tempfile.mkdtemp(dir=folder)})))
            return seconds, loaded

        compiled = times([], _full_cache(), 9)[0]
        first, modules = times([], env)
        paid = [times(modules, env)[0][0] for _ in range(repeats)]
    loaded = [name for name in HEAVY if name in modules]
    return {"first": first[0], "paid": paid, "compiled": compiled[2:], "loaded": " ".join(loaded)}


@cache
def _full_cache() -> dict[str, str]:
    """A folder for compiled code that all cases share: what one has compiled, the next one finds."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return {"NUMBA_CACHE_DIR": folder.name}


PARTS = (
    Part(
        "core-import",
        "Importing graphens",
        importing,
        cases=[{"repeats": 9}],
        quick=[{"repeats": 2}],
        columns=beside(
            lambda row: "`import graphens`",
            lambda row: "`import scipy.sparse`",
            lambda row: statistics.median(row["scipy"]),
            ours=lambda row: statistics.median(row["graphens"]),
            memory=lambda row: "",
        ),
        note=f"Imports are medians over fresh processes, taken in turn; graphens loads none of {', '.join(HEAVY)}.",
    ),
    Part(
        "core-first-call",
        "The first call of a process on small inputs",
        first_call,
        cases=[
            *({"call": call, "labels": labels, "cache": "empty", "repeats": 9} for labels in LABELS for call in FRONT),
            *({"call": call, "labels": _SMALL, "cache": "full", "repeats": 9} for call in FRONT),
            *({"call": call, "labels": _SMALL, "cache": "empty", "repeats": 9} for call in CALLS if call not in FRONT),
        ],
        quick=[{"call": FRONT[1], "labels": _SMALL, "cache": "empty", "repeats": 1}],
        columns={
            "call": "call",
            "labels": "labels",
            "compiled code on disk": "cache",
            "first call, CPU s": "first",
            "of which it imports": lambda row: row["loaded"] or "no heavy package",
            "once imports are paid, CPU s": lambda row: statistics.median(row["paid"]),
            "compiled, CPU s": lambda row: statistics.median(row["compiled"]),
            "ratio": lambda row: f"{statistics.median(row['paid']) / statistics.median(row['compiled']):.1f} ×",
        },
        note="Medians of 9 fresh processes (the whole first call: of one). Once imports are paid: all modules that the "
        "call loads are imported before it is timed. Compiled: later calls on the same labels where every kernel is "
        "compiled; the ratio compares these two. What scikit-learn does at its first fit is part of every call that "
        "imports it.",
    ),
    Part(
        "core-meta-graph",
        "The meta-graph of 2 million objects in 20 partitions",
        meta_graph,
        cases=[{"dimensions": d, "n": 2_000_000} for d in KINDS],
        quick=[{"dimensions": d, "n": 20_000} for d in KINDS],
        columns=beside(
            lambda row: f"`metagraph(e)`, {row['n']:,} objects, {KINDS[row['dimensions']]}",
            lambda row: "SciPy, `H.T @ H`",
            "seconds of SciPy",
            their_memory=megabytes("peak of SciPy"),
        ),
        note="`H.T @ H`, the product of the incidence matrix with itself, is only the first step to a meta-graph, and "
        "building H is not counted.",
    ),
    Part(
        "core-distinct-rows",
        "Distinct label rows of 2 million objects in 20 partitions",
        distinct_rows,
        cases=[{"dimensions": d, "n": 2_000_000} for d in KINDS],
        quick=[{"dimensions": d, "n": 20_000} for d in KINDS],
        columns=beside(
            lambda row: f"`e.collapse()`, {row['n']:,} objects, {KINDS[row['dimensions']]}",
            lambda row: "`np.unique`",
            "seconds of NumPy",
            their_memory=megabytes("peak of NumPy"),
        ),
        note="`np.unique` gets rows that are already contiguous, and returns the inverse and the counts, as `collapse` "
        "does.",
    ),
)

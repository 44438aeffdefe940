"""The graph core: import, first call of a process, meta-graph, distinct rows."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
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
CACHES = {"empty": "no cache yet", "nowhere to write": "no cache possible"}
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


FIRST = """
import contextlib, importlib, json, sys, time
import numpy as np
import graphens as ge
from graphens.kernels._jit import compiling_at_once
labels = np.random.default_rng(0).integers(0, 5, size=(300, 12))
def job():
    start = time.process_time()
    ge.consensus(labels, 5, seed=0)
    return time.process_time() - start
for module in {modules!r}:
    with contextlib.suppress(ImportError):  # parts of extension modules are no modules for others
        importlib.import_module(module)
before = set(sys.modules)
if {compiled}:
    with compiling_at_once():
        job()
        times = [job() for _ in range(5)]
else:
    times = [job()]
print(json.dumps([min(times), [name for name in sys.modules if name not in before and name[:2] != "__"]]))
"""


def first_call(cache: str, repeats: int) -> dict[str, Any]:
    """A consensus of 300 × 12 labels in fresh processes in which nothing is compiled, and where all is."""
    with tempfile.TemporaryDirectory() as folder:
        blocked = cache == "nowhere to write"
        env = _nowhere_to_write(Path(folder)) if blocked else {"NUMBA_CACHE_DIR": f"{folder}/cache"}
        first, modules = json.loads(_fresh(FIRST.format(modules=[], compiled=False), **env))
        paid = FIRST.format(modules=modules, compiled=False)
        again = [json.loads(_fresh(paid, **env))[0] for _ in range(repeats)]
        compiled = json.loads(_fresh(FIRST.format(modules=modules, compiled=True), **env))[0]
    loaded = [name for name in HEAVY if name in modules]
    return {"first": first, "paid": again, "compiled": compiled, "loaded": " ".join(loaded)}


def _nowhere_to_write(folder: Path) -> dict[str, str]:
    """An environment in which every place for a cache lies below a file; permissions would not stop root."""
    shutil.copytree(ROOT / "graphens", folder / "graphens", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "graphens" / "kernels" / "__pycache__").write_text("a file")
    blocked = str(folder / "graphens" / "py.typed" / "below")
    return {"PYTHONPATH": str(folder)} | dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), blocked)


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
        note="Imports are medians of fresh processes that take turns; graphens loads none of "
        f"{', '.join(HEAVY)}.",
    ),
    Part(
        "core-first-call",
        "The first `consensus` of a process: 300 objects, 12 partitions",
        first_call,
        cases=[{"cache": how, "repeats": 5} for how in ("empty", "nowhere to write")],
        quick=[{"cache": "empty", "repeats": 1}],
        columns=beside(
            lambda row: f"first `consensus` of a process, 300 × 12 labels, {CACHES[row['cache']]}",
            lambda row: "the same call when all is compiled",
            "compiled",
            ours=lambda row: statistics.median(row["paid"]),
            memory=lambda row: "",
        ),
        note="A first call is measured in fresh processes in which nothing is compiled, after all imports.",
    ),
    Part(
        "core-meta-graph",
        "The meta-graph of 2 million objects in 20 partitions",
        meta_graph,
        cases=[{"dimensions": d, "n": 2_000_000} for d in KINDS],
        quick=[{"dimensions": d, "n": 20_000} for d in KINDS],
        columns=beside(
            lambda row: f"`metagraph(e)`, 2,000,000 objects, {KINDS[row['dimensions']]}",
            lambda row: "SciPy, `H.T @ H`",
            "seconds of SciPy",
            their_memory=megabytes("peak of SciPy"),
        ),
        note="`H.T @ H`, the product of the incidence with itself, is only the first step to a meta-graph; making H is "
        "not counted.",
    ),
    Part(
        "core-distinct-rows",
        "Distinct label rows of 2 million objects in 20 partitions",
        distinct_rows,
        cases=[{"dimensions": d, "n": 2_000_000} for d in KINDS],
        quick=[{"dimensions": d, "n": 20_000} for d in KINDS],
        columns=beside(
            lambda row: f"`e.collapse()`, 2,000,000 objects, {KINDS[row['dimensions']]}",
            lambda row: "`np.unique`",
            "seconds of NumPy",
            their_memory=megabytes("peak of NumPy"),
        ),
        note="`np.unique` gets rows that already lie object by object, and returns inverse and counts as `collapse` "
        "does.",
    ),
)

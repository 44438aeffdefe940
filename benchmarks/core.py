"""The graph core: import, meta-graph, collapse, export to igraph, and the first call of a process."""

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

from .data import random_projections
from .harness import Measured, measure, megabytes, report

ROOT = Path(__file__).parent.parent
N_OBJECTS, N_PARTITIONS = 5_000_000, 20
SAMPLE = 5  # SciPy's product is measured on every fifth object: it is linear in their number, and slow
HEAVY = ("sklearn", "networkx", "igraph", "matplotlib", "pymetis", "numba")
KINDS = {2: "2-D, few distinct rows", 16: "16-D, most rows distinct"}


def run() -> None:
    """Measure and report every figure of the core."""
    importing()
    ensembles = {dimensions: many_objects(dimensions) for dimensions in KINDS}
    meta_graph(ensembles)
    collapsing(ensembles)
    del ensembles
    to_igraph()
    first_call()


def many_objects(dimensions: int, n: int = N_OBJECTS) -> Ensemble:
    """Objects from partitions of a tenth as many: repeated in 2-D; in 16-D each label also moves 1 time in 10."""
    e = random_projections(n // 10, N_PARTITIONS, (20, 100), dimensions=dimensions)
    rng = np.random.default_rng(1)
    codes = e.codes[:, rng.permutation(n) % (n // 10)]
    if dimensions > 2:
        for row, k in zip(codes, e.n_clusters, strict=True):
            moved = np.flatnonzero(rng.random(n, dtype=np.float32) < 0.1)
            row[moved] = rng.integers(0, k, size=moved.size)
    return Ensemble.from_partitions(list(codes))


# import ------------------------------------------------------------------------------------------------------


def importing(repeats: int = 9) -> None:
    """Import in fresh processes, taking turns so that a busy moment hits both."""
    _seconds_of("scipy.sparse"), _seconds_of("graphens")  # files into the page cache
    pairs = [(_seconds_of("scipy.sparse"), _seconds_of("graphens")) for _ in range(repeats)]
    scipy, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
    loaded = _fresh(f"import sys, graphens; print([m for m in {HEAVY!r} if m in sys.modules])")
    report(
        "core-1-import",
        "Importing graphens",
        ["import", "CPU seconds, median", "ratio", "wanted"],
        [["scipy.sparse", scipy, "", ""], ["graphens", ours, ours / scipy, "≤ 1.5"]],
        f"Of {', '.join(HEAVY)} it loads {loaded if loaded != '[]' else 'none'}.",
    )


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


# meta-graph --------------------------------------------------------------------------------------------------


def meta_graph(ensembles: dict[int, Ensemble]) -> None:
    rows = []
    for dimensions, e in ensembles.items():
        ours = measure(_meta_edges, e, warm=(_small(),), repeats=2)
        part = e.take(objects=np.arange(0, e.n_objects, SAMPLE))
        incidence = ge.hypergraph(part).incidence
        scipy = measure(_product, incidence)
        table = 8.0 * int(e.n_clusters.sum()) ** 2
        seconds = scipy.seconds * SAMPLE
        rows.append(
            [
                KINDS[dimensions],
                int(e.n_clusters.sum()),
                ours.seconds,
                seconds,
                f"{seconds / ours.seconds:.1f} × faster",
                megabytes(ours.peak),
                megabytes(table + 200e6),
            ]
        )
    report(
        "core-2-metagraph",
        f"Meta-graph of {N_OBJECTS // 10**6}M objects × {N_PARTITIONS} partitions",
        [
            "labels",
            "K",
            "metagraph(e), s",
            "H.T @ H, s",
            "ratio (wanted ≥ 10)",
            "peak above the codes",
            "allowed",
        ],
        rows,
        f"SciPy's product was measured on every {SAMPLE}th object and multiplied; building H is not counted. "
        "Allowed is a K × K matrix of floats and 200 MB.",
    )


def _meta_edges(e: Ensemble) -> int:
    return ge.metagraph(e).n_edges


def _product(incidence: Any) -> int:
    return int((incidence.T @ incidence).nnz)


def _small() -> Ensemble:
    """Little work for the same compiled code: some rows repeated often enough that collapsing them pays."""
    rng = np.random.default_rng(0)
    return Ensemble(rng.integers(0, 5, size=(50, 5))[rng.integers(50, size=2**17)])


# collapse ----------------------------------------------------------------------------------------------------


def collapsing(ensembles: dict[int, Ensemble]) -> None:
    rows = []
    for dimensions, e in ensembles.items():
        ours = measure(_collapsed, e, warm=(_small(),), repeats=2)
        unique = measure(_unique_rows, np.ascontiguousarray(e.codes.T))
        if ours.value != unique.value:
            raise AssertionError(f"collapse found {ours.value} rows, np.unique {unique.value}")
        rows.append(
            [
                KINDS[dimensions],
                ours.value,
                ours.seconds,
                unique.seconds,
                f"{unique.seconds / ours.seconds:.1f} × faster",
                megabytes(ours.peak),
            ]
        )
    report(
        "core-3-collapse",
        f"Collapsing {N_OBJECTS // 10**6}M objects × {N_PARTITIONS} partitions",
        [
            "labels",
            "distinct rows",
            "collapse(), s",
            "np.unique, s",
            "ratio (wanted ≥ 3)",
            "peak above the codes",
        ],
        rows,
        "np.unique on a void view of rows that already lie object by object, with inverse and counts, "
        "which collapse gives too.",
    )


def _collapsed(e: Ensemble) -> int:
    return e.collapse()[0].n_objects


def _unique_rows(rows: np.ndarray) -> int:
    view = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    return len(np.unique(view, return_inverse=True, return_counts=True)[0])


# igraph ------------------------------------------------------------------------------------------------------


def to_igraph(n: int = 1_000_000) -> None:
    rng = np.random.default_rng(0)
    g = ge.bipartite(Ensemble(rng.integers(0, 50, size=(n, N_PARTITIONS), dtype=np.int8)))
    source, target, _ = g.edges()
    edges = np.column_stack([source, target])
    ours = measure(_exported, g)
    bare: dict[str, Measured] = {
        "from an edge array": measure(_bare, g.n_vertices, edges),
        "from a stream of pairs": measure(_streamed, g.n_vertices, edges),
    }
    rows = [["to_igraph() with names, roles and weights", ours.seconds, "", megabytes(ours.peak)]]
    rows += [
        [f"igraph.Graph {how}", b.seconds, f"{ours.seconds / b.seconds:.2f} ×", megabytes(b.peak)]
        for how, b in bare.items()
    ]
    report(
        "core-4-igraph",
        f"Bipartite graph of {n // 10**6}M objects × {N_PARTITIONS} partitions to igraph",
        ["how", "seconds", "to_igraph() takes (wanted ≤ 2)", "memory"],
        rows,
    )


def _exported(g: ge.Graph) -> int:
    return int(g.to_igraph().ecount())


def _bare(n: int, edges: np.ndarray) -> int:
    import igraph

    return int(igraph.Graph(n, edges).ecount())


def _streamed(n: int, edges: np.ndarray) -> int:
    import igraph

    pairs = zip(edges[:, 0].tolist(), edges[:, 1].tolist(), strict=True)
    return int(igraph.Graph(n, pairs).ecount())


# first call --------------------------------------------------------------------------------------------------

FIRST = """
import json, time
import numpy as np
import graphens as ge
e = ge.Ensemble(np.random.default_rng(0).integers(0, 5, size=(300, 10)))
def job():
    start = time.process_time()
    e.collapse(); ge.metagraph(e); ge.link(ge.coassociation(e), "average")
    return time.process_time() - start
print(json.dumps([job(), job()]))
"""


def first_call() -> None:
    """collapse, metagraph and link of 300 objects, the first and the second time in a process."""
    with tempfile.TemporaryDirectory() as folder:
        cache = {"NUMBA_CACHE_DIR": f"{folder}/cache"}
        cases = {
            "cold: compiled now": cache,
            "warm: from the cache": cache,
            "warm again": cache,
            "no folder can be written": _nowhere_to_write(Path(folder)),
        }
        rows = []
        for case, env in cases.items():
            first, second = json.loads(_fresh(FIRST, **env))
            rows.append([case, first, second, first - second])
    report(
        "core-5-first-call",
        "First call in a fresh process",
        ["compiled code", "first call, CPU s", "second call, CPU s", "difference"],
        rows,
        "Wanted: warm at most 1 s above the plain (second) call, and no error where no folder can be written. "
        "The first call also loads numba.",
    )


def _nowhere_to_write(folder: Path) -> dict[str, str]:
    """An environment in which every place for a cache lies below a file; permissions would not stop root."""
    shutil.copytree(ROOT / "graphens", folder / "graphens", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "graphens" / "kernels" / "__pycache__").write_text("a file")
    blocked = str(folder / "graphens" / "py.typed" / "below")
    return {"PYTHONPATH": str(folder)} | dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), blocked)
